// Clips as the store keeps them.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/rigs.h"
#include "fuzz.h"
#include "model/clip_pack.h"
#include "pose/sample/sampler.h"

#define SIZE_MAX_BYTES ((size_t)1 << 18)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	static struct rig *rig; // kept from input to input
	if (!rig) {
		rig = rig_cyl2();
	}
	if (size > SIZE_MAX_BYTES) {
		return 0;
	}
	void *bytes = malloc(size ? size : 1); // aligned, as what is read from a file
	memcpy(bytes, data, size);
	struct arena *arena = arena_create();
	struct clip clip;
	struct error err = {0};
	if (clip_unpack(rig, bytes, size, arena, &clip, &err)) {
		struct pose pose = pose_rest(rig, arena);
		clip_sample(rig, &clip, clip.duration_s / 3, &pose);
		for (int i = 0; i < rig->joint_count; i++) {
			for (int k = 0; k < 4; k++) {
				assert(isfinite(pose.local[i].rotation[k]));
			}
		}
	} else {
		assert(err.code == ERROR_BROKEN_ASSET);
	}
	arena_destroy(arena);
	free(bytes);
	return 0;
}
