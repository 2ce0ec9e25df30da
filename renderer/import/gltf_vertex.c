// The vertices, corners and morph targets of one primitive.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "import/gltf_document.h"
#include "import/gltf_facts.h"
#include "import/gltf_primitive.h"
#include "model/normals.h"

/* --- Indices --- */

/* The value that restarts a strip in GL. glTF forbids it, also where there are so many vertices. */
static uint32_t restart_value(enum gltf_component component) {
	return component == GLTF_UNSIGNED_BYTE     ? UINT8_MAX
		: component == GLTF_UNSIGNED_SHORT ? UINT16_MAX
						   : UINT32_MAX;
}

static bool check_indices(const struct gltf *gltf, const struct gltf_piece *piece,
	const uint32_t *indices, struct error *err) {
	const struct gltf_accessor *accessor = &gltf->accessors[piece->source->indices];
	const uint32_t restart = restart_value(accessor->component);
	for (size_t i = 0; i < accessor->count; i++) {
		if (indices[i] >= piece->source->vertex_count || indices[i] == restart) {
			return error_set(err, ERROR_BROKEN_ASSET,
				"%s.indices: element %zu is %u%s, but there are only %zu vertices",
				piece->place, i, indices[i],
				indices[i] == restart ? " (primitive restart)" : "",
				piece->source->vertex_count);
		}
	}
	return true;
}

static bool convert_indices(struct gltf *gltf, const struct gltf_piece *piece, uint32_t *scratch,
	uint32_t *out, struct error *err) {
	const struct gltf_primitive *source = piece->source;
	if (!gltf_accessor_integers(gltf, source->indices, scratch, err) ||
		!check_indices(gltf, piece, scratch, err)) {
		return false;
	}
	gltf_topology_fill(source->mode, scratch, source->source_count, out);
	return true;
}

bool gltf_fill_indices(struct gltf *gltf, const struct gltf_piece *piece, struct error *err) {
	const struct gltf_primitive *source = piece->source;
	uint32_t *out = &gltf->rig->indices[piece->target->first_index];
	if (source->indices < 0) {
		gltf_topology_fill(source->mode, NULL, source->source_count, out);
		return true;
	}
	uint32_t *scratch = try_calloc(source->source_count, sizeof *scratch, "indices", err);
	const bool filled = scratch && convert_indices(gltf, piece, scratch, out, err);
	free(scratch);
	return filled;
}

/* --- Vertices --- */

static bool read_positions(
	struct gltf *gltf, const struct gltf_piece *piece, float *positions, struct error *err) {
	const int accessor = piece->source->position;
	if (!gltf->facts) {
		return gltf_accessor_finite(gltf, accessor, positions, err);
	}
	return gltf_accessor_floats(gltf, accessor, positions, err) &&
		gltf_facts_mend_positions(gltf, piece, positions, err);
}

static bool read_normals(
	struct gltf *gltf, const struct gltf_piece *piece, float *normals, struct error *err) {
	return gltf_accessor_floats(gltf, piece->source->normal, normals, err) &&
		(!gltf->facts || gltf_facts_look_at_normals(gltf, piece, normals, err));
}

static bool fill_normals(struct gltf *gltf, const struct gltf_piece *piece, struct error *err) {
	const struct primitive *target = piece->target;
	const struct rig *rig = gltf->rig;
	const bool has_faces = target->topology == TOPOLOGY_TRIANGLES;
	const struct normals_job job = {
		.positions = &rig->positions[(size_t)target->first_vertex * 3],
		.indices = &rig->indices[target->first_index],
		.index_count = has_faces ? (size_t)target->index_count : 0,
		.normals = &rig->normals[(size_t)target->first_vertex * 3],
		.vertex_count = (size_t)target->vertex_count,
	};
	const int accessor = piece->source->normal;
	size_t replaced;
	if ((accessor >= 0 && !read_normals(gltf, piece, job.normals, err)) ||
		!normals_complete(&job, &replaced, err)) {
		return false;
	}
	if (accessor >= 0 && replaced > 0) {
		rig_warn(gltf->rig, "%s: %zu normals without a direction; computed from the faces",
			piece->place, replaced);
	}
	return true;
}

/* Unit tangents with handedness 1 or -1; one without a direction becomes +X. */
static bool read_tangents(
	struct gltf *gltf, const struct gltf_piece *piece, float *tangents, struct error *err) {
	const size_t count = (size_t)piece->target->vertex_count;
	size_t replaced = 0;
	if (!gltf_accessor_floats(gltf, piece->source->tangent, tangents, err)) {
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		float *tangent = &tangents[i * 4];
		double t[3] = {(double)tangent[0], (double)tangent[1], (double)tangent[2]};
		if (!isfinite(vec3_length(t)) || !vec3_normalize(t)) {
			t[0] = 1;
			t[1] = t[2] = 0;
			replaced++;
		}
		for (int k = 0; k < 3; k++) {
			tangent[k] = (float)t[k];
		}
		tangent[3] = tangent[3] < 0 ? -1 : 1;
	}
	if (replaced > 0) {
		rig_warn(gltf->rig, "%s: %zu tangents without a direction; taken as +X",
			piece->place, replaced);
	}
	return true;
}

