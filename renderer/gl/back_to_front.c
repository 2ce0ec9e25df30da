// The order in which what one can see through is drawn.
#include "gl/back_to_front.h"

#include <stdlib.h>

#include "base/memory.h"

struct triangle {
	double depth;
	uint32_t corners[3]; // in the rig's vertices
};

/* The i-th corner of a primitive. */
static uint32_t corner(const struct rig *rig, const struct primitive *primitive, int i) {
	const int first = primitive->first_vertex;
	return primitive->index_count > 0
		? rig->indices[primitive->first_index + i] + (uint32_t)first
		: (uint32_t)(first + i);
}

static int corner_count(const struct primitive *primitive) {
	return primitive->index_count > 0 ? primitive->index_count : primitive->vertex_count;
}

static double depth_of(const struct back_to_front_view *view, const double point[static 3]) {
	double sum = 0;
	for (int k = 0; k < 3; k++) {
		sum -= point[k] * (double)view->back[k];
	}
	return sum;
}

static double depth_of_middle(
	const struct back_to_front_view *view, const uint32_t corners[static 3]) {
	double middle[3] = {0};
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3; k++) {
			middle[k] +=
				(double)view->positions[(size_t)corners[i] * 3 + (size_t)k] / 3;
		}
	}
	return depth_of(view, middle);
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

/* Corners part those that are as far, so that the order is always the same. */
static int farthest_first(const void *a, const void *b) {
	const struct triangle *x = a, *y = b;
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

GLsizei back_to_front_upload(
	const struct back_to_front_view *view, const struct primitive *primitive) {
	const size_t count = (size_t)corner_count(primitive) / 3;
	struct triangle *triangles = xcalloc(count + 1, sizeof *triangles);
	uint32_t *indices = xcalloc(count * 3 + 1, sizeof *indices);
	for (size_t i = 0; i < count; i++) {
		for (int k = 0; k < 3; k++) {
			triangles[i].corners[k] = corner(view->rig, primitive, (int)i * 3 + k);
		}
		triangles[i].depth = depth_of_middle(view, triangles[i].corners);
	}
	qsort(triangles, count, sizeof *triangles, farthest_first);
	for (size_t i = 0; i < count * 3; i++) {
		indices[i] = triangles[i / 3].corners[i % 3];
	}
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(count * 3 * sizeof *indices), indices,
		GL_STREAM_DRAW);
	free(triangles);
	free(indices);
	return (GLsizei)(count * 3);
}
