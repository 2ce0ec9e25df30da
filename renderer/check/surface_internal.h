/* Steps of check_surface_create(). */
#pragma once

#include "check/surface.h"

struct check_surface_build {
	const struct check_asset *asset;
	struct check_surface *surface; // being filled
	struct arena *arena;           // for what stays
	struct arena *scratch;         // memory of the steps alone
	const int *owners;             // by vertex: position in rig->primitives
	const bool *morphed;           // by vertex: a morph target may move it
	const bool *mirrored;          // by vertex: the rest pose mirrors its primitive
	/* Twice the area times the reference normal of a triangle, towards the outside. */
	const double (*crosses)[3]; // [surface->triangles.count]
};

/* Fills the edges. */
void check_surface_find_edges(struct check_surface_build *build);

/* Fills seams and parts. */
void check_surface_find_seams(struct check_surface_build *build);

/* Fills the supports. */
void check_surface_find_supports(struct check_surface_build *build);
