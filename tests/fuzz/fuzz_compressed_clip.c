// Clips as the store keeps them compressed, whose parts have their true sizes and checksum.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/rigs.h"
#include "fuzz.h"
#include "model/clip_motion.h"
#include "model/clip_pack.h"
#include "pclip.h"
#include "pose/sample/expand.h"
#include "pose/sample/sampler.h"

#define SIZE_MAX_BYTES ((size_t)1 << 16)
#define CACHE_BYTES 4096 // of a few segments: most are decoded again
#define SAMPLES 12
#define KEYS_MAX 100000 // of a clip that is expanded: more only take longer

/* Of clip_compressed.c. */
#define HEAD_BYTES 72
#define ROW_BYTES 32

/* No mutation would hit what says where the file is, nor its checksum. */
static void mend(uint8_t *bytes, size_t size) {
	static const char magic[16] = "posed clip 2\n";
	uint32_t counts[2];
	memcpy(counts, bytes + sizeof magic, sizeof counts);
	const uint64_t file_at =
		HEAD_BYTES + (uint64_t)counts[0] * ROW_BYTES + (uint64_t)counts[1] * sizeof(float);
	memcpy(bytes, magic, sizeof magic);
	if (file_at + 12 > size) {
		return;
	}
	const uint32_t file_bytes = (uint32_t)(size - file_at);
	const uint32_t sum = pclip_checksum(bytes + file_at + 12, file_bytes - 12);
	memcpy(bytes + 24, &file_bytes, sizeof file_bytes);
	memcpy(bytes + file_at + 8, &sum, sizeof sum);
}

static void sample(const struct rig *rig, const struct clip *clip, struct arena *arena) {
	struct pose pose = pose_rest(rig, arena);
	for (int k = 0; k < SAMPLES; k++) {
		const int step = k < SAMPLES / 2 ? k : k * 7 % SAMPLES;
		clip_sample(rig, clip, clip->duration_s * step / SAMPLES, &pose);
		for (int i = 0; i < rig->joint_count; i++) {
			double length = 0;
			for (int n = 0; n < 4; n++) {
				length += (double)pose.local[i].rotation[n] *
					(double)pose.local[i].rotation[n];
			}
			assert(fabs(length - 1) < 1e-3);
			assert(isfinite(pose.local[i].translation[0]));
			assert(isfinite(pose.local[i].scale[2]));
		}
	}
	if (clip->motion->sample_count * clip->motion->channel_count <= KEYS_MAX) {
		const struct clip *expanded = clip_expand(rig, clip, arena);
		assert(rig_check_clip(rig, expanded, NULL));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	static struct rig *rig; // kept from input to input
	if (!rig) {
		rig = rig_cyl2();
		rig->weight_count = rig->joints[0].weight_count = 2;
		rig->rest_weights = rig_storage(rig, 2, sizeof(float), "weights", NULL);
	}
	if (size < HEAD_BYTES || size > SIZE_MAX_BYTES) {
		return 0;
	}
	uint8_t *bytes = malloc(size); // aligned, as what is read from a file
	memcpy(bytes, data, size);
	mend(bytes, size);
	struct arena *arena = arena_create();
	struct segment_cache *segments = segment_cache_create(CACHE_BYTES);
	struct clip clip;
	struct error err = {0};
	if (clip_unpack(rig, bytes, size, arena, &clip, &err)) {
		((struct clip_motion *)clip.motion)->segments = segments;
		sample(rig, &clip, arena);
	} else {
		assert(err.code == ERROR_BROKEN_ASSET);
	}
	segment_cache_destroy(segments);
	arena_destroy(arena);
	free(bytes);
	return 0;
}
