// Clips laid out for sampling, checked against their channels sampled one by one.
#include <string.h>

#include "base/lanes.h"
#include "base/memory.h"
#include "check.h"
#include "model/tracks.h"
#include "pose/sample/interpolate.h"
#include "pose/sample/sampler.h"
#include "rigs.h"

#define JOINTS 23
#define KEYS 12
#define CLIP_S 3

static float *take_floats(struct rig *rig, size_t count) {
	float *floats = rig_storage(rig, count, sizeof *floats, "test", NULL);
	assert_non_null(floats);
	return floats;
}

/* Even times, uneven ones, or some that coincide; all within CLIP_S. */
static float *random_times(struct rig *rig, unsigned *seed) {
	float *times = take_floats(rig, KEYS);
	const int kind = (int)(3 * fabs(random_number(seed)));
	for (int i = 0; i < KEYS; i++) {
		const double even = 0.25 + 0.2 * i;
		times[i] = (float)(kind == 0 ? even : even + 0.09 * random_number(seed));
		if (kind == 2 && i % 4 == 3) {
			times[i] = times[i - 1];
		}
	}
	return times;
}

/* Each a little or a lot further than the one before, with any sign. */
static void random_rotations(float *values, int width, int at, unsigned *seed) {
	struct transform turn = TRANSFORM_IDENTITY;
	double angle = 0;
	for (int key = 0; key < KEYS; key++) {
		const double step = random_number(seed);
		angle += fabs(step) < 0.7 ? 12 * step : 170 * step;
		set_rotation(&turn, 0.6, 0, 0.8, angle);
		const float sign = random_number(seed) < 0 ? -1 : 1;
		for (int k = 0; k < 4; k++) {
			values[key * width + at + k] = sign * turn.rotation[k];
		}
	}
}

static const float *random_values(
	struct rig *rig, const struct channel *channel, bool still, unsigned *seed) {
	const bool cubic = channel->interpolation == INTERPOLATION_CUBIC_SPLINE;
	const int width = channel->width * (cubic ? 3 : 1);
	float *values = take_floats(rig, (size_t)(KEYS * width));
	for (int i = 0; i < KEYS * width; i++) {
		values[i] = (float)(3 * random_number(seed));
	}
	if (channel->path == CHANNEL_ROTATION) {
		random_rotations(values, width, cubic ? 4 : 0, seed);
	}
	for (int key = 1; still && key < KEYS; key++) {
		memcpy(values + key * width, values, (size_t)width * sizeof *values);
	}
	return values;
}

/* A rig of morphing joints with a clip of every kind of channel. */
static struct rig *random_rig(unsigned seed) {
	struct rig *rig = rig_random(seed, JOINTS, 3, 4);
	for (int i = 0; i < JOINTS; i++) {
		rig->joints[i].first_weight = rig->weight_count;
		rig->joints[i].weight_count = i % 3;
		rig->weight_count += i % 3;
	}
	rig->rest_weights = take_floats(rig, (size_t)rig->weight_count);
	rig->clips = rig_storage(rig, 1, sizeof *rig->clips, "test", NULL);
	rig->clip_count = 1;
	struct clip *clip = &rig->clips[0];
	*clip = (struct clip){.name = xstrndup("Random", 6), .duration_s = CLIP_S};
	clip->channels = xcalloc(JOINTS * 4, sizeof *clip->channels);
	const float *shared[2] = {random_times(rig, &seed), random_times(rig, &seed)};
	for (int i = 0; i < JOINTS * 4; i++) {
		const int path = i % 4, joint = i / 4;
		const double chance = random_number(&seed), kind = random_number(&seed);
		const int widths[] = {3, 4, 3, rig->joints[joint].weight_count};
		if (chance < -0.8 || widths[path] == 0) {
			continue;
		}
		struct channel *channel = &clip->channels[clip->channel_count++];
		*channel = (struct channel){
			.joint = joint,
			.path = (enum channel_path)path,
			.interpolation = kind < 0.6 ? INTERPOLATION_LINEAR
				: kind < 0.8        ? INTERPOLATION_STEP
						    : INTERPOLATION_CUBIC_SPLINE,
			.key_count = chance < -0.6 ? 1 : KEYS,
			.width = widths[path],
			.times = chance < 0.7 ? shared[chance < 0] : random_times(rig, &seed),
		};
		channel->values = random_values(rig, channel, chance > 0.9, &seed);
	}
	assert_true(rig_make_tracks(rig, NULL));
	return rig;
}

/* The clip's channels one by one. */
static void sample_plainly(
	const struct rig *rig, const struct clip *clip, double time_s, struct pose *pose) {
	struct clip plain = *clip;
	plain.tracks = NULL;
	clip_sample(rig, &plain, time_s, pose);
}

/* A pose of which nothing may be left. */
static struct pose spoilt_pose(const struct rig *rig, struct arena *arena) {
	struct pose pose = pose_rest(rig, arena);
	memset(pose.local, 0xff, (size_t)rig->joint_count * sizeof *pose.local);
	memset(pose.weights, 0xff, (size_t)rig->weight_count * sizeof *pose.weights);
	memset(pose.driven, 0xff, (size_t)rig->joint_count);
	return pose;
}

