// A motion as a GLB with a morph target for each frame.
#include "portable/portable.h"

/* Makes all frames but the first what they add to it. */
static void subtract_first(float *frames, size_t count, size_t floats) {
	for (size_t i = 1; i < count; i++) {
		for (size_t k = 0; k < floats; k++) {
			frames[i * floats + k] -= frames[k];
		}
	}
}

/* Bytes of JSON that a target of a primitive takes at least: two accessors with their bounds. */
#define TARGET_JSON_BYTES 200

/* What the file has for the frames besides their vertices: each frame's key has a weight for every
 * target. */
static double count_more_bytes(const struct portable *portable) {
	const double targets = (double)portable->count - 1;
	return targets *
		((double)portable->count * sizeof(float) +
			portable->job->subject.rig->primitive_count * TARGET_JSON_BYTES);
}

bool portable_morph(struct portable *portable, struct buffer *out, struct error *err) {
	struct portable_mesh mesh;
	if (!portable_mesh_make(portable, count_more_bytes(portable), &mesh, err)) {
		return false;
	}
	const size_t floats = (size_t)mesh.rig->vertex_count * 3;
	subtract_first(mesh.positions, portable->count, floats);
	subtract_first(mesh.normals, portable->count, floats);
	const struct export_frames frames = {
		.name = portable->job->baked.name,
		.count = portable->count,
		.times = portable->times,
		.positions = mesh.positions,
		.normals = mesh.normals,
	};
	struct export_job export = portable_export_job(portable, mesh.rig);
	export.positions = mesh.positions;
	export.normals = mesh.normals;
	export.mirrored = mesh.mirrored;
	export.frames = &frames;
	const bool fine = portable_export(portable, &export, out, err);
	portable_mesh_finish(&mesh);
	return fine;
}
