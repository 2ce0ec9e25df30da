// Notes of a lenient import on positions, normals and equal vertices.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "import/gltf_facts_notes.h"
#include "import/gltf_primitive.h"

void gltf_facts_note(struct gltf_facts_flaw *flaw, size_t vertex, double value) {
	struct vertex_flaws *flaws = &flaw->flaws;
	if (flaws->listed < ASSET_FACTS_VERTICES_MAX) {
		flaw->vertices[flaws->listed++] = (int)vertex;
	}
	flaws->worst = value > flaws->worst ? value : flaws->worst;
	flaws->count++;
}

bool gltf_facts_keep(struct gltf *gltf, enum vertex_flaw kind, const struct gltf_facts_flaw *flaw,
	struct error *err) {
	struct gltf_facts *facts = gltf->facts;
	if (!gltf_facts_claim(gltf, (size_t)flaw->flaws.listed * sizeof(int), err)) {
		return false;
	}
	facts->flaws[kind] = flaw->flaws;
	facts->flaws[kind].first = (int)facts->vertices.count;
	for (int i = 0; i < flaw->flaws.listed; i++) {
		*(int *)gltf_facts_add(facts, &facts->vertices) = flaw->vertices[i];
	}
	return true;
}

bool gltf_facts_begin_primitives(
	struct gltf *gltf, size_t primitives, size_t vertices, struct error *err) {
	struct gltf_facts *facts = gltf->facts;
	if (!gltf_facts_claim(gltf, primitives * sizeof *facts->primitives, err)) {
		return false;
	}
	facts->primitives = arena_alloc(gltf->arena, primitives, sizeof *facts->primitives);
	facts->vertex_count = vertices;
	facts->equal = arena_alloc(gltf->arena, (size_t)gltf->mesh_count, sizeof *facts->equal);
	return true;
}

static void mark_nonfinite(struct gltf *gltf, size_t vertex) {
	struct gltf_facts *facts = gltf->facts;
	if (!facts->nonfinite) {
		facts->nonfinite = arena_alloc(
			gltf->arena, (facts->vertex_count + 31) / 32, sizeof *facts->nonfinite);
	}
	facts->nonfinite[vertex / 32] |= UINT32_C(1) << vertex % 32;
}

bool gltf_facts_mend_positions(
	struct gltf *gltf, const struct gltf_piece *piece, float *positions, struct error *err) {
	struct gltf_facts_flaw flaw = {0};
	for (size_t i = 0; i < (size_t)piece->target->vertex_count; i++) {
		float *p = &positions[i * 3];
		if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) {
			memset(p, 0, 3 * sizeof *p);
			mark_nonfinite(gltf, (size_t)piece->target->first_vertex + i);
			gltf_facts_note(&flaw, i, 0);
		}
	}
	return gltf_facts_keep(gltf, VERTEX_POSITION_NONFINITE, &flaw, err);
}

bool gltf_facts_look_at_normals(struct gltf *gltf, const struct gltf_piece *piece,
	const float *normals, struct error *err) {
	struct gltf_facts_flaw nonfinite = {0}, lengths = {0};
	for (size_t i = 0; i < (size_t)piece->target->vertex_count; i++) {
		const double n[3] = {normals[i * 3], normals[i * 3 + 1], normals[i * 3 + 2]};
		const double off = fabs(vec3_length(n) - 1);
		if (!isfinite(off)) {
			gltf_facts_note(&nonfinite, i, 0);
		} else if (off > ASSET_FACTS_NORMAL_LENGTH) {
			gltf_facts_note(&lengths, i, off);
		}
	}
	return gltf_facts_keep(gltf, VERTEX_NORMAL_NONFINITE, &nonfinite, err) &&
		gltf_facts_keep(gltf, VERTEX_NORMAL_LENGTH, &lengths, err);
}

static bool find_equal(struct gltf *gltf, const struct gltf_piece *piece, struct error *err) {
	struct gltf_facts_flaw flaw = {0};
	const size_t count = (size_t)piece->target->vertex_count;
	bool *equal = xcalloc(count, sizeof *equal);
	const bool found = gltf_facts_find_equal(gltf, piece, equal, err);
	for (size_t i = 0; found && i < count; i++) {
		if (equal[i]) {
			gltf_facts_note(&flaw, i, 0);
		}
	}
	free(equal);
	return found && gltf_facts_keep(gltf, VERTEX_DUPLICATE, &flaw, err);
}

/* Once for a mesh, however many nodes hold it. */
static bool look_at_equal(struct gltf *gltf, const struct gltf_piece *piece, struct error *err) {
	struct gltf_facts *facts = gltf->facts;
	const int mesh = piece->target->mesh;
	struct vertex_flaws **known = &facts->equal[mesh];
	if (piece->source->indices < 0) {
		return true;
	}
	if (!*known) {
		const size_t count = (size_t)gltf->meshes[mesh].primitive_count;
		*known = arena_alloc(gltf->arena, count, sizeof **known);
		for (size_t i = 0; i < count; i++) {
			(*known)[i].count = -1;
		}
	}
	struct vertex_flaws *flaws = &(*known)[piece->target->primitive];
	if (flaws->count < 0) {
		if (!find_equal(gltf, piece, err)) {
			return false;
		}
		*flaws = facts->flaws[VERTEX_DUPLICATE];
	}
	facts->flaws[VERTEX_DUPLICATE] = *flaws;
	return true;
}

static bool has_float_weights(const struct gltf *gltf, const struct gltf_primitive *source) {
	bool any = false;
	for (int i = 0; i < source->set_count; i++) {
		any |= gltf->accessors[source->weights[i]].component == GLTF_FLOAT;
	}
	return any;
}

bool gltf_facts_add_primitive(
	struct gltf *gltf, const struct gltf_piece *piece, struct error *err) {
	struct gltf_facts *facts = gltf->facts;
	if (!look_at_equal(gltf, piece, err)) {
		return false;
	}
	struct primitive_facts *primitive = &facts->primitives[facts->primitive_count++];
	*primitive = (struct primitive_facts){
		.skin = piece->skin,
		.indexed = piece->source->indices >= 0,
		.has_normals = piece->source->normal >= 0,
		.has_tangents = piece->source->tangent >= 0,
		.float_weights = piece->skin >= 0 && has_float_weights(gltf, piece->source),
	};
	memcpy(primitive->flaws, facts->flaws, sizeof primitive->flaws);
	memset(facts->flaws, 0, sizeof facts->flaws);
	return true;
}
