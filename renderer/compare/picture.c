// Skinning methods held against one another in a picture.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "compare/compare.h"
#include "image/layout.h"
#include "interface/comparisons.h"
#include "picture/framing.h"
#include "picture/look.h"
#include "picture/meter.h"
#include "picture/picture.h"
#include "skinned/first_person.h"
#include "skinned/for_picture.h"
#include "skinned/placement.h"
#include "skinned/prepare.h"
#include "skinned/streams.h"
#include "state/context.h"
#include "state/state.h"
#include "view/extent.h"

struct comparing {
	struct renderer *renderer;
	const struct compare_frame_job *job;
	struct arena *arena;
	struct drawn_rig *drawn;
	const bool *mirrored;             // [primitive_count] by the pose
	const struct world_light *lights; // [light_count]
	int light_count;
	const struct rig *look; // the rig as others see it, with the colours of its expressions
	double time_s;          // of what moves by itself on surfaces
	struct layout layout;
	struct picture_settings cell; // the picture's, with the size of what is drawn in a cell
	struct camera camera;         // for all cells
	struct footing footing;       // of all methods
	size_t floats;                // of one stream
	float *positions;             // [methods][vertex_count][3]
	float *normals;               // the same
	float *tangents;              // [methods][vertex_count][4]; NULL = none are drawn
	float *aside;                 // [vertex_count][6 or 10] for one thing after another
	unsigned char *pixels;        // of a cell
	struct canvas canvas;
};

/* NULL where none are drawn. */
static float *tangents_of(const struct comparing *comparing, size_t method) {
	const size_t floats = comparing->floats / 3 * 4;
	return comparing->tangents ? comparing->tangents + method * floats : NULL;
}

static bool skin_all(
	struct comparing *comparing, struct skinning_report *reports, struct error *err) {
	const struct compare_job *job = &comparing->job->compare;
	const size_t floats = comparing->floats;
	float *aside = comparing->aside;
	for (size_t i = 0; i < job->count; i++) {
		if (!compare_skin(comparing->renderer, job, i, comparing->tangents ? 3 : 2, aside,
			    &reports[i], err)) {
			return false;
		}
		// All positions together: the camera has to fit them all.
		memcpy(comparing->positions + i * floats, aside, floats * sizeof *aside);
		memcpy(comparing->normals + i * floats, aside + floats, floats * sizeof *aside);
		if (comparing->tangents) {
			memcpy(tangents_of(comparing, i), aside + 2 * floats,
				floats / 3 * 4 * sizeof *aside);
		}
		footing_add(&comparing->footing, aside, floats / 3);
	}
	return true;
}

/* Shows the camera what is to be seen of one method, and says what camera that is. */
static bool see_method(struct comparing *comparing, size_t method, struct camera_extremes *extremes,
	struct camera_settings *camera, struct error *err) {
	const struct compare_job *job = &comparing->job->compare;
	struct prepare_params params = {.subject = job->subject};
	params.subject.skinning = job->methods[method];
	struct prepared prepared;
	if (!prepare(comparing->renderer, &params, comparing->arena, &prepared, err)) {
		return false;
	}
	const struct framing_params framed = {
		.picture = &comparing->cell,
		.subject = &params.subject,
		.prepared = &prepared,
		.positions = comparing->positions + method * comparing->floats,
	};
	struct framing framing;
	const bool found =
		framing_find(comparing->renderer, &framed, comparing->arena, &framing, err);
	prepared_finish(&prepared);
	if (found) {
		camera_extremes_add(extremes, framing.points, framing.count);
		*camera = framing.camera;
	}
	return found;
}

/* One camera for all cells, from which everything that is to fit can be seen. */
static bool make_camera(struct comparing *comparing, struct error *err) {
	const struct compare_job *job = &comparing->job->compare;
	const struct picture_settings *cell = &comparing->cell;
	const double aspect = (double)cell->width / cell->height;
	struct camera_settings camera;
	struct camera_extremes extremes;
	camera_extremes_begin(&cell->camera, aspect, &extremes);
	for (size_t i = 0; i < job->count; i++) {
		if (!see_method(comparing, i, &extremes, &camera, err)) {
			return false;
		}
	}
	camera_extremes_end(&extremes);
	if (!camera_make(
		    &camera, aspect, extremes.points[0], extremes.count, &comparing->camera, err)) {
		return false;
	}
	camera_hold(&comparing->camera, comparing->positions,
		job->count * (size_t)job->subject.rig->vertex_count);
	return true;
}

