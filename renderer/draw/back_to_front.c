// The order in which what one can see through is drawn.
#include "draw/back_to_front.h"

static double depth_of(const struct back_to_front_view *view, const double point[static 3]) {
	double sum = 0;
	for (int k = 0; k < 3; k++) {
		sum -= point[k] * (double)view->back[k];
	}
	return sum == sum ? sum : 0;
}

double back_to_front_depth(
	const struct back_to_front_view *view, const struct primitive *primitive) {
	const size_t count = (size_t)primitive->vertex_count;
	double middle[3] = {0};
	for (size_t i = 0; i < count; i++) {
		const float *point = view->positions + ((size_t)primitive->first_vertex + i) * 3;
		for (int k = 0; k < 3; k++) {
			middle[k] += (double)point[k] / (double)count;
		}
	}
	return depth_of(view, middle);
}

/* The i-th corner of a primitive. */
static uint32_t corner(const struct rig *rig, const struct primitive *primitive, size_t i) {
	const size_t first = (size_t)primitive->first_index;
	return (uint32_t)primitive->first_vertex +
		(primitive->index_count > 0 ? rig->indices[first + i] : (uint32_t)i);
}

struct back_to_front_piece back_to_front_piece_of(
	const struct back_to_front_view *view, const struct primitive *primitive, size_t i) {
	const size_t count = primitive->topology == TOPOLOGY_TRIANGLES ? 3
		: primitive->topology == TOPOLOGY_LINES                ? 2
								       : 1;
	struct back_to_front_piece piece;
	double middle[3] = {0};
	for (size_t c = 0; c < 3; c++) {
		const size_t at = i * count + (c < count ? c : count - 1);
		piece.corners[c] = corner(view->rig, primitive, at);
		for (size_t k = 0; k < 3; k++) {
			middle[k] += (double)view->positions[piece.corners[c] * (size_t)3 + k] / 3;
		}
	}
	piece.depth = depth_of(view, middle);
	return piece;
}

int back_to_front_compare(const void *a, const void *b) {
	const struct back_to_front_piece *x = a, *y = b;
	if (x->depth != y->depth) {
		return x->depth < y->depth ? 1 : -1;
	}
	for (int i = 0; i < 3; i++) {
		if (x->corners[i] != y->corners[i]) {
			return x->corners[i] > y->corners[i] ? 1 : -1;
		}
	}
	return 0;
}
