// Vertices in few bytes: 16 bits a coordinate, two bytes a normal, meshoptimizer's codec.
#include "export/packer.h"

#include <float.h>
#include <math.h>
#include <meshoptimizer.h>
#include <stdlib.h>
#include <string.h>

#include "base/lanes.h"
#include "base/memory.h"
#include "export/quantise.h"
#include "export/surface.h"

#define WHOLE 65535.0

/* The highest bit of each number in a vertex. */
#define HIGHEST UINT64_C(0x8080800080008000)

/* Vertices that are packed at a time, so that what lies between the steps stays near. */
#define BLOCK 256

struct packer {
	struct packing_settings settings;
	size_t vertices;
	uint32_t *order; // [vertices] owned; NULL = as they come
	float min[3], max[3];
	struct quantise_box box;
	bool has_previous;       // frames since the box was set
	packed_vertex *previous; // [vertices] the frame before, as the vertices come
	packed_vertex *frame;    // [vertices] as they come
	packed_vertex *ordered;  // [vertices] as they go to the codec; NULL without an order
};

size_t packer_stride(const struct packing_settings *settings) {
	return settings->positions ? 8 : 4;
}

size_t packer_frame_bytes(const struct packing_settings *settings, size_t vertices) {
	const size_t stride = packer_stride(settings);
	return settings->compressed ? meshopt_encodeVertexBufferBound(vertices, stride)
				    : vertices * stride;
}

size_t packer_order_bytes(size_t vertices) {
	return meshopt_encodeVertexBufferBound(vertices, sizeof(uint32_t));
}

struct packer *packer_create(const struct packing_settings *settings, size_t vertices,
	uint32_t *take_order, struct error *err) {
	struct packer *packer = xcalloc(1, sizeof *packer);
	packer->settings = *settings;
	packer->vertices = vertices;
	packer->order = take_order;
	packer->previous = try_calloc(vertices + 1, sizeof *packer->previous, "the vertices", err);
	packer->frame = try_calloc(vertices + 1, sizeof *packer->frame, "the vertices", err);
	if (take_order) {
		packer->ordered =
			try_calloc(vertices + 1, sizeof *packer->ordered, "the vertices", err);
	}
	if (!packer->previous || !packer->frame || (take_order && !packer->ordered)) {
		packer_destroy(packer);
		return NULL;
	}
	return packer;
}

void packer_destroy(struct packer *packer) {
	if (packer) {
		free(packer->order);
		free(packer->previous);
		free(packer->frame);
		free(packer->ordered);
		free(packer);
	}
}

void packer_measure(const float *positions, size_t vertices, struct bounds *bounds) {
	(LANES_CPU_HAS_AVX2() ? measure_positions_avx2 : measure_positions)(
		positions, vertices, bounds);
}

/* The least float32 that is not below x. */
static float round_up(double x) {
	const float rounded = (float)x;
	return (double)rounded < x ? nextafterf(rounded, INFINITY) : rounded;
}

bool packer_set_box(struct packer *packer, const struct bounds *bounds, struct error *err) {
	double side = 0;
	for (size_t k = 0; k < 3; k++) {
		side = fmax(side, bounds->max[k] - bounds->min[k]);
	}
	side *= WHOLE / ((1 << packer->settings.bits) - 1);
	packer->has_previous = false;
	for (size_t k = 0; k < 3; k++) {
		const double min = bounds->min[k] <= bounds->max[k] ? bounds->min[k] : 0;
		packer->min[k] = -round_up(-min);
		packer->max[k] = round_up(min + side);
		const double size = (double)packer->max[k] - (double)packer->min[k];
		packer->box.min[k] = (double)packer->min[k];
		packer->box.scale[k] = size > 0 ? WHOLE / size : 0;
		if (!isfinite(packer->max[k])) {
			return error_set(err, ERROR_INVALID_VALUE,
				"the vertices are farther from one another than float32 reaches; "
				"ask for \"position\"");
		}
	}
	return true;
}

void packer_box(const struct packer *packer, float box[static 6]) {
	memcpy(box, packer->min, sizeof packer->min);
	memcpy(box + 3, packer->max, sizeof packer->max);
}

bool packer_is_key_next(const struct packer *packer) {
	return !packer->settings.deltas || !packer->has_previous;
}

/* a - b of each number by itself: borrows stop at the highest bits, which are put right after. */
static packed_vertex subtract(packed_vertex a, packed_vertex b) {
	return ((a | HIGHEST) - (b & ~HIGHEST)) ^ ((a ^ ~b) & HIGHEST);
}

