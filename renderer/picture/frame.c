// Pictures: pose, skin, frame, draw, read, encode.
#include "picture/frame.h"
#include "skinned/for_picture.h"

#include <stdlib.h>

#include "base/clock.h"
#include "draw/material.h"
#include "draw/variants.h"
#include "image/encode.h"
#include "overlay/overlays.h"
#include "picture/framing.h"
#include "picture/ground.h"
#include "picture/look.h"
#include "picture/meter.h"
#include "picture/picture.h"
#include "shading/legend.h"
#include "skinned/first_person.h"
#include "skinned/placement.h"
#include "skinned/prepare.h"
#include "state/context.h"
#include "state/state.h"

bool frame_skin(struct renderer *renderer, const struct frame_job *job,
	const struct prepared *prepared, struct arena *arena, struct figure *figure,
	struct error *err) {
	const bool sorts = job->picture.shading.mode == SHADING_MATERIAL;
	const struct rig *chosen =
		rig_with_variant(picture_rig(prepared, arena), job->picture.variant, arena, err);
	const struct rig *shown;
	if (!chosen ||
		!first_person_show(job->picture.view, chosen,
			prepared->rig->indices != job->subject.rig->indices, arena, &shown, err)) {
		return false;
	}
	const struct picture_streams wanted = {
		.positions = framing_wants_positions(&job->picture) ||
			picture_has_ground(&job->picture) || (sorts && rig_has_blended(chosen)),
		.tangents = picture_takes_tangents(&job->picture, chosen),
	};
	*figure = (struct figure){
		.rig = prepared->rig,
		.shown = shown,
		.drawn = drawn_rigs_get(renderer, prepared->rig, err),
		.mirrored = prepared_mirrored(prepared, arena),
		.scales = rig_transmits(shown) ? prepared_scales(prepared, arena) : NULL,
		.time_s = prepared->time_s,
		.footing = FOOTING_NONE,
	};
	figure->lights = look_lights(&job->picture, prepared, arena, &figure->light_count);
	return figure->drawn && stop_check(job->subject.stop, err) &&
		picture_check_overlays(&job->picture, err) &&
		overlays_begin(
			renderer, job, prepared, figure->drawn, arena, &figure->overlays, err) &&
		picture_skin(renderer, prepared, &wanted, figure->drawn, &figure->positions, err);
}

/* Leaves pixels as picture_pixels() does. */
static bool draw_raw(struct renderer *renderer, const struct frame_job *job,
	const struct figure *figure, const struct camera *camera, double *mark, unsigned char *rgba,
	struct skinning_report *report, struct error *err) {
	struct drawing drawing = {
		.picture = &job->picture,
		.job = picture_draw_job(&job->picture, figure->shown, figure->drawn, camera),
		.known = job->subject.rig,
		.camera = camera,
		.positions = figure->positions,
		.overlays = figure->overlays,
		.stop = job->subject.stop,
		.footing = figure->footing,
	};
	drawing.job.mirrored = figure->mirrored;
	drawing.job.scales = figure->scales;
	drawing.job.look.time_s = figure->time_s;
	drawing.job.positions = figure->positions;
	struct area drawn;
	if (!stop_check(job->subject.stop, err) ||
		!look_add_lights(
			renderer, figure->lights, figure->light_count, &drawing.job, err) ||
		!picture_meter(renderer, &drawing, report, err) ||
		!picture_draw(renderer, &drawing, &drawn, err)) {
		return false;
	}
	report->times.draw_s += clock_lap_s(mark);
	const bool ok = picture_pixels(renderer, &job->picture, &drawn, rgba, err);
	if (ok) {
		overlays_write(figure->overlays, rgba);
	}
	report->times.read_s += clock_lap_s(mark);
	return ok;
}

bool frame_draw(struct renderer *renderer, const struct frame_job *job, const struct figure *figure,
	const struct camera *camera, double *mark, unsigned char *rgba,
	struct skinning_report *report, struct error *err) {
	return picture_check_legend(&job->picture, err) &&
		draw_raw(renderer, job, figure, camera, mark, rgba, report, err);
}

