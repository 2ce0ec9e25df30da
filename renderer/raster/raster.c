// Commands of a picture, and reading it.
#include "raster/raster.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

#include "base/lanes.h"
#include "base/memory.h"
#include "draw/back_end.h"
#include "raster/tiles.h"

static const struct raster_kernels four_lanes = {
	.project = raster_project,
	.gather_run = raster_gather_run,
	.cover = raster_cover,
	.split = raster_split,
	.place = raster_place,
	.put = raster_put,
	.resolve = raster_resolve,
};
static const struct raster_kernels eight_lanes = {
	.project = raster_project_avx2,
	.gather_run = raster_gather_run_avx2,
	.cover = raster_cover_avx2,
	.split = raster_split_avx2,
	.place = raster_place_avx2,
	.put = raster_put_avx2,
	.resolve = raster_resolve_avx2,
};
/* Vertices and triangles wait for memory, and blocks to be split have eight pixels. */
static const struct raster_kernels sixteen_lanes = {
	.project = raster_project_avx2,
	.gather_run = raster_gather_run_avx2,
	.cover = raster_cover_avx512,
	.split = raster_split_avx2,
	.place = raster_place_avx512,
	.put = raster_put_avx512,
	.resolve = raster_resolve_avx512,
};

/* Threads that help to read a picture at the same time, at most. */
#define HELPERS 3

struct raster {
	struct raster_picture picture;
	struct raster_command *commands;
	size_t command_room;
	uint32_t next_number;
	struct pool pool; // of the picture
	struct raster_hand own;
	struct raster_hand *helping[HELPERS]; // one for each thread that helps; NULL = not so far
	struct raster_saved **saved; // [saved_count] of the picture's tiles; NULL = nothing there
	size_t saved_count;          // 0 = no command was executed so far
};

/* --- The state of floating-point arithmetic --- */

/* Other libraries may have told the thread to flush denormals, or to round otherwise. */
static unsigned begin_arithmetic(void) {
#ifdef __SSE2__
	const unsigned before = _mm_getcsr();
	_mm_setcsr(0x1f80);
	return before;
#else
	return 0;
#endif
}

static void end_arithmetic(unsigned before) {
#ifdef __SSE2__
	_mm_setcsr(before);
#else
	(void)before;
#endif
}

/* --- Memory --- */

void raster_choose(struct raster *raster, const struct raster_choice *choice) {
	assert(choice->tile_shift >= 3 && choice->tile_shift <= 7);
	assert(choice->queue >= 1 && choice->queue <= RASTER_QUEUE);
	raster->picture.choice = *choice;
	raster->picture.kernels = choice->lanes == 16 ? &sixteen_lanes
		: choice->lanes == 8                  ? &eight_lanes
						      : &four_lanes;
}

int raster_lanes(const struct raster *raster) {
	return raster->picture.choice.lanes;
}

static int lanes_here(void) {
	return LANES_CPU_HAS_AVX512() ? 16 : LANES_CPU_HAS_AVX2() ? 8 : 4;
}

struct raster *raster_create(void) {
	struct raster *raster = xcalloc(1, sizeof *raster);
	raster_choose(raster,
		&(struct raster_choice){
			.tile_shift = 6, .queue = RASTER_QUEUE, .lanes = lanes_here()});
	return raster;
}

static void forget_saved(struct raster *raster) {
	for (size_t i = 0; i < raster->saved_count; i++) {
		free(raster->saved[i]);
	}
	free(raster->saved);
	raster->saved = NULL;
	raster->saved_count = 0;
}

void raster_destroy(struct raster *raster) {
	if (!raster) {
		return;
	}
	forget_saved(raster);
	pool_finish(&raster->pool);
	raster_hand_finish(&raster->own);
	for (int i = 0; i < HELPERS; i++) {
		if (raster->helping[i]) {
			raster_hand_finish(raster->helping[i]);
			free(raster->helping[i]);
		}
	}
	free(raster->commands);
	free(raster);
}

bool raster_begin(struct raster *raster, const struct raster_target *target, struct error *err) {
	assert(target->width >= 1 && target->width <= RASTER_SIZE_MAX);
	assert(target->height >= 1 && target->height <= RASTER_SIZE_MAX);
	assert(target->samples == 1 || target->samples == 4 || target->samples == 8);
	raster->picture.target = *target;
	raster->picture.command_count = 0;
	raster->next_number = 1;
	pool_reset(&raster->pool);
	forget_saved(raster);
	return raster_hand_begin(&raster->own, &raster->picture, err);
}

/* --- Adding commands --- */

