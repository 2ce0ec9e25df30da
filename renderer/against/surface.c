// The surfaces of both versions against each other, at rest and over clips.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "against/pairing.h"
#include "against/surface_tree.h"
#include "base/stop.h"
#include "base/vec.h"
#include "check/percentile.h"
#include "check/rules.h"
#include "check/skinner.h"
#include "pose/sample/sampler.h"

/* Moments of a clip that are looked at. */
#define MOMENTS_MAX 256
#define MOMENTS_OTHER_MESH 8

/* One version, in one pose after another. */
struct figure {
	const struct check_asset *asset;
	struct skin_plan plan;
	struct check_skinner *skinner;
	struct pose pose;
	double (*world)[12];
	struct surface_tree *tree; // in the last pose; NULL = there is none yet, or no triangle
};

struct comparison {
	const struct against *against;
	struct arena *arena;
	struct figure before, after;
	const struct check_clip *clips[2]; // NULL = at rest
	double *distances;                 // [of one moment] for the percentile
	double greatest, p99, squares, count;
	double time_s; // of the greatest
	int vertex;    // of after; -1 = none, or one of before
};

static void begin_figure(struct figure *figure, const struct check_run *run, struct arena *arena) {
	const struct rig *rig = run->job.rig;
	*figure = (struct figure){
		.asset = run->asset,
		.plan = run->plan,
		.pose = pose_rest(rig, arena),
		.world = arena_alloc(arena, (size_t)rig->joint_count, sizeof *figure->world),
	};
	figure->skinner = check_skinner_create(&figure->plan, arena);
}

/* The vertices of a figure at a time; NULL with why its skinning refuses the pose. */
static const float *pose_figure(
	struct figure *figure, const struct check_clip *clip, double time_s, struct error *err) {
	const struct rig *rig = figure->asset->rig;
	struct check_surface_sample sample;
	pose_set_rest(rig, 0, &figure->pose);
	if (clip) {
		clip_sample(rig, clip->clip, time_s, &figure->pose);
	}
	pose_to_world(rig, &figure->pose, figure->world);
	figure->plan.clip = clip ? clip->index : -1;
	figure->plan.time_s = clip ? time_s : 0;
	const struct check_pose pose = {
		figure->asset, clip, -1, time_s, &figure->pose, (const double(*)[12])figure->world};
	return check_skinner_run(figure->skinner, &pose, &sample, err) ? sample.positions : NULL;
}

static void read_place(const float *positions, int vertex, double out[static 3]) {
	for (size_t k = 0; k < 3; k++) {
		out[k] = positions[3 * (size_t)vertex + k];
	}
}

/* Counts a vertex' distance; those that are nowhere in either version count for nothing. */
static void add_distance(
	struct comparison *comparison, double distance, double time_s, int vertex, int *listed) {
	if (!isfinite(distance)) {
		return;
	}
	comparison->distances[(*listed)++] = distance;
	comparison->squares += distance * distance;
	comparison->count++;
	if (distance > comparison->greatest) {
		comparison->greatest = distance;
		comparison->time_s = time_s;
		comparison->vertex = vertex;
	}
}

static void compare_vertices(struct comparison *comparison, const float *before, const float *after,
	double time_s, int *listed) {
	const int count = comparison->against->after->rig->vertex_count;
	for (int v = 0; v < count; v++) {
		double a[3], b[3], way[3];
		read_place(before, v, a);
		read_place(after, v, b);
		vec3_sub(b, a, way);
		add_distance(comparison, vec3_length(way), time_s, v, listed);
	}
}

/* The distances of one version's vertices from the other's surface. */
static void compare_with_surface(struct comparison *comparison, const struct figure *figure,
	const float *positions, const struct surface_tree *other, double time_s, int *listed) {
	const bool own = figure == &comparison->after;
	for (int v = 0; other && v < figure->asset->rig->vertex_count; v++) {
		double point[3];
		read_place(positions, v, point);
		if (isfinite(point[0]) && isfinite(point[1]) && isfinite(point[2])) {
			add_distance(comparison, surface_tree_distance(other, point), time_s,
				own ? v : -1, listed);
		}
	}
}

static const struct surface_tree *tree_of(
	struct figure *figure, const float *positions, struct arena *arena) {
	if (figure->tree) {
		surface_tree_move(figure->tree, positions);
	} else {
		figure->tree = surface_tree_create(figure->asset->rig, positions, arena);
	}
	return figure->tree;
}

