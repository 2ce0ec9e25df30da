// Rigs written as GLB and read back by the importer.
#include "export/export.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "image/encode.h"
#include "import/import.h"
#include "rigs.h"

static bool encode(const struct image *image, struct buffer *png, struct error *err) {
	const struct picture picture = {
		.width = image->width, .height = image->height, .rgba = image->rgba};
	return encode_png(&picture, png, err);
}

static const bool no_mirror[4], all_mirrored[4] = {true, true, true, true};

/* A job that exports a rig, of four primitives at most, as it is before skinning. */
static struct export_job job_of(const struct rig *rig) {
	return (struct export_job){
		.rig = rig,
		.positions = rig->positions,
		.normals = rig->normals,
		.tangents = rig->tangents,
		.mirrored = no_mirror,
		.generator = "posed test",
		.max_bytes = (size_t)1 << 30,
		.encode = encode,
	};
}

/* Exports and reads back; *glb is the file. */
static struct rig *there_and_back(const struct export_job *job, struct buffer *glb) {
	struct error err = {0};
	if (!export_glb(job, glb, &err)) {
		fail_msg("export: %s", err.text);
	}
	struct rig *back = import_rig(glb->data, glb->size, &err);
	if (!back) {
		fail_msg("import: %s", err.text);
	}
	return back;
}

static bool says(const struct buffer *glb, const char *text) {
	return memmem(glb->data, glb->size, text, strlen(text));
}

/* Points in no particular order; every array that the vertices need. */
static struct rig *rig_of_points(int count) {
	unsigned seed = 7;
	struct rig *rig = rig_random(seed, 2, count, 4);
	rig->primitives[0].topology = TOPOLOGY_POINTS;
	return rig;
}

static void refuses_what_left_float32(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct export_job job = job_of(rig);
	struct buffer glb = {0};
	struct error err = {0};
	rig->positions[3 * 5 + 1] = INFINITY;
	assert_false(export_glb(&job, &glb, &err));
	assert_int_equal(err.code, ERROR_INVALID_VALUE);
	assert_non_null(strstr(err.text, "farther than float32 reaches"));
	rig->positions[3 * 5 + 1] = 0;
	rig->normals[7] = NAN;
	err = (struct error){0};
	assert_false(export_glb(&job, &glb, &err));
	assert_non_null(strstr(err.text, "farther than float32 reaches"));
	memset(rig->normals + 6, 0, 3 * sizeof(float));
	err = (struct error){0};
	assert_false(export_glb(&job, &glb, &err));
	assert_non_null(strstr(err.text, "farther than float32 reaches"));
	assert_int_equal(glb.size, 0);
	rig_release(rig);
}

static void refuses_to_grow_beyond_the_limit(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct export_job job = job_of(rig);
	struct buffer glb = {0};
	struct error err = {0};
	assert_true(export_glb(&job, &glb, &err));
	const size_t size = glb.size;
	buffer_finish(&glb);
	job.max_bytes = size;
	assert_true(export_glb(&job, &glb, &err));
	buffer_finish(&glb);
	job.max_bytes = size - 1;
	assert_false(export_glb(&job, &glb, &err));
	assert_int_equal(err.code, ERROR_TOO_LARGE);
	assert_int_equal(glb.size, 0);
	rig_release(rig);
}

static void vertices_and_indices_come_back(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	const size_t count = (size_t)rig->vertex_count;
	rig->tangents = rig_storage(rig, count, 4 * sizeof(float), "", NULL);
	for (int set = 0; set < TEXCOORD_SETS; set++) {
		rig->texcoords[set] = rig_storage(rig, count, 2 * sizeof(float), "", NULL);
	}
	rig->colors = rig_storage(rig, count, 4 * sizeof(float), "", NULL);
	for (size_t i = 0; i < count; i++) {
		const float share = (float)i / (float)count;
		memcpy(rig->tangents + i * 4, (float[]){0, 1, 0, i % 2 ? 1 : -1}, 16);
		memcpy(rig->texcoords[0] + i * 2, (float[]){share, -3 * share}, 8);
		memcpy(rig->texcoords[1] + i * 2, (float[]){4, share}, 8);
		memcpy(rig->colors + i * 4, (float[]){share, 1 - share, 0.1f, 1}, 16);
	}
	struct export_job job = job_of(rig);
	struct buffer glb = {0};
	struct rig *back = there_and_back(&job, &glb);
	assert_true(says(&glb, "\"generator\":\"posed test\""));
	assert_int_equal(back->primitive_count, 1);
	assert_int_equal(back->vertex_count, rig->vertex_count);
	assert_memory_equal(back->positions, rig->positions, count * 12);
	assert_memory_equal(back->tangents, rig->tangents, count * 16);
	assert_memory_equal(back->texcoords[0], rig->texcoords[0], count * 8);
	assert_memory_equal(back->colors, rig->colors, count * 16);
	for (size_t i = 0; i < count * 3; i++) {
		assert_near(back->normals[i], rig->normals[i], 1e-6); // made unit once more
	}
	assert_int_equal(back->index_count, rig->index_count);
	assert_memory_equal(back->indices, rig->indices, (size_t)rig->index_count * 4);
	assert_string_equal(back->joints[0].name, rig->joints[0].name);
	rig_release(back);
	rig_release(rig);
	buffer_finish(&glb);
}

