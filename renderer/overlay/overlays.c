// Drawings over a figure: the table of overlays, and their shared helpers.
#include "overlay/overlays.h"
#include "skinned/streams.h"

#include <math.h>
#include <string.h>

#include "base/srgb.h"
#include "base/vec.h"
#include "draw/skin_steps.h"
#include "overlay/overlay.h"
#include "pose/find.h"
#include "shading/shading.h"
#include "skinned/influences.h"
#include "state/state.h"

/* Pixels of the shorter side of the picture that sizes are said for, and the smallest that shows
 * them: lines of smaller pictures are as thick. */
#define SIDE 512
#define MIN_SIDE 192

#define OVERLAY_ROW(id, name, title) [OVERLAY_##id] = &overlay_##name,
static const struct overlay_kind *const rows[] = {
	OVERLAYS(OVERLAY_ROW)[OVERLAY_MARKS] = &overlay_marks};
#undef OVERLAY_ROW

#define ROWS (int)(sizeof rows / sizeof *rows)

/* The overlays that the picture asks for; the skeleton if it asks for none and would be empty. */
static struct overlay_settings settings_of(const struct frame_job *job) {
	struct overlay_settings settings = job->picture.overlays;
	if (!settings.list && rig_empty_warning(job->subject.rig) &&
		shading_mode(job->picture.shading.mode)->pixels == PIXELS_COLORS) {
		settings.shown |= 1u << OVERLAY_SKELETON;
	}
	if (settings.marks.vertex_count > 0 || settings.marks.triangle_count > 0 ||
		settings.marks.has_ground) {
		settings.shown |= 1u << OVERLAY_MARKS;
	}
	return settings;
}

static bool is_shown(const struct overlays *overlays, int i) {
	return (overlays->settings->shown & 1u << i) != 0;
}

/* Pixels that are numbers would be others where lines go over them. */
static bool check_shading(const struct picture_settings *picture, struct error *err) {
	return shading_mode(picture->shading.mode)->pixels == PIXELS_COLORS ||
		value_error(picture->overlays.list, err, ERROR_INVALID_VALUE,
			"\"overlays\" are drawn over colours, and not over a \"shading\" whose "
			"pixels are numbers");
}

bool overlays_begin(struct renderer *renderer, const struct frame_job *job,
	const struct prepared *prepared, struct drawn_rig *drawn, struct arena *arena,
	struct overlays **out, struct error *err) {
	*out = NULL;
	const struct overlay_settings settings = settings_of(job);
	if (settings.shown == 0) {
		return true;
	}
	if (!check_shading(&job->picture, err)) {
		return false;
	}
	struct overlays *overlays = arena_alloc(arena, 1, sizeof *overlays);
	struct overlay_settings *own = arena_alloc(arena, 1, sizeof *own);
	*own = settings;
	*overlays = (struct overlays){
		.renderer = renderer,
		.job = job,
		.prepared = prepared,
		.drawn = drawn,
		.settings = own,
		.arena = arena,
	};
	struct arena *spare = arena_create();
	moments_begin(&overlays->moments, job, prepared, arena, spare);
	bool ok = true;
	for (int i = 0; ok && i < ROWS; i++) {
		ok = !is_shown(overlays, i) || !rows[i]->begin || rows[i]->begin(overlays, err);
	}
	arena_destroy(spare);
	*out = overlays;
	return ok;
}

bool overlays_have_figures(const struct overlays *overlays) {
	return overlays && overlays->onion;
}

bool overlays_see(
	struct overlays *overlays, overlays_look *look, void *context, struct error *err) {
	return onion_see(overlays, look, context, err);
}

static void set_view(struct overlays *overlays, const struct drawing *drawing) {
	const struct picture_settings *picture = drawing->picture;
	const int side = picture->width < picture->height ? picture->width : picture->height;
	overlays->drawing = drawing;
	overlays->unit = fmax(side, MIN_SIDE) / SIDE;
	overlays->lines = (struct strokes_job){
		.view_projection = drawing->job.view_projection,
		.width = picture->width,
		.height = picture->height,
		.samples = picture->samples,
		.unit = 1,
		.opacity = 1,
	};
}

static bool has_layer(const struct overlays *overlays, enum layer layer) {
	for (int i = 0; i < ROWS; i++) {
		if (is_shown(overlays, i) && rows[i]->layer == layer) {
			return true;
		}
	}
	return false;
}

static bool draw_layer(struct overlays *overlays, enum layer layer, struct error *err) {
	for (int i = 0; i < ROWS; i++) {
		if (is_shown(overlays, i) && rows[i]->layer == layer &&
			!rows[i]->draw(overlays, err)) {
			return false;
		}
	}
	return true;
}

bool overlays_draw_behind(
	struct overlays *overlays, const struct drawing *drawing, struct error *err) {
	if (!overlays || !has_layer(overlays, LAYER_BEHIND)) {
		return true;
	}
	set_view(overlays, drawing);
	const bool ok = draw_layer(overlays, LAYER_BEHIND, err);
	overlays->renderer->back_end->kind->start_on_top(overlays->renderer->back_end);
	return ok;
}

bool overlays_draw(struct overlays *overlays, const struct drawing *drawing, struct area *drawn,
	struct error *err) {
	if (!overlays) {
		return true;
	}
	set_view(overlays, drawing);
	*drawn = (struct area){0, 0, drawing->picture->width, drawing->picture->height};
	struct back_end *back_end = overlays->renderer->back_end;
	if (!draw_layer(overlays, LAYER_AROUND, err)) {
		return false;
	}
	if (has_layer(overlays, LAYER_ON_TOP)) {
		back_end->kind->start_on_top(back_end);
	}
	return draw_layer(overlays, LAYER_ON_TOP, err);
}

