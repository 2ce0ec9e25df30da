// An expression over a length of time -> a clip.
#include "pose/motion/bake_clip.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/clip_pack.h"
#include "pose/motion/root.h"

/* A last frame nearer to the end than this share of a step is the end, and so is one that float32
 * cannot tell from it. */
#define SAME_KEY 1e-3

#define PATHS 4

struct bake {
	const struct bake_job *job;
	const struct rig *rig;
	struct pose_run run;
	double duration_s;
	size_t count;          // frames
	const float *times;    // [count] in the arena, or the job's
	struct pose *poses;    // [count] owned together
	unsigned char *driven; // [joint_count] by any frame; in the arena
};

/* --- Frames --- */

/* Refuses the length of the clip. Always false. */
__attribute__((format(printf, 4, 5))) static bool refuse_length(
	const struct bake *bake, struct error *err, enum error_code code, const char *format, ...) {
	char text[400];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	return bake->job->source ? value_error(bake->job->source, err, code, "%s", text)
				 : error_set(err, code, "%s", text);
}

/* Whole steps before the end. */
static double whole_steps(const struct bake *bake) {
	return floor(bake->duration_s * bake->job->rate + SAME_KEY);
}

static bool check_count(const struct bake *bake, double count, struct error *err) {
	const struct bake_job *job = bake->job;
	if (!(count <= (double)job->max_frames)) {
		return refuse_length(bake, err, ERROR_TOO_LARGE,
			"%.15g s at %.15g frames a second are %.0f frames, may be %zu; bake less, "
			"or at a lower rate",
			bake->duration_s, job->times ? count / bake->duration_s : job->rate, count,
			job->max_frames);
	}
	const double pose_bytes = (double)bake->rig->joint_count * sizeof(struct transform) +
		(double)bake->rig->weight_count * sizeof(float);
	return count * pose_bytes <= (double)BAKE_CLIP_BYTES ||
		refuse_length(bake, err, ERROR_TOO_LARGE,
			"%.0f frames of %d joints take %.0f MiB, may take %zu; bake less, or at a "
			"lower rate",
			count, bake->rig->joint_count, ceil(count * pose_bytes / (1 << 20)),
			BAKE_CLIP_BYTES >> 20);
}

static bool take_times(struct bake *bake, struct error *err) {
	const struct bake_job *job = bake->job;
	bake->times = job->times;
	bake->count = job->time_count;
	bake->duration_s = (double)job->times[job->time_count - 1];
	return check_count(bake, (double)job->time_count, err);
}

static bool set_times(struct bake *bake, struct arena *arena, struct error *err) {
	const double steps = whole_steps(bake), rate = bake->job->rate;
	const bool whole = bake->duration_s - steps / rate <= SAME_KEY / rate ||
		(float)(steps / rate) >= (float)bake->duration_s;
	if (!check_count(bake, steps + (whole ? 1 : 2), err)) {
		return false;
	}
	if (!isfinite((float)bake->duration_s)) {
		return refuse_length(bake, err, ERROR_INVALID_VALUE,
			"%.15g s are farther than float32 reaches, which keys' times are",
			bake->duration_s);
	}
	bake->count = (size_t)steps + (whole ? 1 : 2);
	float *times = arena_alloc(arena, bake->count, sizeof *times);
	bake->times = times;
	for (size_t i = 0; i < bake->count; i++) {
		const double time_s = (double)i / rate;
		const bool last = i > 0 && i == bake->count - 1;
		times[i] = (float)(last ? bake->duration_s : time_s);
		if (i > 0 && !(times[i] > times[i - 1])) {
			return refuse_length(bake, err, ERROR_INVALID_VALUE,
				"frames at a rate of %.15g are nearer to one another than float32 "
				"can tell after %.15g s",
				rate, time_s);
		}
	}
	return true;
}

/* The poses' arrays, in one block. */
static bool make_room(struct bake *bake, struct error *err) {
	const size_t joints = (size_t)bake->rig->joint_count;
	const size_t weights = (size_t)bake->rig->weight_count;
	const size_t bytes =
		sizeof(struct pose) + joints * sizeof(struct transform) + weights * sizeof(float);
	bake->poses = try_calloc(bake->count, bytes, "the frames", err);
	if (!bake->poses) {
		return false;
	}
	struct transform *transforms = (struct transform *)(bake->poses + bake->count);
	float *numbers = (float *)(transforms + bake->count * joints);
	for (size_t i = 0; i < bake->count; i++) {
		bake->poses[i] = (struct pose){
			.joint_count = bake->rig->joint_count,
			.local = transforms + i * joints,
			.weight_count = bake->rig->weight_count,
			.weights = numbers + i * weights,
		};
	}
	return true;
}

static bool evaluate(struct bake *bake, double time_s, struct arena *arena, struct pose *pose,
	struct error *err) {
	struct pose_context context = pose_context_make(bake->rig, arena, &bake->run);
	context.time.clock_s = time_s;
	return pose_evaluate(&context, bake->job->subject.pose, pose, err);
}

static void keep(struct bake *bake, const struct pose *pose, struct pose *frame) {
	memcpy(frame->local, pose->local, (size_t)pose->joint_count * sizeof *pose->local);
	if (pose->weight_count > 0) {
		memcpy(frame->weights, pose->weights,
			(size_t)pose->weight_count * sizeof *pose->weights);
	}
	for (int i = 0; i < pose->joint_count; i++) {
		bake->driven[i] |= pose->driven[i];
	}
}

