/* Volume correction: what another method has posed is moved along the gradients g of the enclosed
 * volume, v' = v + lambda mu g, until each closed part of the surface has the volume that it
 * should: that of the rest pose, times the mean of the determinants of the matrices that move it.
 * lambda is the root nearest to 0 of a cubic; no vertex goes farther than a mean side of a
 * triangle. Source: METHODS A22, after Rohmer, Hahmann, Cani, Exact volume preserving skinning with
 * shape control, SCA 2009. Its limit, half a side, is less than its own example needs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "base/vec.h"
#include "mesh/volume.h"
#include "skin/method.h"
#include "skin/methods/vol_correct_data.h"
#include "skin/option.h"
#include "skin/put.h"

static const char *const mus[] = {"joint", "global", NULL};

static const struct skin_option mu_option = {
	.name = "mu",
	.title = "what gives way: the surroundings of joints, or all of the surface alike",
	.kind = SKIN_OPTION_CHOICE,
	.choices = mus,
	.standard = VOL_CORRECT_MU_JOINT,
	.derives = true,
};

static const struct skin_option *const options[] = {
	[VOL_CORRECT_BASE] = &skin_option_base,
	[VOL_CORRECT_MU] = &mu_option,
	NULL,
};

/* Of each part, a row of the palette. */
#define NUMBERS 4

/* A part has stopped short of its volume where it is off by more than this share of it: what
 * float32 rounds is less. */
#define SHORT_SHARE 1e-4

/* Lengths beyond these are too small or too great for what float32 makes of them on the GPU. */
#define LEAST_UNIT 1e-3
#define MOST_UNIT 1e3

static float float_of(uint32_t word) {
	float number;
	memcpy(&number, &word, sizeof number);
	return number;
}

static size_t number_count(const struct skin_data *data) {
	return (size_t)skin_data_read_words(data, VOL_CORRECT_CHUNKS)[1] * NUMBERS;
}

/* A power of two near to a length; 1 for those that float32 can raise to the sixth power. */
static double unit_of(double length) {
	int exponent;
	frexp(length, &exponent);
	return length > 0 && (length < LEAST_UNIT || length > MOST_UNIT) ? ldexp(1, exponent) : 1;
}

/* For each part, by how much the joints change volumes and lengths around it, in a unit; the unit,
 * and what it is the inverse of. */
static void numbers(const struct prepare_job *job, float *out) {
	const uint32_t *starts = skin_data_read_words(job->data, VOL_CORRECT_STARTS);
	const uint32_t *shares = skin_data_read_words(job->data, VOL_CORRECT_SHARES);
	const uint32_t parts = skin_data_read_words(job->data, VOL_CORRECT_CHUNKS)[1];
	for (uint32_t part = 0; part < parts; part++) {
		double sum = 0;
		for (size_t i = starts[part]; i < starts[part + 1]; i++) {
			sum += (double)float_of(shares[i * 2 + 1]) *
				mat_determinant(job->matrices[shares[i * 2]]);
		}
		const double length = cbrt(fabs(sum)), unit = unit_of(length);
		const double row[NUMBERS] = {
			sum / (unit * unit * unit), length / unit, unit, 1 / unit};
		for (uint32_t i = 0; i < NUMBERS; i++) {
			out[part * NUMBERS + i] = (float)row[i];
		}
	}
}

/* The mesh while its parts are corrected. */
struct work {
	const struct skin_job *job;
	const uint32_t *ranges, *fans, *faces, *chunks, *parts;
	double (*directions)[3]; // [vertex_count] mu g
};

static struct work work_of(const struct skin_job *job) {
	const struct skin_data *data = job->data;
	return (struct work){
		.job = job,
		.ranges = skin_data_read_words(data, VOL_CORRECT_RANGES),
		.fans = skin_data_read_words(data, VOL_CORRECT_FANS),
		.faces = skin_data_read_words(data, VOL_CORRECT_FACES),
		.chunks = skin_data_read_words(data, VOL_CORRECT_CHUNKS),
		.parts = skin_data_read_words(data, VOL_CORRECT_PARTS),
	};
}

static void find_direction(const struct work *work, size_t vertex) {
	const uint32_t *range = work->ranges + vertex * 4;
	const float *positions = work->job->out_positions;
	double at[3], *direction = work->directions[vertex];
	put_load(positions + vertex * 3, at);
	for (size_t i = range[0]; i < (size_t)range[0] + range[1]; i++) {
		double b[3], c[3], cross[3];
		put_load(positions + (size_t)work->fans[i * 2] * 3, b);
		put_load(positions + (size_t)work->fans[i * 2 + 1] * 3, c);
		vec3_sub(b, at, b);
		vec3_sub(c, at, c);
		vec3_cross(b, c, cross);
		for (int k = 0; k < 3; k++) {
			direction[k] += cross[k] * (double)float_of(range[3]) / 6;
		}
	}
}

/* The sums over a part's faces. */
struct sums {
	struct volume_cubic cubic; // of the volume on the way
	double rest;               // volume at rest
	double longest;            // greatest square of a direction
};

