// The figure at other times: translucent, cold before the picture's moment and warm behind it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "overlay/overlay.h"
#include "skinned/for_picture.h"
#include "skinned/prepare.h"
#include "state/state.h"

/* Opacity of the figures nearest in time, and of the farthest. */
#define NEAR 0.7
#define FAR 0.3

static const unsigned char PAST[3] = {0x3b, 0x82, 0xf6};
static const unsigned char FUTURE[3] = {0xf9, 0x73, 0x16};

/* A figure of another time, ready to be skinned. */
struct ghost_figure {
	struct prepared prepared;
	double time_s;
	double middle[3]; // of its joints
	double depth;     // once there is a camera
};

struct onion {
	struct ghost_figure *figures; // [count] in order of time
	size_t count;
};

static void find_middle(
	struct overlays *overlays, const struct pose *pose, double middle[static 3]) {
	const struct rig *rig = overlays->job->subject.rig;
	double(*world)[12] =
		arena_alloc(overlays->moments.spare, (size_t)rig->joint_count, sizeof *world);
	pose_to_world(rig, pose, world);
	for (int i = 0; i < rig->slot_count; i++) {
		for (int k = 0; k < 3; k++) {
			middle[k] += world[rig->slots[i].joint][4 * k + 3] / rig->slot_count;
		}
	}
}

static bool prepare_figure(
	struct overlays *overlays, double time_s, struct ghost_figure *figure, struct error *err) {
	struct skin_plan plan = overlays->prepared->plan;
	struct pose pose, kept = pose_rest(overlays->job->subject.rig, overlays->arena);
	int clip;
	double clip_s;
	if (!moments_pose(&overlays->moments, time_s, &pose, &clip, &clip_s, err)) {
		return false;
	}
	if (plan.clip >= 0) {
		plan.time_s = clip_s;
	}
	// The prepared data borrow the weights, and the pose does not live as long.
	memcpy(kept.local, pose.local, (size_t)pose.joint_count * sizeof *pose.local);
	memcpy(kept.weights, pose.weights, (size_t)pose.weight_count * sizeof *pose.weights);
	figure->time_s = time_s;
	find_middle(overlays, &pose, figure->middle);
	const bool ok = prepare_from_pose(&plan, &kept, overlays->arena, &figure->prepared, err);
	figure->prepared.on_gpu = overlays->prepared->on_gpu;
	return ok;
}

/* The i-th of count times that are spread evenly around 0, without it. */
static double even_time(int count, int i, double spread_s) {
	const int before = (count + 1) / 2;
	const double step_s = spread_s / count;
	return step_s * (i < before ? i - before : i - before + 1);
}

static bool find_spread(struct overlays *overlays, double *spread_s, struct error *err) {
	struct moments_length length;
	*spread_s = overlays->settings->onion.spread_s;
	if (*spread_s > 0) {
		return true;
	}
	if (!moments_length(&overlays->moments, &length, err)) {
		return false;
	}
	*spread_s = length.length_s / 2;
	return *spread_s > 0 ||
		value_error(overlay_source(overlays, "onion"), err, ERROR_INVALID_VALUE,
			"the pose samples no clip that would tell how far apart the figures are; "
			"say \"times\" or \"spread\"");
}

static bool begin(struct overlays *overlays, struct error *err) {
	const struct onion_settings *settings = &overlays->settings->onion;
	const struct value *list = settings->times;
	struct onion *onion = arena_alloc(overlays->arena, 1, sizeof *onion);
	double spread_s = 0;
	overlays->onion = onion;
	if (!list && !find_spread(overlays, &spread_s, err)) {
		return false;
	}
	onion->count = list ? list->count : (size_t)settings->count;
	onion->figures = arena_alloc(overlays->arena, onion->count, sizeof *onion->figures);
	for (size_t i = 0; i < onion->count; i++) {
		const double time_s =
			list ? list->items[i].number : even_time(settings->count, (int)i, spread_s);
		if (!prepare_figure(overlays, time_s, &onion->figures[i], err)) {
			return false;
		}
	}
	return true;
}

