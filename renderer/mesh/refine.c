// A surface's triangles cut until weights change little across each.
#include "mesh/refine.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"

/* Between two looks at the stop: triangles. */
#define STEP 1024

/* A slot with weight at any corner of a triangle. */
struct column {
	int slot;
	double weights[3]; // at its corners
};

/* The triangle that is cut. Places on it are given by three shares of its corners. */
struct cutter {
	const struct mesh_surface *surface;
	struct pair_pieces *pieces;
	const int *corners;
	struct column *columns; // [column_count]; has room for all shares of three points
	int column_count;
	double products[3][3]; // of the corners' weights, as vectors
	struct error *err;
};

static void add_column(struct cutter *cutter, int corner, const struct share *share) {
	int i = 0;
	while (i < cutter->column_count && cutter->columns[i].slot != share->slot) {
		i++;
	}
	if (i == cutter->column_count) {
		cutter->columns[cutter->column_count++] = (struct column){.slot = share->slot};
	}
	cutter->columns[i].weights[corner] = share->weight;
}

static int compare_columns(const void *a, const void *b) {
	const struct column *left = a, *right = b;
	return (left->slot > right->slot) - (left->slot < right->slot);
}

static void begin(struct cutter *cutter, int triangle) {
	const struct mesh_surface *surface = cutter->surface;
	cutter->corners = surface->triangles[triangle];
	cutter->column_count = 0;
	for (int k = 0; k < 3; k++) {
		const int point = cutter->corners[k];
		for (int i = surface->share_starts[point]; i < surface->share_starts[point + 1];
			i++) {
			add_column(cutter, k, &surface->shares[i]);
		}
	}
	qsort(cutter->columns, (size_t)cutter->column_count, sizeof *cutter->columns,
		compare_columns);
	memset(cutter->products, 0, sizeof cutter->products);
	for (int i = 0; i < cutter->column_count; i++) {
		const double *w = cutter->columns[i].weights;
		for (int k = 0; k < 9; k++) {
			cutter->products[k / 3][k % 3] += w[k / 3] * w[k % 3];
		}
	}
}

static bool reserve(struct pair_pieces *pieces, struct error *err) {
	if (pieces->count < pieces->room) {
		return true;
	}
	if (pieces->room >= REFINE_PIECES_MAX) {
		return error_set(err, ERROR_TOO_LARGE,
			"the surface falls into more than %zu pieces of even weights",
			REFINE_PIECES_MAX);
	}
	const size_t room = pieces->room ? pieces->room * 2 : 4096;
	struct pair_piece *list = try_calloc(room, sizeof *list, "pieces of surface", err);
	if (!list) {
		return false;
	}
	if (pieces->list) {
		memcpy(list, pieces->list, pieces->count * sizeof *list);
	}
	free(pieces->list);
	pieces->list = list;
	pieces->room = room;
	return true;
}

static double weight_at(const struct column *column, const double at[static 3]) {
	return at[0] * column->weights[0] + at[1] * column->weights[1] + at[2] * column->weights[2];
}

static bool add_piece(struct cutter *cutter, const double middle[static 3], double area) {
	struct pair_piece piece = {.area = area};
	for (int i = 0; i < 9; i++) {
		const double *corner = cutter->surface->positions[cutter->corners[i / 3]];
		piece.middle[i % 3] += middle[i / 3] * corner[i % 3];
	}
	for (int a = 0; a < cutter->column_count; a++) {
		piece.slots[0] = cutter->columns[a].slot;
		piece.weights[0] = weight_at(&cutter->columns[a], middle);
		for (int b = a + 1; b < cutter->column_count; b++) {
			piece.slots[1] = cutter->columns[b].slot;
			piece.weights[1] = weight_at(&cutter->columns[b], middle);
			if (!reserve(cutter->pieces, cutter->err)) {
				return false;
			}
			piece.order = (int)cutter->pieces->count;
			cutter->pieces->list[cutter->pieces->count++] = piece;
		}
	}
	return true;
}

