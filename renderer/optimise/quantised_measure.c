// How far vertices are off that have become integers.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "base/vec.h"
#include "optimise/quantised.h"
#include "pose/pose.h"
#include "pose/sample/sampler.h"

#define MOMENTS_MAX 16   // of a clip
#define VERTICES_MAX 3e7 // in all moments together: seconds
#define DEGREES (180 / 3.14159265358979323846)

/* A rig in one pose. */
struct figure {
	const struct rig *rig;
	const struct primitive **primitives; // [rig->primitive_count] by what they are made of
	struct pose pose;
	double (*matrices)[12]; // [rig->slot_count]
	double (*world)[12];    // [rig->joint_count]
};

/* The file's node that a primitive hangs on: new ones are below it. */
static int node_of(const struct rig *rig, const struct primitive *primitive, int node_count) {
	const struct joint *joint = &rig->joints[primitive->joint];
	return joint->index >= node_count && joint->parent >= 0 ? rig->joints[joint->parent].index
								: joint->index;
}

struct sorted {
	const struct primitive *primitive;
	int node;
};

static int by_source(const void *a, const void *b) {
	const struct sorted *x = a, *y = b;
	return x->node != y->node ? x->node - y->node
		: x->primitive->mesh != y->primitive->mesh
		? x->primitive->mesh - y->primitive->mesh
		: x->primitive->primitive - y->primitive->primitive;
}

static struct figure figure_make(const struct rig *rig, int node_count, struct arena *arena) {
	const size_t count = (size_t)rig->primitive_count + 1;
	struct sorted *sorted = arena_alloc(arena, count, sizeof *sorted);
	struct figure figure = {.rig = rig,
		.primitives = arena_alloc(arena, count, sizeof *figure.primitives),
		.pose = pose_rest(rig, arena),
		.matrices =
			arena_alloc(arena, (size_t)rig->slot_count + 1, sizeof *figure.matrices),
		.world = arena_alloc(arena, (size_t)rig->joint_count + 1, sizeof *figure.world)};
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		sorted[i] = (struct sorted){primitive, node_of(rig, primitive, node_count)};
	}
	if (count > 1) {
		qsort(sorted, count - 1, sizeof *sorted, by_source);
	}
	for (int i = 0; i < rig->primitive_count; i++) {
		figure.primitives[i] = sorted[i].primitive;
	}
	return figure;
}

/* Poses it by a clip; -1 = at rest. */
static void pose_figure(struct figure *figure, int clip, double time_s) {
	const struct rig *rig = figure->rig;
	pose_set_rest(rig, 0, &figure->pose);
	if (clip >= 0) {
		clip_sample(rig, &rig->clips[clip], time_s, &figure->pose);
	}
	pose_to_world(rig, &figure->pose, figure->world);
	for (int i = 0; i < rig->slot_count; i++) {
		const struct palette_slot *slot = &rig->slots[i];
		mat_multiply(figure->world[slot->joint], slot->inverse_bind, figure->matrices[i]);
	}
}

/* One vertex of a figure, in the world. */
struct vertex {
	double position[3], normal[3];
};

static void morph(const struct figure *figure, const struct primitive *primitive, size_t i,
	struct vertex *out) {
	const float *weights =
		figure->pose.weights + figure->rig->joints[primitive->joint].first_weight;
	for (int t = 0; t < primitive->target_count; t++) {
		const struct morph_target *target = &primitive->targets[t];
		const double weight = (double)weights[t];
		for (size_t k = 0; k < 3 && (weight < 0 || weight > 0); k++) {
			out->position[k] += target->positions
				? weight * (double)target->positions[3 * i + k]
				: 0;
			out->normal[k] +=
				target->normals ? weight * (double)target->normals[3 * i + k] : 0;
		}
	}
}

/* Normals go with the cofactors of the linear part. */
static void map_normal(const double m[static 12], double normal[static 3]) {
	const double x[3] = {m[0], m[4], m[8]}, y[3] = {m[1], m[5], m[9]},
		     z[3] = {m[2], m[6], m[10]};
	double across[3][3], sum[3] = {0};
	vec3_cross(y, z, across[0]);
	vec3_cross(z, x, across[1]);
	vec3_cross(x, y, across[2]);
	for (int column = 0; column < 3; column++) {
		for (int row = 0; row < 3; row++) {
			sum[row] += across[column][row] * normal[column];
		}
	}
	memcpy(normal, sum, sizeof sum);
}

