// float32 -> half precision: meshoptimizer has it for C++ only.
#include "export/quantise.h"

#include <meshoptimizer.h>

void half_from_floats(const float *floats, size_t count, uint16_t *halves) {
	for (size_t i = 0; i < count; i++) {
		halves[i] = meshopt_quantizeHalf(floats[i]);
	}
}
