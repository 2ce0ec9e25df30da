/* Floats that are kept from request to request. */
#pragma once

#include <stddef.h>

/* Floats that are kept from request to request; grows, never shrinks. */
struct scratch {
	float *data; // 64-byte aligned
	size_t count;
};

/* At least count floats; aborts when memory is out (counts come from rigs, which have limits). */
float *scratch_get(struct scratch *scratch, size_t count);
void scratch_finish(struct scratch *scratch);
