// Prism's files: what the grammar means, by files written here; what the writer writes; and broken
// files.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "check.h"
#include "export/motion.h"
#include "import/prism.h"
#include "poses.h"
#include "prism_files.h"
#include "shared_files.h"

/* A quarter turn about z and a way, as PIS and PIA have it: x becomes y, y becomes -x. */
#define TURNED "0 &3f800000 0 0  -1 0 0 0  0 0 1 0"
#define PLAIN "1 0 0 0  0 1 0 0  0 0 1 0"

#define HEADER(version, type) \
	"Header {\n FormatVersion: " version "\n Source: \"test\"\n Type: \"" type \
	"\"\n Name: \"two\"\n}\n"

/* The upper bone is before its parent, which a file may do. */
static const char skeleton[] =
	HEADER("1", "Skeleton") "Global {\n BoneCount: 2\n}\n"
				"Bones {\n"
				" 0 ( Name: \"upper\"\n Parent: \"root\"\n Matrix: ( " TURNED
				"\n 1 2.5 3 1 )\n )\n"
				" 1 ( Name: \"root\"\n Parent: \"\"\n Matrix: ( " TURNED
				"  &3f800000 0 0 1 )\n )\n"
				"}\n";

static const char animation[] = HEADER(
	"3", "Animation") "Global {\n"
			  " Skeleton: \"two.pis\"\n TotalTime: 0.75\n BoneChannelCount: 1\n"
			  " CustomChannelCount: 1\n}\n"
			  "BoneChannel {\n Name: \"upper\"\n StreamCount: 2\n KeyframeCount: 3\n"
			  " Stream {\n Format: FLOAT\n Tag: \"_TIME\"\n 0 ( 0.5 )\n 1 ( 0.25 )\n 2 "
			  "( 0.1 )\n }\n"
			  " Stream {\n Format: FLOAT4x4\n Tag: \"_MATRIX\"\n"
			  "  0 ( " PLAIN " 0 1 0 1 )\n  1 ( " PLAIN " 0 2 0 1 )\n  2 ( " TURNED
			  " 0 3 0 1 )\n }\n}\n"
			  "CustomChannel {\n Name: \"Prism Movement\"\n StreamCount: 2\n "
			  "KeyframeCount: 3\n"
			  " Stream {\n Format: FLOAT\n Tag: \"_TIME\"\n 0 ( 0.5 )\n 1 ( 0.25 )\n 2 "
			  "( 0.25 )\n }\n"
			  " Stream {\n Format: FLOAT3\n Tag: \"_MOVEMENT\"\n"
			  "  0 ( 0 0 0 )\n  1 ( 0 0 -1 )\n  2 ( 0 0 -2 )\n }\n}\n";

#define PIECE(skin_count) \
	HEADER("5", "Model") \
	"Global {\n VertexCount: 3\n TriangleCount: 1\n MaterialCount: 1\n PieceCount: 1\n" \
	" PartCount: 1\n BoneCount: 2\n LocatorCount: 0\n Skeleton: \"two.pis\"\n" skin_count \
	"}\n# a comment { ( \"\nMaterial {\n Alias: \"skin\"\n Effect: \"eut2.dif\"\n}\n" \
	"Piece {\n Index: 0\n Material: 0\n VertexCount: 3\n TriangleCount: 1\n" \
	" StreamCount: 2\n" \
	" Stream {\n Format: FLOAT3\n Tag: \"_POSITION\"\n" \
	"  0 ( 0 0 0 )\n  1 ( 0 1 0 )\n  2 ( 1 0 0 )\n }\n" \
	" Stream {\n Format: FLOAT2\n Tag: \"_UV0\"\n AliasCount: 1\n Aliases: \"_TEXCOORD0\"\n" \
	"  0 ( 0 0 )\n  1 ( 0 1 )\n  2 ( 1 0 )\n }\n" \
	" Triangles {\n  0 ( 0 1 2 )\n }\n}\n" \
	"Part {\n Name: \"default\"\n PieceCount: 1\n LocatorCount: 0\n Pieces: 0\n" \
	" Locators:\n}\nBones {\n 0 ( \"root\" )\n 1 ( \"upper\" )\n}\n"