static struct vertex vertex_of(
	const struct figure *figure, const struct primitive *primitive, int i) {
	const struct rig *rig = figure->rig;
	const size_t at = 3 * ((size_t)primitive->first_vertex + (size_t)i);
	const size_t influence =
		primitive->first_influence + (size_t)i * (size_t)primitive->influence_count;
	struct vertex out;
	double m[12] = {0};
	for (size_t k = 0; k < 3; k++) {
		out.position[k] = (double)rig->positions[at + k];
		out.normal[k] = (double)rig->normals[at + k];
	}
	morph(figure, primitive, (size_t)i, &out);
	for (int n = 0; n < primitive->influence_count; n++) {
		const double weight = (double)rig->influence_weights[influence + (size_t)n];
		const double *from = figure->matrices[primitive->first_slot +
			rig->influence_slots[influence + (size_t)n]];
		for (int k = 0; k < 12 && weight > 0; k++) {
			m[k] += weight * from[k];
		}
	}
	map_normal(m, out.normal);
	mat_map_point(m, out.position, out.position);
	return out;
}

/* The angle between directions; 0 where one has none. */
static double angle_deg(const double a[static 3], const double b[static 3]) {
	double across[3];
	vec3_cross(a, b, across);
	const double sine = vec3_length(across), cosine = vec3_dot(a, b);
	return vec3_length(a) > 0 && vec3_length(b) > 0 ? DEGREES * atan2(sine, cosine) : 0;
}

static void compare(
	const struct figure *was, const struct figure *is, struct optimise_quantising *report) {
	for (int i = 0; i < was->rig->primitive_count; i++) {
		const struct primitive *old = was->primitives[i], *now = is->primitives[i];
		struct optimise_quantised *mesh = &report->list[old->mesh];
		for (int k = 0; k < old->vertex_count && !mesh->left; k++) {
			const struct vertex a = vertex_of(was, old, k), b = vertex_of(is, now, k);
			double off[3];
			vec3_sub(a.position, b.position, off);
			const double distance = vec3_length(off);
			// What is not finite is as far as can be.
			mesh->max_m = distance <= mesh->max_m ? mesh->max_m
				: isfinite(distance)          ? distance
							      : INFINITY;
			mesh->normal_deg = fmax(mesh->normal_deg, angle_deg(a.normal, b.normal));
		}
	}
}

/* True where both have the same vertices. */
static bool correspond(const struct figure *was, const struct figure *is, int mesh_count) {
	bool same = was->rig->primitive_count == is->rig->primitive_count &&
		was->rig->clip_count == is->rig->clip_count;
	for (int i = 0; same && i < was->rig->primitive_count; i++) {
		const struct primitive *old = was->primitives[i], *now = is->primitives[i];
		same = old->mesh == now->mesh && old->primitive == now->primitive &&
			old->vertex_count == now->vertex_count &&
			old->target_count == now->target_count && old->mesh < mesh_count;
	}
	return same;
}

/* Moments of each clip, so that all together are bounded. */
static int count_moments(const struct rig *rig) {
	const double each = (double)rig->vertex_count * (double)rig->clip_count;
	const double moments = each > 0 ? VERTICES_MAX / each : MOMENTS_MAX;
	return moments < 2 ? 2 : moments > MOMENTS_MAX ? MOMENTS_MAX : (int)moments;
}

bool quantised_measure(const struct quantise_job *job, const struct rig *made, int node_count,
	struct optimise_quantising *report, struct error *err) {
	struct arena *arena = arena_create();
	struct figure was = figure_make(job->rig, node_count, arena);
	struct figure is = figure_make(made, node_count, arena);
	bool done = correspond(&was, &is, report->count) ||
		error_set(err, ERROR_INTERNAL,
			"the quantised file has other vertices than the original");
	const int moments = count_moments(job->rig);
	for (int clip = -1; clip < job->rig->clip_count && done; clip++) {
		const double end_s = clip < 0 ? 0 : job->rig->clips[clip].duration_s;
		for (int i = 0; i < (clip < 0 ? 1 : moments) && done; i++) {
			const double time_s = end_s * i / (moments - 1);
			done = stop_check(job->stop, err);
			pose_figure(&was, clip, time_s);
			pose_figure(&is, clip, time_s);
			compare(&was, &is, report);
		}
	}
	arena_destroy(arena);
	return done;
}
