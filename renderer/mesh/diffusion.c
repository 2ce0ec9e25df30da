// Implicit smoothing of numbers given at the points of a surface.
#include "mesh/diffusion.h"

#include <stdlib.h>
#include <string.h>

#include <suitesparse/cholmod.h>

#include "base/memory.h"

struct diffusion {
	cholmod_common common;
	cholmod_factor *factor;
	double *diagonal; // [row_count] D; 1 where a point is alone
	int row_count;
	cholmod_dense *solution, *work[2]; // kept from one solution to the next
};

static bool failed(struct error *err) {
	return error_set(err, ERROR_TOO_LARGE, "no memory for the smoothing of the surface");
}

/* No part of CHOLMOD that calls BLAS: its results would depend on the machine. */
static void start(struct diffusion *diffusion) {
	cholmod_common *common = &diffusion->common;
	cholmod_start(common);
	common->print = 0;
	common->supernodal = CHOLMOD_SIMPLICIAL;
	common->final_ll = true;
	common->nmethods = 1;
	common->method[0].ordering = CHOLMOD_AMD;
	common->postorder = true;
}

/* The lower half of D + lambda L, column by column. */
static void fill(const struct laplacian *laplacian, double lambda, const double *diagonal,
	cholmod_sparse *matrix) {
	int *starts = matrix->p, *rows = matrix->i, count = 0;
	double *values = matrix->x;
	for (int column = 0; column < laplacian->edges.row_count; column++) {
		starts[column] = count;
		rows[count] = column;
		values[count++] = diagonal[column] + lambda * laplacian->sums[column];
		const int end = laplacian->edges.starts[column + 1];
		for (int i = laplacian->edges.starts[column]; i < end; i++) {
			if (laplacian->edges.items[i] > column) {
				rows[count] = laplacian->edges.items[i];
				values[count++] = -lambda * laplacian->weights[i];
			}
		}
	}
	starts[laplacian->edges.row_count] = count;
}

static bool factor(struct diffusion *diffusion, const struct laplacian *laplacian, double lambda) {
	cholmod_common *common = &diffusion->common;
	const size_t rows = (size_t)diffusion->row_count;
	const size_t entries = rows + (size_t)laplacian->edges.starts[rows];
	cholmod_sparse *matrix =
		cholmod_allocate_sparse(rows, rows, entries, true, true, -1, CHOLMOD_REAL, common);
	if (!matrix) {
		return false;
	}
	fill(laplacian, lambda, diffusion->diagonal, matrix);
	diffusion->factor = cholmod_analyze(matrix, common);
	const bool done = diffusion->factor &&
		cholmod_factorize(matrix, diffusion->factor, common) &&
		common->status == CHOLMOD_OK;
	cholmod_free_sparse(&matrix, common);
	return done;
}

struct diffusion *diffusion_create(
	const struct laplacian *laplacian, double lambda, struct error *err) {
	struct diffusion *diffusion = xcalloc(1, sizeof *diffusion);
	const int rows = diffusion->row_count = laplacian->edges.row_count;
	start(diffusion);
	diffusion->diagonal =
		try_calloc((size_t)rows, sizeof *diffusion->diagonal, "smoothing", err);
	if (!diffusion->diagonal) {
		goto fail;
	}
	for (int i = 0; i < rows; i++) {
		diffusion->diagonal[i] = laplacian->sums[i] > 0 ? laplacian->sums[i] : 1;
	}
	if (!factor(diffusion, laplacian, lambda)) {
		failed(err);
		goto fail;
	}
	return diffusion;
fail:
	diffusion_destroy(diffusion);
	return NULL;
}

void diffusion_destroy(struct diffusion *diffusion) {
	if (!diffusion) {
		return;
	}
	cholmod_free_factor(&diffusion->factor, &diffusion->common);
	cholmod_free_dense(&diffusion->solution, &diffusion->common);
	cholmod_free_dense(&diffusion->work[0], &diffusion->common);
	cholmod_free_dense(&diffusion->work[1], &diffusion->common);
	cholmod_finish(&diffusion->common);
	free(diffusion->diagonal);
	free(diffusion);
}

static bool step(struct diffusion *diffusion, double *columns, int column_count) {
	const size_t rows = (size_t)diffusion->row_count;
	const size_t count = rows * (size_t)column_count;
	for (size_t i = 0; i < count; i++) {
		columns[i] *= diffusion->diagonal[i % rows];
	}
	cholmod_dense right = {
		.nrow = rows,
		.ncol = (size_t)column_count,
		.nzmax = count,
		.d = rows,
		.x = columns,
		.xtype = CHOLMOD_REAL,
		.dtype = CHOLMOD_DOUBLE,
	};
	if (!cholmod_solve2(CHOLMOD_A, diffusion->factor, &right, NULL, &diffusion->solution, NULL,
		    &diffusion->work[0], &diffusion->work[1], &diffusion->common)) {
		return false;
	}
	memcpy(columns, diffusion->solution->x, count * sizeof *columns);
	return true;
}

bool diffusion_apply(struct diffusion *diffusion, double *columns, int column_count, int times,
	const struct stop *stop, struct error *err) {
	for (int i = 0; i < times; i++) {
		if (!stop_check(stop, err)) {
			return false;
		}
		if (!step(diffusion, columns, column_count)) {
			return failed(err);
		}
	}
	return true;
}
