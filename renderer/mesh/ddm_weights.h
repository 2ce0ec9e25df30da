/* Weights of linear blending that come nearest to direct delta mush: its variant v5. */
#pragma once

#include "mesh/ddm.h"
#include "model/rig.h"

/* How far the fitted weights are from what they were fitted to, as distances. */
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
