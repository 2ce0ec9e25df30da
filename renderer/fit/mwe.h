/* Multi-weight enveloping: twelve weights to an influence, one for each number of its matrix:
 *
 *     v'_r = sum over k of sum over c = 0..3 of W_k,rc (M_k)_rc [v]_c
 *
 * so that linear blending is the case in which the twelve are equal. The result depends on the
 * frame that matrices are written in. Hence the motion of a root is taken out of them first and put
 * back after, and all are written in a frame that is turned against the model's, because a vertex
 * in a coordinate plane has fewer weights to choose (METHODS G14).
 * Source: Wang, Phillips, SCA 2002. METHODS A18. */
#pragma once

#include "fit/equations.h"
#include "fit/example.h"

/* The turn of the fitting frame, Rz(15 degrees) Ry(25) Rx(35), rows of 3x4; and its inverse. */
extern const double mwe_frame[12], mwe_frame_back[12];

/* One vertex, all in the fitting frame. */
struct mwe_vertex {
	int influence_count;
	const double *weights; // [influence_count] of linear blending
	int example_count;
	const double (*points)[3];    // [example_count] before skinning
	const double (*matrices)[12]; // [example_count][influence_count]
	const double (*targets)[3];   // [example_count] sculpted
	bool first_is_exact;          // the first example is the rest pose, to be kept
};

/* Fits one vertex' weights, [influence_count] rows of 3x4. e is scratch with room for
 * example_count rows and 4 influence_count columns. */
bool mwe_fit_vertex(const struct mwe_vertex *vertex, const struct equations_recipe *recipe,
	struct equations *e, double (*weights)[12], struct error *err);

/* A vertex under some weights, of which points, matrices and targets hold one example. */
void mwe_map(const struct mwe_vertex *vertex, const double (*weights)[12], double out[static 3]);

/* The slots' matrices in the fitting frame without their roots' motion (see joints_find_roots), and
 * what brings the result back into the world; both [slot_count] rows of 3x4. A root's motion that
 * cannot be undone is left in. */
void mwe_palette(const struct rig *rig, const int *roots, const double (*matrices)[12],
	double (*framed)[12], double (*back)[12]);

/* Fits all vertices to the examples and to the rest pose, which keeps its linear blend. weights is
 * [influence_count of the rig][12], the caller's. False with ERROR_TOO_LARGE, or what made it
 * stop. */
bool mwe_fit(const struct fit_input *input, const struct equations_recipe *recipe, const int *roots,
	float *weights, struct error *err);
