// Executing a picture's commands for one tile.
#include <string.h>

#include "raster/tiles.h"

struct drawing {
	const struct raster_picture *picture;
	struct raster_queues *queues;
	struct raster_paint paint;
	const struct raster_command *command; // the one that is executed
	bool pending;                         // numbers of surfaces have not been shaded
};

/* Triangles of a command that may meet a tile. */
struct listed {
	const uint32_t *list;
	size_t count;
};

static struct listed list_of(const struct raster_command *command, const struct raster_tile *tile) {
	const struct raster_bins *bins = &command->bins;
	const int bin = (tile->y >> bins->shift) * bins->columns + (tile->x >> bins->shift);
	const uint32_t *starts = bins->starts + bin;
	return (struct listed){bins->list + starts[0], starts[1] - starts[0]};
}

static void cover(struct drawing *drawing, struct listed part, raster_visit *visit) {
	const struct raster_command *command = drawing->command;
	const struct raster_cover_job job = {
		.tile = drawing->paint.tile,
		.outlines = command->outlines,
		.list = part.list,
		.count = part.count,
		.first_number = command->first_number,
		.behind = command->behind,
		.visit = visit,
		.context = drawing,
	};
	drawing->picture->kernels->cover(&job);
}

/* --- Surfaces --- */

/* The command that has a number: the last one that begins at it or before. */
static const struct raster_command *find_command(
	const struct raster_picture *picture, uint32_t number) {
	size_t low = 0, high = picture->command_count;
	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;
		if (picture->commands[middle].first_number <= number) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return &picture->commands[low];
}

static bool has_number(const struct raster_command *command, uint32_t number) {
	return number - command->first_number < command->mesh.triangle_count;
}

/* Runs of pieces of one command. */
static void queue_pieces(void *context, const struct raster_piece *pieces, int count) {
	struct drawing *drawing = context;
	for (int i = 0; i < count;) {
		if (!has_number(drawing->command, pieces[i].number)) {
			drawing->command = find_command(drawing->picture, pieces[i].number);
		}
		i += raster_queue(
			drawing->queues, &drawing->paint, drawing->command, pieces + i, count - i);
	}
}

/* Shades the surfaces that have been covered. */
static void finish_surfaces(struct drawing *drawing, bool blended, bool last) {
	if (!drawing->pending) {
		return;
	}
	if (drawing->paint.encoding == RASTER_DEPTH) {
		return;
	}
	drawing->paint.blended = blended;
	drawing->paint.last = last;
	drawing->picture->kernels->split(drawing->paint.tile, queue_pieces, drawing);
	raster_queues_finish(drawing->queues, &drawing->paint);
	drawing->pending = false;
}

static const struct raster_surface *surface_of(
	const struct raster_command *command, uint32_t triangle) {
	return &command->surfaces[command->mesh.triangles[triangle].primitive];
}

/* Takes the samples of pixels away that are holes. */
static void cut_holes(const struct raster_tile *tile, const struct raster_command *command,
	uint32_t triangle, const struct raster_covered *covered,
	uint8_t left[static BLOCK_PIXELS]) {
	const struct raster_surface *surface = surface_of(command, triangle);
	struct raster_fragments fragments;
	bool solid[RASTER_QUEUE];
	memcpy(left, covered->pixels, BLOCK_PIXELS);
	if (!surface->mask) {
		return;
	}
	for (int i = 0; i < RASTER_PADDED; i++) {
		const int pixel = covered->block * BLOCK_PIXELS + i % BLOCK_PIXELS;
		fragments.triangle[i] = triangle;
		fragments.x[i] = raster_pixel_x(tile, pixel) * RASTER_PIXEL + RASTER_PIXEL / 2;
		fragments.y[i] = raster_pixel_y(tile, pixel) * RASTER_PIXEL + RASTER_PIXEL / 2;
	}
	fragments.mesh = &command->mesh;
	fragments.primitive = (int)command->mesh.triangles[triangle].primitive;
	fragments.count = BLOCK_PIXELS;
	surface->mask(surface->context, &fragments, solid);
	for (int i = 0; i < BLOCK_PIXELS; i++) {
		left[i] = solid[i] ? left[i] : 0;
	}
}

static size_t sample_at(const struct raster_tile *tile, int block, int sample, int lane) {
	return ((size_t)block * (size_t)tile->samples + (size_t)sample) * BLOCK_PIXELS +
		(size_t)lane;
}

static void write_depths(struct raster_tile *tile, const struct raster_covered *covered,
	const uint8_t left[static BLOCK_PIXELS]) {
	for (int i = 0; i < BLOCK_PIXELS; i++) {
		for (unsigned rest = left[i]; rest; rest &= rest - 1) {
			const int s = __builtin_ctz(rest);
			tile->depths[sample_at(tile, covered->block, s, i)] = covered->depths[s][i];
		}
	}
}

static void write_numbers(struct raster_tile *tile, int block, uint32_t number,
	const uint8_t left[static BLOCK_PIXELS]) {
	if (!(tile->blocks[block] & BLOCK_NUMBERED)) {
		memset(tile->numbers + sample_at(tile, block, 0, 0), 0,
			(size_t)tile->samples * BLOCK_PIXELS * sizeof *tile->numbers);
		tile->blocks[block] |= BLOCK_NUMBERED;
	}
	for (int i = 0; i < BLOCK_PIXELS; i++) {
		for (unsigned rest = left[i]; rest; rest &= rest - 1) {
			tile->numbers[sample_at(tile, block, __builtin_ctz(rest), i)] = number;
		}
	}
}