static void compare_surfaces(struct comparison *comparison, const float *before, const float *after,
	double time_s, int *listed) {
	const struct surface_tree *old = tree_of(&comparison->before, before, comparison->arena);
	const struct surface_tree *new = tree_of(&comparison->after, after, comparison->arena);
	compare_with_surface(comparison, &comparison->after, after, old, time_s, listed);
	compare_with_surface(comparison, &comparison->before, before, new, time_s, listed);
}

static bool compare_moment(struct comparison *comparison, double time_s, struct error *err) {
	const float *before = pose_figure(&comparison->before, comparison->clips[0], time_s, err);
	const float *after =
		before ? pose_figure(&comparison->after, comparison->clips[1], time_s, err) : NULL;
	int listed = 0;
	if (!after) {
		return false;
	}
	if (comparison->against->same_mesh) {
		compare_vertices(comparison, before, after, time_s, &listed);
	} else {
		compare_surfaces(comparison, before, after, time_s, &listed);
	}
	if (listed > 0) {
		comparison->p99 = fmax(
			comparison->p99, check_percentile(comparison->distances, listed, 0.99));
	}
	return true;
}

static void emit(const struct comparison *comparison, const struct check_rule *rule,
	struct check_sink *sink) {
	const struct check_asset *after = comparison->against->after;
	const double length = comparison->against->before->length;
	struct check_value value = check_value(comparison->greatest / length);
	const uint32_t vertex = (uint32_t)comparison->vertex;
	if (comparison->vertex >= 0) {
		value.vertices = &vertex;
		value.vertex_count = 1;
		value.joint = after->dominant[comparison->vertex];
	}
	value.time_s = comparison->clips[1] ? comparison->time_s : NAN;
	check_value_param(&value, "rms",
		comparison->count > 0 ? sqrt(comparison->squares / comparison->count) / length : 0);
	check_value_param(&value, "p99", comparison->p99 / length);
	check_emit(sink, rule, &value);
}

static bool compare_moments(struct comparison *comparison, const double *times, int count,
	const struct check_rule *rule, struct check_sink *sink, struct error *err) {
	const struct against *against = comparison->against;
	struct error why = {0};
	for (int i = 0; i < count; i++) {
		if (!compare_moment(comparison, times[i], &why)) {
			check_skip(sink, rule, "%s", why.text);
			return true;
		}
		if (!stop_check(against->job->stop, err)) {
			return false;
		}
	}
	emit(comparison, rule, sink);
	return true;
}

/* Compares count moments. A pose that skinning refuses skips the rule. */
static bool compare(struct comparison *comparison, const double *times, int count,
	const struct check_rule *rule, struct check_sink *sink, struct error *err) {
	const struct against *against = comparison->against;
	const int before = against->before->rig->vertex_count;
	const int after = against->after->rig->vertex_count;
	if (!(against->before->length > 0) || before == 0 || after == 0) {
		check_skip(sink, rule, "no vertices in one of the versions");
		return true;
	}
	struct arena *arena = comparison->arena = arena_create();
	comparison->distances =
		arena_alloc(arena, (size_t)before + (size_t)after, sizeof *comparison->distances);
	begin_figure(&comparison->before, against->job->before, arena);
	begin_figure(&comparison->after, against->job->after, arena);
	const bool done = compare_moments(comparison, times, count, rule, sink, err);
	arena_destroy(arena);
	return done;
}

bool against_shape(const struct against *against, struct error *err) {
	struct comparison comparison = {.against = against, .vertex = -1};
	const double rest = 0;
	return !check_wants(against->figure, &check_rule_diff_shape) ||
		compare(&comparison, &rest, 1, &check_rule_diff_shape, against->figure, err);
}

bool against_surface(const struct against *against, const struct check_step *before,
	const struct check_step *after, struct error *err) {
	struct comparison comparison = {
		.against = against,
		.clips = {before->facts, after->facts},
		.vertex = -1,
	};
	if (!check_wants(after->sink, &check_rule_diff_surface)) {
		return true;
	}
	int count;
	double *times = against_times(before->facts, after->facts, against->arena, &count);
	const int most = against->same_mesh ? MOMENTS_MAX : MOMENTS_OTHER_MESH;
	const int chosen = count < most ? count : most;
	for (int i = 0; i < chosen && chosen > 1; i++) {
		times[i] = times[(size_t)i * (size_t)(count - 1) / (size_t)(chosen - 1)];
	}
	return compare(&comparison, times, chosen, &check_rule_diff_surface, after->sink, err);
}
