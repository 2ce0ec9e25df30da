// Errors of decoded clips.
#include "compress/measure.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

struct measure measure_make(const struct source *source, const struct error_shell *shell,
	const double *reaches, struct arena *arena) {
	const size_t joints = (size_t)source->joint_count;
	return (struct measure){.source = source,
		.shell = shell,
		.reaches = reaches,
		.local = arena_alloc(arena, joints + 1, sizeof(struct source_transform)),
		.world = arena_alloc(arena, joints + 1, 12 * sizeof(double)),
		.weights = arena_alloc(arena, (size_t)source->weight_count + 1, sizeof(double))};
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

double measure_moment(
	struct measure *measure, measure_local *local, void *decoder, int moment, int *joint) {
	const struct source *source = measure->source;
	const double(*should)[12] = source->world + (size_t)moment * (size_t)source->joint_count;
	if (source_is_stopped(source) ||
		!local(decoder, moment, measure->local, measure->weights)) {
		return NAN;
	}
	error_shell_world(measure->shell, measure->local, measure->world);
	double greatest = 0;
	*joint = 0;
	for (int i = 0; i < source->joint_count; i++) {
		const double square = error_shell_square(
			measure->shell->distance[i], measure->world[i], should[i]);
		const double weights =
			source->rig->joints[i].weight_count ? weights_error(measure, moment, i) : 0;
		if (!(square <= greatest && weights * weights <= greatest)) {
			greatest = fmax(square, weights * weights);
			*joint = i;
		}
	}
	return sqrt(greatest);
}

double measure_greatest(
	struct measure *measure, measure_local *local, void *decoder, double enough) {
	double greatest = 0;
	int joint;
	for (int i = -1; i < measure->source->moment_count; i++) {
		const int moment = i < 0 ? measure->worst : i;
		const double error = measure_moment(measure, local, decoder, moment, &joint);
		if (!(error <= greatest)) {
			greatest = error;
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
	const int count = measure->source->moment_count;
	double *errors = arena_alloc(arena, (size_t)count, sizeof *errors), squares = 0;
	*out = (struct shell_error){0};
	for (int i = 0; i < count; i++) {
		int joint;
		errors[i] = measure_moment(measure, local, decoder, i, &joint);
		if (isnan(errors[i])) {
			return false;
		}
		if (errors[i] > out->max_m) {
			out->max_m = errors[i];
			out->joint = joint;
			out->time_s = source_moment_s(measure->source, i);
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
