// Moments of a cycle that clips have in common.
#include "pose/blend/markers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mat.h"
#include "pose/humanoid/humanoid.h"
#include "pose/sample/sampler.h"

static bool read_time(const struct value *item, double duration_s, double *out, struct error *err) {
	if (item->kind != VALUE_NUMBER) {
		return value_error(item, err, ERROR_INVALID_VALUE,
			"a marker is %s, must be a time in seconds", value_kind_name(item->kind));
	}
	if (!(item->number >= 0 && item->number < duration_s)) {
		return value_error(item, err, ERROR_INVALID_VALUE,
			"a marker is at %.15g, must be from 0 to below the clip's duration of "
			"%.15g",
			item->number, duration_s);
	}
	*out = item->number;
	return true;
}

bool markers_read(
	const struct value *list, double duration_s, struct markers *markers, struct error *err) {
	*markers = (struct markers){0};
	if (list->kind != VALUE_LIST || list->count == 0 || list->count > MARKERS_MAX) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"a clip's \"markers\" must be a list of 1 to %d times", MARKERS_MAX);
	}
	double over_s = 0;
	for (size_t i = 0; i < list->count; i++) {
		double *times_s = markers->times_s;
		if (!read_time(&list->items[i], duration_s, &times_s[i], err)) {
			return false;
		}
		if (i > 0 && over_s == 0 && times_s[i] < times_s[i - 1]) {
			over_s = duration_s;
		}
		times_s[i] += over_s;
		if (i > 0 &&
			!(times_s[i] > times_s[i - 1] && times_s[i] < times_s[0] + duration_s)) {
			return value_error(&list->items[i], err, ERROR_INVALID_VALUE,
				"markers must come in the order of the cycle, each once");
		}
		markers->count++;
	}
	return true;
}

double markers_time(const struct markers *markers, double duration_s, double phase) {
	if (markers->count == 0) {
		return phase * duration_s;
	}
	const double position = phase * markers->count, before = floor(position);
	const int i = (int)fmin(before, markers->count - 1);
	const double from_s = markers->times_s[i];
	const double to_s =
		i + 1 < markers->count ? markers->times_s[i + 1] : markers->times_s[0] + duration_s;
	return from_s + (to_s - from_s) * (position - i);
}

bool markers_agree(const struct markers *a, const struct markers *b) {
	bool agree = a->count == b->count;
	for (int i = 0; agree && i < a->count; i++) {
		agree = a->sides[i] == b->sides[i] || a->sides[i] == MARKER_GIVEN ||
			b->sides[i] == MARKER_GIVEN;
	}
	return agree;
}

void markers_write(const struct markers *markers, char *text, size_t size) {
	static const char *const sides[] = {
		[MARKER_GIVEN] = "", [MARKER_LEFT] = "left ", [MARKER_RIGHT] = "right "};
	size_t used = (size_t)snprintf(text, size, "%s", markers->count > 0 ? "" : "none");
	for (int i = 0; i < markers->count && used < size; i++) {
		used += (size_t)snprintf(text + used, size - used, "%s%s%.3g", i ? ", " : "",
			sides[markers->sides[i]], markers->times_s[i]);
	}
}

#define RATE 120
#define STEPS_MIN 64
#define STEPS_MAX 2000

/* Shares of the hips' height. */
#define SOLE_REACH 0.015
#define STEP_WIDTH 0.15

/* Of the width of steps: what a foot has to go back for where it was ahead to count. */
#define TURN_BACK 0.4

int foot_markers_steps(const struct clip *clip) {
	const double steps = ceil(clip->duration_s * RATE);
	return (int)fmax(STEPS_MIN, fmin(steps, STEPS_MAX));
}

struct foot {
	int joint;         // the ankle
	double sole[2][3]; // below ankle and ball on the ground, in the joint's space
	double *height;    // [count] of the lower of these
	double (*way)[2];  // [count] x and z of the ankle from the hips
	double *ahead;     // [count] along the steps
	double lowest;
};

struct search {
	const struct rig *rig;
	const struct clip *clip;
	int count; // moments, evenly over the turn
	int hips;
	double hips_height;
	struct foot feet[2];
	double axis[2]; // x and z of the direction of the steps
};

static bool begin_foot(struct search *search, const double (*world)[12], int ankle, int ball,
	double ground, struct foot *foot) {
	double inverse[12];
	if (ankle < 0 || !mat_invert(world[ankle], inverse)) {
		return false;
	}
	foot->joint = ankle;
	const int joints[2] = {ankle, ball < 0 ? ankle : ball};
	for (int i = 0; i < 2; i++) {
		const double *m = world[joints[i]];
		const double below[3] = {m[3], ground, m[11]};
		mat_map_point(inverse, below, foot->sole[i]);
	}
	return search->hips >= 0;
}

