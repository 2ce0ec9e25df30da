/* Tables of light that are made when posed is built: light from all around, filtered for each
 * roughness, its irradiance, the share of it that surfaces reflect, and sRGB. They are what
 * shaders/environment.comp makes, and are laid out as shaders/include/environment.glsl says. */
#pragma once

#include <stdint.h>

#include "base/settings.h"

/* Edge of a square of light in texels with its border, and how many there are. */
#define TABLES_LIGHT_SIZE 48
#define TABLES_LIGHT_LAYERS 8
/* Entries of the table of reflection along each side. */
#define TABLES_REFLECTION_SIZE 32
#define TABLES_HARMONICS 9

/* IEEE 754's numbers of 16 bits. */
extern const uint16_t tables_light[ENVIRONMENT_NONE][TABLES_LIGHT_LAYERS][TABLES_LIGHT_SIZE]
				  [TABLES_LIGHT_SIZE][3];

/* Factors of 1, y, z, x, xy, yz, 3zz-1, xz and xx-yy of a normal. */
extern const float tables_irradiance[ENVIRONMENT_NONE][TABLES_HARMONICS][3];

/* The share of both that comes from the studio's first box, as radiance 1 all over it. */
extern const uint16_t tables_key[TABLES_LIGHT_LAYERS][TABLES_LIGHT_SIZE][TABLES_LIGHT_SIZE];
extern const float tables_key_irradiance[TABLES_HARMONICS];

/* By roughness, then by the square root of the cosine to the eye, both from 0 to 1: the share of
 * light that is reflected times the colour seen from the front, the share that comes at grazing
 * angles besides, and what a sheen takes. Of 16 bits, as above. */
extern const uint16_t tables_reflection[TABLES_REFLECTION_SIZE][TABLES_REFLECTION_SIZE][3];

/* Light of an sRGB byte, from 0 to 65535. */
extern const uint16_t tables_linear[256];
