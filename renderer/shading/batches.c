// The batch that each triangle is skinned in where lbs cuts the mesh for few matrices, in a colour
// of its own. Triangles that are taken apart for it, lines and points are grey.
#include "skin/batches.h"

#include <stdlib.h>

#include "base/srgb.h"
#include "shading/legend.h"
#include "shading/shading.h"
#include "skin/methods/lbs_variants.h"

/* sRGB of what is in no batch. */
static const unsigned char no_batch[3] = {150, 150, 150};

static enum lbs_impl impl_of(enum batched batched) {
	static const enum lbs_impl impls[] = {
		[BATCHED_FFP1] = LBS_FFP1,
		[BATCHED_FFP2] = LBS_FFP2,
		[BATCHED_CG4M] = LBS_CG4M,
	};
	return impls[batched];
}

static bool cut(const struct shading_job *job, const struct rig *rig, struct batches *batches,
	struct error *err) {
	const enum lbs_impl impl = impl_of(job->settings->batched);
	struct error why = {0};
	if (!lbs_check_influences(rig, impl, &why)) {
		return error_at(err, why.code, "/shading", "%s", why.text);
	}
	return batches_make(rig, lbs_batch_limit(impl), job->stop, batches, err);
}

/* A primitive's triangles on their way into ranges. */
struct sorter {
	const struct rig *rig;
	const struct primitive *primitive;
	const uint32_t *batch_of; // [triangle_count], BATCH_NONE or one of all
	size_t triangle_count;
	size_t first_batch, batch_count; // of the primitive's
	struct arena *arena;
	uint32_t *corners; // of the rig
	struct paint *out;
	struct paint_range *ranges; // with room; out->range_count are there
};

static void add_range(struct sorter *sorter, size_t first, size_t count, size_t batch) {
	const unsigned char *rgb = no_batch;
	unsigned char color[3];
	if (batch < sorter->first_batch + sorter->batch_count) {
		palette_color((int)batch, color);
		rgb = color;
	}
	struct paint_range *range = &sorter->ranges[sorter->out->range_count++];
	*range = (struct paint_range){
		.primitive = (int)(sorter->primitive - sorter->rig->primitives),
		.first = (int)first,
		.count = (int)count,
	};
	for (int k = 0; k < 3; k++) {
		range->color[k] = (float)srgb_to_linear(rgb[k] / 255.0);
	}
}

/* A triangle's batch among the primitive's; one past the last for none. */
static size_t bin_of(const struct sorter *sorter, size_t triangle) {
	const uint32_t batch = sorter->batch_of[triangle];
	return batch == BATCH_NONE ? sorter->batch_count : batch - sorter->first_batch;
}

/* Puts the corners of triangles of one batch together, with a range for each batch. */
static void sort_indexed(struct sorter *sorter) {
	const struct primitive *primitive = sorter->primitive;
	const uint32_t *indices = sorter->rig->indices + primitive->first_index;
	uint32_t *own = sorter->corners + primitive->first_index;
	const size_t bins = sorter->batch_count + 1;
	size_t *starts = arena_alloc(sorter->arena, bins + 1, sizeof *starts);
	for (size_t i = 0; i < sorter->triangle_count; i++) {
		starts[bin_of(sorter, i) + 1] += 3;
	}
	for (size_t bin = 0; bin < bins; bin++) {
		const size_t count = starts[bin + 1];
		starts[bin + 1] += starts[bin];
		if (count > 0) {
			add_range(sorter, (size_t)primitive->first_index + starts[bin], count,
				sorter->first_batch + bin);
		}
	}
	for (size_t i = 0; i < sorter->triangle_count; i++) {
		size_t *at = &starts[bin_of(sorter, i)];
		for (size_t k = 0; k < 3; k++) {
			own[(*at)++] = indices[i * 3 + k] + (uint32_t)primitive->first_vertex;
		}
	}
}

/* Triangles without indices stay where they are: neighbours of one batch make a range. */
static void find_runs(struct sorter *sorter) {
	const size_t start = (size_t)sorter->primitive->first_vertex;
	for (size_t first = 0, i = 1; i <= sorter->triangle_count; i++) {
		if (i == sorter->triangle_count || bin_of(sorter, i) != bin_of(sorter, first)) {
			add_range(sorter, start + first * 3, (i - first) * 3,
				sorter->first_batch + bin_of(sorter, first));
			first = i;
		}
	}
}

