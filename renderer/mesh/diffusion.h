/* Implicit smoothing of numbers given at the points of a surface: x -> (I + lambda D^-1 L)^-1 x,
 * solved as the symmetric system (D + lambda L) x' = D x, which is factored once. */
#pragma once

#include "mesh/laplacian.h"
#include "mesh/watch.h"

struct diffusion;

/* Factors the system; lambda >= 0. Points that are alone keep their numbers. NULL with
 * ERROR_TOO_LARGE. The same bits on every x86-64 machine. One thread at a time. */
struct diffusion *diffusion_create(
	const struct laplacian *laplacian, double lambda, struct error *err);
void diffusion_destroy(struct diffusion *diffusion); // takes NULL

/* Smooths every column times times, in place.
 *
 * columns [column_count][row_count]: numbers at the points
 * Fails with ERROR_TOO_LARGE or the stop's error; stop may be NULL. */
bool diffusion_apply(struct diffusion *diffusion, double *columns, int column_count, int times,
	const struct stop *stop, struct error *err);
