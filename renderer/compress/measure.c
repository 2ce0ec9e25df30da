// Errors of decoded clips.
#include "compress/measure.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

#define ABOVE_MAX 32 // moments with vertices that are too far off, which is enough to learn from

struct measure measure_make(const struct source *source, const struct error_shell *shell,
	const double *reaches, struct arena *arena) {
	const size_t joints = (size_t)source->joint_count;
	return (struct measure){.source = source,
		.shell = shell,
		.reaches = reaches,
		.local = arena_alloc(arena, joints + 1, sizeof(struct source_transform)),
		.world = arena_alloc(arena, joints + 1, 12 * sizeof(double)),
		.weights = arena_alloc(arena, (size_t)source->weight_count + 1, sizeof(double)),
		.vertex = -1};
}

/* Morph weights of a joint, each as far as it moves any vertex. */
static double weights_error(const struct measure *measure, int moment, int joint) {
	const struct source *source = measure->source;
	const struct joint *owner = &source->rig->joints[joint];
	const double *should =
		source->moment_weights + (size_t)moment * (size_t)source->weight_count;
	double sum = 0;
	for (int i = owner->first_weight; i < owner->first_weight + owner->weight_count; i++) {
		sum += fabs(measure->weights[i] - should[i]) * measure->reaches[i];
	}
	return sum;
}

/* At the shells of all joints, or of those that a list names. */
static double shells_error(
	const struct measure *measure, const double (*should)[12], const bool *only, int *joint) {
	double greatest = 0;
	for (int i = 0; i < measure->source->joint_count; i++) {
		const double square = only && !only[i]
			? 0
			: error_shell_square(
				  measure->shell->distance[i], measure->world[i], should[i]);
		if (!(square <= greatest)) {
			greatest = square;
			*joint = i;
		}
	}
	return sqrt(greatest);
}

static double skin_error(
	struct measure *measure, const double (*should)[12], int moment, int *joint) {
	const struct source *source = measure->source;
	struct skin_probe *skin = measure->skin;
	const struct skin_probe_pose is = {
		measure->local, (const double(*)[12])measure->world, measure->weights};
	const struct skin_probe_pose was = {.world = should,
		.weights = source->moment_weights + (size_t)moment * (size_t)source->weight_count};
	measure->unskinned_m = skin->points->unskinned
		? shells_error(measure, should, skin->points->unskinned, joint)
		: 0;
	const double error = measure->exact
		? skin_probe_exact(skin, source, moment, &is, &was, &measure->vertex, &measure->why)
		: skin_probe_sketch(skin, &is, &was, &measure->vertex);
	*joint = skin_mesh_joint(skin->mesh, measure->vertex);
	return error;
}

static double shell_error(
	const struct measure *measure, const double (*should)[12], int moment, int *joint) {
	double greatest = shells_error(measure, should, NULL, joint);
	for (int i = 0; i < measure->source->joint_count; i++) {
		const double weights = measure->source->rig->joints[i].weight_count
			? weights_error(measure, moment, i)
			: 0;
		if (!(weights <= greatest)) {
			greatest = weights;
			*joint = i;
		}
	}
	return greatest;
}

double measure_moment(
	struct measure *measure, measure_local *local, void *decoder, int moment, int *joint) {
	const struct source *source = measure->source;
	const double(*should)[12] = source->world + (size_t)moment * (size_t)source->joint_count;
	*joint = 0;
	if (source_is_stopped(source) ||
		!local(decoder, moment, measure->local, measure->weights)) {
		return NAN;
	}
	error_shell_world(measure->shell, measure->local, measure->world);
	return measure->skin ? skin_error(measure, should, moment, joint)
			     : shell_error(measure, should, moment, joint);
}

double measure_greatest(
	struct measure *measure, measure_local *local, void *decoder, double enough) {
	double greatest = 0;
	int joint;
	for (int i = -1; i < measure->source->moment_count; i++) {
		const int moment = i < 0 ? measure->worst : i;
		const double error = measure_moment(measure, local, decoder, moment, &joint);
		if (!(error <= greatest && measure->unskinned_m <= greatest)) {
			greatest = isnan(error) ? error : fmax(error, measure->unskinned_m);
			measure->worst = moment;
		}
		if (!(greatest <= enough)) {
			break;
		}
	}
	return greatest;
}

static int by_size(const void *a, const void *b) {
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

bool measure_all(struct measure *measure, measure_local *local, void *decoder, struct arena *arena,
	struct shell_error *out) {
	int count = measure->source->moment_count, above = 0;
	double *errors = arena_alloc(arena, (size_t)count, sizeof *errors), squares = 0;
	*out = (struct shell_error){.vertex = -1};
	for (int i = 0; i < count; i++) {
		int joint;
		errors[i] = measure_moment(measure, local, decoder, i, &joint);
		if (isnan(errors[i])) {
			return false;
		}
		if (errors[i] > out->max_m) {
			out->max_m = errors[i];
			out->joint = joint;
			out->vertex = measure->vertex;
			out->time_s = source_moment_s(measure->source, i);
		}
		out->unskinned_m = fmax(out->unskinned_m, measure->unskinned_m);
		if (measure->exact && errors[i] > measure->most_m) {
			skin_points_add(measure->skin->points, measure->vertex);
			count = ++above == ABOVE_MAX ? i + 1 : count;
		}
		if (i % SOURCE_MOMENTS == 0) {
			out->max_at_samples_m = fmax(out->max_at_samples_m, errors[i]);
		}
		squares += errors[i] * errors[i];
	}
	out->rms_m = sqrt(squares / count);
	qsort(errors, (size_t)count, sizeof *errors, by_size);
	out->p99_m = errors[(int)ceil(0.99 * count) - 1];
	return true;
}