static const char model[] =
	PIECE(" PieceSkinCount: 1\n") "PieceSkin {\n Piece: 0\n"
				      " StreamCount: 1\n PieceSkinStream {\n Format: FLOAT3\n Tag: "
				      "\"_POSITION\"\n ItemCount: 2\n"
				      " TotalWeightCount: 3\n TotalVertexIndexCount: 2\n"
				      "  0 ( ( 0 0 0 )\n Weights: 1 0 &3f800000\n VertexIndices: 1 "
				      "0\n )\n"
				      "  1 ( ( 0 1 0 )\n Weights: 2 0 0.25 1 0.75\n VertexIndices: "
				      "1 1\n )\n }\n}\n";

static const char model_with_clones[] =
	PIECE("") "Skin {\n StreamCount: 1\n SkinStream {\n"
		  " Format: FLOAT3\n Tag: \"_POSITION\"\n ItemCount: 2\n TotalWeightCount: 3\n"
		  " TotalCloneCount: 2\n"
		  "  0 ( ( 0 0 0 )\n Weights: 1 0 &3f800000\n Clones: 1 0 0\n )\n"
		  "  1 ( ( 0 1 0 )\n Weights: 2 0 0.25 1 0.75\n Clones: 1 0 1\n )\n }\n}\n";

static struct rig *import_texts(
	const char *first, const char *second, const char *third, struct error *err) {
	const struct prism_part parts[] = {
		{"two.pim", first, strlen(first)},
		{"two.pis", second, second ? strlen(second) : 0},
		{"two_walk.pia", third, third ? strlen(third) : 0},
	};
	return prism_import_parts(parts, third ? 3 : second ? 2 : 1, err);
}

static struct rig *import_two(const char *first) {
	struct error err = {0};
	struct rig *rig = import_texts(first, skeleton, animation, &err);
	if (!rig) {
		fail_msg("%s", err.text);
	}
	return rig;
}

static void place_of(
	const struct rig *rig, const char *joint, const char *expression, double out[3]) {
	struct arena *arena = arena_create();
	const struct pose pose = pose_of(rig, arena, expression);
	double world[12];
	pose_joint_world(rig, &pose, rig_find_joint(rig, joint), world);
	for (int k = 0; k < 3; k++) {
		out[k] = world[k * 4 + 3];
	}
	arena_destroy(arena);
}

static void assert_place(const struct rig *rig, const char *joint, const char *expression,
	const double expected[3]) {
	double place[3];
	place_of(rig, joint, expression, place);
	for (int k = 0; k < 3; k++) {
		assert_near(place[k], expected[k], 1e-6);
	}
}

/* --- What the grammar means --- */

static void rest_poses_are_in_the_model_and_transposed(void **state) {
	(void)state;
	struct rig *rig = import_two(model);
	const int root = rig_find_joint(rig, "root"), upper = rig_find_joint(rig, "upper");
	assert_true(root >= 0 && upper > root);
	assert_int_equal(rig->joints[root].parent, -1);
	assert_int_equal(rig->joints[upper].parent, root);
	assert_place(rig, "root", "'rest'", (const double[]){1, 0, 0});
	assert_place(rig, "upper", "'rest'", (const double[]){1, 2.5, 3});
	// From the root, whose x is the model's y, the upper bone is 2.5 along x and 3 along z.
	assert_near((double)rig->joints[upper].rest.translation[0], 2.5, 1e-6);
	assert_near((double)rig->joints[upper].rest.translation[1], 0, 1e-6);
	assert_near((double)rig->joints[upper].rest.translation[2], 3, 1e-6);
	// A quarter turn about z.
	assert_near((double)rig->joints[root].rest.rotation[2], sqrt(0.5), 1e-6);
	assert_near((double)rig->joints[root].rest.rotation[3], sqrt(0.5), 1e-6);
	assert_near((double)rig->joints[upper].rest.rotation[3], 1, 1e-6);
	rig_release(rig);
}

