// Rag dolls: what is refused, what falling is known to be, joints, limits, rest, and the same bytes
// however it is asked for.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/quat.h"
#include "base/vec.h"
#include "check.h"
#include "json_value.h"
#include "pose/ragdoll/anatomy.h"
#include "pose/ragdoll/ragdoll.h"
#include "poses.h"
#include "rigs.h"
#include "shared_files.h"

#define DEGREE (3.14159265358979323846 / 180)

static int set_up(void **state) {
	*state = own_rig("assets/demo/humanoid.glb");
	return 0;
}

static int tear_down(void **state) {
	rig_release(*state);
	return 0;
}

static void refuses_with_the_place(void **state) {
	static const struct pose_refusal rows[] = {
		{"{'ragdoll': 'rset'}", ERROR_UNKNOWN_OPERATION, "/ragdoll", "rset"},
		{"{'ragdoll': 'rest', 'mass': 70}", ERROR_UNKNOWN_MEMBER, "/mass", "stiffness"},
		{"{'ragdoll': 'rest', 'time': 31}", ERROR_INVALID_VALUE, "/time", "30 s or less"},
		{"{'ragdoll': 'rest', 'time': '1'}", ERROR_INVALID_VALUE, "/time", "a string"},
		{"{'ragdoll': 'rest', 'gravity': -9.81}", ERROR_INVALID_VALUE, "/gravity",
			"3 numbers"},
		{"{'ragdoll': 'rest', 'gravity': [0, -1e308, 0]}", ERROR_INVALID_VALUE, "",
			"farther than numbers reach"},
		{"{'ragdoll': 'rest', 'gravity': [0, -1e6, 0], 'time': 1}", ERROR_INVALID_VALUE, "",
			"faster than"},
		{"{'ragdoll': 'rest', 'ground': true}", ERROR_INVALID_VALUE, "/ground", "a height"},
		{"{'ragdoll': 'rest', 'ground': {'point': [0, 0, 0]}}", ERROR_INVALID_VALUE,
			"/ground", "\"normal\" is missing"},
		{"{'ragdoll': 'rest', 'ground': {'point': [0, 0, 0], 'normal': [0, 0, 0]}}",
			ERROR_INVALID_VALUE, "/ground/normal", "no length"},
		{"{'ragdoll': 'rest', 'bodies': []}", ERROR_INVALID_VALUE, "/bodies", "1 to 64"},
		{"{'ragdoll': 'rest', 'bodies': 'Hips'}", ERROR_INVALID_VALUE, "/bodies",
			"1 to 64"},
		{"{'ragdoll': 'rest', 'bodies': ['Hips', 'Haed']}", ERROR_UNKNOWN_JOINT,
			"/bodies/1", "Head"},
		{"{'ragdoll': 'rest', 'bodies': ['Head', 'Hips', 'Head']}", ERROR_INVALID_VALUE,
			"/bodies/2", "already"},
		{"{'ragdoll': 'rest', 'limits': {'Head': {'cone': 400}}}", ERROR_INVALID_VALUE,
			"/limits/Head/cone", "180"},
		{"{'ragdoll': 'rest', 'damping': -1}", ERROR_INVALID_VALUE, "/damping", "-1"},
		{"{'ragdoll': 'rest', 'stiffness': 21}", ERROR_INVALID_VALUE, "/stiffness", "20"},
		{"{'reverse': {'ragdoll': 'rest'}}", ERROR_INVALID_VALUE, "/reverse", "no end"},
		{"{'ragdoll': {'set': 'rest', 'joints': {'Head': {'scale': [0, 0, 0]}}}}",
			ERROR_INVALID_VALUE, "", "\"Head\" no extent"},
		{"{'ragdoll': {'set': 'rest', 'joints': {'Head': {'translation': [0, 3e38, 0]}}}}",
			ERROR_INVALID_VALUE, "", "too far from"},
	};
	expect_pose_refusals(*state, rows, sizeof rows / sizeof *rows);
}

static void rigs_without_a_body_are_refused(void **state) {
	(void)state;
	struct rig *flat = rig_random(3, 4, 1, 4);
	const struct pose_refusal row = {
		"{'ragdoll': 'rest'}", ERROR_MISSING_DATA, "", "no extent"};
	expect_pose_refusals(flat, &row, 1);
	rig_release(flat);
}

