// Sampling of curves, finely where they bend.
#include "import/fbx_sampler.h"

#include <math.h>
#include <string.h>

#include "base/quat.h"

/* A stretch is not cut any finer: what bends within it is a step. */
#define STRETCH_MIN_S 1e-4

/* The share of a stretch by which its ends are looked at from the inside. */
#define INSIDE 1e-7

/* Samples that one key may stand for, unless nothing moves between. */
#define RUN_MAX 64

static double *append(struct fbx_samples *out, double time_s) {
	if (out->count == out->room) {
		out->room = 2 * out->room + 64;
		double *times = arena_alloc(out->arena, (size_t)out->room, sizeof *times);
		double *values = arena_alloc(
			out->arena, (size_t)out->room, (size_t)out->width * sizeof *values);
		if (out->count > 0) {
			memcpy(times, out->times, (size_t)out->count * sizeof *times);
			memcpy(values, out->values,
				(size_t)out->count * (size_t)out->width * sizeof *values);
		}
		out->times = times;
		out->values = values;
	}
	out->times[out->count] = time_s;
	return &out->values[(size_t)out->count++ * (size_t)out->width];
}

/* Angles up to which a chord is taken for its arc: they differ by a share of 1e-5 at most. */
#define CHORD_MAX_RAD 0.05

/* True when two rotations are within an angle; exact for small ones, which an arc cosine is not. */
static bool is_near(const double a[static 4], const double b[static 4], double angle_rad) {
	double difference = 0, sum = 0;
	for (int i = 0; i < 4; i++) {
		difference += (a[i] - b[i]) * (a[i] - b[i]);
		sum += (a[i] + b[i]) * (a[i] + b[i]);
	}
	const double square = fmin(difference, sum);
	return angle_rad < CHORD_MAX_RAD ? 4 * square <= angle_rad * angle_rad
					 : 4 * asin(fmin(1, sqrt(square) / 2)) <= angle_rad;
}

/* Squares of chords of unit quaternions, of 0.4 radians' turn, up to which the series below is
 * within 1e-7 of slerp. */
#define SERIES_MAX 0.04

/* sin(share * angle) / sin(angle), by the square of the angle. */
static double slerp_weight(double share, double square) {
	const double u = share * share;
	return share *
		(1 + square / 6 * (1 - u) + square * square / 360 * (7 - 10 * u + 3 * u * u));
}

/* quat_slerp(), which takes several times as long, but for rotations that are far apart. */
static void find_between(
	const double a[static 4], const double b[static 4], double share, double out[static 4]) {
	const double sign = quat_dot(a, b) < 0 ? -1 : 1;
	double chord = 0;
	for (int i = 0; i < 4; i++) {
		const double way = sign * b[i] - a[i];
		chord += way * way;
	}
	if (chord > SERIES_MAX) {
		quat_slerp(a, b, share, out);
		return;
	}
	const double square = chord * (1 + chord / 12 + chord * chord / 90); // of half the turn
	const double from = slerp_weight(1 - share, square);
	const double to = sign * slerp_weight(share, square);
	for (int i = 0; i < 4; i++) {
		out[i] = from * a[i] + to * b[i];
	}
}

/* True when interpolation at a share of the way gives the values. */
static bool is_restored(const struct fbx_sampler *sampler, const double *a, const double *b,
	double share, const double *values) {
	const int turn = sampler->rotation_at;
	for (int i = 0; i < sampler->width; i++) {
		const bool turns = turn >= 0 && i >= turn && i < turn + 4;
		const double between = a[i] + (b[i] - a[i]) * share;
		if (!turns && !(fabs(between - values[i]) <= sampler->tolerances[i])) {
			return false;
		}
	}
	double q[4];
	if (turn < 0) {
		return true;
	}
	find_between(&a[turn], &b[turn], share, q);
	return is_near(q, &values[turn], sampler->tolerances[turn]);
}

/* --- Sampling --- */

/* Halvings of a stretch, at most. */
#define DEPTH_MAX 40

struct sampling {
	const struct fbx_sampler *sampler;
	struct fbx_samples *out;
	double *scratch; // [DEPTH_MAX + 2][2][width]
};

/* A stretch with what it has at its ends. */
struct span {
	double start_s, end_s;
	const double *start, *end; // [width]
	int probes;                // where it is measured
	int depth;
};

