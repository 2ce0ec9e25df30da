// An animation as a GLB with one morph target for each frame.
#include "bake_export/bake_export.h"

/* Replaces all frames but the first by their difference from it. */
static void subtract_first(float *frames, size_t count, size_t floats) {
	for (size_t i = 1; i < count; i++) {
		for (size_t k = 0; k < floats; k++) {
			frames[i * floats + k] -= frames[k];
		}
	}
}

/* The minimum of JSON bytes for a target of a primitive: two accessors with their bounds. */
#define TARGET_JSON_BYTES 200

/* The file's bytes for the frames besides their vertices: each frame's key has a weight for every
 * target. */
static double count_more_bytes(const struct bake_export *bake) {
	const double targets = (double)bake->count - 1;
	return targets *
		((double)bake->count * sizeof(float) +
			bake->job->subject.rig->primitive_count * TARGET_JSON_BYTES);
}

bool bake_export_morph(struct bake_export *bake, struct buffer *out, struct error *err) {
	struct baked_mesh mesh;
	if (!baked_mesh_make(bake, count_more_bytes(bake), &mesh, err)) {
		return false;
	}
	const size_t floats = (size_t)mesh.rig->vertex_count * 3;
	subtract_first(mesh.positions, bake->count, floats);
	subtract_first(mesh.normals, bake->count, floats);
	const struct export_frames frames = {
		.name = bake->job->baked.name,
		.count = bake->count,
		.times = bake->times,
		.positions = mesh.positions,
		.normals = mesh.normals,
	};
	struct export_job export = bake_export_glb_job(bake, mesh.rig);
	export.positions = mesh.positions;
	export.normals = mesh.normals;
	export.mirrored = mesh.mirrored;
	export.frames = &frames;
	const bool ok = bake_export_glb(bake, &export, out, err);
	baked_mesh_finish(&mesh);
	return ok;
}
