// Twelve weights to an influence, fitted to examples.
#include "fit/mwe.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "fit/each_vertex.h"

const double mwe_frame[12] = {0.87542609806559302, 0.02213201481317717, 0.48284502767032811, 0,
	0.23456971600980447, 0.85397885508268301, -0.46443208696509058, 0, -0.42261826174069944,
	0.51983679072568445, 0.74240387650610407, 0};

const double mwe_frame_back[12] = {0.87542609806559302, 0.23456971600980447, -0.42261826174069944,
	0, 0.02213201481317717, 0.85397885508268301, 0.51983679072568445, 0, 0.48284502767032811,
	-0.46443208696509058, 0.74240387650610407, 0};

/* --- One vertex --- */

static double point_with_one(const double point[static 3], int c) {
	return c < 3 ? point[c] : 1;
}

/* The factor of the weight of row r, column c of influence k in an example. */
static double factor(const struct mwe_vertex *v, int example, int r, int k, int c) {
	const double *matrix = v->matrices[example * v->influence_count + k];
	return matrix[r * 4 + c] * point_with_one(v->points[example], c);
}

/* The equations for row r of the weights, as differences from those of linear blending. */
static void set_row(const struct mwe_vertex *v, int r, struct equations *e) {
	e->rows = v->example_count;
	e->columns = 4 * v->influence_count;
	e->exact_rows = v->first_is_exact ? 1 : 0;
	for (int row = 0; row < e->rows; row++) {
		double blended = 0;
		for (int k = 0; k < v->influence_count; k++) {
			for (int c = 0; c < 4; c++) {
				const double a = factor(v, row, r, k, c);
				*equations_cell(e, row, 4 * k + c) = a;
				blended += v->weights[k] * a;
			}
		}
		e->b[row] = v->targets[row][r] - blended;
	}
}

bool mwe_fit_vertex(const struct mwe_vertex *vertex, const struct equations_recipe *recipe,
	struct equations *e, double (*weights)[12], struct error *err) {
	for (int r = 0; r < 3; r++) {
		set_row(vertex, r, e);
		if (!equations_solve(e, recipe, e->x, err)) {
			return false;
		}
		for (int i = 0; i < 4 * vertex->influence_count; i++) {
			weights[i / 4][r * 4 + i % 4] = vertex->weights[i / 4] + e->x[i];
		}
	}
	return true;
}

void mwe_map(const struct mwe_vertex *vertex, const double (*weights)[12], double out[static 3]) {
	for (int r = 0; r < 3; r++) {
		out[r] = 0;
		for (int k = 0; k < vertex->influence_count; k++) {
			for (int c = 0; c < 4; c++) {
				out[r] += weights[k][r * 4 + c] * factor(vertex, 0, r, k, c);
			}
		}
	}
}

/* --- The fitting frame --- */

void mwe_palette(const struct rig *rig, const int *roots, const double (*matrices)[12],
	double (*framed)[12], double (*back)[12]) {
	for (int slot = 0; slot < rig->slot_count; slot++) {
		double motion[12], undo[12];
		memcpy(motion, matrices[roots[slot]], sizeof motion);
		if (!mat_invert(motion, undo)) {
			const double identity[12] = MAT_IDENTITY;
			memcpy(motion, identity, sizeof identity);
			memcpy(undo, identity, sizeof identity);
		}
		mat_multiply(undo, matrices[slot], framed[slot]);
		mat_multiply(mwe_frame, framed[slot], framed[slot]);
		mat_multiply(framed[slot], mwe_frame_back, framed[slot]);
		mat_multiply(motion, mwe_frame_back, back[slot]);
	}
}

/* --- The whole mesh --- */

/* The position of one pose's matrices in the fitting frame. */
struct framed_pose {
	const struct fit_example *example;
	double (*framed)[12]; // [slot_count]
	double (*in)[12];     // [slot_count] from the world into the frame
};

/* A fit under way. The rest pose is the first of the poses. */
struct mwe_fitting {
	const struct equations_recipe *recipe;
	int pose_count;
	struct framed_pose *poses;          // [pose_count]
	double (*points)[3], (*targets)[3]; // [pose_count] of the vertex
	double (*matrices)[12];             // [pose_count][its influences]
	double (*fitted)[12];               // [its influences]
	struct equations equations;
	float *weights; // the result
};

