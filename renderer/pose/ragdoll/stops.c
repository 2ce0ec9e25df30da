// A joint's limits while bodies move.
#include "pose/ragdoll/stops.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/quat.h"
#include "base/vec.h"

#define PI 3.14159265358979323846

/* Radians to a limit that are looked at, beside those that the joint has the speed for: what
 * reaches it turns by no more in one step. */
#define NEAR 0.2

/* Of what is outside, the share that a step puts right; and the least that an ellipse is wide, and
 * a range that is taken for none. */
#define PUT_RIGHT 0.2
#define THINNEST 0.005
#define LOCKED 0.01

/* A number that a limit bounds: the swing's vector along a direction, the twist, or an angle. */
struct measure {
	enum { MEASURE_SWING, MEASURE_TWIST, MEASURE_EULER } of;
	double outward[3]; // MEASURE_SWING: unit
	int angle;         // MEASURE_EULER: which of the three
};

/* The turns of one joint, as they are found. */
struct list {
	struct physics_turn *turns;
	int count;
	const struct joint_motion *motion;
	double turn[4]; // the limit's rest^-1 * rotation
	double spin[3]; // in the limit's frame
};

static double twist_angle(const double twist[static 4], const double axis[static 3]) {
	return 2 * angle_direction(vec3_dot(twist, axis), twist[3]);
}

static double measure(
	const struct joint_limit *limit, const struct measure *what, const double turn[static 4]) {
	double swing[4], twist[4], vector[3], angles[3];
	if (what->of == MEASURE_EULER) {
		limit_to_euler(limit->order, turn, angles);
		return angles[what->angle];
	}
	quat_swing_twist(turn, limit->axis, swing, twist);
	if (what->of == MEASURE_TWIST) {
		return twist_angle(twist, limit->axis);
	}
	quat_to_vector(swing, vector);
	return vec3_dot(vector, what->outward);
}

/* The turn that an angle's spelling is nearest to the middle of a range by. */
static double nearest_turn(double angle, double middle) {
	return angle + 2 * PI * floor((middle - angle) / (2 * PI) + 0.5);
}

/* The change of a measure by a small rotation about each axis of the limit's frame, per radian. */
static void gradient(const struct joint_limit *limit, const struct measure *what,
	const double turn[static 4], double out[static 3]) {
	const double step = 1e-6, now = measure(limit, what, turn);
	for (int i = 0; i < 3; i++) {
		double vector[3] = {0}, moved[4];
		vector[i] = step;
		quat_from_vector(vector, moved);
		quat_multiply(moved, turn, moved);
		out[i] = nearest_turn(measure(limit, what, moved) - now, 0) / step;
	}
}

/* Says that what has this slope may grow by the gap at most, or exactly. */
static void add(struct list *list, const double slope[static 3], double gap, bool exact) {
	const double length = vec3_length(slope);
	double axis[3];
	vec3_scale(slope, 1 / length, axis);
	struct physics_turn *turn = &list->turns[list->count++];
	const double share = gap > 0 && !exact ? 1 : PUT_RIGHT;
	*turn = (struct physics_turn){
		.rate = share * gap / (length * list->motion->step_s), .exact = exact};
	quat_rotate(list->motion->frame, axis, turn->axis);
}

/* If bones point backwards, or angles coincide, a measure has no gradient to act on. */
static bool has_slope(const double slope[static 3]) {
	const double length = vec3_length(slope);
	return length > 0.1 && length < 10;
}

/* Limits that the step can reach, with some margin. */
static bool is_near(const struct list *list, const double slope[static 3], double gap) {
	return gap < NEAR + 1.5 * fabs(vec3_dot(list->spin, slope)) * list->motion->step_s;
}

/* An angle within its range as it holds now. */
static void add_range(struct list *list, struct joint_stop *stop, int range,
	const double limits[static 2], const struct measure *what) {
	double *least = &stop->least[range], *most = &stop->most[range], slope[3];
	gradient(&stop->limit, what, list->turn, slope);
	if (*most - *least > 2 * PI - LOCKED || !has_slope(slope)) {
		return;
	}
	const double angle =
		nearest_turn(measure(&stop->limit, what, list->turn), 0.5 * (*least + *most));
	*least = fmin(limits[0], fmax(*least, angle));
	*most = fmax(limits[1], fmin(*most, angle));
	if (*most - *least < LOCKED) {
		add(list, slope, 0.5 * (*least + *most) - angle, true);
		return;
	}
	const double step = vec3_dot(list->spin, slope) * list->motion->step_s;
	const double above = *most - angle, below = angle - *least;
	if (above - step < below + step) {
		if (is_near(list, slope, above)) {
			add(list, slope, above, false);
		}
	} else if (is_near(list, slope, below)) {
		vec3_scale(slope, -1, slope);
		add(list, slope, below, false);
	}
}

static void swing_of(
	const struct joint_limit *limit, const double turn[static 4], double vector[static 3]) {
	double swing[4], twist[4];
	quat_swing_twist(turn, limit->axis, swing, twist);
	quat_to_vector(swing, vector);
}

