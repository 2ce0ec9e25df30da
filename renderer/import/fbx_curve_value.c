// The values of animation curves of FBX, and bounds of how they change.
#include <math.h>

#include "import/fbx_curve.h"

/* Of a span's length in time: a few times what rounding leaves, so that it is reached. */
#define PARAMETER_TOLERANCE 1e-14

/* The parameter at which a Bezier segment from 0 to 1 with handles at a and b is at x: Newton's
 * steps, held in an interval that is halved where they leave it. Its x grows, since a and b lie
 * within [0, 1]. */
static double bezier_parameter(double a, double b, double x) {
	double low = 0, high = 1, t = x;
	for (int i = 0; i < 60 && high - low > 1e-16; i++) {
		const double u = 1 - t;
		const double off = 3 * u * u * t * a + 3 * u * t * t * b + t * t * t - x;
		const double rate = 3 * u * u * a + 6 * u * t * (b - a) + 3 * t * t * (1 - b);
		if (off > 0) {
			high = t;
		} else {
			low = t;
		}
		if (fabs(off) < PARAMETER_TOLERANCE) {
			break;
		}
		const double next = t - off / rate;
		t = next > low && next < high ? next : (low + high) / 2;
	}
	return t;
}

static double clamp_share(double share) {
	return share > 0 ? fmin(share, 1) : 0;
}

static double cubic_at(const struct fbx_key *key, double time_s) {
	const double span_s = key[1].time_s - key->time_s;
	const double weight[2] = {clamp_share(key->weight[0]), clamp_share(key->weight[1])};
	const double x = (time_s - key->time_s) / span_s;
	const bool even = weight[0] == FBX_WEIGHT_STANDARD && weight[1] == FBX_WEIGHT_STANDARD;
	const double t = even ? x : bezier_parameter(weight[0], 1 - weight[1], x), u = 1 - t;
	const double first = key->value + key->slope[0] * weight[0] * span_s;
	const double second = key[1].value - key->slope[1] * weight[1] * span_s;
	return u * u * u * key->value + 3 * u * u * t * first + 3 * u * t * t * second +
		t * t * t * key[1].value;
}

static bool is_behind(const struct fbx_curve *curve, int key, double time_s) {
	return curve->keys[key].time_s <= time_s &&
		(key + 1 == curve->key_count || time_s < curve->keys[key + 1].time_s);
}

/* The last key that is not after the time; the first one is not. Times come in their order. */
static int find_key(const struct fbx_curve *curve, double time_s) {
	int low = 0, high = curve->key_count - 1;
	for (int i = 0; i < 2 && *curve->recent + i < curve->key_count; i++) {
		if (is_behind(curve, *curve->recent + i, time_s)) {
			return *curve->recent += i;
		}
	}
	while (low < high) {
		const int middle = (low + high + 1) / 2;
		if (curve->keys[middle].time_s <= time_s) {
			low = middle;
		} else {
			high = middle - 1;
		}
	}
	return *curve->recent = low;
}

/* Between the first and the last key. */
static double value_within(const struct fbx_curve *curve, double time_s) {
	const int at = find_key(curve, time_s);
	const struct fbx_key *key = &curve->keys[at];
	if (at + 1 == curve->key_count || time_s <= key->time_s) {
		return key->value;
	}
	const double share = (time_s - key->time_s) / (key[1].time_s - key->time_s);
	switch (key->span) {
	case FBX_SPAN_CONSTANT:
		return key->value;
	case FBX_SPAN_CONSTANT_NEXT:
		return key[1].value;
	case FBX_SPAN_LINEAR:
		return key->value * (1 - share) + key[1].value * share;
	case FBX_SPAN_CUBIC:
		break;
	}
	return cubic_at(key, time_s);
}

