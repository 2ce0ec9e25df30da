/* Materials under light in doubles, after shaders/include/material.glsl and shaded.glsl: the oracle
 * of the rasteriser's. */
#pragma once

#include "draw/material.h"
#include "raster/scene.h"

/* A fragment: all directions in the axes of the light. */
struct exact_fragment {
	double base[4]; // factor times vertex colour times texture
	double metal, roughness;
	double emission[3];
	double reflection[4]; // of what is no metal; w: at grazing angles
	double occlusion;
	bool has_occlusion; // a texture of it
	double transmission, thickness, index, dispersion;
	double attenuation[4]; // a colour, and one over the distance after which light has it; 0 =
			       // never
	double world[3];
	double normal[3], coat_normal[3], eye[3]; // unit
	double coat, coat_roughness;
	double sheen[4];
	double film[2], film_index; // its share and thickness in nm
	double front[3];            // exact_shaded() fills it
	double anisotropy, along[3],
		across[3]; // unit, of facets that are stretched along the first
	double to_origin[3];
};

/* The colour before alpha, and the share of the background that shows through. */
void exact_shaded(const struct raster_scene *scene, unsigned flags,
	const struct exact_fragment *fragment, double out[static 3], double *through);

/* The share that lights' lobes lose of their digits: 1 over the square of the least alpha. */
double exact_sharpness(unsigned flags, const struct exact_fragment *fragment);
