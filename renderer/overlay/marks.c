// Marked vertices and triangles, seen faintly through what hides them, and a piece of ground.
#include "overlay/overlay.h"
#include "state/state.h"

#define DOT_RADIUS 3.0
#define EDGE_RADIUS 0.9
#define GROUND_RADIUS 0.5
#define LIFT 4

/* The opacity of marks behind the figure. */
#define HIDDEN 0.35

/* Lines of the ground each way, but for the one in the middle. */
#define GROUND_LINES 4

static const unsigned char COLOR[3] = {0xdc, 0x26, 0x26};
static const unsigned char GROUND_COLOR[3] = {0x47, 0x55, 0x69};

static void set_place(float out[static 3], const float *positions, int vertex) {
	for (size_t k = 0; k < 3; k++) {
		out[k] = positions[3 * (size_t)vertex + k];
	}
}

static void add_line(
	struct strokes *strokes, const float *positions, int from, int to, double radius) {
	struct stroke stroke = {
		.start_radius = (float)radius,
		.end_radius = (float)radius,
		.lift = LIFT,
	};
	set_place(stroke.start, positions, from);
	set_place(stroke.end, positions, to);
	overlay_color(COLOR, 1, stroke.color);
	strokes_add(strokes, &stroke);
}

static bool draw_elements(struct overlays *overlays, struct error *err) {
	const struct marks_settings *marks = &overlays->settings->marks;
	struct strokes strokes = {.arena = overlays->arena};
	const float *positions = overlay_positions(overlays, err);
	if (!positions) {
		return false;
	}
	for (size_t i = 0; i < marks->triangle_count; i++) {
		for (int k = 0; k < 3; k++) {
			add_line(&strokes, positions, marks->triangles[i][k],
				marks->triangles[i][(k + 1) % 3], EDGE_RADIUS * overlays->unit);
		}
	}
	for (size_t i = 0; i < marks->vertex_count; i++) {
		add_line(&strokes, positions, marks->vertices[i], marks->vertices[i],
			DOT_RADIUS * overlays->unit);
	}
	struct strokes_job hidden = overlays->lines;
	hidden.where = STROKES_BEHIND;
	hidden.opacity = HIDDEN;
	return strokes_draw(overlays, &hidden, &strokes, err) &&
		strokes_draw(overlays, &overlays->lines, &strokes, err);
}

static void add_ground_line(
	const struct overlays *overlays, int axis, double at, struct strokes *strokes) {
	const struct marks_settings *marks = &overlays->settings->marks;
	struct stroke stroke = {
		.start_radius = (float)(GROUND_RADIUS * overlays->unit),
		.end_radius = (float)(GROUND_RADIUS * overlays->unit),
	};
	for (int k = 0; k < 3; k++) {
		const double across = k == axis ? at * marks->ground_half : 0;
		const double along = k == 2 - axis ? marks->ground_half : 0;
		stroke.start[k] = (float)(marks->ground[k] + across - along);
		stroke.end[k] = (float)(marks->ground[k] + across + along);
	}
	overlay_color(GROUND_COLOR, 1, stroke.color);
	strokes_add(strokes, &stroke);
}

static bool draw_ground(struct overlays *overlays, struct error *err) {
	struct strokes strokes = {.arena = overlays->arena};
	for (int i = -GROUND_LINES; i <= GROUND_LINES; i++) {
		add_ground_line(overlays, 0, (double)i / GROUND_LINES, &strokes);
		add_ground_line(overlays, 2, (double)i / GROUND_LINES, &strokes);
	}
	return strokes_draw(overlays, &overlays->lines, &strokes, err);
}

static bool draw(struct overlays *overlays, struct error *err) {
	return (!overlays->settings->marks.has_ground || draw_ground(overlays, err)) &&
		draw_elements(overlays, err);
}

const struct overlay_kind overlay_marks = {.draw = draw, .layer = LAYER_AROUND};
