// The volume that a rig's triangles enclose.
#include <string.h>

#include "base/vec.h"
#include "compare/compare.h"

/* Positions of a triangle's corners among all vertices, the way round that shows its outside. */
struct triangle {
	size_t corners[3];
};

static int triangle_count(const struct primitive *primitive) {
	const int corners =
		primitive->index_count > 0 ? primitive->index_count : primitive->vertex_count;
	return primitive->topology == TOPOLOGY_TRIANGLES ? corners / 3 : 0;
}

static struct triangle triangle_at(
	const struct rig *rig, const struct primitive *primitive, int i, bool mirrored) {
	struct triangle triangle;
	for (int k = 0; k < 3; k++) {
		const int at = i * 3 + (mirrored ? 2 - k : k);
		const size_t corner = primitive->index_count > 0
			? rig->indices[primitive->first_index + at]
			: (size_t)at;
		triangle.corners[k] = (size_t)primitive->first_vertex + corner;
	}
	return triangle;
}

static double six_volumes(
	const struct triangle *triangle, const float *positions, const double origin[static 3]) {
	double corners[3][3], normal[3];
	for (int k = 0; k < 3; k++) {
		for (int axis = 0; axis < 3; axis++) {
			corners[k][axis] =
				positions[triangle->corners[k] * 3 + (size_t)axis] - origin[axis];
		}
	}
	vec3_cross(corners[1], corners[2], normal);
	return vec3_dot(corners[0], normal);
}

double compare_volume(const struct rig *rig, const float *positions, const bool *mirrored) {
	// Far from the world's origin the parts would be great against their sum.
	double middle[3], sum = 0;
	for (int k = 0; k < 3; k++) {
		middle[k] = (rig->bounds.min[k] + rig->bounds.max[k]) / 2;
	}
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		for (int k = 0; k < triangle_count(primitive); k++) {
			const struct triangle triangle =
				triangle_at(rig, primitive, k, mirrored[i]);
			sum += six_volumes(&triangle, positions, middle);
		}
	}
	return sum / 6;
}

/* Scatters 64 bits. Source: Steele, Lea, Flood. Fast Splittable Pseudorandom Number Generators.
 * OOPSLA 2014 (their mix64variant13). */
static uint64_t mix(uint64_t x) {
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

/* A number that vertices in one place have in common. */
static uint64_t place_of(const float position[static 3]) {
	uint64_t number = 0;
	for (int k = 0; k < 3; k++) {
		const float coordinate = position[k] + 0.0f; // -0 is in the place of 0
		uint32_t bits;
		memcpy(&bits, &coordinate, sizeof bits);
		number = mix(number + bits);
	}
	return number;
}

static uint64_t edge_number(uint64_t from, uint64_t to) {
	return mix(from + mix(to));
}

/* Instead of counting each edge, numbers that look random stand for the edges, added on the way
 * there and subtracted on the way back: unless all of them meet, that the sum is 0 has a chance of
 * one in 2^64. */
bool compare_is_closed(const struct rig *rig, const float *rest, const bool *mirrored) {
	uint64_t sum = 0;
	bool any = false;
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		// The vertices of a skin share the space they were modelled in; rounding in the
		// rest pose could split its seams.
		const float *positions = primitive->skinned ? rig->positions : rest;
		for (int t = 0; t < triangle_count(primitive); t++) {
			const struct triangle triangle =
				triangle_at(rig, primitive, t, mirrored[i]);
			uint64_t places[3];
			for (int k = 0; k < 3; k++) {
				places[k] = place_of(positions + triangle.corners[k] * 3);
			}
			for (int k = 0; k < 3; k++) {
				const uint64_t from = places[k], to = places[(k + 1) % 3];
				sum += edge_number(from, to) - edge_number(to, from);
			}
			any = true;
		}
	}
	return any && sum == 0;
}
