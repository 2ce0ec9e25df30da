/* The exposure that suits what a picture shows. */
#pragma once

#include "picture/picture.h"

/* Where the picture asks for it, measures the light of a drawing in its materials, sets its
 * exposure and says in the report which it is, in stops: that of the settings and what was found.
 * Draws into the renderer's target; the drawing's lights are there already. */
bool picture_meter(struct renderer *renderer, struct drawing *drawing,
	struct skinning_report *report, struct error *err);
