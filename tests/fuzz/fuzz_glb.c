// Whole assets: imported, strictly and leniently, and what can be imported is posed and skinned.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "fuzz.h"
#include "renderer.h"

#define SIZE_MAX_BYTES ((size_t)1 << 20)
#define VERTICES_MAX 20000
#define CLIPS_MAX 4

static void skin(struct renderer *renderer, const struct rig *rig, const struct value *pose) {
	const struct vertices_job job = {
		.subject = {.rig = rig, .pose = pose, .skinning = {.device = DEVICE_CPU}},
		.order = (const enum attribute_bits[]){ATTRIBUTE_POSITION, ATTRIBUTE_NORMAL},
		.count = 2,
	};
	struct skinning_report report;
	struct error err = {0};
	float *out = malloc(
		renderer_vertices_bytes(rig->vertex_count, ATTRIBUTE_POSITION | ATTRIBUTE_NORMAL) +
		1);
	assert(out);
	if (renderer_vertices(renderer, &job, out, &report, &err)) {
		for (size_t i = 0; i < (size_t)rig->vertex_count * 6; i++) {
			assert(isfinite(out[i]));
		}
	} else {
		assert(err.code != ERROR_NONE && err.code != ERROR_INTERNAL);
	}
	free(out);
}

/* {"clip": index, "phase": phase} */
static void skin_clip(struct renderer *renderer, const struct rig *rig, int index, double phase) {
	struct value members[2] = {
		{.kind = VALUE_NUMBER, .key = "clip", .number = index},
		{.kind = VALUE_NUMBER, .key = "phase", .number = phase},
	};
	const struct value pose = {.kind = VALUE_OBJECT, .items = members, .count = 2};
	members[0].parent = members[1].parent = &pose;
	skin(renderer, rig, &pose);
}

static void skin_all(const struct rig *rig) {
	const struct renderer_options options = {.choice = RENDERER_NONE};
	struct renderer *renderer = renderer_create(&options, NULL);
	assert(renderer);
	skin(renderer, rig, NULL);
	for (int i = 0; i < rig->clip_count && i < CLIPS_MAX; i++) {
		skin_clip(renderer, rig, rig->clips[i].index, 0.37);
	}
	renderer_destroy(renderer);
}

/* A lenient import takes what a strict one takes, and its facts fit its rig. */
static void import_leniently(const uint8_t *data, size_t size, const struct rig *strict) {
	struct error err = {0};
	struct asset_facts *facts;
	struct rig *rig = renderer_import_lenient(data, size, &facts, &err);
	assert((rig != NULL) == (facts != NULL));
	assert(rig || (!strict && err.code != ERROR_NONE));
	if (!rig) {
		return;
	}
	struct buffer packed = {0};
	assert(rig_check(rig, NULL));
	assert(asset_facts_pack(facts, &packed, NULL));
	struct asset_facts *unpacked = asset_facts_unpack(rig, packed.data, packed.size, NULL);
	assert(unpacked);
	asset_facts_destroy(unpacked);
	buffer_finish(&packed);
	if (!strict && rig->vertex_count <= VERTICES_MAX) {
		skin_all(rig);
	}
	asset_facts_destroy(facts);
	rig_release(rig);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct error err = {0};
	if (size > SIZE_MAX_BYTES) {
		return 0;
	}
	struct rig *rig = renderer_import(data, size, &err);
	assert(rig || err.code != ERROR_NONE);
	if (rig && rig->vertex_count <= VERTICES_MAX) {
		skin_all(rig);
	}
	import_leniently(data, size, rig);
	rig_release(rig);
	return 0;
}
