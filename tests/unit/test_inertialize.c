// Jumps that run out: what is refused, the known answers of METHODS C.12, and the ends of the way.
#include <string.h>

#include "check.h"
#include "json_value.h"
#include "pose/motion/inertia.h"
#include "poses.h"
#include "rigs.h"

static void refuses_with_the_place(void **state) {
	(void)state;
	static const struct pose_refusal rows[] = {
		{"{'inertialize': 'rest', 'elapsed': 0}", ERROR_INVALID_VALUE, "",
			"\"from\" is missing"},
		{"{'inertialize': 'rest', 'from': 'rest'}", ERROR_INVALID_VALUE, "",
			"\"elapsed\" is missing"},
		{"{'inertialize': 'rset', 'from': 'rest', 'elapsed': 0}", ERROR_UNKNOWN_OPERATION,
			"/inertialize", "rset"},
		{"{'inertialize': 'rest', 'from': 'rset', 'elapsed': 9}", ERROR_UNKNOWN_OPERATION,
			"/from", "rset"},
		{"{'inertialize': 'rest', 'from': 'rest', 'elapsed': -1}", ERROR_INVALID_VALUE,
			"/elapsed", "-1"},
		{"{'inertialize': 'rest', 'from': 'rest', 'elapsed': 0, 'duration': 0}",
			ERROR_INVALID_VALUE, "/duration", "0"},
		{"{'inertialize': 'rest', 'from': 'rest', 'elapsed': 0, 'step': 0}",
			ERROR_INVALID_VALUE, "/step", "0"},
		{"{'inertialize': 'rest', 'from': 'rest', 'elapsed': 0, 'for': 1}",
			ERROR_UNKNOWN_MEMBER, "/for", "inertialize, from, elapsed, duration, step"},
		{"{'inertialize': {'clip': 'Far', 'time': 1}, 'from': {'set': 'rest', 'joints': "
		 "{'J1': {'translation': [3e38, 0, 0]}}}, 'elapsed': 1, 'duration': 60}",
			ERROR_INVALID_VALUE, "", "joint \"J1\" farther"},
	};
	static const float times[] = {0, 1}, values[] = {0, 0, 0, 3e38f, 0, 0};
	struct rig *rig = rig_cyl2();
	rig_add_clip(
		rig, "Far", 1, &(struct constant_channel){.joint = 1, .path = CHANNEL_TRANSLATION});
	struct channel *channel = &rig->clips[0].channels[0];
	channel->key_count = 2, channel->times = times, channel->values = values;
	rig->clips[0].duration_s = 1;
	expect_pose_refusals(rig, rows, sizeof rows / sizeof *rows);
	rig_release(rig);
}

static void curves_have_the_known_values(void **state) {
	(void)state;
	static const struct {
		double x0, v0, t1;
		double end, a0, at, x;
	} rows[] = {
		{1, 0, 0.5, 0.5, 0, 0.25, 0.5}, {1, -2, 0.5, 0.5, 0, 0.25, 0.34375},
		{1, -20, 0.5, 0.25, 320, 0.125, 0.03125},
		{0.1, -1, 0.3, 0.3, 40.0 / 9, 0.15, 0.009375},
		{1, 3, 0.5, 0.5, 0, 0.25, 0.5}, // going apart does not count
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct inertia inertia = inertia_make(rows[i].x0, rows[i].v0, rows[i].t1);
		assert_near(inertia.end_s, rows[i].end, 1e-12);
		assert_near(inertia.a0, rows[i].a0, 1e-9);
		assert_near(inertia_at(&inertia, rows[i].at), rows[i].x, 1e-12);
		assert_near(inertia_at(&inertia, 0), rows[i].x0, 0);
		assert_near(inertia_at(&inertia, rows[i].end), 0, 0);
	}
	const struct inertia none = inertia_make(9e-7, -1, 1);
	assert_near(inertia_at(&none, 0), 0, 0);
}

