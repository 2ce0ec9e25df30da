// Ways over the ground: what is refused, the known answers of METHODS C.13, and what is put back.
#include <string.h>

#include "base/quat.h"
#include "check.h"
#include "pose/motion/root.h"
#include "poses.h"
#include "rigs.h"

#define DEGREE (3.14159265358979323846 / 180)

static const float times[] = {0, 1};

/* Fills the values of a rotation about +Y. */
static void turned(double degrees, float *out) {
	out[0] = out[2] = 0;
	out[1] = (float)sin(degrees / 2 * DEGREE);
	out[3] = (float)cos(degrees / 2 * DEGREE);
}

struct walk {
	float translations[6], rotations[8];
};

/* A clip of one second that takes joint 1 from one place and heading to another. */
static void add_walk(struct rig *rig, const char *name, struct walk *walk, const double from[3],
	double from_degrees, const double to[3], double to_degrees) {
	const struct constant_channel channels[] = {
		{.joint = 1, .path = CHANNEL_TRANSLATION}, {.joint = 1, .path = CHANNEL_ROTATION}};
	for (int i = 0; i < 3; i++) {
		walk->translations[i] = (float)from[i];
		walk->translations[3 + i] = (float)to[i];
	}
	turned(from_degrees, walk->rotations);
	turned(to_degrees, walk->rotations + 4);
	rig_add_clip(rig, name, 2, channels);
	struct clip *clip = &rig->clips[rig->clip_count - 1];
	for (int i = 0; i < 2; i++) {
		clip->channels[i].key_count = 2;
		clip->channels[i].times = times;
		clip->channels[i].values = i ? walk->rotations : walk->translations;
	}
	clip->duration_s = 1;
}

struct walks {
	struct walk straight, fast, circle, slant;
};

/* cyl2 with walks of joint 1: "Straight", 1.2 m along z; "Fast", 2.4 m; "Circle", a quarter of one
 * of radius 1; "Slant", anywhere. */
static struct rig *rig_walking(struct walks *walks) {
	struct rig *rig = rig_cyl2();
	add_walk(rig, "Straight", &walks->straight, (double[3]){0, 1, 0}, 0, (double[3]){0, 1, 1.2},
		0);
	add_walk(rig, "Fast", &walks->fast, (double[3]){0, 1, 0}, 0, (double[3]){0, 1, 2.4}, 0);
	// Round (1, 0) heading along z to round it heading along x: at (0, 0), then at (1, 1).
	add_walk(rig, "Circle", &walks->circle, (double[3]){0, 1, 0}, 0, (double[3]){1, 1, 1}, 90);
	add_walk(rig, "Slant", &walks->slant, (double[3]){0.5, 1, -2}, 35, (double[3]){-1, 1.5, 3},
		120);
	return rig;
}

