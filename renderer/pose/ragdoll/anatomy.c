// The rotation limits of a rag doll's joints where the request sets none.
#include "pose/ragdoll/anatomy.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/mat.h"
#include "base/quat.h"
#include "base/vec.h"
#include "pose/pose.h"

#define DEGREE (3.14159265358979323846 / 180)

/* Cosine that the trunk and the legs of somebody upright make at most: they are 45 degrees from
 * opposite. */
#define UPRIGHT -0.7

/* The limits of the joints of one role. Degrees, rounded from the ranges of motion that
 * physiotherapists measure; for ellipses around the middle of both ends. */
struct anatomy {
	enum humanoid_role role; // the left side's where there are two
	bool hinge;              // the ranges are 0 to flex, towards bends
	double bends;            // 1 = hinges bend forwards, -1 = backwards
	double middle[3];        // outwards, up, forwards; 0 = where the bone points at rest
	double flex, side;       // half axes: forwards and backwards, to the sides
	double twist;            // to either side
};

/* The trunk has its range shared among three joints. Arms go from behind the back to across the
 * chest, from hanging to straight up; legs from 20 degrees behind to 100 in front. A hand's twist
 * is the forearm's, which lies beyond the elbow's hinge. */
static const struct anatomy anatomies[] = {
	{HUMANOID_SPINE, false, 0, {0, 0, 0}, 25, 15, 15},
	{HUMANOID_CHEST, false, 0, {0, 0, 0}, 20, 15, 15},
	{HUMANOID_NECK, false, 0, {0, 0, 0}, 25, 20, 30},
	{HUMANOID_HEAD, false, 0, {0, 0, 0}, 25, 20, 30},
	{HUMANOID_LEFT_SHOULDER, false, 0, {0, 0, 0}, 12, 12, 5},
	{HUMANOID_LEFT_UPPER_ARM, false, 0, {0.75, -0.15, 0.6}, 85, 90, 60},
	{HUMANOID_LEFT_LOWER_ARM, true, 1, {0, 0, 0}, 145, 0, 0},
	{HUMANOID_LEFT_HAND, false, 0, {0, 0, 0}, 65, 25, 70},
	{HUMANOID_LEFT_UPPER_LEG, false, 0, {0.1, -0.77, 0.64}, 60, 35, 30},
	{HUMANOID_LEFT_LOWER_LEG, true, -1, {0, 0, 0}, 145, 0, 0},
	{HUMANOID_LEFT_FOOT, false, 0, {0, 0, 0}, 40, 20, 15},
};

/* Of a joint that nothing is known of. */
static const struct anatomy unknown = {HUMANOID_ROLE_COUNT, false, 0, {0, 0, 0}, 40, 40, 25};

static int role_of(const struct humanoid *humanoid, int joint) {
	for (int i = 0; i < HUMANOID_ROLE_COUNT; i++) {
		if (humanoid->joints[i] == joint) {
			return i;
		}
	}
	return HUMANOID_ROLE_COUNT;
}

static bool is_right(int role) {
	return role >= HUMANOID_RIGHT_SHOULDER && role < HUMANOID_ROLE_COUNT;
}

static const struct anatomy *find(int role) {
	const int left = is_right(role) ? role - HUMANOID_SIDE_ROLES : role;
	for (size_t i = 0; i < sizeof anatomies / sizeof *anatomies; i++) {
		if ((int)anatomies[i].role == left) {
			return &anatomies[i];
		}
	}
	return &unknown;
}

void anatomy_choose(
	const struct rig *rig, const struct humanoid *humanoid, bool *must, bool *never) {
	for (int i = 0; humanoid_is_whole(humanoid) && i < HUMANOID_ROLE_COUNT; i++) {
		const int joint = humanoid->joints[i];
		if (joint < 0) {
			continue;
		}
		must[joint] = i == HUMANOID_HIPS || find(i) != &unknown;
		never[joint] = !must[joint];
	}
	// Toes and fingers in all their parts.
	for (int i = 0; i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		never[i] = never[i] || (parent >= 0 && never[parent]);
	}
}

