// Joint limits.
#include "pose/ik/limits.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/quat.h"
#include "base/vec.h"
#include "pose/find.h"
#include "pose/read.h"

/* The tolerance of a rotation beyond its limit: above the rounding to float32. */
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

#define DEGREE (3.14159265358979323846 / 180)

static bool to_offset(const struct transform *rest, double out[static 3]) {
	for (int k = 0; k < 3; k++) {
		out[k] = rest->translation[k];
	}
	return vec3_normalize(out);
}

/* The direction of the bone in the joint's own frame at rest: to its first child that is elsewhere,
 * or else on from its parent. */
static void bone_direction(const struct rig *rig, int joint, double out[static 3]) {
	const struct transform *rest = &rig->joints[joint].rest;
	for (int i = joint + 1; i < rig->joint_count; i++) {
		if (rig->joints[i].parent == joint && to_offset(&rig->joints[i].rest, out)) {
			for (int k = 0; k < 3; k++) {
				out[k] *= rest->scale[k];
			}
			if (vec3_normalize(out)) {
				return;
			}
		}
	}
	if (to_offset(rest, out)) {
		double inverse[4] = {-rest->rotation[0], -rest->rotation[1], -rest->rotation[2],
			rest->rotation[3]};
		quat_normalize(inverse);
		quat_rotate(inverse, out, out);
		return;
	}
	memcpy(out, (const double[3]){0, 1, 0}, 3 * sizeof *out);
}

/* Makes the side square to the axis; where none is given, of the joint's own axes the one that is
 * least along it. */
static bool settle_side(
	const struct value *source, const double axis[static 3], double side[static 3]) {
	if (!source) {
		int least = 0;
		for (int i = 1; i < 3; i++) {
			least = fabs(axis[i]) < fabs(axis[least]) - 1e-6 ? i : least;
		}
		memset(side, 0, 3 * sizeof *side);
		side[least] = 1;
	}
	const double along = vec3_dot(side, axis);
	for (int i = 0; i < 3; i++) {
		side[i] -= along * axis[i];
	}
	return vec3_length(side) > 1e-6 && vec3_normalize(side);
}

static bool read_range(const struct value *source, double least, double most,
	double range[static 2], struct error *err) {
	if (!(least >= -360 && most <= 360 && least <= most && most - least <= 360)) {
		return value_error(source, err, ERROR_INVALID_VALUE,
			"the angles go from %.15g to %.15g degrees, must go up, within [-360, 360] "
			"and by no more than 360",
			least, most);
	}
	range[0] = least * DEGREE;
	range[1] = most * DEGREE;
	return true;
}

struct hinge {
	double axis[3], least, most;
	const struct value *source; // of the axis
};

static const struct member hinge_rows[] = {
	{"axis", MEMBER_VECTOR, .offset = offsetof(struct hinge, axis), .count = 3,
		.source_offset = offsetof(struct hinge, source)},
	{"min", MEMBER_NUMBER, .offset = offsetof(struct hinge, least), .required = true,
		.least = -360, .most = 360},
	{"max", MEMBER_NUMBER, .offset = offsetof(struct hinge, most), .required = true,
		.least = -360, .most = 360},
};

static const struct member_table hinge_members = MEMBER_TABLE(NULL, hinge_rows);

static bool read_hinge(const struct value *value, struct joint_limit *limit, struct error *err) {
	struct hinge hinge = {0};
	memcpy(hinge.axis, limit->axis, sizeof hinge.axis);
	if (!value_read_table(value, &hinge_members, &hinge, err) ||
		!read_direction(hinge.source, hinge.axis, err)) {
		return false;
	}
	limit->kind = LIMIT_HINGE;
	memcpy(limit->axis, hinge.axis, sizeof limit->axis);
	return read_range(value, hinge.least, hinge.most, limit->twist, err);
}

struct euler {
	int order;
	double least[3], most[3];
};

static const char *const orders[] = {"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", NULL};

static const struct member euler_rows[] = {
	{"order", MEMBER_CHOICE, .offset = offsetof(struct euler, order), .choices = orders},
	{"min", MEMBER_VECTOR, .offset = offsetof(struct euler, least), .required = true,
		.count = 3},
	{"max", MEMBER_VECTOR, .offset = offsetof(struct euler, most), .required = true,
		.count = 3},
};

static const struct member_table euler_members = MEMBER_TABLE(NULL, euler_rows);

static bool read_euler(const struct value *value, struct joint_limit *limit, struct error *err) {
	struct euler euler = {0};
	limit->kind = LIMIT_EULER;
	if (!value_read_table(value, &euler_members, &euler, err)) {
		return false;
	}
	for (int i = 0; i < 3; i++) {
		double range[2] = {0};
		limit->order[i] = orders[euler.order][i] - 'X';
		if (!read_range(value, euler.least[i], euler.most[i], range, err)) {
			return false;
		}
		limit->least[i] = range[0];
		limit->most[i] = range[1];
	}
	return (euler.least[1] >= -89 && euler.most[1] <= 89) ||
		value_error(value, err, ERROR_INVALID_VALUE,
			"the second angle goes from %.15g to %.15g degrees, must stay within "
			"[-89, 89]: at 90 the other two turn about one axis",
			euler.least[1], euler.most[1]);
}

