// Joints and bones, seen through the surface.
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "overlay/overlay.h"
#include "state/state.h"

/* Shares of a bone's length: the radius of its joint's marker, and where it is widest. Radii are
 * kept within pixels that can be seen and do not hide the figure. */
#define MARKER_SHARE 0.07
#define MARKER_MIN 2.2
#define MARKER_MAX 6.0
#define WIDEST_AT 0.16
#define BONE_WIDTH 0.72 // of the marker, where it is widest
#define BONE_TIP 0.22   // and at its tip

/* The dark rim, pixels. */
#define RIM 1.2

/* Axes are so long for markers of 1. */
#define AXIS_LENGTH 5.0
#define AXIS_RADIUS 1.1

/* Depth among themselves, in pixels' worth: rims are behind what they are around. */
#define BONE_LIFT 1
#define MARKER_RIM_LIFT 3
#define MARKER_LIFT 4
#define AXIS_LIFT 5

static const unsigned char RIM_COLOR[3] = {0x14, 0x18, 0x22};
static const unsigned char BONE_COLOR[3] = {0xf2, 0xf4, 0xf8};
static const unsigned char JOINT_COLOR[3] = {0xff, 0x9f, 0x1c};
static const unsigned char AXIS_COLORS[3][3] = {
	{0xe5, 0x2b, 0x3d}, {0x2f, 0xb3, 0x44}, {0x2f, 0x6f, 0xed}};

static void position_of(const struct overlays *overlays, int joint, double out[static 3]) {
	for (int k = 0; k < 3; k++) {
		out[k] = overlays->world[joint][4 * k + 3];
	}
}

/* For each joint the nearest one above it that is shown; -1 = none. */
static void find_parents(const struct rig *rig, struct skeleton *skeleton) {
	for (int i = 0; i < rig->joint_count; i++) {
		int parent = rig->joints[i].parent;
		while (parent >= 0 && !skeleton->shown[parent]) {
			parent = rig->joints[parent].parent;
		}
		skeleton->parents[i] = parent;
	}
}

/* The mean length of the bones that begin at each joint; where none does, that of the one that ends
 * there. */
static void find_lengths(const struct overlays *overlays, struct skeleton *skeleton) {
	const int count = overlays->job->subject.rig->joint_count;
	int *bones = arena_alloc(overlays->arena, (size_t)count, sizeof *bones);
	double *own = arena_alloc(overlays->arena, (size_t)count, sizeof *own);
	for (int i = 0; i < count; i++) {
		const int parent = skeleton->parents[i];
		if (!skeleton->shown[i] || parent < 0) {
			continue;
		}
		double from[3], to[3];
		position_of(overlays, parent, from);
		position_of(overlays, i, to);
		vec3_sub(to, from, to);
		own[i] = vec3_length(to);
		skeleton->lengths[parent] += own[i];
		bones[parent]++;
	}
	for (int i = 0; i < count; i++) {
		skeleton->lengths[i] = bones[i] > 0 ? skeleton->lengths[i] / bones[i] : own[i];
	}
}

static bool read_names(struct overlays *overlays, struct skeleton *skeleton, struct error *err) {
	const struct skeleton_settings *settings = &overlays->settings->skeleton;
	if (settings->all_names) {
		skeleton->named = skeleton->shown;
	} else if (settings->names) {
		skeleton->named = overlay_joints(overlays, settings->names, err);
		return skeleton->named != NULL;
	}
	return true;
}

static bool begin(struct overlays *overlays, struct error *err) {
	const struct rig *rig = overlays->job->subject.rig;
	const size_t count = (size_t)rig->joint_count;
	struct arena *arena = overlays->arena;
	struct skeleton *skeleton = arena_alloc(arena, 1, sizeof *skeleton);
	overlays->skeleton = skeleton;
	skeleton->parents = arena_alloc(arena, count, sizeof *skeleton->parents);
	skeleton->lengths = arena_alloc(arena, count, sizeof *skeleton->lengths);
	skeleton->radii = arena_alloc(arena, count, sizeof *skeleton->radii);
	skeleton->shown = overlay_joints(overlays, overlays->settings->skeleton.joints, err);
	if (!skeleton->shown || !read_names(overlays, skeleton, err) ||
		!overlay_find_world(overlays, err)) {
		return false;
	}
	find_parents(rig, skeleton);
	find_lengths(overlays, skeleton);
	return true;
}

