/* Translucent figures of one colour. For the thread whose context is current. */
#pragma once

#include "gl/draw.h"

struct ghost;

/* NULL with ERROR_INTERNAL. */
struct ghost *ghost_create(struct error *err);
void ghost_destroy(struct ghost *ghost); // takes NULL

/* Draws the rig's skinned vertices over the picture, wherever nothing nearer is: each pixel once,
 * however many of its surfaces lie there. color is linear and premultiplied by alpha. */
bool ghost_draw(struct ghost *ghost, const struct draw_job *job, const float color[static 4],
	struct error *err);
