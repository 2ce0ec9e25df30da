// Vertices of decoded poses against those of the source.
#include "compress/skin_probe.h"

#include <math.h>

#include "base/vec.h"
#include "pose/sample/sampler.h"

struct skin_probe skin_probe_make(
	const struct skin_metric *metric, struct skin_points *points, struct arena *arena) {
	const struct rig *rig = metric->rig;
	const size_t vertices = (size_t)rig->vertex_count;
	struct skin_probe probe = {
		.metric = metric, .mesh = skin_mesh_make(rig, arena), .points = points};
	if (metric->skin) {
		probe.is = pose_rest(rig, arena);
		probe.should = pose_rest(rig, arena);
		probe.positions = arena_alloc(arena, 3 * vertices, sizeof(float));
		probe.should_positions = arena_alloc(arena, 3 * vertices, sizeof(float));
	}
	return probe;
}

static void compare(struct skin_probe *probe, const struct skin_probe_pose *is,
	const struct skin_probe_pose *should) {
	const struct skin_mesh_pose poses[2] = {
		{is->world, is->weights}, {should->world, should->weights}};
	skin_mesh_compare(probe->mesh, &poses[0], &poses[1]);
}

double skin_probe_sketch(struct skin_probe *probe, const struct skin_probe_pose *is,
	const struct skin_probe_pose *should, int *vertex) {
	const struct skin_points *points = probe->points;
	compare(probe, is, should);
	return skin_mesh_farthest_of(probe->mesh, points->vertices, points->count, vertex);
}

/* A decoded pose as the renderer has poses. */
static void fill_pose(const struct skin_probe_pose *from, struct pose *to) {
	for (int i = 0; i < to->joint_count; i++) {
		for (int k = 0; k < 3; k++) {
			to->local[i].translation[k] = (float)from->local[i].translation[k];
			to->local[i].scale[k] = (float)from->local[i].scale[k];
		}
		for (int k = 0; k < 4; k++) {
			to->local[i].rotation[k] = (float)from->local[i].rotation[k];
		}
	}
	for (int i = 0; i < to->weight_count; i++) {
		to->weights[i] = (float)from->weights[i];
	}
}

static double farthest_apart(const float *a, const float *b, int count, int *vertex) {
	double greatest = 0;
	*vertex = 0;
	for (int i = 0; i < count; i++) {
		double apart[3];
		for (int k = 0; k < 3; k++) {
			apart[k] = (double)a[3 * (size_t)i + (size_t)k] -
				(double)b[3 * (size_t)i + (size_t)k];
		}
		const double square = vec3_dot(apart, apart);
		if (!(square <= greatest)) {
			greatest = square;
			*vertex = i;
		}
	}
	return sqrt(greatest);
}

double skin_probe_exact(struct skin_probe *probe, const struct source *source, int moment,
	const struct skin_probe_pose *is, const struct skin_probe_pose *should, int *vertex,
	struct error *err) {
	const struct skin_metric *metric = probe->metric;
	*vertex = 0;
	if (!metric->skin) {
		compare(probe, is, should);
		const struct skin_points *points = probe->points;
		return skin_mesh_farthest(probe->mesh, points->vertices, points->count, vertex);
	}
	fill_pose(is, &probe->is);
	pose_set_rest(source->rig, 0, &probe->should);
	clip_sample(source->rig, source->clip, source_moment_s(source, moment), &probe->should);
	if (!metric->skin(metric->context, &probe->is, probe->positions, err) ||
		!metric->skin(metric->context, &probe->should, probe->should_positions, err)) {
		return NAN;
	}
	return farthest_apart(
		probe->positions, probe->should_positions, metric->rig->vertex_count, vertex);
}
