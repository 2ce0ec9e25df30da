// Errors of motion at a shell about the joints.
#include "compress/error_shell.h"

#include <math.h>

#include "base/mat.h"
#include "base/vec.h"
#include "pose/pose.h"

#define RADIUS_M 0.03
#define FIGURE_M 1.8
#define SCALE_MIN 1e-6 // of a joint at rest, below which its shell is as if it had none

static double column_length(const double m[static 12], int column) {
	const double vector[3] = {m[column], m[4 + column], m[8 + column]};
	return vec3_length(vector);
}

static double rest_height(const struct rig *rig) {
	if (rig->vertex_count > 0 && rig->bounds.max[1] > rig->bounds.min[1]) {
		double size = 0;
		for (int i = 0; i < 3; i++) {
			size = fmax(size, rig->bounds.max[i] - rig->bounds.min[i]);
		}
		return size;
	}
	double min = INFINITY, max = -INFINITY;
	for (int i = 0; i < rig->joint_count; i++) {
		double world[12];
		pose_joint_world(rig, NULL, i, world);
		min = fmin(min, world[7]);
		max = fmax(max, world[7]);
	}
	return max - min;
}

double error_shell_scale(const struct rig *rig) {
	const double height = rest_height(rig);
	return height > 0 && (height < 1 || height > 2.6) ? height / FIGURE_M : 1;
}

double error_shell_default_radius(const struct rig *rig) {
	return RADIUS_M * error_shell_scale(rig);
}

void error_shell_points(double distance, double (*points)[3]) {
	for (int k = 0; k < SHELL_POINTS; k++) {
		for (int axis = 0; axis < 3; axis++) {
			points[k][axis] = k == axis + 1 ? distance : 0;
		}
	}
}

struct error_shell error_shell_make(const struct rig *rig, double radius_m, struct arena *arena) {
	const size_t count = (size_t)rig->joint_count;
	double *distance = arena_alloc(arena, count, sizeof *distance);
	double(*points)[3] = arena_alloc(arena, SHELL_POINTS * count, sizeof *points);
	int *parents = arena_alloc(arena, count, sizeof *parents);
	int *first_point = arena_alloc(arena, count + 1, sizeof *first_point);
	for (int i = 0; i < rig->joint_count; i++) {
		double world[12], scale = 0;
		pose_joint_world(rig, NULL, i, world);
		for (int k = 0; k < 3; k++) {
			scale = fmax(scale, column_length(world, k));
		}
		distance[i] = scale > SCALE_MIN ? radius_m / scale : radius_m;
		parents[i] = rig->joints[i].parent;
		first_point[i + 1] = first_point[i] + SHELL_POINTS;
		error_shell_points(distance[i], points + first_point[i]);
	}
	return (struct error_shell){.joint_count = rig->joint_count,
		.parents = parents,
		.distance = distance,
		.radius_m = radius_m,
		.first_point = first_point,
		.points = (const double(*)[3])points,
		.reach = distance};
}

double error_shell_square(
	double distance, const double is[static 12], const double should[static 12]) {
	double off[12], origin = 0, greatest;
	for (int i = 0; i < 12; i++) {
		off[i] = is[i] - should[i];
	}
	for (int row = 0; row < 3; row++) {
		origin += off[4 * row + 3] * off[4 * row + 3];
	}
	greatest = origin;
	for (int axis = 0; axis < 3; axis++) {
		double square = 0;
		for (int row = 0; row < 3; row++) {
			const double along = off[4 * row + 3] + distance * off[4 * row + axis];
			square += along * along;
		}
		greatest = square > greatest ? square : greatest;
	}
	return greatest;
}

/* T R S as rows; the rotation is unit. */
static void local_matrix(const struct source_transform *local, double out[static 12]) {
	const double *q = local->rotation, *s = local->scale;
	const double x = q[0], y = q[1], z = q[2], w = q[3];
	const double rows[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
		2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
		2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)};
	for (int row = 0; row < 3; row++) {
		for (int column = 0; column < 3; column++) {
			out[4 * row + column] = rows[3 * row + column] * s[column];
		}
		out[4 * row + 3] = local->translation[row];
	}
}

void error_shell_world(const struct error_shell *shell, const struct source_transform *local,
	double (*world)[12]) {
	for (int i = 0; i < shell->joint_count; i++) {
		double matrix[12];
		local_matrix(&local[i], matrix);
		if (shell->parents[i] < 0) {
			for (int k = 0; k < 12; k++) {
				world[i][k] = matrix[k];
			}
		} else {
			mat_multiply(world[shell->parents[i]], matrix, world[i]);
		}
	}
}