static void refuses_with_the_place(void **state) {
	(void)state;
	static const struct pose_refusal rows[] = {
		{"{'root_motion': 'rest'}", ERROR_INVALID_VALUE, "", "\"mode\" is missing"},
		{"{'root_motion': 'rest', 'mode': 'drop'}", ERROR_INVALID_VALUE, "/mode",
			"keep, extract, zero, accumulate"},
		{"{'root_motion': 'rset', 'mode': 'zero'}", ERROR_UNKNOWN_OPERATION, "/root_motion",
			"rset"},
		{"{'root_motion': 'rest', 'mode': 'zero', 'joint': 'J7'}", ERROR_UNKNOWN_JOINT,
			"/joint", "J1"},
		{"{'root_motion': 'rest', 'mode': 'zero', 'turn': 1}", ERROR_INVALID_VALUE, "/turn",
			"true or false"},
		{"{'root_motion': 'rest', 'mode': 'zero', 'vertical': 'no'}", ERROR_INVALID_VALUE,
			"/vertical", "true or false"},
		{"{'root_motion': 'rest', 'mode': 'zero', 'axis': 'y'}", ERROR_UNKNOWN_MEMBER,
			"/axis", "root_motion, mode, joint, vertical, turn"},
		{"{'root_motion': {'clip': 'Straight', 'time': 1e300, 'loop': 'repeat'},"
		 "'mode': 'accumulate'}",
			ERROR_INVALID_VALUE, "/root_motion", "1e+300 loops"},
		{"{'root_motion': {'blend': [{'pose': {'clip': 'Straight'}}, {'pose': {'clip': "
		 "'Fast', 'time': 3.5, 'loop': 'repeat'}}]}, 'mode': 'extract'}",
			ERROR_INVALID_VALUE, "/root_motion", "different numbers of loops"},
		{"{'root_motion': {'blend': [{'pose': {'clip': 'Fast', 'time': 3.5, 'loop': "
		 "'repeat'}}, {'pose': {'clip': 'Straight'}}]}, 'mode': 'extract'}",
			ERROR_INVALID_VALUE, "/root_motion", "different numbers of loops"},
		{"{'root_motion': {'sync': [{'clip': 'Straight', 'markers': [0]}, {'clip': 'Fast',"
		 "'markers': [0.5]}], 'phase': 0.75}, 'mode': 'extract'}",
			ERROR_INVALID_VALUE, "/root_motion", "different numbers of loops"},
		{"{'root_motion': {'set': {'clip': 'Slant', 'time': 0.9}, 'joints': {'J0': "
		 "{'scale': [1e38, 1e38, 1e38]}}}, 'mode': 'zero', 'joint': 'J1', 'turn': "
		 "false}",
			ERROR_INVALID_VALUE, "/root_motion", "joint \"J1\" cannot be moved"},
	};
	struct walks walks;
	struct rig *rig = rig_walking(&walks);
	expect_pose_refusals(rig, rows, sizeof rows / sizeof *rows);
	rig_release(rig);
}

static void headings_are_twists(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct arena *arena = arena_create();
	struct pose pose = pose_rest(rig, arena);
	double y[4] = {0, sin(25 * DEGREE), 0, cos(25 * DEGREE)};
	const double x[4] = {sin(10 * DEGREE), 0, 0, cos(10 * DEGREE)};
	quat_multiply(y, x, y);
	for (int sign = 1; sign >= -1; sign -= 2) {
		for (int i = 0; i < 4; i++) {
			pose.local[1].rotation[i] = (float)(sign * y[i]);
		}
		struct root_motion frame;
		root_frame(rig, &pose, &(struct root_axes){1, false, true}, &frame);
		assert_near(frame.yaw_rad / DEGREE, 50, 1e-5);
	}
	arena_destroy(arena);
	rig_release(rig);
}

/* The position of joint 1: x, y, z and its heading in degrees. */
static void place_of(const struct rig *rig, const struct pose *pose, double out[static 4]) {
	struct root_motion frame;
	root_frame(rig, pose, &(struct root_axes){1, true, true}, &frame);
	memcpy(out, frame.translation, sizeof frame.translation);
	out[3] = frame.yaw_rad / DEGREE;
}

static void expect_place(const struct rig *rig, const char *expression, const double expected[4]) {
	struct arena *arena = arena_create();
	const struct pose pose = pose_of(rig, arena, expression);
	double place[4];
	place_of(rig, &pose, place);
	for (int i = 0; i < 4; i++) {
		if (fabs(place[i] - expected[i]) > 1e-5) {
			fail_msg("%s: place[%d] is %g, expected %g", expression, i, place[i],
				expected[i]);
		}
	}
	arena_destroy(arena);
}

