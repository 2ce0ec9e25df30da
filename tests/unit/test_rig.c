// A rig's life, and what rig_check must refuse.
#include "model/rig.h"

#include <malloc.h>
#include <stdint.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "check.h"
#include "model/normals.h"

static void *take(struct rig *rig, size_t count, size_t size) {
	void *array = rig_storage(rig, count, size, "a test rig", NULL);
	assert_non_null(array);
	return array;
}

static void fill_clip(struct rig *rig) {
	static const float times[] = {0, 1}, values[] = {0, 0, 0, 1, 2, 3};
	rig->clips = take(rig, 1, sizeof *rig->clips);
	rig->clips[0] = (struct clip){
		.name = xstrndup("Walk", 4),
		.duration_s = 1,
		.channel_count = 1,
		.channels = xcalloc(1, sizeof *rig->clips[0].channels),
	};
	rig->clips[0].channels[0] = (struct channel){.joint = 1,
		.path = CHANNEL_TRANSLATION,
		.interpolation = INTERPOLATION_LINEAR,
		.key_count = 2,
		.width = 3,
		.times = times,
		.values = values};
	rig->clip_count = 1;
}

/* Two joints, one triangle with four influences a vertex, one material, one clip. */
static struct rig *triangle_rig(void) {
	struct rig *rig = rig_create();
	rig->joints = take(rig, 2, sizeof *rig->joints);
	rig->joint_count = 2;
	rig->joints[0] = (struct joint){
		.name = xstrndup("Hips", 4), .parent = -1, .rest = TRANSFORM_IDENTITY, .index = 1};
	rig->joints[1] = (struct joint){
		.name = xstrndup("Spine", 5), .parent = 0, .rest = TRANSFORM_IDENTITY, .index = 0};
	rig->slots = take(rig, 2, sizeof *rig->slots);
	rig->slots[0] = (struct palette_slot){.joint = 0, .inverse_bind = MAT_IDENTITY};
	rig->slots[1] = (struct palette_slot){.joint = 1, .inverse_bind = MAT_IDENTITY};
	rig->slot_count = 2;
	rig->positions = take(rig, 9, sizeof *rig->positions);
	rig->normals = take(rig, 9, sizeof *rig->normals);
	rig->indices = take(rig, 3, sizeof *rig->indices);
	rig->influence_slots = take(rig, 12, sizeof *rig->influence_slots);
	rig->influence_weights = take(rig, 12, sizeof *rig->influence_weights);
	for (int i = 0; i < 3; i++) {
		rig->positions[i * 3] = (float)i;
		rig->normals[i * 3 + 1] = 1;
		rig->indices[i] = (uint32_t)i;
		rig->influence_slots[i * 4 + 1] = 1;
		rig->influence_weights[i * 4] = 0.75f;
		rig->influence_weights[i * 4 + 1] = 0.25f;
	}
	rig->vertex_count = rig->index_count = 3;
	rig->influence_count = 12;
	rig->primitives = take(rig, 1, sizeof *rig->primitives);
	rig->primitives[0] = (struct primitive){.skinned = true,
		.vertex_count = 3,
		.index_count = 3,
		.slot_count = 2,
		.influence_count = 4};
	rig->primitive_count = 1;
	rig->materials = take(rig, 1, sizeof *rig->materials);
	rig->materials[0] = material_default;
	rig->material_count = 1;
	fill_clip(rig);
	return rig;
}

/* Holds the rig to be refused with this in the message, and frees it. */
static void refuse(struct rig *rig, const char *text) {
	struct error err = {0};
	if (rig_check(rig, &err) || !strstr(err.text, text)) {
		fail_msg("\"%s\", expected \"%s\"", err.text, text);
	}
	assert_int_equal(err.code, ERROR_BROKEN_ASSET);
	rig_release(rig);
}

static void refuses_joints_out_of_order(void **state) {
	(void)state;
	struct rig *rig = triangle_rig();
	rig->joints[0].parent = 1;
	refuse(rig, "rig joints[0]: parent 1");
	rig = triangle_rig();
	rig->joints[1].rest.rotation[3] = 2;
	refuse(rig, "rig joints[1]: rest transform");
	rig = triangle_rig();
	rig->joints[1].rest.scale[2] = NAN;
	refuse(rig, "rig joints[1]: rest transform");
	rig = triangle_rig();
	rig->joints[1].weight_count = 1;
	refuse(rig, "rig joints[1]: weights 0 to 1 of 0");
}

