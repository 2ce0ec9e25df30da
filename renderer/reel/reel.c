// Sequences of pictures: what is decided before the first is drawn.
#include "reel/reel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "picture/frame.h"
#include "picture/picture.h"
#include "skinned/prepare.h"
#include "state/context.h"
#include "state/state.h"

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

struct reel_hand reel_hand_begin(struct renderer *renderer, struct reel *reel) {
	return (struct reel_hand){
		.renderer = renderer,
		.reel = reel,
		.arena = arena_create(),
		.still = SIZE_MAX,
		.frame = reel->job.frame,
	};
}

static void drop_still(struct reel_hand *hand) {
	if (hand->still != SIZE_MAX) {
		prepared_finish(&hand->prepared);
		hand->still = SIZE_MAX;
	}
}

void reel_hand_end(struct reel_hand *hand) {
	drop_still(hand);
	arena_destroy(hand->arena);
}

/* Methods and devices are the same for all; times add up. */
static void add_report(struct reel_hand *hand) {
	const struct skinning_report before = hand->report;
	hand->report = prepared_report(&hand->prepared);
	hand->report.flags |= before.flags;
	hand->report.vertices += before.vertices;
	hand->report.times = before.times;
	hand->report.times.pose_s += clock_lap_s(&hand->mark);
}

bool reel_hand_prepare(struct reel_hand *hand, size_t frame, struct error *err) {
	const size_t still = frame % hand->reel->still_count;
	hand->mark = clock_now_s();
	// Of several, each follows the one before it, whichever hand has that.
	if (hand->still == still && hand->reel->still_count == 1) {
		return true;
	}
	drop_still(hand);
	arena_reset(hand->arena);
	if (!reel_prepare(hand->renderer, hand->reel, still, hand->arena, &hand->prepared, err)) {
		return false;
	}
	hand->still = still;
	hand->skinned = false;
	hand->frame.subject.pose = hand->reel->stills[still].pose;
	hand->frame.subject.clock_s = hand->reel->stills[still].time_s;
	add_report(hand);
	return true;
}

/* Skins what was prepared, unless it is skinned already. */
static bool skin(struct reel_hand *hand, struct error *err) {
	if (hand->skinned) {
		return true;
	}
	const bool fine = frame_skin(
		hand->renderer, &hand->frame, &hand->prepared, hand->arena, &hand->figure, err);
	hand->figure.footing = hand->reel->footing;
	hand->report.times.skin_s += clock_lap_s(&hand->mark);
	prepared_add_outcome(&hand->prepared, &hand->report);
	if (fine) {
		counters_add_skinned(
			hand->renderer, hand->report.method, hand->prepared.rig->vertex_count);
	}
	hand->skinned = fine;
	return fine;
}

/* Makes what the format takes of what was drawn. */
static void finish_pixels(struct reel_hand *hand, unsigned char *rgba) {
	const struct picture_settings *picture = &hand->frame.picture;
	if (hand->reel->settings.grey16) {
		picture_to_grey16(picture, rgba, &hand->report);
	} else {
		picture_to_colors(picture, rgba, &hand->report);
	}
}

bool reel_hand_draw(struct reel_hand *hand, size_t frame, unsigned char *rgba, struct error *err) {
	struct reel *reel = hand->reel;
	struct camera camera;
	hand->mark = clock_now_s();
	const bool drawn = stop_check(reel->job.frame.subject.stop, err) && skin(hand, err) &&
		reel_camera(hand->renderer, reel, frame, &hand->prepared, &hand->figure, &camera,
			err) &&
		frame_draw(hand->renderer, &hand->frame, &hand->figure, &camera, &hand->mark, rgba,
			&hand->report, err);
	if (drawn) {
		finish_pixels(hand, rgba);
		counters_add(&hand->renderer->counters.frames_drawn, 1);
	}
	return drawn;
}

static struct reel_slot *slot_at(struct reel_line *line, size_t place) {
	return &line->slots[place % REEL_LINE_SLOTS];
}

static bool pack(struct reel_line *line, const unsigned char *rgba, struct error *err) {
	const struct reel *reel = line->reel;
	const struct sequence_format *format = reel->job.format;
	struct buffer packed = {0};
	const bool fine = format->pack(&reel->settings, rgba, &packed, err) &&
		format->add(reel->sequence, &packed, line->out, err);
	buffer_finish(&packed);
	return fine;
}

