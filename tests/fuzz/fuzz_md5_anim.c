// Motions of Doom 3 (.md5anim), which have a reader of their own.
#include <assert.h>

#include "fuzz.h"
#include "import/md5_anim.h"
#include "renderer.h"

#define SIZE_MAX_BYTES ((size_t)1 << 16)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct error err = {0};
	if (size > SIZE_MAX_BYTES || !md5_anim_probe(data, size)) {
		return 0;
	}
	struct rig *rig = renderer_import(data, size, &err);
	assert(rig || err.code != ERROR_NONE);
	rig_release(rig);
	return 0;
}