static void refuses_slots_out_of_range(void **state) {
	(void)state;
	struct rig *rig = triangle_rig();
	rig->slots[1].joint = 2;
	refuse(rig, "rig slots[1]: joint 2 of 2");
	rig = triangle_rig();
	rig->slots[0].inverse_bind[3] = INFINITY;
	refuse(rig, "rig slots[0]: inverse bind");
}

static void refuses_primitives_out_of_range(void **state) {
	(void)state;
	struct rig *rig = triangle_rig();
	rig->primitives[0].vertex_count = INT32_MAX;
	refuse(rig, "vertices or indices");
	rig = triangle_rig();
	rig->primitives[0].first_index = 1;
	refuse(rig, "vertices or indices");
	rig = triangle_rig();
	rig->primitives[0].material = 1;
	refuse(rig, "material 1");
	rig = triangle_rig();
	rig->primitives[0].first_slot = 1;
	refuse(rig, "slots are not");
	rig = triangle_rig();
	rig->primitives[0].influence_count = 3;
	refuse(rig, "influences are not");
	rig = triangle_rig();
	rig->primitives[0].first_influence = 1;
	refuse(rig, "influences are not");
	rig = triangle_rig();
	rig->primitives[0].first_influence = SIZE_MAX;
	refuse(rig, "influences are not");
	rig = triangle_rig();
	rig->indices[2] = 3;
	refuse(rig, "index 2 is 3 of 3");
}

static void refuses_influences_against_the_policy(void **state) {
	(void)state;
	const struct {
		float weights[2];
		uint16_t slots[3];
	} rows[] = {
		{{0.25f, 0.75f}, {0, 1, 0}}, // not sorted
		{{0.5f, 0.25f}, {0, 1, 0}},  // sum
		{{NAN, 0.25f}, {0, 1, 0}}, {{1.25f, -0.25f}, {0, 1, 0}},
		{{0.75f, 0.25f}, {0, 2, 0}}, // no such slot
		{{0.75f, 0.25f}, {0, 1, 1}}, // unused, but not at the pivot
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct rig *rig = triangle_rig();
		memcpy(&rig->influence_weights[4], rows[i].weights, sizeof rows[i].weights);
		memcpy(&rig->influence_slots[4], rows[i].slots, sizeof rows[i].slots);
		refuse(rig, "influences of vertex 1");
	}
}

static void refuses_numbers_that_are_not_finite(void **state) {
	(void)state;
	struct rig *rig = triangle_rig();
	rig->positions[4] = NAN;
	refuse(rig, "rig positions[1]");
	rig = triangle_rig();
	rig->normals[8] = INFINITY;
	refuse(rig, "rig normals[2]");
}

static void refuses_clips_that_cannot_be_played(void **state) {
	(void)state;
	static const float descending[] = {1, 0}, broken[] = {0, 0, NAN, 0, 0, 0};
	struct rig *rig = triangle_rig();
	rig->clips[0].channels[0].times = descending;
	refuse(rig, "rig clips[0]: times of channel 0");
	rig = triangle_rig();
	rig->clips[0].duration_s = 0.5;
	refuse(rig, "rig clips[0]: times of channel 0");
	rig = triangle_rig();
	rig->clips[0].channels[0].values = broken;
	refuse(rig, "rig clip values[0]");
	rig = triangle_rig();
	rig->clips[0].channels[0].width = 4;
	refuse(rig, "has 4 numbers per value");
	rig = triangle_rig();
	rig->clips[0].channels[0].joint = 2;
	refuse(rig, "drives joint 2");
	rig = triangle_rig();
	rig->clips[0].channels[0].path = CHANNEL_WEIGHTS;
	refuse(rig, "numbers per value");
	static const float turns[] = {0, 0, 0, 1, 0, 0, 0, 0};
	rig = triangle_rig();
	rig->clips[0].channels[0].path = CHANNEL_ROTATION;
	rig->clips[0].channels[0].width = 4;
	rig->clips[0].channels[0].values = turns;
	refuse(rig, "key 1 of channel 0 is no unit rotation");
}

