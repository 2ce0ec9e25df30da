// A clip sampled evenly, beside what it is exactly.
#include "compress/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "pose/pose.h"
#include "pose/sample/sampler.h"

#define RATE_DEFAULT 30
#define RATE_SPARSE 10 // keys a second below which a clip is not taken for sampled
#define RATE_MAX 240
#define RATE_NEAR 0.03
#define KEY_NEAR 1e-5          // of a step: what is as near as that is at the key
#define TICKS_A_SECOND 1000000 // where no slower rate has all key times

static int by_size(const void *a, const void *b) {
	const float x = *(const float *)a, y = *(const float *)b;
	return (x > y) - (x < y);
}

/* The median distance of keys over all channels; 0 without any. */
static double key_distance(const struct clip *clip) {
	size_t count = 0;
	for (int i = 0; i < clip->channel_count; i++) {
		count += (size_t)clip->channels[i].key_count - 1;
	}
	float *distances = xcalloc(count + 1, sizeof *distances);
	size_t at = 0;
	for (int i = 0; i < clip->channel_count; i++) {
		const struct channel *channel = &clip->channels[i];
		for (int k = 1; k < channel->key_count; k++) {
			distances[at++] = channel->times[k] - channel->times[k - 1];
		}
	}
	qsort(distances, count, sizeof *distances, by_size);
	const double median = count ? (double)distances[count / 2] : 0;
	free(distances);
	return median;
}

double source_rate(const struct clip *clip) {
	static const double usual[] = {24, 25, 30, 60, 120};
	const double distance = key_distance(clip);
	if (!(distance * RATE_SPARSE <= 1) || distance <= 0) {
		return RATE_DEFAULT;
	}
	const double rate = fmin(1 / distance, RATE_MAX);
	for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
		if (fabs(rate - usual[i]) <= RATE_NEAR * usual[i]) {
			return usual[i];
		}
	}
	return rate;
}

double source_sample_s(const struct source *source, int sample) {
	return source->times_s[sample];
}

double source_moment_s(const struct source *source, int moment) {
	const int sample = moment / SOURCE_MOMENTS, quarter = moment % SOURCE_MOMENTS;
	const double from = source_sample_s(source, sample);
	if (quarter == 0) {
		return from;
	}
	const double to = source_sample_s(source, sample + 1);
	return from + (to - from) * quarter / SOURCE_MOMENTS;
}

static void find_holds(
	const struct rig *rig, const struct clip *clip, bool *holds, bool *weight_holds) {
	static const int kinds[] = {[CHANNEL_TRANSLATION] = SOURCE_TRANSLATION,
		[CHANNEL_ROTATION] = SOURCE_ROTATION,
		[CHANNEL_SCALE] = SOURCE_SCALE};
	for (int i = 0; i < clip->channel_count; i++) {
		const struct channel *channel = &clip->channels[i];
		const bool hold =
			channel->interpolation == INTERPOLATION_STEP && channel->key_count > 1;
		for (int k = 0; channel->path == CHANNEL_WEIGHTS && k < channel->width; k++) {
			weight_holds[rig->joints[channel->joint].first_weight + k] = hold;
		}
		if (channel->path != CHANNEL_WEIGHTS) {
			holds[channel->joint * SOURCE_KINDS + kinds[channel->path]] = hold;
		}
	}
}

static void copy_transform(const struct transform *from, const struct source_transform *before,
	struct source_transform *to) {
	double dot = 0;
	for (int i = 0; i < 3; i++) {
		to->translation[i] = (double)from->translation[i];
		to->scale[i] = (double)from->scale[i];
	}
	for (int i = 0; i < 4; i++) {
		to->rotation[i] = (double)from->rotation[i];
		dot += before ? to->rotation[i] * before->rotation[i] : 0;
	}
	for (int i = 0; i < 4 && dot < 0; i++) {
		to->rotation[i] = -to->rotation[i];
	}
}

/* One moment's pose into all that is kept of it. */
static void keep(const struct source *source, const struct pose *pose, int moment,
	struct source_transform *local, double *weights, double (*world)[12],
	double *moment_weights) {
	const size_t joints = (size_t)source->joint_count, count = (size_t)source->weight_count;
	pose_to_world(source->rig, pose, world + (size_t)moment * joints);
	for (size_t i = 0; i < count; i++) {
		moment_weights[(size_t)moment * count + i] = (double)pose->weights[i];
	}
	if (moment % SOURCE_MOMENTS != 0) {
		return;
	}
	const size_t sample = (size_t)(moment / SOURCE_MOMENTS);
	for (size_t i = 0; i < joints; i++) {
		struct source_transform *to = &local[sample * joints + i];
		copy_transform(&pose->local[i], sample ? to - joints : NULL, to);
	}
	for (size_t i = 0; i < count; i++) {
		weights[sample * count + i] = (double)pose->weights[i];
	}
}