static void times_are_steps_and_matrices_relative_to_parents(void **state) {
	(void)state;
	struct rig *rig = import_two(model);
	assert_int_equal(rig->clip_count, 1);
	assert_string_equal(rig->clips[0].name, "walk");
	assert_near(rig->clips[0].duration_s, 0.75, 0);
	// Local (0, 1, 0) is the model's (-1, 0, 0) from the root's (1, 0, 0); later (0, 2, 0), and
	// the movement: -1 along z.
	assert_place(rig, "upper", "{'clip': 'walk', 'time': 0}", (const double[]){0, 0, 0});
	assert_place(rig, "upper", "{'clip': 'walk', 'time': 0.5}", (const double[]){-1, 0, -1});
	assert_place(
		rig, "upper", "{'clip': 'walk', 'time': 0.625}", (const double[]){-1.5, 0, -2});
	assert_place(rig, "upper", "{'clip': 'walk', 'time': 0.75}", (const double[]){-2, 0, -3});
	rig_release(rig);
}

static void movement_is_added_up_at_the_roots(void **state) {
	(void)state;
	struct rig *rig = import_two(model);
	assert_place(rig, "root", "{'clip': 'walk', 'time': 0}", (const double[]){1, 0, 0});
	assert_place(rig, "root", "{'clip': 'walk', 'time': 0.25}", (const double[]){1, 0, -0.5});
	assert_place(rig, "root", "{'clip': 'walk', 'time': 0.75}", (const double[]){1, 0, -3});
	// The third vertex has no weights and goes with the model.
	assert_place(rig, "two", "{'clip': 'walk', 'time': 0.5}", (const double[]){0, 0, -1});
	rig_release(rig);
}

static void check_skin(const char *text) {
	struct rig *rig = import_two(text);
	assert_int_equal(rig->vertex_count, 3);
	assert_int_equal(rig->primitive_count, 1);
	const struct primitive *primitive = &rig->primitives[0];
	assert_true(primitive->skinned);
	const uint16_t *slots = &rig->influence_slots[primitive->first_influence];
	const float *weights = &rig->influence_weights[primitive->first_influence];
	const size_t width = (size_t)primitive->influence_count;
	const char *const pivots[3] = {"root", "upper", "two"};
	for (size_t v = 0; v < 3; v++) {
		const int joint = rig->slots[primitive->first_slot + slots[v * width]].joint;
		assert_string_equal(rig->joints[joint].name, pivots[v]);
		assert_near((double)weights[v * width], v == 1 ? 0.75 : 1, 1e-7);
	}
	assert_near((double)weights[width + 1], 0.25, 1e-7);
	// Clockwise 0 1 2, seen from the front, is counter-clockwise 0 2 1.
	assert_int_equal(rig->indices[0], 0);
	assert_int_equal(rig->indices[1], 2);
	assert_int_equal(rig->indices[2], 1);
	assert_near((double)rig->normals[2], 1, 1e-6);
	assert_non_null(rig->texcoords[0]);
	assert_string_equal(rig->materials[0].name, "skin");
	rig_release(rig);
}

static void both_layouts_of_the_skin_are_read(void **state) {
	(void)state;
	check_skin(model);
	check_skin(model_with_clones);
}

static void a_skeleton_is_a_rig_without_a_mesh(void **state) {
	(void)state;
	const struct prism_part parts[] = {{"two.pis", skeleton, sizeof skeleton - 1},
		{"two-idle.pia", animation, sizeof animation - 1}};
	struct error err = {0};
	struct rig *rig = prism_import_parts(parts, 2, &err);
	assert_non_null(rig);
	assert_int_equal(rig->joint_count, 2);
	assert_int_equal(rig->vertex_count, 0);
	assert_string_equal(rig->clips[0].name, "idle");
	rig_release(rig);
}