/* The direction of the feet: from the ankles to the mesh of the feet. */
static void feet(const struct humanoid *humanoid, const struct ragdoll_points *points,
	const struct ragdoll_fit *fit, double out[static 3]) {
	memset(out, 0, 3 * sizeof *out);
	for (int i = 0; i < fit->count; i++) {
		const struct ragdoll_body *body = &fit->bodies[i];
		if (body->joint == humanoid->joints[HUMANOID_LEFT_FOOT] ||
			body->joint == humanoid->joints[HUMANOID_RIGHT_FOOT]) {
			double way[3];
			mat_map_direction(points->world[body->joint], body->bone, way);
			for (int k = 0; k < 3; k++) {
				out[k] += way[k];
			}
		}
	}
}

/* The world as the human sees it: to the side that names call left, up and forwards, unit and at
 * right angles. Which of the two ways forwards is, the feet tell: the rig may be a mirror image.
 * False where legs do not go on from the trunk as those of somebody upright: animals have knees,
 * too, but others. */
static bool find_sides(const struct humanoid *humanoid, const struct ragdoll_points *points,
	const struct ragdoll_fit *fit, double left[static 3], double up[static 3],
	double forward[static 3]) {
	double hips[3], ends[2][3][3], down[3], toes[3];
	static const enum humanoid_role roles[3] = {
		HUMANOID_LEFT_UPPER_LEG, HUMANOID_LEFT_UPPER_ARM, HUMANOID_LEFT_FOOT};
	if (!humanoid_is_whole(humanoid)) {
		return false;
	}
	ragdoll_points_joint(points, humanoid->joints[HUMANOID_HIPS], hips);
	for (int i = 0; i < 6; i++) {
		const int side = i / 3 * HUMANOID_SIDE_ROLES;
		ragdoll_points_joint(
			points, humanoid->joints[roles[i % 3] + side], ends[i / 3][i % 3]);
	}
	for (int i = 0; i < 3; i++) {
		left[i] = ends[0][0][i] - ends[1][0][i];
		up[i] = 0.5 * (ends[0][1][i] + ends[1][1][i]) - hips[i];
		down[i] = 0.5 * (ends[0][2][i] + ends[1][2][i]) - hips[i];
	}
	if (!vec3_normalize(up) || !vec3_normalize(down) || vec3_dot(up, down) > UPRIGHT) {
		return false;
	}
	const double lean = vec3_dot(left, up);
	for (int i = 0; i < 3; i++) {
		left[i] -= lean * up[i];
	}
	vec3_cross(left, up, forward);
	feet(humanoid, points, fit, toes);
	vec3_scale(forward, vec3_dot(forward, toes) < 0 ? -1 : 1, forward);
	return vec3_normalize(left) && vec3_normalize(forward);
}

static void world_rotation(
	const struct ragdoll_points *points, int joint, double rotation[static 4]) {
	double stretch[9];
	memcpy(rotation, (const double[4]){0, 0, 0, 1}, 4 * sizeof *rotation);
	if (joint >= 0) {
		mat_polar(points->world[joint], rotation, stretch);
	}
}

/* A unit vector across a direction, in the plane of the direction and one of two others: the first,
 * but where the direction is much the same. */
static void across(const double direction[static 3], const double first[static 3],
	const double second[static 3], double out[static 3]) {
	vec3_cross(direction, first, out);
	if (vec3_length(out) < 0.3) {
		vec3_cross(direction, second, out);
	}
	if (!vec3_normalize(out)) {
		memcpy(out, (const double[3]){1, 0, 0}, 3 * sizeof *out);
	}
}

/* One body's joint at rest. */
struct joint_rest {
	double local[4], world[4], parent[4]; // rotations
	double bone[3];                       // unit, in the world
};