/* Leaves a primitive of lines or points whole: its corners are in no batch, or in several. */
static void leave_whole(struct sorter *sorter) {
	const struct primitive *primitive = sorter->primitive;
	const size_t first = (size_t)primitive->first_index;
	for (size_t i = first; i < first + (size_t)primitive->index_count; i++) {
		sorter->corners[i] = sorter->rig->indices[i] + (uint32_t)primitive->first_vertex;
	}
	const bool indexed = primitive->index_count > 0;
	add_range(sorter, indexed ? first : (size_t)primitive->first_vertex,
		(size_t)(indexed ? primitive->index_count : primitive->vertex_count), SIZE_MAX);
}

static size_t triangles_of(const struct primitive *primitive) {
	const int corners =
		primitive->index_count > 0 ? primitive->index_count : primitive->vertex_count;
	return primitive->topology == TOPOLOGY_TRIANGLES ? (size_t)corners / 3 : 0;
}

static void sort(const struct shading_job *job, const struct batches *batches, struct paint *out) {
	const struct rig *rig = job->rig;
	const size_t room = batches->triangle_count + batches->count + (size_t)rig->primitive_count;
	struct sorter sorter = {
		.rig = rig,
		.arena = job->arena,
		.corners =
			arena_alloc(job->arena, (size_t)rig->index_count, sizeof *sorter.corners),
		.out = out,
		.ranges = arena_alloc(job->arena, room, sizeof *sorter.ranges),
		.batch_of = batches->triangles,
	};
	for (int i = 0; i < rig->primitive_count; i++) {
		sorter.primitive = &rig->primitives[i];
		sorter.triangle_count = triangles_of(sorter.primitive);
		sorter.batch_count = 0;
		while (sorter.first_batch + sorter.batch_count < batches->count &&
			batches->list[sorter.first_batch + sorter.batch_count].primitive ==
				(uint32_t)i) {
			sorter.batch_count++;
		}
		(sorter.primitive->topology != TOPOLOGY_TRIANGLES   ? leave_whole
				: sorter.primitive->index_count > 0 ? sort_indexed
								    : find_runs)(&sorter);
		sorter.batch_of += sorter.triangle_count;
		sorter.first_batch += sorter.batch_count;
	}
	out->corners = rig->index_count > 0 ? sorter.corners : NULL;
	out->ranges = sorter.ranges;
}

static bool paint(const struct shading_job *job, struct paint *out, struct error *err) {
	struct batches batches;
	if (!cut(job, job->rig, &batches, err)) {
		return false;
	}
	sort(job, &batches, out);
	batches_finish(&batches);
	out->shader = "paint_colors.frag";
	return true;
}

/* The largest first. */
static int by_rows(const void *a, const void *b) {
	const struct skin_batch *x = *(const struct skin_batch *const *)a;
	const struct skin_batch *y = *(const struct skin_batch *const *)b;
	return x->row_count != y->row_count ? (x->row_count < y->row_count ? 1 : -1)
		: x > y                     ? 1
					    : -1;
}

static bool explain(const struct shading_job *job, struct shading_legend *out, struct error *err) {
	struct batches batches;
	if (!cut(job, job->known, &batches, err)) {
		return false;
	}
	const size_t count = batches.count;
	const struct skin_batch **order = arena_alloc(job->arena, count, sizeof *order);
	struct list_entry *colors = arena_alloc(job->arena, count, sizeof *colors);
	for (size_t i = 0; i < count; i++) {
		order[i] = &batches.list[i];
	}
	qsort(order, count, sizeof *order, by_rows);
	for (size_t i = 0; i < count; i++) {
		const size_t batch = (size_t)(order[i] - batches.list);
		palette_color((int)batch, colors[i].rgb);
		colors[i].label = arena_printf(job->arena, "%zu of %zu: %u joints, %u vertices",
			batch + 1, count, order[i]->joint_count, order[i]->row_count);
	}
	batches_finish(&batches);
	out->colors = colors;
	out->count = count;
	return true;
}

const struct shading_mode shading_batches = {.paint = paint, .explain = explain};