/* Negates what lies on the other side of the rotation before. */
static void turn_towards(const float before[static 4], float q[static 4]) {
	double dot = 0;
	for (int k = 0; k < 4; k++) {
		dot += (double)before[k] * (double)q[k];
	}
	for (int k = 0; k < 4 && dot < 0; k++) {
		q[k] = -q[k];
	}
}

static bool add_frame(struct bake *bake, size_t i, struct arena *arena, struct error *err) {
	struct pose pose, *frame = &bake->poses[i];
	if (!stop_check(bake->job->subject.stop, err) ||
		!evaluate(bake, (double)bake->times[i], arena, &pose, err)) {
		return false;
	}
	keep(bake, &pose, frame);
	for (int joint = 0; i > 0 && joint < frame->joint_count; joint++) {
		turn_towards(frame[-1].local[joint].rotation, frame->local[joint].rotation);
	}
	return true;
}

/* The duration that was not given: of the longest clip that the first frame samples. */
static bool find_duration(struct bake *bake, struct error *err) {
	return pose_find_length(bake->rig, bake->job->subject.pose, &bake->run, &bake->duration_s,
		       NULL, err) &&
		(bake->duration_s > 0 ||
			refuse_length(bake, err, ERROR_INVALID_VALUE,
				"\"duration\" is missing, and the pose samples no clip that it "
				"could be taken from"));
}

static bool add_frames(struct bake *bake, struct error *err) {
	struct arena *arena = arena_create();
	bool ok = true;
	for (size_t i = 0; ok && i < bake->count; i++) {
		ok = add_frame(bake, i, arena, err);
		arena_reset(arena);
	}
	arena_destroy(arena);
	return ok;
}

/* --- Channels --- */

static const float *numbers_of(
	const struct bake *bake, size_t frame, const struct channel *channel) {
	int width;
	return pose_channel(bake->rig, &bake->poses[frame], channel->joint, channel->path, &width);
}

static bool changes(const struct bake *bake, const struct channel *channel) {
	const size_t bytes = (size_t)channel->width * sizeof(float);
	const float *first = numbers_of(bake, 0, channel);
	for (size_t i = 1; i < bake->count; i++) {
		if (memcmp(first, numbers_of(bake, i, channel), bytes) != 0) {
			return true;
		}
	}
	return false;
}

static void fill(const struct bake *bake, struct channel *channel, const float *times, size_t keys,
	struct arena *arena) {
	const size_t width = (size_t)channel->width;
	float *values = arena_alloc(arena, keys * width, sizeof *values);
	for (size_t i = 0; i < keys; i++) {
		memcpy(values + i * width, numbers_of(bake, i, channel), width * sizeof *values);
	}
	channel->key_count = (int)keys;
	channel->times = times;
	channel->values = values;
}

static int width_of(const struct rig *rig, int joint, enum channel_path path) {
	return path == CHANNEL_WEIGHTS     ? rig->joints[joint].weight_count
		: path == CHANNEL_ROTATION ? 4
					   : 3;
}

/* Channels of one joint that any frame drives. */
static void add_channels(struct bake *bake, int joint, struct arena *arena, struct clip *out) {
	for (int path = 0; path < PATHS; path++) {
		struct channel channel = {
			.joint = joint,
			.path = (enum channel_path)path,
			.interpolation = INTERPOLATION_LINEAR,
			.width = width_of(bake->rig, joint, (enum channel_path)path),
		};
		if ((bake->driven[joint] >> path & 1) == 0 || channel.width == 0) {
			continue;
		}
		const size_t keys = changes(bake, &channel) ? bake->count : 1;
		fill(bake, &channel, bake->times, keys, arena);
		out->channels[out->channel_count++] = channel;
	}
}

/* Gives a clip in which nothing moves its length. */
static void hold_first(const struct bake *bake, struct arena *arena, struct clip *out) {
	float *ends = arena_alloc(arena, 2, sizeof *ends);
	ends[1] = bake->times[bake->count - 1];
	if (out->duration_s < (double)ends[1]) {
		fill(bake, &out->channels[0], ends, 2, arena);
		clip_sum_up(out);
	}
}

static bool make_clip(struct bake *bake, struct arena *arena, struct clip *out, struct error *err) {
	const size_t most = (size_t)bake->rig->joint_count * PATHS;
	*out = (struct clip){.channels = arena_alloc(arena, most, sizeof *out->channels)};
	for (int joint = 0; joint < bake->rig->joint_count; joint++) {
		add_channels(bake, joint, arena, out);
	}
	if (out->channel_count == 0) {
		static const char nothing[] = "the pose drives no joint: there is nothing to bake";
		const struct value *expression = bake->job->subject.pose;
		return expression ? value_error(expression, err, ERROR_INVALID_VALUE, "%s", nothing)
				  : error_set(err, ERROR_INVALID_VALUE, "%s", nothing);
	}
	clip_sum_up(out);
	hold_first(bake, arena, out);
	return true;
}

bool bake_clip(
	const struct bake_job *job, struct arena *arena, struct clip *out, struct error *err) {
	struct arena *notes = arena_create();
	struct bake bake = {
		.job = job,
		.rig = job->subject.rig,
		.run = {.arena = notes, .sources = job->subject.sources, .stop = job->subject.stop},
		.duration_s = job->duration_s,
		.driven = arena_alloc(arena, (size_t)job->subject.rig->joint_count, 1),
	};
	const bool timed = job->times ? take_times(&bake, err)
				      : (job->duration_s >= 0 || find_duration(&bake, err)) &&
			set_times(&bake, arena, err);
	const bool baked = timed && make_room(&bake, err) && add_frames(&bake, err) &&
		make_clip(&bake, arena, out, err);
	free(bake.poses);
	arena_destroy(notes);
	return baked;
}
