// Key reduction: motions whose fewest keys are known, and the bound re-measured from the keys
// alone.
#include "compress/keys.h"

#include <meshoptimizer.h>
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "pose/pose.h"
#include "pose/sample/sampler.h"

#include "check.h"

#define COUNT 61
#define RATE 30.0
#define TOLERANCE_M 1e-4

/* A chain of two joints, half a metre apart. */
struct chain {
	struct joint joints[2];
	struct rig rig;
	float times[COUNT], values[4 * COUNT];
	struct channel channel;
	struct clip clip;
};

static void make_chain(struct chain *out) {
	static const struct transform rest = {
		.rotation = {0, 0, 0, 1}, .translation = {0, 0.5f, 0}, .scale = {1, 1, 1}};
	*out = (struct chain){.joints = {{.name = "a", .parent = -1, .rest = rest},
				      {.name = "b", .parent = 0, .rest = rest}}};
	out->rig = (struct rig){.joint_count = 2, .joints = out->joints};
	out->channel = (struct channel){.interpolation = INTERPOLATION_LINEAR,
		.key_count = COUNT,
		.times = out->times,
		.values = out->values};
	for (int i = 0; i < COUNT; i++) {
		out->times[i] = (float)(i / RATE);
	}
	out->clip = (struct clip){.name = "clip",
		.duration_s = (double)out->times[COUNT - 1],
		.channel_count = 1,
		.channels = &out->channel};
}

static void set_path(struct chain *chain, enum channel_path path, int joint) {
	chain->channel.path = path;
	chain->channel.width = path == CHANNEL_ROTATION ? 4 : 3;
	chain->channel.joint = joint;
}

/* Reduces the chain's clip. */
static void reduce_to(
	const struct chain *chain, bool filtered, struct arena *arena, struct keys *keys) {
	static const double reaches[1];
	struct source *source = arena_alloc(arena, 1, sizeof *source);
	struct error_shell *shell = arena_alloc(arena, 1, sizeof *shell);
	struct error err = {0};
	const struct source_job job = {&chain->rig, &chain->clip, NULL};
	assert_true(source_make_at_keys(&job, arena, source, &err));
	*shell = error_shell_make(&chain->rig, 0.03, arena);
	assert_true((filtered ? keys_make_filtered : keys_make)(
		source, shell, reaches, TOLERANCE_M, arena, keys, &err));
}

static void reduce(const struct chain *chain, struct arena *arena, struct keys *keys) {
	reduce_to(chain, false, arena, keys);
}

static void check_keys(
	const struct keys *keys, int joint, int kind, const int *expected, int count) {
	int samples[COUNT];
	for (int i = 0; i < keys->track_count; i++) {
		const struct key_track *track = &keys->tracks[i];
		const bool is_it = track->joint == joint && track->kind == kind;
		assert_int_equal(keys_list(keys, track, samples), is_it ? count : 0);
		if (is_it) {
			assert_memory_equal(samples, expected, (size_t)count * sizeof *samples);
		}
	}
}

static void straight_lines_have_two_keys(void **state) {
	(void)state;
	struct chain chain;
	struct keys keys;
	struct arena *arena = arena_create();
	static const int ends[2] = {0, COUNT - 1};
	make_chain(&chain);
	set_path(&chain, CHANNEL_TRANSLATION, 0);
	for (int i = 0; i < COUNT; i++) {
		chain.values[3 * i] = 0.02f * (float)i;
		chain.values[3 * i + 1] = 0.5f;
	}
	reduce(&chain, arena, &keys);
	check_keys(&keys, 0, SOURCE_TRANSLATION, ends, 2);
	set_path(&chain, CHANNEL_ROTATION, 1);
	for (int i = 0; i < COUNT; i++) {
		const double half = 0.01 * i;
		chain.values[4 * i] = chain.values[4 * i + 1] = 0;
		chain.values[4 * i + 2] = (float)sin(half);
		chain.values[4 * i + 3] = (float)cos(half);
	}
	reduce(&chain, arena, &keys);
	check_keys(&keys, 1, SOURCE_ROTATION, ends, 2);
	arena_destroy(arena);
}

static void triangle_waves_have_their_corners(void **state) {
	(void)state;
	struct chain chain;
	struct keys keys;
	struct arena *arena = arena_create();
	static const int corners[] = {0, 10, 20, 30, 40, 50, 60};
	make_chain(&chain);
	set_path(&chain, CHANNEL_TRANSLATION, 1);
	for (int i = 0; i < COUNT; i++) {
		chain.values[3 * i + 1] = 0.5f + 0.01f * (float)abs(i % 20 - 10);
	}
	reduce(&chain, arena, &keys);
	check_keys(&keys, 1, SOURCE_TRANSLATION, corners, 7);
	arena_destroy(arena);
}

