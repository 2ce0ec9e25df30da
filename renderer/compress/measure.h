/* Measures what compression leaves of a clip: at its samples, and at quarters of the way between
 * them, where the clip is interpolated as its file says. */
#pragma once

#include "compress/error_shell.h"

/* Gives the local transforms, [joint_count], of a moment, and the morph weights, [weight_count].
 * False for damage. */
typedef bool measure_local(
	void *decoder, int moment, struct source_transform *local, double *weights);

struct measure {
	const struct source *source;
	const struct error_shell *shell;
	const double *reaches; // [weight_count] metres that a morph weight of 1 moves a vertex
	struct source_transform *local; // [joint_count] scratch, likewise the following
	double (*world)[12], *weights;
	int worst; // moment at which the last measurement was worst
};

/* In the arena. */
struct measure measure_make(const struct source *source, const struct error_shell *shell,
	const double *reaches, struct arena *arena);

/* The greatest error at one moment, in metres: of points of the shell, or of morph weights, those
 * of a joint together. *joint is whose it is. NAN for damage, and once the job is to stop. */
double measure_moment(
	struct measure *measure, measure_local *local, void *decoder, int moment, int *joint);

/* The greatest error over all moments; it stops at the first that is above `enough`, and begins
 * with the moment that was worst the last time. */
double measure_greatest(
	struct measure *measure, measure_local *local, void *decoder, double enough);

/* All that is reported. False for damage, and once the job is to stop. */
bool measure_all(struct measure *measure, measure_local *local, void *decoder, struct arena *arena,
	struct shell_error *out);
