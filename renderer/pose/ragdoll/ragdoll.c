// A rag doll: hand-over of a pose to rigid bodies, steps, and back.
#include "pose/ragdoll/ragdoll.h"

#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "base/quat.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "physics/physics.h"

/* The least share of a doll's mass that a body has: solvers dislike a hair that holds a house. */
#define LEAST_MASS 0.005

/* What one body is to its joint. */
struct link {
	int joint, parent;       // position in rig->joints; the parent's body or -1
	double parent_frame[4];  // rotation of the joint's parent in the world when let go
	double local[4];         // the joint's rotation relative to its parent then
	double at[3];            // where the joint was, in the simulation's units
	double parent_world[12]; // of the joint's parent; for what hangs on no other body
	double inertia;          // of all that hangs on the joint, about it
	struct joint_limit limit;
	struct joint_stop stop;
};

struct ragdoll {
	const struct rig *rig;
	struct link *links;          // [count]
	struct physics_body *bodies; // [count] when let go
	int count;
	struct physics_setup setup;
	double origin[3]; // of the simulation, in the world
	double scale;     // the simulation's units per asset unit, a power of two
	double damping, stiffness;
	struct physics *physics;
	struct physics_state *last, *now; // [count] after the last step but one, and the last
	int step;
};

/* The pose when let go and the step before, in the world. */
struct motion {
	double (*before)[12], (*now)[12]; // [joint_count]
};

static void finish(void *doll) {
	physics_destroy(((struct ragdoll *)doll)->physics);
}

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

