/* Draw lists: the bytes choose a rig, its materials and textures, the light, and what is drawn of
 * them. The rasteriser must survive any numbers of vertices and matrices, and draw the same bytes
 * whatever the lanes, tiles and queues. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/draw_lists.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "fuzz.h"
#include "raster/raster.h"

#define SIZE_MAX_BYTES 4096
#define STEPS 6 // of a picture
#define STROKES 6
#define COPIES 3

/* --- Drawing --- */

/* The same picture by one choice. Its decisions are the bytes' rest, read by each anew. */
struct drawing {
	const struct draw_list *list;
	struct decisions decisions;
	struct back_end *back_end;
	struct drawn_rig *drawn;
	struct draw_job job;
	struct ground_square square; // of the shadow that was cast
	bool has_shadow;
};

static struct strokes_job make_strokes_job(struct drawing *drawing) {
	struct decisions *d = &drawing->decisions;
	const struct target_kind *target = &drawing->list->start.target;
	return (struct strokes_job){
		.view_projection = drawing->job.view_projection,
		.width = target->width,
		.height = target->height,
		.samples = target->samples,
		.unit = (double)decide_finite(d),
		.where = decide_perhaps(d) ? STROKES_BEFORE : STROKES_BEHIND,
		.opacity = (double)decide_between(d, 0, 1),
	};
}

static void draw_strokes(struct drawing *drawing) {
	const struct strokes_job job = make_strokes_job(drawing);
	struct decisions *d = &drawing->decisions;
	struct stroke strokes[STROKES];
	const size_t count = decide(d, STROKES + 1);
	for (size_t i = 0; i < count; i++) {
		float *numbers = (float *)&strokes[i];
		for (size_t k = 0; k < sizeof *strokes / sizeof *numbers; k++) {
			numbers[k] = decide_number(d);
		}
	}
	drawing->back_end->kind->draw_strokes(drawing->back_end, &job, strokes, count, NULL);
}

static void draw_lines_of_rig(struct drawing *drawing, bool edges) {
	const struct strokes_job job = make_strokes_job(drawing);
	struct decisions *d = &drawing->decisions;
	const struct back_end_kind *kind = drawing->back_end->kind;
	const struct stroke_style style = {.radius = (double)decide_number(d),
		.color = {0.1, 0.2, 0.3, (double)decide_between(d, 0, 1)},
		.lift = (double)decide_number(d)};
	if (edges) {
		kind->draw_edges(drawing->back_end, &job, drawing->drawn, &style, NULL);
	} else {
		kind->draw_normals(drawing->back_end, &job, &drawing->list->rig, drawing->drawn,
			(double)decide_number(d), &style, NULL);
	}
}

/* Figures stand somewhere in a box of this size, whatever their vertices are. */
static struct ground_square make_square(struct drawing *drawing, double *size) {
	struct decisions *d = &drawing->decisions;
	const double middle = (double)decide_between(d, -3, 3),
		     half = (double)decide_between(d, 0, 3);
	const struct bounds box = {{middle - half, 0, -half}, {middle + half, 1, half}};
	*size = (double)decide_between(d, 1, 4);
	return ground_shadow_square(&box, (double)decide_between(d, -1, 1), *size);
}

static void draw_ground(struct drawing *drawing) {
	struct decisions *d = &drawing->decisions;
	const struct back_end_kind *kind = drawing->back_end->kind;
	double size;
	const struct ground_grid grid = {
		.square = make_square(drawing, &size),
		.unit = (double)decide_between(d, 0.001F, 100),
		.lightness = (double)decide_between(d, 0, 1),
		.strength = (double)decide_between(d, 0, 1),
	};
	kind->draw_grid(drawing->back_end, drawing->job.view_projection, &grid, NULL);
}

/* Figures of the rig that stand anywhere. */
struct copies {
	struct drawn_copies *drawn;
	const bool *mirrored[COPIES];
	struct drawn_figure figures[COPIES];
};

static struct draw_many_job make_copies(struct drawing *drawing, struct copies *copies) {
	struct decisions *d = &drawing->decisions;
	const struct draw_list *list = drawing->list;
	const struct back_end_kind *kind = drawing->back_end->kind;
	const size_t count = (size_t)list->rig.vertex_count;
	const size_t bytes = COPIES * gpu_rig_stream_floats(&list->rig) * sizeof(float);
	copies->drawn = kind->create_copies(drawing->back_end, bytes, NULL);
	assert(copies->drawn);
	for (size_t i = 0; i < COPIES; i++) {
		struct drawn_figure *figure = &copies->figures[i];
		kind->put_copy(copies->drawn, &list->rig, i, list->streams,
			list->streams + count * 3, list->rig.tangents);
		copies->mirrored[i] = list->mirrored;
		for (int k = 0; k < 12; k++) {
			figure->placement[k] = decide_number(d);
			figure->normal_map[k] = k % 4 == 3 ? 0 : decide_number(d);
		}
		figure->normal_map[3] = (float)decide(d, COPIES);
	}
	return (struct draw_many_job){.job = drawing->job,
		.copies = copies->drawn,
		.figures = copies->figures,
		.mirrored = copies->mirrored,
		.count = (int)decide(d, COPIES + 1),
		.pass = (enum draw_pass)decide(d, 3)};
}

static void draw_copies(struct drawing *drawing) {
	const struct back_end_kind *kind = drawing->back_end->kind;
	struct copies copies;
	const struct draw_many_job many = make_copies(drawing, &copies);
	kind->draw_many(drawing->back_end, &many, NULL);
	kind->destroy_copies(copies.drawn);
}