/* Puts what vertices differ by from the frame before in their place. */
static void subtract_previous(
	packed_vertex *restrict vertices, packed_vertex *restrict previous, size_t count) {
	for (size_t i = 0; i < count; i++) {
		const packed_vertex now = vertices[i];
		vertices[i] = subtract(now, previous[i]);
		previous[i] = now;
	}
}

static void pack_block(struct packer *packer, const float *positions, const float *normals,
	size_t first, size_t count) {
	packed_vertex *block = packer->frame + first;
	(LANES_CPU_HAS_AVX2() ? quantise_vertices_avx2 : quantise_vertices)(&packer->box,
		packer->settings.positions ? positions + first * 3 : NULL,
		packer->settings.normals ? normals + first * 3 : NULL, count, block);
	if (packer->settings.deltas) {
		subtract_previous(block, packer->previous + first, count);
	}
}

static void pack(struct packer *packer, const float *positions, const float *normals) {
	if (packer->settings.deltas && !packer->has_previous) {
		// The first frame is stored as its difference from zeros.
		memset(packer->previous, 0, packer->vertices * sizeof *packer->previous);
	}
	for (size_t first = 0; first < packer->vertices; first += BLOCK) {
		const size_t left = packer->vertices - first;
		pack_block(packer, positions, normals, first, left < BLOCK ? left : BLOCK);
	}
	packer->has_previous = true;
}

/* The frame with each vertex in its place. */
static packed_vertex *put_in_order(struct packer *packer) {
	if (!packer->order) {
		return packer->frame;
	}
	for (size_t place = 0; place < packer->vertices; place++) {
		packer->ordered[place] = packer->frame[packer->order[place]];
	}
	return packer->ordered;
}

/* Leaves nothing but the normals, at 4 bytes each. */
static void shrink(packed_vertex *vertices, size_t count) {
	unsigned char *out = (unsigned char *)vertices;
	for (size_t i = 0; i < count; i++) {
		const uint32_t normal = (uint32_t)(vertices[i] >> PACKED_NORMAL_SHIFT);
		memcpy(out + i * sizeof normal, &normal, sizeof normal);
	}
}

static void encode(
	const void *vertices, size_t count, size_t stride, size_t most, struct buffer *out) {
	unsigned char *place = buffer_reserve(out, most);
	out->size += meshopt_encodeVertexBuffer(place, most, vertices, count, stride);
}

void packer_encode_indices(const void *from, size_t count, size_t stride, struct buffer *out) {
	const unsigned char *bytes = from;
	unsigned *indices = xcalloc(count, sizeof *indices);
	unsigned most = 0;
	for (size_t i = 0; i < count; i++) {
		uint16_t narrow = 0;
		if (stride == sizeof narrow) {
			memcpy(&narrow, bytes + i * stride, sizeof narrow);
			indices[i] = narrow;
		} else {
			memcpy(&indices[i], bytes + i * stride, sizeof *indices);
		}
		most = indices[i] > most ? indices[i] : most;
	}
	const size_t bound = meshopt_encodeIndexSequenceBound(count, (size_t)most + 1);
	unsigned char *to = buffer_reserve(out, bound);
	out->size += meshopt_encodeIndexSequence(to, bound, indices, count);
	free(indices);
}

void packer_add_order(const struct packer *packer, struct buffer *out) {
	encode(packer->order, packer->vertices, sizeof *packer->order,
		packer_order_bytes(packer->vertices), out);
}

void packer_add_frame(
	struct packer *packer, const float *positions, const float *normals, struct buffer *out) {
	const size_t stride = packer_stride(&packer->settings);
	pack(packer, positions, normals);
	packed_vertex *vertices = put_in_order(packer);
	if (!packer->settings.positions) {
		shrink(vertices, packer->vertices);
	}
	if (packer->settings.compressed) {
		encode(vertices, packer->vertices, stride,
			packer_frame_bytes(&packer->settings, packer->vertices), out);
	} else {
		buffer_append(out, vertices, packer->vertices * stride);
	}
}

void packer_encode(const void *elements, size_t count, size_t stride, struct buffer *out) {
	const size_t most = meshopt_encodeVertexBufferBound(count, stride);
	unsigned char *to = buffer_reserve(out, most);
	meshopt_encodeVertexVersion(0);
	out->size += meshopt_encodeVertexBuffer(to, most, elements, count, stride);
}
