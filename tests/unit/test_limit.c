// Joint limits: what is refused, known clamps, and what holds for any rotations.
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "base/vec.h"
#include "check.h"
#include "json_value.h"
#include "pose/ik/limits.h"
#include "poses.h"
#include "rigs.h"

#define PI 3.14159265358979323846
#define DEGREE (PI / 180)

static void refuses_with_the_place(void **state) {
	(void)state;
	static const struct pose_refusal rows[] = {
		{"{'limit': 'rest'}", ERROR_INVALID_VALUE, "", "\"limits\" is missing"},
		{"{'limit': 'rset', 'limits': {}}", ERROR_UNKNOWN_OPERATION, "/limit", "rset"},
		{"{'limit': 'rest', 'limits': [1]}", ERROR_INVALID_VALUE, "/limits",
			"a list, must be an object"},
		{"{'limit': 'rest', 'limits': {'J9': {'cone': 1}}}", ERROR_UNKNOWN_JOINT,
			"/limits/J9", "nearest"},
		{"{'limit': 'rest', 'limits': {'J1': {'cone': 1}, '1': {'cone': 1}}}",
			ERROR_INVALID_VALUE, "/limits/1", "member of its own"},
		{"{'limit': 'rest', 'limits': {'J1': {}}}", ERROR_INVALID_VALUE, "/limits/J1",
			"nothing is limited"},
		{"{'limit': 'rest', 'limits': {'J1': {'axis': [1,0,0]}}}", ERROR_INVALID_VALUE,
			"/limits/J1", "nothing is limited"},
		{"{'limit': 'rest', 'limits': {'J1': {'cone': 181}}}", ERROR_INVALID_VALUE,
			"/limits/J1/cone", "from 0 to 180"},
		{"{'limit': 'rest', 'limits': {'J1': {'swing': [10, -1]}}}", ERROR_INVALID_VALUE,
			"/limits/J1/swing", "-1 degrees"},
		{"{'limit': 'rest', 'limits': {'J1': {'cone': 9, 'swing': [10, 1]}}}",
			ERROR_INVALID_VALUE, "/limits/J1/cone", "give one of them"},
		{"{'limit': 'rest', 'limits': {'J1': {'twist': [10, -10]}}}", ERROR_INVALID_VALUE,
			"/limits/J1/twist", "must go up"},
		{"{'limit': 'rest', 'limits': {'J1': {'twist': [-200, 200]}}}", ERROR_INVALID_VALUE,
			"/limits/J1/twist", "no more than 360"},
		{"{'limit': 'rest', 'limits': {'J1': {'cone': 9, 'axis': [0,0,0]}}}",
			ERROR_INVALID_VALUE, "/limits/J1/axis", "is zero"},
		{"{'limit': 'rest', 'limits': {'J1': {'cone': 9, 'axis': [0,2,0], 'side': [0,1,0]}}"
		 "}",
			ERROR_INVALID_VALUE, "/limits/J1/side", "along the axis"},
		{"{'limit': 'rest', 'limits': {'J1': {'cone': 9, 'hinge': {'min': 0, 'max': 1}}}}",
			ERROR_INVALID_VALUE, "/limits/J1/hinge", "no other member"},
		{"{'limit': 'rest', 'limits': {'J1': {'hinge': {'min': 0}}}}", ERROR_INVALID_VALUE,
			"/limits/J1/hinge", "\"max\" is missing"},
		{"{'limit': 'rest', 'limits': {'J1': {'hinge': {'min': 2, 'max': 1}}}}",
			ERROR_INVALID_VALUE, "/limits/J1/hinge", "must go up"},
		{"{'limit': 'rest', 'limits': {'J1': {'euler': {'order': 'XYX', 'min': [0,0,0],"
		 "'max': [1,1,1]}}}}",
			ERROR_INVALID_VALUE, "/limits/J1/euler/order", "XYX"},
		{"{'limit': 'rest', 'limits': {'J1': {'euler': {'min': [0,-90,0],"
		 "'max': [1,1,1]}}}}",
			ERROR_INVALID_VALUE, "/limits/J1/euler", "[-89, 89]"},
	};
	struct rig *rig = rig_random(5, 3, 1, 4);
	expect_pose_refusals(rig, rows, sizeof rows / sizeof *rows);
	rig_release(rig);
}

static void about(double x, double y, double z, double degrees, double q[static 4]) {
	const double vector[3] = {x * degrees * DEGREE, y * degrees * DEGREE, z * degrees * DEGREE};
	quat_from_vector(vector, q);
}

static void expect_near_rotation(const double q[static 4], const double expected[static 4]) {
	double dot = 0;
	for (int i = 0; i < 4; i++) {
		dot += q[i] * expected[i];
	}
	for (int i = 0; i < 4; i++) {
		assert_near(q[i], dot < 0 ? -expected[i] : expected[i], 1e-12);
	}
}