/* Everything about a rag doll of the humanoid, released in an expression's pose. */
struct fall {
	struct ragdoll_fit fit;
	struct joint_limit limits[RAGDOLL_BODIES_MAX];
	struct pose pose;
	struct ragdoll *doll;
};

static void fit(const struct rig *rig, struct arena *arena, struct fall *fall) {
	struct humanoid humanoid;
	struct ragdoll_points points;
	struct error err = {0};
	const size_t count = (size_t)rig->joint_count;
	bool *must = arena_alloc(arena, count, sizeof *must);
	bool *never = arena_alloc(arena, count, sizeof *never);
	bool *chosen = arena_alloc(arena, count, sizeof *chosen);
	humanoid_find(rig, arena, &humanoid);
	assert_true(ragdoll_points_gather(rig, arena, &points, &err));
	anatomy_choose(rig, &humanoid, must, never);
	ragdoll_choose(rig, &points, must, never, arena, chosen);
	assert_true(ragdoll_fit_bodies(rig, &points, chosen, arena, &fall->fit, &err));
	for (int i = 0; i < fall->fit.count; i++) {
		if (fall->fit.bodies[i].parent >= 0) {
			anatomy_limit(rig, &humanoid, &points, &fall->fit, i, &fall->limits[i]);
		}
	}
}

static struct fall let_go(const struct rig *rig, struct arena *arena, const char *expression,
	double gravity, bool grounded) {
	struct fall fall = {0};
	fit(rig, arena, &fall);
	struct pose before = pose_rest(rig, arena);
	struct pose_context context = pose_context_make(rig, arena, NULL);
	const struct value *value = json_value(arena, expression);
	struct error err = {0};
	fall.pose = pose_rest(rig, arena);
	assert_true(pose_evaluate_into(&context, value, &fall.pose, &err));
	assert_true(pose_evaluate_later(&context, value, -RAGDOLL_STEP_S, &before, &err));
	const struct ragdoll_start start = {
		.rig = rig,
		.fit = &fall.fit,
		.limits = fall.limits,
		.before = &before,
		.pose = &fall.pose,
		.gravity = {0, -gravity, 0},
		.grounded = grounded,
		.ground_normal = {0, 1, 0},
		.damping = 2,
	};
	fall.doll = ragdoll_create(&start, arena, &err);
	if (!fall.doll) {
		fail_msg("%s", err.text);
	}
	return fall;
}

static struct pose written(const struct rig *rig, struct arena *arena, const struct fall *fall) {
	struct pose pose = pose_rest(rig, arena);
	struct error err = {0};
	memcpy(pose.local, fall->pose.local, (size_t)rig->joint_count * sizeof *pose.local);
	assert_true(ragdoll_write(fall->doll, 1, &pose, &err));
	return pose;
}

static void step(const struct fall *fall) {
	struct error err = {0};
	if (!ragdoll_step(fall->doll, NULL, &err)) {
		fail_msg("%s", err.text);
	}
}

static void bodies_are_those_of_a_human(void **state) {
	const struct rig *rig = *state;
	struct arena *arena = arena_create();
	struct fall fall = {0};
	fit(rig, arena, &fall);
	assert_int_equal(fall.fit.count, 19);
	for (int i = 0; i < fall.fit.count; i++) {
		const struct ragdoll_body *body = &fall.fit.bodies[i];
		const char *name = rig->joints[body->joint].name;
		assert_true(strcmp(name, "LeftFingers") != 0 && strcmp(name, "RightToe") != 0);
		assert_true(body->radius > 0.02 && body->radius < 0.15);
		assert_true(body->length + 2 * body->radius < 0.5);
		const bool hinge = strstr(name, "ForeArm") || strcmp(name, "LeftLeg") == 0 ||
			strcmp(name, "RightLeg") == 0;
		assert_true((fall.limits[i].kind == LIMIT_HINGE) == hinge);
		// Rest is within every limit.
		double rotation[4];
		for (int k = 0; k < 4; k++) {
			rotation[k] = rig->joints[body->joint].rest.rotation[k];
		}
		if (body->parent >= 0) {
			assert_false(limit_apply(&fall.limits[i], rotation));
		}
	}
	arena_destroy(arena);
}

