// Floats that are kept from request to request.
#include <stdlib.h>

#include "base/memory.h"
#include "renderer_internal.h"

float *scratch_get(struct scratch *scratch, size_t count) {
	if (count > scratch->count) {
		scratch_finish(scratch);
		struct error err = {0};
		scratch->data = try_calloc(count, sizeof(float), "vertices", &err);
		if (!scratch->data) {
			abort();
		}
		scratch->count = count;
	}
	return scratch->data;
}

void scratch_finish(struct scratch *scratch) {
	free(scratch->data);
	*scratch = (struct scratch){0};
}
