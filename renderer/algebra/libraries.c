// LAPACK and CHOLMOD, loaded when they are first needed.
#include "algebra/libraries.h"

#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

/* Debian's names, which change with the interfaces that the headers describe. */
#define LAPACK_FILE "liblapacke.so.3"
#define CHOLMOD_FILE "libcholmod.so.3"

struct symbol {
	const char *name;
	size_t at; // of the pointer in the struct
};

static const struct symbol lapack_symbols[] = {
	{"LAPACKE_dgecon", offsetof(struct lapack, dgecon)},
	{"LAPACKE_dgels", offsetof(struct lapack, dgels)},
	{"LAPACKE_dgelsd", offsetof(struct lapack, dgelsd)},
	{"LAPACKE_dgesdd", offsetof(struct lapack, dgesdd)},
	{"LAPACKE_dgetrf", offsetof(struct lapack, dgetrf)},
	{"LAPACKE_dgetri", offsetof(struct lapack, dgetri)},
	{"LAPACKE_dlange", offsetof(struct lapack, dlange)},
	{"LAPACKE_dposv", offsetof(struct lapack, dposv)},
};

static const struct symbol cholmod_symbols[] = {
	{"cholmod_allocate_sparse", offsetof(struct cholmod, allocate_sparse)},
	{"cholmod_analyze", offsetof(struct cholmod, analyze)},
	{"cholmod_factorize", offsetof(struct cholmod, factorize)},
	{"cholmod_finish", offsetof(struct cholmod, finish)},
	{"cholmod_free_dense", offsetof(struct cholmod, free_dense)},
	{"cholmod_free_factor", offsetof(struct cholmod, free_factor)},
	{"cholmod_free_sparse", offsetof(struct cholmod, free_sparse)},
	{"cholmod_solve2", offsetof(struct cholmod, solve2)},
	{"cholmod_start", offsetof(struct cholmod, start)},
};

/* The process has each library once, whoever asks: this is written once, by the first. */
static struct {
	pthread_once_t once;
	struct lapack lapack;
	struct cholmod cholmod;
	char failure[256]; // "" = both are there
} libraries = {.once = PTHREAD_ONCE_INIT};

static bool load(const char *file, const struct symbol *symbols, size_t count, void *out) {
	void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	for (size_t i = 0; library && i < count; i++) {
		void *found = dlsym(library, symbols[i].name);
		if (!found) {
			library = NULL;
		}
		*(void **)((char *)out + symbols[i].at) = found;
	}
	const char *words = library ? NULL : dlerror();
	if (!library) {
		snprintf(libraries.failure, sizeof libraries.failure, "%s",
			words ? words : "a function is missing");
	}
	return library;
}

static void load_both(void) {
	if (load(LAPACK_FILE, lapack_symbols, sizeof lapack_symbols / sizeof *lapack_symbols,
		    &libraries.lapack)) {
		load(CHOLMOD_FILE, cholmod_symbols,
			sizeof cholmod_symbols / sizeof *cholmod_symbols, &libraries.cholmod);
	}
}

bool algebra_load(struct error *err) {
	pthread_once(&libraries.once, load_both);
	return !libraries.failure[0] ||
		error_set(err, ERROR_INTERNAL, "linear algebra: %s", libraries.failure);
}

const struct lapack *algebra_lapack(void) {
	assert(algebra_load(NULL));
	return &libraries.lapack;
}

const struct cholmod *algebra_cholmod(void) {
	assert(algebra_load(NULL));
	return &libraries.cholmod;
}
