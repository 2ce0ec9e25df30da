// Principal modes of examples' displacements (Kry, James, Pai 2002).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fit/dense.h"
#include "fit/displacing_internal.h"

/* Displacements of a support in some examples, taken apart: a = u diag(s) vt. */
struct modes {
	double *u;  // [3 support_count][example_count] by columns
	double *s;  // [example_count]
	double *vt; // [example_count][example_count] by columns
	int count;  // of those that are kept
};

static void modes_finish(struct modes *modes) {
	free(modes->u);
	free(modes->s);
	free(modes->vt);
}

/* The number of modes that reach a share of the sum of squares. */
static int count_kept(const double *s, int count, double share, int most) {
	double whole = 0, sum = 0;
	for (int k = 0; k < count; k++) {
		whole += s[k] * s[k];
	}
	int kept = 0;
	while (kept < count && kept < most && s[kept] > 0 && sum < share * whole) {
		sum += s[kept] * s[kept];
		kept++;
	}
	return kept;
}

/* The places in the support of all vertices that any of the examples moves; returns their number.
 * places is [vertex_count], -1 for the others. */
static int number_support(const struct fitting *f, const int *used, int count, int *places) {
	const int vertex_count = f->input->rig->vertex_count;
	memset(places, 0, (size_t)vertex_count * sizeof *places);
	for (int i = 0; i < count; i++) {
		const struct target *target = &f->displaced[used[i]];
		for (int k = 0; k < target->count; k++) {
			places[target->vertices[k]] = 1;
		}
	}
	int next = 0;
	for (int v = 0; v < vertex_count; v++) {
		places[v] = places[v] ? next++ : -1;
	}
	return next;
}

/* The examples' displacements, of positions or of normals, as columns. */
static void fill(const struct fitting *f, const int *used, int count, bool normals,
	const int *places, size_t rows, double *a) {
	for (int i = 0; i < count; i++) {
		const struct target *target = &f->displaced[used[i]];
		const float *from = normals ? target->normals : target->positions;
		for (int k = 0; k < target->count; k++) {
			double *to = a + (size_t)i * rows + (size_t)places[target->vertices[k]] * 3;
			for (int axis = 0; axis < 3; axis++) {
				to[axis] = from[k * 3 + axis];
			}
		}
	}
}

static bool modes_init(struct modes *modes, const struct fitting *f, const int *used, int count,
	bool normals, const int *places, int support_count, struct error *err) {
	const char *what = "a fit to examples";
	const int rows = support_count * 3, least = rows < count ? rows : count;
	const size_t cells = (size_t)rows * (size_t)count;
	double *a = try_calloc(cells, sizeof *a, what, err);
	*modes = (struct modes){0};
	modes->u = try_calloc((size_t)rows * (size_t)least, sizeof *modes->u, what, err);
	modes->s = try_calloc((size_t)least, sizeof *modes->s, what, err);
	modes->vt = try_calloc((size_t)least * (size_t)count, sizeof *modes->vt, what, err);
	bool ok = a && modes->u && modes->s && modes->vt;
	if (ok) {
		fill(f, used, count, normals, places, (size_t)rows, a);
		ok = dense_svd(a, rows, count, modes->u, modes->s, modes->vt) ||
			error_set(err, ERROR_INTERNAL, "no singular values of %d examples", count);
	}
	if (ok) {
		modes->count =
			count_kept(modes->s, least, f->recipe->mode_share, f->recipe->mode_max);
	}
	free(a);
	return ok;
}

/* The modes' coordinates in each example, among outputs numbers an example, from offset on. The
 * first row of values is the rest pose's: zeros. */
static void write_values(
	const struct modes *modes, int least, int count, int outputs, int offset, double *values) {
	for (int i = 0; i < count; i++) {
		for (int k = 0; k < modes->count; k++) {
			values[(i + 1) * outputs + offset + k] =
				modes->s[k] * modes->vt[i * least + k];
		}
	}
}

/* Adds a mode of positions or of normals as a target over the support. */
static bool append(struct fitting *f, const struct modes *modes, int k, bool normals,
	const int *places, int support_count, struct error *err) {
	struct target *target = displacing_append(f, 1);
	if (!target_init(target, support_count, err)) {
		return false;
	}
	for (int v = 0; v < f->input->rig->vertex_count; v++) {
		if (places[v] >= 0) {
			target->vertices[places[v]] = v;
		}
	}
	const int rows = support_count * 3;
	float *out = normals ? target->normals : target->positions;
	for (int i = 0; i < rows; i++) {
		out[i] = (float)modes->u[(size_t)k * (size_t)rows + (size_t)i];
	}
	return true;
}

static bool append_all(struct fitting *f, const struct modes modes[static 2], const int *places,
	int support_count, struct error *err) {
	for (int normals = 0; normals < 2; normals++) {
		for (int k = 0; k < modes[normals].count; k++) {
			if (!append(f, &modes[normals], k, normals, places, support_count, err)) {
				return false;
			}
		}
	}
	return true;
}

static bool solve(struct fitting *f, struct displacing_space *space,
	const struct modes modes[static 2], int count, int support_count, struct error *err) {
	struct arena *arena = f->model->arena;
	const int least = support_count * 3 < count ? support_count * 3 : count;
	const int outputs = modes[0].count + modes[1].count;
	double *values = arena_alloc(arena, (size_t)(count + 1) * (size_t)outputs, sizeof *values);
	write_values(&modes[0], least, count, outputs, 0, values);
	write_values(&modes[1], least, count, outputs, modes[0].count, values);
	space->rbf.output_count = outputs;
	double rcond;
	rbf_set_widths(&space->rbf, f->recipe->width, arena);
	return rbf_solve(&space->rbf, values, f->recipe->ridge * count, arena, &rcond, err);
}

bool displacing_take_modes(struct fitting *f, struct displacing_space *space, const int *used,
	int count, struct error *err) {
	const size_t vertices = (size_t)f->input->rig->vertex_count;
	struct modes modes[2] = {{0}};
	int *places = try_calloc(vertices, sizeof *places, "a fit to examples", err);
	bool ok = places;
	const int support_count = ok ? number_support(f, used, count, places) : 0;
	if (support_count > 0) {
		ok = modes_init(&modes[0], f, used, count, false, places, support_count, err) &&
			modes_init(&modes[1], f, used, count, true, places, support_count, err);
	}
	if (ok && modes[0].count + modes[1].count > 0) {
		ok = append_all(f, modes, places, support_count, err) &&
			solve(f, space, modes, count, support_count, err);
	}
	modes_finish(&modes[0]);
	modes_finish(&modes[1]);
	free(places);
	return ok;
}