/* A face's corners as seen from the part's first vertex. */
static void load_face(const float *positions, const uint32_t *face, uint32_t origin,
	double corners[static 3][3]) {
	double from[3];
	put_load(positions + (size_t)origin * 3, from);
	for (int k = 0; k < 3; k++) {
		put_load(positions + (size_t)face[k] * 3, corners[k]);
		vec3_sub(corners[k], from, corners[k]);
	}
}

static void add_face(
	const struct work *work, const uint32_t *face, uint32_t origin, struct sums *sums) {
	double posed[3][3], rest[3][3];
	const double *p[3], *d[3], *r[3], still[3] = {0};
	const double *none[3] = {still, still, still};
	struct volume_cubic volume = {{0}};
	load_face(work->job->out_positions, face, origin, posed);
	load_face(work->job->positions, face, origin, rest);
	for (int k = 0; k < 3; k++) {
		p[k] = posed[k];
		r[k] = rest[k];
		d[k] = work->directions[face[k]];
		sums->longest = fmax(sums->longest, vec3_dot(d[k], d[k]));
	}
	volume_add_face(p, d, &sums->cubic);
	volume_add_face(r, none, &volume);
	sums->rest += volume.c[0];
}

static double solve_part(const struct work *work, uint32_t part) {
	const uint32_t *row = work->parts + (size_t)part * 4;
	const uint32_t *first = work->chunks + ((size_t)row[0] + 1) * 2;
	const uint32_t *last = work->chunks + ((size_t)row[0] + row[1]) * 2;
	const uint32_t *face = work->faces + (size_t)first[0] * 3;
	const uint32_t *end = work->faces + ((size_t)last[0] + last[1]) * 3, origin = face[0];
	struct sums sums = {.longest = 0};
	for (; face < end; face += 3) {
		add_face(work, face, origin, &sums);
	}
	const float *numbers = work->job->palette + (size_t)part * NUMBERS;
	const double unit = (double)numbers[2];
	const double step = (double)float_of(row[2]) * (double)numbers[1] * unit;
	const double limit = sums.longest > 0 ? step / sqrt(sums.longest) : 0;
	const double volume = sums.rest * (double)numbers[0] * unit * unit * unit;
	double lambda;
	volume_solve(&sums.cubic, volume, limit, &lambda);
	const double left = volume_evaluate(&sums.cubic, lambda) - volume;
	if (work->job->outcome && fabs(left) > SHORT_SHARE * fabs(volume)) {
		*work->job->outcome |= SKIN_FLAG_VOLUME_SHORT;
	}
	return lambda;
}

static void finish(const struct skin_job *job) {
	struct work work = work_of(job);
	const size_t count = (size_t)job->rig->vertex_count;
	const uint32_t parts = work.chunks[1];
	double *lambdas = xcalloc(parts, sizeof *lambdas);
	work.directions = xcalloc(count, sizeof *work.directions);
	for (size_t v = 0; v < count; v++) {
		find_direction(&work, v);
	}
	for (uint32_t part = 0; part < parts; part++) {
		lambdas[part] = solve_part(&work, part);
	}
	for (size_t v = 0; v < count; v++) {
		const uint32_t part = work.ranges[v * 4 + 2];
		for (size_t k = 0; k < 3 && part != VOL_CORRECT_NO_PART; k++) {
			float *at = &job->out_positions[v * 3 + k];
			*at = (float)((double)*at + lambdas[part] * work.directions[v][k]);
		}
	}
	free(work.directions);
	free(lambdas);
}

/* Of each chunk of faces. */
#define SCRATCH_FLOATS 8

static void outcome_span(
	const struct skin_data *data, size_t vertex_count, size_t *start, size_t *count) {
	*start = vertex_count * 3;
	*count = (size_t)skin_data_read_words(data, VOL_CORRECT_CHUNKS)[0] * SCRATCH_FLOATS;
}

/* The last number of a part's first chunk tells. */
static unsigned outcome(const struct skin_data *data, const float *scratch) {
	const uint32_t *parts = skin_data_read_words(data, VOL_CORRECT_PARTS);
	const uint32_t count = skin_data_read_words(data, VOL_CORRECT_CHUNKS)[1];
	for (size_t part = 0; part < count; part++) {
		if (scratch[((size_t)parts[part * 4] + 1) * SCRATCH_FLOATS - 1] != 0) {
			return SKIN_FLAG_VOLUME_SHORT;
		}
	}
	return 0;
}

const struct skinning_method vol_correct_method = {
	.id = "vol_correct",
	.title = "volume correction: another method's pose, let out until it encloses its volume "
		 "again",
	.options = options,
	.recipe = &vol_correct_recipe,
	.finish =
		{
			.finish = finish,
			.numbers = numbers,
			.number_count = number_count,
			.passes = {{"vol_correct_directions.comp", -1},
				{"vol_correct_sums.comp", -1}, {"vol_correct_solve.comp", -1},
				{"vol_correct.comp", -1}},
			.scratch_floats = 11,
			.outcome_span = outcome_span,
			.outcome = outcome,
		},
};
