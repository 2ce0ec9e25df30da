/* The drawing on the ground under a figure: its shadow, and a grid of lines. */
#pragma once

#include "model/rig.h"

/* Shares of the figure's size: how high what casts a shadow may be, and by how much it is blurred,
 * where something touches the ground and where it is only near. */
#define GROUND_TOUCH_HEIGHT 0.06
#define GROUND_NEAR_HEIGHT 0.45
#define GROUND_TOUCH_BLUR 0.01
#define GROUND_NEAR_BLUR 0.035

/* A square of a horizontal plane, in the world. */
struct ground_square {
	double middle[3];
	double half; // of its side
};

/* The shadow under what stands within a box on the ground of this height: a square that holds all
 * of it. size is that of the figure, by which shadows reach. */
struct ground_square ground_shadow_square(const struct bounds *box, double height, double size);

struct ground_grid {
	struct ground_square square; // that it is drawn in, fading towards the edge
	double unit;                 // between lines
	double lightness;            // of lines, linear, [0, 1]
	double strength;             // how opaque they are, [0, 1]
};

/* The least texels of the side of a shadow's map. */
#define GROUND_SIDE_MIN 128

/* Texels of the side of a shadow's map: of one figure, fine enough for feet, since all is blurred;
 * and of many, where a figure has half as many at least, up to what every driver has. */
int ground_shadow_side(const struct ground_square *square, double size);
