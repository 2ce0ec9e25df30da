// Colours that tell joints apart: none is another's, and neighbours' are far apart.
#include "shading/legend.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "rigs.h"
#include "shared_files.h"
#include "skinned/influences.h"

/* The colours that one sees at once to be others: some steps of what is just to be noticed (2.3).
 */
#define SEEN 12.0

struct colors {
	struct rig *rig;
	double *weights;            // [joint_count]
	unsigned char (*colors)[3]; // [joint_count]
	struct arena *arena;
};

/* Takes the rig. weights NULL: those of its vertices. */
static struct colors fill(struct rig *rig, const double *weights) {
	const size_t count = (size_t)rig->joint_count;
	struct colors filled = {.rig = rig, .arena = arena_create()};
	filled.weights = arena_alloc(filled.arena, count, sizeof *filled.weights);
	filled.colors = arena_alloc(filled.arena, count, sizeof *filled.colors);
	if (weights) {
		memcpy(filled.weights, weights, count * sizeof *weights);
	} else {
		influences_sum(rig, filled.weights);
	}
	palette_fill(rig, filled.weights, filled.arena, filled.colors);
	return filled;
}

static void finish(struct colors *filled) {
	arena_destroy(filled->arena);
	rig_release(filled->rig);
}

static double lab_curve(double t) {
	return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

/* CIE 1976 L*a*b* of sRGB under D65. */
static void to_lab(const unsigned char rgb[static 3], double lab[static 3]) {
	double light[3];
	for (int i = 0; i < 3; i++) {
		const double x = rgb[i] / 255.0;
		light[i] = x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
	}
	const double x = 0.4124 * light[0] + 0.3576 * light[1] + 0.1805 * light[2];
	const double y = 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
	const double z = 0.0193 * light[0] + 0.1192 * light[1] + 0.9505 * light[2];
	lab[0] = 116 * lab_curve(y) - 16;
	lab[1] = 500 * (lab_curve(x / 0.9505) - lab_curve(y));
	lab[2] = 200 * (lab_curve(y) - lab_curve(z / 1.089));
}

static double apart(const unsigned char a[static 3], const unsigned char b[static 3]) {
	double x[3], y[3], sum = 0;
	to_lab(a, x);
	to_lab(b, y);
	for (int i = 0; i < 3; i++) {
		sum += (x[i] - y[i]) * (x[i] - y[i]);
	}
	return sqrt(sum);
}

static int by_bytes(const void *a, const void *b) {
	return memcmp(a, b, 3);
}

static void assert_all_differ(const struct colors *filled) {
	const size_t count = (size_t)filled->rig->joint_count;
	unsigned char(*sorted)[3] = arena_alloc(filled->arena, count, sizeof *sorted);
	memcpy(sorted, filled->colors, count * sizeof *sorted);
	qsort(sorted, count, sizeof *sorted, by_bytes);
	for (size_t i = 1; i < count; i++) {
		if (memcmp(sorted[i], sorted[i - 1], 3) == 0) {
			fail_msg("two of %zu joints have #%02x%02x%02x", count, sorted[i][0],
				sorted[i][1], sorted[i][2]);
		}
	}
}

/* The nearest joint above that has weight; -1 = none. */
static int parent_of(const struct colors *filled, int joint) {
	int parent = filled->rig->joints[joint].parent;
	while (parent >= 0 && !(filled->weights[parent] > 0)) {
		parent = filled->rig->joints[parent].parent;
	}
	return parent;
}

/* The least distance of a joint with weight to its parent or another child of that. */
static double nearest_neighbours(const struct colors *filled) {
	double least = INFINITY;
	for (int i = 0; i < filled->rig->joint_count; i++) {
		const int parent = parent_of(filled, i);
		for (int k = 0; k < i && filled->weights[i] > 0; k++) {
			if (k == parent ||
				(filled->weights[k] > 0 && parent_of(filled, k) == parent)) {
				least = fmin(least, apart(filled->colors[i], filled->colors[k]));
			}
		}
	}
	return least;
}

static void joints_of_rigs_have_each_their_own(void **state) {
	(void)state;
	static const char *const files[] = {"raylib/gltf/robot.glb",
		"derived-public-fox/Fox.joints-plus700.glb", "webxr-hands/generic-hand/left.glb"};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		struct colors filled = fill(shared_rig(files[i]), NULL);
		assert_all_differ(&filled);
		assert_true(nearest_neighbours(&filled) > SEEN);
		finish(&filled);
	}
}

static void chains_and_hubs_have_each_their_own(void **state) {
	(void)state;
	static const int counts[] = {1, 2, 22, 23, 36, 500, 5000};
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		const int count = counts[i];
		double *weights = xcalloc((size_t)count, sizeof *weights);
		for (int k = 0; k < count; k++) {
			weights[k] = 1;
		}
		struct colors chain = fill(rig_random(7, count, 3, 1), weights);
		struct colors hub = fill(rig_hub(7, count, 3, 1), weights);
		assert_all_differ(&chain);
		assert_all_differ(&hub);
		assert_true(count == 1 || nearest_neighbours(&chain) > SEEN);
		assert_true(count == 1 || count > 22 || nearest_neighbours(&hub) > SEEN);
		finish(&chain);
		finish(&hub);
		free(weights);
	}
}

static void joints_without_weight_take_no_colour_from_others(void **state) {
	(void)state;
	enum { COUNT = 44 };
	double weights[COUNT];
	for (int i = 0; i < COUNT; i++) {
		weights[i] = i % 2;
	}
	// Every other joint of the chain: to each the one above is the one but next.
	struct colors filled = fill(rig_random(7, COUNT, 3, 1), weights);
	double few[COUNT / 2];
	for (int i = 0; i < COUNT / 2; i++) {
		few[i] = 1;
	}
	struct colors alone = fill(rig_random(7, COUNT / 2, 3, 1), few);
	assert_all_differ(&filled);
	for (int i = 0; i < COUNT / 2; i++) {
		assert_memory_equal(filled.colors[2 * i + 1], alone.colors[i], 3);
	}
	finish(&filled);
	finish(&alone);
}

static void sequences_begin_with_colours_far_apart(void **state) {
	(void)state;
	unsigned char colors[200][3];
	for (int i = 0; i < 200; i++) {
		palette_color(i, colors[i]);
		for (int k = 0; k < i; k++) {
			assert_true(memcmp(colors[i], colors[k], 3) != 0);
			assert_true(i >= 22 || apart(colors[i], colors[k]) > SEEN);
		}
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joints_of_rigs_have_each_their_own),
		cmocka_unit_test(chains_and_hubs_have_each_their_own),
		cmocka_unit_test(sequences_begin_with_colours_far_apart),
		cmocka_unit_test(joints_without_weight_take_no_colour_from_others),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
