/* Interpolation between poses by radial functions: numbers known at some poses (the centres), for
 * any other. A pose is seen through the local rotations of a few joints.
 * Source: Houska, Skinning of skeletal animation, 2005, appendix B; METHODS A8, A15, A16. */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "model/transform.h"

/* Of a kernel matrix below this reciprocal condition nothing is solved: the radial functions need
 * not be positive definite over arcs and angles (METHODS G12). */
#define RBF_MIN_RCOND 1e-8

/* Centres nearer to one another than this, 2 degrees, are taken for the same pose. */
#define RBF_MIN_ANGLE 0.034906585039886591538

enum rbf_metric {
	RBF_ARC,   // the arc between directions of one joint's bone
	RBF_CHORD, // the straight distance between them
	RBF_ANGLE, // the angles of rotation between joints, as a Euclidean distance
};

enum rbf_kernel { RBF_GAUSSIAN, RBF_BSPLINE };

/* The features of a joint. */
struct rbf_joint {
	int joint;
	double importance;   // factor of the squared angle, > 0; RBF_ANGLE only
	double reference[4]; // RBF_ANGLE: the rest rotation (unit); else the bone's axis (unit) in
			     // the joint's own frame, three numbers
};

/* All arrays lie in the arena that the interpolation was made in. */
struct rbf {
	enum rbf_metric metric;
	enum rbf_kernel kernel;
	int joint_count; // 1 unless the metric is RBF_ANGLE
	struct rbf_joint *joints;
	int centre_count;
	double *features; // [centre_count][joint_count][4], see rbf_feature
	double *widths;   // [centre_count] of the radial functions
	int output_count;
	double *weights; // [centre_count][output_count]
	double *linear;  // [1 + 3 joint_count][output_count] coefficients of 1 and of the
			 // joints' rotation vectors; NULL = none
};

/* A pose's feature: per joint four numbers: RBF_ANGLE the rotation relative to the rest rotation as
 * a unit quaternion, else the bone's direction in the parent's frame and a zero. local is by joint
 * of the rig; feature is [joint_count][4]. */
void rbf_feature(const struct rbf *rbf, const struct transform *local, double *feature);

/* The distance between two features, radians but for RBF_CHORD. */
double rbf_distance(const struct rbf *rbf, const double *a, const double *b);

/* The angle between two features whatever the metric, for RBF_MIN_ANGLE. */
double rbf_angle(const struct rbf *rbf, const double *a, const double *b);

/* Sets the widths from the centres: all the same width where it is > 0; else, of Gaussians, the
 * mean of the distances from each centre to its nearest, and of B-splines each centre's own
 * distance to its nearest, so that its function ends at twice that. At least two centres. */
void rbf_set_widths(struct rbf *rbf, double width, struct arena *arena);

/* Finds the weights for which the interpolation takes values [centre_count][output_count] at the
 * centres; with a ridge > 0, which is added to the kernel matrix' diagonal, nearly. The widths must
 * be set. What linear holds is no part of it: take it from the values before. *rcond is the
 * reciprocal condition of the kernel matrix. False with ERROR_BROKEN_ASSET where it is too low. */
bool rbf_solve(struct rbf *rbf, const double *values, double ridge, struct arena *arena,
	double *rcond, struct error *err);

/* Fits linear to the values by least squares, the shortest where they leave a choice, and takes it
 * from them: values become what is left. Directions in which the centres hardly spread, as where a
 * joint has nothing but rounding noise, have no part in it. */
bool rbf_fit_linear(struct rbf *rbf, double *values, struct arena *arena, struct error *err);

/* The interpolation at a pose. feature is scratch, [joint_count][4]; outputs is [output_count]. */
void rbf_evaluate(
	const struct rbf *rbf, const struct transform *local, double *feature, double *outputs);
