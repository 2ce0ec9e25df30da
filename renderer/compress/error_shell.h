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
	/* Points that move with a joint, which the encoder steers by: those of the shell, or
	 * vertices of the skin (skin_points.h). */
	const int *first_point;    // [joint_count + 1]
	const double (*points)[3]; // [first_point[joint_count]] in their joint's own axes
	const double *reach;       // [joint_count] the farthest from its joint; < 0 = it has none
	bool is_skin;              // they are vertices, which morph weights move, too
};

/* A shell of a radius in metres about the joints of a rig at rest, in the arena. */
struct error_shell error_shell_make(const struct rig *rig, double radius_m, struct arena *arena);

/* The points of a joint's shell, [SHELL_POINTS]: its origin, and one on each of its axes. */
void error_shell_points(double distance, double (*points)[3]);

/* The radius for a rig without one of its own: 3 cm for figures of 1 to 2.6 m, else in proportion
 * to a figure of 1.8 m. */
double error_shell_default_radius(const struct rig *rig);

/* The same as a factor: 1 for figures of 1 to 2.6 m. */
double error_shell_scale(const struct rig *rig);

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
	int joint;     // of the greatest; at the skin the one that its vertex follows most
	int vertex;    // of the greatest; -1 = it is at a shell
	double time_s; // of the greatest
	/* Measured at the skin: the greatest at the shells of joints that no vertex follows; 0
	 * where these count for nothing. */
	double unskinned_m;
};