static void a_missing_skeleton_is_named(void **state) {
	(void)state;
	struct error err = {0}, other = {0};
	assert_null(import_texts(model, NULL, NULL, &err));
	assert_non_null(strstr(err.text, "\"two.pis\", which is not among the files"));
	assert_null(
		prism_import((const unsigned char *)animation, sizeof animation - 1, NULL, &other));
	assert_non_null(strstr(other.text, "\"two.pis\", which is not among the files"));
}

/* --- What the writer writes --- */

static void write_motion(const struct motion_format *format, const struct rig *rig,
	const struct transform *local, size_t frames, struct buffer *out) {
	const struct motion motion = {
		.rig = rig,
		.rig_name = "two",
		.name = "motion",
		.generator = "test",
		.frame_count = frames,
		.rate = 8,
		.duration_s = (double)(frames - 1) / 8,
		.local = local,
	};
	struct error err = {0};
	if (!format->write(&motion, out, &err)) {
		fail_msg("%s", err.text);
	}
}

/* Every joint's matrix in the world, to float32 of a chain of matrices. */
static void expect_same_worlds(
	const struct rig *a, const struct pose *pose_a, const struct rig *b, double time_s) {
	struct arena *arena = arena_create();
	char text[64];
	snprintf(text, sizeof text, "{'clip': 'motion', 'time': %.9g}", time_s);
	const struct pose pose_b = pose_of(b, arena, text);
	for (int i = 0; i < a->joint_count; i++) {
		double x[12], y[12];
		pose_joint_world(a, pose_a, i, x);
		pose_joint_world(b, &pose_b, rig_find_joint(b, a->joints[i].name), y);
		for (int k = 0; k < 12; k++) {
			assert_near(y[k], x[k], 3e-6);
		}
	}
	arena_destroy(arena);
}

static void what_is_written_comes_back(void **state) {
	(void)state;
	struct rig *rig = own_rig("assets/demo/humanoid.glb");
	struct arena *arena = arena_create();
	const size_t joints = (size_t)rig->joint_count, frames = 9;
	struct transform *local = arena_alloc(arena, frames * joints, sizeof *local);
	struct pose poses[9];
	struct buffer pis = {0}, pia = {0};
	for (size_t i = 0; i < frames; i++) {
		char text[64];
		snprintf(text, sizeof text, "{'clip': 'Run', 'time': %.9g}", (double)i / 8);
		poses[i] = pose_of(rig, arena, text);
		memcpy(&local[i * joints], poses[i].local, joints * sizeof *local);
	}
	write_motion(&motion_pis, rig, NULL, 1, &pis);
	write_motion(&motion_pia, rig, local, frames, &pia);
	const struct prism_part parts[] = {
		{"two.pis", pis.data, pis.size}, {"two_motion.pia", pia.data, pia.size}};
	struct error err = {0};
	struct rig *back = prism_import_parts(parts, 2, &err);
	if (!back) {
		fail_msg("%s", err.text);
	}
	assert_int_equal(back->joint_count, rig->joint_count);
	assert_near(back->clips[0].duration_s, 1, 1e-6);
	for (size_t i = 0; i < frames; i++) {
		expect_same_worlds(rig, &poses[i], back, (double)i / 8);
	}
	buffer_finish(&pis);
	buffer_finish(&pia);
	rig_release(back);
	rig_release(rig);
	arena_destroy(arena);
}

/* --- Broken files --- */

/* A text with one piece of it replaced; the caller frees it. */
static char *replaced(const char *text, const char *from, const char *to) {
	const char *found = strstr(text, from);
	assert_non_null(found);
	char *out = malloc(strlen(text) + strlen(to) + 1);
	sprintf(out, "%.*s%s%s", (int)(found - text), text, to, found + strlen(from));
	return out;
}