static struct raster_command *add_command(struct raster *raster, enum raster_command_kind kind) {
	struct raster_picture *picture = &raster->picture;
	if (picture->command_count == raster->command_room) {
		raster->command_room = raster->command_room * 2 + 8;
		raster->commands =
			xrealloc(raster->commands, raster->command_room, sizeof *raster->commands);
		picture->commands = raster->commands;
	}
	struct raster_command *command = &raster->commands[picture->command_count];
	*command = (struct raster_command){.kind = kind, .first_number = raster->next_number};
	return command;
}

/* Lists a command's triangles by tiles, and has it drawn. */
static bool finish_command(
	struct raster *raster, struct raster_command *command, size_t count, struct error *err) {
	const struct raster_picture *picture = &raster->picture;
	if (count >= UINT32_MAX - raster->next_number) {
		return error_set(err, ERROR_TOO_LARGE, "the picture has too many triangles");
	}
	if (count == 0) {
		return true;
	}
	if (!raster_bin(&raster->pool, &picture->target, picture->choice.tile_shift,
		    command->outlines, count, &command->bins, err)) {
		return false;
	}
	raster->next_number += (uint32_t)count;
	raster->picture.command_count++;
	return true;
}

/* Copies of what a figure says of its primitives. */
static bool copy_surfaces(struct raster *raster, const struct raster_figure *figure,
	struct raster_command *command, struct error *err) {
	const size_t count = (size_t)figure->rig->primitive_count;
	struct raster_surface *surfaces = pool_take(&raster->pool, count, sizeof *surfaces, err);
	bool *mirrored = pool_take(&raster->pool, count, sizeof *mirrored, err);
	if (!surfaces || !mirrored) {
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		surfaces[i] = figure->surfaces[i];
		mirrored[i] = figure->mirrored && figure->mirrored[i];
		command->masked |= surfaces[i].mask != NULL;
	}
	command->surfaces = surfaces;
	command->mesh.mirrored = mirrored;
	return true;
}

/* --- Tiles --- */

static bool has_anything(const struct raster_tile *tile) {
	const int blocks = (tile->height + BLOCK_HEIGHT - 1) / BLOCK_HEIGHT << tile->column_shift;
	for (int i = 0; i < blocks; i++) {
		if (tile->blocks[i]) {
			return true;
		}
	}
	return false;
}

static bool save_tile(struct raster *raster, int column, int row, struct error *err) {
	const struct raster_picture *picture = &raster->picture;
	const size_t number = raster_tile_number(picture, column, row);
	raster_hand_draw(&raster->own, picture, raster->saved[number], column, row, false);
	if (!has_anything(&raster->own.tile)) {
		return true;
	}
	struct raster_saved *saved = raster_save(&raster->own.tile, err);
	if (saved) {
		free(raster->saved[number]);
		raster->saved[number] = saved;
	}
	return saved;
}

bool raster_execute(struct raster *raster, struct error *err) {
	const int columns = raster_tile_columns(&raster->picture);
	const int rows = raster_tile_rows(&raster->picture);
	if (raster->saved_count == 0) {
		raster->saved_count = (size_t)columns * (size_t)rows;
		raster->saved = xcalloc(raster->saved_count, sizeof(struct raster_saved *));
	}
	bool ok = true;
	for (int i = 0; ok && i < columns * rows; i++) {
		ok = save_tile(raster, i % columns, i / columns, err);
	}
	raster->picture.command_count = 0;
	raster->next_number = 1;
	pool_reset(&raster->pool);
	return ok;
}

/* Triangles that wait to be drawn: some hundred MiB with their vertices. When there are more they
 * are drawn before others are added. The number decides what pixels look like that two figures
 * share, and so it is the same everywhere. */
#define WAITING_MAX (1u << 20)

static bool has_any(const struct raster_figure *figure, enum raster_surface_kind kind) {
	bool any = false;
	for (int i = 0; i < figure->rig->primitive_count; i++) {
		any |= figure->surfaces[i].kind == kind;
	}
	return any;
}

static bool add_figure(struct raster *raster, enum raster_command_kind kind,
	const struct raster_figure *figure, struct error *err) {
	if (!has_any(figure, kind == COMMAND_BLENDED ? RASTER_BLENDED : RASTER_OPAQUE)) {
		return true;
	}
	const struct raster_kernels *kernels = raster->picture.kernels;
	struct raster_command *command = add_command(raster, kind);
	struct raster_growth growth = {
		.figure = figure,
		.target = &raster->picture.target,
		.view = raster_view_of(figure->view_projection, &raster->picture.target),
		.pool = &raster->pool,
		.mesh = &command->mesh,
		.blended = kind == COMMAND_BLENDED,
	};
	command->mesh.rig = figure->rig;
	if (!copy_surfaces(raster, figure, command, err) ||
		!raster_gather(
			&growth, kernels->project, kernels->gather_run, command->surfaces, err) ||
		(growth.blended && !raster_sort(&growth, err))) {
		return false;
	}
	command->outlines = growth.outlines;
	command->starts = growth.blended ? NULL : growth.starts;
	return finish_command(raster, command, command->mesh.triangle_count, err);
}

