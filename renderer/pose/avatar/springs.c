// Spring bones, moved step by step or brought to rest.
#include "pose/avatar/springs_internal.h"

#include <math.h>
#include <string.h>

#include "base/mat.h"
#include "base/quat.h"
#include "base/vec.h"

/* Steps that a tail in contact is given to come to rest, and what counts as rest, in its lengths.
 */
#define SETTLE_STEPS 600
#define SETTLED 1e-6

/* Rounds for bones that hold one another off in a circle. */
#define CIRCLE_ROUNDS 16

/* A bone with its joint's rest rotation, in the world. */
struct frame {
	double rest[12];
	double head[3];
	double direction[3]; // of the tail, unit
	double length;
	double center[12], from_center[12];
};

/* The joint's world matrix from its pose and a rotation. */
static void place(const struct springs *springs, const struct pose *pose, int joint,
	const float rotation[static 4], double out[static 12]) {
	const int parent = springs->rig->joints[joint].parent;
	const struct transform *local = &pose->local[joint];
	mat_from_transform(local->translation, rotation, local->scale, out);
	if (parent >= 0) {
		mat_multiply(springs->world[parent], out, out);
	}
}

/* Moves a point to a distance from another. False where there is none that can be told. */
static bool set_distance(const double from[static 3], double distance, double point[static 3]) {
	double way[3];
	vec3_sub(point, from, way);
	const double length = vec3_length(way);
	if (!(length > 1e-150) || !isfinite(length)) {
		return false;
	}
	for (int i = 0; i < 3; i++) {
		point[i] = from[i] + way[i] * (distance / length);
	}
	return true;
}

static void find_center(const struct springs *springs, int center, struct frame *frame) {
	memcpy(frame->center, (const double[12])MAT_IDENTITY, sizeof frame->center);
	memcpy(frame->from_center, frame->center, sizeof frame->center);
	double inverse[12];
	if (center >= 0 && mat_invert(springs->world[center], inverse)) {
		memcpy(frame->center, springs->world[center], sizeof frame->center);
		memcpy(frame->from_center, inverse, sizeof inverse);
	}
}

/* False where the bone has no length that can be told: scaled to nothing, or too far away. */
static bool find_frame(const struct springs *springs, const struct pose *pose,
	const struct spring_bone *bone, struct frame *frame) {
	const struct joint *joint = &springs->rig->joints[bone->of->joint];
	place(springs, pose, bone->of->joint, joint->rest.rotation, frame->rest);
	mat_map_direction(frame->rest, bone->of->tail, frame->direction);
	for (int i = 0; i < 3; i++) {
		frame->head[i] = frame->rest[i * 4 + 3];
	}
	frame->length = vec3_length(frame->direction);
	find_center(springs, bone->spring->center, frame);
	return frame->length > 1e-150 && isfinite(frame->length + vec3_length(frame->head)) &&
		vec3_normalize(frame->direction);
}

static void find_force(
	const struct spring_bone *bone, const struct frame *frame, double force[static 3]) {
	for (int i = 0; i < 3; i++) {
		force[i] = bone->of->stiffness * frame->direction[i] +
			bone->of->gravity_power * bone->of->gravity[i];
	}
}

/* Holds a tail off the colliders of its spring, in their order. True where it touched one. */
static bool push(const struct springs *springs, const struct spring_bone *bone,
	const struct frame *frame, double tip[static 3]) {
	const struct avatar *avatar = springs->rig->avatar;
	bool touched = false;
	for (int i = 0; i < bone->spring->collider_count; i++) {
		const int at = bone->spring->colliders[i];
		const struct avatar_collider *collider = &avatar->colliders[at];
		struct placed_collider placed = springs->placed[at];
		if (springs->moves[collider->joint]) {
			placed = collider_place(collider, springs->world[collider->joint]);
		}
		if (collider_push(&placed, bone->of->hit_radius, tip)) {
			set_distance(frame->head, frame->length, tip);
			touched = true;
		}
	}
	return touched;
}

