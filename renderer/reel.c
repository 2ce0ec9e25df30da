// Sequences of pictures: each pose is skinned once for all places that it is drawn from one after
// another, and frames are packed while others are drawn.
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "reel_internal.h"

/* Forgets the stills before. */
static void begin_run(struct reel *reel) {
	arena_reset(reel->notes);
	reel->run = (struct pose_run){
		.arena = reel->notes,
		.sources = reel->job.frame.sources,
		.stop = reel->job.frame.stop,
	};
	reel->memory = (struct skin_memory){.arena = reel->notes};
	reel->still = SIZE_MAX;
}

bool reel_prepare(struct renderer *renderer, struct reel *reel, size_t still, struct arena *arena,
	struct prepared *out, struct error *err) {
	const struct frame_job *frame = &reel->job.frame;
	const struct still *one = &reel->stills[still];
	const bool goes_on = reel->still < still && one->pose == reel->stills[reel->still].pose;
	if (!goes_on) {
		begin_run(reel);
	}
	reel->run.joints = 0; // each frame has its share
	const struct prepare_wish wish = {
		.rig = frame->rig,
		.pose = one->pose,
		.clock_s = one->time_s,
		.run = &reel->run,
		.sources = frame->sources,
		.settings = &frame->skinning,
		.examples = frame->examples,
		.stop = frame->stop,
		.memory = &reel->memory,
	};
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
		.loops = reel->job.frames.loops,
		.has_background = picture->background[3] == 1,
		.quality = picture->quality,
		.lossy = picture->lossy,
		.columns = reel->job.frames.columns,
	};
	return sequence_check(format, &reel->settings, err) &&
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
		.columns = sheet.columns,
		.rows = sheet.rows,
	};
}

void renderer_reel_set_map(struct reel *reel, const char *map) {
	reel->settings.map = map;
}

/* --- Drawing --- */

/* What is drawn of a sequence at a time. */
struct take {
	struct renderer *renderer;
	struct reel *reel;
	struct arena *arena; // of the figure
	struct skinning_report *report;
	double mark, until_s;
	size_t still;           // that the figure is of; SIZE_MAX = there is none
	struct frame_job frame; // of that still
	struct prepared prepared;
	struct figure figure;
};

static void drop_figure(struct take *take) {
	if (take->still != SIZE_MAX) {
		prepared_finish(&take->prepared);
		take->still = SIZE_MAX;
	}
}

/* What was used is the same for all; what it took adds up. */
static void add_report(struct take *take, const struct prepared *prepared) {
	const struct skinning_report before = *take->report;
	*take->report = prepared_report(prepared);
	take->report->vertices += before.vertices;
	take->report->times = before.times;
	take->report->times.pose_s += clock_lap_s(&take->mark);
}

/* Skins a still, unless the figure is of it already. */
static bool skin(struct take *take, size_t still, struct error *err) {
	if (take->still == still) {
		return true;
	}
	drop_figure(take);
	arena_reset(take->arena);
	if (!reel_prepare(take->renderer, take->reel, still, take->arena, &take->prepared, err)) {
		return false;
	}
	take->still = still;
	add_report(take, &take->prepared);
	take->frame.pose = take->reel->stills[still].pose;
	take->frame.clock_s = take->reel->stills[still].time_s;
	const bool fine = frame_skin(
		take->renderer, &take->frame, &take->prepared, take->arena, &take->figure, err);
	take->figure.footing = take->reel->footing;
	take->report->times.skin_s += clock_lap_s(&take->mark);
	if (fine) {
		counters_add_skinned(
			take->renderer, take->report->method, take->prepared.rig->vertex_count);
	}
	return fine;
}

static bool draw_next(struct take *take, unsigned char *rgba, struct error *err) {
	struct reel *reel = take->reel;
	const size_t frame = reel->next % reel->settings.count;
	struct camera camera;
	take->mark = clock_now_s();
	const bool drawn = stop_check(reel->job.frame.stop, err) &&
		skin(take, frame % reel->still_count, err) &&
		reel_camera(take->renderer, reel, frame / reel->still_count, &take->prepared,
			&take->figure, &camera, err) &&
		frame_draw(take->renderer, &take->frame, &take->figure, &camera, &take->mark, rgba,
			take->report, err);
	if (drawn) {
		counters_add(&take->renderer->counters.frames_drawn, 1);
		reel->next++;
	}
	return drawn;
}

