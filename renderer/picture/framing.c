// The points that the camera of a picture fits.
#include "picture/framing.h"

#include <math.h>
#include <string.h>

#include "overlay/overlays.h"
#include "skinned/bounds.h"
#include "skinned/prepare.h"
#include "view/camera.h"
#include "view/extent.h"

bool framing_wants_positions(const struct picture_settings *picture) {
	return camera_needs_points(&picture->camera);
}

static bool find_file_camera(const struct framing_params *params, struct arena *arena,
	struct framing *out, struct error *err) {
	const struct prepared *prepared = params->prepared;
	const struct picture_settings *picture = params->picture;
	const struct value *source = picture->camera.source;
	const struct file_camera *camera = file_camera_find(prepared->rig, source, err);
	if (!camera) {
		return false;
	}
	double(*world)[12] = arena_alloc(arena, (size_t)prepared->rig->joint_count, sizeof *world);
	pose_to_world(prepared->rig, &prepared->pose, world);
	return file_camera_settings(camera, world[camera->joint],
		(double)picture->width / picture->height, source, &out->camera, err);
}

/* The box in the rest pose, which is known of all vertices. */
static bool find_rest_box(const struct framing_params *params, const struct body_vertices *body,
	struct bounds *box, struct error *err) {
	const struct rig *rig = params->subject->rig;
	*box = rig->bounds;
	if (body->part == PART_WHOLE && rig->vertex_count > 0) {
		return true;
	}
	struct arena *arena = arena_create();
	const struct pose rest = pose_rest(params->prepared->rig, arena);
	const bool ok = pose_bounds(&params->prepared->plan, body, &rest, box, err);
	arena_destroy(arena);
	return ok;
}

/* The box around what the camera is to see. */
static bool find_box(struct renderer *renderer, const struct framing_params *params,
	const struct body_vertices *body, struct bounds *box, struct error *err) {
	const struct prepared *prepared = params->prepared;
	switch (params->picture->fit) {
	case FIT_POSE:
		return pose_bounds(&prepared->plan, body, &prepared->pose, box, err);
	case FIT_CLIP:
		return expression_bounds(
			renderer, &prepared->plan, body, params->subject, box, err);
	case FIT_REST:
		return find_rest_box(params, body, box, err);
	}
	return false;
}

/* The posed vertices of a part, or of the whole. */
static const float *pick(
	const struct body_vertices *body, const float *positions, struct arena *arena) {
	if (body->part == PART_WHOLE) {
		return positions;
	}
	float(*points)[3] = arena_alloc(arena, body->count, sizeof *points);
	for (size_t i = 0; i < body->count; i++) {
		memcpy(points[i], positions + body->vertices[i] * 3, sizeof *points);
	}
	return points[0];
}

/* The figures of a picture, looked at one after another. */
struct looking {
	const struct body_vertices *body;
	size_t count; // vertices of each that count
	struct camera_extremes extremes;
};

static void look_at(void *context, const float *positions) {
	struct looking *looking = context;
	struct arena *arena = arena_create();
	camera_extremes_add(
		&looking->extremes, pick(looking->body, positions, arena), looking->count);
	arena_destroy(arena);
}

/* The posed vertices; where there are several figures, those that lie outermost. */
static bool find_points(const struct framing_params *params, const struct body_vertices *body,
	struct arena *arena, struct framing *out, struct error *err) {
	const struct picture_settings *picture = params->picture;
	const bool whole = body->part == PART_WHOLE;
	out->count = whole ? (size_t)params->prepared->rig->vertex_count : body->count;
	out->points = pick(body, params->positions, arena);
	if (!overlays_have_figures(params->overlays)) {
		return true;
	}
	struct looking *looking = arena_alloc(arena, 1, sizeof *looking);
	*looking = (struct looking){.body = body, .count = out->count};
	camera_extremes_begin(
		&picture->camera, (double)picture->width / picture->height, &looking->extremes);
	look_at(looking, params->positions);
	if (!overlays_see(params->overlays, look_at, looking, err)) {
		return false;
	}
	camera_extremes_end(&looking->extremes);
	out->points = looking->extremes.points[0];
	out->count = looking->extremes.count;
	return true;
}

/* The joints, where there are vertices and nothing of them is drawn. */
static void find_joints(
	const struct framing_params *params, struct arena *arena, struct framing *out) {
	const struct prepared *prepared = params->prepared;
	const size_t count = (size_t)prepared->rig->joint_count;
	double(*world)[12] = arena_alloc(arena, count, sizeof *world);
	float(*points)[3] = arena_alloc(arena, count, sizeof *points);
	pose_to_world(prepared->rig, &prepared->pose, world);
	for (size_t i = 0; i < count; i++) {
		for (int k = 0; k < 3; k++) {
			points[i][k] = (float)world[i][4 * k + 3];
		}
	}
	out->points = points[0];
	out->count = count;
}

