/* Measures what compression leaves of a clip: at its samples, and at quarters of the way between
 * them, where the clip is interpolated as its file says. */
#pragma once

#include "compress/skin_probe.h"

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
	/* Set by the caller, where vertices are measured in place of the shell. */
	struct skin_probe *skin;
	bool exact; // all vertices, as the metric has them; else what stands for them
	/* exact: vertices that are farther off stand for all from now on, and after some moments
	 * with such the measurement ends. INFINITY = none are. */
	double most_m;
	int vertex;         // of the last moment; -1 = at a shell
	double unskinned_m; // of the last moment: shells of joints that no vertex follows
	struct error why;   // of a moment that could not be measured
};

/* In the arena. */
struct measure measure_make(const struct source *source, const struct error_shell *shell,
	const double *reaches, struct arena *arena);

/* The greatest error at one moment, in metres: of points of the shell, or of morph weights, those
 * of a joint together; or of vertices. *joint is whose it is. NAN for damage, once the job is to
 * stop, and with measure->why. */
double measure_moment(
	struct measure *measure, measure_local *local, void *decoder, int moment, int *joint);

/* The greatest error over all moments, of what no vertex follows, too; it stops at the first that
 * is above `enough`, and begins with the moment that was worst the last time. */
double measure_greatest(
	struct measure *measure, measure_local *local, void *decoder, double enough);

/* All that is reported. False for damage, once the job is to stop, and with measure->why. */
bool measure_all(struct measure *measure, measure_local *local, void *decoder, struct arena *arena,
	struct shell_error *out);
