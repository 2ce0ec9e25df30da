// Morph targets checked against METHODS A2's oracles.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "rigs.h"
#include "skin/displacement.h"

#define VERTICES 20

/* Random vertices with two targets on joint 0. */
static struct rig *rig_with_targets(float *deltas) {
	struct rig *rig = rig_random(17, 3, VERTICES, 4);
	unsigned seed = 3;
	for (int i = 0; i < VERTICES * 12; i++) {
		deltas[i] = (float)random_number(&seed);
	}
	rig->weight_count = rig->joints[0].weight_count = 2;
	rig->rest_weights = rig_storage(rig, 2, sizeof *rig->rest_weights, "", NULL);
	struct morph_target *targets = xcalloc(2, sizeof *targets);
	for (int t = 0; t < 2; t++) {
		targets[t].positions = deltas + t * VERTICES * 6;
		targets[t].normals = deltas + t * VERTICES * 6 + VERTICES * 3;
	}
	rig->primitives[0].target_count = 2;
	rig->primitives[0].targets = targets;
	return rig;
}

struct morphed {
	float positions[VERTICES * 3], normals[VERTICES * 3];
};

static struct morphed morph(const struct rig *rig, float a, float b) {
	const float weights[2] = {a, b};
	struct morphed out;
	morph_apply(rig, weights, out.positions, out.normals, NULL);
	return out;
}

static void zero_weights_give_the_base_to_the_bit(void **state) {
	(void)state;
	float deltas[VERTICES * 12];
	struct rig *rig = rig_with_targets(deltas);
	const struct morphed out = morph(rig, 0, 0);
	assert_memory_equal(out.positions, rig->positions, sizeof out.positions);
	assert_memory_equal(out.normals, rig->normals, sizeof out.normals);
	const float zero[2] = {0, 0}, some[2] = {0, 0.5f};
	assert_false(morph_is_active(rig, zero));
	assert_true(morph_is_active(rig, some));
	rig_release(rig);
}

static void one_weight_alone_is_its_target(void **state) {
	(void)state;
	float deltas[VERTICES * 12];
	struct rig *rig = rig_with_targets(deltas);
	const struct morphed out = morph(rig, 0, 1);
	for (int i = 0; i < VERTICES * 3; i++) {
		assert_near(out.positions[i], rig->positions[i] + deltas[VERTICES * 6 + i], 1e-6);
	}
	rig_release(rig);
}

static void positions_are_linear_in_the_weights(void **state) {
	(void)state;
	float deltas[VERTICES * 12];
	struct rig *rig = rig_with_targets(deltas);
	const struct morphed a = morph(rig, -0.75f, 0), b = morph(rig, 0, 1.5f);
	const struct morphed both = morph(rig, -0.75f, 1.5f);
	for (int i = 0; i < VERTICES * 3; i++) {
		const double base = rig->positions[i];
		assert_near(both.positions[i] - base,
			(a.positions[i] - base) + (b.positions[i] - base), 1e-6);
	}
	rig_release(rig);
}

static void normals_come_out_unit(void **state) {
	(void)state;
	float deltas[VERTICES * 12];
	struct rig *rig = rig_with_targets(deltas);
	const struct morphed out = morph(rig, 0.5f, 0.25f);
	for (int i = 0; i < VERTICES; i++) {
		const float *n = out.normals + i * 3;
		assert_near(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1, 1e-6);
	}
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zero_weights_give_the_base_to_the_bit),
		cmocka_unit_test(one_weight_alone_is_its_target),
		cmocka_unit_test(positions_are_linear_in_the_weights),
		cmocka_unit_test(normals_come_out_unit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
