// Baking expressions into clips: the frames are what the expression is there, to the bit.
#include "pose/motion/bake_clip.h"

#include <math.h>
#include <string.h>

#include "json_value.h"
#include "pose/sample/sampler.h"
#include "poses.h"
#include "rigs.h"

#include "check.h"

#define HALF 0.70710678f

/* cyl2 with clips: "turn", joint 1 about z by 300 degrees in 2 s, whose keys are on alternating
 * sides as no importer leaves them, and joint 0 going along x; "pose", which has no duration. */
static struct rig *make_rig(void) {
	static const float times[] = {0, 0.5f, 1, 2};
	static const float turns[16] = {
		0, 0, 0, 1, 0, 0, -HALF, -HALF, 0, 0, 1, 0, 0, 0, 0.5f, -0.8660254f};
	static const float way[12] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0};
	static const struct constant_channel turned[] = {
		{1, CHANNEL_ROTATION, {0, 0, 0, 1}}, {0, CHANNEL_TRANSLATION, {0}}};
	static const struct constant_channel posed[] = {{1, CHANNEL_SCALE, {2, 2, 2}}};
	struct rig *rig = rig_cyl2();
	rig_add_clip(rig, "turn", 2, turned);
	rig_add_clip(rig, "pose", 1, posed);
	struct clip *clip = &rig->clips[0];
	clip->duration_s = 2;
	for (int i = 0; i < 2; i++) {
		clip->channels[i].key_count = 4;
		clip->channels[i].times = times;
		clip->channels[i].values = i == 0 ? turns : way;
	}
	return rig;
}

struct fixture {
	struct rig *rig;
	struct arena *arena;
	struct clip clip;
	struct error err;
};

static int set_up(void **state) {
	static struct fixture fixture;
	fixture = (struct fixture){.rig = make_rig(), .arena = arena_create()};
	*state = &fixture;
	return 0;
}

static int tear_down(void **state) {
	struct fixture *fixture = *state;
	rig_release(fixture->rig);
	arena_destroy(fixture->arena);
	return 0;
}

static bool bake(struct fixture *fixture, const char *expression, double duration_s, double rate) {
	const struct bake_job job = {
		.subject = {.rig = fixture->rig, .pose = json_value(fixture->arena, expression)},
		.duration_s = duration_s,
		.rate = rate,
		.max_frames = 1000,
	};
	fixture->err = (struct error){0};
	return bake_clip(&job, fixture->arena, &fixture->clip, &fixture->err);
}

static const struct channel *channel_of(
	const struct fixture *fixture, int joint, enum channel_path path) {
	for (int i = 0; i < fixture->clip.channel_count; i++) {
		const struct channel *channel = &fixture->clip.channels[i];
		if (channel->joint == joint && channel->path == path) {
			return channel;
		}
	}
	return NULL;
}

static void refuses_what_makes_no_clip(void **state) {
	struct fixture *fixture = *state;
	const struct {
		const char *expression;
		double duration_s, rate;
		enum error_code code;
		const char *piece;
	} rows[] = {
		{"{'clip': 'tur'}", 1, 30, ERROR_UNKNOWN_CLIP, "no clip \"tur\""},
		{"{'clip': 'tur'}", -1, 30, ERROR_UNKNOWN_CLIP, "no clip \"tur\""},
		{"'rest'", -1, 30, ERROR_INVALID_VALUE, "\"duration\" is missing"},
		{"{'clip': 'pose'}", -1, 30, ERROR_INVALID_VALUE, "\"duration\" is missing"},
		{"'rest'", 33.4, 30, ERROR_TOO_LARGE,
			"33.4 s at 30 frames a second are 1003 frames, may be"},
		{"'rest'", 1e300, 30, ERROR_TOO_LARGE, "may be 1000"},
		{"{'blend': [{'pose': 'rest', 'weight': 0}]}", 1, 30, ERROR_INVALID_VALUE,
			"drives no joint"},
		{"'rest'", 1e-40, 1e45, ERROR_TOO_LARGE, "frames"},
		{"'rest'", 1e300, 1e-300, ERROR_INVALID_VALUE, "farther than float32"},
		{"'rest'", 1e39, 1e-38, ERROR_INVALID_VALUE, "farther than float32"},
		{"'rest'", 1e-44, 1e46, ERROR_INVALID_VALUE, "nearer to one another"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (bake(fixture, rows[i].expression, rows[i].duration_s, rows[i].rate)) {
			fail_msg("row %zu is not refused", i);
		}
		if (fixture->err.code != rows[i].code ||
			!strstr(fixture->err.text, rows[i].piece)) {
			fail_msg("row %zu: %s", i, fixture->err.text);
		}
	}
}

/* The pose that the baked clip has at a time, and that of the expression. */
static void expect_same(struct fixture *fixture, const char *expression, double time_s) {
	struct pose baked = pose_rest(fixture->rig, fixture->arena), direct;
	clip_sample(fixture->rig, &fixture->clip, time_s, &baked);
	struct pose_context context = pose_context_make(fixture->rig, fixture->arena, NULL);
	context.time.clock_s = time_s;
	assert_true(pose_evaluate(&context, json_value(fixture->arena, expression), &direct, NULL));
	for (int i = 0; i < direct.joint_count; i++) {
		double dot = 0;
		for (int k = 0; k < 4; k++) {
			dot += (double)baked.local[i].rotation[k] * direct.local[i].rotation[k];
		}
		for (int k = 0; k < 4 && dot < 0; k++) {
			direct.local[i].rotation[k] = -direct.local[i].rotation[k];
		}
	}
	expect_same_pose(&baked, &direct);
}

static void frames_are_the_expression_to_the_bit(void **state) {
	struct fixture *fixture = *state;
	static const char *const expressions[] = {
		"{'clip': 'turn'}",
		"{'clip': 'turn', 'time': 0.3, 'loop': 'repeat'}",
		("{'add': {'clip': 'turn'}, 'to': {'set': {'clip': 'pose'}, 'joints': {'0': "
		 "{'translation': [0.1, 0.2, 0.3]}}}, 'reference': 'rest', 'weight': 0.7}"),
		"{'blend': [{'pose': {'clip': 'turn'}, 'weight': 2}, {'pose': 'rest'}]}",
	};
	static const double rates[] = {30, 24, 7.3, 60};
	for (size_t e = 0; e < sizeof expressions / sizeof *expressions; e++) {
		for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
			assert_true(bake(fixture, expressions[e], 1.99, rates[r]));
			assert_true(fixture->clip.duration_s == (double)1.99f);
			const size_t frames = (size_t)(1.99 * rates[r]);
			for (size_t i = 0; i <= frames; i++) {
				expect_same(fixture, expressions[e],
					(double)(float)((double)i / rates[r]));
			}
			expect_same(fixture, expressions[e], (double)1.99f);
		}
	}
}