static void rest_of(const struct rig *rig, const struct ragdoll_points *points,
	const struct ragdoll_body *body, struct joint_rest *rest) {
	const struct joint *joint = &rig->joints[body->joint];
	for (int i = 0; i < 4; i++) {
		rest->local[i] = joint->rest.rotation[i];
	}
	quat_normalize(rest->local);
	world_rotation(points, joint->parent, rest->parent);
	quat_multiply(rest->parent, rest->local, rest->world);
	mat_map_direction(points->world[body->joint], body->bone, rest->bone);
	vec3_normalize(rest->bone);
}

static void to_own_frame(
	const struct joint_rest *rest, const double in_world[static 3], double out[static 3]) {
	double inverse[4];
	quat_conjugate(rest->world, inverse);
	quat_rotate(inverse, in_world, out);
}

/* The angle that a hinge has at rest already: from the bone above to this one. */
static double bent(const struct ragdoll_points *points, const struct ragdoll_fit *fit,
	const struct ragdoll_body *body, const double axis[static 3], const double bone[static 3]) {
	double at[3], above[3], side[3];
	ragdoll_points_joint(points, body->joint, at);
	ragdoll_points_joint(points, fit->bodies[body->parent].joint, above);
	vec3_sub(at, above, above);
	vec3_cross(above, bone, side);
	return angle_direction(vec3_dot(side, axis), vec3_dot(above, bone));
}

static void set_hinge(const struct ragdoll_points *points, const struct ragdoll_fit *fit,
	const struct ragdoll_body *body, const struct anatomy *anatomy,
	const struct joint_rest *rest, const double towards[static 3],
	const double otherwise[static 3], struct joint_limit *limit) {
	double axis[3];
	across(rest->bone, towards, otherwise, axis);
	const double angle = bent(points, fit, body, axis, rest->bone);
	limit->kind = LIMIT_HINGE;
	to_own_frame(rest, axis, limit->axis);
	limit->twist[0] = fmin(-angle, 0);
	limit->twist[1] = fmax(anatomy->flex * DEGREE - angle, 0);
}

/* The frame that the ellipse and the twist are measured in is the joint's when its bone points to
 * the middle. */
static void set_cone(const struct anatomy *anatomy, const struct joint_rest *rest,
	const double middle[static 3], const double flex_axis[static 3],
	struct joint_limit *limit) {
	double swing[4], inverse[4], turned[3];
	quat_between(rest->bone, middle, swing);
	quat_multiply(swing, rest->parent, limit->rest);
	quat_multiply(limit->rest, rest->local, limit->rest);
	quat_conjugate(rest->parent, inverse);
	quat_multiply(inverse, limit->rest, limit->rest);
	quat_normalize(limit->rest);
	limit->kind = LIMIT_SWING_TWIST;
	limit->swings = limit->twists = true;
	quat_conjugate(swing, inverse);
	quat_rotate(inverse, flex_axis, turned);
	to_own_frame(rest, rest->bone, limit->axis);
	to_own_frame(rest, turned, limit->side);
	limit->swing[0] = anatomy->flex * DEGREE;
	limit->swing[1] = anatomy->side * DEGREE;
	limit->twist[0] = -anatomy->twist * DEGREE;
	limit->twist[1] = anatomy->twist * DEGREE;
}

