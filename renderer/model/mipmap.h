/* Smaller versions of images. The driver could make them too, but llvmpipe takes 60 ms for an image
 * of 1024 x 1024 where this takes 4. */
#pragma once

#include "model/material.h"

/* Half of an image in each direction (never below 1): the mean of 2 x 2 pixels; an odd last row
 * or column is left out. encoded: RGB are sRGB, and the mean is that of the light; else they are
 * numbers. Returns new pixels, free() them, and sets the new size. */
unsigned char *mipmap_halve(const unsigned char *rgba, bool encoded, int *width, int *height);
