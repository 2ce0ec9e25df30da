// ZIP archives: taken apart, and what they hold imported.
#include <assert.h>
#include <string.h>

#include "fuzz.h"
#include "renderer.h"

#define SIZE_MAX_BYTES ((size_t)1 << 18)

/* The start of every archive that holds a file: without it the importer looks for other
 * formats, which fuzz_glb does. */
static const char signature[4] = "PK\x03\x04";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct error err = {0};
	if (size < sizeof signature || size > SIZE_MAX_BYTES ||
		memcmp(data, signature, sizeof signature) != 0) {
		return 0;
	}
	struct rig *rig = renderer_import(data, size, &err);
	assert(rig || err.code != ERROR_NONE);
	rig_release(rig);
	return 0;
}
