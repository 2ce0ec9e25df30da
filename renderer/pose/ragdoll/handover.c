// The hand-over of a pose to rigid bodies.
#include "pose/ragdoll/handover.h"

#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "base/quat.h"
#include "base/utf8.h"
#include "base/vec.h"

/* The least share of a doll's mass that a body has: solvers dislike a hair that holds a house. */
#define LEAST_MASS 0.005

/* The pose when let go and the step before, in the world. */
struct motion {
	double (*before)[12], (*now)[12]; // [joint_count]
};

static void linear_part(const double m[static 12], double out[static 12]) {
	memcpy(out, m, 12 * sizeof *out);
	out[3] = out[7] = out[11] = 0;
}

static void rotation_of(const double m[static 12], double rotation[static 4]) {
	double stretch[9];
	mat_polar(m, rotation, stretch);
}

/* The rotation vector per second that takes one matrix' linear part to another's. */
static bool find_spin(
	const double before[static 12], const double now[static 12], double spin[static 3]) {
	double linear[12], rotation[4];
	linear_part(before, linear);
	if (!mat_invert(linear, linear)) {
		return false;
	}
	mat_multiply(now, linear, linear);
	rotation_of(linear, rotation);
	quat_to_vector(rotation, spin);
	vec3_scale(spin, 1 / RAGDOLL_STEP_S, spin);
	return true;
}

/* A capsule in the world, as the pose has its joint, with its velocity. */
static bool place_body(const struct ragdoll_start *start, const struct motion *motion, int index,
	struct physics_body *body) {
	const struct ragdoll_body *fit = &start->fit->bodies[index];
	const double *now = motion->now[fit->joint], *before = motion->before[fit->joint];
	double ends[2][3], along[3], middle[3], was[3], bone[3];
	for (int i = 0; i < 2; i++) {
		mat_map_point(now, fit->ends[i], ends[i]);
	}
	vec3_sub(ends[1], ends[0], along);
	for (int i = 0; i < 3; i++) {
		middle[i] = 0.5 * (fit->ends[0][i] + fit->ends[1][i]);
	}
	mat_map_point(now, middle, body->position);
	mat_map_point(before, middle, was);
	vec3_sub(body->position, was, body->velocity);
	vec3_scale(body->velocity, 1 / RAGDOLL_STEP_S, body->velocity);
	quat_between((const double[3]){0, 0, 1}, along, body->rotation);
	mat_map_direction(now, fit->bone, bone);
	body->length = vec3_length(along);
	body->radius = fit->radius * vec3_length(bone) / fit->bone_length;
	body->parent = fit->parent;
	for (int i = 0; i < 3; i++) {
		body->joint[i] = now[4 * i + 3];
	}
	return find_spin(before, now, body->spin) && body->radius > 0 &&
		isfinite(body->radius + body->length + vec3_length(body->position));
}

static bool place_bodies(const struct ragdoll_start *start, const struct motion *motion,
	struct ragdoll *doll, struct error *err) {
	for (int i = 0; i < doll->count; i++) {
		if (!place_body(start, motion, i, &doll->bodies[i])) {
			char name[160];
			utf8_quote(start->rig->joints[start->fit->bodies[i].joint].name, name,
				sizeof name);
			return error_set(err, ERROR_INVALID_VALUE,
				"the pose leaves joint %s no extent; a body needs one", name);
		}
	}
	return true;
}

/* A body that is so many times as far from the first as all are long is torn off by the pose. */
#define FARTHEST 1e4

/* Units that make the doll's bodies four to eight long in a row, as a human's are in metres, around
 * the place of the first. */
static bool choose_units(const struct ragdoll_fit *fit, struct ragdoll *doll, struct error *err) {
	double length = 0;
	for (int i = 0; i < doll->count; i++) {
		length += doll->bodies[i].length + 2 * doll->bodies[i].radius;
	}
	if (!(length > 1e-30 && length < 1e30)) {
		return error_set(err, ERROR_INVALID_VALUE,
			"the pose makes all bodies together %g long; that cannot be simulated",
			length);
	}
	int exponent;
	frexp(length, &exponent);
	doll->scale = ldexp(1, 3 - exponent);
	memcpy(doll->origin, doll->bodies[0].position, sizeof doll->origin);
	for (int i = 0; i < doll->count; i++) {
		struct physics_body *body = &doll->bodies[i];
		vec3_sub(body->position, doll->origin, body->position);
		vec3_sub(body->joint, doll->origin, body->joint);
		if (!(vec3_length(body->position) < FARTHEST * length)) {
			char name[160];
			utf8_quote(doll->rig->joints[fit->bodies[i].joint].name, name, sizeof name);
			return error_set(err, ERROR_INVALID_VALUE,
				"the pose takes joint %s too far from the other bodies", name);
		}
		vec3_scale(body->position, doll->scale, body->position);
		vec3_scale(body->joint, doll->scale, body->joint);
		vec3_scale(body->velocity, doll->scale, body->velocity);
		body->length *= doll->scale;
		body->radius *= doll->scale;
	}
	return true;
}

