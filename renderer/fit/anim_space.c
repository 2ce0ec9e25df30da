// A point with four coordinates to an influence, fitted to examples.
#include "fit/anim_space.h"

#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "fit/each_vertex.h"

/* --- One vertex ---
 * The fourth coordinates sum to 0, so the first influence's is minus the others' sum and no
 * unknown. Unknowns: x y z of the first, then x y z w of each other. */

static int column_of(int k, int c) {
	return k == 0 ? c : 3 + 4 * (k - 1) + c;
}

/* The equations of an example, for each of x y z. */
static void set_rows(const struct anim_vertex *v, int example, struct equations *e) {
	const double(*world)[12] = v->world + (size_t)example * (size_t)v->influence_count;
	for (int r = 0; r < 3; r++) {
		const int row = example * 3 + r;
		for (int k = 0; k < v->influence_count; k++) {
			for (int c = 0; c < (k == 0 ? 3 : 4); c++) {
				const double base = c == 3 ? world[0][r * 4 + 3] : 0;
				*equations_cell(e, row, column_of(k, c)) =
					world[k][r * 4 + c] - base;
			}
		}
		e->b[row] = v->missing[example][r];
	}
}

bool anim_fit_vertex(const struct anim_vertex *vertex, const struct equations_recipe *recipe,
	struct equations *e, double (*deviations)[4], struct error *err) {
	e->rows = 3 * vertex->example_count;
	e->columns = 4 * vertex->influence_count - 1;
	e->exact_rows = vertex->first_is_exact ? 3 : 0;
	for (int i = 0; i < vertex->example_count; i++) {
		set_rows(vertex, i, e);
	}
	// The fourth coordinate that is no unknown is to be small like the others.
	for (int i = 0; i < e->columns; i++) {
		e->tie[i] = i > 3 && (i - 3) % 4 == 3 ? 1 : 0;
	}
	if (!equations_solve(e, recipe, e->x, err)) {
		return false;
	}
	deviations[0][3] = 0;
	for (int k = 0; k < vertex->influence_count; k++) {
		for (int c = 0; c < (k == 0 ? 3 : 4); c++) {
			deviations[k][c] = e->x[column_of(k, c)];
		}
		deviations[0][3] -= k > 0 ? deviations[k][3] : 0;
	}
	return true;
}

/* --- The whole mesh --- */

/* A fit under way. Pose 0 is the rest pose. */
struct anim_fitting {
	const struct fit_input *input;
	const struct equations_recipe *recipe;
	double size;          // the unit of lengths
	double (*bind)[12];   // [slot_count] from a joint's frame into bind space
	double (*world)[12];  // [pose_count][influences of the vertex]
	double (*missing)[3]; // [pose_count]
	double (*fitted)[4];  // [influences of the vertex]
	struct equations equations;
	float *deviations; // the result
};

static const struct fit_example *pose_of(const struct anim_fitting *f, int pose) {
	return pose == 0 ? f->input->rest : &f->input->examples[pose - 1];
}

static bool fitting_init(struct anim_fitting *f, const struct fit_input *input,
	const struct equations_recipe *recipe, struct error *err) {
	const size_t influences = (size_t)fit_influence_max(input->rig);
	const size_t poses = (size_t)input->example_count + 1;
	const size_t slots = (size_t)input->rig->slot_count;
	*f = (struct anim_fitting){.input = input, .recipe = recipe};
	f->size = fit_size(input->rig->positions, input->rig->vertex_count);
	f->bind = xcalloc(slots, sizeof *f->bind);
	f->world = xcalloc(poses * influences, sizeof *f->world);
	f->missing = xcalloc(poses, sizeof *f->missing);
	f->fitted = xcalloc(influences, sizeof *f->fitted);
	for (size_t i = 0; i < slots; i++) {
		const double identity[12] = MAT_IDENTITY;
		if (!mat_invert(input->rig->slots[i].inverse_bind, f->bind[i])) {
			memcpy(f->bind[i], identity, sizeof identity);
		}
	}
	return equations_init(&f->equations, 3 * (int)poses, 4 * (int)influences, err);
}

static void fitting_finish(struct anim_fitting *f) {
	free(f->bind);
	free(f->world);
	free(f->missing);
	free(f->fitted);
	equations_finish(&f->equations);
}

/* Fills the joints' matrices in a pose, and what linear blending misses there. */
static void gather(struct anim_fitting *f, int pose, const struct followed_vertex *v) {
	const struct fit_example *example = pose_of(f, pose);
	const size_t at = (size_t)v->vertex * 3;
	const float *rest = example->rest_positions + at;
	const double point[3] = {rest[0], rest[1], rest[2]};
	double blended[3] = {0};
	for (int k = 0; k < v->count; k++) {
		const double *matrix = example->matrices[v->slots[k]];
		double *world = f->world[pose * v->count + k], image[3];
		mat_multiply(matrix, f->bind[v->slots[k]], world);
		mat_map_point(matrix, point, image);
		for (int i = 0; i < 3; i++) {
			world[i * 4 + 3] /= f->size;
			blended[i] += v->weights[k] * image[i];
		}
	}
	for (size_t i = 0; i < 3; i++) {
		f->missing[pose][i] = example->positions
			? (example->positions[at + i] - blended[i]) / f->size
			: 0;
	}
}

/* From the joint's frame, in units of the size, into bind space. */
static void put(const struct anim_fitting *f, int slot, const double deviation[static 4],
	float out[static 4]) {
	const double point[3] = {
		deviation[0] * f->size, deviation[1] * f->size, deviation[2] * f->size};
	double moved[3];
	mat_map_direction(f->bind[slot], point, moved);
	for (int i = 0; i < 3; i++) {
		out[i] = (float)(moved[i] + deviation[3] * f->bind[slot][i * 4 + 3]);
	}
	out[3] = (float)deviation[3];
}

static bool fit_one(void *context, const struct followed_vertex *v, struct error *err) {
	struct anim_fitting *f = context;
	const int poses = f->input->example_count + 1;
	for (int pose = 0; pose < poses; pose++) {
		gather(f, pose, v);
	}
	const struct anim_vertex vertex = {
		.influence_count = v->count,
		.example_count = poses,
		.world = (const double(*)[12])f->world,
		.missing = (const double(*)[3])f->missing,
		.first_is_exact = true,
	};
	if (!anim_fit_vertex(&vertex, f->recipe, &f->equations, f->fitted, err)) {
		return false;
	}
	for (int k = 0; k < v->count; k++) {
		put(f, v->slots[k], f->fitted[k], f->deviations + v->influences[k] * 4);
	}
	return true;
}

bool anim_fit(const struct fit_input *input, const struct equations_recipe *recipe,
	float *deviations, struct error *err) {
	struct anim_fitting f;
	bool ok = fitting_init(&f, input, recipe, err);
	f.deviations = deviations;
	memset(deviations, 0, input->rig->influence_count * 4 * sizeof *deviations);
	ok = ok && fit_each_vertex(input, fit_one, &f, err);
	fitting_finish(&f);
	return ok;
}
