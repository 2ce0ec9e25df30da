/* Joints as rigid motions, for methods that blend no matrices: each slot's M taken apart into a
 * stretch S about the joint's bind position, which comes first, and a rigid motion D, M = D S.
 * METHODS 0.4, two-phase. */
#pragma once

#include "skin/method.h"
#include "skin/option.h"

struct rigid_joint {
	double rotation[4];    // unit quaternion of D, x y z w
	double translation[3]; // of D
	double stretch[9];     // the linear part of S, rows; the identity where the joint is rigid
	double about[3];       // the joint's bind position c; S takes it to unit * c
	double unit; // length of the bind space's unit in the rest of the rig: 1 in most files
	bool rigid;  // S is the identity to 1e-6
};

/* Takes the joints of all slots apart, [rig->slot_count] in the job's arena, by the options
 * `scale`, `rigid_from` and `sign` where the method's list has them, else by their standards. With
 * SKIN_SIGN_HIERARCHY each quaternion's sign is that nearer to its parent's among the slots of the
 * same primitive; with SKIN_SIGN_TEMPORAL its rotation against the parent's is the one nearer to
 * that in job->memory, if there is one, and is left there. NULL with ERROR_INVALID_VALUE for the
 * first joint that is not rigid with SKIN_SCALE_ERROR. */
struct rigid_joint *rigid_joints(const struct prepare_job *job, struct error *err);

/* D as a matrix, rows of 3x4. */
void rigid_matrix(const struct rigid_joint *joint, double m[static 12]);

/* Writes D as a dual quaternion: real part, then dual part, half of the translation times it. */
void rigid_write_motion(const struct rigid_joint *joint, float *entry);

/* Floats of a stretch in the palette, and where among them a flag stands: 1 where the stretch is
 * not the identity, else 0. */
#define RIGID_STRETCH_FLOATS 16
#define RIGID_STRETCH_FLAG 12

/* Writes S as a matrix, then the flag. */
void rigid_write_stretch(const struct rigid_joint *joint, float *entry);

/* Length of the unit of a primitive's bind space in that of the rig: the scale that its matrices
 * share at rest. 1 but for quantised vertices and the like. Methods that hold lengths or
 * positions of the bind space against stretched ones need it: a stretch takes bind positions c to
 * unit * c. */
double rigid_bind_unit(const struct rig *rig, const struct primitive *primitive);

/* The slots' bind positions after stretching, unit * c: origins is [rig->slot_count]. */
void rigid_origins(const struct rig *rig, double (*origins)[3]);

/* The position of a slot's joint when its vertices were bound. */
void rigid_bind_position(const struct palette_slot *slot, double position[static 3]);

/* For each slot one of the nearest joint above that has any in the same primitive; -1 = none.
 * parents is [rig->slot_count]. */
void rigid_slot_parents(const struct rig *rig, struct arena *arena, int *parents);
