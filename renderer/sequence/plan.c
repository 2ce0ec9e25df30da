// The frames of a sequence: their poses, times and frame rate.
#include <math.h>
#include <string.h>

#include "pose/find.h"
#include "pose/motion/root.h"
#include "sequence/sequence_render.h"

/* Default frame rate. */
#define RATE 24.0

/* Two moments closer than this fraction of a step are the same. */
#define SAME_MOMENT 1e-6

/* Moments of one pose. */
struct moments {
	const double *list; // [count] as given; NULL = evenly from start_s
	size_t count;
	double start_s, step_s;
	double rate;               // frames a second of the moments, or their mean; 0 = unknown
	const double *durations_s; // [count] from each to the next, in the arena; NULL = evenly
};

static bool refuse_count(const struct sequence *sequence, double count, struct error *err) {
	const struct value *moments = sequence->job.frames.moments.source;
	const struct value *turntable = sequence->job.frames.turntable.source;
	const struct value *source = moments ? moments : turntable;
	const char *const format = "%.0f frames, may be %zu; take fewer of each, or ask more often";
	return source
		? value_error(source, err, ERROR_TOO_LARGE, format, count, sequence->job.max_frames)
		: error_at(err, ERROR_TOO_LARGE, "", format, count, sequence->job.max_frames);
}

/* The end of the times. */
struct end {
	double at_s;
	bool of_clip;
};

/* The end that the request names, or that of its clip, or of the longest clip of the pose. */
static bool find_end(const struct sequence *sequence, struct end *end, struct error *err) {
	const struct frame_job *frame = &sequence->job.frame;
	const struct moments_settings *settings = &sequence->job.frames.moments;
	*end = (struct end){.at_s = settings->end_s};
	if (settings->has_end) {
		return true;
	}
	if (settings->clip) {
		const struct clip *clip = pose_find_clip(frame->subject.rig, settings->clip, err);
		*end = (struct end){clip ? clip->duration_s : 0, true};
		return clip;
	}
	const struct pose_run like = {
		.sources = frame->subject.sources, .stop = frame->subject.stop};
	return pose_find_length(
		frame->subject.rig, sequence->job.poses, &like, &end->at_s, &end->of_clip, err);
}

static bool refuse_span(const struct sequence *sequence, const struct end *end, struct error *err) {
	const struct moments_settings *settings = &sequence->job.frames.moments;
	if (!settings->source) {
		return error_at(err, ERROR_INVALID_VALUE, "",
			"the pose has no clip whose frames these could be: name a \"clip\", or say "
			"the \"end\" of the times, or a \"turntable\"");
	}
	if (!end->of_clip) {
		return value_error(settings->source, err, ERROR_INVALID_VALUE,
			"the pose has no clip that the times could end with: name a \"clip\", or "
			"say their \"end\"");
	}
	if (settings->start_s == 0) {
		return value_error(value_member(settings->source, "count"), err,
			ERROR_INVALID_VALUE,
			"the clip has no length, and so one frame, not %d; say the \"end\" of the "
			"times",
			settings->count);
	}
	return value_error(value_member(settings->source, "start"), err, ERROR_INVALID_VALUE,
		"\"start\" is %.15g, must be before the end of the clip at %.15g",
		settings->start_s, end->at_s);
}

/* Evenly from the start up to, but without, the end. */
static bool spread(const struct sequence *sequence, struct moments *out, struct error *err) {
	const struct moments_settings *settings = &sequence->job.frames.moments;
	struct end end;
	if (!find_end(sequence, &end, err)) {
		return false;
	}
	const double span_s = end.at_s - settings->start_s;
	// A clip of length zero is one frame.
	if (span_s == 0 && end.at_s == 0 && end.of_clip && settings->count <= 1) {
		*out = (struct moments){.count = 1, .rate = settings->rate};
		return true;
	}
	if (!(span_s > 0)) {
		return refuse_span(sequence, &end, err);
	}
	const double requested = sequence->job.frames.rate > 0 ? sequence->job.frames.rate : RATE;
	const double rate = settings->rate > 0 ? settings->rate : requested;
	const double count =
		settings->count > 0 ? settings->count : fmax(ceil(span_s * rate - SAME_MOMENT), 1);
	if (count > (double)sequence->job.max_frames) {
		return refuse_count(sequence, count, err);
	}
	*out = (struct moments){
		.count = (size_t)count,
		.start_s = settings->start_s,
		.step_s = settings->count > 0 ? span_s / count : 1 / rate,
		.rate = settings->count > 0 ? count / span_s : rate,
	};
	return true;
}

/* True if the moments strictly increase; *evenly: with the same step. */
static bool goes_forward(const double *list, size_t count, bool *evenly) {
	const double step_s = count > 1 ? (list[count - 1] - list[0]) / (double)(count - 1) : 0;
	bool forward = count > 1;
	*evenly = true;
	for (size_t i = 1; i < count; i++) {
		forward &= list[i] > list[i - 1];
		*evenly &= fabs(list[i] - list[i - 1] - step_s) <= SAME_MOMENT * step_s;
	}
	return forward;
}

