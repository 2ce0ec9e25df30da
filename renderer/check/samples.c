// A clip at its native rate.
#include "check/samples.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/quat.h"
#include "base/vec.h"
#include "check/clip_kind.h"
#include "check/percentile.h"
#include "pose/sample/expand.h"
#include "pose/sample/sampler.h"

/* Steps between keys that are one key. */
#define SAME_KEY_S 1e-6

#define DEFAULT_RATE 30

/* A share of a sample that the end of a clip may be off by. */
#define END_SLACK 0.02

/* --- Rate --- */

/* Differences of neighbouring keys of channels with at least 3; returns how many. */
static size_t list_steps(const struct clip *clip, double *steps) {
	size_t count = 0;
	for (int i = 0; i < clip->channel_count; i++) {
		const struct channel *channel = &clip->channels[i];
		for (int k = 1; channel->key_count >= 3 && k < channel->key_count; k++) {
			const double step =
				(double)channel->times[k] - (double)channel->times[k - 1];
			if (step > SAME_KEY_S) {
				steps[count++] = step;
			}
		}
	}
	return count;
}

/* True when 95 % of the steps are near their median, which is a usual rate; the rate in *rate. */
static bool is_even(double *steps, size_t count, double *rate) {
	const double median = check_percentile(steps, (int)count, 0.5);
	size_t near = 0;
	for (size_t i = 0; i < count; i++) {
		near += fabs(steps[i] - median) < 0.02 * median;
	}
	const double exact = 1 / median, whole = floor(exact + 0.5);
	*rate = fabs(exact - whole) <= 0.02 ? whole : exact;
	return (double)near >= 0.95 * (double)count && exact >= 8 && exact <= 120.5;
}

static bool fits_rate(const double *steps, size_t count, double rate) {
	size_t near = 0;
	for (size_t i = 0; i < count; i++) {
		const double frames = steps[i] * rate;
		near += fabs(frames - fmax(floor(frames + 0.5), 1)) < 0.05;
	}
	return (double)near >= 0.95 * (double)count;
}

static void find_rate(struct check_clip *out) {
	static const double rates[] = {10, 12, 15, 20, 24, 25, 30, 48, 50, 60, 90, 100, 120};
	struct arena *scratch = arena_create();
	size_t room = 1;
	for (int i = 0; i < out->clip->channel_count; i++) {
		room += (size_t)out->clip->channels[i].key_count;
	}
	double *steps = arena_alloc(scratch, room, sizeof *steps);
	const size_t count = list_steps(out->clip, steps);
	out->rate = DEFAULT_RATE;
	if (count > 0 && !is_even(steps, count, &out->rate)) {
		size_t i = 0;
		while (i < sizeof rates / sizeof *rates && !fits_rate(steps, count, rates[i])) {
			i++;
		}
		out->irregular = i == sizeof rates / sizeof *rates;
		out->rate = out->irregular ? DEFAULT_RATE : rates[i];
	}
	arena_destroy(scratch);
}

/* --- Samples --- */

static void find_span(struct check_clip *out) {
	const struct clip *clip = out->clip;
	out->start_s = clip->channel_count > 0 ? INFINITY : 0;
	for (int i = 0; i < clip->channel_count; i++) {
		const struct channel *channel = &clip->channels[i];
		out->start_s = fmin(out->start_s, (double)channel->times[0]);
		out->end_s = fmax(out->end_s, (double)channel->times[channel->key_count - 1]);
	}
}

static void find_count(const struct check_asset *asset, struct check_clip *out) {
	const double frames = (out->end_s - out->start_s) * out->rate;
	const double whole = floor(frames + END_SLACK) + 1;
	out->too_long = !(whole < CHECK_SAMPLES_MAX);
	out->count =
		out->too_long ? CHECK_SAMPLES_MAX : (int)whole + (frames - (whole - 1) > END_SLACK);
	const int most = asset->profile->settings.surface_samples;
	out->surface_stride = out->count > 4 * most ? (out->count + most - 1) / most : 1;
}