static void loops_go_on_from_one_another(void **state) {
	(void)state;
	static const struct {
		const char *pose;
		double place[4];
	} rows[] = {
		{"{'clip': 'Straight', 'time': 10.5, 'loop': 'repeat'}", {0, 1, 12.6, 0}},
		{"{'clip': 'Straight', 'time': 0.5, 'loop': 'repeat'}", {0, 1, 0.6, 0}},
		{"{'clip': 'Straight', 'time': -1.5, 'loop': 'repeat'}", {0, 1, -1.8, 0}},
		{"{'clip': 'Straight', 'time': 10.5}", {0, 1, 1.2, 0}},
		{"{'clip': 'Straight', 'time': 10.5, 'loop': 'ping_pong'}", {0, 1, 0.6, 0}},
		{"{'scale_time': {'clip': 'Straight', 'time': 5.25, 'loop': 'repeat'}, 'factor': "
		 "2}",
			{0, 1, 12.6, 0}},
		{"{'reverse': {'clip': 'Straight', 'time': 2.5, 'loop': 'repeat'}}",
			{0, 1, -1.8, 0}},
		{"{'sync': [{'clip': 'Straight'}], 'time': 10.5}", {0, 1, 12.6, 0}},
		{"{'sync': [{'clip': 'Straight'}, {'clip': 'Fast'}], 'time': -1.5}",
			{0, 1, -2.7, 0}},
		{"{'blend_space': [{'at': 1.2, 'pose': {'clip': 'Straight'}}, {'at': 2.4, 'pose': "
		 "{'clip': 'Fast'}}], 'at': 1.8, 'synchronised': true, 'time': 2.25}",
			{0, 1, 4.05, 0}},
		{"{'sync': [{'clip': 'Straight', 'markers': [0.25]}], 'time': 2.8}",
			{0, 1, 3.66, 0}},
		{"{'clip': 'Circle', 'time': 1, 'loop': 'repeat'}", {1, 1, 1, 90}},
		{"{'clip': 'Circle', 'time': 2, 'loop': 'repeat'}", {2, 1, 0, 180}},
		{"{'clip': 'Circle', 'time': 3, 'loop': 'repeat'}", {1, 1, -1, -90}},
		{"{'clip': 'Circle', 'time': 4, 'loop': 'repeat'}", {0, 1, 0, 0}},
		{"{'clip': 'Circle', 'time': 4000, 'loop': 'repeat'}", {0, 1, 0, 0}},
	};
	struct walks walks;
	struct rig *rig = rig_walking(&walks);
	struct arena *arena = arena_create();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		expect_place(rig,
			arena_printf(arena,
				"{'root_motion': %s, 'mode': 'accumulate', 'joint': 'J1'}",
				rows[i].pose),
			rows[i].place);
	}
	arena_destroy(arena);
	rig_release(rig);
}

static void within_a_loop_nothing_is_added_to_the_bit(void **state) {
	(void)state;
	struct walks walks;
	struct rig *rig = rig_walking(&walks);
	struct arena *arena = arena_create();
	const struct pose clip = pose_of(rig, arena, "{'clip': 'Slant', 'time': 0.7}");
	const struct pose kept = pose_of(
		rig, arena, "{'root_motion': {'clip': 'Slant', 'time': 0.7}, 'mode': 'keep'}");
	const struct pose start = pose_of(rig, arena, "{'clip': 'Slant', 'time': 0}");
	const struct pose zero = pose_of(
		rig, arena, "{'root_motion': {'clip': 'Slant', 'time': 0}, 'mode': 'zero'}");
	const struct pose all = pose_of(rig, arena,
		"{'root_motion': {'clip': 'Slant', 'time': 0.7}, 'mode': 'accumulate'}");
	expect_same_pose(&kept, &clip);
	expect_same_pose(&zero, &start);
	expect_near_pose(&all, &clip, 1e-6);
	assert_false(zero.root.carried || kept.root.carried || all.root.carried);
	arena_destroy(arena);
	rig_release(rig);
}

