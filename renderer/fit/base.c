// Measures the effect of a base method on vertices.
#include "fit/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "base/vec.h"

struct base_samples *base_samples_create(const struct rig *rig, struct error *err) {
	struct base_samples *samples = xcalloc(1, sizeof *samples);
	samples->rig = rig;
	samples->step = (float)fit_size(rig->positions, rig->vertex_count);
	float **arrays[] = {&samples->in, &samples->ignored, &samples->positions[0],
		&samples->positions[1], &samples->positions[2], &samples->positions[3],
		&samples->normals[0], &samples->normals[1], &samples->normals[2],
		&samples->normals[3]};
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
		*arrays[i] = try_calloc(
			(size_t)rig->vertex_count, 3 * sizeof(float), "a fit to examples", err);
		if (!*arrays[i]) {
			goto fail;
		}
	}
	return samples;
fail:
	base_samples_destroy(samples);
	return NULL;
}

void base_samples_destroy(struct base_samples *samples) {
	if (!samples) {
		return;
	}
	for (int i = 0; i < 4; i++) {
		free(samples->positions[i]);
		free(samples->normals[i]);
	}
	free(samples->in);
	free(samples->ignored);
	free(samples);
}

/* The rest positions displaced along x, y or z. */
static bool sample_displaced(struct base_samples *samples, const struct fit_input *input,
	int example, int axis, struct error *err) {
	const size_t count = (size_t)samples->rig->vertex_count;
	memcpy(samples->in, samples->example->rest_positions, count * 3 * sizeof(float));
	for (size_t i = 0; i < count; i++) {
		samples->in[i * 3 + (size_t)axis] += samples->step;
	}
	return input->skin(input->context, example, samples->in, samples->example->rest_normals,
		samples->positions[1 + axis], samples->ignored, err);
}

/* The rest positions with all normals along x, y, z or, for axis 3, the diagonal. */
static bool sample_turned(struct base_samples *samples, const struct fit_input *input, int example,
	int axis, struct error *err) {
	const float third = 0.57735026918962576f;
	const float directions[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {third, third, third}};
	const size_t count = (size_t)samples->rig->vertex_count;
	for (size_t i = 0; i < count; i++) {
		memcpy(samples->in + i * 3, directions[axis], sizeof directions[axis]);
	}
	return input->skin(input->context, example, samples->example->rest_positions, samples->in,
		samples->positions[0], samples->normals[axis], err);
}

bool base_sample(struct base_samples *samples, const struct fit_input *input, int example,
	struct error *err) {
	samples->example = &input->examples[example];
	bool ok = true;
	for (int axis = 0; ok && axis < 3; axis++) {
		ok = sample_displaced(samples, input, example, axis, err);
	}
	for (int axis = 0; ok && axis < 4; axis++) {
		ok = sample_turned(samples, input, example, axis, err);
	}
	return ok;
}

/* The linear part of a vertex' map, from where its displaced copies went. */
static void linear_part(const struct base_samples *samples, int vertex, double map[static 12]) {
	const size_t at = (size_t)vertex * 3;
	// The displacement as it came out in float.
	const float *rest = samples->example->rest_positions + at;
	memset(map, 0, 12 * sizeof *map);
	for (int axis = 0; axis < 3; axis++) {
		const float displaced = rest[axis] + samples->step;
		const double step = (double)displaced - rest[axis];
		for (int row = 0; row < 3; row++) {
			map[row * 4 + axis] =
				((double)samples->positions[1 + axis][at + (size_t)row] -
					samples->positions[0][at + (size_t)row]) /
				step;
		}
	}
}

static double frobenius(const double m[static 12]) {
	return sqrt(vec3_dot(&m[0], &m[0]) + vec3_dot(&m[4], &m[4]) + vec3_dot(&m[8], &m[8]));
}

bool base_pull_position(const struct base_samples *samples, int vertex,
	const float target[static 3], double displacement[static 3], double *condition) {
	double map[12], back[12], missing[3];
	memset(displacement, 0, 3 * sizeof *displacement);
	linear_part(samples, vertex, map);
	if (!mat_invert(map, back)) {
		*condition = INFINITY;
		return false;
	}
	*condition = frobenius(map) * frobenius(back) / 3;
	if (!(*condition <= BASE_WORST_CONDITION)) {
		return false;
	}
	for (int i = 0; i < 3; i++) {
		missing[i] = (double)target[i] - samples->positions[0][vertex * 3 + i];
	}
	mat_map_direction(back, missing, displacement);
	return true;
}

/* The map of a vertex' normal directions, up to a positive factor: the images of the axes are known
 * but for their lengths, and those follow from the image of the diagonal. */
static bool normal_map(const struct base_samples *samples, int vertex, double map[static 12]) {
	const size_t at = (size_t)vertex * 3;
	double back[12], diagonal[3], lengths[3];
	memset(map, 0, 12 * sizeof *map);
	for (int row = 0; row < 3; row++) {
		for (int axis = 0; axis < 3; axis++) {
			map[row * 4 + axis] = samples->normals[axis][at + (size_t)row];
		}
		diagonal[row] = samples->normals[3][at + (size_t)row];
	}
	if (!mat_invert(map, back)) {
		return false;
	}
	mat_map_direction(back, diagonal, lengths);
	for (int cell = 0; cell < 12; cell++) {
		map[cell] *= cell % 4 < 3 ? lengths[cell % 4] : 0;
	}
	return true;
}

void base_pull_normal(const struct base_samples *samples, int vertex, const float target[static 3],
	double displacement[static 3]) {
	const double wanted[3] = {target[0], target[1], target[2]};
	double map[12], back[12], normal[3];
	memset(displacement, 0, 3 * sizeof *displacement);
	if (!normal_map(samples, vertex, map) || !mat_invert(map, back)) {
		return;
	}
	mat_map_direction(back, wanted, normal);
	if (!vec3_normalize(normal)) {
		return;
	}
	for (int i = 0; i < 3; i++) {
		displacement[i] = normal[i] - samples->example->rest_normals[vertex * 3 + i];
	}
}