static void visit_masked(void *context, uint32_t triangle, const struct raster_covered *covered) {
	struct drawing *drawing = context;
	struct raster_tile *tile = drawing->paint.tile;
	uint8_t left[BLOCK_PIXELS];
	cut_holes(tile, drawing->command, triangle, covered, left);
	write_depths(tile, covered, left);
	write_numbers(tile, covered->block, drawing->command->first_number + triangle, left);
}

static void cover_surfaces(struct drawing *drawing, struct listed all) {
	const struct raster_command *command = drawing->command;
	drawing->pending = true;
	if (!command->masked) {
		cover(drawing, all, NULL);
		return;
	}
	// Runs of triangles with holes, and of those without, in their order.
	for (size_t i = 0; i < all.count;) {
		const bool masked = surface_of(command, all.list[i])->mask;
		size_t end = i + 1;
		while (end < all.count &&
			(surface_of(command, all.list[end])->mask != NULL) == masked) {
			end++;
		}
		cover(drawing, (struct listed){all.list + i, end - i},
			masked ? visit_masked : NULL);
		i = end;
	}
}

/* --- What is blended --- */

static void visit_blended(void *context, uint32_t triangle, const struct raster_covered *covered) {
	struct drawing *drawing = context;
	const struct raster_command *command = drawing->command;
	struct raster_piece pieces[BLOCK_PIXELS];
	uint8_t left[BLOCK_PIXELS];
	int count = 0;
	cut_holes(drawing->paint.tile, command, triangle, covered, left);
	for (int i = 0; i < BLOCK_PIXELS; i++) {
		if (left[i]) {
			pieces[count++] = (struct raster_piece){command->first_number + triangle,
				(uint16_t)(covered->block * BLOCK_PIXELS + i), left[i]};
		}
	}
	raster_queue(drawing->queues, &drawing->paint, command, pieces, count);
	if (surface_of(command, triangle)->writes_depth) {
		write_depths(drawing->paint.tile, covered, left);
	}
}

static void draw_blended(struct drawing *drawing, struct listed all) {
	drawing->paint.blended = true;
	cover(drawing, all, visit_blended);
	raster_queues_finish(drawing->queues, &drawing->paint);
}

static void visit_flat(void *context, uint32_t triangle, const struct raster_covered *covered) {
	struct drawing *drawing = context;
	struct raster_tile *tile = drawing->paint.tile;
	const struct raster_command *command = drawing->command;
	for (int i = 0; i < BLOCK_PIXELS; i++) {
		if (covered->pixels[i]) {
			raster_blend(tile, covered->block * BLOCK_PIXELS + i, covered->pixels[i],
				command->flats[triangle].color);
		}
	}
	if (!command->behind) {
		write_depths(tile, covered, covered->pixels);
	}
}

/* --- The tile --- */

static void clear_depth(struct raster_tile *tile) {
	const int blocks = (tile->height + BLOCK_HEIGHT - 1) / BLOCK_HEIGHT << tile->column_shift;
	for (int i = 0; i < blocks; i++) {
		tile->blocks[i] &= (uint8_t)~BLOCK_DEEP;
	}
}

static void execute(struct drawing *drawing, const struct raster_command *command) {
	struct listed all = {0};
	// Also where the command has nothing in this tile: figures share fragments or they do not,
	// however large tiles are.
	if (command->kind != COMMAND_SURFACES) {
		finish_surfaces(drawing, false, false);
	}
	if (command->kind != COMMAND_CLEAR_DEPTH) {
		all = list_of(command, drawing->paint.tile);
		if (all.count == 0) {
			return;
		}
	}
	drawing->command = command;
	switch (command->kind) {
	case COMMAND_SURFACES:
		cover_surfaces(drawing, all);
		break;
	case COMMAND_TRANSLUCENT:
		cover_surfaces(drawing, all);
		finish_surfaces(drawing, true, false);
		break;
	case COMMAND_BLENDED:
		draw_blended(drawing, all);
		break;
	case COMMAND_FLAT:
		cover(drawing, all, visit_flat);
		break;
	case COMMAND_CLEAR_DEPTH:
		clear_depth(drawing->paint.tile);
		break;
	}
}

void raster_draw_tile(const struct raster_picture *picture, struct raster_tile *tile,
	struct raster_queues *queues, const struct raster_saved *saved, bool last) {
	struct drawing drawing = {
		.picture = picture,
		.queues = queues,
		.paint =
			{
				.tile = tile,
				.kernels = picture->kernels,
				.queue_length = picture->choice.queue,
				.encoding = picture->target.encoding,
			},
	};
	const int size = 1 << picture->choice.tile_shift;
	memset(tile->blocks, 0, (size_t)(size * size / BLOCK_PIXELS));
	if (saved) {
		raster_restore(tile, saved);
	}
	for (size_t i = 0; i < picture->command_count; i++) {
		execute(&drawing, &picture->commands[i]);
	}
	finish_surfaces(&drawing, false, last);
}
