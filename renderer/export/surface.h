/* A rig's materials, textures and images -> the lists of a glTF document. */
#pragma once

#include <stddef.h>

#include "export/export.h"
#include "export/glb.h"
#include "model/rig.h"

/* Adds all materials, textures and images, each with its index in the rig. pictures are
 * [rig->image_count] empty buffers for what has to be encoded, to be kept until glb_write. Fails as
 * job->encode does. */
bool surface_add_all(
	struct glb *glb, const struct export_job *job, struct buffer *pictures, struct error *err);

/* Grows bounds by the positions, [vertices][3]; zeros of it have no sign. */
typedef void measure_function(const float *positions, size_t vertices, struct bounds *bounds);
measure_function measure_positions, measure_positions_avx2;
