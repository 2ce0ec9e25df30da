/* Linear blend skinning: v' = (sum of w_k M_k) v. Exact for any affine M.
 * Sources: Magnenat-Thalmann, Laperriere, Thalmann 1988; Lewis, Cordner, Fong 2000. METHODS A5. */
#pragma once

#include "skin/method.h"

/* A 4x4 matrix in columns. */
#define LBS_ENTRY_FLOATS 16

/* The row's functions: see struct skinning_method. Normals go by the cofactor matrix of the
 * blended linear part (METHODS B2), which is the inverse transpose without its division. */
void lbs_prepare(const struct rig *rig, const double (*matrices)[12], float *palette);
void lbs_skin(const struct skin_job *job, const struct primitive *primitive);

/* lbs_skin for CPUs with AVX2: for it alone to call. */
void lbs_skin_avx2(const struct skin_job *job, const struct primitive *primitive);
