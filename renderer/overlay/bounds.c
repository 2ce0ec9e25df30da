// The box around the figure: of this pose, of its clips, or at rest.
#include "skinned/bounds.h"
#include "interface/pictures.h"
#include "overlay/overlay.h"
#include "skinned/prepare.h"
#include "state/state.h"
#include "view/camera.h"

#define RADIUS 0.9
#define LIFT 2

/* The opacity of edges behind the figure. */
#define HIDDEN 0.35

static const unsigned char COLOR[3] = {0x0e, 0xa5, 0xe9};

static bool find_box(struct overlays *overlays, struct bounds *box, struct error *err) {
	const struct frame_job *job = overlays->job;
	const struct prepared *prepared = overlays->prepared;
	struct posed_subject subject = job->subject;
	subject.pose = prepared->expression;
	const struct body_vertices whole = {.part = PART_WHOLE};
	switch (overlays->settings->bounds.of) {
	case FIT_REST:
		*box = job->subject.rig->bounds;
		return true;
	case FIT_CLIP:
		return expression_bounds(
			overlays->renderer, &prepared->plan, &whole, &subject, box, err);
	case FIT_POSE:
		break;
	}
	const float *positions = overlay_positions(overlays, err);
	if (positions) {
		*box = bounds_of_points(positions, (size_t)prepared->rig->vertex_count);
	}
	return positions != NULL;
}

/* Edges go from each corner to those that differ from it in one more bit. */
static void add_edges(const float corners[static 24], double unit, struct strokes *strokes) {
	struct stroke stroke = {
		.start_radius = (float)(RADIUS * unit),
		.end_radius = (float)(RADIUS * unit),
		.lift = LIFT,
	};
	overlay_color(COLOR, 1, stroke.color);
	for (int corner = 0; corner < 8; corner++) {
		for (int axis = 0; axis < 3; axis++) {
			if ((corner >> axis & 1) != 0) {
				continue;
			}
			const int other = corner | 1 << axis;
			for (int k = 0; k < 3; k++) {
				stroke.start[k] = corners[corner * 3 + k];
				stroke.end[k] = corners[other * 3 + k];
			}
			strokes_add(strokes, &stroke);
		}
	}
}

static bool draw(struct overlays *overlays, struct error *err) {
	struct bounds box;
	float corners[24];
	struct strokes strokes = {.arena = overlays->arena};
	if (!find_box(overlays, &box, err)) {
		return false;
	}
	if (box.min[0] > box.max[0]) {
		return true;
	}
	bounds_corners(&box, corners);
	add_edges(corners, overlays->unit, &strokes);
	struct strokes_job hidden = overlays->lines;
	hidden.where = STROKES_BEHIND;
	hidden.opacity = HIDDEN;
	return strokes_draw(overlays, &hidden, &strokes, err) &&
		strokes_draw(overlays, &overlays->lines, &strokes, err);
}

const struct overlay_kind overlay_bounds = {.draw = draw, .layer = LAYER_AROUND};