/* The feet and the ground as they rest. */
static bool begin(struct search *search, struct arena *arena) {
	const struct rig *rig = search->rig;
	struct humanoid humanoid;
	humanoid_find(rig, arena, &humanoid);
	const int *joints = humanoid.joints;
	double(*world)[12] = arena_alloc(arena, (size_t)rig->joint_count, sizeof *world);
	const struct pose rest = pose_rest(rig, arena);
	pose_to_world(rig, &rest, world);
	search->hips = joints[HUMANOID_HIPS];
	const int ankles[2] = {joints[HUMANOID_LEFT_FOOT], joints[HUMANOID_RIGHT_FOOT]};
	const int balls[2] = {joints[HUMANOID_LEFT_TOES], joints[HUMANOID_RIGHT_TOES]};
	double ground = INFINITY;
	for (int i = 0; i < 2; i++) {
		const int lowest = balls[i] < 0 ? ankles[i] : balls[i];
		ground = lowest < 0 ? ground : fmin(ground, world[lowest][7]);
	}
	if (rig->bounds.min[1] < ground) {
		ground = rig->bounds.min[1];
	}
	for (int i = 0; i < 2; i++) {
		if (!begin_foot(search, (const double(*)[12])world, ankles[i], balls[i], ground,
			    &search->feet[i])) {
			return false;
		}
	}
	search->hips_height = world[search->hips][7] - ground;
	return search->hips_height > 0;
}

static void measure_foot(
	const struct search *search, const double (*world)[12], int step, struct foot *foot) {
	double heel[3], ball[3];
	mat_map_point(world[foot->joint], foot->sole[0], heel);
	mat_map_point(world[foot->joint], foot->sole[1], ball);
	foot->height[step] = fmin(heel[1], ball[1]);
	foot->lowest = fmin(foot->lowest, foot->height[step]);
	foot->way[step][0] = world[foot->joint][3] - world[search->hips][3];
	foot->way[step][1] = world[foot->joint][11] - world[search->hips][11];
}

static double time_of(const struct search *search, double step) {
	return search->clip->duration_s * step / search->count;
}

static void measure(struct search *search, struct arena *arena) {
	const struct rig *rig = search->rig;
	const size_t count = (size_t)search->count;
	struct pose pose = pose_rest(rig, arena);
	double(*world)[12] = arena_alloc(arena, (size_t)rig->joint_count, sizeof *world);
	for (int i = 0; i < 2; i++) {
		struct foot *foot = &search->feet[i];
		foot->height = arena_alloc(arena, count, sizeof *foot->height);
		foot->way = arena_alloc(arena, count, sizeof *foot->way);
		foot->ahead = arena_alloc(arena, count, sizeof *foot->ahead);
		foot->lowest = INFINITY;
	}
	for (int step = 0; step < search->count; step++) {
		clip_sample(rig, search->clip, time_of(search, step), &pose);
		pose_to_world(rig, &pose, world);
		for (int i = 0; i < 2; i++) {
			measure_foot(search, (const double(*)[12])world, step, &search->feet[i]);
		}
	}
}

/* The direction in which the feet part most: the greater eigenvector of the spread of the way from
 * one foot to the other. */
static void find_axis(struct search *search) {
	const struct foot *feet = search->feet;
	double mean[2] = {0}, xx = 0, xz = 0, zz = 0;
	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; i < search->count; i++) {
			const double x = feet[0].way[i][0] - feet[1].way[i][0] - mean[0];
			const double z = feet[0].way[i][1] - feet[1].way[i][1] - mean[1];
			xx += x * x, xz += x * z, zz += z * z;
			if (pass == 0) {
				search->axis[0] += x / search->count;
				search->axis[1] += z / search->count;
			}
		}
		if (pass == 0) {
			memcpy(mean, search->axis, sizeof mean);
			xx = xz = zz = 0;
		}
	}
	const double half = (xx - zz) / 2, root = sqrt(half * half + xz * xz);
	double axis[2] = {half + root, xz};
	if (half < 0) {
		axis[0] = xz, axis[1] = root - half;
	}
	const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1]);
	search->axis[0] = length > 0 ? axis[0] / length : 0;
	search->axis[1] = length > 0 ? axis[1] / length : 1;
}

static double reach(const struct search *search, const struct foot *foot) {
	return foot->lowest + SOLE_REACH * search->hips_height;
}

