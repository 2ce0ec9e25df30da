// Rules on a file's own data: weights, positions, keys, names, sizes; and where findings point to.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "checked.h"
#include "gltf_builder.h"

static struct checked check_built(struct gltf_builder *b, const char *members) {
	size_t size;
	unsigned char *glb = build_glb(b, members, &size);
	const struct checked checked = checked_bytes(glb, size, CHECK_PROFILE_GAME);
	free(glb);
	gltf_builder_finish(b);
	return checked;
}

static void expect(const struct checked *checked, const char *rule, const char *clip, double value,
	enum check_level level, const char *pointer) {
	const struct check_finding *finding = checked_finding(checked, rule, clip);
	assert_near(checked_value(checked, rule, clip), value, 1e-6);
	if (level == CHECK_OK) {
		assert_null(finding);
		return;
	}
	if (!finding) {
		fail_msg("%s found nothing", rule);
	}
	assert_int_equal(finding->level, level);
	assert_near(finding->at.value, value, 1e-6);
	if (!pointer != !finding->at.pointer ||
		(pointer && strcmp(pointer, finding->at.pointer) != 0)) {
		fail_msg("%s points to %s, expected %s", rule,
			finding->at.pointer ? finding->at.pointer : "nothing",
			pointer ? pointer : "nothing");
	}
}

/* Two skinned primitives of one mesh; the flaws are in the second, whose vertices begin at 4. */
#define FIGURE \
	"\"nodes\": [{\"mesh\": 0, \"skin\": 0}, {\"name\": \"a\", \"children\": [2]}, " \
	"{\"name\": " \
	"\"b\", \"translation\": [0, 1, 0]}], \"skins\": [{\"joints\": [1, 2]}], \"meshes\": [{" \
	"\"primitives\": [{\"mode\": 0, \"attributes\": {\"POSITION\": 0, \"JOINTS_0\": 1, " \
	"\"WEIGHTS_0\": 2}}, {\"mode\": 0, \"attributes\": {\"POSITION\": 3, \"JOINTS_0\": 4, " \
	"\"WEIGHTS_0\": 5}}]}]"

#define VERTICES 8

static struct gltf_builder figure(void) {
	static const uint8_t sound_joints[4][4] = {{0}};
	static const float sound_weights[4][4] = {{1}, {1}, {1}, {1}};
	static const float positions[VERTICES][3] = {{0}, {0, 2}, {NAN}, {1, 1}, {1}, {0, 1}};
	static const uint8_t joints[VERTICES][4] = {[4] = {7}, [5] = {1, 1}};
	static const float weights[VERTICES][4] = {
		{0.9f}, {0}, {-1, 2}, {0.5f}, {1}, {0.5f, 0.5f}, {1}, {1}};
	struct gltf_builder b = quad();
	add_data(&b, "VEC4", U8, 4, sound_joints, sizeof sound_joints);
	add_data(&b, "VEC4", F32, 4, sound_weights, sizeof sound_weights);
	add_data(&b, "VEC3", F32, VERTICES, positions, sizeof positions);
	add_data(&b, "VEC4", U8, VERTICES, joints, sizeof joints);
	add_data(&b, "VEC4", F32, VERTICES, weights, sizeof weights);
	return b;
}

static void counts_vertices_with_flaws(void **state) {
	(void)state;
	static const char second[] = "/meshes/0/primitives/1";
	struct gltf_builder b = figure();
	struct checked checked = check_built(&b, FIGURE);
	expect(&checked, "rig/weight_sum", NULL, 2, CHECK_WARNING, second);
	expect(&checked, "rig/weight_zero", NULL, 1, CHECK_ERROR, second);
	expect(&checked, "rig/weight_invalid", NULL, 1, CHECK_ERROR, second);
	expect(&checked, "rig/joint_index", NULL, 1, CHECK_ERROR, second);
	expect(&checked, "rig/weight_duplicate", NULL, 1, CHECK_WARNING, second);
	expect(&checked, "mesh/nonfinite", NULL, 1, CHECK_ERROR, second);
	const struct check_finding *sum = checked_finding(&checked, "rig/weight_sum", NULL);
	assert_int_equal(sum->at.vertex_count, 2);
	assert_int_equal(sum->at.vertices[0], 4);
	assert_int_equal(sum->at.vertices[1], 7);
	assert_near(checked_param(&sum->at, "worst"), 0.5, 1e-6);
	checked_finish(&checked);
}

