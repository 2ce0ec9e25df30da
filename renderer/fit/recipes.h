/* The methods that displace rest vertices, as METHODS A8 and A15 to A17 have them where nothing
 * else is asked for. */
#pragma once

#include "fit/displacing.h"

/* Pose space deformation: Gaussians over all angles that the examples turn; their width is the mean
 * distance between neighbours. Source: Lewis, Cordner, Fong, SIGGRAPH 2000.
 * Interpolating the examples' displacements by coefficients that are 1 at one example is the same
 * as the paper's solving for weights vertex by vertex, as long as vertices share their poses. */
extern const struct displacing_recipe recipe_psd;

/* Shape by example: coefficients linear in the rotation vectors, and cubic B-splines, which end at
 * twice the distance to the nearest example, for what that leaves. Coefficients stay in [0, 1].
 * Source: Sloan, Rose, Cohen, I3D 2001. */
extern const struct displacing_recipe recipe_sbe;

/* EigenSkin: up to four principal modes to a joint, for 99% of the squares. Source: Kry, James,
 * Pai, SCA 2002. */
extern const struct displacing_recipe recipe_eigenskin;

/* Spherical joint blending by example: Gaussians of width 1 over the arcs between the directions of
 * the joint's bone, on the joint's support. Source: Houska 2005, 5.3. */
extern const struct displacing_recipe recipe_sjbbe;
