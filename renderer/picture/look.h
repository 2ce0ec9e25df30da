/* The light of a picture: what was asked for, and the lights of files where their poses have them.
 */
#pragma once

#include "draw/job.h"
#include "skinned/prepare.h"
#include "view/camera.h"

struct renderer;

/* A light of a file where a pose has it. */
struct world_light {
	const struct light *light;
	double place[3], direction[3]; // in the world; unit: that it shines in
};

/* The lights of a prepared pose that shine in a picture, in the arena. */
const struct world_light *look_lights(const struct picture_settings *picture,
	const struct prepared *prepared, struct arena *arena, int *count);

/* Has them shine on what is drawn; they are kept in the renderer until the next call. False with
 * ERROR_TOO_LARGE. */
bool look_add_lights(struct renderer *renderer, const struct world_light *lights, int count,
	struct draw_job *job, struct error *err);

/* Fills in the light of what is drawn: what the picture asks for, as the camera stands to it. */
void look_begin(
	const struct picture_settings *picture, const struct camera *camera, struct draw_job *job);