/* R * hips' = hips, for what is answered beside the pose; without it, the walk is on the spot. */
static void what_is_taken_out_puts_it_back(void **state) {
	(void)state;
	static const char *const flags[] = {
		"", ", 'turn': false", ", 'vertical': true", ", 'turn': false, 'vertical': true"};
	struct walks walks;
	struct rig *rig = rig_walking(&walks);
	set_rotation(&rig->joints[0].rest, 0.6, 0, 0.8, 70);
	rig->joints[0].rest.scale[0] = rig->joints[0].rest.scale[1] = rig->joints[0].rest.scale[2] =
		0.1f;
	struct arena *arena = arena_create();
	for (int i = 0; i < 4; i++) {
		const char *inner = "{'clip': 'Slant', 'time': 0.7}";
		const struct pose was = pose_of(rig, arena, inner);
		struct pose is = pose_of(rig, arena,
			arena_printf(arena,
				"{'root_motion': %s, 'mode': 'extract', 'joint': 'J1'%s}", inner,
				flags[i]));
		double start[4], spot[4], end[4], t[3], q[4];
		const struct pose first = pose_of(rig, arena, "{'clip': 'Slant', 'time': 0}");
		place_of(rig, &first, start);
		place_of(rig, &was, end);
		place_of(rig, &is, spot);
		assert_near(spot[0], start[0], 1e-6);
		assert_near(spot[1], i >= 2 ? start[1] : end[1], 1e-6);
		assert_near(spot[2], start[2], 1e-6);
		assert_near(spot[3], i % 2 ? end[3] : start[3], 1e-4);
		assert_true(root_of_pose(rig, &is, t, q));
		const struct root_motion motion = {{t[0], t[1], t[2]}, 2 * atan2(q[1], q[3])};
		const struct root_axes axes = {1, true, i % 2 == 0};
		assert_true(root_move(rig, &motion, &axes, &is));
		expect_near_pose(&is, &was, 2e-6);
	}
	arena_destroy(arena);
	rig_release(rig);
}

/* Half of one walk and half of another that is twice as fast, the second of which has passed more
 * loops: each has its own way, and their mean is put back. */
static void blends_average_the_ways(void **state) {
	(void)state;
	struct walks walks;
	struct rig *rig = rig_walking(&walks);
	expect_place(rig,
		"{'root_motion': {'blend': ["
		"{'pose': {'root_motion': {'clip': 'Straight', 'time': 3.5, 'loop': 'repeat'},"
		"'mode': 'extract', 'joint': 'J1'}},"
		"{'pose': {'root_motion': {'scale_time': {'clip': 'Fast', 'time': 3.5, 'loop': "
		"'repeat'}, 'factor': 2}, 'mode': 'extract', 'joint': 'J1'}, 'weight': 3}]},"
		"'mode': 'accumulate'}",
		(double[4]){0, 1, 0.25 * 4.2 + 0.75 * 16.8, 0});
	// One that carries none has no say; mirrored, the way goes to the other side.
	expect_place(rig,
		"{'root_motion': {'mirror': {'blend': [{'pose': 'rest'},"
		"{'pose': {'root_motion': {'clip': 'Circle', 'time': 2, 'loop': 'repeat'},"
		"'mode': 'extract', 'joint': 'J1'}}]}}, 'mode': 'accumulate'}",
		(double[4]){-2, 1, 0, 180});
	rig_release(rig);
}

static void the_first_joint_that_moves_is_the_one(void **state) {
	(void)state;
	struct walks walks;
	struct rig *rig = rig_walking(&walks);
	expect_place(rig, "{'root_motion': {'clip': 'Slant', 'time': 1}, 'mode': 'zero'}",
		(double[4]){0.5, 1.5, -2, 35});
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(headings_are_twists),
		cmocka_unit_test(loops_go_on_from_one_another),
		cmocka_unit_test(within_a_loop_nothing_is_added_to_the_bit),
		cmocka_unit_test(what_is_taken_out_puts_it_back),
		cmocka_unit_test(blends_average_the_ways),
		cmocka_unit_test(the_first_joint_that_moves_is_the_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
