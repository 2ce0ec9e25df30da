// motion/smoothness: how smooth hips, head, hands and feet move. Measured, never judged.
// Sources: Balasubramanian, Melendez-Calderon, Roby-Brami, Burdet, On the analysis of movement
// smoothness, Journal of NeuroEngineering and Rehabilitation 12 (2015).
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/vec.h"
#include "check/rules.h"
#include "pose/humanoid/humanoid.h"

#define SAMPLES_MIN 8
#define SAMPLES_MAX 65536

/* The spectrum is looked at up to this frequency, and up to the last one of this amplitude. */
#define FREQUENCY_MAX 20
#define AMPLITUDE_MIN 0.05

/* Zeros make the spectrum so many times as dense. */
#define PADDING 16

#define PLACES 6

static const struct {
	enum humanoid_role role;
	const char *name;
} places[PLACES] = {
	{HUMANOID_HIPS, "hips"},
	{HUMANOID_HEAD, "head"},
	{HUMANOID_LEFT_HAND, "left_hand"},
	{HUMANOID_RIGHT_HAND, "right_hand"},
	{HUMANOID_LEFT_FOOT, "left_foot"},
	{HUMANOID_RIGHT_FOOT, "right_foot"},
};

struct state {
	const struct check_clip *clip;
	struct arena *arena;
	int joints[PLACES];         // -1 = not found
	double (*paths[PLACES])[3]; // [count]; of the hips in the world, else relative to them
};

static void *begin(
	const struct check_asset *asset, const struct check_clip *clip, struct arena *arena) {
	struct state *state = arena_alloc(arena, 1, sizeof *state);
	struct humanoid humanoid;
	*state = (struct state){.clip = clip, .arena = arena};
	humanoid_find(asset->rig, arena, &humanoid);
	for (int i = 0; i < PLACES; i++) {
		state->joints[i] = humanoid.joints[places[i].role];
		if (clip->count <= SAMPLES_MAX) {
			state->paths[i] =
				arena_alloc(arena, (size_t)clip->count, sizeof **state->paths);
		}
	}
	return state;
}

static void look(void *context, const struct check_pose *pose, struct check_sink *sink) {
	struct state *state = context;
	double hips[3];
	(void)sink;
	if (state->joints[0] < 0 || !state->paths[0]) {
		return;
	}
	check_origin(pose->world, state->joints[0], hips);
	memcpy(state->paths[0][pose->sample], hips, sizeof hips);
	for (int i = 1; i < PLACES; i++) {
		double at[3];
		if (state->joints[i] >= 0) {
			check_origin(pose->world, state->joints[i], at);
			vec3_sub(at, hips, state->paths[i][pose->sample]);
		}
	}
}

/* --- Spectral arc length --- */

/* Sorts numbers by the reversed bits of their places. */
static void reverse_bits(double (*values)[2], size_t count) {
	for (size_t i = 1, k = 0; i < count; i++) {
		size_t bit = count >> 1;
		for (; k & bit; bit >>= 1) {
			k ^= bit;
		}
		k ^= bit;
		if (i < k) {
			double swapped[2];
			memcpy(swapped, values[i], sizeof swapped);
			memcpy(values[i], values[k], sizeof swapped);
			memcpy(values[k], swapped, sizeof swapped);
		}
	}
}

/* The discrete Fourier transform in place; count is a power of 2. */
static void transform(double (*values)[2], size_t count) {
	reverse_bits(values, count);
	for (size_t half = 1; half < count; half *= 2) {
		for (size_t k = 0; k < half; k++) {
			double sine, cosine;
			angle_sine_cosine((double)k / (double)(2 * half), &sine, &cosine);
			for (size_t i = k; i < count; i += 2 * half) {
				double *a = values[i], *b = values[i + half];
				const double real = b[0] * cosine + b[1] * sine;
				const double imaginary = b[1] * cosine - b[0] * sine;
				b[0] = a[0] - real;
				b[1] = a[1] - imaginary;
				a[0] += real;
				a[1] += imaginary;
			}
		}
	}
}

/* Minus the length of the curve of a spectrum, whose first count amplitudes are looked at. */
static double arc_length(const double *amplitudes, size_t count) {
	size_t first = 0, last = count;
	while (first < count && amplitudes[first] < AMPLITUDE_MIN) {
		first++;
	}
	while (last > first + 1 && amplitudes[last - 1] < AMPLITUDE_MIN) {
		last--;
	}
	double length = 0;
	for (size_t i = first + 1; i < last; i++) {
		const double along = 1 / (double)(last - 1 - first);
		const double up = amplitudes[i] - amplitudes[i - 1];
		length += sqrt(along * along + up * up);
	}
	return -length;
}

