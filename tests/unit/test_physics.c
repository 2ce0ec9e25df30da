// Rigid bodies: free fall, joints that hold, stops that stop, rest, and the same bits every time.
#include "physics/physics.h"

#include <pthread.h>
#include <string.h>

#include "base/quat.h"
#include "base/vec.h"
#include "check.h"
#include "json_value.h"

#define CHAIN 12

static struct physics_body ball_at(double x, double y) {
	return (struct physics_body){
		.position = {x, y, 0},
		.rotation = {0, sqrt(0.5), 0, sqrt(0.5)}, // the capsule lies along x
		.radius = 0.05,
		.length = 0.2,
		.mass = 1,
		.parent = -1,
	};
}

static void step(struct physics *physics) {
	struct error err = {0};
	if (!physics_step(physics, &err)) {
		fail_msg("%s", err.text);
	}
}

static void falls_as_the_step_has_it(void **state) {
	(void)state;
	// METHODS C.16: y = -g h^2 n (n + 1) / 2.
	const struct physics_body body = ball_at(0, 0);
	const struct physics_setup setup = {
		.bodies = &body, .body_count = 1, .step_s = 0.01, .gravity = {0, -9.81, 0}};
	struct physics *physics = physics_create(&setup);
	for (int i = 0; i < 100; i++) {
		step(physics);
	}
	struct physics_state after;
	physics_get(physics, 0, &after);
	assert_near(after.position[1], -4.954050, 1e-9);
	assert_near(after.velocity[1], -9.81, 1e-12);
	physics_destroy(physics);
}

/* A chain along x whose first body is held by nothing, above a ground. */
static struct physics *create_chain(struct physics_body bodies[static CHAIN]) {
	static const int pairs[][2] = {{0, 2}, {0, 5}, {3, 9}, {1, 11}};
	for (int i = 0; i < CHAIN; i++) {
		bodies[i] = ball_at(0.3 * i, 1 + 0.1 * i);
		bodies[i].parent = i - 1;
		bodies[i].joint[0] = 0.3 * i - 0.15;
		bodies[i].joint[1] = 1 + 0.1 * i - 0.05;
		bodies[i].spin[2] = i;
		bodies[i].velocity[0] = 0.1 * i;
	}
	const struct physics_setup setup = {
		.bodies = bodies,
		.body_count = CHAIN,
		.pairs = pairs,
		.pair_count = 4,
		.step_s = 1.0 / 120,
		.gravity = {0, -9.81, 0},
		.grounded = true,
		.ground_normal = {0, 1, 0},
	};
	return physics_create(&setup);
}

/* The position of a body's joint by the body itself, or by its parent. */
static void joint_by(const struct physics *physics, const struct physics_body *bodies, int body,
	int by, double out[static 3]) {
	struct physics_state now;
	physics_get(physics, by, &now);
	double inverse[4];
	quat_conjugate(bodies[by].rotation, inverse);
	vec3_sub(bodies[body].joint, bodies[by].position, out);
	quat_rotate(inverse, out, out);
	quat_rotate(now.rotation, out, out);
	for (int i = 0; i < 3; i++) {
		out[i] += now.position[i];
	}
}

static void a_chain_comes_to_rest_on_the_ground_in_one_piece(void **state) {
	(void)state;
	struct physics_body bodies[CHAIN];
	struct physics *physics = create_chain(bodies);
	for (int i = 0; i < 1200; i++) {
		step(physics);
	}
	for (int i = 0; i < CHAIN; i++) {
		struct physics_state now;
		physics_get(physics, i, &now);
		assert_near(vec3_length(now.velocity), 0, 1e-12);
		assert_near(vec3_length(now.spin), 0, 1e-12);
		assert_true(now.position[1] > 0.05 - 2e-3);
		if (i > 0) {
			double child[3], parent[3], gap[3];
			joint_by(physics, bodies, i, i, child);
			joint_by(physics, bodies, i, i - 1, parent);
			vec3_sub(child, parent, gap);
			assert_true(vec3_length(gap) < 1e-3);
		}
	}
	physics_destroy(physics);
}

/* A pendulum that swings down about z from +x; its angle, 0 at the start, in turned. */
static struct physics *create_pendulum(bool hinged) {
	struct physics_body bodies[2] = {ball_at(0, 0), ball_at(0.3, 0)};
	bodies[0].mass = 1e6;
	bodies[1].parent = 0;
	bodies[1].joint[0] = 0.15;
	bodies[1].hinged = hinged;
	bodies[1].axis[2] = 1;
	bodies[1].spin[2] = -25;
	const struct physics_setup setup = {
		.bodies = bodies, .body_count = 2, .step_s = 1.0 / 120, .gravity = {0, 0, 0}};
	return physics_create(&setup);
}

