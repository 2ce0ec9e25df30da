// Optimised centres of rotation.
#include "mesh/centres.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/decay.h"
#include "mesh/refine.h"

/* Between two looks at the stop: points. */
#define STEP 64

/* Four pieces of surface of one pair of slots, side by side. */
struct block {
	doubles4 weights[2];
	doubles4 mass;      // product of the weights times area; 0 = no piece
	doubles4 moment[3]; // mass times middle
};

/* A pair of slots and the blocks of its pieces. */
struct pair {
	int slots[2];
	size_t start, end; // of blocks
};

struct pairs {
	size_t count;
	struct pair *list; // ascending
	struct block *blocks;
};

static bool is_pair(const struct pair_piece *piece, const struct pair *pair) {
	return piece->slots[0] == pair->slots[0] && piece->slots[1] == pair->slots[1];
}

static void put_piece(struct block *block, int lane, const struct pair_piece *piece) {
	const double mass = piece->weights[0] * piece->weights[1] * piece->area;
	block->weights[0][lane] = piece->weights[0];
	block->weights[1][lane] = piece->weights[1];
	block->mass[lane] = mass;
	for (int i = 0; i < 3; i++) {
		block->moment[i][lane] = mass * piece->middle[i];
	}
}

/* Blocks are never more than the pieces, and pairs neither. */
static bool pairs_init(struct pairs *pairs, const struct pair_pieces *pieces, struct error *err) {
	*pairs = (struct pairs){0};
	pairs->list = try_calloc(pieces->count, sizeof *pairs->list, "pairs of slots", err);
	pairs->blocks = try_calloc(pieces->count, sizeof *pairs->blocks, "pieces of surface", err);
	if (!pairs->list || !pairs->blocks) {
		return false;
	}
	struct pair *pair = NULL;
	size_t end = 0;
	int lane = 0;
	for (size_t i = 0; i < pieces->count; i++) {
		const struct pair_piece *piece = &pieces->list[i];
		if (!pair || !is_pair(piece, pair)) {
			pair = &pairs->list[pairs->count++];
			*pair = (struct pair){{piece->slots[0], piece->slots[1]}, end, end};
			lane = 0;
		}
		end += lane == 0;
		put_piece(&pairs->blocks[end - 1], lane, piece);
		lane = (lane + 1) % 4;
		pair->end = end;
	}
	return true;
}

static void pairs_finish(struct pairs *pairs) {
	free(pairs->list);
	free(pairs->blocks);
}

static int compare(const void *a, const void *b) {
	const struct pair *left = a, *right = b;
	for (int i = 0; i < 2; i++) {
		if (left->slots[i] != right->slots[i]) {
			return left->slots[i] < right->slots[i] ? -1 : 1;
		}
	}
	return 0;
}

/* Adds one pair's part: sums of mass times likeness, of its first moment in sums[0..2]. */
static void add_pair(const struct pairs *pairs, const struct pair *pair, const double weights[2],
	double sums[static 4]) {
	doubles4 lanes[4] = {{0}, {0}, {0}, {0}};
	for (size_t i = pair->start; i < pair->end; i++) {
		const struct block *block = &pairs->blocks[i];
		const doubles4 apart =
			weights[0] * block->weights[1] - weights[1] * block->weights[0];
		const doubles4 exponent = apart * apart / (CENTRES_SIGMA * CENTRES_SIGMA);
		doubles4 like;
		decay(&exponent, &like);
		for (int k = 0; k < 3; k++) {
			lanes[k] += like * block->moment[k];
		}
		lanes[3] += like * block->mass;
	}
	for (int k = 0; k < 4; k++) {
		const doubles4 a = lanes[k];
		sums[k] += weights[0] * weights[1] * ((a[0] + a[1]) + (a[2] + a[3]));
	}
}

static void find_centre(const struct mesh_surface *surface, const struct pairs *pairs, int point,
	double out[static 4]) {
	const struct share *shares = surface->shares + surface->share_starts[point];
	const int count = surface->share_starts[point + 1] - surface->share_starts[point];
	double sums[4] = {0};
	for (int a = 0; a < count; a++) {
		for (int b = 0; b < count; b++) {
			const struct pair key = {.slots = {shares[a].slot, shares[b].slot}};
			const double weights[2] = {shares[a].weight, shares[b].weight};
			const struct pair *pair = shares[a].slot < shares[b].slot
				? bsearch(&key, pairs->list, pairs->count, sizeof key, compare)
				: NULL;
			if (pair) {
				add_pair(pairs, pair, weights, sums);
			}
		}
	}
	const bool found = sums[3] > 0;
	for (int k = 0; k < 3; k++) {
		out[k] = found ? sums[k] / sums[3] : 0;
	}
	out[3] = found;
}

bool centres_find(const struct mesh_surface *surface, const struct watch *watch, double (*out)[4],
	struct error *err) {
	struct pair_pieces pieces;
	struct pairs pairs;
	if (!pair_pieces_init(&pieces, surface, watch, err)) {
		return false;
	}
	bool done = pairs_init(&pairs, &pieces, err);
	pair_pieces_finish(&pieces);
	for (int i = 0; done && i < surface->point_count; i++) {
		const double share = (double)i / surface->point_count;
		done = i % STEP != 0 || watch_step(watch, share, err);
		find_centre(surface, &pairs, i, out[i]);
	}
	pairs_finish(&pairs);
	return done;
}
