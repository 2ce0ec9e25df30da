/* Drawing a rig's skinned vertices in colours of a scale instead of its materials. For the thread
 * whose context is current. */
#pragma once

#include "gl/draw.h"

/* Colours of a scale; between them they are mixed. */
#define PAINT_COLORS 256

struct paint;

/* The program and the scale: sRGB, the colour of 0 first, that of 1 last. NULL with
 * ERROR_INTERNAL. */
struct paint *paint_create(const unsigned char colors[static PAINT_COLORS][4], struct error *err);
void paint_destroy(struct paint *paint); // takes NULL

/* Draws all primitives, from both sides and opaque, into the current framebuffer, which encodes.
 * What faces the eye has its colour of the scale as it is, the rest is darker.
 *
 * shares  [vertex_count] in [0, 1]; each pixel has the colour of the share between its vertices' */
bool paint_rig(
	struct paint *paint, const struct draw_job *job, const float *shares, struct error *err);