/* Turns the joint so that its tail points to the bone's tip. */
static void turn(
	const struct springs *springs, const struct frame *frame, struct spring_bone *bone) {
	double inverse[12], to[3], arc[4], rotation[4];
	if (!mat_invert(frame->rest, inverse)) {
		return;
	}
	const float *rest = springs->rig->joints[bone->of->joint].rest.rotation;
	for (int i = 0; i < 4; i++) {
		rotation[i] = rest[i];
	}
	quat_normalize(rotation);
	mat_map_point(inverse, bone->tip, to);
	quat_between(bone->of->tail, to, arc);
	quat_multiply(rotation, arc, rotation);
	quat_normalize(rotation);
	for (int i = 0; i < 4; i++) {
		bone->rotation[i] = (float)rotation[i];
	}
	bone->turned = isfinite(quat_dot(rotation, rotation));
}

/* One movement of all bones. */
struct movement {
	struct springs *springs;
	const struct pose *pose;
	double step_s;
	const struct springs_payer *payer;
};

/* Counts a bone held against its colliders. */
static bool pay(
	const struct movement *movement, const struct spring_bone *bone, struct error *err) {
	const struct springs_payer *payer = movement->payer;
	return pose_run_spend_work(
		payer->run, payer->source, 1 + (size_t)bone->spring->collider_count, err);
}

/* A way to move one bone: sets its tip, and what it remembers. */
typedef bool bone_move(const struct movement *movement, const struct frame *frame,
	struct spring_bone *bone, struct error *err);

static void remember(const struct frame *frame, struct spring_bone *bone) {
	memcpy(bone->previous, bone->current, sizeof bone->previous);
	mat_map_point(frame->from_center, bone->tip, bone->current);
}

static bool begin(const struct movement *movement, const struct frame *frame,
	struct spring_bone *bone, struct error *err) {
	for (int i = 0; i < 3; i++) {
		bone->tip[i] = frame->head[i] + frame->length * frame->direction[i];
	}
	remember(frame, bone);
	remember(frame, bone);
	return pay(movement, bone, err);
}

static bool step(const struct movement *movement, const struct frame *frame,
	struct spring_bone *bone, struct error *err) {
	double force[3], tip[3];
	find_force(bone, frame, force);
	for (int i = 0; i < 3; i++) {
		const double moved = bone->current[i] - bone->previous[i];
		tip[i] = bone->current[i] + moved * (1 - bone->of->drag);
	}
	mat_map_point(frame->center, tip, tip);
	for (int i = 0; i < 3; i++) {
		tip[i] += movement->step_s * force[i];
	}
	if (!set_distance(frame->head, frame->length, tip)) {
		return begin(movement, frame, bone, err);
	}
	push(movement->springs, bone, frame, tip);
	memcpy(bone->tip, tip, sizeof tip);
	remember(frame, bone);
	return pay(movement, bone, err);
}

/* Puts the tip where the bone comes to rest if it touches nothing. */
static void find_rest(const struct movement *movement, const struct frame *frame,
	const double force[static 3], struct spring_bone *bone) {
	const struct avatar_spring_joint *of = bone->of;
	const double pull = of->stiffness + fabs(of->gravity_power) * vec3_length(of->gravity);
	double direction[3], own[12];
	memcpy(direction, force, sizeof direction);
	if (!(pull > 0)) {
		place(movement->springs, movement->pose, of->joint,
			movement->pose->local[of->joint].rotation, own);
		mat_map_direction(own, of->tail, direction);
	}
	if (!(vec3_length(direction) > 1e-12 * pull) || !vec3_normalize(direction)) {
		memcpy(direction, frame->direction, sizeof direction); // the forces cancel
	}
	for (int i = 0; i < 3; i++) {
		bone->tip[i] = frame->head[i] + frame->length * direction[i];
	}
}

static bool settle(const struct movement *movement, const struct frame *frame,
	struct spring_bone *bone, struct error *err) {
	double force[3], moved = INFINITY;
	find_force(bone, frame, force);
	find_rest(movement, frame, force, bone);
	for (int i = 0; i < SETTLE_STEPS && moved > SETTLED * frame->length; i++) {
		double tip[3], way[3];
		for (int k = 0; k < 3; k++) {
			tip[k] = bone->tip[k] + (i > 0 ? movement->step_s * force[k] : 0);
		}
		set_distance(frame->head, frame->length, tip);
		const bool free = !push(movement->springs, bone, frame, tip) && i == 0;
		vec3_sub(tip, bone->tip, way);
		moved = i > 0 || free ? vec3_length(way) : INFINITY;
		memcpy(bone->tip, tip, sizeof tip);
		if (!pay(movement, bone, err)) {
			return false;
		}
	}
	return true;
}

