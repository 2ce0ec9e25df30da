// Rules on skeletons at rest and on the tracks of clips, with faults put in by hand.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "checked.h"
#include "gltf_builder.h"

#define JOINTS_MAX 16

/* A joint below the root; in the skin, whether or not it carries a vertex. */
struct part {
	const char *name;
	double x, y;
};

/* A figure of length 1: a square, whose corner i follows joint i % carriers of the skin. */
static struct gltf_builder build_figure(int carriers) {
	uint8_t joints[4][4] = {{0}};
	static const float weights[4][4] = {{1}, {1}, {1}, {1}};
	struct gltf_builder b = quad();
	for (int i = 0; i < 4; i++) {
		joints[i][0] = (uint8_t)(i % carriers);
	}
	add_data(&b, "VEC4", U8, 4, joints, sizeof joints);
	add_data(&b, "VEC4", F32, 4, weights, sizeof weights);
	return b;
}

/* Node 0 has the mesh, node 1 is the root, and the parts follow. Their inverse binds are such that
 * the square rests where it is. */
static struct checked check_figure(
	struct gltf_builder *b, const struct part *parts, int count, const char *more) {
	char nodes[4000] = "", joints[400] = "", members[9000];
	float binds[JOINTS_MAX][16] = {{0}};
	for (int i = 0; i < count; i++) {
		const size_t n = strlen(nodes), j = strlen(joints);
		snprintf(nodes + n, sizeof nodes - n,
			", {\"name\": \"%s\", \"translation\": [%g, %g, 0]}", parts[i].name,
			parts[i].x, parts[i].y);
		snprintf(joints + j, sizeof joints - j, "%s%d", i ? ", " : "", i + 2);
		binds[i][0] = binds[i][5] = binds[i][10] = binds[i][15] = 1;
		binds[i][12] = (float)-parts[i].x;
		binds[i][13] = (float)-parts[i].y;
	}
	const int bind = add_data(b, "MAT4", F32, (size_t)count, binds, (size_t)count * 64);
	snprintf(members, sizeof members,
		"\"nodes\": [{\"mesh\": 0, \"skin\": 0}, {\"name\": \"root\", \"children\": "
		"[%s]}%s], "
		"\"skins\": [{\"joints\": [%s], \"inverseBindMatrices\": %d}], \"meshes\": [{"
		"\"primitives\": [{\"mode\": 0, \"attributes\": {\"POSITION\": 0, \"JOINTS_0\": 1, "
		"\"WEIGHTS_0\": 2}}]}]%s",
		joints, nodes, joints, bind, more);
	size_t size;
	unsigned char *glb = build_glb(b, members, &size);
	const struct checked checked = checked_bytes(glb, size, CHECK_PROFILE_GAME);
	free(glb);
	gltf_builder_finish(b);
	return checked;
}

static enum check_level level_of(
	const struct checked *checked, const char *rule, const char *clip) {
	const struct check_finding *finding = checked_finding(checked, rule, clip);
	return finding ? finding->level : CHECK_OK;
}

static void compares_left_with_right(void **state) {
	(void)state;
	struct part parts[] = {{"LeftArm", 1, 0}, {"RightArm", -1, 0}, {"hand_l", 2, 0.5},
		{"hand_r", -2, 0.5}, {"L.foot", 1, -1}, {"R.foot", -1, -1}, {"Cleft", 0, 3}};
	struct gltf_builder b = build_figure(1);
	struct checked checked = check_figure(&b, parts, 7, "");
	assert_near(checked.file.length, 1, 1e-6);
	assert_near(checked_value(&checked, "rig/side", NULL), 0, 0);
	assert_near(checked_value(&checked, "rig/symmetry", NULL), 0, 1e-6);
	checked_finish(&checked);
	// One foot 0.25 off, and the hands swapped: their mirror is the same.
	parts[2].name = "hand_r";
	parts[3].name = "hand_l";
	parts[5].y = -1.25;
	b = build_figure(1);
	checked = check_figure(&b, parts, 7, "");
	assert_near(checked_value(&checked, "rig/side", NULL), 1, 0);
	assert_int_equal(level_of(&checked, "rig/side", NULL), CHECK_ERROR);
	assert_string_equal(checked_finding(&checked, "rig/side", NULL)->at.joint, "hand_l");
	assert_string_equal(checked_finding(&checked, "rig/side", NULL)->at.pointer, "/nodes/5");
	assert_near(checked_value(&checked, "rig/symmetry", NULL), 0.25, 1e-6);
	assert_int_equal(level_of(&checked, "rig/symmetry", NULL), CHECK_NOTE);
	checked_finish(&checked);
	b = build_figure(1);
	checked = check_figure(&b, parts, 4, "");
	assert_non_null(checked_skip(&checked, "rig/side", NULL));
	checked_finish(&checked);
}

