// Joint limits.
#include "pose/ik/limits.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/quat.h"
#include "base/vec.h"

/* What a rotation may be outside by: float32 rounds what a limit has made by less. */
#define SLACK_RAD 2e-6

#define PI 3.14159265358979323846

/* An angle of any turn into a range, to the nearer end if it is outside. */
static bool clamp_angle(double least, double most, double *angle) {
	const double turns = floor((*angle - least) / (2 * PI));
	const double above = *angle - least - turns * 2 * PI; // [0, 2 pi)
	const double beyond = above - (most - least), below = 2 * PI - above;
	if (beyond <= SLACK_RAD || below <= SLACK_RAD) {
		return false;
	}
	*angle = beyond <= below ? most : least;
	return true;
}

static void turn_about(const double axis[static 3], double angle, double out[static 4]) {
	const double vector[3] = {axis[0] * angle, axis[1] * angle, axis[2] * angle};
	quat_from_vector(vector, out);
}

/* A swing's rotation vector towards zero until it meets the ellipse. Where the ellipse is a line,
 * across it nothing is left. */
static bool clamp_swing(const struct joint_limit *limit, double vector[static 3]) {
	double across[3], part[2], square = 0;
	vec3_cross(limit->axis, limit->side, across);
	part[0] = vec3_dot(vector, limit->side);
	part[1] = vec3_dot(vector, across);
	bool changed = false;
	for (int i = 0; i < 2; i++) {
		if (limit->swing[i] > SLACK_RAD) {
			square += part[i] / limit->swing[i] * (part[i] / limit->swing[i]);
		} else if (fabs(part[i]) > SLACK_RAD) {
			part[i] = 0;
			changed = true;
		}
	}
	const double share = square > 1 ? 1 / sqrt(square) : 1;
	changed = changed || vec3_length(vector) * (1 - share) > SLACK_RAD;
	for (int i = 0; i < 3 && changed; i++) {
		vector[i] = share * (part[0] * limit->side[i] + part[1] * across[i]);
	}
	return changed;
}

static bool apply_swing_twist(const struct joint_limit *limit, double turn[static 4]) {
	double swing[4], twist[4], vector[3];
	quat_swing_twist(turn, limit->axis, swing, twist);
	quat_to_vector(swing, vector);
	double angle = 2 * angle_direction(vec3_dot(twist, limit->axis), twist[3]);
	const bool swung = limit->swings && clamp_swing(limit, vector);
	const bool twisted = limit->twists && clamp_angle(limit->twist[0], limit->twist[1], &angle);
	if (swung || twisted) {
		quat_from_vector(vector, swing);
		turn_about(limit->axis, angle, twist);
		quat_multiply(swing, twist, turn);
	}
	return swung || twisted;
}

static bool apply_hinge(const struct joint_limit *limit, double turn[static 4]) {
	double swing[4], twist[4], vector[3];
	quat_swing_twist(turn, limit->axis, swing, twist);
	quat_to_vector(swing, vector);
	double angle = 2 * angle_direction(vec3_dot(twist, limit->axis), twist[3]);
	if (clamp_angle(limit->twist[0], limit->twist[1], &angle) ||
		vec3_length(vector) > SLACK_RAD) {
		turn_about(limit->axis, angle, turn);
		return true;
	}
	return false;
}

/* Angles of R = R_i(a) R_j(b) R_k(c), b within a right angle: METHODS C.3. */
void limit_to_euler(
	const int order[static 3], const double turn[static 4], double angles[static 3]) {
	const int i = order[0], j = order[1], k = order[2];
	const double sign = (j - i + 3) % 3 == 1 ? 1 : -1;
	double column[3][3]; // of the rotation's matrix
	for (int c = 0; c < 3; c++) {
		double unit[3] = {0};
		unit[c] = 1;
		quat_rotate(turn, unit, column[c]);
	}
	const double cosine = sqrt(column[k][j] * column[k][j] + column[k][k] * column[k][k]);
	angles[0] = angle_direction(-sign * column[k][j], column[k][k]);
	angles[1] = angle_direction(sign * column[k][i], cosine);
	angles[2] = angle_direction(-sign * column[j][i], column[i][i]);
}

static bool apply_euler(const struct joint_limit *limit, double turn[static 4]) {
	double angles[3];
	limit_to_euler(limit->order, turn, angles);
	bool changed = false;
	for (int i = 0; i < 3; i++) {
		changed = clamp_angle(limit->least[i], limit->most[i], &angles[i]) || changed;
	}
	if (changed) {
		memcpy(turn, (const double[4]){0, 0, 0, 1}, 4 * sizeof *turn);
		for (int i = 0; i < 3; i++) {
			double axis[3] = {0}, step[4];
			axis[limit->order[i]] = 1;
			turn_about(axis, angles[i], step);
			quat_multiply(turn, step, turn);
		}
	}
	return changed;
}

bool limit_apply(const struct joint_limit *limit, double rotation[static 4]) {
	double inverse[4], turn[4];
	quat_conjugate(limit->rest, inverse);
	quat_multiply(inverse, rotation, turn);
	bool changed = false;
	switch (limit->kind) {
	case LIMIT_NONE:
		break;
	case LIMIT_SWING_TWIST:
		changed = apply_swing_twist(limit, turn);
		break;
	case LIMIT_HINGE:
		changed = apply_hinge(limit, turn);
		break;
	case LIMIT_EULER:
		changed = apply_euler(limit, turn);
		break;
	}
	if (changed) {
		quat_multiply(limit->rest, turn, rotation);
		quat_normalize(rotation);
	}
	return changed;
}