/* A swing's vector along the two axes of the ellipse, and how far out it is: 1 on the edge. */
static double in_ellipse(const double vector[static 3], const double sides[2][3],
	const double half[static 2], double parts[static 2]) {
	double square = 0;
	for (int i = 0; i < 2; i++) {
		parts[i] = vec3_dot(vector, sides[i]);
		square += parts[i] / half[i] * (parts[i] / half[i]);
	}
	return sqrt(square);
}

/* The part of the ellipse's edge that the swing heads for: where it meets the line through where
 * the joint would be after the step, and there the edge is taken as straight. */
static void add_swing(struct list *list, struct joint_stop *stop) {
	const struct joint_limit *limit = &stop->limit;
	double sides[2][3], half[2], now[2], next[2], vector[3], moved[4];
	memcpy(sides[0], limit->side, sizeof sides[0]);
	vec3_cross(limit->axis, limit->side, sides[1]);
	for (int i = 0; i < 2; i++) {
		half[i] = fmax(limit->swing[i], THINNEST);
	}
	swing_of(limit, list->turn, vector);
	stop->wider = fmax(1, fmin(stop->wider, in_ellipse(vector, sides, half, now)));
	vec3_scale(list->spin, list->motion->step_s, vector);
	quat_from_vector(vector, moved);
	quat_multiply(moved, list->turn, moved);
	swing_of(limit, moved, vector);
	const double ahead = in_ellipse(vector, sides, half, next);
	if (ahead < 1e-6) {
		return;
	}
	struct measure what = {.of = MEASURE_SWING};
	double gap = 0, slope[3];
	for (int k = 0; k < 3; k++) {
		what.outward[k] = next[0] / (half[0] * half[0]) * sides[0][k] +
			next[1] / (half[1] * half[1]) * sides[1][k];
	}
	vec3_normalize(what.outward);
	for (int i = 0; i < 2; i++) {
		gap += vec3_dot(what.outward, sides[i]) * (stop->wider * next[i] / ahead - now[i]);
	}
	gradient(limit, &what, list->turn, slope);
	if (has_slope(slope) && is_near(list, slope, gap)) {
		add(list, slope, gap, false);
	}
}

static void add_euler(struct list *list, struct joint_stop *stop) {
	const struct joint_limit *limit = &stop->limit;
	for (int i = 0; i < 3; i++) {
		const struct measure what = {.of = MEASURE_EULER, .angle = i};
		const double limits[2] = {limit->least[i], limit->most[i]};
		add_range(list, stop, i, limits, &what);
	}
}

static void turn_of(
	const struct joint_limit *limit, const double rotation[static 4], double turn[static 4]) {
	quat_conjugate(limit->rest, turn);
	quat_multiply(turn, rotation, turn);
}

int joint_stop_turns(struct joint_stop *stop, const struct joint_motion *motion,
	struct physics_turn turns[static STOP_TURNS_MAX]) {
	struct list list = {.turns = turns, .motion = motion};
	const struct joint_limit *limit = &stop->limit;
	const struct measure twist = {.of = MEASURE_TWIST};
	double inverse[4];
	quat_conjugate(motion->frame, inverse);
	quat_rotate(inverse, motion->spin, list.spin);
	turn_of(limit, motion->rotation, list.turn);
	switch (limit->kind) {
	case LIMIT_NONE:
		break;
	case LIMIT_SWING_TWIST:
		if (limit->swings) {
			add_swing(&list, stop);
		}
		if (limit->twists) {
			add_range(&list, stop, 0, limit->twist, &twist);
		}
		break;
	case LIMIT_HINGE:
		add_range(&list, stop, 0, limit->twist, &twist);
		break;
	case LIMIT_EULER:
		add_euler(&list, stop);
		break;
	}
	return list.count;
}

static void widen(struct joint_stop *stop, int range, double angle) {
	angle = nearest_turn(angle, 0.5 * (stop->least[range] + stop->most[range]));
	stop->least[range] = fmin(stop->least[range], angle);
	stop->most[range] = fmax(stop->most[range], angle);
}

void joint_stop_start(
	const struct joint_limit *limit, const double rotation[static 4], struct joint_stop *stop) {
	*stop = (struct joint_stop){.limit = *limit, .wider = INFINITY};
	for (int i = 0; i < 3; i++) {
		const bool euler = limit->kind == LIMIT_EULER;
		stop->least[i] = euler ? limit->least[i] : limit->twist[0];
		stop->most[i] = euler ? limit->most[i] : limit->twist[1];
	}
	if (limit->kind == LIMIT_NONE) {
		return;
	}
	double turn[4], swing[4], twist[4], angles[3];
	turn_of(limit, rotation, turn);
	if (limit->kind == LIMIT_EULER) {
		limit_to_euler(limit->order, turn, angles);
		for (int i = 0; i < 3; i++) {
			widen(stop, i, angles[i]);
		}
	} else {
		quat_swing_twist(turn, limit->axis, swing, twist);
		widen(stop, 0, twist_angle(twist, limit->axis));
	}
}