/* x, x' and x'' are 0 where it ends, and x never turns below 0. */
static void curves_end_at_rest(void **state) {
	(void)state;
	unsigned seed = 3;
	for (int round = 0; round < 1000; round++) {
		const double x0 = 2 * fabs(random_number(&seed)) + 1e-3;
		const struct inertia i = inertia_make(
			x0, 30 * random_number(&seed), 0.05 + fabs(random_number(&seed)));
		const double t = i.end_s, scale = x0 / t / t;
		const double x =
			((((i.a * t + i.b) * t + i.c) * t + i.a0 / 2) * t + i.v0) * t + i.x0;
		const double v = (((5 * i.a * t + 4 * i.b) * t + 3 * i.c) * t + i.a0) * t + i.v0;
		const double a = ((20 * i.a * t + 12 * i.b) * t + 6 * i.c) * t + i.a0;
		assert_near(x, 0, 1e-12 * x0);
		assert_near(v, 0, 1e-11 * x0 / t);
		assert_near(a, 0, 1e-10 * scale);
		for (int k = 0; k < 64; k++) {
			const double s = k / 64.0 * t;
			const double low =
				((((i.a * s + i.b) * s + i.c) * s + i.a0 / 2) * s + i.v0) * s +
				i.x0;
			assert_true(low >= -1e-12 * x0);
		}
	}
}

static struct pose at_elapsed(const struct rig *rig, struct arena *arena, const char *to,
	const char *from, double elapsed_s) {
	return pose_of(rig, arena,
		arena_printf(arena, "{'inertialize': %s, 'from': %s, 'elapsed': %g}", to, from,
			elapsed_s));
}

static void the_jump_is_the_old_pose_and_the_end_the_new_one(void **state) {
	(void)state;
	static float rest_weights[12] = {0.25f};
	for (unsigned seed = 1; seed <= 30; seed++) {
		struct rig *rig = rig_random(seed, 6, 3, 4);
		rig->joints[2].weight_count = 2;
		rig->weight_count = 2;
		rig->rest_weights = rest_weights;
		struct arena *arena = arena_create();
		unsigned numbers = seed;
		const char *to = random_pose(arena, rig, &numbers);
		const char *from = arena_printf(arena, "{'set': %s, 'weights': {'J2': [%g, 3]}}",
			random_pose(arena, rig, &numbers), random_number(&numbers));
		const struct pose old = pose_of(rig, arena, from), new = pose_of(rig, arena, to);
		const struct pose jump = at_elapsed(rig, arena, to, from, 0);
		expect_near_pose(&jump, &old, 1e-6);
		const struct pose end = at_elapsed(rig, arena, to, from, 0.3);
		expect_same_pose(&end, &new);
		// Half-way of a way from rest to rest.
		const struct pose half = at_elapsed(rig, arena, to, from, 0.15);
		assert_near(half.weights[1], 1.5, 1e-6);
		arena_destroy(arena);
		rig_release(rig);
	}
}

static const float times[] = {0, 10};
static const float rise[] = {0, 0, 0, 20, 0, 0}, stay[] = {3, 0, 0, 3, 0, 0};
static const float turn[] = {0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f};
static const float still[] = {0, 0, 0.38268343f, 0.92387953f, 0, 0, 0.38268343f, 0.92387953f};

/* cyl2 with "Rise", joint 1 at 2 m/s and turning 9 degrees a second, and "Stay", at 3 m and 45. */
static struct rig *rig_with_motions(void) {
	struct rig *rig = rig_cyl2();
	const struct constant_channel channels[] = {
		{.joint = 1, .path = CHANNEL_TRANSLATION}, {.joint = 1, .path = CHANNEL_ROTATION}};
	for (int clip = 0; clip < 2; clip++) {
		rig_add_clip(rig, clip ? "Stay" : "Rise", 2, channels);
		for (int i = 0; i < 2; i++) {
			struct channel *channel = &rig->clips[clip].channels[i];
			channel->key_count = 2;
			channel->times = times;
			channel->values = clip ? i ? still : stay : i ? turn : rise;
		}
		rig->clips[clip].duration_s = 10;
	}
	return rig;
}

