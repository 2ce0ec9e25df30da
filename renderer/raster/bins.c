// Lists of triangles by squares of the picture.
#include <string.h>

#include "raster/geometry.h"

/* Squares grow until a triangle is in no more than this many of them on average: what covers the
 * whole picture many times would need more memory than the picture. */
#define LISTED_MOST 8
#define LISTED_LEAST ((size_t)1 << 20)

/* Squares of the picture. */
static size_t count_all(const struct raster_target *target, int shift) {
	return (size_t)(((target->width - 1) >> shift) + 1) *
		(size_t)(((target->height - 1) >> shift) + 1);
}

static size_t count_entries(const struct raster_outline *outlines, size_t count, int shift) {
	size_t entries = 0;
	for (size_t i = 0; i < count; i++) {
		const struct raster_outline *o = &outlines[i];
		entries += (size_t)((o->right >> shift) - (o->left >> shift) + 1) *
			(size_t)((o->bottom >> shift) - (o->top >> shift) + 1);
	}
	return entries;
}

/* Squares that a triangle meets. */
struct squares {
	int left, top, right, bottom;
};

static inline struct squares squares_of(const struct raster_outline *o, int shift) {
	return (struct squares){
		o->left >> shift, o->top >> shift, o->right >> shift, o->bottom >> shift};
}

/* Most triangles lie in one square. */
static inline bool is_one(const struct squares *s) {
	return (s->left == s->right) & (s->top == s->bottom);
}

/* Adds up in starts, behind each square's own place, the triangles that it meets. */
static void count_squares(const struct raster_outline *outlines, size_t count, int shift,
	int columns, uint32_t *starts) {
	for (size_t i = 0; i < count; i++) {
		const struct squares s = squares_of(&outlines[i], shift);
		if (is_one(&s)) {
			starts[s.top * columns + s.left + 1]++;
			continue;
		}
		for (int y = s.top; y <= s.bottom; y++) {
			for (int x = s.left; x <= s.right; x++) {
				starts[y * columns + x + 1]++;
			}
		}
	}
}

/* Fills the lists; starts[i] moves on to where the next square's list begins. */
static void fill(const struct raster_outline *outlines, size_t count, int shift, int columns,
	uint32_t *starts, uint32_t *list) {
	for (size_t i = 0; i < count; i++) {
		const struct squares s = squares_of(&outlines[i], shift);
		if (is_one(&s)) {
			list[starts[s.top * columns + s.left]++] = (uint32_t)i;
			continue;
		}
		for (int y = s.top; y <= s.bottom; y++) {
			for (int x = s.left; x <= s.right; x++) {
				list[starts[y * columns + x]++] = (uint32_t)i;
			}
		}
	}
}

bool raster_bin(struct pool *pool, const struct raster_target *target, int tile_shift,
	const struct raster_outline *outlines, size_t count, struct raster_bins *out,
	struct error *err) {
	const size_t wanted =
		count * LISTED_MOST > LISTED_LEAST ? count * LISTED_MOST : LISTED_LEAST;
	const size_t most = wanted < UINT32_MAX ? wanted : UINT32_MAX;
	int shift = tile_shift;
	while (count > most / count_all(target, shift) &&
		count_entries(outlines, count, shift) > most) {
		shift++;
	}
	const int columns = ((target->width - 1) >> shift) + 1;
	const size_t squares = count_all(target, shift);
	uint32_t *starts = pool_take(pool, squares + 1, sizeof *starts, err);
	if (!starts) {
		return false;
	}
	memset(starts, 0, (squares + 1) * sizeof *starts);
	count_squares(outlines, count, shift, columns, starts);
	for (size_t i = 1; i <= squares; i++) {
		starts[i] += starts[i - 1];
	}
	uint32_t *list = pool_take(pool, starts[squares], sizeof *list, err);
	if (!list) {
		return false;
	}
	fill(outlines, count, shift, columns, starts, list);
	// Every start has become its successor's.
	memmove(starts + 1, starts, squares * sizeof *starts);
	starts[0] = 0;
	*out = (struct raster_bins){shift, columns, starts, list};
	return true;
}