static bool read_swing(const struct value *source, const double degrees[static 2],
	struct joint_limit *limit, struct error *err) {
	for (int i = 0; i < 2; i++) {
		if (!(degrees[i] >= 0 && degrees[i] <= 180)) {
			return value_error(source, err, ERROR_INVALID_VALUE,
				"\"%s\" is %.15g degrees, must be from 0 to 180", source->key,
				degrees[i]);
		}
		limit->swing[i] = degrees[i] * DEGREE;
	}
	limit->swings = true;
	return true;
}

/* One joint's object. */
struct reading {
	const struct value *hinge, *euler;
	const struct value *cone_source, *swing_source, *twist_source, *axis_source, *side_source;
	double cone, swing[2], twist[2], axis[3], side[3];
};

#define AT(field) offsetof(struct reading, field)

static const struct member limit_rows[] = {
	{"cone", MEMBER_NUMBER, .offset = AT(cone), .most = 180, .source_offset = AT(cone_source)},
	{"swing", MEMBER_VECTOR, .offset = AT(swing), .count = 2,
		.source_offset = AT(swing_source)},
	{"twist", MEMBER_VECTOR, .offset = AT(twist), .count = 2,
		.source_offset = AT(twist_source)},
	{"axis", MEMBER_VECTOR, .offset = AT(axis), .count = 3, .source_offset = AT(axis_source)},
	{"side", MEMBER_VECTOR, .offset = AT(side), .count = 3, .source_offset = AT(side_source)},
	{"hinge", MEMBER_ANY, .offset = AT(hinge), .members = &hinge_members},
	{"euler", MEMBER_ANY, .offset = AT(euler), .members = &euler_members},
};

const struct member_table limit_members = MEMBER_TABLE(NULL, limit_rows);

static bool read_swing_twist(const struct value *value, const struct reading *reading,
	struct joint_limit *limit, struct error *err) {
	const double round[2] = {reading->cone, reading->cone};
	limit->kind = LIMIT_SWING_TWIST;
	limit->twists = reading->twist_source != NULL;
	if (reading->axis_source) {
		memcpy(limit->axis, reading->axis, sizeof limit->axis);
	}
	memcpy(limit->side, reading->side, sizeof limit->side);
	if (!read_direction(reading->axis_source, limit->axis, err) ||
		!read_direction(reading->side_source, limit->side, err)) {
		return false;
	}
	if (!settle_side(reading->side_source, limit->axis, limit->side)) {
		return value_error(reading->side_source, err, ERROR_INVALID_VALUE,
			"\"side\" must not be along the axis of the twist");
	}
	if (reading->cone_source && reading->swing_source) {
		return value_error(reading->cone_source, err, ERROR_INVALID_VALUE,
			"\"cone\" and \"swing\" say the same thing; give one of them");
	}
	if (!reading->cone_source && !reading->swing_source && !reading->twist_source) {
		return value_error(value, err, ERROR_INVALID_VALUE,
			"nothing is limited; give \"cone\" or \"swing\", \"twist\", \"hinge\" or "
			"\"euler\"");
	}
	return (!reading->cone_source || read_swing(reading->cone_source, round, limit, err)) &&
		(!reading->swing_source ||
			read_swing(reading->swing_source, reading->swing, limit, err)) &&
		(!reading->twist_source ||
			read_range(reading->twist_source, reading->twist[0], reading->twist[1],
				limit->twist, err));
}

static bool read_limit(const struct value *value, struct joint_limit *limit, struct error *err) {
	struct reading reading = {0};
	if (!value_read_table(value, &limit_members, &reading, err)) {
		return false;
	}
	const struct value *only = reading.hinge ? reading.hinge : reading.euler;
	if (only && value->count > 1) {
		return value_error(only, err, ERROR_INVALID_VALUE,
			"\"%s\" is all there is to say; give no other member beside it", only->key);
	}
	if (only) {
		return only == reading.hinge ? read_hinge(only, limit, err)
					     : read_euler(only, limit, err);
	}
	return read_swing_twist(value, &reading, limit, err);
}

static bool read_joint(const struct rig *rig, const struct value *member, struct limited_joint *out,
	struct error *err) {
	out->joint = pose_find_joint(rig, member, err);
	if (out->joint < 0) {
		return false;
	}
	for (int k = 0; k < 4; k++) {
		out->limit.rest[k] = rig->joints[out->joint].rest.rotation[k];
	}
	quat_normalize(out->limit.rest);
	bone_direction(rig, out->joint, out->limit.axis);
	return read_limit(member, &out->limit, err);
}

const struct joint_limits *limits_read(
	struct pose_run *run, const struct rig *rig, const struct value *value, struct error *err) {
	static const struct joint_limits none = {.read = true};
	if (!value) {
		return &none;
	}
	if (value->kind != VALUE_OBJECT) {
		value_error(value, err, ERROR_INVALID_VALUE,
			"\"limits\" is %s, must be an object whose members are joints",
			value_kind_name(value->kind));
		return NULL;
	}
	struct joint_limits *limits =
		pose_run_recall(run, value, sizeof *limits + value->count * sizeof *limits->items);
	for (; !limits->read && limits->count < value->count; limits->count++) {
		if (!read_joint(rig, &value->items[limits->count], &limits->items[limits->count],
			    err)) {
			return NULL;
		}
	}
	limits->read = true;
	return limits;
}

const struct joint_limit *limits_find(const struct joint_limits *limits, int joint) {
	for (size_t i = 0; i < limits->count; i++) {
		if (limits->items[i].joint == joint) {
			return &limits->items[i].limit;
		}
	}
	return NULL;
}