bool framing_find(struct renderer *renderer, const struct framing_params *params,
	struct arena *arena, struct framing *out, struct error *err) {
	const struct picture_settings *picture = params->picture;
	const struct rig *rig = params->prepared->rig;
	*out = (struct framing){.camera = picture->camera};
	if (picture->camera.kind == CAMERA_NODE) {
		return find_file_camera(params, arena, out, err);
	}
	struct body_vertices body;
	if (!body_vertices_find(
		    rig, picture->camera.part, picture->camera.source, arena, &body, err)) {
		return false;
	}
	if (!framing_wants_positions(picture)) {
		return true;
	}
	if (rig->vertex_count > 0 && rig_empty_warning(rig)) {
		find_joints(params, arena, out);
		return true;
	}
	if (picture->fit == FIT_POSE && rig->vertex_count > 0) {
		return find_points(params, &body, arena, out, err);
	}
	struct bounds box;
	if (!find_box(renderer, params, &body, &box, err)) {
		return false;
	}
	if (box.min[0] > box.max[0]) {
		return true;
	}
	float *corners = arena_alloc(arena, 24, sizeof *corners);
	bounds_corners(&box, corners);
	out->points = corners;
	out->count = 8;
	return true;
}

struct holding {
	struct camera *camera;
	size_t count; // vertices of each figure
};

static void hold(void *context, const float *positions) {
	const struct holding *holding = context;
	camera_hold(holding->camera, positions, holding->count);
}

bool framing_hold(const struct framing_params *params, struct camera *camera, struct error *err) {
	struct holding holding = {camera, (size_t)params->prepared->rig->vertex_count};
	if (!params->positions) {
		return true;
	}
	hold(&holding, params->positions);
	return !overlays_have_figures(params->overlays) ||
		overlays_see(params->overlays, hold, &holding, err);
}

bool framing_camera(struct renderer *renderer, const struct framing_params *params,
	struct camera *out, struct error *err) {
	const struct picture_settings *picture = params->picture;
	struct arena *arena = arena_create();
	struct framing framing;
	bool ok = framing_find(renderer, params, arena, &framing, err) &&
		camera_make(&framing.camera, (double)picture->width / picture->height,
			framing.points, framing.count, out, err);
	// A camera that was made for all vertices holds them.
	const bool holds = ok && params->positions && framing.points == params->positions &&
		framing.count == (size_t)params->prepared->rig->vertex_count &&
		!overlays_have_figures(params->overlays);
	ok = ok && (holds || framing_hold(params, out, err));
	arena_destroy(arena);
	return ok;
}

/* Pixels beyond a vertex that its points and lines reach, one more for rounding. */
#define REACH 3

/* Bounds of projected vertices, -1 to 1 across the picture. */
struct span {
	float min[2], max[2];
	bool in_front; // whether all vertices are in front of the eye
};

static struct span project(const float m[static 16], const float *positions, size_t count) {
	struct span span = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}, true};
	for (size_t i = 0; i < count; i++) {
		const float *p = positions + i * 3;
		const float w = m[3] * p[0] + m[7] * p[1] + m[11] * p[2] + m[15];
		const float x = (m[0] * p[0] + m[4] * p[1] + m[8] * p[2] + m[12]) / w;
		const float y = (m[1] * p[0] + m[5] * p[1] + m[9] * p[2] + m[13]) / w;
		// Written so that what is no number stops here, too.
		span.in_front &= w > 0 && fabsf(x) < INFINITY && fabsf(y) < INFINITY;
		span.min[0] = x < span.min[0] ? x : span.min[0];
		span.max[0] = x > span.max[0] ? x : span.max[0];
		span.min[1] = y < span.min[1] ? y : span.min[1];
		span.max[1] = y > span.max[1] ? y : span.max[1];
	}
	return span;
}

/* Pixels from the edge at -1 to a place, within [0, size]. */
static int pixel(double coordinate, double reach, int size) {
	return (int)fmin(fmax(floor((coordinate + 1) / 2 * size + reach), 0), size);
}

struct area drawn_area(const float view_projection[static 16], const float *positions, size_t count,
	int width, int height) {
	if (count == 0) {
		return (struct area){0};
	}
	const struct span span = project(view_projection, positions, count);
	if (!span.in_front) {
		return (struct area){0, 0, width, height};
	}
	const int x = pixel(span.min[0], -REACH, width), y = pixel(span.min[1], -REACH, height);
	return (struct area){
		.x = x,
		.y = y,
		.width = pixel(span.max[0], REACH + 1, width) - x,
		.height = pixel(span.max[1], REACH + 1, height) - y,
	};
}