static bool add_figure_exactly(struct raster *raster, enum raster_command_kind kind,
	const struct raster_figure *figure, struct error *err) {
	const unsigned before = begin_arithmetic();
	const bool added = (raster->next_number < WAITING_MAX || raster_execute(raster, err)) &&
		add_figure(raster, kind, figure, err);
	end_arithmetic(before);
	return added;
}

bool raster_surfaces(struct raster *raster, const struct raster_figure *figure, struct error *err) {
	return add_figure_exactly(raster, COMMAND_SURFACES, figure, err);
}

bool raster_blended(struct raster *raster, const struct raster_figure *figure, struct error *err) {
	return add_figure_exactly(raster, COMMAND_BLENDED, figure, err);
}

bool raster_translucent(
	struct raster *raster, const struct raster_figure *figure, struct error *err) {
	return add_figure_exactly(raster, COMMAND_TRANSLUCENT, figure, err);
}

bool raster_flat(struct raster *raster, const struct raster_flats *flats, struct error *err) {
	struct raster_command *command = add_command(raster, COMMAND_FLAT);
	struct raster_flat_triangle *copies =
		pool_take(&raster->pool, flats->count, sizeof *copies, err);
	struct raster_outline *outlines =
		pool_take(&raster->pool, flats->count, sizeof *outlines, err);
	size_t count = 0;
	if (!copies || !outlines) {
		return false;
	}
	for (size_t i = 0; i < flats->count; i++) {
		struct raster_outline *outline = &outlines[count];
		memcpy(outline->x, flats->triangles[i].x, sizeof outline->x);
		memcpy(outline->y, flats->triangles[i].y, sizeof outline->y);
		memcpy(outline->depth, flats->triangles[i].depth, sizeof outline->depth);
		outline->flags = 0;
		if (raster_area(outline) != 0 && raster_bound(&raster->picture.target, outline)) {
			copies[count++] = flats->triangles[i];
		}
	}
	command->flats = copies;
	command->outlines = outlines;
	command->behind = flats->behind;
	return finish_command(raster, command, count, err);
}

void raster_clear_depth(struct raster *raster) {
	add_command(raster, COMMAND_CLEAR_DEPTH);
	raster->picture.command_count++;
}

/* --- Reading --- */

/* Rows of tiles that are read, by all who take part. */
struct reading {
	struct raster *raster;
	const struct raster_area *area;
	unsigned char *rgba;
	const struct draw_help *help;
	atomic_int next;          // row
	atomic_bool has[HELPERS]; // hands that someone works with
};

/* Reads a row; false when none is left. */
static bool read_row(struct reading *reading, struct raster_hand *hand) {
	const struct raster *raster = reading->raster;
	const struct raster_picture *picture = &raster->picture;
	const struct raster_area *area = reading->area;
	const int shift = picture->choice.tile_shift;
	const int y = atomic_fetch_add(&reading->next, 1);
	if (y << shift >= area->y + area->height) {
		return false;
	}
	for (int x = area->x >> shift; x << shift < area->x + area->width; x++) {
		raster_hand_draw(hand, picture,
			raster->saved_count > 0 ? raster->saved[raster_tile_number(picture, x, y)]
						: NULL,
			x, y, true);
		picture->kernels->resolve(
			&hand->tile, picture->target.encoding, area, reading->rgba);
	}
	return true;
}

static void help_with(struct reading *reading, struct raster_hand **hand) {
	const struct draw_help *help = reading->help;
	struct error ignored = {0};
	if (!*hand) {
		*hand = xcalloc(1, sizeof **hand);
	}
	// Without memory for a tile the others do it alone.
	if (raster_hand_begin(*hand, &reading->raster->picture, &ignored)) {
		const unsigned before = begin_arithmetic();
		while (!help->is_wanted(help->context) && read_row(reading, *hand)) {
		}
		end_arithmetic(before);
	}
}

/* Runs on a thread that helps. */
static void help_out(void *task) {
	struct reading *reading = task;
	for (int i = 0; i < HELPERS; i++) {
		if (!atomic_exchange(&reading->has[i], true)) {
			help_with(reading, &reading->raster->helping[i]);
			atomic_store(&reading->has[i], false);
			return;
		}
	}
}

