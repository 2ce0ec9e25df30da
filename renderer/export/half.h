/* float32 -> half precision, as graphics cards filter it everywhere. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rounds to the nearest: within 2^-12 for numbers in [-1, 1]. Those below 2^-14 become 0. Source:
 * meshoptimizer. */
void half_from_floats(const float *floats, size_t count, uint16_t *halves);

#ifdef __cplusplus
}
#endif