static void frame_pose(const struct rig *rig, const int *roots, const struct fit_example *example,
	struct framed_pose *pose) {
	const size_t slots = (size_t)rig->slot_count;
	*pose = (struct framed_pose){
		example, xcalloc(slots, sizeof *pose->framed), xcalloc(slots, sizeof *pose->in)};
	double(*back)[12] = xcalloc(slots, sizeof *back);
	mwe_palette(rig, roots, example->matrices, pose->framed, back);
	for (size_t slot = 0; slot < slots; slot++) {
		const bool invertible = mat_invert(back[slot], pose->in[slot]);
		assert(invertible); // a root's motion that has no inverse was left in
	}
	free(back);
}

static bool fitting_init(struct mwe_fitting *f, const struct fit_input *input,
	const struct equations_recipe *recipe, const int *roots, struct error *err) {
	const size_t influences = (size_t)fit_influence_max(input->rig);
	const size_t poses = (size_t)input->example_count + 1;
	*f = (struct mwe_fitting){.recipe = recipe, .pose_count = (int)poses};
	f->poses = xcalloc(poses, sizeof *f->poses);
	frame_pose(input->rig, roots, input->rest, &f->poses[0]);
	for (int e = 0; e < input->example_count; e++) {
		frame_pose(input->rig, roots, &input->examples[e], &f->poses[e + 1]);
	}
	f->points = xcalloc(poses, sizeof *f->points);
	f->targets = xcalloc(poses, sizeof *f->targets);
	f->matrices = xcalloc(poses * influences, sizeof *f->matrices);
	f->fitted = xcalloc(influences, sizeof *f->fitted);
	return equations_init(&f->equations, (int)poses, 4 * (int)influences, err);
}

static void fitting_finish(struct mwe_fitting *f) {
	for (int i = 0; i < f->pose_count; i++) {
		free(f->poses[i].framed);
		free(f->poses[i].in);
	}
	free(f->poses);
	free(f->points);
	free(f->targets);
	free(f->matrices);
	free(f->fitted);
	equations_finish(&f->equations);
}

static void map_point(const double m[static 12], const float *point, double out[static 3]) {
	const double p[3] = {point[0], point[1], point[2]};
	mat_map_point(m, p, out);
}

/* Fills the vertex' point, matrices and target in a pose. */
static void gather(struct mwe_fitting *f, int pose, const struct followed_vertex *v) {
	const struct framed_pose *from = &f->poses[pose];
	const struct fit_example *example = from->example;
	const size_t at = (size_t)v->vertex * 3;
	double *target = f->targets[pose];
	map_point(mwe_frame, example->rest_positions + at, f->points[pose]);
	memset(target, 0, sizeof *f->targets);
	for (int k = 0; k < v->count; k++) {
		const double *matrix = from->framed[v->slots[k]];
		double image[3];
		memcpy(f->matrices[pose * v->count + k], matrix, sizeof *f->matrices);
		mat_map_point(matrix, f->points[pose], image);
		for (int i = 0; i < 3; i++) {
			target[i] += v->weights[k] * image[i];
		}
	}
	if (example->positions) {
		map_point(from->in[v->slots[0]], example->positions + at, target);
	}
}

static bool fit_one(void *context, const struct followed_vertex *v, struct error *err) {
	struct mwe_fitting *f = context;
	for (int pose = 0; pose < f->pose_count; pose++) {
		gather(f, pose, v);
	}
	const struct mwe_vertex vertex = {
		.influence_count = v->count,
		.weights = v->weights,
		.example_count = f->pose_count,
		.points = (const double(*)[3])f->points,
		.matrices = (const double(*)[12])f->matrices,
		.targets = (const double(*)[3])f->targets,
		.first_is_exact = true,
	};
	if (!mwe_fit_vertex(&vertex, f->recipe, &f->equations, f->fitted, err)) {
		return false;
	}
	for (int k = 0; k < v->count; k++) {
		for (size_t i = 0; i < 12; i++) {
			f->weights[v->influences[k] * 12 + i] = (float)f->fitted[k][i];
		}
	}
	return true;
}

bool mwe_fit(const struct fit_input *input, const struct equations_recipe *recipe, const int *roots,
	float *weights, struct error *err) {
	struct mwe_fitting f;
	bool ok = fitting_init(&f, input, recipe, roots, err);
	f.weights = weights;
	memset(weights, 0, input->rig->influence_count * 12 * sizeof *weights);
	ok = ok && fit_each_vertex(input, fit_one, &f, err);
	fitting_finish(&f);
	return ok;
}
