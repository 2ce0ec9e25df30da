// Clips faster, slower and backwards: what is refused, and what moment they show.
#include "base/memory.h"
#include "check.h"
#include "json_value.h"
#include "poses.h"
#include "rigs.h"

static const float times[] = {0, 2};
static const float values[] = {0, 0, 0, 2, 0, 0};

/* cyl2 with a clip "Clock" that shows its time, from 0 to 2, in joint 1's x. */
static struct rig *rig_with_clock(void) {
	struct rig *rig = rig_cyl2();
	rig_add_clip(rig, "Clock", 1,
		&(struct constant_channel){.joint = 1, .path = CHANNEL_TRANSLATION});
	struct channel *channel = &rig->clips[0].channels[0];
	channel->key_count = 2;
	channel->times = times;
	channel->values = values;
	rig->clips[0].duration_s = 2;
	return rig;
}

static void refuses_with_the_place(void **state) {
	(void)state;
	static const struct pose_refusal rows[] = {
		{"{'scale_time': 'rest'}", ERROR_INVALID_VALUE, "", "\"factor\" is missing"},
		{"{'scale_time': 'rest', 'factor': -0.5}", ERROR_INVALID_VALUE, "/factor",
			"must be a number, 0 or more"},
		{"{'scale_time': 'rset', 'factor': 1}", ERROR_UNKNOWN_OPERATION, "/scale_time",
			"rset"},
		{"{'scale_time': 'rest', 'factor': 1, 'speed': 1}", ERROR_UNKNOWN_MEMBER, "/speed",
			"scale_time, factor"},
		{"{'scale_time': {'scale_time': 'rest', 'factor': 1e200}, 'factor': 1e200}",
			ERROR_INVALID_VALUE, "/scale_time/factor", "all factors together"},
		{"{'scale_time': {'clip': 'Clock', 'time': 1e200}, 'factor': 1e200}",
			ERROR_INVALID_VALUE, "/scale_time", "farther than numbers reach"},
		{"{'reverse': 'rset'}", ERROR_UNKNOWN_OPERATION, "/reverse", "rset"},
		{"{'reverse': 'rest', 'factor': 1}", ERROR_UNKNOWN_MEMBER, "/factor", "reverse"},
	};
	struct rig *rig = rig_with_clock();
	expect_pose_refusals(rig, rows, sizeof rows / sizeof *rows);
	rig_release(rig);
}

/* The time that the clock shows at a later moment of the expression. */
static double shown(const char *expression, double clock_s) {
	struct rig *rig = rig_with_clock();
	struct arena *arena = arena_create();
	struct pose_context context = pose_context_make(rig, arena, NULL);
	context.time.clock_s = clock_s;
	struct pose pose;
	struct error err = {0};
	if (!pose_evaluate(&context, json_value(arena, expression), &pose, &err)) {
		fail_msg("%s: %s", expression, err.text);
	}
	assert_near(context.time.speed, 1, 0);
	assert_false(context.time.reversed);
	const double x = pose.local[1].translation[0];
	arena_destroy(arena);
	rig_release(rig);
	return x;
}

static void clips_show_the_moment_that_is_promised(void **state) {
	(void)state;
	static const struct {
		const char *expression;
		double clock_s, shown;
	} rows[] = {
		{"{'scale_time': {'clip': 'Clock', 'time': 0.25}, 'factor': 3}", 0, 0.75},
		{"{'scale_time': {'clip': 'Clock', 'time': 0.25}, 'factor': 3}", 0.25, 1.5},
		{"{'scale_time': {'clip': 'Clock', 'phase': 0.125}, 'factor': 3}", 0.25, 1.5},
		{"{'scale_time': {'clip': 'Clock', 'time': 1}, 'factor': 3}", 0, 2},
		{"{'scale_time': {'clip': 'Clock', 'time': 1, 'loop': 'repeat'}, 'factor': 3}", 0,
			1},
		{"{'scale_time': {'clip': 'Clock', 'time': 1, 'loop': 'ping_pong'}, 'factor': 3}",
			0, 1},
		{"{'scale_time': {'clip': 'Clock', 'time': 1}, 'factor': 0}", 7, 0},
		{"{'reverse': {'clip': 'Clock', 'time': 0.5}}", 0, 1.5},
		{"{'reverse': {'clip': 'Clock', 'time': 0.5}}", 1, 0.5},
		{"{'reverse': {'clip': 'Clock', 'time': 0.5}}", 2, 0},
		{"{'reverse': {'clip': 'Clock', 'time': 0.5, 'loop': 'repeat'}}", 2, 1.5},
		{"{'reverse': {'clip': 'Clock', 'phase': 0.25}}", 0, 1.5},
		{"{'reverse': {'reverse': {'clip': 'Clock', 'time': 0.5}}}", 0.25, 0.75},
		{"{'reverse': {'scale_time': {'clip': 'Clock', 'time': 0.5}, 'factor': 0.5}}", 1,
			1.25},
		{"{'scale_time': {'reverse': {'clip': 'Clock', 'time': 0.5}}, 'factor': 0.5}", 1,
			1.25},
		{"{'scale_time': {'reverse': {'scale_time': {'clip': 'Clock', 'time': 0.125},"
		 "'factor': 2}}, 'factor': 3}",
			0.125, 0.5},
		{"{'scale_time': {'reverse': {'clip': 'Clock', 'time': 1}}, 'factor': 0}", 7, 2},
		{"{'blend': [{'pose': {'reverse': {'clip': 'Clock', 'time': 0.5}}},"
		 "{'pose': {'clip': 'Clock', 'time': 0.5}}]}",
			0.25, 1},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const double x = shown(rows[i].expression, rows[i].clock_s);
		if (fabs(x - rows[i].shown) > 1e-7) {
			fail_msg("%s after %g s shows %g, expected %g", rows[i].expression,
				rows[i].clock_s, x, rows[i].shown);
		}
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(clips_show_the_moment_that_is_promised),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
