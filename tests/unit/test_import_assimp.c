// Formats that Assimp reads, in small files whose geometry is known exactly.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/mat.h"
#include "check.h"
#include "import/import.h"
#include "import/import_files.h"
#include "import/md5.h"
#include "poses.h"
#include "zip_builder.h"

static struct rig *read(const void *bytes, size_t size) {
	struct error err = {0};
	struct rig *rig = import_rig(bytes, size, &err);
	assert_string_equal(err.text, "");
	return rig;
}

static struct rig *read_text(const char *text) {
	return read(text, strlen(text));
}

static void expect_refusal(const char *text, const char *words) {
	struct error err = {0};
	assert_null(import_rig(text, strlen(text), &err));
	if (!strstr(err.text, words)) {
		fail_msg("\"%s\", expected \"%s\"", err.text, words);
	}
}

static void expect_warning(const struct rig *rig, const char *words) {
	for (int i = 0; i < rig->warning_count; i++) {
		if (strstr(rig->warnings[i], words)) {
			return;
		}
	}
	fail_msg("no warning of \"%s\"", words);
}

/* Where a corner of the triangles is at rest, by the rig's own first slot. */
static void corner_at(const struct rig *rig, int corner, double out[static 3]) {
	const float *p = &rig->positions[3 * rig->indices[corner]];
	struct arena *arena = arena_create();
	const struct pose pose = pose_of(rig, arena, "'rest'");
	double(*world)[12] = arena_alloc(arena, (size_t)rig->joint_count, sizeof *world);
	pose_to_world(rig, &pose, world);
	mat_map_point(world[rig->primitives[0].joint],
		(const double[3]){(double)p[0], (double)p[1], (double)p[2]}, out);
	arena_destroy(arena);
}

static void expect_corners(const struct rig *rig, const double (*right)[3], int count) {
	assert_int_equal(rig->index_count, count);
	// The readers may begin a triangle at any of its corners, in the same sense.
	for (int t = 0; t < count; t += 3) {
		bool same = false;
		for (int turn = 0; !same && turn < 3; turn++) {
			same = true;
			for (int i = 0; i < 3; i++) {
				double own[3];
				corner_at(rig, t + (i + turn) % 3, own);
				for (int k = 0; k < 3; k++) {
					same = same && fabs(own[k] - right[t + i][k]) < 1e-6;
				}
			}
		}
		if (!same) {
			double own[3];
			corner_at(rig, t, own);
			fail_msg("triangle %d begins at %g %g %g", t / 3, own[0], own[1], own[2]);
		}
	}
}

static const double corners[][3] = {{0, 0, 0}, {2, 0, 0}, {0, 3, 0.5}};

static void obj_is_exact(void **state) {
	(void)state;
	struct rig *rig = read_text("# by hand\nmtllib none.mtl\nv 0 0 0\nv 2 0 0\nv 0 3 .5\n"
				    "vt 0 .25\nvt 1 0\nvt 0 1\nvn 0 0 1\nusemtl red\n"
				    "f 1/1/1 2/2/1 3/3/1\nl 1 2\n");
	expect_corners(rig, corners, 3);
	for (int i = 0; i < 3; i++) {
		const uint32_t v = rig->indices[i];
		if (rig->positions[3 * v] == 0 && rig->positions[3 * v + 1] == 0) {
			assert_true(rig->texcoords[0][2 * v + 1] == 0.75f); // upwards there
		}
	}
	expect_warning(rig, "\"none.mtl\", which did not come with it");
	rig_release(rig);
}

static void corners_become_shared_vertices(void **state) {
	(void)state;
	struct rig *rig = read_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 "
				    "3//1\nf 1//1 3//1 4//1\n");
	assert_int_equal(rig->vertex_count, 4);
	assert_int_equal(rig->index_count, 6);
	rig_release(rig);
}

