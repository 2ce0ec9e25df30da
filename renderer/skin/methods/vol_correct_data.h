/* The data of volume correction, as vol_correct.c and its shaders read it. */
#pragma once

#include "skin/method.h"

enum vol_correct_option { VOL_CORRECT_BASE, VOL_CORRECT_MU };

/* The mobility of vertices. */
enum vol_correct_mu {
	VOL_CORRECT_MU_JOINT,  // 2 (1 - sum of w^2): 4 w (1 - w) between two joints
	VOL_CORRECT_MU_GLOBAL, // all alike
};

/* Only closed parts of the surface count, and are numbered from 0. */
enum vol_correct_section {
	VOL_CORRECT_RANGES, // words [vertex_count][4]: first fan edge, how many; part; mu (a float)
	VOL_CORRECT_FANS,   // words [edges][2]: vertices, see mesh/fans.h
	VOL_CORRECT_FACES,  // words [faces][3]: vertices, by part
	VOL_CORRECT_CHUNKS, // words [1 + chunks][2]: chunks, parts; then a chunk's faces: first,
			    // count
	VOL_CORRECT_PARTS, // words [parts][4]: first chunk, how many; longest step (a float); spare
	VOL_CORRECT_STARTS, // words [parts + 1]: where a part's shares start
	VOL_CORRECT_SHARES, // words [shares][2]: slot, share in the part's area (a float)
	VOL_CORRECT_SECTIONS,
};

#define VOL_CORRECT_NO_PART UINT32_MAX

extern const struct skin_recipe vol_correct_recipe;