static struct joint_limit cone(double first, double second, double least, double most) {
	return (struct joint_limit){
		.kind = LIMIT_SWING_TWIST,
		.rest = {0, 0, 0, 1},
		.axis = {0, 1, 0},
		.side = {1, 0, 0},
		.swings = true,
		.swing = {first * DEGREE, second * DEGREE},
		.twists = true,
		.twist = {least * DEGREE, most * DEGREE},
	};
}

static void swing_and_twist_go_to_their_ends(void **state) {
	(void)state;
	// METHODS 0.5: Rx(40) Ry(70) is a swing of 40 degrees after a twist of 70.
	double x[4], y[4], q[4], expected[4];
	about(1, 0, 0, 40, x);
	about(0, 1, 0, 70, y);
	quat_multiply(x, y, q);
	const struct joint_limit limit = cone(25, 60, -30, 30);
	assert_true(limit_apply(&limit, q));
	about(1, 0, 0, 25, x);
	about(0, 1, 0, 30, y);
	quat_multiply(x, y, expected);
	expect_near_rotation(q, expected);
	// On the ellipse's other axis there is room for the swing, and of the twist the range.
	about(0, 0, 1, 40, q);
	memcpy(expected, q, sizeof q);
	assert_false(limit_apply(&limit, q));
	assert_memory_equal(q, expected, sizeof q);
	// Radially: (40, 40) on half axes of 25 and 60 is rho = sqrt(1.6^2 + (2/3)^2) outside.
	about(sqrt(0.5), 0, sqrt(0.5), 40 * sqrt(2), q);
	assert_true(limit_apply(&limit, q));
	const double rho = sqrt(1.6 * 1.6 + 4.0 / 9);
	about(sqrt(0.5), 0, sqrt(0.5), 40 * sqrt(2) / rho, expected);
	expect_near_rotation(q, expected);
}

static void angles_go_to_the_nearer_end_the_short_way_round(void **state) {
	(void)state;
	const struct joint_limit limit = {
		.kind = LIMIT_HINGE,
		.rest = {0, 0, 0, 1},
		.axis = {1, 0, 0},
		.twist = {0, 150 * DEGREE},
	};
	const double cases[][2] = {{-10, 0}, {160, 150}, {179, 150}, {-170, 150}, {-104, 0},
		{-106, 150}, {150.001, 150}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double q[4], expected[4];
		about(1, 0, 0, cases[i][0], q);
		about(1, 0, 0, cases[i][1], expected);
		limit_apply(&limit, q);
		expect_near_rotation(q, expected);
	}
	// The part of the rotation across the hinge is removed.
	double x[4], z[4], q[4];
	about(1, 0, 0, 80, x);
	about(0, 0, 1, 30, z);
	quat_multiply(z, x, q);
	assert_true(limit_apply(&limit, q));
	expect_near_rotation(q, x);
}

static void euler_angles_count_from_the_outermost(void **state) {
	(void)state;
	// METHODS C.3: "ZXY" (30, 40, 50) and "XYZ" (30, 40, 50), where 10 are left of the second.
	static const struct {
		int order[3];
		double q[4];
	} cases[] = {
		{{2, 0, 1}, {0.196628226, 0.463826910, 0.360042174, 0.785220715}},
		{{0, 1, 2}, {0.360042174, 0.196628226, 0.463826910, 0.785220715}},
	};
	for (size_t i = 0; i < 2; i++) {
		struct joint_limit limit = {
			.kind = LIMIT_EULER,
			.rest = {0, 0, 0, 1},
			.least = {-PI, -10 * DEGREE, -PI},
			.most = {PI, 10 * DEGREE, PI},
		};
		memcpy(limit.order, cases[i].order, sizeof limit.order);
		double q[4], expected[4] = {0, 0, 0, 1};
		memcpy(q, cases[i].q, sizeof q);
		assert_true(limit_apply(&limit, q));
		const double angles[3] = {30, 10, 50};
		for (int k = 0; k < 3; k++) {
			double axis[3] = {0}, step[4];
			axis[limit.order[k]] = 1;
			about(axis[0], axis[1], axis[2], angles[k], step);
			quat_multiply(expected, step, expected);
		}
		for (int k = 0; k < 4; k++) {
			assert_near(q[k], expected[k], 1e-8);
		}
	}
}

static void random_rotation(unsigned *seed, double q[static 4]) {
	do {
		for (int k = 0; k < 4; k++) {
			q[k] = random_number(seed);
		}
	} while (!(vec3_length(q) > 0.1));
	quat_normalize(q);
}

static struct joint_limit random_limit(unsigned *seed) {
	double q[4];
	struct joint_limit limit =
		cone(85 + 84.9 * random_number(seed), 85 + 84.9 * random_number(seed),
			-90 + 89 * random_number(seed), 90 + 89 * random_number(seed));
	limit.kind = random_number(seed) < 0 ? LIMIT_SWING_TWIST
		: random_number(seed) < 0    ? LIMIT_HINGE
					     : LIMIT_EULER;
	random_rotation(seed, q);
	quat_rotate(q, limit.axis, limit.axis);
	quat_rotate(q, limit.side, limit.side);
	random_rotation(seed, limit.rest);
	const int first = (int)(1.5 + 1.499 * random_number(seed));
	const bool back = random_number(seed) < 0;
	for (int k = 0; k < 3; k++) {
		limit.order[k] = (first + (back ? 3 - k : k)) % 3;
		limit.least[k] = (-45 + 44 * random_number(seed)) * DEGREE;
		limit.most[k] = (45 + 44 * random_number(seed)) * DEGREE;
	}
	return limit;
}