/* Ahead is where feet on the ground come from. */
static void turn_axis(struct search *search) {
	double on_ground = 0;
	for (int f = 0; f < 2; f++) {
		struct foot *foot = &search->feet[f];
		for (int i = 0; i < search->count; i++) {
			const double *way = foot->way[i];
			foot->ahead[i] = way[0] * search->axis[0] + way[1] * search->axis[1];
		}
		for (int i = 1; i < search->count; i++) {
			if (foot->height[i] <= reach(search, foot)) {
				on_ground += foot->ahead[i] - foot->ahead[i - 1];
			}
		}
	}
	for (int f = 0; on_ground > 0 && f < 2; f++) {
		for (int i = 0; i < search->count; i++) {
			search->feet[f].ahead[i] = -search->feet[f].ahead[i];
		}
	}
}

/* The moment from a step on, before the foot has gone back as far as it does, when it is down; the
 * lowest one where it never is. */
static double find_down(const struct search *search, const struct foot *foot, int first, int last) {
	const double limit = reach(search, foot);
	int lowest = first;
	for (int i = first; i <= last; i++) {
		const double here = foot->height[i % search->count];
		if (here <= limit) {
			const double before = foot->height[(i + search->count - 1) % search->count];
			const bool crosses = i > first && before > limit;
			return crosses ? i - (limit - here) / (before - here) : i;
		}
		lowest = here < foot->height[lowest % search->count] ? i : lowest;
	}
	return lowest;
}

static bool add_marker(
	const struct search *search, double step, enum marker_side side, struct markers *markers) {
	if (markers->count == MARKERS_MAX) {
		return false;
	}
	const double time_s = time_of(search, step - (step >= search->count ? search->count : 0));
	int at = markers->count++;
	for (; at > 0 && markers->times_s[at - 1] > time_s; at--) {
		markers->times_s[at] = markers->times_s[at - 1];
		markers->sides[at] = markers->sides[at - 1];
	}
	markers->times_s[at] = time_s;
	markers->sides[at] = side;
	return true;
}

/* Goes once round from where the foot is farthest back, and finds each time that it was ahead. */
static bool find_steps(const struct search *search, const struct foot *foot, enum marker_side side,
	struct markers *markers) {
	const int count = search->count;
	int back = 0, front = 0;
	for (int i = 1; i < count; i++) {
		back = foot->ahead[i] < foot->ahead[back] ? i : back;
		front = foot->ahead[i] > foot->ahead[front] ? i : front;
	}
	const double width = foot->ahead[front] - foot->ahead[back];
	if (width < STEP_WIDTH * search->hips_height) {
		return true;
	}
	bool going_ahead = true;
	int ahead = back, behind = back;
	for (int i = back; i <= back + count; i++) {
		const double here = foot->ahead[i % count];
		ahead = here > foot->ahead[ahead % count] ? i : ahead;
		behind = here < foot->ahead[behind % count] ? i : behind;
		if (going_ahead && here < foot->ahead[ahead % count] - TURN_BACK * width) {
			if (!add_marker(search, find_down(search, foot, ahead, i), side, markers)) {
				return false;
			}
			going_ahead = false;
			behind = i;
		} else if (!going_ahead && here > foot->ahead[behind % count] + TURN_BACK * width) {
			going_ahead = true;
			ahead = i;
		}
	}
	return true;
}

/* The first left one comes first, those before it after all others. */
static void begin_left(double duration_s, struct markers *markers) {
	int first = 0;
	while (first < markers->count && markers->sides[first] != MARKER_LEFT) {
		first++;
	}
	const struct markers found = *markers;
	for (int i = 0; first < found.count && i < found.count; i++) {
		const int from = (first + i) % found.count;
		markers->times_s[i] = found.times_s[from] + (from < first ? duration_s : 0);
		markers->sides[i] = found.sides[from];
	}
}

bool foot_markers_find(const struct rig *rig, const struct clip *clip, struct markers *markers) {
	struct arena *arena = arena_create();
	struct search search = {.rig = rig, .clip = clip, .count = foot_markers_steps(clip)};
	*markers = (struct markers){0};
	bool ok = begin(&search, arena);
	if (ok && clip->duration_s > 0) {
		measure(&search, arena);
		find_axis(&search);
		turn_axis(&search);
		ok = find_steps(&search, &search.feet[0], MARKER_LEFT, markers) &&
			find_steps(&search, &search.feet[1], MARKER_RIGHT, markers);
		begin_left(clip->duration_s, markers);
	}
	arena_destroy(arena);
	return ok;
}