/* Casts a shadow of one figure, or of several, before the picture. */
static void cast_shadow(struct drawing *drawing) {
	const struct back_end_kind *kind = drawing->back_end->kind;
	double size;
	drawing->square = make_square(drawing, &size);
	if (decide_perhaps(&drawing->decisions)) {
		drawing->has_shadow = kind->cast(drawing->back_end, &drawing->list->rig,
			drawing->drawn, &drawing->square, size, NULL);
	} else {
		struct copies copies;
		const struct draw_many_job many = make_copies(drawing, &copies);
		drawing->has_shadow =
			kind->begin_shadow(drawing->back_end, &drawing->square, size, NULL) &&
			kind->cast_many(drawing->back_end, &many, &drawing->square, size, NULL) &&
			kind->end_shadow(drawing->back_end, &drawing->square, size, NULL);
		kind->destroy_copies(copies.drawn);
	}
}

static void draw_step(struct drawing *drawing) {
	struct decisions *d = &drawing->decisions;
	const struct back_end_kind *kind = drawing->back_end->kind;
	const struct paint *paint = NULL;
	switch (decide(d, 11)) {
	case 0:
		draw_strokes(drawing);
		break;
	case 1:
		draw_lines_of_rig(drawing, decide_perhaps(d));
		break;
	case 2:
		draw_ground(drawing);
		break;
	case 3:
		if (drawing->has_shadow) {
			kind->draw_shadow(drawing->back_end, drawing->job.view_projection,
				&drawing->square, NULL);
		}
		break;
	case 4:
		kind->start_on_top(drawing->back_end);
		break;
	case 5:
		draw_copies(drawing);
		break;
	case 6:
	case 7:
		paint = draw_list_paint(&(struct draw_list){
			.decisions = d, .arena = drawing->list->arena, .rig = drawing->list->rig});
		break;
	default:
		kind->draw(drawing->back_end, &drawing->job, NULL);
	}
	if (paint) {
		struct draw_job painted = drawing->job;
		painted.paint = paint;
		(decide_perhaps(d) ? kind->draw : kind->draw_translucent)(
			drawing->back_end, &painted, NULL);
	}
}

/* --- One picture --- */

static void put_rig(struct drawing *drawing) {
	const struct draw_list *list = drawing->list;
	const struct rig *rig = &list->rig;
	const struct back_end_kind *kind = drawing->back_end->kind;
	uint32_t edges[DRAW_LIST_VERTICES][2];
	size_t bytes;
	drawing->drawn = kind->create_rig(drawing->back_end, rig, &bytes, NULL);
	assert(drawing->drawn);
	drawing->job.drawn = drawing->drawn;
	kind->put(drawing->drawn, rig, rig->positions, rig->normals, rig->tangents);
	for (unsigned i = 0; i < DRAW_LIST_VERTICES; i++) {
		edges[i][0] = i;
		edges[i][1] = (i * 5 + 1) % (unsigned)(rig->vertex_count + !rig->vertex_count);
	}
	kind->set_edges(drawing->drawn, (const uint32_t(*)[2])edges,
		rig->vertex_count > DRAW_LIST_VERTICES ? DRAW_LIST_VERTICES : 0);
}

static unsigned char *draw_by(const struct draw_list *list, const struct raster_choice *choice) {
	const struct target_kind *target = &list->start.target;
	const struct back_end_kind *kind = &raster_back_end;
	const struct area all = {0, 0, target->width, target->height};
	struct drawing drawing = {.list = list,
		.decisions = *list->decisions,
		.back_end = kind->create(&(struct back_end_params){0}, NULL),
		.job = list->job};
	unsigned char *rgba = xcalloc((size_t)target->width * (size_t)target->height, 4);
	assert(drawing.back_end);
	raster_back_end_choose(drawing.back_end, choice);
	put_rig(&drawing);
	if (decide(&drawing.decisions, 4) == 0) {
		cast_shadow(&drawing);
	}
	if (kind->begin(drawing.back_end, &list->start, NULL)) {
		const unsigned steps = decide(&drawing.decisions, STEPS) + 1;
		for (unsigned i = 0; i < steps; i++) {
			draw_step(&drawing);
		}
		kind->read(drawing.back_end, &list->start, &all, rgba, NULL);
	}
	kind->destroy_rig(drawing.drawn);
	kind->destroy(drawing.back_end);
	return rgba;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	if (size > SIZE_MAX_BYTES) {
		return 0;
	}
	struct decisions decisions = {.bytes = data, .left = size, .seed = 1};
	struct draw_list list = {.decisions = &decisions, .arena = arena_create()};
	const struct raster_choice usual = {6, RASTER_QUEUE,
		LANES_CPU_HAS_AVX512()         ? 16
			: LANES_CPU_HAS_AVX2() ? 8
					       : 4};
	const struct raster_choice other = {.tile_shift = 3 + (int)decide(&decisions, 5),
		.queue = 1 + (int)decide(&decisions, RASTER_QUEUE),
		.lanes = 4};
	draw_list_make(&list);
	unsigned char *one = draw_by(&list, &usual), *two = draw_by(&list, &other);
	const struct target_kind *target = &list.start.target;
	assert(memcmp(one, two, (size_t)target->width * (size_t)target->height * 4) == 0);
	free(one);
	free(two);
	arena_destroy(list.arena);
	return 0;
}
