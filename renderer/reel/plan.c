// Which frames a sequence has.
#include <math.h>
#include <string.h>

#include "pose/find.h"
#include "pose/motion/root.h"
#include "reel/reel.h"

/* Frames a second where nothing says how many. */
#define RATE 24.0

/* A moment nearer to another than this share of a step is the same. */
#define SAME_MOMENT 1e-6

/* Moments of one pose. */
struct moments {
	const double *list; // [count] given, or NULL: evenly from the start on
	size_t count;
	double start_s, step_s;
	double rate;           // that they were taken at, or the mean; 0 = they do not say
	const double *lasts_s; // [count] from each to the next, in the arena; NULL = evenly
};

static bool refuse_count(const struct reel *reel, double count, struct error *err) {
	const struct value *moments = reel->job.frames.moments.place;
	const struct value *turntable = reel->job.frames.turntable.place;
	const struct value *place = moments ? moments : turntable;
	const char *const format = "%.0f frames, may be %zu; take fewer of each, or ask more often";
	return place
		? value_error(place, err, ERROR_TOO_LARGE, format, count, reel->job.most_frames)
		: error_at(err, ERROR_TOO_LARGE, "", format, count, reel->job.most_frames);
}

/* Where the times end, and whether that is a clip's end. */
struct end {
	double at_s;
	bool of_clip;
};

/* What was said, or the end of a clip, by name or the longest of the pose. */
static bool find_end(const struct reel *reel, struct end *end, struct error *err) {
	const struct frame_job *frame = &reel->job.frame;
	const struct moments_settings *settings = &reel->job.frames.moments;
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
		frame->subject.rig, reel->job.poses, &like, &end->at_s, &end->of_clip, err);
}

static bool refuse_span(const struct reel *reel, const struct end *end, struct error *err) {
	const struct moments_settings *settings = &reel->job.frames.moments;
	if (!settings->place) {
		return error_at(err, ERROR_INVALID_VALUE, "",
			"the pose has no clip whose frames these could be: name a \"clip\", or say "
			"the \"end\" of the times, or a \"turntable\"");
	}
	if (!end->of_clip) {
		return value_error(settings->place, err, ERROR_INVALID_VALUE,
			"the pose has no clip that the times could end with: name a \"clip\", or "
			"say their \"end\"");
	}
	if (settings->start_s == 0) {
		return value_error(value_member(settings->place, "count"), err, ERROR_INVALID_VALUE,
			"the clip has no length, and so one frame, not %d; say the \"end\" of the "
			"times",
			settings->count);
	}
	return value_error(value_member(settings->place, "start"), err, ERROR_INVALID_VALUE,
		"\"start\" is %.15g, must be before the end of the clip at %.15g",
		settings->start_s, end->at_s);
}

/* Evenly from the start to before the end. */
static bool spread(const struct reel *reel, struct moments *out, struct error *err) {
	const struct moments_settings *settings = &reel->job.frames.moments;
	struct end end;
	if (!find_end(reel, &end, err)) {
		return false;
	}
	const double span_s = end.at_s - settings->start_s;
	// The whole of a clip without length is one frame.
	if (span_s == 0 && end.at_s == 0 && end.of_clip && settings->count <= 1) {
		*out = (struct moments){.count = 1, .rate = settings->rate};
		return true;
	}
	if (!(span_s > 0)) {
		return refuse_span(reel, &end, err);
	}
	const double asked = reel->job.frames.rate > 0 ? reel->job.frames.rate : RATE;
	const double rate = settings->rate > 0 ? settings->rate : asked;
	const double count =
		settings->count > 0 ? settings->count : fmax(ceil(span_s * rate - SAME_MOMENT), 1);
	if (count > (double)reel->job.most_frames) {
		return refuse_count(reel, count, err);
	}
	*out = (struct moments){
		.count = (size_t)count,
		.start_s = settings->start_s,
		.step_s = settings->count > 0 ? span_s / count : 1 / rate,
		.rate = settings->count > 0 ? count / span_s : rate,
	};
	return true;
}

/* True when each moment is later than the one before, and all by the same time. */
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

/* How long each of a list is shown: until the next, and the last one for as long as the others on
 * an average, but none so briefly that it is faster than it may be. The sum is *span_s. */
static double *find_lasts(struct reel *reel, const double *list, size_t count, double *span_s) {
	const double least_s = 1 / reel->job.most_rate;
	const double mean_s = (list[count - 1] - list[0]) / (double)(count - 1);
	double *lasts_s = arena_alloc(reel->arena, count, sizeof *lasts_s);
	*span_s = 0;
	for (size_t i = 0; i < count; i++) {
		lasts_s[i] = fmax(i + 1 < count ? list[i + 1] - list[i] : mean_s, least_s);
		*span_s += lasts_s[i];
	}
	return lasts_s;
}