static void read_all(struct reading *reading) {
	const struct draw_help *help = reading->help;
	do {
		if (help) {
			help->ask(help->context, help_out, reading);
		}
	} while (read_row(reading, &reading->raster->own));
	if (help) {
		help->end(help->context);
	}
}

void raster_read_with(struct raster *raster, const struct raster_area *area,
	const struct draw_help *help, unsigned char *rgba) {
	const struct raster_target *target = &raster->picture.target;
	assert(area->x >= 0 && area->width >= 0 && area->width <= target->width - area->x);
	assert(area->y >= 0 && area->height >= 0 && area->height <= target->height - area->y);
	struct reading reading = {.raster = raster, .area = area, .rgba = rgba, .help = help};
	atomic_init(&reading.next, area->y >> raster->picture.choice.tile_shift);
	const unsigned before = begin_arithmetic();
	read_all(&reading);
	end_arithmetic(before);
}

/* The mean of a pixel's samples. */
static void light_of(const struct raster_tile *tile, int block, int lane, float out[static 4]) {
	const int pixel = block * BLOCK_PIXELS + lane;
	const enum pixel_state state =
		tile->blocks[block] & BLOCK_COLORED ? tile->states[pixel] : PIXEL_BACKGROUND;
	if (state != PIXEL_SAMPLES) {
		assert(state != PIXEL_ENCODED);
		memcpy(out, state == PIXEL_WHOLE ? tile->whole[pixel] : tile->background,
			4 * sizeof *out);
		return;
	}
	const float(*colors)[4] =
		(const float(*)[4])tile->colors + (size_t)pixel * (size_t)tile->samples;
	for (int k = 0; k < 4; k++) {
		float sum = 0;
		for (int s = 0; s < tile->samples; s++) {
			sum += colors[s][k];
		}
		out[k] = sum / (float)tile->samples;
	}
}

static void read_tile_light(
	const struct raster_tile *tile, const struct raster_target *target, float (*out)[4]) {
	for (int y = 0; y < tile->height; y++) {
		for (int x = 0; x < tile->width; x++) {
			const int block =
				(y / BLOCK_HEIGHT << tile->column_shift) + x / BLOCK_WIDTH;
			const int lane = x % BLOCK_WIDTH + BLOCK_WIDTH * (y % BLOCK_HEIGHT);
			const size_t row = (size_t)(tile->y + y) * (size_t)target->width;
			light_of(tile, block, lane, out[row + (size_t)(tile->x + x)]);
		}
	}
}

void raster_read_light(struct raster *raster, float (*out)[4]) {
	const struct raster_picture *picture = &raster->picture;
	const int columns = raster_tile_columns(picture), rows = raster_tile_rows(picture);
	const unsigned before = begin_arithmetic();
	for (int i = 0; i < columns * rows; i++) {
		raster_hand_draw(&raster->own, picture,
			raster->saved_count > 0 ? raster->saved[i] : NULL, i % columns, i / columns,
			false);
		read_tile_light(&raster->own.tile, &picture->target, out);
	}
	end_arithmetic(before);
}

void raster_read(struct raster *raster, const struct raster_area *area, unsigned char *rgba) {
	raster_read_with(raster, area, NULL, rgba);
}

/* Takes the depths of a tile that was drawn. */
static void take_depths(const struct raster_tile *tile, int width, float *depths) {
	for (int y = 0; y < tile->height; y += BLOCK_HEIGHT) {
		for (int x = 0; x < tile->width; x += BLOCK_WIDTH) {
			const int block =
				(y / BLOCK_HEIGHT << tile->column_shift) + x / BLOCK_WIDTH;
			for (int i = 0; tile->blocks[block] & BLOCK_DEEP && i < BLOCK_PIXELS; i++) {
				const int right = x + i % BLOCK_WIDTH, down = y + i / BLOCK_WIDTH;
				const float depth = tile->depths[block * BLOCK_PIXELS + i];
				if (right < tile->width && down < tile->height) {
					float *to = depths +
						(size_t)(tile->y + down) * (size_t)width +
						(size_t)(tile->x + right);
					*to = depth < *to ? depth : *to;
				}
			}
		}
	}
}

void raster_read_depths(struct raster *raster, float *depths) {
	const struct raster_picture *picture = &raster->picture;
	const int columns = raster_tile_columns(picture), rows = raster_tile_rows(picture);
	assert(picture->target.encoding == RASTER_DEPTH && picture->target.samples == 1);
	const unsigned before = begin_arithmetic();
	for (int i = 0; i < columns * rows; i++) {
		raster_hand_draw(&raster->own, picture,
			raster->saved_count > 0 ? raster->saved[i] : NULL, i % columns, i / columns,
			true);
		take_depths(&raster->own.tile, picture->target.width, depths);
	}
	end_arithmetic(before);
}