static void materials_are_mapped_with_a_warning(void **state) {
	(void)state;
	struct zip_builder b = {0};
	size_t size;
	zip_builder_add_text(
		&b, "a/m.OBJ", "mtllib m.mtl\nv 0 0 0\nv 2 0 0\nv 0 3 .5\nusemtl red\nf 1 2 3\n");
	zip_builder_add_text(
		&b, "a/m.mtl", "newmtl red\nKd 1 0 0.5\nd 0.5\nmap_Kd C:\\x\\no.png\n");
	unsigned char *bytes = zip_builder_finish(&b, &size);
	struct rig *rig = read(bytes, size);
	free(bytes);
	assert_int_equal(rig->material_count, 1);
	assert_string_equal(rig->materials[0].name, "red");
	assert_true(rig->materials[0].base_color[0] == 1 && rig->materials[0].base_color[1] == 0);
	assert_true(fabsf(rig->materials[0].base_color[2] - 0.21404114f) < 1e-6f); // sRGB 0.5
	assert_true(rig->materials[0].base_color[3] == 0.5f);
	assert_int_equal(rig->materials[0].alpha_mode, ALPHA_BLEND);
	expect_warning(rig, "1 materials are mapped");
	expect_warning(rig, "\"C:\\x\\no.png\" did not come with the file");
	rig_release(rig);
}

static void stl_is_exact(void **state) {
	(void)state;
	struct rig *rig =
		read_text("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n"
			  "vertex 2 0 0\nvertex 0 3 0.5\nendloop\nendfacet\nendsolid a\n");
	expect_corners(rig, corners, 3);
	rig_release(rig);
	unsigned char bytes[134] = "by nobody";
	const float numbers[12] = {0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0.5f};
	bytes[80] = 1;
	memcpy(&bytes[84], numbers, sizeof numbers);
	rig = read(bytes, sizeof bytes);
	expect_corners(rig, corners, 3);
	rig_release(rig);
}

static void ply_is_exact(void **state) {
	(void)state;
	struct rig *rig = read_text(
		"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
		"property float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\n"
		"element face 1\nproperty list uchar int vertex_indices\nend_header\n"
		"0 0 0 255 0 0\n2 0 0 255 0 0\n0 3 0.5 255 0 0\n3 0 1 2\n");
	expect_corners(rig, corners, 3);
	assert_true(rig->colors[0] == 1 && rig->colors[1] == 0 && rig->colors[3] == 1);
	rig_release(rig);
}

/* Left-handed: z points the other way, and triangles go round the other way. */
static void x_is_mirrored(void **state) {
	(void)state;
	static const double right[][3] = {{0, 0, 0}, {0, 3, -0.5}, {2, 0, 0}};
	struct rig *rig = read_text("xof 0303txt 0032\nMesh m {\n3;\n0;0;0;,\n2;0;0;,\n"
				    "0;3;0.5;;\n1;\n3;0,1,2;;\n}\n");
	expect_corners(rig, right, 3);
	rig_release(rig);
}

static void add_chunk(struct buffer *out, unsigned kind, const void *bytes, size_t size) {
	const uint32_t length = (uint32_t)size + 6;
	const unsigned char head[6] = {kind & 255, kind >> 8 & 255, length & 255, length >> 8 & 255,
		length >> 16 & 255, length >> 24 & 255};
	buffer_append(out, head, sizeof head);
	buffer_append(out, bytes, size);
}

/* z is up there. */
static void three_ds_is_turned(void **state) {
	(void)state;
	static const double right[][3] = {{0, 0, 0}, {2, 0, 0}, {0, 0.5, -3}};
	static const unsigned char counts[2] = {3, 0};
	static const unsigned char faces[10] = {1, 0, 0, 0, 1, 0, 2, 0, 0, 0};
	const float points[9] = {0, 0, 0, 2, 0, 0, 0, 3, 0.5f};
	struct buffer list = {0}, mesh = {0}, object = {0}, edit = {0}, scene = {0}, file = {0};
	buffer_append(&list, counts, sizeof counts);
	buffer_append(&list, points, sizeof points);
	add_chunk(&mesh, 0x4110, list.data, list.size);
	add_chunk(&mesh, 0x4120, faces, sizeof faces);
	buffer_append(&object, "m", 2);
	add_chunk(&object, 0x4100, mesh.data, mesh.size);
	add_chunk(&edit, 0x4000, object.data, object.size);
	add_chunk(&scene, 0x3d3d, edit.data, edit.size);
	add_chunk(&file, 0x4d4d, scene.data, scene.size);
	struct rig *rig = read(file.data, file.size);
	expect_corners(rig, right, 3);
	rig_release(rig);
	struct buffer *all[] = {&list, &mesh, &object, &edit, &scene, &file};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		buffer_finish(all[i]);
	}
}