/* The same, or +X with handedness 0 where the primitive has none and another has. */
static bool fill_tangents(struct gltf *gltf, const struct gltf_piece *piece, struct error *err) {
	const struct primitive *target = piece->target;
	if (!gltf->rig->tangents) {
		return true;
	}
	float *tangents = &gltf->rig->tangents[(size_t)target->first_vertex * 4];
	if (piece->source->tangent >= 0) {
		return read_tangents(gltf, piece, tangents, err);
	}
	for (int i = 0; i < target->vertex_count; i++) {
		tangents[i * 4] = 1;
	}
	return true;
}

static bool fill_texcoord_set(
	struct gltf *gltf, const struct gltf_piece *piece, int set, struct error *err) {
	if (piece->source->texcoords[set] < 0) {
		return true; // stays 0
	}
	const size_t count = (size_t)piece->target->vertex_count * 2;
	float *texcoords = &gltf->rig->texcoords[set][(size_t)piece->target->first_vertex * 2];
	size_t replaced = 0;
	if (!gltf_accessor_floats(gltf, piece->source->texcoords[set], texcoords, err)) {
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		if (!isfinite(texcoords[i])) {
			texcoords[i] = 0;
			replaced++;
		}
	}
	if (replaced > 0) {
		rig_warn(gltf->rig, "%s: %zu texture coordinates are not finite; taken as 0",
			piece->place, replaced);
	}
	return true;
}

static bool fill_texcoords(struct gltf *gltf, const struct gltf_piece *piece, struct error *err) {
	for (int set = 0; set < TEXCOORD_SETS; set++) {
		if (!fill_texcoord_set(gltf, piece, set, err)) {
			return false;
		}
	}
	return true;
}

/* Linear colours with alpha, kept within [0, 1]; white where the primitive has none. */
static bool fill_colors(struct gltf *gltf, const struct gltf_piece *piece, struct error *err) {
	if (!gltf->rig->colors) {
		return true;
	}
	const size_t count = (size_t)piece->target->vertex_count;
	float *colors = &gltf->rig->colors[(size_t)piece->target->first_vertex * 4];
	const int accessor = piece->source->color;
	const size_t width = accessor < 0 ? 0 : gltf_accessor_width(&gltf->accessors[accessor]);
	if (accessor >= 0 && !gltf_accessor_finite(gltf, accessor, colors, err)) {
		return false;
	}
	// From the last on: colours of three numbers were read packed, and spread out to the back.
	for (size_t i = count; i-- > 0;) {
		for (size_t k = 4; k-- > 0;) {
			const float value = k < width ? colors[i * width + k] : 1;
			colors[i * 4 + k] = fminf(fmaxf(value, 0), 1);
		}
	}
	return true;
}

/* Within [0, 1]; 0, which is linear blend skinning, where the primitive has none. */
static bool fill_dqs_mix(struct gltf *gltf, const struct gltf_piece *piece, struct error *err) {
	const int accessor = piece->source->dqs_mix;
	if (accessor < 0) {
		return true;
	}
	float *mixes = &gltf->rig->dqs_mix[piece->target->first_vertex];
	if (!gltf_accessor_finite(gltf, accessor, mixes, err)) {
		return false;
	}
	for (int i = 0; i < piece->target->vertex_count; i++) {
		mixes[i] = fminf(fmaxf(mixes[i], 0), 1);
	}
	return true;
}

bool gltf_fill_vertices(struct gltf *gltf, const struct gltf_piece *piece, struct error *err) {
	float *positions = &gltf->rig->positions[(size_t)piece->target->first_vertex * 3];
	return read_positions(gltf, piece, positions, err) && fill_normals(gltf, piece, err) &&
		fill_tangents(gltf, piece, err) && fill_texcoords(gltf, piece, err) &&
		fill_colors(gltf, piece, err) && fill_dqs_mix(gltf, piece, err);
}

/* --- Morph targets --- */

/* The deltas of one attribute; stays NULL where the target has none. */
static bool store_deltas(struct gltf *gltf, int accessor, const float **deltas, struct error *err) {
	*deltas = accessor < 0 ? NULL : gltf_accessor_store(gltf, accessor, err);
	return accessor < 0 || *deltas;
}

bool gltf_fill_targets(struct gltf *gltf, const struct gltf_piece *piece, struct error *err) {
	const struct gltf_primitive *source = piece->source;
	struct primitive *target = piece->target;
	if (source->target_count == 0) {
		return true;
	}
	target->targets = xcalloc((size_t)source->target_count, sizeof *target->targets);
	target->target_count = source->target_count;
	for (int i = 0; i < source->target_count; i++) {
		struct morph_target *morph = &target->targets[i];
		if (!store_deltas(gltf, source->targets[i].position, &morph->positions, err) ||
			!store_deltas(gltf, source->targets[i].normal, &morph->normals, err) ||
			!store_deltas(gltf, source->targets[i].tangent, &morph->tangents, err)) {
			return false;
		}
	}
	return true;
}
