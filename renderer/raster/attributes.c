// Attributes of fragments.
#include "raster/attributes.h"

#include <string.h>

#include "base/lanes.h"
#include "raster/functions.h"

/* Squared length below which a tangent has vanished. */
#define VANISHED 1e-20F

/* The triangles of as many fragments as there are lanes. */
struct lane_triangles {
	const struct raster_triangle *at[LANE_COUNT];
	bool one; // all are the same
};

/* A corner of each. */
struct lane_corners {
	lanes x, y;
	lanes inverse_w;
	struct lanes3 normal;
	lanes u, v;
};

KERNEL struct lane_triangles find_triangles(const struct raster_fragments *fragments, int i) {
	struct lane_triangles out;
	uint32_t differs = 0;
	for (int j = 0; j < LANE_COUNT; j++) {
		out.at[j] = &fragments->mesh->triangles[fragments->triangle[i + j]];
		differs |= fragments->triangle[i + j] ^ fragments->triangle[i];
	}
	out.one = differs == 0;
	return out;
}

KERNEL struct lanes4 broadcast4(const float *row) {
	return (struct lanes4){
		row[0] + (lanes){0}, row[1] + (lanes){0}, row[2] + (lanes){0}, row[3] + (lanes){0}};
}

KERNEL lanes integers_of(lanes bits, lane_mask less) {
	return __builtin_convertvector((lane_mask)bits - less, lanes);
}

KERNEL lane_mask load_places(const int32_t *from) {
	lane_mask a;
	memcpy(&a, from, sizeof a);
	return a;
}

/* Corner k relative to the fragments' places. Places go through registers of floats as bits. */
KERNEL struct lane_corners load_corners(const struct raster_fragments *fragments,
	const struct lane_triangles *triangles, int k, int i) {
	const float *first[LANE_COUNT], *second[LANE_COUNT];
	for (int j = 0; j < LANE_COUNT; j++) {
		const struct raster_corner *corner =
			&fragments->mesh->corners[triangles->at[j]->corners[k]];
		first[j] = (const float *)(const void *)corner;
		second[j] = corner->normal;
	}
	const struct lanes4 place = lanes_load_rows(first), normal = lanes_load_rows(second);
	return (struct lane_corners){
		.x = integers_of(place.x, load_places(fragments->x + i)),
		.y = integers_of(place.y, load_places(fragments->y + i)),
		.inverse_w = place.z,
		.u = place.w,
		.normal = lanes3_of(normal),
		.v = normal.w,
	};
}

/* The same where all triangles are one: the same bits. */
KERNEL struct lane_corners load_corner(const struct raster_fragments *fragments,
	const struct raster_triangle *triangle, int k, int i) {
	const struct raster_corner *corner = &fragments->mesh->corners[triangle->corners[k]];
	const struct lanes4 normal = broadcast4(corner->normal);
	return (struct lane_corners){
		.x = __builtin_convertvector(corner->x - load_places(fragments->x + i), lanes),
		.y = __builtin_convertvector(corner->y - load_places(fragments->y + i), lanes),
		.inverse_w = corner->inverse_w + (lanes){0},
		.u = corner->u + (lanes){0},
		.normal = lanes3_of(normal),
		.v = normal.w,
	};
}

KERNEL lanes weighted(const lanes weights[static 3], lanes a, lanes b, lanes c) {
	return (a * weights[0] + b * weights[1]) + c * weights[2];
}

/* The change of an attribute by those of the first two weights: differences, so that a great number
 * that hardly changes keeps its digits. */
KERNEL lanes changed(lanes change_a, lanes change_b, lanes a, lanes b, lanes c) {
	return change_a * (a - c) + change_b * (b - c);
}

KERNEL void store_places(const lanes weights[static 3], const lanes right[static 2],
	const lanes down[static 2], const lanes u[static 3], const lanes v[static 3], int i,
	struct raster_places *out) {
	lanes_store(weighted(weights, u[0], u[1], u[2]), out->u + i);
	lanes_store(weighted(weights, v[0], v[1], v[2]), out->v + i);
	lanes_store(changed(right[0], right[1], u[0], u[1], u[2]), out->u_right + i);
	lanes_store(changed(right[0], right[1], v[0], v[1], v[2]), out->v_right + i);
	lanes_store(changed(down[0], down[1], u[0], u[1], u[2]), out->u_down + i);
	lanes_store(changed(down[0], down[1], v[0], v[1], v[2]), out->v_down + i);
}

