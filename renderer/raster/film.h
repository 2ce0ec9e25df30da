/* Kernels for the reflection by a thin film on a surface, line by line those of
 * shaders/include/film.glsl, which has the source. Behind raster/lighting.h's grazing(). */
#pragma once

#include "raster/tone.h"

/* A lane mask as numbers: chosen where it is set, else 0. */
KERNEL lanes film_step(lane_mask mask, float chosen) {
	return lanes_select(mask, chosen + (lanes){0}, (lanes){0});
}

/* One wave of eyes' sensitivity: its height, place and variance, as the source has them. */
KERNEL lanes film_wave(
	lanes path, lanes square, lanes shift, float height, float place, float variance) {
	lanes sine, cosine;
	lanes_turn(place * path + shift, &sine, &cosine);
	return (height * cosine) * lanes_exp2((-1.44269504F * variance) * square);
}

/* Of light whose waves are shifted by a difference of paths in nanometres and by parts of a turn,
 * as linear light of sRGB. The heights are the source's times sqrt(2 pi variance) / 1.0685e-7. */
KERNEL struct lanes3 film_sensitivity(lanes path, struct lanes3 shift) {
	const lanes metres = lanes_less(path * 1e-9F, 2e-4F + (lanes){0});
	const lanes square = 39.4784176F * (metres * metres);
	const lanes x = film_wave(metres, square, shift.x, 0.846590002F, 1.6810e+06F, 4.3278e+09F) +
		film_wave(metres, square, shift.x, 0.153868307F, 2.2399e+06F, 4.5282e+09F);
	const lanes y = film_wave(metres, square, shift.y, 1.00022189F, 1.7953e+06F, 9.3046e+09F);
	const lanes z = film_wave(metres, square, shift.z, 1.00112249F, 2.2084e+06F, 6.6121e+09F);
	return (struct lanes3){
		(x * 3.2404542F - y * 1.5371385F) - z * 0.4985314F,
		(y * 1.8760108F - x * 0.9692660F) + z * 0.0415560F,
		(x * 0.0556434F - y * 0.2040259F) + z * 1.0572252F,
	};
}

/* The boundary of a film to what reflects so much without it; and half a turn where that is
 * thinner. */
KERNEL lanes film_inner(lanes front, lanes index, lanes more, lanes *shift) {
	const lanes root = lanes_sqrt(lanes_clamp(front, 0, 0.9999F));
	const lanes base = (1 + root) / (1 - root);
	const lanes ratio = (base - index) / (base + index);
	*shift = 0.5F + film_step(base < index, 0.5F);
	return lanes_mix(ratio * ratio, 1 + (lanes){0}, more);
}

/* Schlick's share at grazing angles. */
KERNEL lanes film_grazing(lanes cosine) {
	const lanes x = lanes_clamp(1 - cosine, 0, 1), square = x * x;
	return (square * square) * x;
}

/* What goes back at both boundaries, and what is left of each of its reflections in between. */
struct film_layers {
	lanes outer, goes_in, index, below;
};

KERNEL struct film_layers film_layers_of(lanes cosine, float index, lanes thickness) {
	const lanes x = lanes_clamp(thickness * (1 / 0.03F), 0, 1);
	struct film_layers film;
	film.index = lanes_mix(1 + (lanes){0}, index + (lanes){0}, (x * x) * (3 - 2 * x));
	const lanes below_square = 1 - (1 - cosine * cosine) / (film.index * film.index);
	film.below = lanes_sqrt(lanes_greater(below_square, (lanes){0}));
	const lanes root = (film.index - 1) / (film.index + 1);
	film.outer = lanes_mix(root * root, 1 + (lanes){0}, film_grazing(cosine));
	film.goes_in = 1 - film.outer;
	return film;
}

/* Adds the waves of m reflections more. */
KERNEL struct lanes3 film_add_waves(
	struct lanes3 sum, struct lanes3 share, lanes path, struct lanes3 shift, float m) {
	const struct lanes3 waves = film_sensitivity(m * path, lanes3_scale(shift, m + (lanes){0}));
	return lanes3_add(sum, lanes3_multiply(lanes3_scale(share, 2 + (lanes){0}), waves));
}

/* The share of light that goes back to an eye at this cosine, from a surface in air that reflects
 * front without the film. */
KERNEL struct lanes3 film_reflection(
	lanes cosine, float index, lanes thickness, struct lanes3 front) {
	const struct film_layers film = film_layers_of(cosine, index, thickness);
	const lanes more = film_grazing(film.below);
	const lanes fronts[3] = {front.x, front.y, front.z};
	lanes sums[3], shares[3], amplitudes[3], shifts[3];
	for (int k = 0; k < 3; k++) {
		const lanes inner = film_inner(fronts[k], film.index, more, &shifts[k]);
		const lanes both = lanes_clamp(film.outer * inner, 1e-5F, 0.9999F);
		const lanes back = ((film.goes_in * film.goes_in) * inner) / (1 - both);
		sums[k] = film.outer + back;
		amplitudes[k] = lanes_sqrt(both);
		shares[k] = (back - film.goes_in) * amplitudes[k];
	}
	const lanes path = ((2 * film.index) * thickness) * film.below;
	const struct lanes3 shift = {shifts[0], shifts[1], shifts[2]};
	struct lanes3 sum = {sums[0], sums[1], sums[2]};
	struct lanes3 share = {shares[0], shares[1], shares[2]};
	sum = film_add_waves(sum, share, path, shift, 1);
	share = lanes3_multiply(
		share, (struct lanes3){amplitudes[0], amplitudes[1], amplitudes[2]});
	sum = film_add_waves(sum, share, path, shift, 2);
	const lanes none = {0};
	return (struct lanes3){
		lanes_greater(sum.x, none), lanes_greater(sum.y, none), lanes_greater(sum.z, none)};
}

/* The reflection from the front that Schlick's formula makes this of at a cosine. */
KERNEL struct lanes3 film_front(lanes cosine, struct lanes3 reflection) {
	const lanes more = lanes_less(film_grazing(cosine), 0.9999F + (lanes){0});
	return lanes3_clamp(
		lanes3_scale(lanes3_subtract(reflection, lanes3_all(more)), 1 / (1 - more)));
}
