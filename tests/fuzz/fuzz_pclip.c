// Compressed clips: every clip of a file, sampled forwards and at random.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "pclip.h"

#define SIZE_MAX_BYTES ((size_t)1 << 16)
#define HEADER_BYTES 12
#define JOINTS_MAX 512 // more only take longer
#define SAMPLES 24
#define CLIPS 6

static void sample_clip(const struct pclip_file *file, int i, const struct pclip_transform *rest,
	struct pclip_transform *joints, float *weights) {
	const char *why = NULL;
	struct pclip_info info;
	void *memory = malloc(pclip_memory(file));
	struct pclip *clip = pclip_open(file, i, rest, memory, &why);
	assert(clip || why);
	if (clip && pclip_describe(file, i, &info)) {
		assert(info.sample_count >= 1 && info.duration_s >= 0);
		for (int k = 0; k < SAMPLES; k++) {
			const double at = k < SAMPLES / 2 ? k * 0.01 : k * 7 % SAMPLES * 0.05;
			pclip_sample(clip, at * info.duration_s, joints, weights);
		}
		assert(pclip_numbers(clip, info.sample_count, NULL) == -1);
	}
	free(memory);
}

static void sample_file(const struct pclip_file *file) {
	const size_t joint_count = (size_t)file->joint_count + 1;
	struct pclip_transform *rest = calloc(joint_count, sizeof *rest);
	struct pclip_transform *joints = calloc(joint_count, sizeof *joints);
	float *weights = calloc((size_t)file->weight_count + 1, sizeof *weights);
	for (int i = 0; i < file->joint_count && file->self_contained; i++) {
		const char *name;
		int name_bytes, parent;
		const bool found = pclip_joint(file, i, &name, &name_bytes, &parent, &rest[i]);
		assert(found && parent >= -1 && parent < i && name_bytes >= 0);
	}
	for (int i = 0; i < file->clip_count && i < CLIPS; i++) {
		sample_clip(file, i, rest, joints, weights);
	}
	free(rest);
	free(joints);
	free(weights);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct pclip_file file;
	const char *why = NULL;
	if (size < HEADER_BYTES || size > SIZE_MAX_BYTES) {
		return 0;
	}
	/* No mutation would hit the checksum. */
	uint8_t *bytes = malloc(size);
	memcpy(bytes, data, size);
	const uint32_t sum = pclip_checksum(bytes + HEADER_BYTES, size - HEADER_BYTES);
	for (int i = 0; i < 4; i++) {
		bytes[8 + i] = (uint8_t)(sum >> (8 * i));
	}
	if (!pclip_read(bytes, size, &file, &why)) {
		assert(why);
	} else if (file.joint_count <= JOINTS_MAX && file.weight_count <= JOINTS_MAX) {
		sample_file(&file);
	}
	free(bytes);
	return 0;
}
