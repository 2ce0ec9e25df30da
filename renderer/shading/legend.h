/* Legends: a strip below the picture that says what its colours mean. */
#pragma once

#include "shading/shading.h"

struct legend {
	struct shading_legend says;
	struct layout scale;     // where says has a caption
	struct list_layout list; // where it has none
};

/* Finds what there is to say of a rig, and makes *cell the picture without the strip and without a
 * legend. What *out borrows lies in the arena. Fails with the place, also where the picture is too
 * small. */
bool legend_begin(const struct rig *known, const struct picture_settings *picture,
	const struct stop *stop, struct arena *arena, struct legend *out,
	struct picture_settings *cell, struct error *err);

/* Puts the cell's pixels and the legend into the picture's; both sRGB with straight alpha. */
void legend_end(const struct legend *legend, const struct picture_settings *picture,
	const unsigned char *cell, unsigned char *rgba);
