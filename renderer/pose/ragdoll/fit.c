// Capsules fitted to what a rig's joints carry.
#include "pose/ragdoll/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/utf8.h"
#include "base/vec.h"

/* Shares of the points that lie before and behind a capsule, and within its radius. */
#define ENDS 0.02
#define WITHIN 0.5

/* Shares of a capsule's whole length that its radius keeps to: no wires, nothing flat. */
#define THINNEST 0.06
#define THICKEST 0.5

/* A body without points has a capsule along its bone, that thick; and the least that a body
 * measures, as a share of the points' size. */
#define BARE_RADIUS 0.15
#define SMALLEST 0.005

/* Points of one body about an axis, on the way. */
struct cloud {
	const double (**at)[3]; // [count] into the points
	int count;
	double *numbers; // [count]
	double start[3]; // of the axis
	double axis[3];  // unit
};

static int by_number(const void *a, const void *b) {
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The number that a share of them are below. */
static double quantile(double *numbers, int count, double share) {
	qsort(numbers, (size_t)count, sizeof *numbers, by_number);
	return numbers[(int)(share * (count - 1) + 0.5)];
}

static double along(const struct cloud *cloud, int i) {
	double way[3];
	vec3_sub(*cloud->at[i], cloud->start, way);
	return vec3_dot(way, cloud->axis);
}

static double beside(const struct cloud *cloud, int i) {
	double way[3];
	vec3_sub(*cloud->at[i], cloud->start, way);
	const double share = vec3_dot(way, cloud->axis);
	return sqrt(fmax(vec3_dot(way, way) - share * share, 0));
}

static void collect(const struct ragdoll_points *points, const struct ragdoll_fit *fit, int body,
	struct cloud *cloud) {
	cloud->count = 0;
	for (int i = 0; i < points->count; i++) {
		if (fit->body_of[points->joints[i]] == body) {
			cloud->at[cloud->count++] = (const double(*)[3]) & points->at[i];
		}
	}
}

/* The direction of the longest extent of the points from their middle, which becomes the start. */
static void set_longest(struct cloud *cloud) {
	double middle[3] = {0}, spread[9] = {0}, vectors[9];
	for (int i = 0; i < cloud->count; i++) {
		for (int k = 0; k < 3; k++) {
			middle[k] += (*cloud->at[i])[k] / cloud->count;
		}
	}
	for (int i = 0; i < cloud->count; i++) {
		double way[3];
		vec3_sub(*cloud->at[i], middle, way);
		for (int k = 0; k < 9; k++) {
			spread[k] += way[k / 3] * way[k % 3] / cloud->count;
		}
	}
	jacobi_diagonalise(3, spread, vectors);
	int longest = 0;
	for (int k = 1; k < 3; k++) {
		longest = spread[4 * k] > spread[4 * longest] ? k : longest;
	}
	for (int k = 0; k < 3; k++) {
		cloud->axis[k] = vectors[3 * k + longest];
	}
	memcpy(cloud->start, middle, sizeof middle);
}

/* The number and mean position of the bodies fixed to one body, at their joints. */
static int followers(const struct ragdoll_points *points, const struct ragdoll_fit *fit, int body,
	double mean[static 3]) {
	int count = 0;
	memset(mean, 0, 3 * sizeof *mean);
	for (int i = body + 1; i < fit->count; i++) {
		if (fit->bodies[i].parent == body) {
			double at[3];
			ragdoll_points_joint(points, fit->bodies[i].joint, at);
			for (int k = 0; k < 3; k++) {
				mean[k] += at[k];
			}
			count++;
		}
	}
	vec3_scale(mean, 1.0 / (count > 0 ? count : 1), mean);
	return count;
}

/* Sets the axis from the joint to a point; false where they are one. */
static bool set_bone(const struct ragdoll_points *points, int joint, const double to[static 3],
	struct cloud *cloud) {
	ragdoll_points_joint(points, joint, cloud->start);
	vec3_sub(to, cloud->start, cloud->axis);
	const double length = vec3_length(cloud->axis);
	return length > SMALLEST * points->size && vec3_normalize(cloud->axis);
}

/* A capsule's ends and radius in the world. */
struct capsule {
	double ends[2][3];
	double radius;
};

/* Between two places on the axis, its caps within. */
static void lay(
	const struct cloud *cloud, double from, double to, double radius, struct capsule *capsule) {
	const double inset = fmin(radius, 0.5 * (to - from));
	for (int k = 0; k < 3; k++) {
		capsule->ends[0][k] = cloud->start[k] + (from + inset) * cloud->axis[k];
		capsule->ends[1][k] = cloud->start[k] + (to - inset) * cloud->axis[k];
	}
	capsule->radius = radius;
}

static void fit_capsule(
	const struct ragdoll_points *points, const struct cloud *cloud, struct capsule *capsule) {
	for (int i = 0; i < cloud->count; i++) {
		cloud->numbers[i] = along(cloud, i);
	}
	double from = quantile(cloud->numbers, cloud->count, ENDS);
	double to = quantile(cloud->numbers, cloud->count, 1 - ENDS);
	const double least = 2 * SMALLEST * points->size;
	if (to - from < least) {
		const double middle = 0.5 * (from + to);
		from = middle - 0.5 * least;
		to = middle + 0.5 * least;
	}
	for (int i = 0; i < cloud->count; i++) {
		cloud->numbers[i] = beside(cloud, i);
	}
	const double radius = quantile(cloud->numbers, cloud->count, WITHIN);
	lay(cloud, from, to, fmin(fmax(radius, THINNEST * (to - from)), THICKEST * (to - from)),
		capsule);
}

/* The axis and the capsule about it of one body, whose points are in the cloud. */
static void fit_body(const struct ragdoll_points *points, const struct ragdoll_fit *fit, int body,
	struct cloud *cloud, struct capsule *capsule) {
	const int joint = fit->bodies[body].joint;
	double next[3];
	const int count = followers(points, fit, body, next);
	const bool bone = count > 0 && set_bone(points, joint, next, cloud);
	if (cloud->count == 0) {
		// Joints without vertices only connect others; followers in a circle around one
		// give no bone.
		double length = SMALLEST * points->size;
		if (bone) {
			double way[3];
			vec3_sub(next, cloud->start, way);
			length = fmax(length, vec3_length(way));
		} else {
			ragdoll_points_joint(points, joint, cloud->start);
			memcpy(cloud->axis, (const double[3]){0, 1, 0}, sizeof cloud->axis);
		}
		lay(cloud, 0, length, fmax(BARE_RADIUS * length, SMALLEST * points->size), capsule);
		return;
	}
	if (!bone || count > 1) {
		set_longest(cloud);
	}
	fit_capsule(points, cloud, capsule);
}

/* Into the joint's frame, which needs to have an extent. */
static bool store(const struct ragdoll_points *points, const struct capsule *capsule,
	const double *next, struct ragdoll_body *body) {
	double inverse[12], way[3], middle[3];
	if (!mat_invert(points->world[body->joint], inverse)) {
		return false;
	}
	for (int i = 0; i < 2; i++) {
		mat_map_point(inverse, capsule->ends[i], body->ends[i]);
	}
	for (int i = 0; i < 3; i++) {
		middle[i] = next ? next[i] : 0.5 * (capsule->ends[0][i] + capsule->ends[1][i]);
	}
	mat_map_point(inverse, middle, body->bone);
	if (!vec3_normalize(body->bone)) {
		memcpy(body->bone, (const double[3]){0, 1, 0}, sizeof body->bone);
	}
	mat_map_direction(points->world[body->joint], body->bone, way);
	body->bone_length = vec3_length(way);
	vec3_sub(capsule->ends[1], capsule->ends[0], way);
	body->length = vec3_length(way);
	body->radius = capsule->radius;
	return body->bone_length > 0 &&
		isfinite(vec3_length(body->ends[0]) + vec3_length(body->ends[1]));
}

static double clamp01(double x) {
	return fmin(fmax(x, 0), 1);
}

/* Closest points: Ericson, Real-Time Collision Detection (2005), 5.1.9. */
double segment_distance(const double a[2][3], const double b[2][3]) {
	double along_a[3], along_b[3], between[3];
	vec3_sub(a[1], a[0], along_a);
	vec3_sub(b[1], b[0], along_b);
	vec3_sub(a[0], b[0], between);
	const double aa = vec3_dot(along_a, along_a), bb = vec3_dot(along_b, along_b);
	const double ab = vec3_dot(along_a, along_b);
	const double a_way = vec3_dot(along_a, between), b_way = vec3_dot(along_b, between);
	const double area = aa * bb - ab * ab;
	double s = area > 1e-12 * aa * bb ? clamp01((ab * b_way - a_way * bb) / area) : 0;
	double t = bb > 0 ? (ab * s + b_way) / bb : 0;
	if (t < 0 || t > 1 || bb == 0) {
		t = clamp01(t);
		s = aa > 0 ? clamp01((ab * t - a_way) / aa) : 0;
	}
	for (int i = 0; i < 3; i++) {
		between[i] += s * along_a[i] - t * along_b[i];
	}
	return vec3_length(between);
}

static bool hang_together(const struct ragdoll_fit *fit, int a, int b) {
	const int of_a = fit->bodies[a].parent, of_b = fit->bodies[b].parent;
	return of_a == b || of_b == a;
}

static void find_pairs(
	const struct capsule *capsules, struct arena *arena, struct ragdoll_fit *fit) {
	const size_t most = (size_t)fit->count * (size_t)fit->count / 2 + 1;
	fit->pairs = arena_alloc(arena, most, sizeof *fit->pairs);
	for (int a = 0; a < fit->count; a++) {
		for (int b = a + 1; b < fit->count; b++) {
			const double gap = segment_distance(capsules[a].ends, capsules[b].ends) -
				capsules[a].radius - capsules[b].radius;
			if (gap > 0 && !hang_together(fit, a, b)) {
				fit->pairs[fit->pair_count][0] = a;
				fit->pairs[fit->pair_count++][1] = b;
			}
		}
	}
}

static void list_bodies(
	const struct rig *rig, const bool *chosen, struct arena *arena, struct ragdoll_fit *fit) {
	fit->bodies = arena_alloc(arena, RAGDOLL_BODIES_MAX, sizeof *fit->bodies);
	fit->body_of = arena_alloc(arena, (size_t)rig->joint_count, sizeof *fit->body_of);
	for (int i = 0; i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		fit->body_of[i] = parent >= 0 ? fit->body_of[parent] : -1;
		if (chosen[i]) {
			fit->bodies[fit->count] =
				(struct ragdoll_body){.joint = i, .parent = fit->body_of[i]};
			fit->body_of[i] = fit->count++;
		}
	}
}

bool ragdoll_fit_bodies(const struct rig *rig, const struct ragdoll_points *points,
	const bool *chosen, struct arena *arena, struct ragdoll_fit *fit, struct error *err) {
	*fit = (struct ragdoll_fit){.size = points->size};
	list_bodies(rig, chosen, arena, fit);
	struct cloud cloud = {
		.at = arena_alloc(arena, (size_t)points->count, sizeof *cloud.at),
		.numbers = arena_alloc(arena, (size_t)points->count, sizeof *cloud.numbers),
	};
	struct capsule capsules[RAGDOLL_BODIES_MAX];
	for (int i = 0; i < fit->count; i++) {
		struct ragdoll_body *body = &fit->bodies[i];
		double next[3];
		collect(points, fit, i, &cloud);
		fit_body(points, fit, i, &cloud, &capsules[i]);
		const bool leads = followers(points, fit, i, next) > 0;
		if (!store(points, &capsules[i], leads ? next : NULL, body)) {
			char name[160];
			utf8_quote(rig->joints[body->joint].name, name, sizeof name);
			return error_set(err, ERROR_MISSING_DATA,
				"joint %s has no extent at rest and cannot be a body", name);
		}
	}
	find_pairs(capsules, arena, fit);
	return true;
}