void overlays_write(const struct overlays *overlays, unsigned char *rgba) {
	if (!overlays) {
		return;
	}
	const struct picture_settings *picture = &overlays->job->picture;
	struct canvas canvas = {picture->width, picture->height, rgba};
	for (int i = 0; i < ROWS; i++) {
		if (is_shown(overlays, i) && rows[i]->write) {
			rows[i]->write(overlays, &canvas);
		}
	}
}

void overlay_linear(const double srgb[static 4], double color[static 4]) {
	for (int i = 0; i < 3; i++) {
		color[i] = srgb_to_linear(srgb[i]) * srgb[3];
	}
	color[3] = srgb[3];
}

void overlay_color(const unsigned char rgb[static 3], double alpha, float color[static 4]) {
	const double srgb[4] = {rgb[0] / 255.0, rgb[1] / 255.0, rgb[2] / 255.0, alpha};
	double linear[4];
	overlay_linear(srgb, linear);
	for (int i = 0; i < 4; i++) {
		color[i] = (float)linear[i];
	}
}

void strokes_add(struct strokes *strokes, const struct stroke *stroke) {
	if (strokes->count == strokes->room) {
		struct stroke *old = strokes->items;
		strokes->room = strokes->room ? 2 * strokes->room : 64;
		strokes->items = arena_alloc(strokes->arena, strokes->room, sizeof *stroke);
		if (old) {
			memcpy(strokes->items, old, strokes->count * sizeof *stroke);
		}
	}
	strokes->items[strokes->count++] = *stroke;
}

bool strokes_draw(const struct overlays *overlays, const struct strokes_job *job,
	const struct strokes *strokes, struct error *err) {
	struct back_end *back_end = overlays->renderer->back_end;
	return back_end->kind->draw_strokes(back_end, job, strokes->items, strokes->count, err);
}

bool overlay_project(const struct overlays *overlays, const double point[static 3],
	double pixel[static 2], double *per_unit) {
	const float *m = overlays->drawing->job.view_projection;
	const double half[2] = {overlays->lines.width / 2.0, overlays->lines.height / 2.0};
	double clip[4];
	for (int i = 0; i < 4; i++) {
		clip[i] = m[i] * point[0] + m[4 + i] * point[1] + m[8 + i] * point[2] + m[12 + i];
	}
	if (!(clip[3] > 0)) {
		return false;
	}
	const double row[3] = {m[1], m[5], m[9]};
	for (int i = 0; i < 2; i++) {
		pixel[i] = (clip[i] / clip[3] + 1) * half[i];
	}
	*per_unit = vec3_length(row) * half[1] / clip[3];
	return true;
}

const struct value *overlay_source(const struct overlays *overlays, const char *name) {
	const struct value *list = overlays->settings->list;
	for (size_t i = 0; i < list->count; i++) {
		const struct value *item = &list->items[i];
		const struct value *own =
			item->kind == VALUE_OBJECT ? value_member(item, "overlay") : item;
		if (strcmp(own->string, name) == 0) {
			return item;
		}
	}
	return list;
}

bool overlay_find_world(struct overlays *overlays, struct error *err) {
	const struct rig *rig = overlays->job->subject.rig;
	if (!overlays->world) {
		overlays->world = arena_alloc(
			overlays->arena, (size_t)rig->joint_count, sizeof *overlays->world);
		pose_to_world(rig, &overlays->prepared->pose, overlays->world);
	}
	return pose_check_world(rig, (const double(*)[12])overlays->world, err);
}

/* Sets those that vertices follow, and those between them; all where no vertex is drawn. */
static void show_moving(const struct overlays *overlays, bool *shown) {
	const struct rig *rig = overlays->job->subject.rig;
	const size_t count = (size_t)rig->joint_count;
	double *weights = arena_alloc(overlays->arena, count, sizeof *weights);
	bool *above = arena_alloc(overlays->arena, count, sizeof *above);
	bool *below = arena_alloc(overlays->arena, count, sizeof *below);
	const bool empty = rig_empty_warning(rig);
	influences_sum(rig, weights);
	for (int i = rig->joint_count - 1; i >= 0; i--) {
		const int parent = rig->joints[i].parent;
		if (parent >= 0 && (weights[i] > 0 || above[i])) {
			above[parent] = true;
		}
	}
	for (int i = 0; i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		below[i] = parent >= 0 && (weights[parent] > 0 || below[parent]);
		shown[i] = weights[i] > 0 || (above[i] && below[i]) || empty;
	}
}

bool *overlay_joints(struct overlays *overlays, const struct value *list, struct error *err) {
	const struct rig *rig = overlays->job->subject.rig;
	bool *shown = arena_alloc(overlays->arena, (size_t)rig->joint_count, sizeof *shown);
	if (!list) {
		show_moving(overlays, shown);
	}
	for (size_t i = 0; list && i < list->count; i++) {
		const int joint = pose_read_joint(rig, &list->items[i], err);
		if (joint < 0) {
			return NULL;
		}
		shown[joint] = true;
	}
	return shown;
}

const float *overlay_positions(struct overlays *overlays, struct error *err) {
	const struct drawing *drawing = overlays->drawing;
	if (drawing->positions) {
		return drawing->positions;
	}
	const size_t count = (size_t)overlays->prepared->rig->vertex_count * 3;
	float *positions = scratch_get(&overlays->renderer->vertices, count * 2);
	return overlays->renderer->back_end->kind->read_skinned(
		       drawing->job.drawn, 0, count, positions, err) &&
			vertices_check(positions, count, err)
		? positions
		: NULL;
}