/* The weights of corners, and what all attributes of corners come to. */
KERNEL void mix_corners(const struct lane_corners *a, const struct lane_corners *b,
	const struct lane_corners *c, int i, struct raster_attributes *out) {
	const lanes q_a = (b->x * c->y - c->x * b->y) * a->inverse_w;
	const lanes q_b = (c->x * a->y - a->x * c->y) * b->inverse_w;
	const lanes q_c = (a->x * b->y - b->x * a->y) * c->inverse_w;
	const lanes per_sum = 1 / ((q_a + q_b) + q_c);
	// A fragment outside, as the middle of a pixel may be, has what is next to it inside; nor
	// shall slivers, whose digits cancel, say otherwise.
	const lanes inside[3] = {lanes_clamp(q_a * per_sum, 0, 1), lanes_clamp(q_b * per_sum, 0, 1),
		lanes_clamp(q_c * per_sum, 0, 1)};
	const lanes sum = (inside[0] + inside[1]) + inside[2];
	const lanes whole = 1 / lanes_greater(sum, 1e-6F + (lanes){0});
	const lanes weights[3] = {inside[0] * whole, inside[1] * whole, inside[2] * whole};
	const lanes per_pixel = RASTER_PIXEL * per_sum;
	const lanes x_a = (b->y - c->y) * a->inverse_w, x_b = (c->y - a->y) * b->inverse_w;
	const lanes x_c = (a->y - b->y) * c->inverse_w, x_sum = (x_a + x_b) + x_c;
	const lanes y_a = (c->x - b->x) * a->inverse_w, y_b = (a->x - c->x) * b->inverse_w;
	const lanes y_c = (b->x - a->x) * c->inverse_w, y_sum = (y_a + y_b) + y_c;
	const lanes right[2] = {
		(x_a - weights[0] * x_sum) * per_pixel, (x_b - weights[1] * x_sum) * per_pixel};
	const lanes down[2] = {
		(y_a - weights[0] * y_sum) * per_pixel, (y_b - weights[1] * y_sum) * per_pixel};
	for (int k = 0; k < 3; k++) {
		lanes_store(weights[k], out->weights[k] + i);
	}
	for (int k = 0; k < 2; k++) {
		lanes_store(right[k], out->right[k] + i);
		lanes_store(down[k], out->down[k] + i);
	}
	lanes_store(weighted(weights, a->normal.x, b->normal.x, c->normal.x), out->normal[0] + i);
	lanes_store(weighted(weights, a->normal.y, b->normal.y, c->normal.y), out->normal[1] + i);
	lanes_store(weighted(weights, a->normal.z, b->normal.z, c->normal.z), out->normal[2] + i);
	const lanes u[3] = {a->u, b->u, c->u}, v[3] = {a->v, b->v, c->v};
	store_places(weights, right, down, u, v, i, &out->places[0]);
}

KERNEL void mix_first(const struct raster_fragments *fragments,
	const struct lane_triangles *triangles, int i, struct raster_attributes *out) {
	struct lane_corners corners[3];
	if (triangles->one) {
		for (int k = 0; k < 3; k++) {
			corners[k] = load_corner(fragments, triangles->at[0], k, i);
		}
	} else {
		for (int k = 0; k < 3; k++) {
			corners[k] = load_corners(fragments, triangles, k, i);
		}
	}
	mix_corners(&corners[0], &corners[1], &corners[2], i, out);
	for (int j = 0; j < LANE_COUNT; j++) {
		out->front[i + j] = triangles->at[j]->back ? -1 : 1;
	}
	lanes_store(__builtin_convertvector(load_places(fragments->x + i), lanes), out->x + i);
	lanes_store(__builtin_convertvector(load_places(fragments->y + i), lanes), out->y + i);
}

/* --- Other attributes of the mesh --- */

/* Component k of an attribute of width floats, of all three corners. */
KERNEL void load_attribute(const struct lane_triangles *triangles, const float *values, int width,
	int k, lanes out[static 3]) {
	for (int corner = 0; corner < 3; corner++) {
		float numbers[LANE_COUNT];
		for (int j = 0; j < LANE_COUNT; j++) {
			const size_t vertex = triangles->at[j]->corners[corner];
			numbers[j] = values[vertex * (size_t)width + (size_t)k];
		}
		out[corner] = lanes_load(numbers);
	}
}

struct lane_weights {
	lanes of[3], right[2], down[2];
};

KERNEL struct lane_weights load_weights(const struct raster_attributes *from, int i) {
	struct lane_weights out;
	for (int k = 0; k < 3; k++) {
		out.of[k] = lanes_load(from->weights[k] + i);
	}
	for (int k = 0; k < 2; k++) {
		out.right[k] = lanes_load(from->right[k] + i);
		out.down[k] = lanes_load(from->down[k] + i);
	}
	return out;
}

/* right and down may be NULL. */
KERNEL void mix_attribute(const struct lane_triangles *triangles,
	const struct lane_weights *weights, const float *values, int width, int used, int i,
	float (*out)[RASTER_QUEUE], float (*right)[RASTER_QUEUE], float (*down)[RASTER_QUEUE]) {
	for (int k = 0; k < used; k++) {
		lanes f[3];
		load_attribute(triangles, values, width, k, f);
		lanes_store(weighted(weights->of, f[0], f[1], f[2]), out[k] + i);
		if (right) {
			lanes_store(changed(weights->right[0], weights->right[1], f[0], f[1], f[2]),
				right[k] + i);
			lanes_store(changed(weights->down[0], weights->down[1], f[0], f[1], f[2]),
				down[k] + i);
		}
	}
}

