/* Fixed views of a clip, of which pictures are compared: from the front, the side and between, at
 * three moments, in clay and with materials. */
#pragma once

#include "base/buffer.h"
#include "check/run.h"
#include "interface/approved.h"

/* Pixels of a picture's side, and of a picture. */
#define VIEW_SIDE 256
#define VIEW_PIXELS (VIEW_SIDE * VIEW_SIDE)

#define VIEWS_COUNT 18

/* The views of one clip. */
struct view_set {
	const struct check_clip *clip; // whose moments they are of
	double target[3], distance;    // from which all of it is seen
};

/* Fails like renderer_clip_bounds(). */
bool view_set_make(const struct check_run *run, const struct check_step *step,
	struct renderer *renderer, const struct stop *stop, struct view_set *out,
	struct error *err);

struct check_camera view_camera(const struct view_set *set, size_t view);
double view_time(const struct view_set *set, size_t view);

/* The same in words. */
struct check_view view_describe(
	const struct view_set *set, const struct check_run *run, size_t view);

/* A figure in motion. */
struct view_subject {
	const struct check_run *run;
	const char *clip;
	struct renderer *renderer;
	const struct stop *stop; // NULL = never stops
};

/* Appends the pixels of a view, [VIEW_SIDE][VIEW_SIDE] RGBA with straight alpha. Fails like
 * renderer_frame(). */
bool view_draw(const struct view_set *set, size_t view, const struct view_subject *subject,
	struct buffer *rgba, struct error *err);

/* True when the others may go on without a picture that failed for this reason. */
bool view_goes_on(const struct error *err);