/* Those of a list say how fast they follow one another only if they go forward. */
static struct moments list_moments(struct reel *reel) {
	const struct moments_settings *settings = &reel->job.frames.moments;
	const size_t count = settings->list_count;
	struct moments moments = {.list = settings->list, .count = count};
	bool evenly;
	if (goes_forward(settings->list, count, &evenly)) {
		double span_s;
		const double *lasts_s = find_lasts(reel, settings->list, count, &span_s);
		moments.lasts_s = evenly ? NULL : lasts_s;
		moments.rate = (double)count / span_s;
	}
	return moments;
}

static bool find_moments(struct reel *reel, struct moments *out, struct error *err) {
	const struct reel_job *job = &reel->job;
	if (job->frames.moments.list) {
		*out = list_moments(reel);
		return true;
	}
	if (job->frames.moments.place || (!job->many && job->frames.turntable.count == 0)) {
		return spread(reel, out, err);
	}
	*out = (struct moments){.count = 1};
	return true;
}

static bool check_size(const struct reel *reel, struct error *err) {
	const struct reel_job *job = &reel->job;
	const double frames = (double)reel->still_count * (double)reel->turn_count;
	if (frames > (double)job->most_frames) {
		return refuse_count(reel, frames, err);
	}
	const double pixels = frames * job->frame.picture.width * job->frame.picture.height;
	return pixels <= (double)job->most_pixels ||
		error_at(err, ERROR_TOO_LARGE, "/width",
			"%.0f frames of %d x %d have %.0f million pixels, may have %.0f", frames,
			job->frame.picture.width, job->frame.picture.height, pixels / 1e6,
			(double)job->most_pixels / 1e6);
}

/* What in the request says how fast the sequence is shown; NULL = nothing does. */
static const struct value *find_rate_place(const struct frames_settings *frames) {
	const struct moments_settings *moments = &frames->moments;
	return frames->rate > 0      ? frames->rate_place
		: moments->list      ? moments->place
		: moments->count > 0 ? value_member(moments->place, "count")
		: moments->rate > 0  ? value_member(moments->place, "fps")
				     : NULL;
}

/* Bytes of a pointer to it. */
#define POINTER_BYTES 64

static void choose_rate(struct reel *reel, const struct moments *moments) {
	const struct frames_settings *frames = &reel->job.frames;
	const double rate = frames->rate > 0 ? frames->rate
		: moments->rate > 0          ? fmin(moments->rate, reel->job.most_rate)
					     : RATE;
	reel->rate = fmax(rate, SEQUENCE_FPS_LEAST);
	const struct value *place = find_rate_place(frames);
	if (place) {
		char pointer[POINTER_BYTES];
		value_pointer(place, pointer, sizeof pointer);
		reel->rate_pointer = arena_strndup(reel->arena, pointer, strlen(pointer));
	}
}

/* Puts down when each frame is shown, where that is not evenly: all moments from each place of the
 * camera. */
static void choose_times(struct reel *reel, const struct moments *moments) {
	if (!moments->lasts_s || reel->job.frames.rate > 0) {
		return;
	}
	const size_t count = reel->still_count * reel->turn_count;
	double *begins_s = arena_alloc(reel->arena, count + 1, sizeof *begins_s);
	begins_s[0] = 0;
	for (size_t i = 0; i < count; i++) {
		begins_s[i + 1] = begins_s[i] + moments->lasts_s[i % moments->count];
	}
	reel->begins_s = begins_s;
}

bool reel_plan(struct reel *reel, struct error *err) {
	const struct reel_job *job = &reel->job;
	struct moments moments = {0};
	if (!find_moments(reel, &moments, err)) {
		return false;
	}
	reel->still_count = job->pose_count * moments.count;
	reel->turn_count =
		job->frames.turntable.count > 0 ? (size_t)job->frames.turntable.count : 1;
	choose_rate(reel, &moments);
	if (!check_size(reel, err)) {
		return false;
	}
	choose_times(reel, &moments);
	reel->stills = arena_alloc(reel->arena, reel->still_count, sizeof *reel->stills);
	for (size_t i = 0; i < reel->still_count; i++) {
		const size_t moment = i % moments.count;
		reel->stills[i].pose = job->poses ? &job->poses[i / moments.count] : NULL;
		reel->stills[i].time_s = moments.list
			? moments.list[moment]
			: moments.start_s + (double)moment * moments.step_s;
	}
	return true;
}