/* From 4 on, and 20 %, they are a warning; fewer are a note. */
static void warns_of_many_unused_joints(void **state) {
	(void)state;
	static const struct {
		int carriers, unused;
		enum check_level level;
	} rows[] = {{4, 0, CHECK_OK}, {2, 3, CHECK_NOTE}, {4, 4, CHECK_WARNING}};
	static const struct part parts[] = {{"a", 0, 0}, {"b", 0, 0}, {"c", 0, 0}, {"d", 0, 0},
		{"e", 0, 0}, {"f", 0, 0}, {"g", 0, 0}, {"h", 0, 0}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct gltf_builder b = build_figure(rows[i].carriers);
		struct checked checked =
			check_figure(&b, parts, rows[i].carriers + rows[i].unused, "");
		assert_near(checked_value(&checked, "rig/joint_unused", NULL), rows[i].unused, 0);
		assert_int_equal(level_of(&checked, "rig/joint_unused", NULL), rows[i].level);
		checked_finish(&checked);
	}
}

static void holds_the_height_against_the_profile(void **state) {
	(void)state;
	static const struct {
		double scale;
		enum check_level level;
	} rows[] = {{1, CHECK_OK}, {20, CHECK_OK}, {175, CHECK_WARNING}, {0.04, CHECK_WARNING}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct gltf_builder b = quad();
		char members[300];
		size_t size;
		snprintf(members, sizeof members,
			"\"nodes\": [{\"mesh\": 0, \"scale\": [%g, %g, %g]}], \"meshes\": [{"
			"\"primitives\": [{\"mode\": 0, \"attributes\": {\"POSITION\": 0}}]}]",
			rows[i].scale, rows[i].scale, rows[i].scale);
		unsigned char *glb = build_glb(&b, members, &size);
		struct checked checked = checked_bytes(glb, size, CHECK_PROFILE_GAME);
		assert_near(checked_value(&checked, "rig/height", NULL), rows[i].scale,
			1e-6 * rows[i].scale);
		assert_int_equal(level_of(&checked, "rig/height", NULL), rows[i].level);
		checked_finish(&checked);
		free(glb);
		gltf_builder_finish(&b);
	}
}

/* --- Clips --- */

#define CHANNEL(sampler, node, path) \
	"{\"sampler\": " #sampler ", \"target\": {\"node\": " #node ", \"path\": \"" path "\"}}"
#define SAMPLER(input, output, interpolation) \
	"{\"input\": " #input ", \"output\": " #output ", \"interpolation\": \"" interpolation "\"}"
#define CLIP(name, channels, samplers) \
	"{\"name\": \"" name "\", \"channels\": [" channels "], \"samplers\": [" samplers "]}"
#define BOTH CHANNEL(0, 2, "translation") ", " CHANNEL(0, 3, "translation")
#define MOVE SAMPLER(3, 4, "LINEAR")

static const struct part arms[] = {{"arm_l", 0.5, 0}, {"arm_r", -0.5, 0}};

/* Three clips drive both arms, one the left one alone. */
static void finds_tracks_that_other_clips_have(void **state) {
	(void)state;
	static const float times[2] = {0, 1}, moves[2][3] = {{0}, {0.5f}};
	struct gltf_builder b = build_figure(2);
	add_data(&b, "SCALAR", F32, 2, times, sizeof times);
	add_data(&b, "VEC3", F32, 2, moves, sizeof moves);
	struct checked checked = check_figure(&b, arms, 2,
		", \"animations\": [" CLIP("one", BOTH, MOVE) ", " CLIP(
			"two", BOTH, MOVE) ", " CLIP("three", BOTH, MOVE) ", " CLIP("half",
			CHANNEL(0, 2, "translation"), MOVE) "]");
	assert_near(checked_value(&checked, "clip/missing_track", "half"), 0.5, 1e-9);
	assert_int_equal(level_of(&checked, "clip/missing_track", "half"), CHECK_ERROR);
	assert_near(checked_value(&checked, "clip/missing_track", "one"), 0, 0);
	assert_near(checked_value(&checked, "clip/one_sided", "half"), 1, 0);
	assert_int_equal(level_of(&checked, "clip/one_sided", "half"), CHECK_WARNING);
	assert_string_equal(
		checked_finding(&checked, "clip/one_sided", "half")->at.pointer, "/animations/3");
	assert_near(checked_value(&checked, "clip/one_sided", "two"), 0, 0);
	checked_finish(&checked);
}

