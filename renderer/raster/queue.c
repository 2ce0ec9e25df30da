// Fragments on their way to be shaded, a queue for each primitive.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "raster/tiles.h"

/* Primitives that have fragments at once; when there are more, all are shaded. */
#define QUEUES 64

struct queue {
	const struct raster_command *command;
	int primitive;
	int count;
	struct raster_piece pieces[RASTER_QUEUE];
};

struct raster_queues {
	struct queue queues[QUEUES];
	struct raster_fragments fragments; // that are being shaded, and their colours
	struct raster_colors colors;
	struct raster_middles middles;
	int count;
};

struct raster_queues *raster_queues_create(void) {
	return xcalloc(1, sizeof(struct raster_queues));
}

void raster_queues_destroy(struct raster_queues *queues) {
	free(queues);
}

static void find_middles(int samples, struct raster_middles *out) {
	const uint8_t(*places)[2] = raster_sample_places(samples);
	const unsigned all = (1u << samples) - 1;
	out->samples = samples;
	for (unsigned mask = 1; mask <= all; mask++) {
		int sums[2] = {0, 0}, count = 0;
		for (int s = 0; s < samples; s++) {
			sums[0] += mask >> s & 1 ? places[s][0] : 0;
			sums[1] += mask >> s & 1 ? places[s][1] : 0;
			count += (int)(mask >> s & 1);
		}
		const int x = (2 * sums[0] + count) / (2 * count);
		const int y = (2 * sums[1] + count) / (2 * count);
		out->of[mask] = x | y << 16;
	}
	out->of[all] = RASTER_PIXEL / 2 | RASTER_PIXEL / 2 << 16;
}

static void blend_all(
	const struct queue *queue, const struct raster_colors *colors, struct raster_tile *tile) {
	for (int i = 0; i < queue->count; i++) {
		const struct raster_piece *piece = &queue->pieces[i];
		const float color[4] = {
			colors->red[i], colors->green[i], colors->blue[i], colors->alpha[i]};
		raster_blend(tile, piece->pixel, piece->mask, color);
	}
}

static void shade(
	struct raster_queues *queues, const struct raster_paint *paint, struct queue *queue) {
	struct raster_fragments *fragments = &queues->fragments;
	const struct raster_command *command = queue->command;
	const struct raster_surface *surface = &command->surfaces[queue->primitive];
	if (queue->count == 0) {
		return;
	}
	fragments->mesh = &command->mesh;
	fragments->primitive = queue->primitive;
	paint->kernels->place(paint->tile, &queues->middles, queue->pieces, queue->count,
		command->first_number, fragments);
	surface->shade(surface->context, fragments, &queues->colors);
	if (paint->blended) {
		blend_all(queue, &queues->colors, paint->tile);
	} else {
		paint->kernels->put(paint, queue->pieces, &queues->colors, queue->count);
	}
	queue->count = 0;
}

void raster_queues_finish(struct raster_queues *queues, const struct raster_paint *paint) {
	for (int i = 0; i < queues->count; i++) {
		shade(queues, paint, &queues->queues[i]);
	}
	queues->count = 0;
}

/* The queue of a primitive, a new one if need be. */
static struct queue *find_queue(struct raster_queues *queues, const struct raster_paint *paint,
	const struct raster_command *command, int primitive) {
	for (int i = queues->count - 1; i >= 0; i--) {
		struct queue *queue = &queues->queues[i];
		if (queue->primitive == primitive && queue->command == command) {
			return queue;
		}
	}
	if (queues->count == QUEUES || (paint->blended && queues->count > 0)) {
		raster_queues_finish(queues, paint);
	}
	struct queue *queue = &queues->queues[queues->count++];
	queue->command = command;
	queue->primitive = primitive;
	queue->count = 0;
	return queue;
}

/* Copies pieces to the end of a queue, and shades whenever it is full. */
static void append(struct raster_queues *queues, const struct raster_paint *paint,
	struct queue *queue, const struct raster_piece *pieces, int count) {
	while (count > 0) {
		const int room = paint->queue_length - queue->count;
		const int taken = count < room ? count : room;
		memcpy(queue->pieces + queue->count, pieces, (size_t)taken * sizeof *pieces);
		queue->count += taken;
		pieces += taken;
		count -= taken;
		if (queue->count == paint->queue_length) {
			shade(queues, paint, queue);
		}
	}
}

/* The number of pieces at the start of a list that have numbers in a range, as the first has. */
static int run_length(
	const struct raster_piece *pieces, int count, uint32_t first, uint32_t length) {
	int run = 1;
	while (run < count && pieces[run].number - first < length) {
		run++;
	}
	return run;
}

int raster_queue(struct raster_queues *queues, const struct raster_paint *paint,
	const struct raster_command *command, const struct raster_piece *pieces, int count) {
	const struct raster_triangle *triangles = command->mesh.triangles;
	const uint32_t *starts = command->starts;
	const uint32_t first = command->first_number;
	if (queues->middles.samples != paint->tile->samples) {
		find_middles(paint->tile->samples, &queues->middles);
	}
	int i = 0;
	while (i < count && pieces[i].number - first < command->mesh.triangle_count) {
		const uint32_t triangle = pieces[i].number - first;
		const uint32_t primitive = triangles[triangle].primitive;
		// Triangles of this primitive: all of them, or one where they are not in its order.
		const uint32_t start = starts ? starts[primitive] : triangle;
		const uint32_t length = starts ? starts[primitive + 1] - start : 1;
		const int run = run_length(pieces + i, count - i, first + start, length);
		append(queues, paint, find_queue(queues, paint, command, (int)primitive),
			pieces + i, run);
		i += run;
	}
	return i;
}