static double spectral_arc_length(
	const double *speeds, size_t count, double rate, struct arena *scratch) {
	size_t padded = 1;
	while (padded < count) {
		padded *= 2;
	}
	padded *= PADDING;
	double(*values)[2] = arena_alloc(scratch, padded, sizeof *values);
	for (size_t i = 0; i < count; i++) {
		values[i][0] = speeds[i];
	}
	transform(values, padded);
	const double step = rate / (double)padded;
	const double within = fmin(FREQUENCY_MAX / step + 1, (double)padded);
	double *amplitudes = arena_alloc(scratch, padded, sizeof *amplitudes);
	double most = 0;
	for (size_t i = 0; i < padded; i++) {
		amplitudes[i] = sqrt(values[i][0] * values[i][0] + values[i][1] * values[i][1]);
		most = fmax(most, amplitudes[i]);
	}
	for (size_t i = 0; i < padded; i++) {
		amplitudes[i] /= most;
	}
	return arc_length(amplitudes, (size_t)within);
}

/* --- Results --- */

/* Speeds along a path, per second; false where there is no motion. */
static bool list_speeds(const struct state *state, const double (*path)[3], double *speeds) {
	double most = 0;
	for (int f = 0; f + 1 < state->clip->count; f++) {
		double way[3];
		vec3_sub(path[f + 1], path[f], way);
		speeds[f] = vec3_length(way) * state->clip->rate;
		most = fmax(most, speeds[f]);
	}
	return most > 0;
}

/* -ln of the dimensionless jerk. The last bit of log() may differ between machines; six digits of
 * the value are reported. */
static double log_jerk(const struct state *state, const double (*path)[3], const double *speeds) {
	const double rate = state->clip->rate, cube = rate * rate * rate;
	const double duration = (state->clip->count - 1) / rate;
	double sum = 0, peak = 0;
	for (int f = 0; f + 3 < state->clip->count; f++) {
		double jerk[3];
		for (int k = 0; k < 3; k++) {
			jerk[k] = (path[f + 3][k] - 3 * path[f + 2][k] + 3 * path[f + 1][k] -
					  path[f][k]) *
				cube;
		}
		sum += vec3_dot(jerk, jerk) / rate;
	}
	for (int f = 0; f + 1 < state->clip->count; f++) {
		peak = fmax(peak, speeds[f]);
	}
	return -log(duration * duration * duration / (peak * peak) * sum);
}

static void emit(const struct state *state, struct check_sink *sink) {
	const size_t steps = (size_t)state->clip->count - 1;
	struct check_value value = check_value(0);
	for (int i = 0; i < PLACES; i++) {
		const double(*path)[3] = (const double(*)[3])state->paths[i];
		struct arena *scratch = arena_create();
		double *speeds = arena_alloc(scratch, steps, sizeof *speeds);
		if (state->joints[i] >= 0 && list_speeds(state, path, speeds)) {
			const double smoothness =
				spectral_arc_length(speeds, steps, state->clip->rate, scratch);
			check_value_param(&value, places[i].name, smoothness);
			if (smoothness < value.value) {
				value.value = smoothness;
				value.joint = state->joints[i];
				value.params[PLACES].value = log_jerk(state, path, speeds);
			}
		}
		arena_destroy(scratch);
	}
	const double jerk = value.params[PLACES].value;
	if (value.joint < 0) {
		check_skip(sink, &check_rule_motion_smoothness, "nothing moves");
		return;
	}
	check_value_param(&value, "log_jerk", jerk);
	check_emit(sink, &check_rule_motion_smoothness, &value);
}

static void end(void *context, struct check_sink *sink) {
	const struct state *state = context;
	const int count = state->clip->count;
	if (state->joints[0] < 0) {
		check_skip(sink, &check_rule_motion_smoothness, "no humanoid");
	} else if (count < SAMPLES_MIN || count > SAMPLES_MAX) {
		check_skip(sink, &check_rule_motion_smoothness,
			"fewer than %d samples, or more than %d", SAMPLES_MIN, SAMPLES_MAX);
	} else {
		emit(state, sink);
	}
}

static const struct check_pass pass = {
	.needs = CHECK_NEEDS_JOINTS | CHECK_NEEDS_MOTION,
	.begin = begin,
	.pose = look,
	.end = end,
};

const struct check_rule check_rule_motion_smoothness = {
	.info =
		{
			.id = "motion/smoothness",
			.unit = "1",
			.catches = "the smoothness of hips, head, hands and feet",
			.definition =
				"The spectral arc length (SPARC) of the speed of a humanoid's hips "
				"in the "
				"world and of its head, hands and feet relative to them: minus the "
				"length of "
				"the curve of the normalised amplitude spectrum, up to 20 Hz and "
				"to the last "
				"amplitude above 0.05. The value is that of the least smooth of "
				"them; each "
				"has its own, and log_jerk is minus the logarithm of that one's "
				"dimensionless "
				"jerk. For comparing versions of a clip: it is reported and never "
				"judged, "
				"since gaits, dances and idling differ by more than faults do.",
			.effect = "Less smooth motion looks jerky.",
			.fix = "Compare {clip} with its earlier version.",
			.blender = "Look at the curves in the Graph Editor; Key > Smooth > Smooth "
				   "(Gaussian) evens them.",
			.maya = "Look at the curves in the Graph Editor; Curves > Butterworth "
				"Filter evens them.",
			.message = "{joint} moves least smoothly in {clip}: spectral arc length "
				   "{value}",
			.cost = CHECK_COST_JOINTS,
			.by_clip = true,
			.below = true,
			.limits = CHECK_LIMITS_OFF,
		},
	.pass = &pass,
};