#define COLLADA_OF(head) \
	"<?xml version=\"1.0\"?><COLLADA version=\"1.4.1\" " \
	"xmlns=\"http://www.collada.org/2005/11/COLLADASchema\"><asset>" head "</asset>" \
	"<library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array id=\"a\" " \
	"count=\"9\">0 0 0 2 0 0 0 3 0.5</float_array><technique_common><accessor " \
	"source=\"#a\" count=\"3\" stride=\"3\"><param name=\"X\" type=\"float\"/><param " \
	"name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor>" \
	"</technique_common></source><vertices id=\"v\"><input semantic=\"POSITION\" " \
	"source=\"#p\"/></vertices><triangles count=\"1\"><input semantic=\"VERTEX\" " \
	"source=\"#v\" offset=\"0\"/><p>0 1 2</p></triangles></mesh></geometry>" \
	"</library_geometries><library_visual_scenes><visual_scene id=\"s\"><node id=\"n\" " \
	"name=\"n\"><translate>1 2 3</translate><instance_geometry url=\"#g\"/></node>" \
	"</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/>" \
	"</scene></COLLADA>"

static void collada_is_in_metres_with_y_up(void **state) {
	(void)state;
	static const double inches[][3] = {
		{0.0254, 0.0762, -0.0508}, {0.0762, 0.0762, -0.0508}, {0.0254, 0.0889, -0.127}};
	static const double plain[][3] = {{1, 2, 3}, {3, 2, 3}, {1, 5, 3.5}};
	struct rig *rig = read_text(
		COLLADA_OF("<unit name=\"inch\" meter=\"0.0254\"/><up_axis>Z_UP</up_axis>"));
	expect_corners(rig, inches, 3);
	for (int i = 0; i < rig->joint_count; i++) {
		assert_true(fabsf(rig->joints[i].rest.scale[0] - 1) < 1e-6f);
	}
	rig_release(rig);
	rig = read_text(COLLADA_OF("<up_axis>Y_UP</up_axis>"));
	expect_corners(rig, plain, 3);
	rig_release(rig);
}

/* --- MD5 --- */

#define MOTION(rate, components, frames) \
	"MD5Version 10\ncommandline \"\"\n\nnumFrames 2\nnumJoints 2\nframeRate " rate \
	"\nnumAnimatedComponents " components "\n\nhierarchy {\n\t\"a\" -1 1 0\n\t\"b\" 0 0 1 " \
	"// kept\n}\n\nbounds {\n\t( 0 0 0 ) ( 1 1 1 )\n\t( 0 0 0 ) ( 1 1 1 )\n}\n\n" \
	"baseframe {\n\t( 9 1 2 ) ( 0 0 0 )\n\t( 4 5 6 ) ( 0 0 -0.6 )\n}\n\n" frames

#define MESH \
	"MD5Version 10\ncommandline \"\"\n\nnumJoints 2\nnumMeshes 1\n\njoints {\n\t\"a\" -1 ( " \
	"0 0 0 ) ( 0 0 0 )\n\t\"b\" 0 ( 0 1 0 ) ( 0 0 0 )\n}\n\nmesh {\n\tshader \"s\"\n\n\t" \
	"numverts 3\n\tvert 0 ( 0 0 ) 0 1\n\tvert 1 ( 1 0 ) 1 1\n\tvert 2 ( 0 1 ) 2 1\n\n\t" \
	"numtris 1\n\ttri 0 0 2 1\n\n\tnumweights 3\n\tweight 0 0 1 ( 0 0 0 )\n\tweight 1 0 1 " \
	"( 2 0 0 )\n\tweight 2 1 1 ( 0 2 0.5 )\n}\n"

/* The rate of the file; frames of one number; the joint without numbers as its base frame says. */
static void md5_motions_have_their_rate_and_base(void **state) {
	(void)state;
	struct rig *rig = read_text(MOTION("50", "1", "frame 0 {\n3\n}\nframe 1 {\n5\n}\n"));
	assert_int_equal(rig->clip_count, 1);
	assert_true(fabs(rig->clips[0].duration_s - 0.02) < 1e-9);
	struct arena *arena = arena_create();
	const struct pose pose = pose_of(rig, arena, "{'clip': 'clip0', 'time': 0.01}");
	assert_true(pose.local[0].translation[0] == 4 && pose.local[0].translation[1] == 1);
	assert_true(pose.local[1].translation[2] == 6);
	assert_true(fabs(fabs((double)pose.local[1].rotation[3]) - 0.8) < 1e-6);
	arena_destroy(arena);
	rig_release(rig);
}