/* Draws one method's mesh into a cell. paint may be NULL: as the picture's shading is. */
static bool draw_cell(struct comparing *comparing, size_t method, const struct paint *paint,
	struct skinning_report *report, struct error *err) {
	const struct compare_job *job = &comparing->job->compare;
	struct renderer *renderer = comparing->renderer;
	const float *positions = comparing->positions + method * comparing->floats;
	comparing->renderer->back_end->kind->put(comparing->drawn, job->subject.rig, positions,
		comparing->normals + method * comparing->floats, tangents_of(comparing, method));
	struct drawing drawing = {
		.picture = &comparing->cell,
		.job = picture_draw_job(
			&comparing->cell, comparing->look, comparing->drawn, &comparing->camera),
		.known = job->subject.rig,
		.camera = &comparing->camera,
		.positions = positions,
		.stop = comparing->job->compare.subject.stop,
		.footing = comparing->footing,
	};
	drawing.job.mirrored = comparing->mirrored;
	drawing.job.positions = positions;
	drawing.job.paint = paint;
	drawing.job.look.time_s = comparing->time_s;
	const struct place place = layout_drawn(&comparing->layout, method);
	double mark = clock_now_s();
	struct area drawn;
	bool ok = stop_check(job->subject.stop, err) &&
		look_add_lights(
			renderer, comparing->lights, comparing->light_count, &drawing.job, err) &&
		picture_meter(renderer, &drawing, report, err) &&
		picture_draw(renderer, &drawing, &drawn, err);
	if (report->has_exposure) {
		// All cells have that of the first.
		comparing->cell.look.exposure = report->exposure;
		comparing->cell.look.auto_exposure = false;
	}
	report->times.draw_s += clock_lap_s(&mark);
	ok = ok && picture_pixels(renderer, &comparing->cell, &drawn, comparing->pixels, err);
	report->times.read_s += clock_lap_s(&mark);
	if (ok) {
		canvas_copy(&comparing->canvas, place, comparing->pixels);
	}
	return ok;
}

static bool draw_side_by_side(
	struct comparing *comparing, struct skinning_report *reports, struct error *err) {
	for (size_t i = 0; i < comparing->job->compare.count; i++) {
		if (!draw_cell(comparing, i, NULL, &reports[i], err)) {
			return false;
		}
		layout_write_label(&comparing->layout, &comparing->job->picture, i,
			comparing->job->labels[i], &comparing->canvas);
	}
	return true;
}

/* Fills distances, one for each vertex, between the first two methods; the greatest. */
static double find_distances(const struct comparing *comparing, float *distances) {
	const float *a = comparing->positions, *b = a + comparing->floats;
	double greatest = 0;
	for (size_t v = 0; v < comparing->floats / 3; v++) {
		const double distance = compare_distance(a + v * 3, b + v * 3);
		distances[v] = (float)distance;
		greatest = fmax(greatest, distance);
	}
	return greatest;
}

static double choose_end(const struct compare_frame_job *job, double greatest) {
	const double diagonal = compare_diagonal(job->compare.subject.rig);
	// Without differences any end above 0 will do.
	return job->scale > 0 ? job->scale : greatest > 0 ? greatest : diagonal > 0 ? diagonal : 1;
}

static bool draw_heat(
	struct comparing *comparing, struct skinning_report *reports, struct error *err) {
	const struct compare_frame_job *job = comparing->job;
	float *shares = comparing->aside;
	const double greatest = find_distances(comparing, shares);
	const double end = choose_end(job, greatest);
	for (size_t v = 0; v < comparing->floats / 3; v++) {
		shares[v] = (float)fmin(shares[v] / end, 1);
	}
	const struct heat_legend legend = {
		.end = end,
		.goes_on = greatest > end,
		.caption = arena_printf(comparing->arena, "from %s to %s, greatest %.3g",
			job->labels[0], job->labels[1], greatest),
	};
	struct paint paint = {.both_sides = true};
	shading_heat(shares, comparing->arena, &paint);
	if (!draw_cell(comparing, 0, &paint, &reports[0], err)) {
		return false;
	}
	layout_write_heat(&comparing->layout, &job->picture, &legend, &comparing->canvas);
	return true;
}

static bool choose_layout(struct comparing *comparing, struct error *err) {
	const struct compare_frame_job *job = comparing->job;
	const bool fits = job->view == VIEW_HEAT
		? layout_heat(&job->picture, &comparing->layout, err)
		: layout_cells(&job->picture, job->compare.count, &comparing->layout, err);
	if (fits) {
		const struct place drawn = layout_drawn(&comparing->layout, 0);
		comparing->cell = job->picture;
		camera_face(job->compare.subject.rig, &comparing->cell.camera);
		comparing->cell.width = drawn.width;
		comparing->cell.height = drawn.height;
	}
	return fits;
}

/* A method may cut the mesh, and its rig has other primitives, but the same materials. */
static bool find_look(
	struct comparing *comparing, const struct prepared *prepared, struct error *err) {
	if (!first_person_show(VIEW_THIRD_PERSON, comparing->job->compare.subject.rig, false,
		    comparing->arena, &comparing->look, err)) {
		return false;
	}
	const struct rig *with = picture_rig(prepared, comparing->arena);
	if (with->materials != prepared->rig->materials) {
		struct rig *look = arena_alloc(comparing->arena, 1, sizeof *look);
		*look = *comparing->look;
		look->materials = with->materials;
		comparing->look = look;
	}
	comparing->time_s = prepared->time_s;
	return true;
}

