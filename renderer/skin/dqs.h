/* Dual quaternion skinning: rigid motions blended as dual quaternions (DLB), so that a twist keeps
 * its radius. Joints that scale or shear take two phases: first their stretches about the joint's
 * bind position are blended linearly, then the rigid rest as dual quaternions (METHODS 0.4). Signs
 * follow the influence of greatest weight (METHODS 0.6, "pivot").
 * Source: Kavan, Collins, Zara, O'Sullivan. Geometric Skinning with Approximate Dual Quaternion
 * Blending. ACM TOG 27(4), 2008. METHODS A11. */
#pragma once

#include "skin/method.h"

/* Real part, dual part, then the stretch as the four columns of a matrix; the first column's
 * fourth number is 1 where the stretch is not the identity, else 0. */
#define DQS_ENTRY_FLOATS 24

/* The row's functions: see struct skinning_method. A joint counts as rigid when its stretch is the
 * identity to 1e-6. */
void dqs_prepare(const struct rig *rig, const double (*matrices)[12], float *palette);
void dqs_skin(const struct skin_job *job, const struct primitive *primitive);

/* dqs_skin for CPUs with AVX2: for it alone to call. */
void dqs_skin_avx2(const struct skin_job *job, const struct primitive *primitive);