/* The strict tolerance is a note of the profile strict. */
static void notes_rounding_in_the_strict_profile_alone(void **state) {
	(void)state;
	static const float rounded[4][4] = {{1}, {1}, {1}, {1.00002f}};
	static const uint8_t joints[4][4] = {{0}};
	for (int i = 0; i < 2; i++) {
		struct gltf_builder b = quad();
		add_data(&b, "VEC4", U8, 4, joints, sizeof joints);
		add_data(&b, "VEC4", F32, 4, rounded, sizeof rounded);
		size_t size;
		unsigned char *glb = build_glb(&b,
			"\"nodes\": [{\"mesh\": 0, \"skin\": 0}], \"skins\": [{\"joints\": [0]}], "
			"\"meshes\": [{\"primitives\": [{\"mode\": 0, \"attributes\": "
			"{\"POSITION\": "
			"0, \"JOINTS_0\": 1, \"WEIGHTS_0\": 2}}]}]",
			&size);
		struct checked checked = checked_bytes(
			glb, size, i == 0 ? CHECK_PROFILE_GAME : CHECK_PROFILE_STRICT);
		const struct check_finding *strict =
			checked_finding(&checked, "rig/weight_sum_strict", NULL);
		assert_null(checked_finding(&checked, "rig/weight_sum", NULL));
		assert_true(i == 0 ? !strict : strict && strict->level == CHECK_NOTE);
		checked_finish(&checked);
		free(glb);
		gltf_builder_finish(&b);
	}
}

static void says_what_it_cannot_look_at(void **state) {
	(void)state;
	struct gltf_builder b = quad();
	struct checked checked = check_built(&b,
		"\"nodes\": [{\"mesh\": 0}], \"meshes\": [{\"primitives\": [{\"mode\": 0, "
		"\"attributes\": {\"POSITION\": 0}}]}]");
	assert_non_null(checked_skip(&checked, "rig/weight_sum", NULL));
	assert_null(checked_skip(&checked, "mesh/nonfinite", NULL));
	expect(&checked, "mesh/nonfinite", NULL, 0, CHECK_OK, NULL);
	checked_finish(&checked);
}

#define CHANNEL(sampler, node, path) \
	"{\"sampler\": " #sampler ", \"target\": {\"node\": " #node ", \"path\": \"" path "\"}}"
#define SAMPLER(input, output, interpolation) \
	"{\"input\": " #input ", \"output\": " #output ", \"interpolation\": \"" interpolation "\"}"

/* Channel 0 of node 1 has one bad key, channel 1 of node 2 nothing else: both are found. */
static void points_to_channels_that_are_left_out(void **state) {
	(void)state;
	static const float times[3] = {0, 1, 2}, falling[3] = {0, 1, 0.5f};
	static const float one[3][4] = {{0, 0, 0, 1}, {NAN}, {0, 0, 0, 1}};
	static const float all[3][4] = {{NAN}, {NAN}, {INFINITY}};
	static const float lengths[3][4] = {{0, 0, 0, 1}, {0, 0, 0, 1.25f}, {0, 0, 0, -1}};
	struct gltf_builder b = figure();
	add_data(&b, "SCALAR", F32, 3, times, sizeof times);     // 6
	add_data(&b, "SCALAR", F32, 3, falling, sizeof falling); // 7
	add_data(&b, "VEC4", F32, 3, one, sizeof one);           // 8
	add_data(&b, "VEC4", F32, 3, all, sizeof all);           // 9
	add_data(&b, "VEC4", F32, 3, lengths, sizeof lengths);   // 10
	struct checked checked = check_built(&b,
		FIGURE ", \"animations\": [{\"name\": \"bad\", \"channels\": [" CHANNEL(
			0, 1, "rotation") ", " CHANNEL(1, 2,
			"rotation") "], \"samplers\": [" SAMPLER(6, 8, "LINEAR") ", " SAMPLER(6, 9,
			"LINEAR") "]}, {\"name\": \"worse\", \"channels\": [" CHANNEL(0, 2,
			"rotation") "], \"samplers\": [" SAMPLER(7, 10, "LINEAR") "]}]");
	expect(&checked, "clip/nonfinite", "bad", 3, CHECK_ERROR, "/animations/0/channels/1");
	const struct check_finding *found = checked_finding(&checked, "clip/nonfinite", "bad");
	assert_string_equal(found->at.joint, "b");
	int count = 0;
	for (size_t i = 0; i < checked.file.finding_count; i++) {
		const struct check_measurement *at = &checked.file.findings[i].at;
		count += at->rule == found->at.rule;
		if (at->rule == found->at.rule && at->value < 2) {
			assert_string_equal(at->pointer, "/animations/0/channels/0");
			assert_near(at->time_s, 1, 0);
		}
	}
	assert_int_equal(count, 2);
	expect(&checked, "clip/key_order", "bad", 0, CHECK_OK, NULL);
	expect(&checked, "clip/key_order", "worse", 1, CHECK_ERROR, "/animations/1/channels/0");
	expect(&checked, "clip/quat_length", "worse", 0.25, CHECK_ERROR,
		"/animations/1/channels/0");
	expect(&checked, "clip/quat_sign", "worse", 1, CHECK_NOTE, "/animations/1/channels/0");
	expect(&checked, "clip/quat_sign_cubic", "worse", 0, CHECK_OK, NULL);
	checked_finish(&checked);
}