static void place_colliders(struct springs *springs) {
	const struct avatar *avatar = springs->rig->avatar;
	for (int i = 0; i < avatar->collider_count; i++) {
		const struct avatar_collider *collider = &avatar->colliders[i];
		springs->placed[i] = collider_place(collider, springs->world[collider->joint]);
	}
}

/* Moves all bones, each with what hangs on it. */
static bool move(const struct movement *movement, bone_move *way, struct error *err) {
	struct springs *springs = movement->springs;
	for (int i = 0; i < springs->event_count; i++) {
		const struct spring_event *event = &springs->events[i];
		struct spring_bone *bone = event->bone >= 0 ? &springs->bones[event->bone] : NULL;
		const float *rotation = movement->pose->local[event->joint].rotation;
		struct frame frame;
		if (bone) {
			bone->turned = false;
			if (find_frame(springs, movement->pose, bone, &frame)) {
				if (!way(movement, &frame, bone, err)) {
					return false;
				}
				turn(springs, &frame, bone);
			}
			rotation = bone->turned ? bone->rotation : rotation;
		}
		place(springs, movement->pose, event->joint, rotation,
			springs->world[event->joint]);
	}
	return true;
}

static bool move_under(const struct movement *movement, bone_move *way, struct error *err) {
	pose_to_world(movement->springs->rig, movement->pose, movement->springs->world);
	place_colliders(movement->springs);
	return move(movement, way, err);
}

bool springs_begin(struct springs *springs, const struct pose *pose,
	const struct springs_payer *payer, struct error *err) {
	return move_under(&(struct movement){springs, pose, 0, payer}, begin, err);
}

bool springs_step(struct springs *springs, const struct pose *pose, double step_s,
	const struct springs_payer *payer, struct error *err) {
	return move_under(&(struct movement){springs, pose, step_s, payer}, step, err);
}

bool springs_settle(struct springs *springs, const struct pose *pose, double step_s,
	const struct springs_payer *payer, struct error *err) {
	const struct movement movement = {springs, pose, step_s, payer};
	bool ok = move_under(&movement, settle, err);
	for (int i = 1; i < CIRCLE_ROUNDS && ok && springs->circular; i++) {
		ok = move(&movement, settle, err);
	}
	return ok;
}

void springs_write(const struct springs *springs, struct pose *pose) {
	for (int i = 0; i < springs->bone_count; i++) {
		const struct spring_bone *bone = &springs->bones[i];
		if (bone->turned) {
			memcpy(pose->local[bone->of->joint].rotation, bone->rotation,
				sizeof bone->rotation);
			pose->driven[bone->of->joint] |= 1 << CHANNEL_ROTATION;
		}
	}
}

static int count_bones(const struct avatar *avatar) {
	int count = 0;
	for (int i = 0; i < avatar->spring_count; i++) {
		count += avatar->springs[i].joint_count;
	}
	return count;
}

/* Fills bones; bone_of is set at their joints. */
static void gather_bones(struct springs *springs, int *bone_of) {
	const struct avatar *avatar = springs->rig->avatar;
	for (int i = 0; i < avatar->spring_count; i++) {
		const struct avatar_spring *spring = &avatar->springs[i];
		for (int k = 0; k < spring->joint_count; k++) {
			bone_of[spring->joints[k].joint] = springs->bone_count;
			springs->bones[springs->bone_count++] =
				(struct spring_bone){.of = &spring->joints[k], .spring = spring};
		}
	}
}

struct springs *springs_make(const struct rig *rig, struct arena *arena) {
	const size_t joints = (size_t)rig->joint_count;
	struct springs *springs = arena_alloc(arena, 1, sizeof *springs);
	springs->rig = rig;
	springs->bones =
		arena_alloc(arena, (size_t)count_bones(rig->avatar) + 1, sizeof *springs->bones);
	springs->moves = arena_alloc(arena, joints + 1, sizeof *springs->moves);
	springs->placed = arena_alloc(
		arena, (size_t)rig->avatar->collider_count + 1, sizeof *springs->placed);
	springs->world = arena_alloc(arena, joints + 1, sizeof *springs->world);
	int *bone_of = arena_alloc(arena, joints + 1, sizeof *bone_of);
	memset(bone_of, -1, joints * sizeof *bone_of);
	gather_bones(springs, bone_of);
	for (int i = 0; i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		springs->moves[i] = bone_of[i] >= 0 || (parent >= 0 && springs->moves[parent]);
	}
	springs_order(springs, bone_of, arena);
	return springs;
}