/* The square of how much weights differ between two places. */
static double difference(
	const struct cutter *cutter, const double a[static 3], const double b[static 3]) {
	double apart[3], sum = 0;
	vec3_sub(a, b, apart);
	for (int i = 0; i < 9; i++) {
		sum += apart[i / 3] * apart[i % 3] * cutter->products[i / 3][i % 3];
	}
	return sum;
}

/* Cuts a triangle whose corners are at these places. The depth is bounded: each side is at most
 * sqrt(2) long in weights, and halved each time. */
static bool cut(struct cutter *cutter, const double at[static 3][3], double area) {
	int longest = 0;
	double most = -1;
	for (int i = 0; i < 3; i++) {
		const double square = difference(cutter, at[i], at[(i + 1) % 3]);
		if (square > most) {
			most = square;
			longest = i;
		}
	}
	double middle[3], halves[2][3][3];
	if (most <= REFINE_WEIGHTS * REFINE_WEIGHTS) {
		for (int k = 0; k < 3; k++) {
			middle[k] = (at[0][k] + at[1][k] + at[2][k]) / 3;
		}
		return add_piece(cutter, middle, area);
	}
	memcpy(halves[0], at, sizeof halves[0]);
	memcpy(halves[1], at, sizeof halves[1]);
	for (int k = 0; k < 3; k++) {
		middle[k] = (at[longest][k] + at[(longest + 1) % 3][k]) / 2;
	}
	memcpy(halves[0][longest], middle, sizeof middle);
	memcpy(halves[1][(longest + 1) % 3], middle, sizeof middle);
	return cut(cutter, (const double(*)[3])halves[0], area / 2) &&
		cut(cutter, (const double(*)[3])halves[1], area / 2);
}

static bool cut_triangle(struct cutter *cutter, int triangle) {
	static const double corners[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	begin(cutter, triangle);
	if (cutter->column_count < 2) {
		return true;
	}
	double cross[3];
	surface_cross(
		cutter->surface, triangle, (const double(*)[3])cutter->surface->positions, cross);
	const double area = vec3_length(cross) / 2;
	return area <= 0 || cut(cutter, corners, area);
}

static int compare_pieces(const void *a, const void *b) {
	const struct pair_piece *left = a, *right = b;
	for (int i = 0; i < 2; i++) {
		if (left->slots[i] != right->slots[i]) {
			return left->slots[i] < right->slots[i] ? -1 : 1;
		}
	}
	return (left->order > right->order) - (left->order < right->order);
}

static size_t most_shares(const struct mesh_surface *surface) {
	int most = 0;
	for (int i = 0; i < surface->point_count; i++) {
		const int count = surface->share_starts[i + 1] - surface->share_starts[i];
		most = count > most ? count : most;
	}
	return (size_t)most;
}

bool pair_pieces_init(struct pair_pieces *pieces, const struct mesh_surface *surface,
	const struct watch *watch, struct error *err) {
	*pieces = (struct pair_pieces){0};
	struct cutter cutter = {.surface = surface, .pieces = pieces, .err = err};
	cutter.columns =
		try_calloc(most_shares(surface) * 3, sizeof *cutter.columns, "weights", err);
	bool done = cutter.columns;
	for (int i = 0; done && i < surface->triangle_count; i++) {
		done = (i % STEP != 0 || watch_step(watch, 0, err)) && cut_triangle(&cutter, i);
	}
	free(cutter.columns);
	if (done && pieces->count) {
		qsort(pieces->list, pieces->count, sizeof *pieces->list, compare_pieces);
	} else if (!done) {
		pair_pieces_finish(pieces);
	}
	return done;
}

void pair_pieces_finish(struct pair_pieces *pieces) {
	free(pieces->list);
	*pieces = (struct pair_pieces){0};
}