static void rest_has_no_key_and_still_one(void **state) {
	(void)state;
	struct chain chain;
	struct keys keys;
	struct arena *arena = arena_create();
	make_chain(&chain);
	set_path(&chain, CHANNEL_TRANSLATION, 1);
	for (int i = 0; i < COUNT; i++) {
		chain.values[3 * i + 1] = 0.5f + 1e-6f * (float)(i % 3);
	}
	reduce(&chain, arena, &keys);
	check_keys(&keys, 1, SOURCE_TRANSLATION, NULL, 0);
	for (int i = 0; i < COUNT; i++) {
		chain.values[3 * i + 1] = 0.6f;
	}
	reduce(&chain, arena, &keys);
	check_keys(&keys, 1, SOURCE_TRANSLATION, (const int[]){0}, 1);
	arena_destroy(arena);
}

static void steps_have_a_key_where_they_step(void **state) {
	(void)state;
	struct chain chain;
	struct keys keys;
	struct arena *arena = arena_create();
	static const int steps[] = {0, 17, 45, 60};
	make_chain(&chain);
	set_path(&chain, CHANNEL_TRANSLATION, 1);
	chain.channel.interpolation = INTERPOLATION_STEP;
	for (int i = 0; i < COUNT; i++) {
		chain.values[3 * i + 1] = i < 17 ? 0.5f : i < 45 ? 0.7f : 0.6f;
	}
	reduce(&chain, arena, &keys);
	check_keys(&keys, 1, SOURCE_TRANSLATION, steps, 4);
	arena_destroy(arena);
}

/* A swing of both joints, whose errors add up. */
static void fill_swing(struct chain *chain, struct channel channels[2], float *second) {
	for (int i = 0; i < COUNT; i++) {
		const double a = 0.4 * sin(i / RATE), b = 0.3 * cos(i / RATE);
		const float turns[2][4] = {{(float)sin(a / 2), 0, 0, (float)cos(a / 2)},
			{0, (float)sin(b / 2), 0, (float)cos(b / 2)}};
		memcpy(chain->values + 4 * i, turns[0], sizeof turns[0]);
		memcpy(second + 4 * i, turns[1], sizeof turns[1]);
	}
	set_path(chain, CHANNEL_ROTATION, 0);
	channels[0] = channels[1] = chain->channel;
	channels[1].joint = 1;
	channels[1].values = second;
	chain->clip.channel_count = 2;
	chain->clip.channels = channels;
}

/* A clip of what the keys are, as a file would have them. */
static void make_reduced(const struct keys *keys, struct chain *chain, struct channel channels[2],
	float (*times)[COUNT], float (*values)[4 * COUNT]) {
	static const enum channel_path paths[] = {[SOURCE_ROTATION] = CHANNEL_ROTATION,
		[SOURCE_TRANSLATION] = CHANNEL_TRANSLATION,
		[SOURCE_SCALE] = CHANNEL_SCALE};
	int samples[COUNT], used = 0;
	for (int i = 0; i < keys->track_count; i++) {
		const struct key_track *track = &keys->tracks[i];
		const int count = keys_list(keys, track, samples);
		for (int k = 0; k < count; k++) {
			double value[4];
			keys_value(keys, track, samples[k], value);
			times[used][k] = (float)source_sample_s(keys->source, samples[k]);
			for (int c = 0; c < track->width; c++) {
				values[used][track->width * k + c] =
					(float)(track->is_short ? value[c] / 32767 : value[c]);
			}
		}
		if (count > 0) {
			channels[used] = (struct channel){track->joint, paths[track->kind],
				INTERPOLATION_LINEAR, count, track->width, times[used],
				values[used]};
			used++;
		}
	}
	chain->clip.channel_count = used;
	chain->clip.channels = channels;
}

