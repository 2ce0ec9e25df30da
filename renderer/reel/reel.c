// Sequences of pictures: what is decided before the first is drawn.
#include "reel/reel.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "picture/picture.h"
#include "reel/hand.h"
#include "skinned/prepare.h"
#include "state/context.h"

/* Forgets the stills before. */
static void begin_run(struct reel *reel) {
	arena_reset(reel->notes);
	reel->run = (struct pose_run){
		.arena = reel->notes,
		.sources = reel->job.frame.subject.sources,
		.stop = reel->job.frame.subject.stop,
	};
	reel->memory = (struct skin_memory){.arena = reel->notes};
	reel->still = SIZE_MAX;
}

bool reel_prepare(struct renderer *renderer, struct reel *reel, size_t still, struct arena *arena,
	struct prepared *out, struct error *err) {
	const struct still *one = &reel->stills[still];
	const bool goes_on = reel->still < still && one->pose == reel->stills[reel->still].pose;
	if (!goes_on) {
		begin_run(reel);
	}
	reel->run.joints = 0; // each frame has its share
	struct prepare_wish wish = {
		.subject = reel->job.frame.subject,
		.run = &reel->run,
		.memory = &reel->memory,
	};
	wish.subject.pose = one->pose;
	wish.subject.clock_s = one->time_s;
	if (!prepare(renderer, &wish, arena, out, err)) {
		return false;
	}
	reel->still = still;
	return true;
}

static bool check_format(struct reel *reel, struct error *err) {
	const struct picture_settings *picture = &reel->job.frame.picture;
	const struct sequence_format *format = reel->job.format;
	const bool loses = format->always_loses || (format->loses_if_asked && picture->lossy);
	reel->settings = (struct sequence_settings){
		.width = picture->width,
		.height = picture->height,
		.count = reel->still_count * reel->turn_count,
		.fps = reel->rate,
		.begins_s = reel->begins_s,
		.rate_pointer = reel->rate_pointer,
		.loops = reel->job.frames.loops,
		.has_background = picture->background[3] == 1,
		.quality = picture->quality,
		.lossy = picture->lossy,
		.grey16 = picture_is_depth(picture) && format->takes_grey && !loses,
		.near = picture->shading.near,
		.far = picture->shading.far,
		.columns = reel->job.frames.columns,
		.most_bytes = reel->job.most_bytes,
		.plain_colors = reel->job.frames.plain_colors,
	};
	return sequence_check(format, &reel->settings, err) &&
		picture_check_background(picture, err) &&
		(!reel->settings.grey16 || picture_check_grey(picture, err)) &&
		(!loses || picture_check_loss(picture, format->media_type, err));
}

void renderer_reel_destroy(struct reel *reel) {
	if (reel) {
		reel->job.format->close(reel->sequence);
		arena_destroy(reel->notes);
		arena_destroy(reel->arena);
		free(reel);
	}
}

struct reel_facts renderer_reel_facts(const struct reel *reel) {
	const struct sheet_layout sheet = sequence_sheet_layout(&reel->settings);
	return (struct reel_facts){
		.count = reel->settings.count,
		.pixels = (uint64_t)reel->settings.count * (uint64_t)reel->settings.width *
			(uint64_t)reel->settings.height,
		.rate = reel->rate,
		.begins_s = reel->begins_s,
		.columns = sheet.columns,
		.rows = sheet.rows,
	};
}

double renderer_reel_begin_s(const struct reel *reel, size_t frame) {
	const struct sequence_settings *settings = &reel->settings;
	const double passes = (double)(frame / settings->count);
	return passes * sequence_begin_s(settings, settings->count) +
		sequence_begin_s(settings, frame % settings->count);
}

void renderer_reel_set_map(struct reel *reel, const char *map) {
	reel->settings.map = map;
}

/* Draws all frames of one pass, and finds where what is seen of them begins and ends. */
static bool survey_depth(struct reel_hand *hand, double *near, double *far, struct error *err) {
	unsigned char *rgba = picture_memory(&hand->frame.picture);
	bool fine = true;
	for (size_t i = 0; fine && i < hand->reel->settings.count; i++) {
		fine = reel_hand_prepare(hand, i, err) && reel_hand_draw(hand, i, rgba, err);
		const double begin = hand->report.depth_near, end = hand->report.depth_far;
		const bool is_empty = begin == 0 && end == 0;
		*near = is_empty ? *near : fmin(*near, begin);
		*far = is_empty ? *far : fmax(*far, end);
	}
	free(rgba);
	return fine;
}

/* Sets one range of distances for all frames, so that a grey is the same distance in each. */
static bool measure_depth(struct renderer *renderer, struct reel *reel, struct error *err) {
	struct shading_settings *shading = &reel->job.frame.picture.shading;
	if (shading->mode != SHADING_DEPTH || (shading->has_near && shading->has_far)) {
		return true;
	}
	struct reel_hand hand = reel_hand_begin(renderer, reel);
	hand.frame.picture.shading.has_near = hand.frame.picture.shading.has_far = false;
	double near = INFINITY, far = -INFINITY;
	begin_run(reel);
	const bool fine = survey_depth(&hand, &near, &far, err);
	reel_hand_end(&hand);
	if (near > far) {
		near = far = 0; // nothing is seen in any
	}
	// What was asked for stays: it is the other end that gives way.
	if (!shading->has_near) {
		shading->near = shading->has_far ? fmin(near, shading->far) : near;
	}
	if (!shading->has_far) {
		shading->far = fmax(far, shading->near);
	}
	shading->has_near = shading->has_far = true;
	reel->settings.near = shading->near;
	reel->settings.far = shading->far;
	return fine;
}

struct reel *renderer_reel_create(
	struct renderer *renderer, const struct reel_job *job, struct error *err) {
	struct reel *reel = xcalloc(1, sizeof *reel);
	reel->job = *job;
	reel->arena = arena_create();
	reel->notes = arena_create();
	begin_run(reel);
	if (context_check(renderer, err) && picture_check(renderer, &job->frame.picture, err) &&
		picture_check_look(&job->frame.picture, job->frame.subject.rig, err) &&
		reel_plan(reel, err) && check_format(reel, err) &&
		context_settle(renderer,
			reel_fit(renderer, reel, err) && measure_depth(renderer, reel, err), err)) {
		begin_run(reel);
		return reel;
	}
	renderer_reel_destroy(reel);
	return NULL;
}