/* From a prepared pose to the pixels. */
static bool finish_frame(struct renderer *renderer, const struct frame_job *job,
	const struct prepared *prepared, struct arena *arena, double *mark, unsigned char *rgba,
	struct skinning_report *report, struct error *err) {
	struct figure figure;
	if (!frame_skin(renderer, job, prepared, arena, &figure, err)) {
		return false;
	}
	report->times.skin_s = clock_lap_s(mark);
	struct camera camera;
	const struct framing_params params = {
		&job->picture, &job->subject, prepared, figure.positions, figure.overlays};
	return framing_camera(renderer, &params, &camera, err) &&
		figure_add_footing(&figure, &job->picture, &figure.footing, err) &&
		draw_raw(renderer, job, &figure, &camera, mark, rgba, report, err);
}

static bool draw_frame(struct renderer *renderer, const struct frame_job *job, struct arena *arena,
	unsigned char *rgba, struct skinning_report *report, struct error *err) {
	double mark = clock_now_s();
	struct prepared prepared;
	const struct prepare_params params = {
		.subject = job->subject,
	};
	if (!stop_check(job->subject.stop, err) || !picture_check(renderer, &job->picture, err) ||
		!picture_check_look(&job->picture, job->subject.rig, err) ||
		!prepare(renderer, &params, arena, &prepared, err)) {
		return false;
	}
	*report = prepared_report(&prepared);
	report->times.pose_s = clock_lap_s(&mark);
	const bool ok = finish_frame(renderer, job, &prepared, arena, &mark, rgba, report, err);
	prepared_add_outcome(&prepared, report);
	prepared_finish(&prepared);
	return ok;
}

/* Leaves pixels as picture_pixels() does. */
static bool draw_pixels(struct renderer *renderer, const struct frame_job *job, unsigned char *rgba,
	struct skinning_report *report, struct error *err) {
	struct arena *arena = arena_create();
	const bool ok = context_check(renderer, err) &&
		context_settle(renderer, draw_frame(renderer, job, arena, rgba, report, err), err);
	if (ok) {
		counters_add(&renderer->counters.frames_drawn, 1);
		counters_add_skinned(renderer, report->method, report->vertices);
	}
	arena_destroy(arena);
	return ok;
}

/* The same for a picture with a legend. */
static bool draw_with_legend(struct renderer *renderer, const struct frame_job *job,
	unsigned char *rgba, struct skinning_report *report, struct error *err) {
	struct arena *arena = arena_create();
	struct legend legend;
	struct frame_job inner = *job;
	unsigned char *cell = NULL;
	bool ok = picture_check(renderer, &job->picture, err) &&
		legend_begin(job->subject.rig, &job->picture, job->subject.stop, arena, &legend,
			&inner.picture, err);
	if (ok) {
		cell = picture_memory(&inner.picture);
		ok = draw_pixels(renderer, &inner, cell, report, err);
	}
	if (ok) {
		legend_end(&legend, &job->picture, cell, rgba);
	}
	free(cell);
	arena_destroy(arena);
	return ok;
}

bool renderer_frame(struct renderer *renderer, const struct frame_job *job, struct buffer *out,
	struct skinning_report *report, struct error *err) {
	struct frame_job facing = *job;
	camera_face(job->subject.rig, &facing.picture.camera);
	unsigned char *rgba = picture_memory(&job->picture);
	renderer->help = job->help;
	bool ok = picture_check_file(&job->picture, err) &&
		(job->picture.shading.legend ? draw_with_legend : draw_pixels)(
			renderer, &facing, rgba, report, err);
	renderer->help = NULL;
	double mark = clock_now_s();
	ok = ok && stop_check(job->subject.stop, err) &&
		picture_write_pixels(&job->picture, rgba, out, report, err);
	report->times.encode_s = clock_lap_s(&mark);
	free(rgba);
	return ok;
}