void ragdoll_restart(struct ragdoll *doll) {
	physics_destroy(doll->physics);
	doll->physics = physics_create(&doll->setup);
	doll->step = 0;
	for (int i = 0; i < doll->count; i++) {
		struct link *link = &doll->links[i];
		joint_stop_start(&link->limit, link->local, &link->stop);
		physics_get(doll->physics, i, &doll->now[i]);
		doll->last[i] = doll->now[i];
	}
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

static bool hand_over(const struct ragdoll_start *start, const struct motion *motion,
	struct arena *arena, struct ragdoll *doll, struct error *err) {
	if (!place_bodies(start, motion, doll, err) || !choose_units(start->fit, doll, err)) {
		return false;
	}
	if (is_too_fast(doll)) {
		return error_set(err, ERROR_INVALID_VALUE,
			"the pose moves faster than a simulation can follow; let go at a moment "
			"that it does not jump at");
	}
	weigh(doll);
	for (int i = 0; i < doll->count; i++) {
		link_body(start, motion, i, doll);
	}
	return set_up(start, arena, doll, err);
}

struct ragdoll *ragdoll_create(
	const struct ragdoll_start *start, struct arena *arena, struct error *err) {
	const size_t count = (size_t)start->fit->count;
	const size_t joint_count = (size_t)start->rig->joint_count;
	struct ragdoll *doll = arena_alloc(arena, 1, sizeof *doll);
	*doll = (struct ragdoll){
		.rig = start->rig,
		.links = arena_alloc(arena, count, sizeof *doll->links),
		.bodies = arena_alloc(arena, count, sizeof *doll->bodies),
		.last = arena_alloc(arena, count, sizeof *doll->last),
		.now = arena_alloc(arena, count, sizeof *doll->now),
		.count = start->fit->count,
		.damping = start->damping,
		.stiffness = start->stiffness,
	};
	const struct motion motion = {
		.before = arena_alloc(arena, joint_count, sizeof *motion.before),
		.now = arena_alloc(arena, joint_count, sizeof *motion.now),
	};
	pose_to_world(start->rig, start->before, motion.before);
	pose_to_world(start->rig, start->pose, motion.now);
	if (!hand_over(start, &motion, arena, doll, err)) {
		return NULL;
	}
	arena_defer(arena, finish, doll);
	ragdoll_restart(doll);
	return doll;
}

int ragdoll_step_count(const struct ragdoll *doll) {
	return doll->step;
}

bool ragdoll_rests(const struct ragdoll *doll) {
	return physics_sleeps(doll->physics);
}

/* How far a body has turned, in the world, since it was let go. */
static void turned(const struct ragdoll *doll, const struct physics_state *states, int body,
	double out[static 4]) {
	memcpy(out, (const double[4]){0, 0, 0, 1}, 4 * sizeof *out);
	if (body >= 0) {
		quat_conjugate(doll->bodies[body].rotation, out);
		quat_multiply(states[body].rotation, out, out);
	}
}

/* The rotation of a joint's parent in the world, and the joint's relative to it. */
static void joint_rotation(const struct ragdoll *doll, const struct physics_state *states, int body,
	double parent[static 4], double local[static 4]) {
	const struct link *link = &doll->links[body];
	double turn[4];
	turned(doll, states, link->parent, parent);
	quat_multiply(parent, link->parent_frame, parent);
	turned(doll, states, body, turn);
	quat_multiply(turn, link->parent_frame, turn);
	quat_multiply(turn, link->local, turn);
	quat_conjugate(parent, local);
	quat_multiply(local, turn, local);
	quat_normalize(local);
}

/* A spring with critical damping between the joint's rotation and its target, and damping beside
 * it. */
static int drive(const struct ragdoll *doll, int body, const struct joint_motion *motion,
	const double parent[static 4], const double target[static 4], struct physics_turn *turns) {
	const struct link *link = &doll->links[body];
	const double circle = 6.28318530717958647692 * doll->stiffness;
	const double spring = circle * circle * link->inertia;
	const double brake = (2 * circle + doll->damping) * link->inertia;
	if (!(brake > 0)) {
		return 0;
	}
	double off[4], vector[3];
	quat_conjugate(target, off);
	quat_multiply(motion->rotation, off, off);
	quat_to_vector(off, vector);
	quat_rotate(parent, vector, vector);
	const double softness = 1 / (RAGDOLL_STEP_S * spring + brake);
	const int count = doll->bodies[body].hinged ? 1 : 3;
	for (int i = 0; i < count; i++) {
		turns[i] = (struct physics_turn){.softness = softness, .exact = true};
		if (count == 1) {
			quat_rotate(motion->frame, link->limit.axis, turns[i].axis);
		} else {
			turns[i].axis[i] = 1;
		}
		turns[i].rate = -spring * softness * vec3_dot(vector, turns[i].axis);
	}
	return count;
}

/* Everything that the joint has to say to the next step. */
static void turn_joint(struct ragdoll *doll, int body, const struct pose *target) {
	struct link *link = &doll->links[body];
	struct joint_motion motion = {.step_s = RAGDOLL_STEP_S};
	double parent[4], wanted[4];
	joint_rotation(doll, doll->now, body, parent, motion.rotation);
	quat_multiply(parent, link->limit.rest, motion.frame);
	vec3_sub(doll->now[body].spin, doll->now[link->parent].spin, motion.spin);
	memcpy(wanted, link->local, sizeof wanted);
	for (int i = 0; target && i < 4; i++) {
		wanted[i] = target->local[link->joint].rotation[i];
	}
	quat_normalize(wanted);
	struct physics_turn turns[PHYSICS_TURNS_MAX];
	int count = joint_stop_turns(&link->stop, &motion, turns);
	count += drive(doll, body, &motion, parent, wanted, turns + count);
	physics_set_turns(doll->physics, body, turns, count);
}

bool ragdoll_step(struct ragdoll *doll, const struct pose *target, struct error *err) {
	for (int i = 0; i < doll->count && !ragdoll_rests(doll); i++) {
		if (doll->links[i].parent >= 0) {
			turn_joint(doll, i, target);
		}
	}
	if (!physics_step(doll->physics, err)) {
		return false;
	}
	struct physics_state *oldest = doll->last;
	doll->last = doll->now;
	doll->now = oldest;
	for (int i = 0; i < doll->count; i++) {
		physics_get(doll->physics, i, &doll->now[i]);
	}
	doll->step++;
	return true;
}

/* The translation of a joint that hangs on no other body. */
static bool write_place(const struct ragdoll *doll, const struct physics_state *states, int body,
	struct transform *local) {
	const struct link *link = &doll->links[body];
	double turn[4], at[3], inverse[12];
	turned(doll, states, body, turn);
	vec3_sub(link->at, doll->bodies[body].position, at);
	quat_rotate(turn, at, at);
	for (int i = 0; i < 3; i++) {
		at[i] = (at[i] + states[body].position[i]) / doll->scale + doll->origin[i];
	}
	if (!mat_invert(link->parent_world, inverse)) {
		return false;
	}
	mat_map_point(inverse, at, at);
	for (int i = 0; i < 3; i++) {
		local->translation[i] = (float)at[i];
	}
	return isfinite(local->translation[0] + local->translation[1] + local->translation[2]);
}

bool ragdoll_write(const struct ragdoll *doll, double share, struct pose *pose, struct error *err) {
	struct physics_state states[RAGDOLL_BODIES_MAX];
	for (int i = 0; i < doll->count; i++) {
		const struct physics_state *last = &doll->last[i], *now = &doll->now[i];
		quat_slerp(last->rotation, now->rotation, share, states[i].rotation);
		for (int k = 0; k < 3; k++) {
			states[i].position[k] =
				last->position[k] + share * (now->position[k] - last->position[k]);
		}
	}
	for (int i = 0; i < doll->count; i++) {
		const struct link *link = &doll->links[i];
		struct transform *local = &pose->local[link->joint];
		double parent[4], rotation[4];
		joint_rotation(doll, states, i, parent, rotation);
		for (int k = 0; k < 4; k++) {
			local->rotation[k] = (float)rotation[k];
		}
		pose->driven[link->joint] |= 1 << CHANNEL_ROTATION;
		if (link->parent < 0) {
			pose->driven[link->joint] |= 1 << CHANNEL_TRANSLATION;
			if (!write_place(doll, states, i, local)) {
				char name[160];
				utf8_quote(doll->rig->joints[link->joint].name, name, sizeof name);
				return error_set(err, ERROR_INVALID_VALUE,
					"the rag doll takes joint %s where numbers do not reach",
					name);
			}
		}
	}
	return true;
}

/* Where a joint is in the simulation by one of the two bodies that it connects. */
static void joint_by(const struct ragdoll *doll, int joint, int body, double out[static 3]) {
	double turn[4];
	turned(doll, doll->now, body, turn);
	vec3_sub(doll->links[joint].at, doll->bodies[body].position, out);
	quat_rotate(turn, out, out);
	for (int i = 0; i < 3; i++) {
		out[i] += doll->now[body].position[i];
	}
}

void ragdoll_get(const struct ragdoll *doll, int body, struct physics_body *out) {
	const struct physics_state *now = &doll->now[body];
	const double unit = 1 / doll->scale;
	*out = doll->bodies[body];
	memcpy(out->rotation, now->rotation, sizeof out->rotation);
	memcpy(out->spin, now->spin, sizeof out->spin);
	joint_by(doll, body, body, out->joint);
	for (int i = 0; i < 3; i++) {
		out->position[i] = now->position[i] * unit + doll->origin[i];
		out->joint[i] = out->joint[i] * unit + doll->origin[i];
		out->velocity[i] = now->velocity[i] * unit;
	}
	out->radius *= unit;
	out->length *= unit;
}

double ragdoll_drift(const struct ragdoll *doll) {
	double most = 0;
	for (int i = 0; i < doll->count; i++) {
		if (doll->links[i].parent >= 0) {
			double child[3], parent[3], gap[3];
			joint_by(doll, i, i, child);
			joint_by(doll, i, doll->links[i].parent, parent);
			vec3_sub(child, parent, gap);
			most = fmax(most, vec3_length(gap));
		}
	}
	return most / doll->scale;
}