static const struct {
	int file; // 0 the model, 1 the skeleton, 2 the animation
	const char *from, *to, *says;
} refusals[] = {
	{0, "FormatVersion: 5", "FormatVersion: 4", "\"two.pim\" is a PIM of version 4, must be 5"},
	{1, "\"Skeleton\"", "\"Trait\"", "Prism's \"Trait\", which posed does not read"},
	{1, "\"Skeleton\"", "\"Model\"", "is a PIM of version 1"},
	{1, "BoneCount: 2", "BoneCount: 3", "2 bones, must be as many as BoneCount says, 3"},
	{1, "BoneCount: 2", "BoneCount: 1e9", "BoneCount, a whole number from 0 to"},
	{1, "BoneCount: 2", "BoneCount: &40000000 1", "must have BoneCount"},
	{1, "Parent: \"\"", "Parent: \"upper\"", "line 11: the bone is among its own parents"},
	{1, "Parent: \"root\"", "Parent: \"upper\"", "the bone is among its own parents"},
	{1, "Parent: \"root\"", "Parent: \"nobody\"", "its parent \"nobody\" is no bone"},
	{1, "Name: \"upper\"", "Name: \"root\"", "a second bone \"root\""},
	{1, "&3f800000 0 0 1", "&7f800000 0 0 1", "&7f800000 is not a finite number"},
	{1, "&3f800000 0 0 1", "&ffc00000 0 0 1", "&ffc00000 is not a finite number"},
	{1, "&3f800000 0 0 1", "&3f80000 0 0 1", "eight hexadecimal digits"},
	{1, "&3f800000 0 0 1", "1e39 0 0 1", "numbers that float32 holds"},
	{1, "&3f800000 0 0 1", "0 0 1", "must have 16 numbers"},
	{1, "&3f800000 0 0 1", "0 0 0 0 1", "more values than there may be"},
	{1, TURNED "  &3f8", "0 0 0 0 0 0 0 0 0 0 0 0 &3f8", "which is a parent, has no inverse"},
	{1, " 1 ( Name", " 2 ( Name", "the index is 2, must be 1"},
	{1, "Name: \"root\"", "Name: \"root", "a string that does not end on its line"},
	{1, "Name: \"root\"", "Name: \"\xff\"", "text that is not UTF-8"},
	{1, "Bones {", "Bones", "neither"},
	{1, "Bones {", "Bones { } Others {", "0 bones"},
	{2, "KeyframeCount: 3", "KeyframeCount: 4", "must have as many as KeyframeCount says, 4"},
	{2, "0 ( 0.5 )", "0 ( -0.5 )", "key 1 is at -0.5 s, which must be after the one before"},
	{2, "0 ( 0.5 )", "0 ( 0 )", "key 1 is at 0 s"},
	{2, "0 ( 0.5 )", "0 ( 0.5 1 )", "more values than there may be"},
	{2, "BoneChannelCount: 1", "BoneChannelCount: 2", "1 sections BoneChannel, must be as"},
	{2, "CustomChannelCount: 1", "CustomChannelCount: 0", "1 sections CustomChannel"},
	{2, "0 ( " PLAIN, "0 ( 3e38 3e38 3e38 0 0 1 0 0 0 0 1 0",
		"key 0 of the bone is beyond what float32 holds"},
	{2, "FLOAT4x4", "FLOAT3", "a stream _MATRIX of format FLOAT4x4"},
	{2, "\"_MOVEMENT\"", "\"_MOTION\"", "a stream _MOVEMENT of format FLOAT3"},
	{0, "0 ( 0 1 2 )", "0 ( 0 1 3 )", "3 must be a whole number from 0 to 2"},
	{0, "0 ( 0 1 2 )", "0 ( 0 1 &40000000 )", "must be a whole number"},
	{0, " VertexCount: 3\n TriangleCount: 1\n Stream",
		" VertexCount: 0\n TriangleCount: 1\n "
		"Stream",
		"a piece without vertices"},
	{0, " VertexCount: 3\n TriangleCount: 1\n Stream",
		" VertexCount: 9000000\n TriangleCount: "
		"1\n Stream",
		"as many rows as VertexCount says, 9000000"},
	{0, " VertexCount: 3\n TriangleCount: 1\n Stream",
		" VertexCount: 3\n TriangleCount: 7\n "
		"Stream",
		"1 triangles, must be as many as TriangleCount says, 7"},
	{0, "MaterialCount: 1", "MaterialCount: 1000000", "1 sections Material, must be as many"},
	{0, "PieceCount: 1\n Part", "PieceCount: 1000000\n Part", "1 sections Piece, must be"},
	{0, "Material: 0", "Material: 1", "Material, a whole number from 0 to 0"},
	{0, "ItemCount: 2", "ItemCount: 1", "as many as ItemCount says, 1"},
	{0, "Weights: 2 0 0.25", "Weights: 2 2 0.25", "2 must be a whole number from 0 to 1"},
	{0, "Weights: 2 0 0.25", "Weights: 2 0 -0.25", "weight -0.25, must be 0 or more"},
	{0, "Weights: 2 0 0.25", "Weights: 1000 0 0.25", "from 0 to 256"},
	{0, "VertexIndices: 1 1", "VertexIndices: 1 0", "vertex 0 of piece 0 has weights already"},
	{0, "VertexIndices: 1 1", "VertexIndices: 2 1", "a number is missing"},
	{0, "1 ( \"upper\" )", "1 ( \"tail\" )", "bone \"tail\" is not in the skeleton"},
	{0, "Material {", "( Material {", "\"(\" without \")\""},
	{0, "Material {", ") Material {", "\")\" without \"(\""},
	{0, "Material {", "} Material {", "\"}\" without \"{\""},
};

