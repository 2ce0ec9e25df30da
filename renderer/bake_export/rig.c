// A rig with all of its clips as a GLB.
#include <stdlib.h>

#include "bake_export/bake_export.h"
#include "base/memory.h"
#include "interface/vertices.h"

bool renderer_rig_glb(const struct rig_file_job *job, struct buffer *glb, struct error *err) {
	const struct rig *rig = job->rig;
	const struct export_rigging rigging = {.clips = rig->clips, .clip_count = rig->clip_count};
	bool *mirrored = xcalloc((size_t)rig->primitive_count + 1, sizeof *mirrored);
	const struct export_job export = {
		.rig = rig,
		.positions = rig->positions,
		.normals = rig->normals,
		.tangents = rig->tangents,
		.mirrored = mirrored,
		.generator = job->generator,
		.max_bytes = job->max_bytes,
		.rigging = &rigging,
		.encode = mesh_encode_image,
	};
	const bool ok = export_glb(&export, glb, err);
	free(mirrored);
	return ok;
}