/* Pixels of each marker, as the camera sees its bones. */
static void find_radii(struct overlays *overlays) {
	struct skeleton *skeleton = overlays->skeleton;
	for (int i = 0; i < overlays->job->subject.rig->joint_count; i++) {
		double place[3], pixel[2], per_unit;
		position_of(overlays, i, place);
		const double size = overlay_project(overlays, place, pixel, &per_unit)
			? MARKER_SHARE * skeleton->lengths[i] * per_unit / overlays->unit
			: 0;
		skeleton->radii[i] = fmin(fmax(size, MARKER_MIN), MARKER_MAX) * overlays->unit;
	}
}

/* Adds a stroke with a dark rim around it. */
static void add_rimmed(const struct overlays *overlays, const struct stroke *stroke, float rim_lift,
	struct strokes *strokes) {
	struct stroke rim = *stroke;
	rim.start_radius += (float)(RIM * overlays->unit);
	rim.end_radius += (float)(RIM * overlays->unit);
	rim.lift = rim_lift;
	overlay_color(RIM_COLOR, 1, rim.color);
	strokes_add(strokes, &rim);
	strokes_add(strokes, stroke);
}

/* A bone is two capsules: it widens behind its joint, and narrows from there to the next. */
static void add_bone(const struct overlays *overlays, int joint, struct strokes *strokes) {
	const struct skeleton *skeleton = overlays->skeleton;
	const int parent = skeleton->parents[joint];
	double from[3], to[3];
	position_of(overlays, parent, from);
	position_of(overlays, joint, to);
	const double wide = fmax(BONE_WIDTH * skeleton->radii[parent], overlays->unit);
	struct stroke start = {.start_radius = (float)(wide * BONE_TIP),
		.end_radius = (float)wide,
		.lift = BONE_LIFT};
	overlay_color(BONE_COLOR, 1, start.color);
	struct stroke end = start;
	end.start_radius = start.end_radius;
	end.end_radius = start.start_radius;
	for (int k = 0; k < 3; k++) {
		const double middle = from[k] + WIDEST_AT * (to[k] - from[k]);
		start.start[k] = (float)from[k];
		start.end[k] = end.start[k] = (float)middle;
		end.end[k] = (float)to[k];
	}
	add_rimmed(overlays, &start, 0, strokes);
	add_rimmed(overlays, &end, 0, strokes);
}

static void add_marker(const struct overlays *overlays, int joint, struct strokes *strokes) {
	struct stroke marker = {.lift = MARKER_LIFT};
	double place[3];
	position_of(overlays, joint, place);
	for (int k = 0; k < 3; k++) {
		marker.start[k] = marker.end[k] = (float)place[k];
	}
	marker.start_radius = marker.end_radius = (float)overlays->skeleton->radii[joint];
	overlay_color(JOINT_COLOR, 1, marker.color);
	add_rimmed(overlays, &marker, MARKER_RIM_LIFT, strokes);
}

/* A joint's own axes, as long on the screen as its marker says. */
static void add_axes(const struct overlays *overlays, int joint, struct strokes *strokes) {
	const double *world = overlays->world[joint];
	double place[3], pixel[2], per_unit;
	position_of(overlays, joint, place);
	if (!overlay_project(overlays, place, pixel, &per_unit)) {
		return;
	}
	const double length = AXIS_LENGTH * overlays->skeleton->radii[joint] / per_unit;
	for (int axis = 0; axis < 3; axis++) {
		double direction[3] = {world[axis], world[4 + axis], world[8 + axis]};
		struct stroke stroke = {.lift = AXIS_LIFT};
		if (!vec3_normalize(direction)) {
			continue;
		}
		for (int k = 0; k < 3; k++) {
			stroke.start[k] = (float)place[k];
			stroke.end[k] = (float)(place[k] + length * direction[k]);
		}
		stroke.start_radius = stroke.end_radius = (float)(AXIS_RADIUS * overlays->unit);
		overlay_color(AXIS_COLORS[axis], 1, stroke.color);
		strokes_add(strokes, &stroke);
	}
}

static bool draw(struct overlays *overlays, struct error *err) {
	const struct skeleton *skeleton = overlays->skeleton;
	struct strokes strokes = {.arena = overlays->arena};
	find_radii(overlays);
	for (int i = 0; i < overlays->job->subject.rig->joint_count; i++) {
		if (skeleton->shown[i] && skeleton->parents[i] >= 0) {
			add_bone(overlays, i, &strokes);
		}
	}
	for (int i = 0; i < overlays->job->subject.rig->joint_count; i++) {
		if (skeleton->shown[i] && overlays->settings->skeleton.axes) {
			add_axes(overlays, i, &strokes);
		}
		if (skeleton->shown[i]) {
			add_marker(overlays, i, &strokes);
		}
	}
	return strokes_draw(overlays, &overlays->lines, &strokes, err);
}

const struct overlay_kind overlay_skeleton = {
	.begin = begin, .draw = draw, .write = skeleton_write, .layer = LAYER_ON_TOP};
