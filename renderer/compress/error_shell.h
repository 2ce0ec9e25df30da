/* The error of motion at a shell: how far each joint's origin and three points about it, on its
 * axes, are from where they should be. A skin that lies on the shell is off by no more than about
 * that. Source: METHODS D.4, after ACL's rigid shell, with its blind line closed by the third axis
 * and the origin. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "compress/source.h"

#define SHELL_POINTS 4

struct error_shell {
	int joint_count;
	const int *parents;     // [joint_count]
	const double *distance; // [joint_count] in the joint's own axes: radius_m at rest
	double radius_m;
};

/* A shell of a radius in metres about the joints of a rig at rest, in the arena. */
struct error_shell error_shell_make(const struct rig *rig, double radius_m, struct arena *arena);

/* The radius for a rig without one of its own: 3 cm for figures of 1 to 2.6 m, else in proportion
 * to a figure of 1.8 m. */
double error_shell_default_radius(const struct rig *rig);

/* The greatest square of an error of a joint's points between two world matrices, rows of 3x4. */
double error_shell_square(
	double distance, const double is[static 12], const double should[static 12]);

/* World matrices of local transforms, parents before children. */
void error_shell_world(
	const struct error_shell *shell, const struct source_transform *local, double (*world)[12]);

/* A clip's error, as it is reported. */
struct shell_error {
	double max_m, p99_m, rms_m;
	double max_at_samples_m;
	int joint;     // of the greatest
	double time_s; // likewise
};