static void the_moment_of_letting_go_is_the_pose(void **state) {
	const struct rig *rig = *state;
	struct arena *arena = arena_create();
	const char *run = "{'clip': 'Run', 'time': 0.4}";
	const struct pose pose = pose_of(rig, arena, run);
	const struct pose at =
		pose_of(rig, arena, "{'ragdoll': {'clip': 'Run', 'time': 0.4}, 'time': 0}");
	expect_same_pose(&at, &pose);
	const struct pose earlier = pose_of(rig, arena, "{'clip': 'Run', 'time': 0.3}");
	const struct pose before =
		pose_of(rig, arena, "{'ragdoll': {'clip': 'Run', 'time': 0.4}, 'time': -0.1}");
	expect_near_pose(&before, &earlier, 1e-6);
	// METHODS C.16: there and back within 1e-6.
	const struct fall fall = let_go(rig, arena, run, 9.81, true);
	const struct pose back = written(rig, arena, &fall);
	expect_near_pose(&back, &pose, 1e-6);
	arena_destroy(arena);
}

static void without_weight_and_speed_nothing_moves(void **state) {
	const struct rig *rig = *state;
	struct arena *arena = arena_create();
	const struct pose rest = pose_of(rig, arena, "'rest'");
	const struct pose later = pose_of(
		rig, arena, "{'ragdoll': 'rest', 'time': 2, 'gravity': [0, 0, 0], 'ground': null}");
	expect_near_pose(&later, &rest, 1e-6);
	arena_destroy(arena);
}

static void falls_freely_as_one(void **state) {
	const struct rig *rig = *state;
	struct arena *arena = arena_create();
	const struct pose rest = pose_of(rig, arena, "'rest'");
	const struct pose later =
		pose_of(rig, arena, "{'ragdoll': 'rest', 'time': 0.5, 'ground': null}");
	const double n = 0.5 / RAGDOLL_STEP_S;
	const double fall = 9.81 * RAGDOLL_STEP_S * RAGDOLL_STEP_S * n * (n + 1) / 2;
	assert_near(later.local[0].translation[1], rest.local[0].translation[1] - fall, 1e-6);
	for (int i = 1; i < rig->joint_count; i++) {
		for (int k = 0; k < 4; k++) {
			assert_near(later.local[i].rotation[k], rest.local[i].rotation[k], 1e-6);
		}
	}
	arena_destroy(arena);
}

static void flies_on_with_its_speed(void **state) {
	const struct rig *rig = *state;
	struct arena *arena = arena_create();
	const struct fall fall = let_go(rig, arena, "{'clip': 'Run', 'time': 0.4}", 0, false);
	double momentum[3] = {0}, later[3] = {0};
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < fall.fit.count; i++) {
			struct physics_body body;
			ragdoll_get(fall.doll, i, &body);
			for (int k = 0; k < 3; k++) {
				(round ? later : momentum)[k] += body.mass * body.velocity[k];
			}
		}
		for (int i = 0; i < 60; i++) {
			step(&fall);
		}
	}
	for (int k = 0; k < 3; k++) {
		assert_near(later[k], momentum[k], 1e-9);
	}
	assert_true(vec3_length(momentum) > 0.05);
	arena_destroy(arena);
}

/* Per unit of mass, of all bodies. */
static double energy_of(const struct fall *fall, double gravity) {
	double energy = 0;
	for (int i = 0; i < fall->fit.count; i++) {
		struct physics_body body;
		ragdoll_get(fall->doll, i, &body);
		energy += body.mass *
			(gravity * body.position[1] + 0.5 * vec3_dot(body.velocity, body.velocity));
	}
	return energy;
}

static double lowest_of(const struct fall *fall) {
	double lowest = INFINITY;
	for (int i = 0; i < fall->fit.count; i++) {
		struct physics_body body;
		ragdoll_get(fall->doll, i, &body);
		double along[3] = {0, 0, 0.5 * body.length};
		quat_rotate(body.rotation, along, along);
		lowest = fmin(lowest, body.position[1] - fabs(along[1]) - body.radius);
	}
	return lowest;
}

/* The farthest that a joint has gone beyond where its limit was when it was released: hinges have
 * one that they keep, and an angle across it that they keep. */
