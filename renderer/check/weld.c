// Points that lie at one place.
#include "check/weld.h"

#include <math.h>
#include <stdint.h>

/* Points are looked up by cells, this many tolerances wide: most points are then nowhere near a
 * border, and their own cell holds all that may be at their place. */
#define CELL_TOLERANCES 16

/* Cells are counted up to so many each way; what lies farther is in the outermost ones. */
#define FARTHEST_CELL 1e15

struct welder {
	const double (*positions)[3];
	double tolerance;
	size_t mask; // of the table's size, a power of 2
	int *heads;  // [mask + 1] the last point put there, plus 1; 0 = none
	int *next;   // [count] the one put there before it, likewise
};

static size_t place_of(const struct welder *welder, const int64_t cell[static 3]) {
	uint64_t hash = 0;
	for (int i = 0; i < 3; i++) {
		hash = (hash ^ (uint64_t)cell[i]) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 29;
	}
	return (size_t)hash & welder->mask;
}

static int64_t cell_at(const struct welder *welder, double coordinate) {
	const double cell = floor(coordinate / (CELL_TOLERANCES * welder->tolerance));
	return (int64_t)fmin(fmax(cell, -FARTHEST_CELL), FARTHEST_CELL);
}

static bool are_near(const struct welder *welder, int a, int b) {
	double square = 0;
	for (int i = 0; i < 3; i++) {
		const double apart = welder->positions[a][i] - welder->positions[b][i];
		square += apart * apart;
	}
	return square <= welder->tolerance * welder->tolerance;
}

/* The lowest point in a cell that is near, or the one that comes in. */
static int search(const struct welder *welder, const int64_t cell[static 3], int point) {
	int lowest = point;
	for (int i = welder->heads[place_of(welder, cell)]; i > 0; i = welder->next[i - 1]) {
		if (i - 1 < lowest && are_near(welder, i - 1, point)) {
			lowest = i - 1;
		}
	}
	return lowest;
}

/* Looks where the point is, and beyond the borders that are near. */
static int find(const struct welder *welder, int point) {
	int64_t low[3], high[3], cell[3];
	for (int i = 0; i < 3; i++) {
		const double at = welder->positions[point][i];
		low[i] = cell_at(welder, at - welder->tolerance);
		high[i] = cell_at(welder, at + welder->tolerance);
	}
	int lowest = point;
	for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++) {
		for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++) {
			for (cell[2] = low[2]; cell[2] <= high[2]; cell[2]++) {
				const int found = search(welder, cell, point);
				lowest = found < lowest ? found : lowest;
			}
		}
	}
	return lowest;
}

/* Only the lowest point of a place is put into the table. */
static int weld(struct welder *welder, int point) {
	const int lowest = find(welder, point);
	if (lowest == point) {
		int64_t home[3];
		for (int i = 0; i < 3; i++) {
			home[i] = cell_at(welder, welder->positions[point][i]);
		}
		int *head = &welder->heads[place_of(welder, home)];
		welder->next[point] = *head;
		*head = point + 1;
	}
	return lowest;
}

static bool is_finite(const double position[static 3]) {
	return isfinite(position[0]) && isfinite(position[1]) && isfinite(position[2]);
}

int *check_weld(const double (*positions)[3], int count, double tolerance, const bool *left_out,
	struct arena *arena) {
	struct arena *scratch = arena_create();
	size_t size = 64;
	while (size < (size_t)count * 2) {
		size *= 2;
	}
	struct welder welder = {
		.positions = positions,
		.tolerance = tolerance,
		.mask = size - 1,
		.heads = arena_alloc(scratch, size, sizeof *welder.heads),
		.next = arena_alloc(scratch, (size_t)count, sizeof *welder.next),
	};
	int *lowest = arena_alloc(arena, (size_t)count, sizeof *lowest);
	for (int i = 0; i < count; i++) {
		const bool alone = (left_out && left_out[i]) || !is_finite(positions[i]);
		lowest[i] = alone ? i : weld(&welder, i);
	}
	arena_destroy(scratch);
	return lowest;
}
