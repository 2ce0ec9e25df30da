// Joints and those above them.
#include "skin/tree.h"

#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "base/vec.h"

/* Below this a quaternion's part along the axis and its real part tell no angle. */
#define TWIST_LEAST 1e-6

static void find_above(
	const struct rig *rig, const struct primitive *primitive, int *slots, int *above) {
	memset(slots, 0xff, (size_t)rig->joint_count * sizeof *slots); // -1 = the joint has none
	const int first = primitive->first_slot;
	for (int i = first + primitive->slot_count - 1; i >= first; i--) {
		slots[rig->slots[i].joint] = i;
	}
	for (int i = first; i < first + primitive->slot_count; i++) {
		int joint = rig->joints[rig->slots[i].joint].parent;
		while (joint >= 0 && slots[joint] < 0) {
			joint = rig->joints[joint].parent;
		}
		above[i] = joint < 0 ? -1 : slots[joint];
	}
}

void tree_slots_above(const struct rig *rig, struct arena *arena, int *above) {
	int *slots = arena_alloc(arena, (size_t)rig->joint_count, sizeof *slots);
	memset(above, 0xff, (size_t)rig->slot_count * sizeof *above);
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		// Primitives of one skin have the same slots.
		if (i == 0 || primitive->first_slot != primitive[-1].first_slot) {
			find_above(rig, primitive, slots, above);
		}
	}
}

void tree_swing_twist(const double q[static 4], const double axis[static 3], double swing[static 4],
	double twist[static 4]) {
	double u[3] = {axis[0], axis[1], axis[2]}, back[4];
	const double along = vec3_normalize(u) ? vec3_dot(q, u) : 0;
	const double length = hypot(along, q[3]);
	const bool told = length >= TWIST_LEAST;
	for (int i = 0; i < 3; i++) {
		twist[i] = told ? u[i] * along / length : 0;
	}
	twist[3] = told ? q[3] / length : 1;
	quat_conjugate(twist, back);
	quat_multiply(q, back, swing);
}

void tree_rotation_matrix(const double q[static 4], double m[static 12]) {
	const double x = q[0], y = q[1], z = q[2], w = q[3];
	const double rows[12] = {
		1 - 2 * (y * y + z * z),
		2 * (x * y - z * w),
		2 * (x * z + y * w),
		0,
		2 * (x * y + z * w),
		1 - 2 * (x * x + z * z),
		2 * (y * z - x * w),
		0,
		2 * (x * z - y * w),
		2 * (y * z + x * w),
		1 - 2 * (x * x + y * y),
		0,
	};
	memcpy(m, rows, sizeof rows);
}
