// Points that go with a rig's joints.
#include "pose/motion/shell.h"

#include <math.h>

/* The joints that move vertices, or all of a rig without vertices. */
static void mark_moving(const struct rig *rig, bool *moves) {
	for (int i = 0; i < rig->slot_count; i++) {
		moves[rig->slots[i].joint] = true;
	}
	for (int i = 0; i < rig->joint_count && rig->slot_count == 0; i++) {
		moves[i] = true;
	}
}

struct shell shell_make(const struct rig *rig, struct arena *arena) {
	const size_t count = (size_t)rig->joint_count;
	struct shell shell = {
		.rig = rig,
		.joints = arena_alloc(arena, count, sizeof *shell.joints),
		.reach = arena_alloc(arena, count, sizeof *shell.reach),
		.pose = pose_rest(rig, arena),
		.world = arena_alloc(arena, count, sizeof *shell.world),
	};
	bool *moves = arena_alloc(arena, count, sizeof *moves);
	mark_moving(rig, moves);
	pose_to_world(rig, &shell.pose, shell.world);
	for (int i = 0; i < rig->joint_count; i++) {
		if (!moves[i]) {
			continue;
		}
		shell.joints[shell.joint_count] = i;
		for (int a = 0; a < 3; a++) {
			const double *m = shell.world[i] + a;
			const double length = sqrt(m[0] * m[0] + m[4] * m[4] + m[8] * m[8]);
			shell.reach[shell.joint_count][a] =
				length > 0 ? SHELL_DISTANCE / length : 0;
		}
		shell.joint_count++;
	}
	shell.point_count = 3 * (size_t)shell.joint_count;
	return shell;
}

void shell_find_points(struct shell *shell, const struct pose *pose, double (*out)[3]) {
	pose_to_world(shell->rig, pose, shell->world);
	for (int i = 0; i < shell->joint_count; i++) {
		const double *m = shell->world[shell->joints[i]];
		for (int a = 0; a < 3; a++, out++) {
			for (int k = 0; k < 3; k++) {
				(*out)[k] = m[4 * k + 3] + shell->reach[i][a] * m[4 * k + a];
			}
		}
	}
}

double shell_distance(const double (*a)[3], const double (*b)[3], size_t count) {
	double greatest = 0;
	for (size_t i = 0; i < count; i++) {
		double sum = 0;
		for (int k = 0; k < 3; k++) {
			sum += (a[i][k] - b[i][k]) * (a[i][k] - b[i][k]);
		}
		greatest = sum <= greatest ? greatest : sum;
	}
	return isfinite(greatest) ? sqrt(greatest) : INFINITY;
}
