/* A rig's materials, textures and images -> the lists of a glTF document. */
#pragma once

#include "export/export.h"
#include "export/glb.h"

/* Adds all materials, textures and images, each with its index in the rig. pictures are
 * [rig->image_count] empty buffers for what has to be encoded, to be kept until glb_write. Fails as
 * job->encode does. */
bool surface_add_all(
	struct glb *glb, const struct export_job *job, struct buffer *pictures, struct error *err);
