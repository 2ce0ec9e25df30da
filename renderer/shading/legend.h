/* Legends: a strip below the picture that says what its colours mean. */
#pragma once

#include "base/arena.h"
#include "model/rig.h"
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

/* A joint's name, borrowed; or "#12", its index in the file, in the arena, where the name is empty
 * or has characters that there are no letters for. */
const char *joint_label(const struct joint *joint, struct arena *arena);

/* The i-th of colours that go on for ever, in sRGB: those near to one another are far apart, and
 * the first 22 are all easy to tell apart. */
void palette_color(int i, unsigned char rgb[static 3]);

/* Fills [rig->joint_count] sRGB colours, each another. As far as there are enough, those of a
 * joint, its parent and its parent's other children are far apart. weights is [rig->joint_count] as
 * of influences_sum(): joints without any leave the best colours to the others, and are passed over
 * on the way to a parent. The same for the same joints and weights. */
void palette_fill(const struct rig *rig, const double *weights, struct arena *arena,
	unsigned char (*colors)[3]);