static void md5_numbers_stand_as_they_are(void **state) {
	(void)state;
	struct zip_builder b = {0};
	size_t size;
	zip_builder_add_text(&b, "m.md5mesh", MESH);
	zip_builder_add_text(
		&b, "m_jump.md5anim", MOTION("50", "1", "frame 0 {\n3\n}\nframe 1 {\n5\n}\n"));
	zip_builder_add_text(&b, "m_torn.md5anim", MOTION("50", "1", "frame 0 {\n3\n}\n"));
	unsigned char *bytes = zip_builder_finish(&b, &size);
	struct rig *rig = read(bytes, size);
	free(bytes);
	expect_corners(rig, corners, 3);
	assert_int_equal(rig->clip_count, 1);
	assert_string_equal(rig->clips[0].name, "jump");
	expect_warning(rig, "file \"m_torn.md5anim\": MD5: has 1 of 2 frames");
	rig_release(rig);
}

static void refuses_broken_motions(void **state) {
	(void)state;
	expect_refusal(MOTION("0", "1", ""), "frameRate must be above 0");
	expect_refusal(MOTION("nan", "1", ""), "a number expected");
	expect_refusal(MOTION("24", "-1", ""), "more than the file has room for");
	expect_refusal(MOTION("24", "1000000", ""), "more than the file has room for");
	expect_refusal(MOTION("24", "1", "frame 2 {\n3\n}\n"), "no such number");
	expect_refusal(MOTION("24", "1", "frame 0 {\nx\n}\n"), "a number expected");
	expect_refusal(MOTION("24", "1", "frame 0 {\n3"), "\"}\" expected");
	expect_refusal(MOTION("24", "0", ""), "more components than a frame");
	expect_refusal(MOTION("24", "1", "what {\n}\n"), "no section of a motion");
}

#define MESH_OF(joint, vertex, triangle, weight) \
	"MD5Version 10\ncommandline \"\"\nnumJoints 1\nnumMeshes 1\njoints {\n" joint \
	"\n}\nmesh {\nshader \"s\"\nnumverts 1\n" vertex "\nnumtris 1\n" triangle \
	"\nnumweights 1\n" weight "\n}\n"
#define JOINT "\"a\" -1 ( 0 0 0 ) ( 0 0 0 )"
#define VERTEX "vert 0 ( 0 0 ) 0 1"
#define TRIANGLE "tri 0 0 0 0"
#define WEIGHT "weight 0 0 1 ( 0 0 0 )"

static void refuses_broken_meshes(void **state) {
	(void)state;
	struct rig *rig = read_text(MESH_OF(JOINT, VERTEX, TRIANGLE, WEIGHT));
	rig_release(rig);
	expect_refusal(MESH_OF("\"a\" 0 ( 0 0 0 ) ( 0 0 0 )", VERTEX, TRIANGLE, WEIGHT),
		"at \"0\": is no such number");
	expect_refusal(MESH_OF("\"a -1 ( 0 0 0 ) ( 0 0 0 )", VERTEX, TRIANGLE, WEIGHT), "MD5: ");
	expect_refusal(MESH_OF(JOINT, "vert 0 ( 0 0 ) 0 2", TRIANGLE, WEIGHT),
		"vertex 0 has weights up to 2 of 1");
	expect_refusal(MESH_OF(JOINT, "vert 0 ( 0 0 ) 0 257", TRIANGLE, WEIGHT), "\"257\"");
	expect_refusal(MESH_OF(JOINT, "vert 1 ( 0 0 ) 0 1", TRIANGLE, WEIGHT), "\"1\"");
	expect_refusal(MESH_OF(JOINT, VERTEX, "tri 0 0 0 1", WEIGHT), "\"1\"");
	expect_refusal(MESH_OF(JOINT, VERTEX, "tri 0 0 0 -1", WEIGHT), "\"-1\"");
	expect_refusal(MESH_OF(JOINT, VERTEX, TRIANGLE, "weight 0 1 1 ( 0 0 0 )"), "\"1\"");
	expect_refusal(MESH_OF(JOINT, VERTEX, TRIANGLE, "weight 0 0 nan ( 0 0 0 )"),
		"at \"nan\": a number expected");
	expect_refusal("MD5Version 6\ncommandline \"\"\nnumMeshes", "only version 10");
}