struct room {
	struct source_transform *local;
	double *weights, (*world)[12], *moment_weights;
};

static bool make_room(
	const struct source *source, struct arena *arena, struct room *room, struct error *err) {
	const size_t joints = (size_t)source->joint_count, weights = (size_t)source->weight_count;
	const size_t samples = (size_t)source->sample_count, moments = (size_t)source->moment_count;
	static const char what[] = "the clip's samples";
	room->local = try_calloc(samples * joints, sizeof *room->local, what, err);
	arena_defer(arena, free, room->local);
	room->world = try_calloc(moments * joints, sizeof *room->world, what, err);
	arena_defer(arena, free, room->world);
	room->weights = try_calloc(samples * weights + 1, sizeof *room->weights, what, err);
	arena_defer(arena, free, room->weights);
	room->moment_weights = try_calloc(moments * weights + 1, sizeof(double), what, err);
	arena_defer(arena, free, room->moment_weights);
	return room->local && room->world && room->weights && room->moment_weights;
}

static bool check_count(
	const struct rig *rig, const struct clip *clip, double count, struct error *err) {
	return (count <= SOURCE_SAMPLES_MAX && count * rig->joint_count <= SOURCE_JOINTS_MAX) ||
		error_set(err, ERROR_TOO_LARGE,
			"the clip '%s' has more than %d samples, or than %d times its joints",
			clip->name, SOURCE_SAMPLES_MAX, SOURCE_JOINTS_MAX);
}

static double time_by_rate(const struct source *source, int sample) {
	if (source->ticks) {
		return source->ticks[sample] / source->rate;
	}
	return sample + 1 < source->sample_count ? sample / source->rate : source->duration_s;
}

/* All key times, ascending, each once; 0 and the end are among them. */
static size_t collect_times(const struct clip *clip, float *times) {
	size_t count = 0, kept = 0;
	times[count++] = 0;
	times[count++] = (float)clip->duration_s;
	for (int i = 0; i < clip->channel_count; i++) {
		const struct channel *channel = &clip->channels[i];
		const size_t keys = (size_t)channel->key_count;
		memcpy(times + count, channel->times, keys * sizeof *times);
		count += keys;
	}
	qsort(times, count, sizeof *times, by_size);
	for (size_t i = 0; i < count; i++) {
		if (times[i] >= 0 && (kept == 0 || times[i] > times[kept - 1])) {
			times[kept++] = times[i];
		}
	}
	return kept;
}

/* Room for collect_times(); NULL with ERROR_TOO_LARGE. */
static float *make_times(const struct clip *clip, struct error *err) {
	size_t keys = 2;
	for (int i = 0; i < clip->channel_count; i++) {
		keys += (size_t)clip->channels[i].key_count;
	}
	return try_calloc(keys, sizeof(float), "the clip's key times", err);
}

/* A clip that holds jumps at its keys, whose times are float32: a sample a rounding before one
 * would be what was held before. */
static bool find_times(struct source *source, struct arena *arena, struct error *err) {
	double *times_s = arena_alloc(arena, (size_t)source->sample_count, sizeof *times_s);
	float *keys = make_times(source->clip, err);
	const size_t count = keys ? collect_times(source->clip, keys) : 0;
	size_t next = 0;
	for (int i = 0; i < source->sample_count && keys; i++) {
		const double time_s = time_by_rate(source, i), near = KEY_NEAR / source->rate;
		while (next < count && (double)keys[next] <= time_s + near) {
			next++;
		}
		const bool hit = next > 0 && (double)keys[next - 1] >= time_s - near;
		times_s[i] = hit ? (double)keys[next - 1] : time_s;
	}
	free(keys);
	source->times_s = times_s;
	return keys;
}