double check_clip_time(const struct check_clip *clip, int sample) {
	if (clip->too_long) {
		const double share = (double)sample / (clip->count - 1);
		return clip->start_s + share * (clip->end_s - clip->start_s);
	}
	return fmin(clip->start_s + sample / clip->rate, clip->end_s);
}

static void list_channels(
	const struct check_asset *asset, struct check_clip *out, struct arena *arena) {
	const size_t joints = (size_t)asset->rig->joint_count;
	unsigned char *stepped = arena_alloc(arena, joints, 1);
	unsigned char *driven = arena_alloc(arena, joints, 1);
	int *channel_of = arena_alloc(arena, joints * 4, sizeof *channel_of);
	for (size_t i = 0; i < joints * 4; i++) {
		channel_of[i] = -1;
	}
	for (int i = 0; i < out->clip->channel_count; i++) {
		const struct channel *channel = &out->clip->channels[i];
		const unsigned char bit = (unsigned char)(1 << channel->path);
		driven[channel->joint] |= bit;
		if (channel->interpolation == INTERPOLATION_STEP && channel->key_count > 1) {
			stepped[channel->joint] |= bit;
		}
		channel_of[channel->joint * 4 + (int)channel->path] = i;
	}
	out->stepped = stepped;
	out->driven = driven;
	out->channel_of = channel_of;
}

struct check_clip *check_clip_create(
	const struct check_asset *asset, int clip, struct arena *arena) {
	struct check_clip *out = arena_alloc(arena, 1, sizeof *out);
	*out = (struct check_clip){.index = clip,
		.clip = clip_expand(asset->rig, &asset->rig->clips[clip], arena),
		.name = asset->rig->clips[clip].name};
	find_rate(out);
	find_span(out);
	find_count(asset, out);
	list_channels(asset, out, arena);
	check_find_kind(asset, out);
	return out;
}

static void set_doubles(const float *from, int count, double *out) {
	for (int i = 0; i < count; i++) {
		out[i] = (double)from[i];
	}
}

void check_clip_sample(const struct check_asset *asset, const struct check_clip *clip, int joint,
	double time_s, struct check_transform *out) {
	const struct transform *rest = &asset->rig->joints[joint].rest;
	const struct {
		enum channel_path path;
		const float *rest;
		double *out;
		int width;
	} parts[] = {
		{CHANNEL_TRANSLATION, rest->translation, out->t, 3},
		{CHANNEL_ROTATION, rest->rotation, out->q, 4},
		{CHANNEL_SCALE, rest->scale, out->s, 3},
	};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const int channel = clip->channel_of[joint * 4 + (int)parts[i].path];
		float value[4];
		if (channel >= 0) {
			channel_sample(&clip->clip->channels[channel], time_s, value);
		}
		set_doubles(channel >= 0 ? value : parts[i].rest, parts[i].width, parts[i].out);
	}
	quat_normalize(out->q);
}

/* --- Lengths --- */

/* a^-1 b. */
static void difference(const double a[static 4], const double b[static 4], double out[static 4]) {
	double inverse[4];
	quat_conjugate(a, inverse);
	quat_multiply(inverse, b, out);
}

double check_chord(const double a[static 4], const double b[static 4]) {
	double q[4];
	difference(a, b, q);
	const double sine = vec3_length(q);
	return 2 * sine / sqrt(sine * sine + q[3] * q[3]);
}

double check_angle(const double a[static 4], const double b[static 4]) {
	double q[4];
	difference(a, b, q);
	return 2 * angle_atan2(vec3_length(q), fabs(q[3]));
}

void check_log(const double a[static 4], const double b[static 4], double out[static 3]) {
	double q[4];
	difference(a, b, q);
	quat_to_vector(q, out);
}

static double scale_difference(const double *a, const double *b) {
	return fmax(fmax(fabs(a[0] - b[0]), fabs(a[1] - b[1])), fabs(a[2] - b[2]));
}

double check_joint_distance_of(const struct check_asset *asset, int joint,
	const struct check_transform *a, const struct check_transform *b) {
	double way[3];
	vec3_sub(b->t, a->t, way);
	return check_chord(a->q, b->q) * asset->reach[joint] +
		vec3_length(way) * asset->translation_scale[joint] +
		scale_difference(a->s, b->s) * asset->reach[joint];
}
