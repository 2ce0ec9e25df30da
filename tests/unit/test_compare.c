// Comparisons of skinning methods, checked against METHODS' numbers for cyl2 and plain loops.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "json_value.h"
#include "renderer.h"
#include "rigs.h"

#include "check.h"

#define ROOM ((size_t)1 << 28)

static struct renderer *renderer;

static int start(void **state) {
	(void)state;
	const struct renderer_options options = {.choice = RENDERER_NONE};
	renderer = renderer_create(&options, NULL);
	return renderer ? 0 : 1;
}

static int stop(void **state) {
	(void)state;
	renderer_destroy(renderer);
	return 0;
}

/* J1 of cyl2 turned by half of an angle's sine and cosine about an axis. */
#define TWIST_180 "{'set': 'rest', 'joints': {'1': {'rotation': [0, 1, 0, 0]}}}"
#define BEND_90 "{'set': 'rest', 'joints': {'1': {'rotation': [0, 0, 0.70710678, 0.70710678]}}}"

/* lbs and dqs in a pose of a rig. */
static struct comparison compare(
	const struct rig *rig, const char *pose, size_t worst, struct arena *arena) {
	struct skinning_settings *methods = arena_alloc(arena, 2, sizeof *methods);
	methods[0].method = json_value(arena, "'lbs'");
	methods[1].method = json_value(arena, "'dqs'");
	const struct compare_job job = {
		.subject = {.rig = rig, .pose = json_value(arena, pose)},
		.methods = methods,
		.count = 2,
		.worst = worst,
		.max_bytes = ROOM,
	};
	struct comparison out;
	struct error err = {0};
	if (!renderer_compare(renderer, &job, arena, &out, &err)) {
		fail_msg("%s", err.text);
	}
	return out;
}

/* cyl2 with the bounds of its rest pose, which an importer would give it. */
static struct rig *bounded_cyl2(void) {
	struct rig *rig = rig_cyl2();
	rig->bounds = (struct bounds){.min = {-0.1, 0, -0.1}, .max = {0.1, 2, 0.1}};
	return rig;
}

static void knows_the_volumes_of_cyl2(void **state) {
	(void)state;
	static const struct {
		const char *pose;
		double lbs, dqs, apart; // V/V0 and the greatest distance
	} rows[] = {
		{TWIST_180, 0.833333, 0.990651, 0.1},
		{BEND_90, 0.957500, 0.998458, 0.034326},
		{"'rest'", 1, 1, 0},
	};
	struct rig *rig = bounded_cyl2();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena *arena = arena_create();
		const struct comparison found = compare(rig, rows[i].pose, 0, arena);
		assert_true(found.closed);
		assert_near(found.rest_volume, 0.061229349, 1e-8);
		assert_near(found.methods[0].volume / found.rest_volume, rows[i].lbs, 2e-6);
		assert_near(found.methods[1].volume / found.rest_volume, rows[i].dqs, 2e-6);
		assert_near(found.pairs[0].max, rows[i].apart, 1e-6);
		arena_destroy(arena);
	}
	rig_release(rig);
}

/* Three vertices beside the axis, of which lbs draws the half weighted one onto it. */
static void lists_the_worst_with_their_joints(void **state) {
	(void)state;
	static const float positions[3][3] = {{0.1f, 1, 0}, {0.2f, 1, 0}, {0.1f, 1, 0}};
	static const float weights[3] = {0.25f, 0.5f, 1};
	struct rig *rig = rig_cyl2_vertices(3, positions, weights);
	struct arena *arena = arena_create();
	const struct comparison found = compare(rig, TWIST_180, 5, arena);
	const struct compared_pair *pair = &found.pairs[0];
	// dqs turns by 2 atan2(w, 1 - w) and keeps the radius; lbs stays on the x axis (METHODS
	// A11).
	const double angle = 2 * atan2(0.25, 0.75);
	const double quarter = hypot(0.1 * cos(angle) - 0.05, 0.1 * sin(angle));
	assert_int_equal(pair->worst_count, 2);
	assert_int_equal(pair->worst[0].vertex, 1);
	assert_near(pair->worst[0].distance, 0.2, 1e-7);
	assert_int_equal(pair->worst[1].vertex, 0);
	assert_near(pair->worst[1].distance, quarter, 1e-7);
	assert_near(pair->max, 0.2, 1e-7);
	assert_near(pair->mean, (0.2 + quarter) / 3, 1e-7);
	assert_near(pair->rms, sqrt((0.04 + quarter * quarter) / 3), 1e-7);
	const struct compared_vertex *quartered = &pair->worst[1];
	assert_int_equal(quartered->joint_count, 2);
	assert_int_equal(quartered->joints[0].joint, 0);
	assert_near(quartered->joints[0].weight, 0.75, 0);
	assert_int_equal(quartered->joints[1].joint, 1);
	assert_near(quartered->joints[1].weight, 0.25, 0);
	assert_near(quartered->a[0], 0.05, 1e-7);
	assert_near(quartered->b[0], 0.1 * cos(angle), 1e-7);
	assert_int_equal(compare(rig, TWIST_180, 1, arena).pairs[0].worst_count, 1);
	arena_destroy(arena);
	rig_release(rig);
}