/* Moves of the joints' points between two clips, by the sampler and forward kinematics of poses. */
static double greatest_move(
	const struct chain *a, const struct chain *b, double radius, struct arena *arena) {
	struct pose one = pose_rest(&a->rig, arena), other = pose_rest(&b->rig, arena);
	double greatest = 0;
	for (int i = 0; i <= 4 * (COUNT - 1); i++) {
		double is[2][12], should[2][12];
		clip_sample(&a->rig, &a->clip, i / RATE / 4, &one);
		clip_sample(&b->rig, &b->clip, i / RATE / 4, &other);
		pose_to_world(&a->rig, &one, should);
		pose_to_world(&b->rig, &other, is);
		for (int joint = 0; joint < 2; joint++) {
			for (int axis = 0; axis < 4; axis++) {
				double square = 0;
				for (int row = 0; row < 3; row++) {
					const double *p = &is[joint][4 * row];
					const double *q = &should[joint][4 * row];
					double off = p[3] - q[3];
					off += axis < 3 ? radius * (p[axis] - q[axis]) : 0;
					square += off * off;
				}
				greatest = fmax(greatest, sqrt(square));
			}
		}
	}
	return greatest;
}

static void bounds_hold(void **state) {
	(void)state;
	struct chain chain, reduced;
	struct channel channels[2], fewer[6];
	float second[4 * COUNT], times[6][COUNT], values[6][4 * COUNT];
	struct keys keys;
	struct arena *arena = arena_create();
	make_chain(&chain);
	fill_swing(&chain, channels, second);
	reduce(&chain, arena, &keys);
	for (int shared = 0; shared < 2; shared++) {
		reduced = chain;
		reduced.rig.joints = chain.joints;
		make_reduced(&keys, &reduced, fewer, times, values);
		assert_int_equal(reduced.clip.channel_count, 2);
		assert_true(fewer[0].key_count < COUNT && fewer[1].key_count < COUNT);
		const double move = greatest_move(&chain, &reduced, 0.03, arena);
		assert_true(move <= TOLERANCE_M * 1.001);
		assert_true(move > TOLERANCE_M / 20);
		keys_share_times(&keys, 4096);
		assert_true(keys_repair(&keys));
	}
	assert_ptr_equal(keys.tracks[SOURCE_ROTATION].marks,
		keys.tracks[SOURCE_KINDS + SOURCE_ROTATION].marks);
	arena_destroy(arena);
}

/* Holds the values of a track against those that meshoptimizer's own filters make of what goes to
 * the codec. */
static void check_filtered(const struct keys *keys, const struct key_track *track) {
	int samples[COUNT];
	const int count = keys_list(keys, track, samples);
	for (int i = 0; i < count; i++) {
		double value[4];
		int32_t bits[4];
		float floats[4];
		int16_t shorts[4];
		keys_value(keys, track, samples[i], value);
		keys_filtered_value(keys, track, samples[i], bits);
		if (track->is_short) {
			meshopt_decodeFilterQuat(bits, 1, sizeof shorts);
			memcpy(shorts, bits, sizeof shorts);
		} else {
			meshopt_decodeFilterExp(bits, 1, sizeof *bits * (size_t)track->width);
			memcpy(floats, bits, sizeof floats);
		}
		for (int k = 0; k < track->width; k++) {
			// The codec may round to the neighbour of what lies between two numbers.
			const double off = track->is_short ? value[k] - shorts[k]
							   : value[k] - (double)floats[k];
			assert_true(fabs(off) <= (track->is_short ? 1 : 0));
		}
	}
}

static void filters_give_the_values_back(void **state) {
	(void)state;
	struct chain chain;
	struct channel channels[2];
	float second[4 * COUNT];
	struct keys keys;
	struct arena *arena = arena_create();
	make_chain(&chain);
	fill_swing(&chain, channels, second);
	reduce_to(&chain, true, arena, &keys);
	assert_true(keys.tracks[SOURCE_ROTATION].is_short);
	assert_true(keys_error(&keys) <= TOLERANCE_M);
	for (int settled = 0; settled < 2; settled++) {
		for (int i = 0; i < keys.track_count; i++) {
			check_filtered(&keys, &keys.tracks[i]);
		}
		keys_settle(&keys);
	}
	make_chain(&chain);
	set_path(&chain, CHANNEL_TRANSLATION, 1);
	for (int i = 0; i < COUNT; i++) {
		chain.values[3 * i] = (float)sin(i / RATE);
		chain.values[3 * i + 1] = -300;
		chain.values[3 * i + 2] = 1e-7f * (float)i;
	}
	reduce_to(&chain, true, arena, &keys);
	check_filtered(&keys, &keys.tracks[SOURCE_KINDS + SOURCE_TRANSLATION]);
	arena_destroy(arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(straight_lines_have_two_keys),
		cmocka_unit_test(triangle_waves_have_their_corners),
		cmocka_unit_test(rest_has_no_key_and_still_one),
		cmocka_unit_test(steps_have_a_key_where_they_step),
		cmocka_unit_test(bounds_hold),
		cmocka_unit_test(filters_give_the_values_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
