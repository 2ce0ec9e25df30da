/* Joints as rigid motions, for methods that blend no matrices: each slot's M taken apart into a
 * stretch S about the joint's bind position, which comes first, and a rigid motion D, M = D S.
 * METHODS 0.4, two-phase. */
#pragma once

#include "skin/method.h"
#include "skin/options.h"

struct rigid_joint {
	double rotation[4];    // unit quaternion of D, x y z w
	double translation[3]; // of D
	double stretch[9];     // the linear part of S, rows; the identity where the joint is rigid
	double about[3];       // the joint's bind position c, which S keeps
	bool rigid;            // S is the identity to 1e-6
};

/* How a method wants them. */
struct rigid_options {
	enum skin_scale scale;
	enum skin_rigid_from from;
	enum skin_sign sign;
};

/* The method's options `scale`, `rigid_from` and `sign` where it has them, else what is usual. */
struct rigid_options rigid_options_of(
	const struct skin_option *const *list, const struct skin_options *options);

/* Fills joints, [rig->slot_count]. With SKIN_SIGN_HIERARCHY each quaternion's sign is that nearer
 * to its parent's among the slots of the same primitive; with SKIN_SIGN_TEMPORAL its rotation
 * against the parent's is the one nearer to that in job->memory, if there is one, and is left
 * there. False with ERROR_INVALID_VALUE for the first joint that is not rigid with
 * SKIN_SCALE_ERROR. */
bool rigid_joints(const struct prepare_job *job, const struct rigid_options *options,
	struct rigid_joint *joints, struct error *err);

/* Writes D as a dual quaternion: real part, then dual part, half of the translation times it. */
void rigid_write_motion(const struct rigid_joint *joint, float *entry);

/* Floats of a stretch in the palette, and where among them a flag stands: 1 where the stretch is
 * not the identity, else 0. */
#define RIGID_STRETCH_FLOATS 16
#define RIGID_STRETCH_FLAG 12

/* Writes S as a matrix, then the flag. */
void rigid_write_stretch(const struct rigid_joint *joint, float *entry);

/* The position of a slot's joint when its vertices were bound. */
void rigid_bind_position(const struct palette_slot *slot, double position[static 3]);