/* The time that each moment is shown: until the next one, the last one for the mean time, and none
 * below 1 / max_rate. *span_s is the sum. */
static double *find_durations(
	struct sequence *sequence, const double *list, size_t count, double *span_s) {
	const double min_s = 1 / sequence->job.max_rate;
	const double mean_s = (list[count - 1] - list[0]) / (double)(count - 1);
	double *durations_s = arena_alloc(sequence->arena, count, sizeof *durations_s);
	*span_s = 0;
	for (size_t i = 0; i < count; i++) {
		durations_s[i] = fmax(i + 1 < count ? list[i + 1] - list[i] : mean_s, min_s);
		*span_s += durations_s[i];
	}
	return durations_s;
}

/* A list defines a frame rate only if its moments increase. */
static struct moments list_moments(struct sequence *sequence) {
	const struct moments_settings *settings = &sequence->job.frames.moments;
	const size_t count = settings->list_count;
	struct moments moments = {.list = settings->list, .count = count};
	bool evenly;
	if (goes_forward(settings->list, count, &evenly)) {
		double span_s;
		const double *durations_s =
			find_durations(sequence, settings->list, count, &span_s);
		moments.durations_s = evenly ? NULL : durations_s;
		moments.rate = (double)count / span_s;
	}
	return moments;
}

static bool find_moments(struct sequence *sequence, struct moments *out, struct error *err) {
	const struct sequence_job *job = &sequence->job;
	if (job->frames.moments.list) {
		*out = list_moments(sequence);
		return true;
	}
	if (job->frames.moments.source || (!job->many && job->frames.turntable.count == 0)) {
		return spread(sequence, out, err);
	}
	*out = (struct moments){.count = 1};
	return true;
}

static bool check_size(const struct sequence *sequence, struct error *err) {
	const struct sequence_job *job = &sequence->job;
	const double frames = (double)sequence->sample_count * (double)sequence->view_count;
	if (frames > (double)job->max_frames) {
		return refuse_count(sequence, frames, err);
	}
	const double pixels = frames * job->frame.picture.width * job->frame.picture.height;
	return pixels <= (double)job->max_pixels ||
		error_at(err, ERROR_TOO_LARGE, "/width",
			"%.0f frames of %d x %d have %.0f million pixels, may have %.0f", frames,
			job->frame.picture.width, job->frame.picture.height, pixels / 1e6,
			(double)job->max_pixels / 1e6);
}

/* The member of the request that sets the frame rate; NULL = none. */
static const struct value *find_rate_source(const struct frames_settings *frames) {
	const struct moments_settings *moments = &frames->moments;
	return frames->rate > 0      ? frames->rate_source
		: moments->list      ? moments->source
		: moments->count > 0 ? value_member(moments->source, "count")
		: moments->rate > 0  ? value_member(moments->source, "fps")
				     : NULL;
}

/* Bytes of a JSON pointer to it. */
#define POINTER_BYTES 64

static void choose_rate(struct sequence *sequence, const struct moments *moments) {
	const struct frames_settings *frames = &sequence->job.frames;
	const double rate = frames->rate > 0 ? frames->rate
		: moments->rate > 0          ? fmin(moments->rate, sequence->job.max_rate)
					     : RATE;
	sequence->rate = fmax(rate, SEQUENCE_FPS_MIN);
	const struct value *source = find_rate_source(frames);
	if (source) {
		char pointer[POINTER_BYTES];
		value_pointer(source, pointer, sizeof pointer);
		sequence->rate_pointer = arena_strndup(sequence->arena, pointer, strlen(pointer));
	}
}

/* Sets when each frame is shown if the times are uneven: all moments, once for each view. */
static void choose_times(struct sequence *sequence, const struct moments *moments) {
	if (!moments->durations_s || sequence->job.frames.rate > 0) {
		return;
	}
	const size_t count = sequence->sample_count * sequence->view_count;
	double *begins_s = arena_alloc(sequence->arena, count + 1, sizeof *begins_s);
	begins_s[0] = 0;
	for (size_t i = 0; i < count; i++) {
		begins_s[i + 1] = begins_s[i] + moments->durations_s[i % moments->count];
	}
	sequence->begins_s = begins_s;
}

bool sequence_plan(struct sequence *sequence, struct error *err) {
	const struct sequence_job *job = &sequence->job;
	struct moments moments = {0};
	if (!find_moments(sequence, &moments, err)) {
		return false;
	}
	sequence->sample_count = job->pose_count * moments.count;
	sequence->view_count =
		job->frames.turntable.count > 0 ? (size_t)job->frames.turntable.count : 1;
	choose_rate(sequence, &moments);
	if (!check_size(sequence, err)) {
		return false;
	}
	choose_times(sequence, &moments);
	sequence->samples =
		arena_alloc(sequence->arena, sequence->sample_count, sizeof *sequence->samples);
	for (size_t i = 0; i < sequence->sample_count; i++) {
		const size_t moment = i % moments.count;
		sequence->samples[i].pose = job->poses ? &job->poses[i / moments.count] : NULL;
		sequence->samples[i].time_s = moments.list
			? moments.list[moment]
			: moments.start_s + (double)moment * moments.step_s;
	}
	return true;
}
