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

static bool upload_edges(
	const struct overlays *overlays, struct drawn_rig *drawn, struct error *err) {
	const struct watch watch = {.stop = overlays->job->subject.stop};
	uint32_t(*edges)[2];
	size_t count;
	if (!mesh_edges(overlays->prepared->rig, &watch, &edges, &count, err)) {
		return false;
	}
	overlays->renderer->back_end->kind->set_edges(drawn, edges, count);
	free(edges);
	return true;
}

static bool draw(struct overlays *overlays, struct error *err) {
	const struct wireframe_settings *settings = &overlays->settings->wireframe;
	struct drawn_rig *drawn = overlays->drawn;
	struct stroke_style style = {.radius = RADIUS * overlays->unit, .lift = LIFT};
	overlay_linear(settings->has_color ? settings->color : COLOR, style.color);
	struct back_end *back_end = overlays->renderer->back_end;
	return (drawn->has_edges || upload_edges(overlays, drawn, err)) &&
		back_end->kind->draw_edges(back_end, &overlays->lines, drawn, &style, err);
}

const struct overlay_kind overlay_wireframe = {.draw = draw, .layer = LAYER_AROUND};
