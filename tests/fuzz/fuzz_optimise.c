// Optimised GLBs: what can be imported and optimised can be imported again, is as the report says,
// and can be pruned, with the same joints left where they were, and its vertices made integers.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "fuzz.h"
#include "renderer.h"

#define SIZE_MAX_BYTES ((size_t)1 << 18)
#define JOINTS_MAX 256
#define KEYS_MAX 20000 // of all clips: more only take longer

static bool is_small(const struct rig *rig) {
	size_t keys = 0;
	for (int i = 0; i < rig->clip_count; i++) {
		for (int k = 0; k < rig->clips[i].channel_count; k++) {
			keys += (size_t)rig->clips[i].channels[k].key_count *
				(size_t)rig->clips[i].channels[k].width;
		}
	}
	return keys <= KEYS_MAX && rig->joint_count <= JOINTS_MAX;
}

static struct rig *read(const struct buffer *file, struct error *err) {
	return renderer_import(file->data, file->size, err);
}

/* Takes joints out: what is left can be read, and pruning again takes no more. */
static void prune(const struct buffer *file) {
	struct error err = {0};
	struct rig *rig = read(file, &err);
	struct buffer once = {0}, twice = {0};
	struct optimise_pruned report = {0}, again = {0};
	const struct prune_job job = {rig, file->data, file->size};
	assert(rig);
	if (renderer_optimise_prune(&job, &report, &once, &err)) {
		struct rig *pruned = read(&once, &err);
		assert(pruned && pruned->vertex_count == rig->vertex_count);
		assert(pruned->clip_count == rig->clip_count);
		const struct prune_job more = {pruned, once.data, once.size};
		const bool done = renderer_optimise_prune(&more, &again, &twice, &err);
		assert(done && again.nodes_before == report.nodes_after);
		assert(again.nodes_after == report.nodes_after);
		rig_release(pruned);
	} else {
		assert(err.code != ERROR_NONE && err.code != ERROR_INTERNAL);
	}
	buffer_finish(&once);
	buffer_finish(&twice);
	rig_release(rig);
}

/* Packs meshes: they read back the same. */
static void pack(const struct buffer *file) {
	struct error err = {0};
	struct rig *rig = read(file, &err);
	struct buffer packed = {0};
	struct optimise_meshes report;
	assert(rig);
	if (renderer_optimise_meshes(file->data, file->size, &report, &packed, &err)) {
		struct rig *again = read(&packed, &err);
		const size_t count = 3 * (size_t)rig->vertex_count;
		assert(again && again->vertex_count == rig->vertex_count);
		assert(again->index_count == rig->index_count);
		assert(memcmp(again->positions, rig->positions, count * sizeof(float)) == 0);
		assert(memcmp(again->indices, rig->indices,
			       (size_t)rig->index_count * sizeof *rig->indices) == 0);
		rig_release(again);
	} else {
		assert(err.code != ERROR_NONE && err.code != ERROR_INTERNAL);
	}
	free(report.list);
	buffer_finish(&packed);
	rig_release(rig);
}

static int count_quantised(const struct optimise_quantising *report, double tolerance_m) {
	int count = 0;
	for (int i = 0; i < report->count; i++) {
		if (!report->list[i].left) {
			assert(report->list[i].max_m <= 1.01 * tolerance_m);
			count++;
		}
	}
	return count;
}

/* Makes vertices integers: they read back, and there is nothing left to be done. */
static void quantise(const struct buffer *file, double tolerance_m, int normal_bits) {
	struct error err = {0};
	struct rig *rig = read(file, &err);
	struct buffer once = {0}, twice = {0};
	struct optimise_quantising report, again = {.list = NULL};
	struct quantise_job job = {rig, file->data, file->size, tolerance_m, normal_bits, NULL};
	assert(rig);
	if (renderer_optimise_quantise(&job, read, &report, &once, &err)) {
		struct rig *made = read(&once, &err);
		assert(made && made->vertex_count == rig->vertex_count);
		assert(made->index_count == rig->index_count);
		assert(once.size <= file->size);
		const bool some = count_quantised(&report, tolerance_m) > 0;
		job = (struct quantise_job){
			made, once.data, once.size, tolerance_m, normal_bits, NULL};
		const bool done = renderer_optimise_quantise(&job, read, &again, &twice, &err);
		assert(done && (!some || count_quantised(&again, tolerance_m) == 0));
		rig_release(made);
		pack(&once);
	} else {
		assert(err.code == ERROR_UNSUPPORTED_ASSET || err.code == ERROR_TOO_LARGE);
	}
	free(report.list);
	free(again.list);
	buffer_finish(&once);
	buffer_finish(&twice);
	rig_release(rig);
}

static void optimise(const struct rig *rig, const uint8_t *data, size_t size, bool meshopt) {
	struct error err = {0};
	struct buffer made = {0};
	const size_t count = (size_t)rig->clip_count + 1;
	struct optimise_clip *clips = calloc(count, sizeof *clips);
	bool *left = calloc(count, sizeof *left);
	assert(clips && left);
	struct optimise_job job = {.rig = rig,
		.bytes = data,
		.size = size,
		.tolerance_m = renderer_optimise_tolerance(rig) * (size % 2 ? 1 : 100),
		.meshopt = meshopt,
		.left = left};
	if (renderer_optimise_within(&job, read, clips, &made, &err)) {
		for (int i = 0; i < rig->clip_count; i++) {
			assert(clips[i].max_m <= 1.01 * job.tolerance_m);
		}
		prune(&made);
		pack(&made);
		quantise(&made, job.tolerance_m, size % 5 ? 8 : 16);
	} else {
		assert(err.code != ERROR_NONE && err.code != ERROR_INTERNAL);
	}
	free(clips);
	free(left);
	buffer_finish(&made);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct error err = {0};
	if (size > SIZE_MAX_BYTES || renderer_is_foreign(data, size)) {
		return 0;
	}
	struct rig *rig = renderer_import(data, size, &err);
	if (rig && is_small(rig)) {
		optimise(rig, data, size, size % 3 == 0);
		optimise(rig, data, size, size % 3 != 0);
	}
	rig_release(rig);
	return 0;
}