static struct take take_begin(
	struct renderer *renderer, struct reel *reel, struct skinning_report *report) {
	return (struct take){
		.renderer = renderer,
		.reel = reel,
		.arena = arena_create(),
		.report = report,
		.still = SIZE_MAX,
		.frame = reel->job.frame,
	};
}

static void take_end(struct take *take) {
	drop_figure(take);
	arena_destroy(take->arena);
}

/* Draws all frames of one pass, and finds where what is seen of them begins and ends. */
static bool survey_depth(struct take *take, double *near, double *far, struct error *err) {
	const struct reel *reel = take->reel;
	unsigned char *rgba = picture_memory(&take->frame.picture);
	bool fine = true;
	while (fine && reel->next < reel->settings.count) {
		fine = draw_next(take, rgba, err);
		const double begin = take->report->depth_near, end = take->report->depth_far;
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
	struct skinning_report report = {0};
	struct take take = take_begin(renderer, reel, &report);
	take.frame.picture.shading.has_near = take.frame.picture.shading.has_far = false;
	double near = INFINITY, far = -INFINITY;
	begin_run(reel);
	const bool fine = survey_depth(&take, &near, &far, err);
	take_end(&take);
	reel->next = 0;
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
		reel_plan(reel, err) && check_format(reel, err) &&
		context_settle(renderer,
			reel_fit(renderer, reel, err) && measure_depth(renderer, reel, err), err)) {
		begin_run(reel);
		return reel;
	}
	renderer_reel_destroy(reel);
	return NULL;
}

static size_t frames_in_all(const struct reel *reel) {
	const size_t passes = reel->job.passes, count = reel->settings.count;
	return passes > 0 && count <= SIZE_MAX / passes ? count * passes : SIZE_MAX;
}

static bool is_enough(
	struct take *take, const struct reel_piece *piece, size_t frames, struct reel_line *line) {
	return take->reel->next >= frames_in_all(take->reel) ||
		(frames > 0 &&
			((piece->frames > 0 && frames >= piece->frames) ||
				(piece->seconds > 0 && clock_now_s() >= take->until_s) ||
				(piece->bytes > 0 && reel_line_bytes(line) >= piece->bytes)));
}

static bool draw_piece(struct take *take, const struct reel_piece *piece, struct buffer *out,
	size_t *frames, struct error *err) {
	struct reel_line line;
	if (!reel_line_begin(&line, take->reel, out, err)) {
		return false;
	}
	bool fine = true;
	while (fine && !is_enough(take, piece, *frames, &line)) {
		unsigned char *rgba = reel_line_take(&line);
		fine = rgba && draw_next(take, rgba, err);
		if (fine) {
			reel_line_give(&line);
			++*frames;
		}
	}
	const bool packed = reel_line_end(&line, err);
	take->report->times.encode_s += line.encode_s;
	return fine && packed;
}

bool renderer_reel_draw(struct renderer *renderer, struct reel *reel,
	const struct reel_piece *piece, struct buffer *out, size_t *frames, bool *done,
	struct skinning_report *report, struct error *err) {
	struct take take = take_begin(renderer, reel, report);
	take.until_s = clock_now_s() + piece->seconds;
	*report = (struct skinning_report){0};
	*frames = 0;
	if (!reel->sequence) {
		reel->sequence = reel->job.format->open(&reel->settings, out, err);
	}
	bool fine = reel->sequence && context_check(renderer, err) &&
		context_settle(renderer, draw_piece(&take, piece, out, frames, err), err);
	take_end(&take);
	*done = reel->next >= frames_in_all(reel);
	if (fine && *done) {
		fine = reel->job.format->end(reel->sequence, out, err);
	}
	return fine;
}

void renderer_reel_skip(struct reel *reel, size_t frames) {
	const size_t left = frames_in_all(reel) - reel->next;
	reel->next += frames < left ? frames : left - 1;
}
