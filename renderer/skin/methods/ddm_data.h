/* The data of direct delta mush, as the kernels of ddm.c and its shader read it. */
#pragma once

#include "skin/method.h"

/* The variants of the model: METHODS A21. */
enum ddm_variant {
	DDM_V0, // the nearest rotation
	DDM_V1, // its inverse transpose in place of the rotation, of determinant 1
	DDM_V2, // rotations blended as quaternions
	DDM_V3, // rotations blended as matrices
	DDM_V4, // as v2, with the centre moved as by linear blending
	DDM_V5, // linear blending with weights fitted to v0
};

/* The options that the data depends on come first. */
enum ddm_option {
	DDM_OPTION_VARIANT,
	DDM_OPTION_LAMBDA,
	DDM_OPTION_TIMES,
	DDM_OPTION_KAPPA,
	DDM_OPTION_ALPHA,
	DDM_OPTION_LAPLACIAN,
	DDM_OPTION_SCALE,
	DDM_OPTION_RIGID_FROM,
};

enum ddm_section {
	DDM_RANGES,  // words [vertex_count][2]: each vertex' first joint, and how many it has
	DDM_SLOTS,   // words [joints]: position in the palette
	DDM_OMEGAS,  // floats [joints][16]: T Omega in rows, T moving the centre from the origin
	DDM_CENTRES, // floats [vertex_count][4]: the centre, and a spare number
	DDM_SPREADS, // v1: floats [vertex_count][8]: the joints' second moments, of trace 1, two
		     // spare
	DDM_SECTIONS,
};

#define DDM_SPREAD_FLOATS 8

extern const struct skin_recipe ddm_recipe;
