/* Per-vertex keyframes: a clip baked into vertices, played by interpolating between its keys. What
 * turns by an angle between two keys moves along the chord meanwhile.
 * Source: METHODS A1, after the thesis' 2.3; Catmull-Rom as METHODS C.1 has it for uneven times. */
#include <math.h>
#include <string.h>

#include "skin/displacement.h"
#include "skin/method.h"
#include "skin/option.h"

/* At or below this squared length a blend of unit normals counts as vanished: they were opposite.
 */
#define LEAST_SQUARE 1e-12f

/* As in normal.h: below it a tangent has no direction of its own. */
#define LEAST_SINE_SQUARE 1e-6f

enum { LINEAR, CATMULL_ROM };

/* Palette: positions of four keys among all, their weights, then floats of a vertex. The second key
 * is the one before the moment; where it has all the weight the others have no say. */
#define PALETTE_FLOATS 12

/* The streams of four keys, with weights. */
struct mix {
	const float *keys[4];
	float weights[4];
	bool exact; // the second key alone
	bool cubic; // the first and the last count, too
};

static size_t vertex_floats(const struct rig *rig) {
	return rig->tangents ? 10 : 6;
}

static struct mix mix_of(const struct skin_job *job) {
	const float *streams = skin_data_read_floats(job->data, KEYFRAMES_STREAMS);
	const size_t stride = (size_t)job->rig->vertex_count * vertex_floats(job->rig);
	struct mix mix = {
		.exact = job->palette[5] == 1,
		.cubic = (int)job->options->values[KEYFRAMES_INTERPOLATION] == CATMULL_ROM,
	};
	for (int i = 0; i < 4; i++) {
		mix.keys[i] = streams + (size_t)job->palette[i] * stride;
		mix.weights[i] = job->palette[4 + i];
	}
	return mix;
}

/* count numbers from the start-th of each key on. */
static void blend(const struct mix *mix, size_t start, size_t count, float *out) {
	const float *w = mix->weights;
	const float *a = mix->keys[1] + start, *b = mix->keys[2] + start;
	for (size_t i = 0; i < count; i++) {
		out[i] = a[i] * w[1] + b[i] * w[2];
	}
	a = mix->keys[0] + start, b = mix->keys[3] + start;
	for (size_t i = 0; mix->cubic && i < count; i++) {
		out[i] += a[i] * w[0] + b[i] * w[3];
	}
}

