/* A figure, as overlays draw it. */
#pragma once

#include "base/stop.h"
#include "gl/draw.h"
#include "skinned/placement.h"

struct overlays;

struct drawing {
	const struct picture_settings *picture; // size, samples, background, shading
	struct draw_job job;                    // with paint that is there already, or none
	const struct rig *known;                // job.rig as clients know it
	const struct camera *camera;            // that job was made with
	const float *positions;    // [vertex_count][3] skinned; NULL = they are on the GPU only
	struct overlays *overlays; // NULL = none
	const struct stop *stop;   // NULL = never
	struct footing footing;    // of what is seen together, where the picture has a ground
};