/* Transforms to what float32 can tell, all else to the bit. */
static void expect_same(const struct rig *rig, const struct clip *clip, double time_s) {
	struct arena *arena = arena_create();
	struct pose fast = spoilt_pose(rig, arena), plain = spoilt_pose(rig, arena);
	clip_sample(rig, clip, time_s, &fast);
	sample_plainly(rig, clip, time_s, &plain);
	for (int i = 0; i < rig->joint_count; i++) {
		const struct transform *a = &fast.local[i], *b = &plain.local[i];
		for (int k = 0; k < 3; k++) {
			assert_near(a->translation[k], b->translation[k], 7e-7); // of up to 3
			assert_near(a->scale[k], b->scale[k], 7e-7);
		}
		for (int k = 0; k < 4; k++) {
			assert_near(a->rotation[k], b->rotation[k], 1e-7);
		}
	}
	assert_memory_equal(fast.driven, plain.driven, (size_t)rig->joint_count);
	assert_memory_equal(
		fast.weights, plain.weights, (size_t)rig->weight_count * sizeof *fast.weights);
	arena_destroy(arena);
}

static void tracks_sample_what_channels_do(void **state) {
	(void)state;
	for (unsigned seed = 1; seed <= 40; seed++) {
		struct rig *rig = random_rig(seed);
		unsigned at = seed;
		for (int i = 0; i < 100; i++) {
			expect_same(rig, &rig->clips[0], 1.5 + 2 * random_number(&at));
		}
		rig_release(rig);
	}
}

static void keys_are_returned_to_the_bit(void **state) {
	(void)state;
	for (unsigned seed = 1; seed <= 40; seed++) {
		struct rig *rig = random_rig(seed);
		const struct clip *clip = &rig->clips[0];
		struct arena *arena = arena_create();
		struct pose pose = pose_rest(rig, arena);
		for (int i = 0; i < clip->channel_count; i++) {
			const struct channel *channel = &clip->channels[i];
			for (int key = 0; key < channel->key_count; key++) {
				float expected[4];
				int width;
				channel_sample(channel, channel->times[key], expected);
				clip_sample(rig, clip, channel->times[key], &pose);
				const float *out = pose_channel(
					rig, &pose, channel->joint, channel->path, &width);
				assert_memory_equal(out, expected, (size_t)width * sizeof *out);
			}
		}
		arena_destroy(arena);
		rig_release(rig);
	}
}

static void lanes_have_the_same_bits(void **state) {
	(void)state;
	if (!LANES_CPU_HAS_AVX2()) {
		skip();
	}
	struct rig *rig = random_rig(7);
	const struct tracks *tracks = rig->clips[0].tracks;
	for (int i = 0; i < tracks->axis_count; i++) {
		const struct track_axis *axis = &tracks->axes[i];
		for (int key = 0; key < axis->key_count - 1; key++) {
			struct transform four[JOINTS], eight[JOINTS];
			memcpy(four, tracks->still, sizeof four);
			memcpy(eight, tracks->still, sizeof eight);
			struct slerp slerp = slerp_make(0.37), again = slerp_make(0.37);
			const struct track_step turn = {(size_t)key * 4, 4};
			const struct track_step move = {(size_t)key * 3, 3};
			interpolate_rotations(
				axis->rotations, axis->rotation_count, turn, &slerp, four);
			interpolate_rotations_avx2(
				axis->rotations, axis->rotation_count, turn, &again, eight);
			interpolate_vectors(axis->vectors, axis->vector_count, move, 0.37, four);
			interpolate_vectors_avx2(
				axis->vectors, axis->vector_count, move, 0.37, eight);
			assert_memory_equal(four, eight, sizeof four);
		}
	}
	rig_release(rig);
}

/* Numbers of which single precision has no difference. */
static void great_numbers_stay_finite(void **state) {
	(void)state;
	static const float times[2] = {0, 1};
	static const float values[6] = {-3e38f, 3e38f, 1, 3e38f, -3e38f, 1};
	struct rig *rig = random_rig(4);
	struct channel *channel = &rig->clips[0].channels[0];
	*channel = (struct channel){
		.path = CHANNEL_TRANSLATION, .key_count = 2, .width = 3, .times = times};
	channel->interpolation = INTERPOLATION_LINEAR;
	channel->values = values;
	assert_true(rig_make_clip_tracks(rig, 0, NULL));
	for (double time_s = 0; time_s <= 1; time_s += 0.125) {
		struct arena *arena = arena_create();
		struct pose pose = pose_rest(rig, arena);
		clip_sample(rig, &rig->clips[0], time_s, &pose);
		const double x = 3e38 * (2 * time_s - 1);
		assert_near(pose.local[0].translation[0] / 3e38, x / 3e38, 1e-6);
		assert_near(pose.local[0].translation[1] / 3e38, -x / 3e38, 1e-6);
		assert_near(pose.local[0].translation[2], 1, 0);
		arena_destroy(arena);
	}
	rig_release(rig);
}

static void a_rig_counts_its_tracks(void **state) {
	(void)state;
	struct rig *rig = rig_random(3, JOINTS, 3, 4);
	const size_t before = rig_bytes(rig);
	rig_release(rig);
	rig = random_rig(3);
	assert_true(rig_bytes(rig) > before + sizeof(struct tracks));
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tracks_sample_what_channels_do),
		cmocka_unit_test(keys_are_returned_to_the_bit),
		cmocka_unit_test(lanes_have_the_same_bits),
		cmocka_unit_test(great_numbers_stay_finite),
		cmocka_unit_test(a_rig_counts_its_tracks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