static float dot(const float *a, const float *b) {
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Makes v unit; where it has vanished it is instead. */
static void unit(float *v, const float *instead) {
	const float square = dot(v, v);
	const float scale = 1.0f / sqrtf(square);
	const bool ok = square > LEAST_SQUARE;
	for (int i = 0; i < 3; i++) {
		v[i] = ok ? v[i] * scale : instead[i];
	}
}

/* Unit and across the normal; where nothing of it is left there, any direction across. */
static void finish_tangent(const float *n, float *t) {
	const int axis = fabsf(n[0]) < 0.6f ? 0 : 1;
	const float whole = dot(t, t), along = dot(n, t);
	float any[3], across[3];
	for (int i = 0; i < 3; i++) {
		any[i] = (i == axis ? 1.0f : 0.0f) - n[i] * n[axis];
		across[i] = t[i] - n[i] * along;
	}
	unit(any, n);
	if (dot(across, across) > whole * LEAST_SINE_SQUARE) {
		unit(across, any);
		memcpy(t, across, sizeof across);
	} else {
		memcpy(t, any, sizeof any);
	}
}

static void blend_tangents(
	const struct skin_job *job, const struct mix *mix, size_t first, size_t count) {
	const size_t start = (size_t)job->rig->vertex_count * 6;
	blend(mix, start + first * 4, count * 4, job->out_tangents + first * 4);
	for (size_t i = first; i < first + count; i++) {
		finish_tangent(job->out_normals + i * 3, job->out_tangents + i * 4);
		job->out_tangents[i * 4 + 3] = mix->keys[1][start + i * 4 + 3];
	}
}

static void copy_key(const struct skin_job *job, const float *key, size_t first, size_t count) {
	const size_t all = (size_t)job->rig->vertex_count, floats = count * 3 * sizeof *key;
	memcpy(job->out_positions + first * 3, key + first * 3, floats);
	memcpy(job->out_normals + first * 3, key + (all + first) * 3, floats);
	if (job->out_tangents) {
		memcpy(job->out_tangents + first * 4, key + all * 6 + first * 4,
			count * 4 * sizeof *key);
	}
}

static void skin(const struct skin_job *job, const struct primitive *primitive) {
	const struct mix mix = mix_of(job);
	const size_t all = (size_t)job->rig->vertex_count * 3;
	const size_t first = (size_t)primitive->first_vertex;
	const size_t count = (size_t)primitive->vertex_count;
	if (mix.exact) {
		copy_key(job, mix.keys[1], first, count);
		return;
	}
	blend(&mix, first * 3, count * 3, job->out_positions + first * 3);
	blend(&mix, all + first * 3, count * 3, job->out_normals + first * 3);
	for (size_t i = first; i < first + count; i++) {
		unit(job->out_normals + i * 3, mix.keys[1] + all + i * 3);
	}
	if (job->out_tangents) {
		blend_tangents(job, &mix, first, count);
	}
}

static const char *const interpolations[] = {
	[LINEAR] = "linear", [CATMULL_ROM] = "catmull_rom", NULL};

static const struct skin_option rate_option = {
	.name = "rate",
	.title = "baked keys a second; 0 = at the clip's own keys",
	.kind = SKIN_OPTION_NUMBER,
	.least = 0,
	.most = 1000,
	.standard = 30,
	.derives = true,
};

static const struct skin_option interpolation_option = {
	.name = "interpolation",
	.title = "between baked keys: along straight lines, or along smooth curves through four "
		 "keys",
	.kind = SKIN_OPTION_CHOICE,
	.choices = interpolations,
	.standard = LINEAR,
};

static const struct skin_option *const options[] = {
	[KEYFRAMES_BASE] = &skin_option_base,
	[KEYFRAMES_RATE] = &rate_option,
	[KEYFRAMES_INTERPOLATION] = &interpolation_option,
	NULL,
};

static size_t extra_floats(const struct rig *rig, const struct skin_data *data) {
	(void)rig;
	(void)data;
	return PALETTE_FLOATS;
}

/* The last key at or before a time; the first where none is. */
static size_t find_key(const double *times, size_t count, double time_s) {
	size_t low = 0, high = count;
	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;
		if (times[middle] <= time_s) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return low;
}

/* Weights of keys k - 1 to k + 2, all there, at the share u of the way from k to k + 1: Hermite's
 * form with slopes over both neighbours; at the clip's ends over the one there is. */
static void curve(const double *times, size_t count, size_t k, double u, double weights[static 4]) {
	const size_t before = k > 0 ? k - 1 : k, after = k + 2 < count ? k + 2 : k + 1;
	const double step = times[k + 1] - times[k];
	const double start = (u * u * u - 2 * u * u + u) * step / (times[k + 1] - times[before]);
	const double end = (u * u * u - u * u) * step / (times[after] - times[k]);
	const double rise = u * u * (3 - 2 * u);
	weights[0] = -start;
	weights[1] = 1 - rise - end;
	weights[2] = rise + start;
	weights[3] = end;
}

static bool prepare(const struct prepare_job *job, float *palette, struct error *err) {
	(void)err;
	const double *times = (const void *)skin_data_read_words(job->data, KEYFRAMES_TIMES);
	const size_t count = job->data->lengths[KEYFRAMES_TIMES] / 2;
	const size_t k = find_key(times, count, job->time_s);
	const size_t next = k + 1 < count ? k + 1 : k;
	const double step = times[next] - times[k];
	const double u = step > 0 ? fmin(fmax((job->time_s - times[k]) / step, 0), 1) : 0;
	double weights[4] = {0, 1 - u, u, 0};
	if (u > 0 && (int)job->options->values[KEYFRAMES_INTERPOLATION] == CATMULL_ROM) {
		curve(times, count, k, u, weights);
	}
	const size_t keys[4] = {k > 0 ? k - 1 : k, k, next, next + 1 < count ? next + 1 : next};
	for (int i = 0; i < 4; i++) {
		palette[i] = (float)keys[i];
		palette[4 + i] = (float)weights[i];
	}
	palette[8] = (float)vertex_floats(job->rig);
	return true;
}

const struct skinning_method vertex_keyframe_method = {
	.id = "vertex_keyframe",
	.title = "the clip's vertices baked into keys, and interpolated: no joints at run time",
	.options = options,
	.recipe = &keyframes_recipe,
	.kernel =
		{
			.shader = "vertex_keyframe.comp",
			.extra_floats = extra_floats,
			.prepare = prepare,
			.skin = skin,
		},
};