/* As it is, to what is 1e-5 wider. */
static struct joint_limit wider(const struct joint_limit *limit) {
	struct joint_limit wide = *limit;
	for (int k = 0; k < 3; k++) {
		wide.least[k] -= 8e-6; // and there are 2e-6 that are not looked at
		wide.most[k] += 8e-6;
		if (k < 2) {
			wide.swing[k] += 8e-6;
			wide.twist[k] += k ? 8e-6 : -8e-6;
		}
	}
	return wide;
}

static void no_limit_is_exceeded_after_float32(void **state) {
	(void)state;
	unsigned seed = 31;
	int outside = 0;
	for (int round = 0; round < 20000; round++) {
		const struct joint_limit limit = random_limit(&seed);
		double q[4], kept[4];
		random_rotation(&seed, q);
		memcpy(kept, q, sizeof q);
		if (!limit_apply(&limit, q)) {
			assert_memory_equal(q, kept, sizeof q);
			continue;
		}
		outside++;
		for (int k = 0; k < 4; k++) {
			q[k] = (float)q[k];
		}
		quat_normalize(q);
		struct joint_limit wide = wider(&limit);
		if (limit.kind == LIMIT_HINGE) { // what is across it counts, too
			wide.kind = LIMIT_SWING_TWIST;
			wide.swing[0] = wide.swing[1] = 8e-6;
		}
		assert_false(limit_apply(&wide, q));
	}
	assert_true(outside > 5000 && outside < 19500);
}

static void the_axis_is_the_bone_s(void **state) {
	(void)state;
	// J0's child is 1 up; J1 is the last and has its own offset for a bone.
	struct rig *rig = rig_cyl2();
	struct arena *arena = arena_create();
	struct pose_run run = {.arena = arena};
	struct error err = {0};
	const struct value *value = json_value(arena,
		"{'J0': {'cone': 10}, '1': {'hinge': {'axis': [0,0,-2], 'min': 0, 'max': 9}}}");
	const struct joint_limits *limits = limits_read(&run, rig, value, &err);
	assert_non_null(limits);
	assert_ptr_equal(limits_read(&run, rig, value, &err), limits);
	assert_int_equal(limits->count, 2);
	const struct joint_limit *first = limits_find(limits, 0), *second = limits_find(limits, 1);
	assert_near(first->axis[1], 1, 0);
	assert_near(first->side[0], 1, 0);
	assert_near(first->swing[1], 10 * DEGREE, 1e-15);
	assert_false(first->twists);
	assert_near(second->axis[2], -1, 0);
	assert_near(second->twist[1], 9 * DEGREE, 1e-15);
	assert_null(limits_find(limits_read(&run, rig, NULL, &err), 0));
	arena_destroy(arena);
	rig_release(rig);
}

static void poses_inside_keep_their_bits(void **state) {
	(void)state;
	struct rig *rig = rig_random(6, 5, 1, 4);
	struct arena *arena = arena_create();
	unsigned seed = 33;
	const char *limits =
		"{'J0': {'twist': [-180, 180]}, 'J1': {'cone': 180}, 'J2': {'swing': [180, 180]}}";
	const char *tight = "{'J1': {'cone': 5, 'twist': [-5, 5]}}";
	for (int round = 0; round < 50; round++) {
		const char *p = random_pose(arena, rig, &seed);
		const struct pose base = pose_of(rig, arena, p);
		const struct pose inside = pose_of(
			rig, arena, arena_printf(arena, "{'limit': %s, 'limits': %s}", p, limits));
		expect_same_pose(&inside, &base);
		const struct pose once = pose_of(
			rig, arena, arena_printf(arena, "{'limit': %s, 'limits': %s}", p, tight));
		const struct pose twice = pose_of(rig, arena,
			arena_printf(arena, "{'limit': {'limit': %s, 'limits': %s}, 'limits': %s}",
				p, tight, tight));
		expect_same_pose(&twice, &once);
		for (int i = 0; i < rig->joint_count; i++) {
			assert_true(i == 1 ||
				memcmp(&once.local[i], &base.local[i], sizeof base.local[i]) == 0);
		}
	}
	arena_destroy(arena);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(swing_and_twist_go_to_their_ends),
		cmocka_unit_test(angles_go_to_the_nearer_end_the_short_way_round),
		cmocka_unit_test(euler_angles_count_from_the_outermost),
		cmocka_unit_test(no_limit_is_exceeded_after_float32),
		cmocka_unit_test(the_axis_is_the_bone_s),
		cmocka_unit_test(poses_inside_keep_their_bits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