static void refuses_surfaces_out_of_range(void **state) {
	(void)state;
	struct rig *rig = triangle_rig();
	rig->materials[0].textures[TEXTURE_NORMAL].texture = 0;
	refuse(rig, "rig materials[0]: normal: texture 0 of 0");
	rig = triangle_rig();
	rig->materials[0].roughness = NAN;
	refuse(rig, "rig materials[0]: roughness has nan");
	static const unsigned char pixel[4];
	struct image image = {.width = 1, .height = 1, .kind = IMAGE_PNG};
	for (int i = 0; i < 2; i++) {
		rig = triangle_rig();
		rig->images = take(rig, 1, sizeof *rig->images);
		image.rgba = xcalloc(1, 4);
		rig->images[0] = image;
		rig->image_count = 1;
		refuse(rig, "rig images[0]: has a file of no kind, or none of a kind");
		image = (struct image){
			.width = 1, .height = 1, .encoded = pixel, .encoded_bytes = sizeof pixel};
	}
}

static void refuses_textures_out_of_range(void **state) {
	(void)state;
	struct rig *rig = triangle_rig();
	rig->materials[0].textures[TEXTURE_SHEEN_COLOR].texcoords = TEXCOORD_SETS;
	refuse(rig, "rig materials[0]: sheen_color: texture coordinates 2");
	rig = triangle_rig();
	rig->materials[0].textures[TEXTURE_OCCLUSION].rotation_rad = INFINITY;
	refuse(rig, "rig materials[0]: occlusion: transform is not finite");
	for (int i = 0; i < material_factor_count; i++) {
		const struct material_factor *factor = &material_factors[i];
		rig = triangle_rig();
		float *values = (float *)material_factor_of(&rig->materials[0], factor);
		values[factor->count - 1] = i % 2 ? INFINITY : NAN;
		refuse(rig, factor->name);
	}
}

static void refuses_lights_and_cameras_without_sense(void **state) {
	(void)state;
	static const struct light lights[] = {
		{.joint = 1000, .outer_rad = 1},
		{.kind = (enum light_kind)3},
		{.color = {0, 2, 0}},
		{.intensity = -1},
		{.range = NAN},
		{.kind = LIGHT_SPOT, .inner_rad = 1, .outer_rad = 1},
		{.kind = LIGHT_SPOT, .outer_rad = 1.6f},
	};
	for (size_t i = 0; i < sizeof lights / sizeof *lights; i++) {
		struct rig *rig = triangle_rig();
		rig->lights = take(rig, 1, sizeof *rig->lights);
		rig->lights[rig->light_count++] = lights[i];
		refuse(rig, "rig lights[0]: ");
	}
	static const struct file_camera cameras[] = {
		{.joint = -1, .yfov_rad = 1, .near = 1},
		{.yfov_rad = 0, .near = 1},
		{.yfov_rad = 3.1416f, .near = 1},
		{.yfov_rad = 1, .near = 0},
		{.yfov_rad = 1, .near = 2, .far = 1},
		{.yfov_rad = 1, .near = 1, .aspect = -1},
		{.orthographic = true, .xmag = 1, .ymag = 1, .near = 0, .far = 0},
		{.orthographic = true, .xmag = 0, .ymag = 1, .far = 1},
		{.orthographic = true, .xmag = 1, .ymag = NAN, .far = 1},
	};
	for (size_t i = 0; i < sizeof cameras / sizeof *cameras; i++) {
		struct rig *rig = triangle_rig();
		rig->cameras = take(rig, 1, sizeof *rig->cameras);
		rig->cameras[rig->camera_count++] = cameras[i];
		refuse(rig, "rig cameras[0]: ");
	}
}

static void accepts_a_sound_rig(void **state) {
	(void)state;
	struct rig *rig = triangle_rig();
	struct error err = {0};
	assert_true(rig_check(rig, &err));
	assert_int_equal(err.code, ERROR_NONE);
	rig_release(rig);
}

static void lives_as_long_as_its_last_reference(void **state) {
	(void)state;
	struct rig *rig = triangle_rig(), *other = rig_create();
	assert_true(rig->id != other->id);
	assert_ptr_equal(rig_retain(rig), rig);
	rig_release(rig);
	assert_true(rig_check(rig, NULL)); // ASan sees it if it is gone
	rig_release(rig);
	rig_release(other);
	rig_release(NULL);
}

static void finds_by_name_and_by_index(void **state) {
	(void)state;
	struct rig *rig = triangle_rig();
	assert_int_equal(rig_find_joint(rig, "Spine"), 1);
	assert_int_equal(rig_find_joint(rig, "spine"), -1);
	assert_int_equal(rig_find_joint_by_index(rig, 1), 0);
	assert_int_equal(rig_find_joint_by_index(rig, 2), -1);
	assert_int_equal(rig_find_clip(rig, "Walk"), 0);
	assert_int_equal(rig_find_clip(rig, "Run"), -1);
	rig_release(rig);
}