static void mirrored_triangles_are_turned_round(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct export_job job = job_of(rig);
	job.mirrored = all_mirrored;
	struct buffer glb = {0};
	struct rig *back = there_and_back(&job, &glb);
	assert_memory_equal(back->positions, rig->positions, (size_t)rig->vertex_count * 12);
	for (int i = 0; i < rig->index_count; i += 3) {
		assert_int_equal(back->indices[i], rig->indices[i]);
		assert_int_equal(back->indices[i + 1], rig->indices[i + 2]);
		assert_int_equal(back->indices[i + 2], rig->indices[i + 1]);
	}
	assert_near(mesh_volume(back, back->positions), -0.061229349, 1e-6);
	rig_release(back);
	rig_release(rig);
	buffer_finish(&glb);
}

static void points_and_lines_stay_what_they_are(void **state) {
	(void)state;
	static const enum topology kinds[] = {TOPOLOGY_POINTS, TOPOLOGY_LINES};
	for (int k = 0; k < 2; k++) {
		struct rig *rig = rig_of_points(6);
		rig->primitives[0].topology = kinds[k];
		struct export_job job = job_of(rig);
		job.mirrored = all_mirrored; // turns nothing round here
		struct buffer glb = {0};
		struct rig *back = there_and_back(&job, &glb);
		assert_int_equal(back->primitives[0].topology, kinds[k]);
		assert_int_equal(back->index_count, 6);
		for (int i = 0; i < 6; i++) {
			assert_int_equal(back->indices[i], i);
		}
		rig_release(back);
		rig_release(rig);
		buffer_finish(&glb);
	}
}

/* Too few vertices for a triangle are vertices all the same: they keep their numbers. */
static void too_few_vertices_stay_and_draw_nothing(void **state) {
	(void)state;
	struct rig *rig = rig_of_points(2);
	rig->primitives[0].topology = TOPOLOGY_TRIANGLES;
	struct export_job job = job_of(rig);
	struct buffer glb = {0};
	struct rig *back = there_and_back(&job, &glb);
	assert_int_equal(back->vertex_count, 2);
	assert_int_equal(back->index_count, 3);
	assert_near(mesh_volume(back, back->positions), 0, 1e-15);
	rig_release(back);
	rig_release(rig);
	buffer_finish(&glb);
}