static void counts_names_sizes_and_extensions(void **state) {
	(void)state;
	static const float times[2] = {0.5f, 1}, moves[2][3] = {{0}, {0.5f}};
	struct gltf_builder b = quad();
	const uint8_t joints[4][4] = {{0}};
	const float weights[4][4] = {{1}, {1}, {1}, {1}};
	add_data(&b, "VEC4", U8, 4, joints, sizeof joints);
	add_data(&b, "VEC4", F32, 4, weights, sizeof weights);
	add_data(&b, "SCALAR", F32, 2, times, sizeof times);
	add_data(&b, "VEC3", F32, 2, moves, sizeof moves);
#define CLIP(name) \
	"{\"name\": \"" name "\", \"channels\": [" CHANNEL( \
		0, 1, "translation") "], \"samplers\": [" SAMPLER(3, 4, "LINEAR") "]}"
	struct checked checked = check_built(&b,
		"\"extensionsUsed\": [\"KHR_materials_diffuse_transmission\"], \"nodes\": "
		"[{\"mesh\": 0, "
		"\"skin\": 0}, {\"name\": \"a\", \"children\": [2]}, {\"name\": \"b\", "
		"\"children\": "
		"[3]}, {\"name\": \"a\"}], \"skins\": [{\"joints\": [1, 2, 3]}], \"meshes\": [{"
		"\"primitives\": [{\"mode\": 0, \"attributes\": {\"POSITION\": 0, \"JOINTS_0\": 1, "
		"\"WEIGHTS_0\": 2}, \"targets\": [{}, {}]}]}], \"animations\": [" CLIP(
			"Run") ", " CLIP("Run") ", " CLIP("Walk") "]");
	expect(&checked, "rig/name_duplicate", NULL, 1, CHECK_WARNING, NULL);
	expect(&checked, "clip/name_duplicate", NULL, 1, CHECK_WARNING, NULL);
	expect(&checked, "clip/start_offset", "Walk", 0.5, CHECK_WARNING, "/animations/2");
	expect(&checked, "clip/duration", "Walk", 0.5, CHECK_OK, NULL);
	expect(&checked, "rig/joint_unused", NULL, 2, CHECK_NOTE, NULL);
	expect(&checked, "budget/joints", NULL, 3, CHECK_OK, NULL);
	expect(&checked, "budget/morph_targets", NULL, 2, CHECK_OK, NULL);
	expect(&checked, "budget/draw_calls", NULL, 1, CHECK_OK, NULL);
	assert_int_equal(checked.file.not_covered_count, 1);
	assert_string_equal(checked.file.not_covered[0], "KHR_materials_diffuse_transmission");
	checked_finish(&checked);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_vertices_with_flaws),
		cmocka_unit_test(notes_rounding_in_the_strict_profile_alone),
		cmocka_unit_test(says_what_it_cannot_look_at),
		cmocka_unit_test(points_to_channels_that_are_left_out),
		cmocka_unit_test(counts_names_sizes_and_extensions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
