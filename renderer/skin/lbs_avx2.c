// The kernel of lbs.c once more, for eight lanes.
#define LANES_AVX2
#include "skin/lbs.c"
