// What a rig's joints carry.
#include "pose/ragdoll/points.h"

#include <math.h>

#include "base/mat.h"
#include "base/vec.h"
#include "pose/pose.h"

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
