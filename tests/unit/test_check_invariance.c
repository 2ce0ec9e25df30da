// Measurements do not depend on how a file is laid out: the same Fox as files of other layouts, and
// the demo humanoid scaled, turned and moved.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "checked.h"
#include "rigs.h"
#include "shared_files.h"

#define FOX "derived-public-fox/Fox."

/* The rules that a variant may differ in; ended by NULL. */
struct variant {
	const char *name;
	check_globs differs;
};

/* Bytes, names of numbers and the order of vertices. */
static const char *const sizes[] = {"budget/*", NULL};
static const char *const starts[] = {"clip/start_offset", "budget/*", NULL};
static const char *const signs[] = {"clip/quat_sign", "budget/*", NULL};
static const char *const twice[] = {"rig/weight_duplicate", "budget/*", NULL};
static const char *const sums[] = {"rig/weight_sum*", "budget/*", NULL};

/* A tilted figure is another one to the ground, and to what is horizontal. */
static const char *const tilts[] = {
	"contact/*", "motion/root_*", "rig/height", "surface/bounds", "budget/*", NULL};

static const struct variant variants[] = {
	{"datauri.gltf", sizes},
	{"interleaved.glb", sizes},
	{"joints-othertype.glb", sizes},
	{"joints-reversed.glb", sizes},
	{"joints1-moved.glb", sizes},
	{"joints1-halved.glb", twice},
	{"matrix-nodes.glb", sizes},
	{"meshnode-moved.glb", sizes},
	{"morph-zero.glb", sizes},
	{"quat-signs.glb", signs},
	{"second-scene.glb", sizes},
	{"sparse.glb", sizes},
	{"time-plus10.glb", starts},
	{"under-trs.glb", tilts},
	{"weights-sum-half.glb", sums},
};

static struct checked check_fox(const char *name) {
	char path[512];
	snprintf(path, sizeof path, "%s/" FOX "%s", shared_files(), name);
	return checked_file(path, CHECK_PROFILE_GAME);
}

static const char *id_of(const struct check_measurement *measurement) {
	return renderer_check_rule((size_t)measurement->rule)->id;
}

/* All measurements within a tolerance, in the same order, but for rules that may differ. */
static void assert_same(const struct checked *a, const struct checked *b, check_globs differs,
	double tolerance, const char *what) {
	assert_int_equal(a->file.measurement_count, b->file.measurement_count);
	for (size_t i = 0; i < a->file.measurement_count; i++) {
		const struct check_measurement *x = &a->file.measurements[i];
		const struct check_measurement *y = &b->file.measurements[i];
		assert_string_equal(id_of(x), id_of(y));
		const double scale = fmax(1, fabs(x->value));
		if (!check_globs_match(differs, id_of(x)) &&
			!(fabs(x->value - y->value) <= tolerance * scale) && x->value != y->value) {
			fail_msg("%s: %s of clip %d is %.9g, and %.9g there", what, id_of(x),
				x->clip, x->value, y->value);
		}
	}
}

static void layouts_of_a_file_change_nothing(void **state) {
	(void)state;
	rig_release(shared_rig(FOX "base.glb")); // skips where there are no such files
	struct checked base = check_fox("base.glb");
	for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
		struct checked other = check_fox(variants[i].name);
		assert_same(&base, &other, variants[i].differs, 1e-4, variants[i].name);
		checked_finish(&other);
	}
	checked_finish(&base);
}

/* Moves every number of a joint on by one. */
static void renumber(struct rig *rig) {
	for (int i = 0; i < rig->slot_count; i++) {
		rig->slots[i].joint++;
	}
	for (int i = 0; i < rig->primitive_count; i++) {
		rig->primitives[i].joint++;
	}
	for (int c = 0; c < rig->clip_count; c++) {
		rig->clips[c].tracks = NULL;
		for (int i = 0; i < rig->clips[c].channel_count; i++) {
			rig->clips[c].channels[i].joint++;
		}
	}
}

/* The demo humanoid under one more node, which is scaled, turned and moved. */
static struct rig *humanoid_under(double scale, double yaw_degrees, const float to[static 3]) {
	struct rig *rig = own_rig("assets/demo/humanoid.glb");
	struct joint *joints =
		rig_storage(rig, (size_t)rig->joint_count + 1, sizeof *joints, "joints", NULL);
	joints[0] = (struct joint){
		.name = strdup("placed"), .index = 1000, .parent = -1, .rest = TRANSFORM_IDENTITY};
	set_rotation(&joints[0].rest, 0, 1, 0, yaw_degrees);
	for (int k = 0; k < 3; k++) {
		joints[0].rest.scale[k] = (float)scale;
		joints[0].rest.translation[k] = to[k];
	}
	for (int i = 0; i < rig->joint_count; i++) {
		joints[i + 1] = rig->joints[i];
		joints[i + 1].parent = rig->joints[i].parent + 1;
	}
	rig->joints = joints;
	rig->joint_count++;
	rig->moving_joints = NULL;
	rig->moving_count = 0;
	renumber(rig);
	return rig;
}

static void places_and_sizes_of_a_figure_change_nothing(void **state) {
	(void)state;
	static const struct {
		const char *what;
		double scale, yaw_degrees;
		float to[3];
		double tolerance;
	} rows[] = {
		{"scaled by 100", 100, 0, {0, 0, 0}, 1e-4},
		{"scaled by 0.01", 0.01, 0, {0, 0, 0}, 1e-4},
		{"turned", 1, 77, {0, 0, 0}, 1e-4},
		{"moved", 1, 0, {10, 0, 10}, 1e-4},
		// Vertices are float32 in the world: 8e-6 there, of edges of 3.5e-3.
		{"moved far away", 1, 0, {100, 0, 100}, 1e-3},
	};
	static const char *const units[] = {
		"rig/height", "rig/nonuniform_scale", "mesh/texel_density", NULL};
	static const char *const only[] = {"rig/*", "clip/*", "motion/*", "contact/*", "mesh/*",
		"surface/spike", "surface/stretch", "surface/collapse", "surface/tear",
		"surface/volume", NULL};
	struct rig *base_rig = own_rig("assets/demo/humanoid.glb");
	struct checked base = checked_rules(base_rig, CHECK_PROFILE_GAME, only);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct rig *rig = humanoid_under(rows[i].scale, rows[i].yaw_degrees, rows[i].to);
		struct checked other = checked_rules(rig, CHECK_PROFILE_GAME, only);
		assert_same(&base, &other, units, rows[i].tolerance, rows[i].what);
		checked_finish(&other);
		rig_release(rig);
	}
	checked_finish(&base);
	rig_release(base_rig);
}

/* A mirror image is as sound as what it shows, whatever skins it. */
static void a_mirror_changes_nothing(void **state) {
	(void)state;
	static const char *const handed[] = {"motion/knee", NULL};
	struct rig *rigs[] = {humanoid_under(1, 0, (const float[]){0, 0, 0}),
		humanoid_under(1, 0, (const float[]){0, 0, 0})};
	rigs[1]->joints[0].rest.scale[0] = -1;
	struct checked plain = checked_rig(rigs[0], CHECK_PROFILE_GAME);
	struct checked mirrored = checked_rig(rigs[1], CHECK_PROFILE_GAME);
	assert_same(&plain, &mirrored, handed, 1e-4, "mirrored");
	checked_finish(&plain);
	checked_finish(&mirrored);
	rig_release(rigs[0]);
	rig_release(rigs[1]);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layouts_of_a_file_change_nothing),
		cmocka_unit_test(places_and_sizes_of_a_figure_change_nothing),
		cmocka_unit_test(a_mirror_changes_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
