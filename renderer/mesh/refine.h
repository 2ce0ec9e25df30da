/* A surface's triangles cut until weights change little across each. */
#pragma once

#include "mesh/surface.h"
#include "mesh/watch.h"

/* More pieces are too many: 1 GiB. */
#define REFINE_PIECES_MAX ((size_t)1 << 24)

/* Edges whose ends' weights differ by more (as vectors, in length) are cut in two. */
#define REFINE_WEIGHTS 0.1

/* A pair of slots that both have weight on a piece of the surface. */
struct pair_piece {
	int slots[2];      // the lower first
	int order;         // in which it was made
	double weights[2]; // of those slots in the middle of the piece
	double area;
	double middle[3];
};

struct pair_pieces {
	size_t count, room;
	struct pair_piece *list; // by slots, then by order
};

/* Cuts triangles at the middle of the edge whose weights differ most, with the mean of its ends'
 * weights there, until none differs by more than REFINE_WEIGHTS, and lists every piece once for
 * each pair of its slots. Fails with ERROR_TOO_LARGE or the watch's error, and leaves *pieces zero
 * then. pair_pieces_finish frees what it holds. */
bool pair_pieces_init(struct pair_pieces *pieces, const struct mesh_surface *surface,
	const struct watch *watch, struct error *err);
void pair_pieces_finish(struct pair_pieces *pieces); // takes a zeroed one