static double overshoot_of(
	const struct rig *rig, struct arena *arena, const struct fall *fall, bool hinges) {
	const struct pose pose = written(rig, arena, fall);
	double most = 0;
	for (int i = 0; i < fall->fit.count; i++) {
		double angle[2] = {0, 0};
		if ((fall->limits[i].kind == LIMIT_HINGE) != hinges ||
			fall->limits[i].kind == LIMIT_NONE) {
			continue;
		}
		for (int k = 0; k < 2; k++) {
			const struct transform *local =
				&(k ? &pose : &fall->pose)->local[fall->fit.bodies[i].joint];
			double rotation[4], inside[4], vector[3];
			for (int c = 0; c < 4; c++) {
				rotation[c] = local->rotation[c];
			}
			quat_normalize(rotation);
			memcpy(inside, rotation, sizeof inside);
			limit_apply(&fall->limits[i], inside);
			quat_conjugate(inside, inside);
			quat_multiply(inside, rotation, inside);
			quat_to_vector(inside, vector);
			angle[k] = vec3_length(vector);
		}
		most = fmax(most, angle[1] - angle[0]);
	}
	return most / DEGREE;
}

static void falls_end_in_one_piece(void **state) {
	const struct rig *rig = *state;
	static const char *const poses[] = {"{'clip': 'Run', 'time': 0.4}",
		"{'clip': 'Walk', 'time': 0.9}", "{'clip': 'Wave', 'time': 1.1}",
		"{'clip': 'Idle', 'time': 1}", "'rest'"};
	for (size_t p = 0; p < sizeof poses / sizeof *poses; p++) {
		struct arena *arena = arena_create();
		const struct fall fall = let_go(rig, arena, poses[p], 9.81, true);
		const double start = energy_of(&fall, 9.81);
		double energy = start, drift = 0, hinges = 0, cones = 0, lowest = 0, rise = 0;
		int still = 0;
		for (int i = 0; i < 2400; i++) {
			step(&fall);
			still = ragdoll_rests(fall.doll) && !still ? i + 1 : still;
			rise = fmax(rise, energy_of(&fall, 9.81) - energy);
			energy = energy_of(&fall, 9.81);
			drift = fmax(drift, ragdoll_drift(fall.doll));
			// The soles may be below the ground in the clip.
			lowest = i > 24 ? fmin(lowest, lowest_of(&fall)) : 0;
			struct arena *scratch = arena_create();
			hinges = fmax(hinges, overshoot_of(rig, scratch, &fall, true));
			cones = fmax(cones, overshoot_of(rig, scratch, &fall, false));
			arena_destroy(scratch);
		}
		print_message("%s: rests after %.1f s, drift %.2g m (%.2g at rest), overshoot %.2f "
			      "(hinges) %.1f (cones) degrees, %.1f mm into the ground, energy "
			      "rises by %.2g of %.3g\n",
			poses[p], still * RAGDOLL_STEP_S, drift, ragdoll_drift(fall.doll), hinges,
			cones, -1000 * lowest, rise, start);
		assert_true(still > 0);
		assert_true(ragdoll_drift(fall.doll) < 1e-3); // METHODS C.16
		assert_true(hinges < 3);                      // METHODS C.16
		assert_true(cones < 20);
		assert_true(lowest > -0.02);
		assert_true(rise < 0.01 * start);
		assert_true(energy < 0.5 * start);
		arena_destroy(arena);
	}
}

static void what_is_read_at_rest_lies_on_the_ground(void **state) {
	const struct rig *rig = *state;
	struct arena *arena = arena_create();
	const struct pose pose = pose_of(
		rig, arena, "{'ragdoll': {'clip': 'Run', 'time': 0.4}, 'time': 10, 'ground': 0.5}");
	double(*world)[12] = arena_alloc(arena, (size_t)rig->joint_count, sizeof *world);
	pose_to_world(rig, &pose, world);
	for (int i = 0; i < rig->joint_count; i++) {
		if (strcmp(rig->joints[i].name, "humanoid") != 0) {
			assert_true(world[i][7] > 0.5 - 0.03 && world[i][7] < 1.1);
		}
	}
	arena_destroy(arena);
}

/* Evaluates one expression for moments in any order, with one run. */
static void run_through(const struct rig *rig, struct arena *arena, const char *text,
	const double *later_s, int count, struct pose *poses) {
	struct pose_context context = pose_context_make(rig, arena, NULL);
	const struct value *value = json_value(arena, text);
	for (int i = 0; i < count; i++) {
		struct error err = {0};
		poses[i] = pose_rest(rig, arena);
		if (!pose_evaluate_later(&context, value, later_s[i], &poses[i], &err)) {
			fail_msg("%s", err.text);
		}
	}
}