KERNEL void mix_second(const struct raster_mesh *mesh, const struct lane_triangles *triangles,
	const struct lane_weights *weights, int i, struct raster_attributes *out) {
	lanes u[3] = {{0}}, v[3] = {{0}};
	if (mesh->texcoords[1]) {
		load_attribute(triangles, mesh->texcoords[1], 2, 0, u);
		load_attribute(triangles, mesh->texcoords[1], 2, 1, v);
	}
	store_places(weights->of, weights->right, weights->down, u, v, i, &out->places[1]);
}

KERNEL struct lanes3 unit_or_none(struct lanes3 a) {
	const lanes square = lanes_greater(lanes3_dot(a, a), VANISHED + (lanes){0});
	return lanes3_scale(a, 1 / lanes_sqrt(square));
}

KERNEL struct lanes3 add_weighted(struct lanes3 sum, struct lanes3 a, lanes weight) {
	return lanes3_add(sum, lanes3_scale(a, weight));
}

KERNEL void store3(struct lanes3 a, float (*out)[RASTER_QUEUE], int i) {
	lanes_store(a.x, out[0] + i);
	lanes_store(a.y, out[1] + i);
	lanes_store(a.z, out[2] + i);
}

/* A surface that is mirrored has its normal inwards, and so the bitangent stays with the texture.
 * Source: glTF 2.0, 3.7.2.1. */
KERNEL void mix_tangents(const struct raster_mesh *mesh, const struct lane_triangles *triangles,
	const struct lane_weights *weights, int i, struct raster_attributes *out) {
	struct lanes3 tangents = {{0}, {0}, {0}}, bitangents = tangents;
	for (int k = 0; k < 3; k++) {
		const float *tangent[LANE_COUNT], *normal[LANE_COUNT];
		for (int j = 0; j < LANE_COUNT; j++) {
			const uint32_t vertex = triangles->at[j]->corners[k];
			tangent[j] = mesh->tangents + (size_t)vertex * 4;
			normal[j] = mesh->corners[vertex].normal;
		}
		const struct lanes4 t = lanes_load_rows(tangent);
		const struct lanes3 along = unit_or_none(lanes3_of(t));
		const struct lanes3 across =
			unit_or_none(lanes3_cross(lanes3_of(lanes_load_rows(normal)), along));
		tangents = add_weighted(tangents, along, weights->of[k]);
		bitangents = add_weighted(bitangents, lanes3_scale(across, t.w), weights->of[k]);
	}
	store3(tangents, out->tangent, i);
	store3(bitangents, out->bitangent, i);
}

KERNEL void mix_wanted(const struct raster_mesh *mesh, const struct lane_triangles *triangles,
	unsigned wants, int i, struct raster_attributes *out) {
	const struct lane_weights weights = load_weights(out, i);
	if (wants & RASTER_WANTS_SECOND) {
		mix_second(mesh, triangles, &weights, i, out);
	}
	if (wants & RASTER_WANTS_COLOR && mesh->colors) {
		const bool changes = wants & RASTER_WANTS_COLOR_CHANGES;
		mix_attribute(triangles, &weights, mesh->colors, 4, 4, i, out->color,
			changes ? out->color_right : NULL, out->color_down);
	}
	if (wants & RASTER_WANTS_POSITION && mesh->positions) {
		const bool changes = wants & RASTER_WANTS_POSITION_CHANGES;
		mix_attribute(triangles, &weights, mesh->positions, 3, 3, i, out->position,
			changes ? out->position_right : NULL, out->position_down);
	}
	if (wants & RASTER_WANTS_TANGENT && mesh->tangents) {
		mix_tangents(mesh, triangles, &weights, i, out);
	}
}

/* The values of attributes that the mesh does not have. */
KERNEL void set_missing(
	const struct raster_mesh *mesh, unsigned wants, struct raster_attributes *out) {
	if (wants & RASTER_WANTS_COLOR && !mesh->colors) {
		memset(out->color_right, 0, sizeof out->color_right);
		memset(out->color_down, 0, sizeof out->color_down);
		for (int i = 0; i < RASTER_QUEUE * 4; i++) {
			out->color[i / RASTER_QUEUE][i % RASTER_QUEUE] = 1;
		}
	}
	if (wants & RASTER_WANTS_POSITION && !mesh->positions) {
		memset(out->position, 0, sizeof out->position);
		memset(out->position_right, 0, sizeof out->position_right);
		memset(out->position_down, 0, sizeof out->position_down);
	}
	if (wants & RASTER_WANTS_TANGENT && !mesh->tangents) {
		memset(out->tangent, 0, sizeof out->tangent);
		memset(out->bitangent, 0, sizeof out->bitangent);
	}
}

LANES_TARGET void LANES_NAME(attributes_mix)(
	const struct raster_fragments *fragments, unsigned wants, struct raster_attributes *out) {
	out->count = (fragments->count + LANE_COUNT - 1) / LANE_COUNT * LANE_COUNT;
	for (int i = 0; i < out->count; i += LANE_COUNT) {
		const struct lane_triangles triangles = find_triangles(fragments, i);
		mix_first(fragments, &triangles, i, out);
		if (wants) {
			mix_wanted(fragments->mesh, &triangles, wants, i, out);
		}
	}
	set_missing(fragments->mesh, wants, out);
}
