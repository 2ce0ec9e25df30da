// A rag doll's steps, and the way back into a pose.
#include "pose/ragdoll/ragdoll.h"

#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "base/quat.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "pose/ragdoll/handover.h"

static void finish(void *doll) {
	physics_destroy(((struct ragdoll *)doll)->physics);
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

struct ragdoll *ragdoll_create(
	const struct ragdoll_start *start, struct arena *arena, struct error *err) {
	const size_t count = (size_t)start->fit->count;
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
	if (!physics_load(err) || !ragdoll_hand_over(start, arena, doll, err)) {
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

/* The world rotation of a body since the ragdoll started. */
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

/* The position of a joint in the simulation, by one of the two bodies that it connects. */
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