static void takes_all_pairs_in_order(void **state) {
	(void)state;
	struct rig *rig = bounded_cyl2();
	struct arena *arena = arena_create();
	struct skinning_settings methods[4] = {{0}};
	methods[1].method = json_value(arena, "'dqs'");
	methods[3].method = json_value(arena, "'dqs'");
	const struct compare_job job = {
		.subject = {.rig = rig, .pose = json_value(arena, TWIST_180)},
		.methods = methods,
		.count = 4,
		.worst = 3,
		.max_bytes = ROOM,
	};
	struct comparison found;
	assert_true(renderer_compare(renderer, &job, arena, &found, NULL));
	static const struct {
		size_t a, b;
		double max;
	} rows[] = {{0, 1, 0.1}, {0, 2, 0}, {0, 3, 0.1}, {1, 2, 0.1}, {1, 3, 0}, {2, 3, 0.1}};
	assert_int_equal(found.pair_count, 6);
	for (size_t i = 0; i < 6; i++) {
		assert_int_equal(found.pairs[i].a, rows[i].a);
		assert_int_equal(found.pairs[i].b, rows[i].b);
		assert_near(found.pairs[i].max, rows[i].max, 1e-7);
		assert_int_equal(found.pairs[i].worst_count, rows[i].max > 0 ? 3 : 0);
	}
	assert_string_equal(found.methods[2].report.method, "lbs");
	assert_string_equal(found.methods[3].report.method, "dqs");
	assert_near(found.diagonal, sqrt(0.04 + 4 + 0.04), 1e-12);
	arena_destroy(arena);
	rig_release(rig);
}

/* The same triangles with vertices of their own, as faceted models have them. */
static struct rig *faceted(const struct rig *rig) {
	float(*positions)[3] = xcalloc((size_t)rig->index_count, sizeof *positions);
	float *weights = xcalloc((size_t)rig->index_count, sizeof *weights);
	for (int i = 0; i < rig->index_count; i++) {
		const uint32_t v = rig->indices[i];
		memcpy(positions[i], rig->positions + v * 3, sizeof *positions);
		// -0 is in the place of 0.
		positions[i][0] = positions[i][0] == 0 && i % 2 ? -0.0f : positions[i][0];
		weights[i] = fminf(fmaxf((positions[i][1] - 0.75f) / 0.5f, 0), 1);
	}
	struct rig *out =
		rig_cyl2_vertices(rig->index_count, (const float(*)[3])positions, weights);
	free(positions);
	free(weights);
	return out;
}

static void tells_closed_surfaces_from_open_ones(void **state) {
	(void)state;
	struct rig *whole = bounded_cyl2(), *parted = faceted(whole);
	struct arena *arena = arena_create();
	const struct comparison found = compare(parted, TWIST_180, 0, arena);
	assert_true(found.closed);
	assert_near(found.rest_volume, 0.061229349, 1e-8);
	assert_near(found.methods[0].volume / found.rest_volume, 0.833333, 2e-6);
	// A triangle turned round leaves its three edges unmet, and so does one that is not there.
	const uint32_t first = whole->indices[0];
	whole->indices[0] = whole->indices[1];
	whole->indices[1] = first;
	assert_false(compare(whole, "'rest'", 0, arena).closed);
	whole->indices[1] = whole->indices[0];
	assert_false(compare(whole, "'rest'", 0, arena).closed);
	whole->primitives[0].topology = TOPOLOGY_POINTS;
	const struct comparison points = compare(whole, "'rest'", 0, arena);
	assert_false(points.closed);
	assert_near(points.rest_volume, 0, 0);
	arena_destroy(arena);
	rig_release(parted);
	rig_release(whole);
}

/* Mirrored by its pose a solid is as large as before, and not less than nothing. */
static void mirrored_solids_have_positive_volumes(void **state) {
	(void)state;
	struct rig *rig = bounded_cyl2();
	struct arena *arena = arena_create();
	const struct comparison found =
		compare(rig, "{'set': 'rest', 'joints': {'0': {'scale': [-1, 1, 1]}}}", 0, arena);
	assert_near(found.methods[0].volume, 0.061229349, 1e-8);
	arena_destroy(arena);
	rig_release(rig);
}

static void refuses_what_takes_too_much_memory(void **state) {
	(void)state;
	struct rig *rig = bounded_cyl2();
	struct arena *arena = arena_create();
	const struct skinning_settings methods[2] = {{0}};
	// Two methods and the rest pose, 658 vertices of 12 bytes each.
	struct compare_job job = {
		.subject = {.rig = rig},
		.methods = methods,
		.count = 2,
		.max_bytes = 23687,
	};
	struct comparison found;
	struct error err = {0};
	assert_false(renderer_compare(renderer, &job, arena, &found, &err));
	assert_int_equal(err.code, ERROR_TOO_LARGE);
	job.max_bytes++;
	assert_true(renderer_compare(renderer, &job, arena, &found, NULL));
	arena_destroy(arena);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_what_takes_too_much_memory),
		cmocka_unit_test(knows_the_volumes_of_cyl2),
		cmocka_unit_test(lists_the_worst_with_their_joints),
		cmocka_unit_test(takes_all_pairs_in_order),
		cmocka_unit_test(tells_closed_surfaces_from_open_ones),
		cmocka_unit_test(mirrored_solids_have_positive_volumes),
	};
	return cmocka_run_group_tests(tests, start, stop);
}