/* Tangents that turn the middle of a segment by 25 degrees, where its keys are equal: the cubic
 * through 0 and 0 with slopes m and -m is m / 4 at its middle. 5 degrees are free. */
static void measures_cubic_curves_beyond_their_keys(void **state) {
	(void)state;
	const float m = (float)(4 * tan(12.5 * M_PI / 180));
	const float times[2] = {0, 1};
	const float keys[6][4] = {{0}, {0, 0, 0, 1}, {0, 0, m}, {0, 0, -m}, {0, 0, 0, 1}, {0}};
	struct gltf_builder b = build_figure(2);
	add_data(&b, "SCALAR", F32, 2, times, sizeof times);
	add_data(&b, "VEC4", F32, 6, keys, sizeof keys);
	struct checked checked = check_figure(&b, arms, 2,
		", \"animations\": [" CLIP(
			"bow", CHANNEL(0, 3, "rotation"), SAMPLER(3, 4, "CUBICSPLINE")) "]");
	assert_near(checked_value(&checked, "clip/overshoot", "bow"), 20, 1e-4);
	assert_int_equal(level_of(&checked, "clip/overshoot", "bow"), CHECK_WARNING);
	const struct check_finding *finding = checked_finding(&checked, "clip/overshoot", "bow");
	assert_string_equal(finding->at.joint, "arm_r");
	assert_string_equal(finding->at.pointer, "/animations/0/channels/0");
	assert_near(finding->at.time_s, 0.5, 1e-6);
	checked_finish(&checked);
}

/* Eight keys on a line of two pieces: six are between others, and one of these is the corner. */
static void counts_keys_that_say_nothing(void **state) {
	(void)state;
	float times[8], moves[8][3] = {{0}};
	for (int i = 0; i < 8; i++) {
		times[i] = (float)i / 24;
		moves[i][0] = (float)(i < 4 ? i : 6 - i) / 10;
	}
	struct gltf_builder b = build_figure(2);
	add_data(&b, "SCALAR", F32, 8, times, sizeof times);
	add_data(&b, "VEC3", F32, 8, moves, sizeof moves);
	struct checked checked = check_figure(&b, arms, 2,
		", \"animations\": [" CLIP("zigzag", CHANNEL(0, 2, "translation"), MOVE) "]");
	assert_near(checked_value(&checked, "clip/redundant", "zigzag"), 5 / 8.0, 1e-9);
	assert_int_equal(level_of(&checked, "clip/redundant", "zigzag"), CHECK_NOTE);
	assert_near(checked_value(&checked, "clip/rate", "zigzag"), 24, 0);
	assert_near(checked_value(&checked, "clip/duration", "zigzag"), 7 / 24.0, 1e-6);
	assert_int_equal(level_of(&checked, "clip/still", "zigzag"), CHECK_OK);
	assert_non_null(checked_skip(&checked, "clip/overshoot", "zigzag"));
	checked_finish(&checked);
}

/* No motion at all; a clip whose name says that it is a pose may have none. */
static void finds_clips_in_which_nothing_moves(void **state) {
	(void)state;
	static const float times[3] = {0, 0.5f, 1}, same[3][3] = {{0.5f}, {0.5f}, {0.5f}};
	struct gltf_builder b = build_figure(2);
	add_data(&b, "SCALAR", F32, 3, times, sizeof times);
	add_data(&b, "VEC3", F32, 3, same, sizeof same);
	struct checked checked = check_figure(&b, arms, 2,
		", \"animations\": [" CLIP("Run", CHANNEL(0, 2, "translation"), MOVE) ", " CLIP(
			"TPose", CHANNEL(0, 2, "translation"), MOVE) "]");
	assert_near(checked_value(&checked, "clip/still", "Run"), 0, 1e-12);
	assert_int_equal(level_of(&checked, "clip/still", "Run"), CHECK_WARNING);
	assert_non_null(checked_skip(&checked, "clip/still", "TPose"));
	checked_finish(&checked);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(compares_left_with_right),
		cmocka_unit_test(warns_of_many_unused_joints),
		cmocka_unit_test(holds_the_height_against_the_profile),
		cmocka_unit_test(finds_tracks_that_other_clips_have),
		cmocka_unit_test(measures_cubic_curves_beyond_their_keys),
		cmocka_unit_test(counts_keys_that_say_nothing),
		cmocka_unit_test(finds_clips_in_which_nothing_moves),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
