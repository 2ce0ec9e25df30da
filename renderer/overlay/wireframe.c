// The edges of the skinned triangles, those of the far side hidden.
#include <stdlib.h>

#include "mesh/surface.h"
#include "overlay/overlay.h"
#include "state/state.h"

#define RADIUS 0.32

/* The surface that an edge lies on slopes away on both sides of it: so much nearer it is seen
 * whole. */
#define LIFT 2

static const double COLOR[4] = {0x10 / 255.0, 0x18 / 255.0, 0x28 / 255.0, 0.75};

static bool upload_edges(const struct overlays *overlays, struct gpu_rig *gpu, struct error *err) {
	const struct watch watch = {.stop = overlays->job->subject.stop};
	uint32_t(*edges)[2];
	size_t count;
	if (!mesh_edges(overlays->prepared->rig, &watch, &edges, &count, err)) {
		return false;
	}
	gpu_rig_set_edges(gpu, edges, count);
	free(edges);
	return true;
}

static bool draw(struct overlays *overlays, struct error *err) {
	const struct wireframe_settings *settings = &overlays->settings->wireframe;
	struct gpu_rig *gpu = overlays->gpu;
	struct line_style style = {.radius = RADIUS * overlays->unit, .lift = LIFT};
	overlay_linear(settings->has_color ? settings->color : COLOR, style.color);
	return (gpu->edges || upload_edges(overlays, gpu, err)) &&
		lines_draw_edges(overlays->renderer->lines, &overlays->lines, gpu, &style, err);
}

const struct overlay_kind overlay_wireframe = {.draw = draw, .layer = LAYER_AROUND};