static void going_on_is_the_same_as_from_the_start(void **state) {
	const struct rig *rig = *state;
	static const double later_s[] = {0, 0.1, 0.1, 0.2, 0.3333, 0.6, 0.2, 0.05, -0.05, 0.6};
	const int count = sizeof later_s / sizeof *later_s;
	for (int stiff = 0; stiff < 2; stiff++) {
		struct arena *arena = arena_create();
		struct pose poses[sizeof later_s / sizeof *later_s];
		run_through(rig, arena,
			stiff ? "{'ragdoll': {'clip': 'Run', 'time': 0.4}, 'stiffness': 3}"
			      : "{'ragdoll': {'clip': 'Run', 'time': 0.4}}",
			later_s, count, poses);
		for (int i = 0; i < count; i++) {
			const struct pose once = pose_of(rig, arena,
				arena_printf(arena,
					"{'ragdoll': {'clip': 'Run', 'time': 0.4}, 'time': %.17g, "
					"'stiffness': %d}",
					later_s[i], 3 * stiff));
			expect_same_pose(&once, &poses[i]);
		}
		arena_destroy(arena);
	}
}

static void many_and_nested_falls_are_bounded(void **state) {
	const struct rig *rig = *state;
	struct arena *arena = arena_create();
	struct pose_run run = {.arena = arena};
	struct pose_context context = pose_context_make(rig, arena, &run);
	struct error err = {0};
	struct pose pose;
	for (int i = 0; i < 40; i++) {
		const char *text = arena_printf(
			arena, "{'ragdoll': 'rest', 'time': 0.05, 'gravity': [0, %d, 0]}", -i % 20);
		assert_true(pose_evaluate(&context, json_value(arena, text), &pose, &err));
		const struct pose once = pose_of(rig, arena, text);
		expect_same_pose(&once, &pose);
	}
	const char *nested = "'rest'";
	for (int i = 0; i < 17; i++) {
		nested = arena_printf(
			arena, "{'ragdoll': %s, 'time': 0.01, 'stiffness': %d}", nested, i == 16);
		if (i == 2) {
			const struct pose once = pose_of(rig, arena, nested);
			assert_true(
				pose_evaluate(&context, json_value(arena, nested), &pose, &err));
			expect_same_pose(&once, &pose);
		}
	}
	assert_false(pose_evaluate(&context, json_value(arena, nested), &pose, &err));
	assert_int_equal(err.code, ERROR_TOO_LARGE);
	arena_destroy(arena);
}

static void scaled_time_runs_the_film_faster(void **state) {
	const struct rig *rig = *state;
	struct arena *arena = arena_create();
	const struct pose slow =
		pose_of(rig, arena, "{'ragdoll': {'clip': 'Run', 'time': 0.4}, 'time': 0.5}");
	const struct pose fast = pose_of(rig, arena,
		"{'scale_time': {'ragdoll': {'clip': 'Run', 'time': 0.4}, 'time': 0.25}, 'factor': "
		"2}");
	expect_same_pose(&fast, &slow);
	arena_destroy(arena);
}

struct worker {
	const struct rig *rig;
	struct arena *arena;
	struct pose pose;
};

static void *work(void *given) {
	struct worker *worker = given;
	worker->pose = pose_of(worker->rig, worker->arena,
		"{'ragdoll': {'clip': 'Walk', 'time': 0.4}, 'time': 1.5}");
	return NULL;
}

static void threads_at_the_same_time_get_the_same_bytes(void **state) {
	struct worker workers[4];
	pthread_t threads[4];
	for (int i = 0; i < 4; i++) {
		workers[i] = (struct worker){.rig = *state, .arena = arena_create()};
		if (i > 0) {
			assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
		}
	}
	for (int i = 1; i < 4; i++) {
		pthread_join(threads[i], NULL);
	}
	work(&workers[0]);
	for (int i = 1; i < 4; i++) {
		expect_same_pose(&workers[i].pose, &workers[0].pose);
	}
	for (int i = 0; i < 4; i++) {
		arena_destroy(workers[i].arena);
	}
}

