// The ground of pictures: the figure's shadow, and a grid.
#include "picture/ground.h"

#include <math.h>

#include "base/srgb.h"
#include "overlay/overlays.h"
#include "picture/frame.h"
#include "picture/framing.h"
#include "picture/key.h"
#include "skinned/placement.h"
#include "state/state.h"

/* The minimum extent of the grid, in sizes of the figures on it. */
#define GRID_REACH 3

/* Sizes whose reciprocals and multiples float32 holds. What is smaller counts as a point. */
#define SMALLEST_SIZE 1e-15
#define LARGEST_SIZE 1e30

/* Luminance of a background on which lines are light. */
#define DARK 0.12

/* Light lines on dark count for more than dark ones on light, since colours mix as light does. */
#define LIGHT_STRENGTH 0.22

/* Of lines where the background is still unknown: seen on light and dark. */
#define LIGHTNESS_OF_NONE 0.25

bool picture_has_ground(const struct picture_settings *picture) {
	return picture->look.shadow != SHADOW_NONE || picture->look.grid;
}

struct standing {
	struct footing *footing;
	size_t count; // vertices of each figure
};

static void stand(void *context, const float *positions) {
	const struct standing *standing = context;
	footing_add(standing->footing, positions, standing->count);
}

bool figure_add_footing(const struct figure *figure, const struct picture_settings *picture,
	struct footing *footing, struct error *err) {
	struct standing standing = {footing, (size_t)figure->rig->vertex_count};
	if (!picture_has_ground(picture)) {
		return true;
	}
	stand(&standing, figure->positions);
	return !overlays_have_figures(figure->overlays) ||
		overlays_see(figure->overlays, stand, &standing, err);
}

bool footing_has_shadow(const struct footing *footing) {
	return footing->size > SMALLEST_SIZE && footing->size < LARGEST_SIZE;
}

/* True when anything has a shadow by contact. */
static bool casts(const struct picture_settings *picture, const struct footing *footing) {
	return picture->look.shadow != SHADOW_NONE && footing_has_shadow(footing);
}

static struct ground_square shadow_of(const struct drawing *drawing) {
	const struct bounds box =
		bounds_of_points(drawing->positions, (size_t)drawing->job.rig->vertex_count);
	return ground_shadow_square(&box, drawing->footing.box.min[1], drawing->footing.size);
}

static bool cast_key(struct renderer *renderer, const struct drawing *drawing, struct draw_job *job,
	struct key_light *room, struct error *err) {
	const struct bounds box =
		bounds_of_points(drawing->positions, (size_t)job->rig->vertex_count);
	const struct back_end_kind *kind = renderer->back_end->kind;
	return picture_begin_key(
		       renderer, drawing->picture, &box, &drawing->footing, job, room, err) &&
		(!job->look.key || kind->cast_key(renderer->back_end, job, room, err));
}

bool picture_begin_ground(struct renderer *renderer, const struct drawing *drawing,
	struct draw_job *job, struct key_light *room, struct error *err) {
	if (!picture_has_ground(drawing->picture)) {
		return true;
	}
	if (drawing->picture->look.shadow == SHADOW_CAST &&
		!cast_key(renderer, drawing, job, room, err)) {
		return false;
	}
	const struct ground_square square = shadow_of(drawing);
	return !casts(drawing->picture, &drawing->footing) ||
		renderer->back_end->kind->cast(renderer->back_end, drawing->job.rig,
			drawing->job.drawn, &square, drawing->footing.size, err);
}

/* True when a key light casts a shadow on the ground. */
static bool key_on_ground(const struct draw_job *job) {
	return job->look.key && job->look.key->block.ground[0] > 0;
}

/* Adds the pixels that a square may touch. */
static void widen(
	struct area *drawn, const struct drawing *drawing, const struct ground_square *square) {
	const double x = square->middle[0], z = square->middle[2], half = square->half;
	const float y = (float)square->middle[1];
	const float corners[4][3] = {
		{(float)(x - half), y, (float)(z - half)},
		{(float)(x + half), y, (float)(z - half)},
		{(float)(x - half), y, (float)(z + half)},
		{(float)(x + half), y, (float)(z + half)},
	};
	const struct area more = drawn_area(drawing->job.view_projection, corners[0], 4,
		drawing->picture->width, drawing->picture->height);
	if (more.width == 0 || more.height == 0 || drawn->width == 0 || drawn->height == 0) {
		*drawn = more.width == 0 || more.height == 0 ? *drawn : more;
		return;
	}
	const int left = more.x < drawn->x ? more.x : drawn->x;
	const int top = more.y < drawn->y ? more.y : drawn->y;
	const int right = more.x + more.width, bottom = more.y + more.height;
	const int drawn_right = drawn->x + drawn->width, drawn_bottom = drawn->y + drawn->height;
	*drawn = (struct area){left, top, (right > drawn_right ? right : drawn_right) - left,
		(bottom > drawn_bottom ? bottom : drawn_bottom) - top};
}

