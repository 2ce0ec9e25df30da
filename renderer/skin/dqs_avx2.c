// The kernel of dqs.c once more, for eight lanes.
#define LANES_AVX2
#include "skin/dqs.c"