/* One of two rows of numbers at a depth. */
static double *scratch(const struct sampling *sampling, int depth, int row) {
	return &sampling->scratch[(size_t)(depth * 2 + row) * (size_t)sampling->sampler->width];
}

static void evaluate(const struct sampling *sampling, double time_s, double *values) {
	*sampling->sampler->left -= 1 + sampling->sampler->more_cost;
	sampling->sampler->at(sampling->sampler->context, time_s, values);
}

static void put(const struct sampling *sampling, double time_s, const double *values) {
	memcpy(append(sampling->out, time_s), values,
		(size_t)sampling->sampler->width * sizeof *values);
}

/* True when interpolation restores the middle, which is measured here, and the probes beside it. */
static bool is_arc(const struct sampling *sampling, const struct span *span, double *middle) {
	const struct fbx_sampler *sampler = sampling->sampler;
	const double length_s = span->end_s - span->start_s;
	double *values = scratch(sampling, span->depth, 0);
	evaluate(sampling, span->start_s + length_s / 2, middle);
	bool restored = is_restored(sampler, span->start, span->end, 0.5, middle);
	for (int i = 1; restored && i <= span->probes; i++) {
		const double share = (double)i / (span->probes + 1);
		if (share != 0.5) {
			evaluate(sampling, span->start_s + share * length_s, values);
			restored = is_restored(sampler, span->start, span->end, share, values);
		}
	}
	return restored;
}

/* Appends what lies between the two ends, which are there or will be. */
static void refine(const struct sampling *sampling, const struct span *span) {
	const double length_s = span->end_s - span->start_s;
	const bool is_finest = !(length_s > STRETCH_MIN_S) || span->depth == DEPTH_MAX;
	double *middle = scratch(sampling, span->depth, 1);
	if (is_finest || *sampling->sampler->left <= 0 || is_arc(sampling, span, middle)) {
		return;
	}
	struct span first = *span, second = *span;
	first.depth = second.depth = span->depth + 1;
	first.end_s = second.start_s = span->start_s + length_s / 2;
	first.end = second.start = middle;
	refine(sampling, &first);
	put(sampling, first.end_s, middle);
	refine(sampling, &second);
}

/* Appends the value at a time where it is not the one next to it. */
static void put_step(const struct sampling *sampling, double time_s, const double *beside,
	const double *values, const double *at_time) {
	if (!is_restored(sampling->sampler, beside, beside, 0, at_time)) {
		put(sampling, time_s, values);
	}
}

/* Pieces of a stretch that is known, at most: of longer ones each half may need fewer. */
#define KNOWN_PIECES_MAX 8

/* Appends a stretch with its start, but not its end. *follows is true when the row of ends has what
 * is at the start, since the stretch before it has no steps. */
static void sample_stretch(
	const struct sampling *sampling, double start_s, double end_s, bool *follows) {
	const struct fbx_sampler *sampler = sampling->sampler;
	const struct fbx_stretch stretch = sampler->stretch(sampler->context, start_s, end_s);
	const double middle_s = start_s + (end_s - start_s) / 2;
	if (stretch.known && stretch.pieces > KNOWN_PIECES_MAX && *sampler->left > 0 &&
		end_s - start_s > STRETCH_MIN_S) {
		sample_stretch(sampling, start_s, middle_s, follows);
		sample_stretch(sampling, middle_s, end_s, follows);
		return;
	}
	const double inside_s = stretch.steps ? (end_s - start_s) * INSIDE : 0;
	double *start = scratch(sampling, DEPTH_MAX, 0), *end = scratch(sampling, DEPTH_MAX, 1);
	double *beyond = scratch(sampling, DEPTH_MAX + 1, 0);
	if (*follows && !stretch.steps) {
		memcpy(start, end, (size_t)sampler->width * sizeof *start);
	} else {
		evaluate(sampling, start_s + inside_s, start);
	}
	if (stretch.steps) {
		evaluate(sampling, start_s, beyond);
		put_step(sampling, start_s, start, beyond, beyond);
	}
	const int pieces = *sampler->left > 0 ? stretch.pieces : 1;
	for (int i = 0; i < pieces; i++) {
		const bool last = i + 1 == pieces;
		const struct span span = {
			.start_s = start_s + (end_s - start_s) * i / pieces,
			.end_s = last ? end_s : start_s + (end_s - start_s) * (i + 1) / pieces,
			.start = start,
			.end = end,
			.probes = stretch.smooth ? 3 : 1,
		};
		evaluate(sampling, span.end_s - (last ? inside_s : 0), end);
		put(sampling, span.start_s, start);
		if (!stretch.known) {
			refine(sampling, &span);
		}
		memcpy(start, end, (size_t)sampler->width * sizeof *start);
	}
	if (stretch.steps) {
		evaluate(sampling, end_s, beyond);
		put_step(sampling, end_s, end, end, beyond);
	}
	*follows = !stretch.steps;
}