/* Of several that failed the first in the sequence tells. With the mutex. */
static void fail(struct reel_line *line, size_t place, const struct error *err) {
	if (place < line->failed_at) {
		line->failed_at = place;
		line->err = *err;
	}
}

/* Waits for the next frame; false when there will be none. With the mutex. */
static bool wait_for_frame(struct reel_line *line) {
	struct reel_slot *slot = slot_at(line, line->packed);
	while (!slot->drawn && !line->ending && line->packed < line->failed_at) {
		pthread_cond_wait(&line->changed, &line->mutex);
	}
	return slot->drawn && line->packed < line->failed_at;
}

static void *work(void *context) {
	struct reel_line *line = context;
	pthread_mutex_lock(&line->mutex);
	while (wait_for_frame(line)) {
		struct reel_slot *slot = slot_at(line, line->packed);
		struct error err = {0};
		pthread_mutex_unlock(&line->mutex);
		double mark = clock_now_s();
		const bool fine = pack(line, slot->rgba, &err);
		pthread_mutex_lock(&line->mutex);
		line->encode_s += clock_lap_s(&mark);
		line->bytes = line->out->size;
		slot->drawn = false;
		if (fine) {
			line->packed++;
		} else {
			fail(line, line->packed, &err);
		}
		pthread_cond_broadcast(&line->changed);
	}
	pthread_mutex_unlock(&line->mutex);
	return NULL;
}

static void finish(struct reel_line *line) {
	for (int i = 0; i < REEL_LINE_SLOTS; i++) {
		free(line->slots[i].rgba);
	}
	pthread_cond_destroy(&line->changed);
	pthread_mutex_destroy(&line->mutex);
}

bool reel_line_begin(
	struct reel_line *line, const struct reel *reel, struct buffer *out, struct error *err) {
	*line = (struct reel_line){
		.reel = reel, .out = out, .bytes = out->size, .hands = 1, .failed_at = SIZE_MAX};
	pthread_mutex_init(&line->mutex, NULL);
	pthread_cond_init(&line->changed, NULL);
	const int failure = pthread_create(&line->thread, NULL, work, line);
	if (failure) {
		finish(line);
		return error_set(err, ERROR_OVERLOADED, "no thread to pack the frames: %s",
			strerror(failure));
	}
	return true;
}

bool reel_line_join(struct reel_line *line) {
	pthread_mutex_lock(&line->mutex);
	const bool joins = line->hands < REEL_HANDS_MAX;
	line->hands += joins;
	pthread_mutex_unlock(&line->mutex);
	return joins;
}

void reel_line_leave(struct reel_line *line) {
	pthread_mutex_lock(&line->mutex);
	line->hands--;
	pthread_mutex_unlock(&line->mutex);
}

unsigned char *reel_line_take(struct reel_line *line) {
	pthread_mutex_lock(&line->mutex);
	// Each hand has a frame, and one more is packed.
	while (line->failed_at == SIZE_MAX && line->taken - line->packed > line->hands) {
		pthread_cond_wait(&line->changed, &line->mutex);
	}
	struct reel_slot *slot = line->failed_at == SIZE_MAX ? slot_at(line, line->taken++) : NULL;
	pthread_mutex_unlock(&line->mutex);
	if (slot && !slot->rgba) {
		slot->rgba = picture_memory(&line->reel->job.frame.picture);
	}
	return slot ? slot->rgba : NULL;
}

void reel_line_give(struct reel_line *line, size_t place, const struct error *err) {
	pthread_mutex_lock(&line->mutex);
	if (err) {
		fail(line, place, err);
	}
	slot_at(line, place)->drawn = !err;
	pthread_cond_broadcast(&line->changed);
	pthread_mutex_unlock(&line->mutex);
}

size_t reel_line_bytes(struct reel_line *line) {
	pthread_mutex_lock(&line->mutex);
	const size_t bytes = line->bytes;
	pthread_mutex_unlock(&line->mutex);
	return bytes;
}

bool reel_line_end(struct reel_line *line, size_t *packed, struct error *err) {
	pthread_mutex_lock(&line->mutex);
	line->ending = true;
	pthread_cond_broadcast(&line->changed);
	pthread_mutex_unlock(&line->mutex);
	pthread_join(line->thread, NULL);
	const bool fine = line->failed_at == SIZE_MAX;
	if (!fine && err) {
		*err = line->err;
	}
	*packed = line->packed;
	finish(line);
	return fine;
}