/* Fills everything that depends on the samples' times. */
static bool fill(struct source *source, int sample_count, struct arena *arena, struct error *err) {
	const struct rig *rig = source->rig;
	struct room room;
	source->sample_count = sample_count;
	source->moment_count = SOURCE_MOMENTS * (sample_count - 1) + 1;
	if (!find_times(source, arena, err) || !make_room(source, arena, &room, err)) {
		return false;
	}
	bool *holds = arena_alloc(arena, (size_t)rig->joint_count * SOURCE_KINDS, sizeof *holds);
	bool *weight_holds = arena_alloc(arena, (size_t)rig->weight_count + 1, sizeof *holds);
	find_holds(rig, source->clip, holds, weight_holds);
	struct pose pose = pose_rest(rig, arena);
	for (int i = 0; i < source->moment_count; i++) {
		if (!stop_check(source->stop, err)) {
			return false;
		}
		clip_sample(rig, source->clip, source_moment_s(source, i), &pose);
		keep(source, &pose, i, room.local, room.weights, room.world, room.moment_weights);
	}
	source->local = room.local;
	source->weights = room.weights;
	source->world = (const double(*)[12])room.world;
	source->moment_weights = room.moment_weights;
	source->holds = holds;
	source->weight_holds = weight_holds;
	return true;
}

static struct source begin(const struct source_job *job, double rate) {
	return (struct source){.rig = job->rig,
		.clip = job->clip,
		.stop = job->stop,
		.joint_count = job->rig->joint_count,
		.weight_count = job->rig->weight_count,
		.rate = (double)(float)rate,
		.duration_s = (double)(float)job->clip->duration_s};
}

bool source_make(const struct source_job *job, double rate, struct arena *arena,
	struct source *source, struct error *err) {
	*source = begin(job, rate);
	const double steps = fmax(0, ceil(job->clip->duration_s * source->rate - 1e-3));
	return check_count(job->rig, job->clip, steps + 1, err) &&
		fill(source, (int)steps + 1, arena, err);
}

/* True when all times are whole numbers of ticks, as far as float32 tells. */
static bool fits(const float *times, size_t count, double rate) {
	for (size_t i = 0; i < count; i++) {
		const double ticks = (double)times[i] * rate;
		const double off = fabs(ticks - round(ticks)) / rate;
		if (off > 1e-6 + 2e-7 * (double)times[i]) {
			return false;
		}
	}
	return true;
}

static double tick_rate(const struct clip *clip, const float *times, size_t count) {
	static const int shares[] = {
		1, 2, 3, 4, 5, 6, 8, 10, 16, 20, 25, 32, 50, 64, 100, 128, 200};
	static const int rates[] = {24, 25, 30, 1000, 4800, 6000, 24000, 30000};
	const double rate = source_rate(clip);
	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
		if (fits(times, count, rate * shares[i])) {
			return rate * shares[i];
		}
	}
	for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
		if (fits(times, count, rates[i])) {
			return rates[i];
		}
	}
	return TICKS_A_SECOND;
}

/* The ticks of all times and of what is between them; *kept is how many there are. */
static uint32_t *make_ticks(const float *times, size_t count, double rate, int parts,
	struct arena *arena, size_t *kept) {
	uint32_t *ticks = arena_alloc(arena, count * (size_t)parts, sizeof *ticks);
	double before = 0;
	*kept = 0;
	for (size_t i = 0; i < count; i++) {
		const double tick = round((double)times[i] * rate);
		for (int k = 1; i > 0 && tick > before && k < parts; k++) {
			ticks[(*kept)++] = (uint32_t)(before * parts + k * (tick - before));
		}
		if (i == 0 || tick > before) {
			ticks[(*kept)++] = (uint32_t)(tick * parts);
		}
		before = tick;
	}
	return ticks;
}

bool source_make_between_keys(const struct source_job *job, int parts, struct arena *arena,
	struct source *source, struct error *err) {
	const struct rig *rig = job->rig;
	const struct clip *clip = job->clip;
	float *times = make_times(clip, err);
	if (!times) {
		return false;
	}
	size_t count = collect_times(clip, times);
	const double rate = tick_rate(clip, times, count);
	*source = begin(job, rate * parts);
	bool done = check_count(rig, clip, (double)count * parts, err) &&
		(clip->duration_s * source->rate < UINT32_MAX / 2 ||
			check_count(rig, clip, INFINITY, err));
	if (done) {
		source->ticks = make_ticks(times, count, rate, parts, arena, &count);
		done = fill(source, (int)count, arena, err);
	}
	free(times);
	return done;
}

bool source_make_at_keys(const struct source_job *job, struct arena *arena, struct source *source,
	struct error *err) {
	return source_make_between_keys(job, 1, arena, source, err);
}