void anatomy_limit(const struct rig *rig, const struct humanoid *humanoid,
	const struct ragdoll_points *points, const struct ragdoll_fit *fit, int body_index,
	struct joint_limit *limit) {
	const struct ragdoll_body *body = &fit->bodies[body_index];
	double left[3] = {1, 0, 0}, up[3] = {0, 1, 0}, forward[3] = {0, 0, 1};
	const struct anatomy *anatomy = &unknown;
	const int role = role_of(humanoid, body->joint);
	if (find_sides(humanoid, points, fit, left, up, forward)) {
		anatomy = find(role);
	}
	struct joint_rest rest;
	rest_of(rig, points, body, &rest);
	*limit = (struct joint_limit){0};
	memcpy(limit->rest, rest.local, sizeof limit->rest);
	if (anatomy->hinge) {
		double towards[3];
		vec3_scale(forward, anatomy->bends, towards);
		set_hinge(points, fit, body, anatomy, &rest, towards, up, limit);
		return;
	}
	double middle[3], axis[3];
	const double outwards = is_right(role) ? -anatomy->middle[0] : anatomy->middle[0];
	for (int i = 0; i < 3; i++) {
		middle[i] = outwards * left[i] + anatomy->middle[1] * up[i] +
			anatomy->middle[2] * forward[i];
	}
	if (!vec3_normalize(middle)) {
		memcpy(middle, rest.bone, sizeof middle);
	}
	across(middle, forward, up, axis);
	set_cone(anatomy, &rest, middle, axis, limit);
}

/* Points that are looked at: enough for a hundred to each of a humanoid's joints, of its fingers,
 * too. */
#define POINTS_MAX 20000

static bool has_skin(const struct rig *rig) {
	for (int i = 0; i < rig->primitive_count; i++) {
		if (rig->primitives[i].skinned) {
			return true;
		}
	}
	return false;
}

/* Every step-th vertex of a primitive, where its joint takes it at rest. */
static void gather_primitive(const struct rig *rig, const struct primitive *primitive, int step,
	struct ragdoll_points *points) {
	for (int i = 0; i < primitive->vertex_count; i += step) {
		const size_t influence =
			primitive->first_influence + (size_t)i * (size_t)primitive->influence_count;
		const struct palette_slot *slot =
			&rig->slots[primitive->first_slot + rig->influence_slots[influence]];
		const float *from = rig->positions + 3 * (size_t)(primitive->first_vertex + i);
		double at[3] = {from[0], from[1], from[2]};
		mat_map_point(slot->inverse_bind, at, at);
		mat_map_point(points->world[slot->joint], at, points->at[points->count]);
		points->joints[points->count++] = slot->joint;
	}
}

static double diagonal(const struct ragdoll_points *points) {
	double least[3] = {INFINITY, INFINITY, INFINITY};
	double most[3] = {-INFINITY, -INFINITY, -INFINITY}, span[3];
	for (int i = 0; i < points->count; i++) {
		for (int k = 0; k < 3; k++) {
			least[k] = fmin(least[k], points->at[i][k]);
			most[k] = fmax(most[k], points->at[i][k]);
		}
	}
	vec3_sub(most, least, span);
	return vec3_length(span);
}

bool ragdoll_points_gather(const struct rig *rig, struct arena *arena,
	struct ragdoll_points *points, struct error *err) {
	const size_t joint_count = (size_t)rig->joint_count;
	const struct pose rest = pose_rest(rig, arena);
	points->world = arena_alloc(arena, joint_count, sizeof *points->world);
	pose_to_world(rig, &rest, points->world);
	const bool skinned = has_skin(rig);
	const int step = 1 + rig->vertex_count / POINTS_MAX;
	const size_t room = (size_t)(rig->vertex_count / step + rig->primitive_count + 1);
	points->at = arena_alloc(arena, room, sizeof *points->at);
	points->joints = arena_alloc(arena, room, sizeof *points->joints);
	points->count = 0;
	for (int i = 0; i < rig->primitive_count; i++) {
		if (rig->primitives[i].skinned == skinned) {
			gather_primitive(rig, &rig->primitives[i], step, points);
		}
	}
	points->size = points->count > 0 ? diagonal(points) : 0;
	if (!(points->size > 1e-30 && points->size < 1e30)) {
		return error_set(err, ERROR_MISSING_DATA,
			"a rag doll is fitted to the mesh, and this rig's has no extent");
	}
	return true;
}

void ragdoll_points_joint(const struct ragdoll_points *points, int joint, double out[static 3]) {
	for (int i = 0; i < 3; i++) {
		out[i] = points->world[joint][4 * i + 3];
	}
}