/* Joint 1's x, and its angle in degrees, at a moment of the clock. */
static void moment(
	const struct rig *rig, const char *expression, double clock_s, double out[static 2]) {
	struct arena *arena = arena_create();
	struct pose_context context = pose_context_make(rig, arena, NULL);
	context.time.clock_s = clock_s;
	struct pose pose;
	struct error err = {0};
	if (!pose_evaluate(&context, json_value(arena, expression), &pose, &err)) {
		fail_msg("%s: %s", expression, err.text);
	}
	const struct transform *local = &pose.local[1];
	out[0] = local->translation[0];
	out[1] = 2 * atan2(local->rotation[2], local->rotation[3]) * 180 / acos(-1);
	arena_destroy(arena);
}

/* The old motion comes towards the new one from above: its speed goes on at the jump. */
static void speed_goes_on_at_the_jump(void **state) {
	(void)state;
	struct rig *rig = rig_with_motions();
	// At the jump the old motion is at 8 s, backwards: 4 m, falling by 2 m/s.
	const char *jump = "{'inertialize': {'clip': 'Stay', 'time': 5}, 'from': "
			   "{'reverse': {'clip': 'Rise', 'time': 8}}, 'elapsed': 0}";
	const double h = 1e-3;
	double at[2], soon[2], before[2];
	moment(rig, jump, 0, at);
	moment(rig, jump, h, soon);
	moment(rig, jump, -h, before);
	assert_near(at[0], 4, 1e-6);
	assert_near(at[1], 18, 1e-4);
	assert_near((at[0] - before[0]) / h, -2, 1e-2);
	assert_near((soon[0] - at[0]) / h, -2, 2e-2);
	assert_near((at[1] - before[1]) / h, -9, 0.1);
	// 18 degrees are below 45: the old turn goes away from it, and that does not count.
	assert_near((soon[1] - at[1]) / h, 0, 0.1);
	const char *forth = "{'inertialize': {'clip': 'Stay', 'time': 5}, 'from': "
			    "{'clip': 'Rise', 'time': 1}, 'elapsed': 0}";
	moment(rig, forth, 0, at);
	moment(rig, forth, h, soon);
	assert_near((soon[0] - at[0]) / h, 2, 2e-2);
	assert_near((soon[1] - at[1]) / h, 9, 0.1);
	rig_release(rig);
}

/* A later clock evaluates the later moment. */
static void the_clock_adds_to_what_has_elapsed(void **state) {
	(void)state;
	struct rig *rig = rig_with_motions();
	double said[2], come[2];
	moment(rig,
		"{'inertialize': {'clip': 'Rise', 'time': 1.125}, 'from': {'clip': 'Stay'},"
		"'elapsed': 0.125}",
		0, said);
	moment(rig,
		"{'inertialize': {'clip': 'Rise', 'time': 1}, 'from': {'clip': 'Stay'},"
		"'elapsed': 0}",
		0.125, come);
	assert_near(come[0], said[0], 1e-9);
	assert_near(come[1], said[1], 1e-6);
	moment(rig,
		"{'inertialize': {'clip': 'Stay', 'time': 1}, 'from': {'clip': 'Rise', 'time': 1},"
		"'elapsed': 0.25}",
		-0.5, come);
	assert_near(come[0], 1.5, 1e-6); // a quarter second before the jump
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(curves_have_the_known_values),
		cmocka_unit_test(curves_end_at_rest),
		cmocka_unit_test(the_jump_is_the_old_pose_and_the_end_the_new_one),
		cmocka_unit_test(speed_goes_on_at_the_jump),
		cmocka_unit_test(the_clock_adds_to_what_has_elapsed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
