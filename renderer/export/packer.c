// Vertices in few bytes: 16 bits a coordinate, two bytes a normal, meshoptimizer's codec.
#include "export/packer.h"

#include <float.h>
#include <math.h>
#include <meshoptimizer.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A vertex while it is worked on: x, y, z and both bytes of the normal from the lowest bits up. */
typedef uint64_t packed_vertex;

#define NORMAL_SHIFT 48
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
	double scale[3];         // steps in a unit
	bool has_previous;       // frames since the box was set
	packed_vertex *previous; // [vertices] the frame before
	packed_vertex *frame;    // [vertices] as it goes to the codec
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
	if (!packer->previous || !packer->frame) {
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
		free(packer);
	}
}

void packer_measure(const float *positions, size_t vertices, struct bounds *bounds) {
	for (size_t k = 0; k < 3; k++) {
		float least = INFINITY, most = -INFINITY;
		for (size_t v = 0; v < vertices; v++) {
			const float x = positions[v * 3 + k];
			least = x < least ? x : least;
			most = x > most ? x : most;
		}
		bounds->min[k] = fmin(bounds->min[k], (double)least);
		bounds->max[k] = fmax(bounds->max[k], (double)most);
	}
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
		packer->scale[k] = size > 0 ? WHOLE / size : 0;
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

/* The vertex at a place of the frame. */
static size_t vertex_at(const struct packer *packer, size_t place) {
	return packer->order ? packer->order[place] : place;
}

/* Brings the vectors of a block's vertices together, one array for each axis. */
static void gather(const struct packer *packer, const float *vectors, size_t first, size_t count,
	float out[static 3][BLOCK]) {
	for (size_t i = 0; i < count; i++) {
		const float *vector = vectors + vertex_at(packer, first + i) * 3;
		out[0][i] = vector[0];
		out[1][i] = vector[1];
		out[2][i] = vector[2];
	}
}

static void pack_positions(const struct packer *packer, const float *positions, size_t first,
	size_t count, packed_vertex *out) {
	float p[3][BLOCK];
	int steps[3][BLOCK];
	gather(packer, positions, first, count, p);
	for (size_t k = 0; k < 3; k++) {
		const double min = (double)packer->min[k], scale = packer->scale[k];
		for (size_t i = 0; i < count; i++) {
			// Not negative, and at most 65535: the box has all.
			steps[k][i] = (int)(((double)p[k][i] - min) * scale + 0.5);
		}
	}
	for (size_t i = 0; i < count; i++) {
		const unsigned xy = (unsigned)steps[0][i] | (unsigned)steps[1][i] << 16;
		out[i] = (packed_vertex)xy | (packed_vertex)(unsigned)steps[2][i] << 32;
	}
}

/* The nearest of 255 steps from -1 to 1. */
static int round_snorm8(float x) {
	return (int)(x * 127 + copysignf(0.5f, x));
}

static void pack_normals(const struct packer *packer, const float *normals, size_t first,
	size_t count, packed_vertex *out) {
	float n[3][BLOCK];
	int steps[BLOCK];
	gather(packer, normals, first, count, n);
	for (size_t i = 0; i < count; i++) {
		// What has no direction points along +Z.
		const float sum = fabsf(n[0][i]) + fabsf(n[1][i]) + fabsf(n[2][i]) + FLT_MIN;
		const float over = 1 / sum;
		const float x = n[0][i] * over, y = n[1][i] * over, z = n[2][i] * over;
		// 1 - |y| is |x| + |z|: folding adds what is below the net's plane, else nothing.
		const float below = (fabsf(z) - z) * 0.5f;
		const int a = round_snorm8(x + copysignf(below, x));
		const int b = round_snorm8(y + copysignf(below, y));
		steps[i] = (a & 0xff) | (b & 0xff) << 8;
	}
	for (size_t i = 0; i < count; i++) {
		out[i] |= (packed_vertex)(unsigned)steps[i] << NORMAL_SHIFT;
	}
}

/* a - b of each number by itself: borrows stop at the highest bits, which are put right after. */
static packed_vertex subtract(packed_vertex a, packed_vertex b) {
	return ((a | HIGHEST) - (b & ~HIGHEST)) ^ ((a ^ ~b) & HIGHEST);
}

/* Puts what the frame differs by in its place. */
static void subtract_previous(struct packer *packer) {
	const bool first = packer_is_key_next(packer);
	packed_vertex *frame = packer->frame, *previous = packer->previous;
	for (size_t i = 0; !first && i < packer->vertices; i++) {
		const packed_vertex now = frame[i];
		frame[i] = subtract(now, previous[i]);
		previous[i] = now;
	}
	if (first && packer->settings.deltas) {
		memcpy(previous, frame, packer->vertices * sizeof *frame);
	}
	packer->has_previous = true;
}

/* Leaves nothing but the normals, at 4 bytes each. */
static void shrink(struct packer *packer) {
	unsigned char *out = (unsigned char *)packer->frame;
	for (size_t i = 0; i < packer->vertices; i++) {
		const uint32_t normal = (uint32_t)(packer->frame[i] >> NORMAL_SHIFT);
		memcpy(out + i * sizeof normal, &normal, sizeof normal);
	}
}

static void pack(struct packer *packer, const float *positions, const float *normals) {
	for (size_t first = 0; first < packer->vertices; first += BLOCK) {
		const size_t left = packer->vertices - first, count = left < BLOCK ? left : BLOCK;
		packed_vertex *out = packer->frame + first;
		if (packer->settings.positions) {
			pack_positions(packer, positions, first, count, out);
		} else {
			memset(out, 0, count * sizeof *out);
		}
		if (packer->settings.normals) {
			pack_normals(packer, normals, first, count, out);
		}
	}
}

static void encode(
	const void *vertices, size_t count, size_t stride, size_t most, struct buffer *out) {
	unsigned char *place = buffer_reserve(out, most);
	out->size += meshopt_encodeVertexBuffer(place, most, vertices, count, stride);
}

void packer_add_order(const struct packer *packer, struct buffer *out) {
	encode(packer->order, packer->vertices, sizeof *packer->order,
		packer_order_bytes(packer->vertices), out);
}

void packer_add_frame(
	struct packer *packer, const float *positions, const float *normals, struct buffer *out) {
	const size_t stride = packer_stride(&packer->settings);
	pack(packer, positions, normals);
	subtract_previous(packer);
	if (!packer->settings.positions) {
		shrink(packer);
	}
	if (packer->settings.compressed) {
		encode(packer->frame, packer->vertices, stride,
			packer_frame_bytes(&packer->settings, packer->vertices), out);
	} else {
		buffer_append(out, packer->frame, packer->vertices * stride);
	}
}