static double luminance(const double color[static 4]) {
	return 0.2126 * srgb_to_linear(color[0]) + 0.7152 * srgb_to_linear(color[1]) +
		0.0722 * srgb_to_linear(color[2]);
}

/* A grid around all that stands there; of nothing around the origin. */
static struct ground_grid grid_of(
	const struct picture_settings *picture, const struct footing *footing) {
	const struct bounds *box = &footing->box;
	const double *background = picture->background;
	const bool is_empty = box->min[0] > box->max[0];
	const double width =
		fmax((double)box->max[0] - box->min[0], (double)box->max[2] - box->min[2]);
	const double size = footing->size > SMALLEST_SIZE ? fmin(footing->size, LARGEST_SIZE) : 1;
	struct ground_grid grid = {
		.square.half = fmax(GRID_REACH * size, fmin(width, LARGEST_SIZE)),
		.unit = pow(10, round(log10(size))),
		.lightness = LIGHTNESS_OF_NONE,
		.strength = 1,
	};
	for (int k = 0; !is_empty && k < 3; k++) {
		grid.square.middle[k] = k == 1 ? box->min[k] : (box->min[k] + box->max[k]) / 2;
	}
	if (background[3] >= 0.5) {
		const bool is_dark = luminance(background) < DARK;
		grid.lightness = is_dark;
		grid.strength = is_dark ? LIGHT_STRENGTH : 1;
	}
	return grid;
}

bool picture_draw_ground(struct renderer *renderer, const struct drawing *drawing,
	const struct draw_job *job, struct area *drawn, struct error *err) {
	struct back_end *back_end = renderer->back_end;
	const float *view_projection = job->view_projection;
	bool ok = true;
	if (drawing->picture->look.grid) {
		const struct ground_grid grid = grid_of(drawing->picture, &drawing->footing);
		widen(drawn, drawing, &grid.square);
		ok = back_end->kind->draw_grid(back_end, view_projection, &grid, err);
	}
	if (ok && casts(drawing->picture, &drawing->footing)) {
		const struct ground_square square = shadow_of(drawing);
		widen(drawn, drawing, &square);
		ok = back_end->kind->draw_shadow(back_end, view_projection, &square, err);
	}
	if (ok && key_on_ground(job)) {
		widen(drawn, drawing, &job->look.key->square);
		ok = back_end->kind->draw_key_shadow(back_end, job, err);
	}
	return ok;
}

bool picture_begin_crowd_ground(struct renderer *renderer, const struct picture_settings *picture,
	const struct footing *footing, struct crowd_ground *out, struct error *err) {
	*out = (struct crowd_ground){.picture = picture, .footing = footing};
	if (!picture_has_ground(picture)) {
		return true;
	}
	out->casts = casts(picture, footing);
	out->square = ground_shadow_square(&footing->box, footing->box.min[1], footing->size);
	return !out->casts ||
		renderer->back_end->kind->begin_shadow(
			renderer->back_end, &out->square, footing->size, err);
}

bool picture_draw_crowd_ground(struct renderer *renderer, const struct crowd_ground *ground,
	const struct draw_job *job, struct error *err) {
	struct back_end *back_end = renderer->back_end;
	const float *view_projection = job->view_projection;
	bool ok = true;
	if (ground->picture->look.grid) {
		const struct ground_grid grid = grid_of(ground->picture, ground->footing);
		ok = back_end->kind->draw_grid(back_end, view_projection, &grid, err);
	}
	return ok &&
		(!ground->casts ||
			back_end->kind->draw_shadow(
				back_end, view_projection, &ground->square, err)) &&
		(!key_on_ground(job) || back_end->kind->draw_key_shadow(back_end, job, err));
}