/* The lights of the file where the pose has them, and its expressions, which are the same by all
 * methods. */
static bool find_lights(struct comparing *comparing, struct error *err) {
	const struct compare_job *job = &comparing->job->compare;
	struct prepare_params params = {.subject = job->subject};
	params.subject.skinning = job->methods[0];
	struct prepared prepared;
	if (!prepare(comparing->renderer, &params, comparing->arena, &prepared, err)) {
		return false;
	}
	comparing->lights = look_lights(
		&comparing->job->picture, &prepared, comparing->arena, &comparing->light_count);
	const bool ok = find_look(comparing, &prepared, err);
	prepared_finish(&prepared);
	return ok;
}

/* Room for what all methods make, and for one more. */
static bool make_room(struct comparing *comparing, struct error *err) {
	const struct compare_job *job = &comparing->job->compare;
	const bool tangents = comparing->job->view != VIEW_HEAT &&
		picture_takes_tangents(&comparing->job->picture, job->subject.rig);
	const size_t vertices = job->count * (size_t)job->subject.rig->vertex_count;
	float *room = compare_room(job, job->count + 1, streams_width(tangents), err);
	if (!room) {
		return false;
	}
	comparing->positions = room;
	comparing->normals = room + vertices * 3;
	comparing->tangents = tangents ? room + vertices * 6 : NULL;
	comparing->aside = room + vertices * streams_width(tangents);
	return true;
}

/* Gets all that drawing needs, the vertices included. */
static bool begin(struct comparing *comparing, struct skinning_report *reports, struct error *err) {
	const struct compare_frame_job *job = comparing->job;
	const struct compare_job *compare = &job->compare;
	if (!picture_check(comparing->renderer, &job->picture, err) ||
		(job->view != VIEW_HEAT &&
			!picture_check_look(&job->picture, compare->subject.rig, err)) ||
		!picture_check_legend(&job->picture, err) ||
		!picture_check_file(&job->picture, err) || !choose_layout(comparing, err)) {
		return false;
	}
	comparing->mirrored = compare_mirrored(
		comparing->renderer, compare, compare->subject.pose, comparing->arena, err);
	comparing->floats = (size_t)compare->subject.rig->vertex_count * 3;
	if (!comparing->mirrored || !make_room(comparing, err) || !find_lights(comparing, err)) {
		return false;
	}
	return skin_all(comparing, reports, err) && make_camera(comparing, err);
}

static void make_canvas(struct comparing *comparing) {
	const struct picture_settings *picture = &comparing->job->picture;
	const int width = picture->width, height = picture->height;
	comparing->canvas =
		(struct canvas){width, height, xcalloc((size_t)width * (size_t)height, 4)};
	comparing->pixels =
		xcalloc((size_t)comparing->cell.width * (size_t)comparing->cell.height, 4);
	unsigned char background[4];
	layout_background(picture, background);
	canvas_fill(&comparing->canvas, (struct place){0, 0, width, height}, background);
}

static bool draw_all(
	struct comparing *comparing, struct skinning_report *reports, struct error *err) {
	make_canvas(comparing);
	// Skinning may have brought other rigs onto the GPU, and this one from it.
	comparing->drawn =
		drawn_rigs_get(comparing->renderer, comparing->job->compare.subject.rig, err);
	return comparing->drawn &&
		(comparing->job->view == VIEW_HEAT ? draw_heat : draw_side_by_side)(
			comparing, reports, err);
}

static bool encode(const struct comparing *comparing, struct buffer *out,
	struct skinning_report *report, struct error *err) {
	const struct canvas *canvas = &comparing->canvas;
	const struct picture picture = {
		.width = canvas->width, .height = canvas->height, .rgba = canvas->rgba};
	double mark = clock_now_s();
	const bool ok = stop_check(comparing->job->compare.subject.stop, err) &&
		picture_write(&comparing->job->picture, &picture, out, err);
	report->times.encode_s = clock_lap_s(&mark);
	return ok;
}

static bool make_picture(
	struct comparing *comparing, struct skinning_report *reports, struct error *err) {
	const bool ok = begin(comparing, reports, err) && draw_all(comparing, reports, err);
	return context_settle(comparing->renderer, ok, err);
}

bool renderer_compare_frame(struct renderer *renderer, const struct compare_frame_job *job,
	struct buffer *out, struct skinning_report *reports, struct error *err) {
	struct comparing comparing = {
		.renderer = renderer,
		.job = job,
		.arena = arena_create(),
		.footing = FOOTING_NONE,
	};
	const bool ok = context_check(renderer, err) && make_picture(&comparing, reports, err) &&
		encode(&comparing, out, &reports[0], err);
	if (ok) {
		counters_add(&renderer->counters.frames_drawn, 1);
	}
	free(comparing.canvas.rgba);
	free(comparing.pixels);
	free(comparing.positions);
	arena_destroy(comparing.arena);
	return ok;
}