static double angle_of(const struct physics *physics) {
	struct physics_state parent, child;
	physics_get(physics, 0, &parent);
	physics_get(physics, 1, &child);
	double turn[4], vector[3];
	quat_conjugate(parent.rotation, turn);
	quat_multiply(child.rotation, turn, turn);
	quat_to_vector(turn, vector);
	return vector[2];
}

static void a_bound_is_reached_and_kept(void **state) {
	(void)state;
	const double stop = -1.2, degree = 3.14159265358979 / 180;
	for (int hinged = 0; hinged < 2; hinged++) {
		struct physics *physics = create_pendulum(hinged);
		double least = 0;
		for (int i = 0; i < 120; i++) {
			const double way = angle_of(physics) - stop;
			const struct physics_turn turn = {
				.axis = {0, 0, -1}, .rate = (way > 0 ? 1 : 0.2) * way * 120};
			physics_set_turns(physics, 1, &turn, 1);
			step(physics);
			least = fmin(least, angle_of(physics));
		}
		print_message("overshoot %g degrees\n", (stop - least) / degree);
		assert_true(least > stop - 0.5 * degree);
		assert_near(angle_of(physics), stop, 0.5 * degree);
		physics_destroy(physics);
	}
}

static void a_spring_pulls_without_end(void **state) {
	(void)state;
	for (double stiffness = 1e-2; stiffness < 1e9; stiffness *= 100) {
		struct physics *physics = create_pendulum(false);
		const double damping = 0.2 * sqrt(stiffness);
		const double softness = 1 / (stiffness / 120 + damping);
		double most = 0;
		for (int i = 0; i < 600; i++) {
			const struct physics_turn turn = {.axis = {0, 0, 1},
				.rate = -stiffness * (angle_of(physics) - 0.5) * softness,
				.softness = softness,
				.exact = true};
			physics_set_turns(physics, 1, &turn, 1);
			step(physics);
			most = i > 300 ? fmax(most, fabs(angle_of(physics) - 0.5)) : 0;
		}
		if (stiffness >= 1) {
			assert_true(most < 0.05);
		}
		physics_destroy(physics);
	}
}

struct path {
	struct physics_state states[600];
};

static void *run(void *out) {
	struct path *path = out;
	struct physics_body bodies[CHAIN];
	struct physics *physics = create_chain(bodies);
	for (int i = 0; i < 600; i++) {
		for (int k = 1; k < CHAIN; k++) {
			const struct physics_turn turns[2] = {
				{{0, 0, 1}, 0.4, 0, false}, {{1, 0, 0}, 0.1, 0.2, true}};
			physics_set_turns(physics, k, turns, 2);
		}
		step(physics);
		physics_get(physics, i % CHAIN, &path->states[i]);
	}
	physics_destroy(physics);
	return NULL;
}

static void threads_at_the_same_time_get_the_same_bits(void **state) {
	(void)state;
	static struct path paths[5];
	pthread_t threads[4];
	run(&paths[4]);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(pthread_create(&threads[i], NULL, run, &paths[i]), 0);
	}
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
		assert_memory_equal(&paths[i], &paths[4], sizeof paths[4]);
	}
}

static void what_gets_too_fast_is_an_error(void **state) {
	(void)state;
	const struct physics_body body = ball_at(0, 0);
	const struct physics_setup setup = {
		.bodies = &body, .body_count = 1, .step_s = 1.0 / 120, .gravity = {0, -1e6, 0}};
	struct physics *physics = physics_create(&setup);
	struct error err = {0};
	assert_false(physics_step(physics, &err));
	expect_error(&err, ERROR_INVALID_VALUE, NULL, "faster than");
	physics_destroy(physics);
	physics_destroy(NULL);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_gets_too_fast_is_an_error),
		cmocka_unit_test(falls_as_the_step_has_it),
		cmocka_unit_test(a_chain_comes_to_rest_on_the_ground_in_one_piece),
		cmocka_unit_test(a_bound_is_reached_and_kept),
		cmocka_unit_test(a_spring_pulls_without_end),
		cmocka_unit_test(threads_at_the_same_time_get_the_same_bits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
