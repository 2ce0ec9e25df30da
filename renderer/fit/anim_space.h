/* Animation space: each influence has its own point with four coordinates,
 *
 *     v' = sum over k of M_k p_k, the fourth coordinates summing to 1,
 *
 * so that linear blending is p_k = w_k [v]. Here points are kept as what they differ by from that,
 * in bind space: v' = sum over k of M_k (w_k [v] + y_k), sum of (y_k)_w = 0. So morphed vertices
 * stay right. Rotations and translations of the whole carry over exactly.
 * Source: Merry, Marais, Gain, ACM TOG 25(4), 2006. METHODS A19. */
#pragma once

#include "fit/equations.h"
#include "fit/example.h"

/* One vertex. Lengths are best in units of the mesh' size, so that the ridge weighs the fourth
 * coordinates like the others. */
struct anim_vertex {
	int influence_count, example_count;
	const double (*world)[12];  // [example_count][influence_count] joints' matrices
	const double (*missing)[3]; // [example_count] sculpted minus linear blend
	bool first_is_exact;        // the first example is the rest pose, to be kept
};

/* Fits one vertex: deviations in the joints' frames. e is scratch with room for 3 example_count
 * rows and 4 influence_count columns. */
bool anim_fit_vertex(const struct anim_vertex *vertex, const struct equations_recipe *recipe,
	struct equations *e, double (*deviations)[4], struct error *err);

/* Fits all vertices to the examples and to the rest pose, which keeps its linear blend. deviations
 * are [influence_count of the rig][4] in bind space, the caller's. False with ERROR_TOO_LARGE, or
 * what made it stop. */
bool anim_fit(const struct fit_input *input, const struct equations_recipe *recipe,
	float *deviations, struct error *err);
