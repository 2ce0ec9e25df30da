// Which vertices are a humanoid's head, or its bust.
#include "skinned/body_part.h"

#include "pose/humanoid/humanoid.h"
#include "pose/operations.h"
#include "view/camera.h"

/* What a part begins with, and what below it does not belong to it. */
static const struct part {
	const char *name;
	enum humanoid_role root, ends[2];
	size_t end_count;
} parts[] = {
	[PART_HEAD] = {"head", HUMANOID_HEAD, {0}, 0},
	[PART_BUST] = {"bust", HUMANOID_CHEST,
		{HUMANOID_LEFT_UPPER_ARM, HUMANOID_LEFT_UPPER_ARM + HUMANOID_SIDE_ROLES}, 2},
};

/* Whether each joint belongs to the part; false where no joint has its role. Parents come first. */
static bool find_joints(
	const struct rig *rig, const struct part *part, struct arena *arena, bool *inside) {
	struct humanoid humanoid;
	humanoid_find(rig, arena, &humanoid);
	const int root = humanoid.joints[part->root];
	for (int i = 0; i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		inside[i] = i == root || (parent >= 0 && inside[parent]);
		for (size_t k = 0; k < part->end_count; k++) {
			inside[i] = inside[i] && i != humanoid.joints[part->ends[k]];
		}
	}
	return root >= 0;
}

/* Lists the vertices whose greatest weight is a joint's inside. */
static size_t list_vertices(const struct rig *rig, const bool *inside, int *vertices) {
	size_t count = 0;
	for (int p = 0; p < rig->primitive_count; p++) {
		const struct primitive *primitive = &rig->primitives[p];
		for (int v = 0; v < primitive->vertex_count; v++) {
			const size_t first = primitive->first_influence +
				(size_t)v * (size_t)primitive->influence_count;
			const int slot = primitive->first_slot + rig->influence_slots[first];
			if (inside[rig->slots[slot].joint]) {
				vertices[count++] = primitive->first_vertex + v;
			}
		}
	}
	return count;
}

bool body_vertices_find(const struct rig *rig, enum body_part part, const struct value *place,
	struct arena *arena, struct body_vertices *out, struct error *err) {
	*out = (struct body_vertices){.part = part};
	if (part == PART_WHOLE) {
		return true;
	}
	const struct part *wanted = &parts[part];
	bool *inside = arena_alloc(arena, (size_t)rig->joint_count, sizeof *inside);
	int *vertices = arena_alloc(arena, (size_t)rig->vertex_count, sizeof *vertices);
	if (!find_joints(rig, wanted, arena, inside)) {
		return value_error(place, err, ERROR_INVALID_VALUE,
			"a picture of the %s needs a joint that is the %s of a humanoid, and the "
			"rig has none",
			wanted->name, humanoid_role_name(wanted->root));
	}
	out->vertices = vertices;
	out->count = list_vertices(rig, inside, vertices);
	return out->count > 0 ||
		value_error(place, err, ERROR_INVALID_VALUE,
			"a picture of the %s has nothing to show: no vertex follows its joints",
			wanted->name);
}

struct bounds body_vertices_bounds(
	const struct rig *rig, const struct body_vertices *body, const float *positions) {
	if (body->part == PART_WHOLE) {
		return bounds_of_points(positions, (size_t)rig->vertex_count);
	}
	struct bounds all = BOUNDS_NONE;
	for (size_t i = 0; i < body->count; i++) {
		const struct bounds one = bounds_of_points(positions + body->vertices[i] * 3, 1);
		bounds_add(&all, &one);
	}
	return all;
}