static void broken_files_are_refused_with_the_place(void **state) {
	(void)state;
	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
		const char *texts[3] = {model, skeleton, animation};
		char *broken = replaced(texts[refusals[i].file], refusals[i].from, refusals[i].to);
		struct error err = {0};
		texts[refusals[i].file] = broken;
		struct rig *rig = import_texts(texts[0], texts[1], texts[2], &err);
		if (rig || !strstr(err.text, refusals[i].says)) {
			fail_msg("%s -> %s: %s", refusals[i].from, refusals[i].to,
				rig ? "is accepted" : err.text);
		}
		free(broken);
	}
}

static void sections_nest_only_so_deep(void **state) {
	(void)state;
	struct buffer text = {0};
	struct error err = {0};
	for (int i = 0; i < 100000; i++) {
		buffer_append(&text, "Header{", 7);
	}
	assert_null(prism_import(text.data, text.size, NULL, &err));
	assert_non_null(strstr(err.text, "sections nest more than 32 deep"));
	buffer_finish(&text);
}

/* Every beginning of every file is refused, or is a rig; the last is, and any sanitizer agrees. */
static void files_may_be_cut_anywhere(void **state) {
	(void)state;
	const char *const texts[3] = {model, skeleton, animation};
	for (int file = 0; file < 3; file++) {
		const size_t size = strlen(texts[file]);
		size_t rigs = 0;
		for (size_t cut = 0; cut < size; cut++) {
			char *part = malloc(cut + 1);
			const char *parts[3] = {texts[0], texts[1], texts[2]};
			struct error err = {0};
			memcpy(part, texts[file], cut);
			part[cut] = '\0';
			parts[file] = part;
			struct rig *rig = import_texts(parts[0], parts[1], parts[2], &err);
			assert_true(rig || err.code != ERROR_NONE);
			rigs += rig != NULL;
			rig_release(rig);
			free(part);
		}
		assert_true(rigs < size / 2);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rest_poses_are_in_the_model_and_transposed),
		cmocka_unit_test(times_are_steps_and_matrices_relative_to_parents),
		cmocka_unit_test(movement_is_added_up_at_the_roots),
		cmocka_unit_test(both_layouts_of_the_skin_are_read),
		cmocka_unit_test(a_skeleton_is_a_rig_without_a_mesh),
		cmocka_unit_test(a_missing_skeleton_is_named),
		cmocka_unit_test(what_is_written_comes_back),
		cmocka_unit_test(broken_files_are_refused_with_the_place),
		cmocka_unit_test(sections_nest_only_so_deep),
		cmocka_unit_test(files_may_be_cut_anywhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
