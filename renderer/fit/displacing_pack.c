// Fitted models as numbers in a row.
#include "fit/displacing_internal.h"

#include <assert.h>
#include <string.h>

/* Numbers of a model, of a space and of a joint before their arrays. */
enum { MODEL_NUMBERS = 5, SPACE_NUMBERS = 7, JOINT_NUMBERS = 6 };

static size_t feature_count(const struct rbf *rbf) {
	return (size_t)rbf->centre_count * (size_t)rbf->joint_count * 4;
}

static size_t weight_count(const struct rbf *rbf) {
	return (size_t)rbf->centre_count * (size_t)rbf->output_count;
}

static size_t linear_count(const struct rbf *rbf) {
	return (size_t)(1 + 3 * rbf->joint_count) * (size_t)rbf->output_count;
}

size_t displacing_pack_count(const struct displacing_model *model) {
	size_t count = MODEL_NUMBERS;
	for (int i = 0; i < model->space_count; i++) {
		const struct rbf *rbf = &model->spaces[i].rbf;
		count += SPACE_NUMBERS + (size_t)rbf->joint_count * JOINT_NUMBERS +
			feature_count(rbf) + (size_t)rbf->centre_count + weight_count(rbf) +
			(rbf->linear ? linear_count(rbf) : 0);
	}
	return count;
}

static double *put(double *out, const double *numbers, size_t count) {
	memcpy(out, numbers, count * sizeof *out);
	return out + count;
}

static double *put_space(double *out, const struct displacing_space *space) {
	const struct rbf *rbf = &space->rbf;
	const double head[SPACE_NUMBERS] = {rbf->metric, rbf->kernel, rbf->joint_count,
		rbf->centre_count, rbf->output_count, rbf->linear ? 1 : 0, space->first};
	out = put(out, head, SPACE_NUMBERS);
	for (int i = 0; i < rbf->joint_count; i++) {
		const struct rbf_joint *joint = &rbf->joints[i];
		const double numbers[2] = {joint->joint, joint->importance};
		out = put(out, numbers, 2);
		out = put(out, joint->reference, 4);
	}
	out = put(out, rbf->features, feature_count(rbf));
	out = put(out, rbf->widths, (size_t)rbf->centre_count);
	out = put(out, rbf->weights, weight_count(rbf));
	return rbf->linear ? put(out, rbf->linear, linear_count(rbf)) : out;
}

void displacing_pack(const struct displacing_model *model, double *out) {
	const double head[MODEL_NUMBERS] = {model->coefficient_count, model->space_count,
		model->clamped ? 1 : 0, model->least, model->greatest};
	const double *start = out;
	out = put(out, head, MODEL_NUMBERS);
	for (int i = 0; i < model->space_count; i++) {
		out = put_space(out, &model->spaces[i]);
	}
	assert((size_t)(out - start) == displacing_pack_count(model));
}

int displacing_packed_coefficients(const double *packed) {
	return (int)packed[0];
}

/* The next count numbers, which *next moves past. A model that is unpacked is only read. */
static double *take(const double **next, size_t count) {
	double *numbers = (double *)*next;
	*next += count;
	return numbers;
}

static struct displacing_space take_space(const double **next, struct arena *arena) {
	const double *head = take(next, SPACE_NUMBERS);
	struct displacing_space space = {.first = (int)head[6]};
	struct rbf *rbf = &space.rbf;
	rbf->metric = (enum rbf_metric)head[0];
	rbf->kernel = (enum rbf_kernel)head[1];
	rbf->joint_count = (int)head[2];
	rbf->centre_count = (int)head[3];
	rbf->output_count = (int)head[4];
	rbf->joints = arena_alloc(arena, (size_t)rbf->joint_count, sizeof *rbf->joints);
	for (int i = 0; i < rbf->joint_count; i++) {
		const double *numbers = take(next, JOINT_NUMBERS);
		rbf->joints[i].joint = (int)numbers[0];
		rbf->joints[i].importance = numbers[1];
		memcpy(rbf->joints[i].reference, numbers + 2, sizeof rbf->joints[i].reference);
	}
	rbf->features = take(next, feature_count(rbf));
	rbf->widths = take(next, (size_t)rbf->centre_count);
	rbf->weights = take(next, weight_count(rbf));
	rbf->linear = head[5] != 0 ? take(next, linear_count(rbf)) : NULL;
	return space;
}

struct displacing_model displacing_unpack(const double *packed, struct arena *arena) {
	struct displacing_model model = {.arena = arena,
		.coefficient_count = (int)packed[0],
		.space_count = (int)packed[1],
		.clamped = packed[2] != 0,
		.least = packed[3],
		.greatest = packed[4]};
	const double *next = packed + MODEL_NUMBERS;
	model.spaces = arena_alloc(arena, (size_t)model.space_count + 1, sizeof *model.spaces);
	for (int i = 0; i < model.space_count; i++) {
		model.spaces[i] = take_space(&next, arena);
	}
	return model;
}
