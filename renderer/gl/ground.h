/* The drawing on the ground under a figure: its shadow, and a grid of lines. For the thread whose
 * context is current. */
#pragma once

#include "draw/ground.h"
#include "gl/draw.h"

struct ground;

/* NULL with ERROR_INTERNAL. */
struct ground *ground_create(struct error *err);
void ground_destroy(struct ground *ground); // takes NULL

/* Keeps how near the figure is to the ground; changes framebuffer and viewport, so that it comes
 * before the picture is begun. */
bool ground_cast(struct ground *ground, const struct rig *rig, const struct gpu_rig *gpu,
	const struct ground_square *square, double size, struct error *err);

/* The same of many figures, which cast one shadow: begun, some of them cast at a time, ended. The
 * square holds them all; size is that of the largest. What is done in between may change any state.
 */
bool ground_begin_cast(
	struct ground *ground, const struct ground_square *square, double size, struct error *err);
bool ground_cast_many(struct ground *ground, const struct draw_many_job *many,
	const struct ground_square *square, double size, struct error *err);
bool ground_end_cast(
	struct ground *ground, const struct ground_square *square, double size, struct error *err);

/* Draws the shadow that was cast, over all that is there, and changes no depth: it is drawn before
 * what stands on the ground. view_projection is world to clip space, column-major, [16]. */
bool ground_draw_shadow(struct ground *ground, const float *view_projection,
	const struct ground_square *square, struct error *err);

/* Draws a grid in the same way: lines where x or z are a multiple of the unit. */
bool ground_draw_grid(struct ground *ground, const float *view_projection,
	const struct ground_grid *grid, struct error *err);