/* A BVH whose frames take no time, or less. */
static void refuses_frames_without_time(void **state) {
	(void)state;
	static const char *const times[] = {"0", "-0.1", "nan"};
	for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
		char text[512];
		snprintf(text, sizeof text,
			"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition "
			"Zposition\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\n"
			"Frame Time: %s\n0 0 0\n1 2 3\n",
			times[i]);
		expect_refusal(text, "BVH: ");
	}
}

/* --- Files --- */

static void documents_are_found_by_their_names(void **state) {
	(void)state;
	static const struct {
		const char *paths[4];
		size_t document; // 9 = refused, the count = none
	} rows[] = {
		{{"a.bin", "b.glb", "c.fbx"}, 1},
		{{"._b.md5mesh", "b.MD5MESH", "b_walk.md5anim"}, 1},
		{{"a.bvh", "b.dae"}, 1},
		{{"a.png", "walk.bvh"}, 1},
		{{"a.mesh.xml", "a.skeleton.xml"}, 0},
		{{"a.txt", ".x"}, 2},
		{{"a.obj", "b.stl"}, 9},
		{{"a.gltf", "b.glb", "c.fbx"}, 9},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t count = 0, document = 0;
		struct error err = {0};
		while (count < 4 && rows[i].paths[count]) {
			count++;
		}
		const bool found = import_files_choose(rows[i].paths, count, &document, &err);
		assert_int_equal(found ? document : 9, rows[i].document);
	}
}

static void named_files_are_found_in_other_folders(void **state) {
	(void)state;
	static const char *const paths[] = {"a/m.obj", "a/t/Wood.PNG", "b/wood.png"};
	static const struct {
		const char *name;
		int file; // -1 = none
	} rows[] = {
		{"t/Wood.PNG", 1},
		{".\\t\\Wood.PNG", 1},
		{"../b/wood.png", 2},
		{"C:\\textures\\wood.png", 1},
		{"/home/me/m.obj", 0},
		{"wood.jpg", -1},
		{"", -1},
	};
	const struct import_files files = {.count = 3, .paths = paths, .document = 0};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t file = 0;
		const bool found = import_files_find(&files, rows[i].name, &file);
		assert_int_equal(found ? (int)file : -1, rows[i].file);
	}
}

static void clips_are_named_by_their_files(void **state) {
	(void)state;
	static const char *const rows[][3] = {
		{"fox.md5mesh", "a/fox_walk.md5anim", "walk"},
		{"b/Fox.md5mesh", "fox-run fast.md5anim", "run fast"},
		{"fox.md5mesh", "foxes.md5anim", "foxes"},
		{"fox.md5mesh", "fox.md5anim", "fox"},
		{"fox.md5mesh", "fox_.md5anim", "fox_"},
	};
	struct arena *arena = arena_create();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_string_equal(import_clip_name(rows[i][0], rows[i][1], arena), rows[i][2]);
	}
	arena_destroy(arena);
}

static void libraries_own_words_come_through(void **state) {
	(void)state;
	expect_refusal("ply\nformat none 1.0\nend_header\n", "PLY: ");
	expect_refusal("<COLLADA><nothing", "COLLADA: ");
	// Quoted bytes that are no text.
	expect_refusal("HIERARCHY\nROOT a\n{\n\xff\x01 0", "Unknown keyword \"? \"");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(obj_is_exact),
		cmocka_unit_test(corners_become_shared_vertices),
		cmocka_unit_test(materials_are_mapped_with_a_warning),
		cmocka_unit_test(stl_is_exact),
		cmocka_unit_test(ply_is_exact),
		cmocka_unit_test(x_is_mirrored),
		cmocka_unit_test(three_ds_is_turned),
		cmocka_unit_test(collada_is_in_metres_with_y_up),
		cmocka_unit_test(md5_motions_have_their_rate_and_base),
		cmocka_unit_test(md5_numbers_stand_as_they_are),
		cmocka_unit_test(refuses_broken_motions),
		cmocka_unit_test(refuses_broken_meshes),
		cmocka_unit_test(refuses_frames_without_time),
		cmocka_unit_test(documents_are_found_by_their_names),
		cmocka_unit_test(named_files_are_found_in_other_folders),
		cmocka_unit_test(clips_are_named_by_their_files),
		cmocka_unit_test(libraries_own_words_come_through),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
