// A rig written as a GLB and imported again is the same figure: every vertex at rest and at times
// of every clip, on keys and between them, and every joint by name.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "check.h"
#include "import/import.h"
#include "interface/vertices.h"
#include "poses.h"
#include "shared_files.h"
#include "skinned.h"

/* Of the figure's diagonal. Bind matrices are float32 in a GLB, and doubles from FBX. */
#define TOLERANCE 1e-6

/* Clips of a file that are looked at, and moments of each. */
#define CLIPS 3
#define MOMENTS 4

static struct rig *converted(const struct rig *rig) {
	const struct rig_file_job job = {rig, "posed tests", (size_t)1 << 30};
	struct buffer glb = {0};
	struct error err = {0};
	assert_true(renderer_rig_glb(&job, &glb, &err));
	struct rig *again = import_rig(glb.data, glb.size, &err);
	if (!again) {
		fail_msg("%s", err.text);
	}
	buffer_finish(&glb);
	return again;
}

static double diagonal(const float *positions, int count) {
	double sum = 0;
	for (int k = 0; k < 3; k++) {
		double least = INFINITY, most = -INFINITY;
		for (int i = 0; i < count; i++) {
			least = fmin(least, (double)positions[3 * i + k]);
			most = fmax(most, (double)positions[3 * i + k]);
		}
		sum += (most - least) * (most - least);
	}
	return sqrt(sum);
}

/* The primitive of the same vertices at the joint of this name; NULL = none. */
static const struct primitive *counterpart(
	const struct rig *a, const struct primitive *primitive, const struct rig *b) {
	const char *name = a->joints[primitive->joint].name;
	for (int i = 0; i < b->primitive_count; i++) {
		const struct primitive *other = &b->primitives[i];
		const char *joint = b->joints[other->joint].name;
		if (strcmp(name, joint) == 0 && other->vertex_count == primitive->vertex_count &&
			memcmp(&a->positions[3 * primitive->first_vertex],
				&b->positions[3 * other->first_vertex],
				12 * (size_t)other->vertex_count) == 0) {
			return other;
		}
	}
	return NULL;
}

static void compare(const char *path, struct rig *a, struct rig *b, const char *expression) {
	struct arena *arena = arena_create();
	const struct pose poses[] = {pose_of(a, arena, expression), pose_of(b, arena, expression)};
	const float *first = deformed(a, &poses[0], arena);
	const float *second = deformed(b, &poses[1], arena);
	const double size = diagonal(first, a->vertex_count);
	for (int i = 0; i < a->primitive_count; i++) {
		const struct primitive *p = &a->primitives[i], *q = counterpart(a, p, b);
		if (p->vertex_count == 0) {
			continue;
		}
		if (!q) {
			fail_msg("%s: primitive %d is lost", path, i);
		}
		for (int k = 0; k < 3 * p->vertex_count; k++) {
			const double off = fabs((double)first[3 * p->first_vertex + k] -
				(double)second[3 * q->first_vertex + k]);
			if (!(off <= TOLERANCE * size)) {
				fail_msg("%s, %s: vertex %d of primitive %d is off by %g of %g",
					path, expression, k / 3, i, off, size);
			}
		}
	}
	arena_destroy(arena);
}

static void compare_joints(const char *path, const struct rig *a, const struct rig *b) {
	for (int i = 0; i < a->joint_count; i++) {
		const int other = rig_find_joint(b, a->joints[i].name);
		if (other < 0) {
			fail_msg("%s: joint \"%s\" is lost", path, a->joints[i].name);
		}
		assert_int_equal(b->joints[other].weight_count, a->joints[i].weight_count);
		for (int k = 0; k < 3; k++) {
			assert_true(b->joints[other].rest.translation[k] ==
				a->joints[i].rest.translation[k]);
			assert_true(b->joints[other].rest.scale[k] == a->joints[i].rest.scale[k]);
		}
	}
}

static int empty_clips(const struct rig *rig) {
	int count = 0;
	for (int i = 0; i < rig->clip_count; i++) {
		count += rig->clips[i].channel_count == 0;
	}
	return count;
}

static void check(const char *path, struct rig *rig) {
	struct rig *again = converted(rig);
	compare_joints(path, rig, again);
	assert_int_equal(again->material_count, rig->material_count);
	assert_int_equal(again->image_count, rig->image_count);
	assert_int_equal(again->vertex_count, rig->vertex_count);
	assert_int_equal(again->index_count, rig->index_count);
	// glTF has no clips without channels.
	assert_int_equal(again->clip_count, rig->clip_count - empty_clips(rig));
	compare(path, rig, again, "'rest'");
	for (int i = 0, seen = 0; i < rig->clip_count && seen < CLIPS; i++) {
		const struct clip *clip = &rig->clips[i];
		for (int k = 0; clip->channel_count > 0 && k < MOMENTS; k++) {
			char text[64 + 256];
			snprintf(text, sizeof text, "{'clip': '%s', 'time': %.9g}", clip->name,
				clip->duration_s * k / (MOMENTS - 0.7));
			compare(path, rig, again, text);
		}
		seen += clip->channel_count > 0;
	}
	rig_release(again);
	rig_release(rig);
}

static void demo_rigs_stay_what_they_are(void **state) {
	(void)state;
	static const char *const paths[] = {"assets/demo/cyl2.glb", "assets/demo/head.glb",
		"assets/demo/humanoid.glb", "assets/demo/tube23.glb"};
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		check(paths[i], own_rig(paths[i]));
	}
}

static void real_files_stay_what_they_are(void **state) {
	(void)state;
	static const char *const paths[] = {
		"assimp-bsd/FBX/animation_with_skeleton.fbx",
		"ozz-pab/fbx/pab/arnaud.fbx",
		"ufbx-data/blender_279_sausage_7400_binary.fbx",
		"ufbx-data/blender_279_shape_weights_7400_binary.fbx",
		"ufbx-data/blender_293_barbarian_7400_binary.fbx",
		"ufbx-data/blender_340_z_up_7400_binary.fbx",
		"ufbx-data/maya_anim_interpolation_7700_binary.fbx",
		"ufbx-data/maya_dual_quaternion_7500_ascii.fbx",
		"ufbx-data/maya_game_sausage_7500_ascii_deform.fbx",
		"ufbx-data/maya_pivots_7500_binary.fbx",
		"ufbx-data/maya_transformed_skin_7700_binary.fbx",
		"khronos-Fox/glTF-Binary/Fox.glb",
		"khronos-InterpolationTest/glTF-Binary/InterpolationTest.glb",
		"khronos-MorphPrimitivesTest/glTF-Binary/MorphPrimitivesTest.glb",
		"khronos-NegativeScaleTest/glTF-Binary/NegativeScaleTest.glb",
		"khronos-RecursiveSkeletons/glTF-Binary/RecursiveSkeletons.glb",
		"derived-public-fox/Fox.cubicspline.glb",
		"derived-public-fox/Fox.gltfpack-meshopt.glb",
		"derived-public-fox/Fox.morph-animated.glb",
		"derived-public-fox/Fox.same-names.glb",
		"derived-public-fox/Fox.under-nonuniform.glb",
		"mesh2motion/rigs/rig-fox.glb",
	};
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		check(paths[i], shared_rig(paths[i]));
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(demo_rigs_stay_what_they_are),
		cmocka_unit_test(real_files_stay_what_they_are),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
