// The frames of a motion, skinned.
#include "portable/frames.h"

#include <stdlib.h>

#include "base/baked.h"
#include "base/clock.h"
#include "base/memory.h"
#include "export/glb.h"
#include "portable/portable.h"
#include "skinned/prepare.h"
#include "skinned/skin.h"
#include "skinned/streams.h"

static bool skin_frame(struct portable *portable, const struct portable_mesh *mesh, size_t i,
	const struct prepared *prepared, struct arena *arena, struct error *err) {
	const size_t floats = (size_t)mesh->rig->vertex_count * 3;
	const struct streams streams = {
		.positions = mesh->positions + i * floats,
		.normals = mesh->normals + i * floats,
	};
	if (!skin_streams(portable->renderer, prepared, &streams, err) ||
		!vertices_check(streams.positions, floats, err)) {
		return false;
	}
	streams_turn_outwards(&streams, mesh->rig, prepared_mirrored(prepared, arena));
	prepared_add_outcome(prepared, portable->report);
	portable->report->vertices += mesh->rig->vertex_count;
	portable->report->times.skin_s += clock_lap_s(&portable->mark);
	return true;
}

/* Room for all frames of as many vertices as the first has. */
static bool open_mesh(struct portable *portable, double more_bytes, struct portable_mesh *mesh,
	struct error *err) {
	const size_t floats = (size_t)mesh->rig->vertex_count * 3;
	const double bytes = (double)portable->count * 2 * (double)floats * sizeof *mesh->positions;
	if (floats == 0) {
		return error_set(
			err, ERROR_INVALID_VALUE, "the rig has no vertices that could be baked");
	}
	if (!portable_check_bytes(portable, bytes + more_bytes, err)) {
		return false;
	}
	mesh->positions = try_calloc(
		portable->count * 2 * floats + 1, sizeof *mesh->positions, "the frames", err);
	if (!mesh->positions) {
		return false;
	}
	mesh->normals = mesh->positions + portable->count * floats;
	mesh->mirrored = prepared_mirrored(&mesh->first, portable->arena);
	return true;
}

static bool skin_others(
	struct portable *portable, const struct portable_mesh *mesh, struct error *err) {
	struct arena *arena = arena_create();
	bool fine = true;
	for (size_t i = 1; fine && i < portable->count; i++) {
		struct prepared prepared;
		fine = portable_prepare(portable, i, arena, &prepared, err);
		if (fine) {
			fine = skin_frame(portable, mesh, i, &prepared, arena, err);
			prepared_finish(&prepared);
		}
		arena_reset(arena);
	}
	arena_destroy(arena);
	return fine;
}

static void note_bounds(struct portable *portable, const struct portable_mesh *mesh) {
	struct baked_facts *facts = portable->facts;
	const size_t vertices = (size_t)mesh->rig->vertex_count;
	facts->vertices = vertices;
	facts->has_bounds = vertices > 0;
	if (facts->has_bounds) {
		glb_find_extent(
			mesh->positions, portable->count * vertices, facts->min, facts->max);
	}
}

bool portable_mesh_make(struct portable *portable, double more_bytes, struct portable_mesh *mesh,
	struct error *err) {
	*mesh = (struct portable_mesh){0};
	if (!portable_prepare(portable, 0, portable->arena, &mesh->first, err)) {
		return false;
	}
	mesh->rig = mesh->first.rig;
	if (open_mesh(portable, more_bytes, mesh, err) &&
		skin_frame(portable, mesh, 0, &mesh->first, portable->arena, err) &&
		skin_others(portable, mesh, err)) {
		note_bounds(portable, mesh);
		return true;
	}
	portable_mesh_finish(mesh);
	return false;
}

void portable_mesh_finish(struct portable_mesh *mesh) {
	prepared_finish(&mesh->first);
	free(mesh->positions);
}