static void size_does_not_matter_where_gravity_grows_with_it(void **state) {
	const struct rig *rig = *state;
	struct arena *arena = arena_create();
	const struct pose plain = pose_of(rig, arena, "{'ragdoll': 'rest', 'time': 0.8}");
	const struct pose rest = pose_of(rig, arena, "'rest'");
	for (double scale = 1e-4; scale < 1e5; scale *= 1e3) {
		const float *hips = rest.local[0].translation;
		const struct pose scaled = pose_of(rig, arena,
			arena_printf(arena,
				"{'ragdoll': {'set': 'rest', 'joints': {'Hips': {'scale': [%g, %g, "
				"%g], 'translation': [%.9g, %.9g, %.9g]}}}, 'time': 0.8, 'gravity':"
				" [0, %.17g, 0]}",
				scale, scale, scale, scale * hips[0], scale * hips[1],
				scale * hips[2], -9.81 * scale));
		// The scales are no powers of 2, and falls magnify what is rounded differently.
		for (int i = 0; i < rig->joint_count; i++) {
			for (int k = 0; k < 4; k++) {
				assert_near(scaled.local[i].rotation[k], plain.local[i].rotation[k],
					0.02);
			}
		}
	}
	arena_destroy(arena);
}

static void muscles_hold_a_pose_and_follow_a_clip(void **state) {
	const struct rig *rig = *state;
	struct arena *arena = arena_create();
	const struct pose wave = pose_of(rig, arena, "{'clip': 'Wave', 'time': 1.5}");
	const struct pose driven = pose_of(rig, arena,
		"{'ragdoll': {'clip': 'Wave', 'time': 0.5}, 'time': 1, 'gravity': [0, 0, 0], "
		"'ground': null, 'stiffness': 15}");
	for (int i = 1; i < rig->joint_count; i++) {
		double dot = 0;
		for (int k = 0; k < 4; k++) {
			dot += (double)wave.local[i].rotation[k] * driven.local[i].rotation[k];
		}
		assert_true(fabs(dot) > cos(0.5 * 12 * DEGREE));
	}
	arena_destroy(arena);
}

static void given_limits_and_bodies_hold(void **state) {
	const struct rig *rig = *state;
	struct arena *arena = arena_create();
	const struct pose pose = pose_of(rig, arena,
		"{'ragdoll': 'rest', 'time': 3, 'bodies': ['Hips', 'Chest', 'LeftUpLeg', "
		"'LeftLeg'],"
		" 'limits': {'Chest': {'cone': 0, 'twist': [0, 0]}, 'LeftUpLeg': {'cone': 10},"
		" 'LeftLeg': {'euler': {'min': [-5, -5, -5], 'max': [5, 5, 5]}}}}");
	const struct pose rest = pose_of(rig, arena, "'rest'");
	static const double most[] = {2, 12, 12};
	static const char *const names[] = {"Chest", "LeftUpLeg", "LeftLeg"};
	for (int i = 0; i < rig->joint_count; i++) {
		double turn[2][4], vector[3], allowed = 1e-4;
		for (int k = 0; k < 4; k++) {
			turn[0][k] = rest.local[i].rotation[k];
			turn[1][k] = pose.local[i].rotation[k];
		}
		quat_conjugate(turn[0], turn[0]);
		quat_multiply(turn[0], turn[1], turn[0]);
		quat_to_vector(turn[0], vector);
		for (int k = 0; k < 3; k++) {
			if (strcmp(rig->joints[i].name, names[k]) == 0) {
				// A cone alone leaves the twist free.
				allowed = k == 1 ? 180 : most[k];
			}
		}
		if (i > 0) {
			assert_true(vec3_length(vector) / DEGREE < allowed);
		}
	}
	arena_destroy(arena);
}

