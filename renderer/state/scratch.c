// Floats that are kept from request to request.
#include "state/scratch.h"

#include <stdlib.h>

#include "base/memory.h"

float *scratch_get(struct scratch *scratch, size_t count) {
	// Never NULL, not even for a rig without vertices: callers add offsets to what they get.
	if (count > scratch->count || !scratch->data) {
		scratch_finish(scratch);
		struct error err = {0};
		scratch->data = try_calloc(count + 1, sizeof(float), "vertices", &err);
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
