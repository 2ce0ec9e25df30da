/* Colours that tell joints apart. */
#pragma once

#include "base/arena.h"
#include "model/rig.h"

/* The i-th of colours that go on for ever, in sRGB: those near to one another are far apart, and
 * the first 22 are all easy to tell apart. */
void palette_color(int i, unsigned char rgb[static 3]);

/* Fills [rig->joint_count] sRGB colours, each another. As far as there are enough, those of a
 * joint, its parent and its parent's other children are far apart. weights is [rig->joint_count] as
 * of influences_sum(): joints without any leave the best colours to the others, and are passed over
 * on the way to a parent. The same for the same joints and weights. */
void palette_fill(const struct rig *rig, const double *weights, struct arena *arena,
	unsigned char (*colors)[3]);
