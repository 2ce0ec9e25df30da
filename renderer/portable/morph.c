// A motion as a GLB with a morph target for each frame.
#include "portable/frames.h"
#include "portable/portable.h"

/* Makes all frames but the first what they add to it. */
static void subtract_first(float *frames, size_t count, size_t floats) {
	for (size_t i = 1; i < count; i++) {
		for (size_t k = 0; k < floats; k++) {
			frames[i * floats + k] -= frames[k];
		}
	}
}

bool portable_morph(struct portable *portable, struct buffer *out, struct error *err) {
	struct portable_mesh mesh;
	// Each frame's key has a weight for every target.
	if (!portable_check_bytes(portable,
		    (double)portable->count * (double)portable->count * sizeof(float), err) ||
		!portable_mesh_make(portable, &mesh, err)) {
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
	const bool fine = export_glb(&export, out, err);
	portable_mesh_finish(&mesh);
	return fine;
}
