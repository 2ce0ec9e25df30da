// A line along the normal of each vertex.

#include "base/vec.h"
#include "overlay/overlay.h"
#include "state/state.h"

#define RADIUS 0.5
#define LIFT 1.5

/* Length without one that is asked for, as a share of the diagonal of the rest pose's box. */
#define SHARE 0.015

static const double COLOR[4] = {0x25 / 255.0, 0x63 / 255.0, 0xeb / 255.0, 1};

static double usual_length(const struct rig *rig) {
	double diagonal[3];
	vec3_sub(rig->bounds.max, rig->bounds.min, diagonal);
	return SHARE * vec3_length(diagonal);
}

static bool draw(struct overlays *overlays, struct error *err) {
	const double requested = overlays->settings->normals.length;
	const struct rig *rig = overlays->prepared->rig;
	struct stroke_style style = {.radius = RADIUS * overlays->unit, .lift = LIFT};
	overlay_linear(COLOR, style.color);
	struct back_end *back_end = overlays->renderer->back_end;
	return back_end->kind->draw_normals(back_end, &overlays->lines, rig, overlays->drawn,
		requested > 0 ? requested : usual_length(rig), &style, err);
}

const struct overlay_kind overlay_normals = {.draw = draw, .layer = LAYER_AROUND};
