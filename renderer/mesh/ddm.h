/* The precomputed data of direct delta mush: for each point how much each joint moves its smoothed
 * surroundings, and where those lie at rest.
 *
 * With u = (position, 1), w the weights and B the smoothing of diffusion.h, applied p times:
 * Psi_ij = sum over k of B_ik w_kj u_k u_k^T, a symmetric 4x4 matrix, and the centre of i is the
 * first three of the last column of its sum over j. Omega = (1 - alpha) Psi + alpha W' u_c u_c^T,
 * u_c from the centre and W' the weights smoothed with kappa. It is held with the centre as the
 * origin, where its numbers are small and the sum of its last columns is (0, 0, 0, 1).
 * Source: Le, Lewis, Direct delta mush skinning and variants, ACM TOG 38 (2019); METHODS A21. */
#pragma once

#include "mesh/laplacian.h"
#include "mesh/surface.h"
#include "mesh/watch.h"
#include "model/rig.h"

#define DDM_JOINTS_MAX 16   // that a point keeps
#define DDM_WEIGHT_MIN 1e-4 // below it a joint is not kept

struct ddm_settings {
	enum laplacian_kind laplacian;
	double lambda; // > 0
	int times;     // > 0
	double kappa;  // > 0
	double alpha;  // [0, 1)
};

/* One joint's Omega at a point, the point's centre being the origin. */
struct ddm_joint {
	int slot;         // as in struct share
	double second[6]; // xx xy xz yy yz zz: m^2
	double first[3];  // x y z: the last column, m
	double weight;    // its last number; of all joints of a point they sum to 1
};

struct ddm {
	int *starts;              // [point_count + 1] where each point's joints start
	struct ddm_joint *joints; // of a point: greatest weight first, then lowest slot
	double (*centres)[3];     // [point_count]
	int truncated;            // points that had more than DDM_JOINTS_MAX
};

/* Fails with ERROR_TOO_LARGE or the watch's error, and leaves *ddm zero then. ddm_finish frees
 * what it holds. */
bool ddm_init(struct ddm *ddm, const struct mesh_surface *surface,
	const struct ddm_settings *settings, const struct watch *watch, struct error *err);
void ddm_finish(struct ddm *ddm); // takes a zeroed one

/* The residual of the fitted weights, as distances. */
struct ddm_residual {
	double max, rms; // over all points and poses
};

/* Fits weights of the joints that each point keeps, >= 0 and of sum 1, to where direct delta mush
 * puts the point when one joint at a time, with all below it, is turned by 60 degrees about each
 * axis both ways from where it was bound. The weights take the place of the joints' own, moments
 * are zero and centres the points themselves: the sums over joints are those of linear blending.
 * Fails with ERROR_TOO_LARGE or the watch's error. */
bool ddm_fit_weights(struct ddm *ddm, const struct rig *rig, const struct mesh_surface *surface,
	const struct watch *watch, struct ddm_residual *residual, struct error *err);
