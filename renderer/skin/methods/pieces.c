// Rigs put together from pieces of another's vertices.
#include "skin/methods/pieces.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Numbers of each source, in the order of the piece; width of them a vertex. */
static void gather(const struct piece *piece, const float *from, int width, float *to) {
	for (size_t v = 0; v < (size_t)piece->vertex_count; v++) {
		memcpy(to + v * (size_t)width, from + (size_t)piece->sources[v] * (size_t)width,
			(size_t)width * sizeof *to);
	}
}

/* An array of the rig that may be there or not: NULL stays NULL. */
static bool gather_all(struct rig *out, const struct piece *pieces, int count, int width,
	float **array, struct error *err) {
	const float *from = *array;
	if (!from) {
		return true;
	}
	*array = rig_storage(
		out, (size_t)out->vertex_count, (size_t)width * sizeof **array, "vertices", err);
	float *to = *array;
	for (int i = 0; to && i < count; i++) {
		gather(&pieces[i], from, width, to);
		to += (size_t)pieces[i].vertex_count * (size_t)width;
	}
	return *array != NULL;
}

/* Puts what pieces have of their own over what they have from their sources. */
static void put_own(struct rig *out, const struct piece *pieces, int count) {
	size_t at = 0;
	for (int i = 0; i < count; i++) {
		const size_t floats = (size_t)pieces[i].vertex_count * 3;
		if (pieces[i].positions) {
			memcpy(out->positions + at, pieces[i].positions,
				floats * sizeof *out->positions);
		}
		if (pieces[i].normals) {
			memcpy(out->normals + at, pieces[i].normals, floats * sizeof *out->normals);
		}
		at += floats;
	}
}

/* A morph target's array for a piece; deltas count from the primitive's first vertex. */
static bool gather_deltas(struct rig *out, const struct rig *rig, const struct piece *piece,
	const float **deltas, struct error *err) {
	const float *from = *deltas;
	if (!from) {
		return true;
	}
	float *to = rig_storage(out, (size_t)piece->vertex_count, 3 * sizeof *to, "morphs", err);
	const size_t first = (size_t)rig->primitives[piece->primitive].first_vertex;
	for (size_t v = 0; to && v < (size_t)piece->vertex_count; v++) {
		memcpy(to + v * 3, from + (piece->sources[v] - first) * 3, 3 * sizeof *to);
	}
	*deltas = to;
	return to != NULL;
}

static bool add_targets(struct rig *out, const struct rig *rig, const struct piece *piece,
	struct primitive *primitive, struct error *err) {
	const struct primitive *source = &rig->primitives[piece->primitive];
	if (piece->positions || source->target_count == 0) {
		primitive->target_count = 0;
		primitive->targets = NULL;
		return true;
	}
	primitive->targets = xcalloc((size_t)source->target_count, sizeof *primitive->targets);
	for (int t = 0; t < source->target_count; t++) {
		struct morph_target *target = &primitive->targets[t];
		*target = source->targets[t];
		if (!gather_deltas(out, rig, piece, &target->positions, err) ||
			!gather_deltas(out, rig, piece, &target->normals, err) ||
			!gather_deltas(out, rig, piece, &target->tangents, err)) {
			return false;
		}
	}
	return true;
}

/* Adds a piece's primitive, with its influences and indices. */
static bool add_primitive(
	struct rig *out, const struct rig *rig, const struct piece *piece, struct error *err) {
	const struct primitive *before =
		out->primitive_count > 0 ? &out->primitives[out->primitive_count - 1] : NULL;
	struct primitive *primitive = &out->primitives[out->primitive_count++];
	*primitive = rig->primitives[piece->primitive];
	primitive->first_vertex = before ? before->first_vertex + before->vertex_count : 0;
	primitive->vertex_count = piece->vertex_count;
	primitive->first_index = out->index_count;
	primitive->index_count = piece->index_count;
	primitive->influence_count = piece->influence_count;
	primitive->first_influence = out->influence_count;
	const size_t influences = (size_t)piece->vertex_count * (size_t)piece->influence_count;
	memcpy(out->influence_slots + out->influence_count, piece->slots,
		influences * sizeof *piece->slots);
	memcpy(out->influence_weights + out->influence_count, piece->weights,
		influences * sizeof *piece->weights);
	if (piece->index_count > 0) {
		memcpy(out->indices + out->index_count, piece->indices,
			(size_t)piece->index_count * sizeof *piece->indices);
	}
	out->influence_count += influences;
	out->index_count += piece->index_count;
	return add_targets(out, rig, piece, primitive, err);
}

/* Room for as much as all pieces have, and none of it used so far. */
static bool make_room(
	struct rig *out, const struct piece *pieces, int piece_count, struct error *err) {
	size_t vertices = 0, influences = 0, indices = 0;
	for (int i = 0; i < piece_count; i++) {
		vertices += (size_t)pieces[i].vertex_count;
		influences += (size_t)pieces[i].vertex_count * (size_t)pieces[i].influence_count;
		indices += (size_t)pieces[i].index_count;
	}
	if (vertices > INT_MAX / 16 || indices > INT_MAX) {
		return error_set(err, ERROR_TOO_LARGE, "the rig's parts have too many vertices");
	}
	out->vertex_count = (int)vertices;
	out->influence_count = 0;
	out->index_count = 0;
	out->influence_slots =
		rig_storage(out, influences, sizeof *out->influence_slots, "influences", err);
	out->influence_weights = out->influence_slots
		? rig_storage(out, influences, sizeof *out->influence_weights, "influences", err)
		: NULL;
	out->indices = out->influence_weights
		? rig_storage(out, indices, sizeof *out->indices, "indices", err)
		: NULL;
	return out->indices && rig_clear_primitives(out, piece_count, err);
}

static bool fill(struct rig *out, const struct rig *rig, const struct piece *pieces,
	int piece_count, struct error *err) {
	if (!make_room(out, pieces, piece_count, err)) {
		return false;
	}
	struct {
		float **array;
		int width;
	} const arrays[] = {
		{&out->positions, 3},
		{&out->normals, 3},
		{&out->tangents, 4},
		{&out->texcoords[0], 2},
		{&out->texcoords[1], 2},
		{&out->colors, 4},
		{&out->dqs_mix, 1},
	};
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
		if (!gather_all(out, pieces, piece_count, arrays[i].width, arrays[i].array, err)) {
			return false;
		}
	}
	put_own(out, pieces, piece_count);
	for (int i = 0; i < piece_count; i++) {
		if (!add_primitive(out, rig, &pieces[i], err)) {
			return false;
		}
	}
	return true;
}

struct rig *pieces_join(
	const struct rig *rig, const struct piece *pieces, int piece_count, struct error *err) {
	struct rig *out = rig_create_variant(rig, err);
	if (out && !fill(out, rig, pieces, piece_count, err)) {
		rig_release(out);
		return NULL;
	}
	return out;
}