void fbx_sample(const struct fbx_sampler *sampler, const double *times, int count,
	struct fbx_samples *out) {
	const size_t width = (size_t)sampler->width;
	struct sampling sampling = {
		sampler, out, arena_alloc(out->arena, 2 * (DEPTH_MAX + 2) * width, sizeof(double))};
	out->width = sampler->width;
	bool follows = false;
	for (int i = 0; i + 1 < count; i++) {
		sample_stretch(&sampling, times[i], times[i + 1], &follows);
	}
	double *last = scratch(&sampling, DEPTH_MAX, 0);
	evaluate(&sampling, times[count - 1], last);
	put(&sampling, times[count - 1], last);
}

/* --- Reduction --- */

static const double *part_of(
	const struct fbx_samples *samples, const struct fbx_part *part, int sample) {
	return &samples->values[(size_t)sample * (size_t)samples->width + (size_t)part->at];
}

/* True when interpolation between two values at a share of the way gives a third. */
static bool is_between(const struct fbx_part *part, const double *a, const double *b, double share,
	const double *values) {
	if (part->rotation) {
		double q[4];
		find_between(a, b, share, q);
		return is_near(q, values, part->tolerance);
	}
	for (int i = 0; i < part->width; i++) {
		if (!(fabs(a[i] + (b[i] - a[i]) * share - values[i]) <= part->tolerance)) {
			return false;
		}
	}
	return true;
}

/* Rotations that are farther apart (the cosine of half their angle, of 120 degrees) are not left to
 * interpolation: rounding could send it the other way round. */
#define TURN_COSINE_MIN 0.5

/* True when the samples between two are restored by these. */
static bool spans(
	const struct fbx_samples *samples, const struct fbx_part *part, int first, int last) {
	const double start_s = samples->times[first];
	const double length_s = samples->times[last] - start_s;
	const double *a = part_of(samples, part, first), *b = part_of(samples, part, last);
	if (part->rotation && fabs(quat_dot(a, b)) < TURN_COSINE_MIN) {
		return false;
	}
	for (int i = first + 1; i < last; i++) {
		const double share = (samples->times[i] - start_s) / length_s;
		if (!is_between(part, a, b, share, part_of(samples, part, i))) {
			return false;
		}
	}
	return true;
}

/* The last sample up to which nothing has moved since this one. */
static int find_still(const struct fbx_samples *samples, const struct fbx_part *part, int first) {
	const double *value = part_of(samples, part, first);
	int last = first;
	while (last + 1 < samples->count &&
		is_between(part, value, value, 0, part_of(samples, part, last + 1))) {
		last++;
	}
	return last;
}

/* The farthest sample that one may go to directly. Steps, two samples at one time, are never stood
 * over. */
static int find_run(const struct fbx_samples *samples, const struct fbx_part *part, int first) {
	int limit = first + 1;
	while (limit + 1 < samples->count && limit < first + RUN_MAX &&
		samples->times[limit] > samples->times[limit - 1] &&
		samples->times[limit + 1] > samples->times[limit]) {
		limit++;
	}
	int good = first + 1, step = 1;
	while (good < limit) {
		const int next = good + step < limit ? good + step : limit;
		if (spans(samples, part, first, next)) {
			good = next;
			step *= 2;
		} else if (step > 1) {
			step = 1;
			limit = next - 1;
		} else {
			break;
		}
	}
	return good;
}

int fbx_reduce(const struct fbx_samples *samples, const struct fbx_part *part, int *kept) {
	int count = 0, at = 0;
	kept[count++] = 0;
	if (find_still(samples, part, 0) == samples->count - 1) {
		return count;
	}
	while (at < samples->count - 1) {
		const int still = find_still(samples, part, at);
		at = still > at ? still : find_run(samples, part, at);
		kept[count++] = at;
	}
	return count;
}