static double repeated(const struct fbx_curve *curve, double time_s, bool is_before) {
	const struct fbx_key *first = curve->keys, *last = &curve->keys[curve->key_count - 1];
	const enum fbx_extrapolation mode = is_before ? curve->before.mode : curve->after.mode;
	const int64_t count = is_before ? curve->before.count : curve->after.count;
	const double duration_s = last->time_s - first->time_s;
	const double out_s = is_before ? first->time_s - time_s : time_s - last->time_s;
	double turns = floor(out_s / duration_s), rest_s = out_s - turns * duration_s;
	if (count >= 0 && turns >= (double)count) {
		turns = (double)count - 1;
		rest_s = duration_s;
	}
	const bool is_mirrored = mode == FBX_EXTRAPOLATE_MIRROR && fmod(turns, 2) == 0;
	rest_s = is_mirrored != is_before ? duration_s - rest_s : rest_s;
	const double value = value_within(curve, first->time_s + rest_s);
	const double step = is_before ? first->value - last->value : last->value - first->value;
	return mode == FBX_EXTRAPOLATE_OFFSET ? value + step * (turns + 1) : value;
}

static double slope_of_end(const struct fbx_curve *curve, bool is_before) {
	const struct fbx_key *last = &curve->keys[curve->key_count - 1];
	return is_before ? curve->keys->slope[0] : last[-1].slope[1];
}

double fbx_curve_at(const struct fbx_curve *curve, double time_s, double fallback) {
	if (curve->key_count == 0) {
		return fallback;
	}
	if (curve->is_still) {
		return curve->keys->value;
	}
	const struct fbx_key *first = curve->keys, *last = &curve->keys[curve->key_count - 1];
	const bool is_before = time_s < first->time_s;
	if (!is_before && time_s <= last->time_s) {
		return value_within(curve, time_s);
	}
	const struct fbx_key *end = is_before ? first : last;
	const enum fbx_extrapolation mode = is_before ? curve->before.mode : curve->after.mode;
	const int64_t count = is_before ? curve->before.count : curve->after.count;
	if (mode == FBX_EXTRAPOLATE_CONSTANT || curve->key_count == 1 ||
		!(last->time_s > first->time_s)) {
		return end->value;
	}
	if (mode == FBX_EXTRAPOLATE_SLOPE) {
		return end->value + slope_of_end(curve, is_before) * (time_s - end->time_s);
	}
	return count == 0 ? end->value : repeated(curve, time_s, is_before);
}

/* --- Bounds --- */

static double slope_between(const struct fbx_key *a, const struct fbx_key *b) {
	return (b->value - a->value) / (b->time_s - a->time_s);
}

/* The derivatives of a cubic without weights, in which time is even. */
static void find_cubic_course(
	const struct fbx_key *key, double start_s, double end_s, struct fbx_course *out) {
	const double span_s = key[1].time_s - key->time_s;
	const double chord = slope_between(key, key + 1);
	const double first = (6 * chord - 4 * key->slope[0] - 2 * key->slope[1]) / span_s;
	const double last = (4 * key->slope[1] + 2 * key->slope[0] - 6 * chord) / span_s;
	const double change = (last - first) / span_s, in_s = start_s - key->time_s;
	const double bend = first + change * in_s;
	const double rate = key->slope[0] + (first + change * in_s / 2) * in_s;
	out->bend = fmax(fabs(bend), fabs(bend + change * (end_s - start_s)));
	out->rate = fabs(rate) + out->bend * (end_s - start_s);
}

static bool has_even_weights(const struct fbx_key *key) {
	return key->weight[0] == FBX_WEIGHT_STANDARD && key->weight[1] == FBX_WEIGHT_STANDARD;
}

bool fbx_curve_course(
	const struct fbx_curve *curve, double start_s, double end_s, struct fbx_course *out) {
	*out = (struct fbx_course){0};
	if (curve->key_count == 0 || curve->is_still) {
		return true;
	}
	const struct fbx_key *last = &curve->keys[curve->key_count - 1];
	if (end_s <= curve->keys->time_s || start_s >= last->time_s) {
		const bool is_before = end_s <= curve->keys->time_s;
		return (is_before ? curve->before.mode : curve->after.mode) ==
			FBX_EXTRAPOLATE_CONSTANT;
	}
	if (start_s < curve->keys->time_s) {
		return false;
	}
	const struct fbx_key *key = &curve->keys[find_key(curve, start_s)];
	if (key == last || end_s > key[1].time_s) {
		return false;
	}
	if (key->span == FBX_SPAN_LINEAR) {
		out->rate = fabs(slope_between(key, key + 1));
		return true;
	}
	if (key->span == FBX_SPAN_CUBIC && has_even_weights(key)) {
		find_cubic_course(key, start_s, end_s, out);
		return true;
	}
	return false;
}