static void indices_are_as_wide_as_needed(void **state) {
	(void)state;
	static const struct {
		int vertices;
		const char *component;
	} rows[] = {{65535, "\"componentType\":5123"}, {65536, "\"componentType\":5125"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct rig *rig = rig_of_points(rows[i].vertices);
		struct export_job job = job_of(rig);
		struct buffer glb = {0};
		struct rig *back = there_and_back(&job, &glb);
		assert_true(says(&glb, rows[i].component));
		assert_int_equal(back->indices[back->index_count - 1], rows[i].vertices - 1);
		rig_release(back);
		rig_release(rig);
		buffer_finish(&glb);
	}
}

/* Three primitives at joint 0, the second empty, and one at joint 1. */
static void each_node_with_a_mesh_is_a_node(void **state) {
	(void)state;
	struct rig *rig = rig_of_points(5);
	struct primitive one = rig->primitives[0];
	static const int counts[] = {2, 0, 2, 1}, joints[] = {0, 0, 0, 1};
	rig->primitives = rig_storage(rig, 4, sizeof one, "", NULL);
	rig->primitive_count = 4;
	int first = 0;
	for (int i = 0; i < 4; i++) {
		one.first_vertex = first;
		one.vertex_count = counts[i];
		one.joint = joints[i];
		rig->primitives[i] = one;
		first += counts[i];
	}
	struct export_job job = job_of(rig);
	struct buffer glb = {0};
	struct rig *back = there_and_back(&job, &glb);
	assert_int_equal(back->joint_count, 2);
	assert_int_equal(back->primitive_count, 3);
	static const int nodes[] = {0, 0, 1}, firsts[] = {0, 2, 4};
	for (int i = 0; i < 3; i++) {
		assert_int_equal(back->primitives[i].joint, nodes[i]);
		assert_int_equal(back->primitives[i].first_vertex, firsts[i]);
	}
	assert_memory_equal(back->positions, rig->positions, 5 * 12);
	rig_release(back);
	rig_release(rig);
	buffer_finish(&glb);
}

static void a_rig_of_nothing_is_a_file_of_nothing(void **state) {
	(void)state;
	struct rig *rig = rig_create();
	struct export_job job = job_of(rig);
	struct buffer glb = {0};
	struct rig *back = there_and_back(&job, &glb);
	assert_int_equal(back->vertex_count, 0);
	assert_false(says(&glb, "[]")); // glTF has no empty lists
	rig_release(back);
	rig_release(rig);
	buffer_finish(&glb);
}

/* Numbers of all factors, each another one that is fine for all of them, and all textures. */
static struct material everything(void) {
	struct material material = material_default;
	float next = 0.99f;
	for (int i = 0; i < material_factor_count; i++) {
		float *values = (float *)material_factor_of(&material, &material_factors[i]);
		for (int k = 0; k < material_factors[i].count; k++) {
			values[k] = next -= 0.012f;
		}
	}
	for (int use = 0; use < TEXTURE_USE_COUNT; use++) {
		material.textures[use].texture = 0;
		material.textures[use].texcoords = use % 2;
		if (use % 3 == 1) {
			material.textures[use].offset[1] = -2;
			material.textures[use].rotation_rad = 0.5f + (float)use;
			material.textures[use].scale[0] = 3;
		}
	}
	material.ior = 1.25f;
	material.iridescence_ior = 1.75f;
	material.name = xstrndup("\"Skin\"", 6);
	material.mtoon = material.transparent_with_z_write = material.double_sided = true;
	material.outline_mode = OUTLINE_SCREEN;
	material.render_queue_offset = 4;
	material.alpha_mode = ALPHA_MASK;
	material.alpha_cutoff = 0.3f;
	return material;
}

/* Two materials; the first has everything that is kept, with an image of which only the pixels
 * are. */
static struct rig *painted_rig(void) {
	struct rig *rig = rig_cyl2();
	rig->image_count = rig->texture_count = 1;
	rig->images = rig_storage(rig, 1, sizeof *rig->images, "", NULL);
	rig->images[0] = (struct image){.width = 2, .height = 1, .rgba = xcalloc(2, 4)};
	memcpy(rig->images[0].rgba, (unsigned char[]){1, 2, 3, 4, 250, 251, 252, 253}, 8);
	rig->textures = rig_storage(rig, 1, sizeof *rig->textures, "", NULL);
	rig->textures[0] = (struct texture){
		.wrap_u = WRAP_MIRROR, .wrap_v = WRAP_CLAMP, .nearest = true, .no_mipmaps = true};
	rig->material_count = 2;
	rig->materials = rig_storage(rig, 2, sizeof *rig->materials, "", NULL);
	rig->materials[0] = everything();
	rig->materials[1] = material_default;
	rig->materials[1].alpha_mode = ALPHA_BLEND;
	rig->materials[1].unlit = true;
	rig->primitives[0].material = 0;
	return rig;
}

static void materials_and_textures_come_back(void **state) {
	(void)state;
	struct rig *rig = painted_rig();
	struct export_job job = job_of(rig);
	struct buffer glb = {0};
	struct rig *back = there_and_back(&job, &glb);
	assert_true(says(&glb, "\"KHR_texture_transform\":{\"offset\":[0,-2],"));
	assert_int_equal(back->material_count, 2);
	const struct material *a = &rig->materials[0], *b = &back->materials[0];
	assert_string_equal(b->name, a->name);
	assert_memory_equal(
		b->base_color, a->base_color, sizeof *a - offsetof(struct material, base_color));
	assert_int_equal(back->materials[1].alpha_mode, ALPHA_BLEND);
	assert_true(back->materials[1].unlit);
	assert_false(back->materials[1].mtoon || back->materials[1].double_sided);
	assert_int_equal(back->primitives[0].material, 0);
	const struct texture *texture = &back->textures[0];
	assert_int_equal(texture->wrap_u, WRAP_MIRROR);
	assert_int_equal(texture->wrap_v, WRAP_CLAMP);
	assert_true(texture->nearest && texture->no_mipmaps);
	assert_memory_equal(back->images[0].rgba, rig->images[0].rgba, 8);
	// A texture is nothing without.
	assert_non_null(back->texcoords[0]);
	assert_non_null(back->texcoords[1]);
	// The picture is now there as it is in the file, and is passed on like that.
	struct export_job again = job_of(back);
	again.encode = NULL;
	struct buffer second = {0};
	struct rig *twice = there_and_back(&again, &second);
	assert_int_equal(twice->images[0].encoded_bytes, back->images[0].encoded_bytes);
	assert_memory_equal(
		twice->images[0].encoded, back->images[0].encoded, back->images[0].encoded_bytes);
	rig_release(twice);
	rig_release(back);
	rig_release(rig);
	buffer_finish(&second);
	buffer_finish(&glb);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_what_left_float32),
		cmocka_unit_test(refuses_to_grow_beyond_the_limit),
		cmocka_unit_test(vertices_and_indices_come_back),
		cmocka_unit_test(mirrored_triangles_are_turned_round),
		cmocka_unit_test(points_and_lines_stay_what_they_are),
		cmocka_unit_test(too_few_vertices_stay_and_draw_nothing),
		cmocka_unit_test(indices_are_as_wide_as_needed),
		cmocka_unit_test(each_node_with_a_mesh_is_a_node),
		cmocka_unit_test(a_rig_of_nothing_is_a_file_of_nothing),
		cmocka_unit_test(materials_and_textures_come_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