/* By the capsules' volumes, of 1 for all. */
static void weigh(struct ragdoll *doll) {
	double whole = 0;
	for (int i = 0; i < doll->count; i++) {
		struct physics_body *body = &doll->bodies[i];
		body->mass = body->radius * body->radius * (body->length + 4.0 / 3 * body->radius);
		whole += body->mass;
	}
	for (int i = 0; i < doll->count; i++) {
		doll->bodies[i].mass = fmax(doll->bodies[i].mass / whole, LEAST_MASS);
	}
}

static bool hangs_on(const struct ragdoll *doll, int body, int on) {
	while (body > on) {
		body = doll->bodies[body].parent;
	}
	return body == on;
}

static double inertia_below(const struct ragdoll *doll, int body) {
	double inertia = 0;
	for (int i = body; i < doll->count; i++) {
		const struct physics_body *other = &doll->bodies[i];
		if (hangs_on(doll, i, body)) {
			double way[3];
			vec3_sub(other->position, doll->bodies[body].joint, way);
			const double square = vec3_dot(way, way) + other->radius * other->radius +
				other->length * other->length / 12;
			inertia += other->mass * square;
		}
	}
	return inertia;
}

static void link_body(const struct ragdoll_start *start, const struct motion *motion, int index,
	struct ragdoll *doll) {
	const struct ragdoll_body *fit = &start->fit->bodies[index];
	struct link *link = &doll->links[index];
	*link = (struct link){.joint = fit->joint,
		.parent = fit->parent,
		.parent_frame = {0, 0, 0, 1},
		.parent_world = MAT_IDENTITY};
	const int parent = start->rig->joints[fit->joint].parent;
	if (parent >= 0) {
		memcpy(link->parent_world, motion->now[parent], sizeof link->parent_world);
		rotation_of(motion->now[parent], link->parent_frame);
	}
	for (int i = 0; i < 4; i++) {
		link->local[i] = start->pose->local[fit->joint].rotation[i];
	}
	quat_normalize(link->local);
	memcpy(link->at, doll->bodies[index].joint, sizeof link->at);
	link->inertia = inertia_below(doll, index);
	struct physics_body *body = &doll->bodies[index];
	if (fit->parent >= 0) {
		link->limit = start->limits[index];
		body->hinged = link->limit.kind == LIMIT_HINGE;
		quat_rotate(link->local, link->limit.axis, body->axis);
		quat_rotate(link->parent_frame, body->axis, body->axis);
	}
}

static bool set_up(const struct ragdoll_start *start, struct arena *arena, struct ragdoll *doll,
	struct error *err) {
	struct physics_setup *setup = &doll->setup;
	const size_t pair_count = (size_t)start->fit->pair_count;
	int(*pairs)[2] = arena_alloc(arena, pair_count, sizeof *pairs);
	for (size_t i = 0; i < pair_count; i++) {
		memcpy(pairs[i], start->fit->pairs[i], sizeof *pairs);
	}
	*setup = (struct physics_setup){
		.bodies = doll->bodies,
		.body_count = doll->count,
		.pairs = (const int(*)[2])pairs,
		.pair_count = start->fit->pair_count,
		.step_s = RAGDOLL_STEP_S,
		.awake = start->stiffness > 0,
		.grounded = start->grounded,
	};
	double below[3];
	vec3_sub(start->ground_point, doll->origin, below);
	memcpy(setup->ground_normal, start->ground_normal, sizeof setup->ground_normal);
	setup->ground_level = doll->scale * vec3_dot(below, setup->ground_normal);
	vec3_scale(start->gravity, doll->scale, setup->gravity);
	return (isfinite(setup->ground_level) && isfinite(vec3_length(setup->gravity))) ||
		error_set(err, ERROR_INVALID_VALUE,
			"gravity or ground are farther than numbers reach for a rig of this size");
}

static bool is_too_fast(const struct ragdoll *doll) {
	for (int i = 0; i < doll->count; i++) {
		if (!(vec3_length(doll->bodies[i].velocity) < PHYSICS_FASTEST &&
			    vec3_length(doll->bodies[i].spin) < PHYSICS_FASTEST)) {
			return true;
		}
	}
	return false;
}

bool ragdoll_hand_over(const struct ragdoll_start *start, struct arena *arena, struct ragdoll *doll,
	struct error *err) {
	const size_t joint_count = (size_t)start->rig->joint_count;
	const struct motion motion = {
		.before = arena_alloc(arena, joint_count, sizeof *motion.before),
		.now = arena_alloc(arena, joint_count, sizeof *motion.now),
	};
	pose_to_world(start->rig, start->before, motion.before);
	pose_to_world(start->rig, start->pose, motion.now);
	if (!place_bodies(start, &motion, doll, err) || !choose_units(start->fit, doll, err)) {
		return false;
	}
	if (is_too_fast(doll)) {
		return error_set(err, ERROR_INVALID_VALUE,
			"the pose moves faster than a simulation can follow; let go at a moment "
			"that it does not jump at");
	}
	weigh(doll);
	for (int i = 0; i < doll->count; i++) {
		link_body(start, &motion, i, doll);
	}
	return set_up(start, arena, doll, err);
}