static void rotations_stay_on_one_side(void **state) {
	struct fixture *fixture = *state;
	assert_true(bake(fixture, "{'clip': 'turn'}", 2, 10));
	const struct channel *turn = channel_of(fixture, 1, CHANNEL_ROTATION);
	assert_int_equal(turn->key_count, 21);
	for (int k = 1; k < turn->key_count; k++) {
		double dot = 0;
		for (int i = 0; i < 4; i++) {
			dot += (double)turn->values[k * 4 + i] * turn->values[k * 4 - 4 + i];
		}
		assert_true(dot > 0);
	}
}

static void has_channels_for_what_is_driven_and_one_key_for_what_rests(void **state) {
	struct fixture *fixture = *state;
	assert_true(bake(fixture, "{'clip': 'turn'}", 2, 10));
	assert_int_equal(fixture->clip.channel_count, 2);
	assert_int_equal(channel_of(fixture, 0, CHANNEL_TRANSLATION)->key_count, 21);
	assert_true(bake(fixture,
		"{'set': {'clip': 'turn'}, 'joints': {'0': {'translation': "
		"[1, 2, 3]}}}",
		2, 10));
	const struct channel *set = channel_of(fixture, 0, CHANNEL_TRANSLATION);
	assert_int_equal(set->key_count, 1);
	assert_true(set->times[0] == 0 && set->values[2] == 3);
	assert_int_equal(fixture->clip.bytes, (1 * 4 + 21 * 5) * sizeof(float));
}

static void what_stands_still_lasts_as_long(void **state) {
	struct fixture *fixture = *state;
	assert_true(bake(fixture, "{'clip': 'pose'}", 1.5, 10));
	assert_int_equal(fixture->clip.channel_count, 1);
	assert_int_equal(fixture->clip.channels[0].key_count, 2);
	assert_true(fixture->clip.duration_s == 1.5);
	assert_true(bake(fixture, "{'clip': 'pose'}", 0, 10));
	assert_int_equal(fixture->clip.channels[0].key_count, 1);
	assert_true(fixture->clip.duration_s == 0);
}

static void lasts_as_the_longest_clip_unless_told(void **state) {
	struct fixture *fixture = *state;
	assert_true(bake(fixture,
		"{'blend': [{'pose': {'clip': 'pose'}}, {'pose': {'clip': 'turn', 'time': 1}}]}",
		-1, 30));
	assert_true(fixture->clip.duration_s == 2);
	assert_int_equal(channel_of(fixture, 1, CHANNEL_ROTATION)->key_count, 61);
}

static void ends_with_a_frame_at_the_duration(void **state) {
	struct fixture *fixture = *state;
	assert_true(bake(fixture, "{'clip': 'turn'}", 1.05, 10));
	const struct channel *way = channel_of(fixture, 0, CHANNEL_TRANSLATION);
	assert_int_equal(way->key_count, 12);
	assert_true(way->times[10] == 1.0f && way->times[11] == 1.05f);
	// The float32 nearest to 0.9 is a little more than 27 thirtieths.
	assert_true(bake(fixture, "{'clip': 'turn'}", (double)0.9f, 30));
	assert_int_equal(channel_of(fixture, 0, CHANNEL_TRANSLATION)->key_count, 28);
	// 0.7 * 10 is a little less than 7 in double precision.
	assert_true(bake(fixture, "{'clip': 'turn'}", 0.7, 10));
	assert_int_equal(channel_of(fixture, 0, CHANNEL_TRANSLATION)->key_count, 8);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		CASE(refuses_what_makes_no_clip),
		CASE(frames_are_the_expression_to_the_bit),
		CASE(rotations_stay_on_one_side),
		CASE(has_channels_for_what_is_driven_and_one_key_for_what_rests),
		CASE(what_stands_still_lasts_as_long),
		CASE(lasts_as_the_longest_clip_unless_told),
		CASE(ends_with_a_frame_at_the_duration),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
