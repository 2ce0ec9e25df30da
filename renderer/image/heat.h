/* The colours that stand for how great something is: blue, green, yellow. */
#pragma once

/* The sRGB colour of a share in [0, 1]. Equal steps of the share are equal steps of lightness to
 * the eye, so that more is always lighter, also to the colour-blind and on grey paper. The path
 * through Oklab is ours. */
void heat_color(double share, unsigned char rgb[static 3]);