static void keeps_a_hundred_warnings_of_whole_characters(void **state) {
	(void)state;
	struct rig *rig = rig_create();
	char text[1024];
	memset(text, 'a', sizeof text);
	memcpy(text + 510, "\xc3\xa4", 3); // the character lies across the cut
	for (int i = 0; i < 150; i++) {
		rig_warn(rig, "%s", text);
	}
	assert_int_equal(rig->warning_count, 100);
	assert_int_equal(strlen(rig->warnings[0]), 510);
	rig_release(rig);
}

static void storage_is_zero_aligned_and_apart(void **state) {
	(void)state;
	struct rig *rig = rig_create();
	struct error err = {0};
	unsigned char *before = NULL;
	for (size_t size = 0; size < 200000; size = size * 2 + 1) {
		unsigned char *array = rig_storage(rig, size, 1, "a test", &err);
		assert_non_null(array);
		assert_ptr_not_equal(array, before);
		assert_int_equal((uintptr_t)array % (size < 64 ? 16 : 64), 0);
		for (size_t i = 0; i < size; i++) {
			assert_int_equal(array[i], 0);
			array[i] = 0xff; // would show in the next one
		}
		before = array;
	}
	assert_null(rig_storage(rig, SIZE_MAX / 2, 4, "a test", &err));
	assert_int_equal(err.code, ERROR_TOO_LARGE);
	rig_release(rig);
}

/* Against what malloc says is in use; its own words before each block are not counted. */
static void counts_its_memory(void **state) {
	(void)state;
	const struct mallinfo2 before = mallinfo2();
	struct rig *rig = triangle_rig();
	rig_warn(rig, "a warning");
	take(rig, 1 << 20, 1);
	const struct mallinfo2 after = mallinfo2();
	const size_t bytes = rig_bytes(rig);
	assert_true(bytes > (1 << 20) + sizeof *rig);
	assert_false(rig_is_shared(rig));
	assert_true(rig_is_shared(rig_retain(rig)));
	rig_release(rig);
	rig_release(rig);
	if (after.uordblks == 0) {
		return; // a sanitizer's malloc does not say
	}
	const size_t used = after.uordblks + after.hblkhd - before.uordblks - before.hblkhd;
	assert_true(bytes <= used && used - bytes < 8192);
}

static void missing_normals_come_from_the_faces(void **state) {
	(void)state;
	// Two triangles that share an edge: one in the xy plane of area 2, one in the yz plane of
	// area 1. Vertex 4 is in no face, vertex 5 has a normal of length 2.
	const float positions[] = {0, 0, 0, 0, 2, 0, -2, 0, 0, 0, 0, 1, 9, 9, 9, 0, 0, 0};
	const uint32_t indices[] = {0, 1, 2, 0, 3, 1};
	float normals[18] = {[15] = 2, [12] = NAN};
	const struct normals_job job = {positions, indices, 6, normals, 6};
	size_t replaced;
	assert_true(normals_complete(&job, &replaced, NULL));
	assert_int_equal(replaced, 5);
	const double root5 = sqrt(5);
	const double expected[] = {-1 / root5, 0, 2 / root5, -1 / root5, 0, 2 / root5, 0, 0, 1, -1,
		0, 0, 0, 1, 0, 1, 0, 0};
	for (int i = 0; i < 18; i++) {
		assert_near((double)normals[i], expected[i], 1e-7);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_joints_out_of_order),
		cmocka_unit_test(refuses_slots_out_of_range),
		cmocka_unit_test(refuses_primitives_out_of_range),
		cmocka_unit_test(refuses_influences_against_the_policy),
		cmocka_unit_test(refuses_numbers_that_are_not_finite),
		cmocka_unit_test(refuses_clips_that_cannot_be_played),
		cmocka_unit_test(refuses_surfaces_out_of_range),
		cmocka_unit_test(refuses_textures_out_of_range),
		cmocka_unit_test(refuses_lights_and_cameras_without_sense),
		cmocka_unit_test(accepts_a_sound_rig),
		cmocka_unit_test(lives_as_long_as_its_last_reference),
		cmocka_unit_test(finds_by_name_and_by_index),
		cmocka_unit_test(keeps_a_hundred_warnings_of_whole_characters),
		cmocka_unit_test(storage_is_zero_aligned_and_apart),
		cmocka_unit_test(counts_its_memory),
		cmocka_unit_test(missing_normals_come_from_the_faces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