/* Any rig, pose and numbers: finite with unit rotations, or refused with a reason. */
static void nothing_else_than_poses_and_refusals(void **state) {
	(void)state;
	unsigned seed = 7;
	int posed = 0, count = 150;
	for (int i = 0; i < count; i++) {
		const int joints = 1 + i % 9;
		struct rig *rig =
			(i % 3 ? rig_random : rig_hub)((unsigned)i, joints, 5 + 7 * (i % 40), 4);
		struct arena *arena = arena_create();
		static const double strengths[] = {0, 1e-9, 9.81, 1000, 1e6};
		const double gravity = strengths[i % 5] * random_number(&seed);
		const char *text = arena_printf(arena,
			"{'ragdoll': %s, 'time': %g, 'gravity': [0, %g, %g], 'ground': %g,"
			" 'damping': %g, 'stiffness': %g}",
			random_pose(arena, rig, &seed), 0.2 * (1 + random_number(&seed)), gravity,
			0.1 * gravity, random_number(&seed), i % 2 ? 0.0 : 100.0,
			i % 4 ? 0.0 : 20.0);
		struct pose_context context = pose_context_make(rig, arena, NULL);
		struct pose pose;
		struct error err = {0};
		if (pose_evaluate(&context, json_value(arena, text), &pose, &err)) {
			posed++;
			for (int j = 0; j < joints; j++) {
				const struct transform *local = &pose.local[j];
				double square = 0;
				for (int k = 0; k < 4; k++) {
					square += (double)local->rotation[k] * local->rotation[k];
				}
				assert_near(square, 1, 1e-5);
				assert_true(isfinite(local->translation[0] + local->translation[1] +
					local->translation[2]));
			}
		} else {
			assert_true(err.has_pointer);
			assert_true(err.code == ERROR_INVALID_VALUE ||
				err.code == ERROR_MISSING_DATA || err.code == ERROR_TOO_LARGE);
		}
		arena_destroy(arena);
		rig_release(rig);
	}
	print_message("%d of %d are poses\n", posed, count);
	assert_true(posed > count / 4);
}

/* A fox of a real file, in centimetres, as it is and below a mirror: the fall is the same one. */
static void a_fox_lies_down_and_its_mirror_image_too(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct pose poses[2];
	struct rig *rigs[2];
	static const char *const names[] = {
		"derived-public-fox/Fox.base.glb", "derived-public-fox/Fox.under-mirror.glb"};
	for (int i = 0; i < 2; i++) {
		rigs[i] = shared_rig(names[i]);
		poses[i] = pose_of(rigs[i], arena,
			"{'ragdoll': {'clip': 'Run', 'time': 0.4}, 'time': 1, 'gravity': [0, -981, "
			"0]}");
	}
	for (int i = 0; i < rigs[0]->joint_count; i++) {
		const int other = rig_find_joint(rigs[1], rigs[0]->joints[i].name);
		double dot = 0;
		for (int k = 0; k < 4; k++) {
			dot += (double)poses[0].local[i].rotation[k] *
				poses[1].local[other].rotation[k];
		}
		assert_near(fabs(dot), 1, 1e-3);
	}
	rig_release(rigs[0]);
	rig_release(rigs[1]);
	arena_destroy(arena);
}

static void tells_what_a_second_takes(void **state) {
	const struct rig *rig = *state;
	struct arena *arena = arena_create();
	const struct fall fall = let_go(rig, arena, "{'clip': 'Run', 'time': 0.4}", 9.81, true);
	const double start_s = clock_now_s();
	for (int i = 0; i < 480; i++) {
		step(&fall);
	}
	print_message("%.0f ms for each of the first two seconds, %d bodies\n",
		500 * (clock_now_s() - start_s), fall.fit.count);
	arena_destroy(arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(rigs_without_a_body_are_refused),
		cmocka_unit_test(bodies_are_those_of_a_human),
		cmocka_unit_test(the_moment_of_letting_go_is_the_pose),
		cmocka_unit_test(without_weight_and_speed_nothing_moves),
		cmocka_unit_test(falls_freely_as_one),
		cmocka_unit_test(flies_on_with_its_speed),
		cmocka_unit_test(falls_end_in_one_piece),
		cmocka_unit_test(what_is_read_at_rest_lies_on_the_ground),
		cmocka_unit_test(going_on_is_the_same_as_from_the_start),
		cmocka_unit_test(many_and_nested_falls_are_bounded),
		cmocka_unit_test(scaled_time_runs_the_film_faster),
		cmocka_unit_test(threads_at_the_same_time_get_the_same_bytes),
		cmocka_unit_test(size_does_not_matter_where_gravity_grows_with_it),
		cmocka_unit_test(muscles_hold_a_pose_and_follow_a_clip),
		cmocka_unit_test(given_limits_and_bodies_hold),
		cmocka_unit_test(nothing_else_than_poses_and_refusals),
		cmocka_unit_test(a_fox_lies_down_and_its_mirror_image_too),
		cmocka_unit_test(tells_what_a_second_takes),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
