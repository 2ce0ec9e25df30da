/* The shadow that the key light casts on figures and on the ground. */
#pragma once

#include "overlay/overlays.h"
#include "skinned/placement.h"

struct renderer;

/* Refuses shadows of the key light, with the place, where a shading does not know it. */
bool picture_check_key(const struct picture_settings *picture, struct error *err);

/* Finds the key light of a look for figures within a box, whose footing is on the ground, and
 * begins its maps; job->look.key is then it, in room, or NULL where the picture has no shadow of
 * its kind or nothing casts one. False with ERROR_INVALID_VALUE and the place where the picture
 * has no key light. */
bool picture_begin_key(struct renderer *renderer, const struct picture_settings *picture,
	const struct bounds *box, const struct footing *footing, struct draw_job *job,
	struct key_light *room, struct error *err);