/* Has the vertices be those of the picture's own pose again. */
static bool skin_present(struct overlays *overlays, bool want_positions, struct error *err) {
	const float *positions;
	const struct picture_streams wanted = {
		.positions = want_positions,
		.tangents =
			picture_takes_tangents(&overlays->job->picture, overlays->prepared->rig),
	};
	return picture_skin(
		overlays->renderer, overlays->prepared, &wanted, overlays->drawn, &positions, err);
}

bool onion_see(struct overlays *overlays, overlays_look *look, void *context, struct error *err) {
	const struct onion *onion = overlays->onion;
	const struct picture_streams wanted = {.positions = true};
	for (size_t i = 0; i < onion->count; i++) {
		const struct prepared *prepared = &onion->figures[i].prepared;
		const float *positions;
		if (!stop_check(overlays->job->subject.stop, err) ||
			!picture_skin(overlays->renderer, prepared, &wanted, overlays->drawn,
				&positions, err)) {
			return false;
		}
		look(context, positions);
	}
	return skin_present(overlays, true, err);
}

/* Less for what is farther from the viewer. */
static double depth_of(const struct overlays *overlays, const struct ghost_figure *figure) {
	const float *m = overlays->drawing->job.view_projection;
	double sum = m[14] + m[15];
	for (int k = 0; k < 3; k++) {
		sum += (m[k * 4 + 2] + m[k * 4 + 3]) * figure->middle[k];
	}
	return -sum;
}

static int by_depth(const void *a, const void *b) {
	const struct ghost_figure *x = a, *y = b;
	if (x->depth != y->depth) {
		return x->depth < y->depth ? -1 : 1;
	}
	return (x->time_s > y->time_s) - (x->time_s < y->time_s);
}

static double farthest_time(const struct onion *onion) {
	double farthest = 0;
	for (size_t i = 0; i < onion->count; i++) {
		farthest = fmax(farthest, fabs(onion->figures[i].time_s));
	}
	return farthest;
}

static bool draw_figure(struct overlays *overlays, const struct ghost_figure *figure, double share,
	struct error *err) {
	const struct prepared *prepared = &figure->prepared;
	struct renderer *renderer = overlays->renderer;
	struct draw_job job = overlays->drawing->job;
	const struct picture_streams nothing = {0};
	const float *positions;
	struct paint paint = {.shader = "paint_ghost.frag"};
	overlay_color(
		figure->time_s < 0 ? PAST : FUTURE, NEAR + share * (FAR - NEAR), paint.vectors[0]);
	job.paint = &paint;
	job.mirrored = prepared_mirrored(prepared, overlays->arena);
	return stop_check(overlays->job->subject.stop, err) &&
		picture_skin(renderer, prepared, &nothing, overlays->drawn, &positions, err) &&
		renderer->back_end->kind->draw_translucent(renderer->back_end, &job, err);
}

static bool draw(struct overlays *overlays, struct error *err) {
	struct onion *onion = overlays->onion;
	const double farthest = farthest_time(onion);
	bool ok = true;
	for (size_t i = 0; i < onion->count; i++) {
		onion->figures[i].depth = depth_of(overlays, &onion->figures[i]);
	}
	qsort(onion->figures, onion->count, sizeof *onion->figures, by_depth);
	for (size_t i = 0; ok && i < onion->count; i++) {
		const struct ghost_figure *figure = &onion->figures[i];
		const double share = farthest > 0 ? fabs(figure->time_s) / farthest : 0;
		ok = draw_figure(overlays, figure, share, err);
	}
	return ok && skin_present(overlays, overlays->drawing->positions != NULL, err);
}

const struct overlay_kind overlay_onion = {.begin = begin, .draw = draw, .layer = LAYER_BEHIND};
