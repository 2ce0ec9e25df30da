/* The box around many positions. The same bits on every machine. */
#pragma once

#include <stddef.h>

#include "model/rig.h"

/* Grows bounds by the positions, [vertices][3]; zeros of it have no sign. */
typedef void measure_function(const float *positions, size_t vertices, struct bounds *bounds);
measure_function measure_positions, measure_positions_avx2;
