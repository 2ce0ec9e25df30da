/* Fits of the methods that displace the rest vertices, each displacement times a coefficient that
 * depends on the pose, before a base method skins them:
 *
 *     v' = f(v + sum over a of c_a(pose) d_a), and likewise with normals.
 *
 * They differ in which examples go together, in the interpolation of the coefficients, and in the
 * displacements. Sources: Lewis, Cordner, Fong 2000 (psd); Sloan, Rose, Cohen 2001 (sbe); Kry,
 * James, Pai 2002 (eigenskin); Houska 2005 (sjbbe). METHODS A8, A15, A16, A17. */
#pragma once

#include "fit/example.h"
#include "fit/rbf.h"
#include "fit/targets.h"

struct displacing_recipe {
	const char *method; // for messages
	bool one_joint;     // examples turn one joint each, and those of each joint go together;
			    // else those that share joints do, directly or through others
	bool supports;      // a joint's examples move its support only (joints_assign_supports)
	enum rbf_metric metric; // RBF_ARC and RBF_CHORD: one_joint only
	enum rbf_kernel kernel;
	double width; // of the radial functions; 0 = from the examples
	bool linear;  // radial functions only of what a linear fit leaves over
	double ridge; // per example, on the kernel matrix' diagonal
	bool clamped; // coefficients stay in [least, greatest]
	double least, greatest;
	int mode_max;      // > 0: displacements are the greatest principal modes, at most so
			   // many to a joint; 0 = those of the examples
	double mode_share; // as many as are needed for this share of the squares, (0, 1]
	double min_move;   // displacements below it count as none; of the size of the mesh
};

/* Interpolated coefficients of examples that go together. */
struct displacing_space {
	struct rbf rbf;
	int first; // its first coefficient; as many as the rbf has outputs
};

struct displacing_model {
	struct arena *arena; // what spaces point into
	int space_count;
	struct displacing_space *spaces; // [space_count]
	bool clamped;
	double least, greatest;
	int coefficient_count;
	struct targets targets;
};

/* Fits. A report that is there is filled also where the fit fails for want of usable examples; its
 * examples are [example_count], the caller's. The result is the caller's, to be destroyed; NULL
 * with ERROR_MISSING_DATA (no usable example), ERROR_BROKEN_ASSET (poses that determine nothing),
 * ERROR_TOO_LARGE, or what made it stop. */
struct displacing_model *displacing_fit(const struct fit_input *input,
	const struct displacing_recipe *recipe, struct fit_report *report, struct error *err);
void displacing_destroy(struct displacing_model *model); // takes NULL

/* The coefficients at a pose, [coefficient_count]. local is by joint, scratch is where it works.
 * The same bits on every x86-64 machine. */
void displacing_evaluate(const struct displacing_model *model, const struct transform *local,
	struct arena *scratch, float *coefficients);
