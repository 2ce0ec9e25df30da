/* LAPACK and CHOLMOD, loaded when they are first needed: with the BLAS behind them they would more
 * than double the time that every process of ours takes to start, for what few rigs ever ask. Any
 * thread. */
#pragma once

#include <lapacke.h>
#include <suitesparse/cholmod.h>

#include "base/error.h"

/* The functions used of LAPACK, under the names of its C interface without LAPACKE_. */
struct lapack {
	__typeof__(LAPACKE_dgecon) *dgecon;
	__typeof__(LAPACKE_dgels) *dgels;
	__typeof__(LAPACKE_dgelsd) *dgelsd;
	__typeof__(LAPACKE_dgesdd) *dgesdd;
	__typeof__(LAPACKE_dgetrf) *dgetrf;
	__typeof__(LAPACKE_dgetri) *dgetri;
	__typeof__(LAPACKE_dlange) *dlange;
	__typeof__(LAPACKE_dposv) *dposv;
};

/* The functions used of CHOLMOD, without cholmod_. */
struct cholmod {
	__typeof__(cholmod_allocate_sparse) *allocate_sparse;
	__typeof__(cholmod_analyze) *analyze;
	__typeof__(cholmod_factorize) *factorize;
	__typeof__(cholmod_finish) *finish;
	__typeof__(cholmod_free_dense) *free_dense;
	__typeof__(cholmod_free_factor) *free_factor;
	__typeof__(cholmod_free_sparse) *free_sparse;
	__typeof__(cholmod_solve2) *solve2;
	__typeof__(cholmod_start) *start;
};

/* True when both are there; loads them at the first call. False with ERROR_INTERNAL and the
 * loader's words. */
bool algebra_load(struct error *err);

/* Their functions: only where algebra_load() has succeeded once. */
const struct lapack *algebra_lapack(void);
const struct cholmod *algebra_cholmod(void);
