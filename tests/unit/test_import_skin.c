// Skins and influences: joints, inverse bind matrices, weights.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "gltf_builder.h"

#define SKINNED(primitive) \
	"\"nodes\": [{\"mesh\": 0, \"skin\": 0}, {}, {}], \"skins\": [{\"joints\": [2, 1]}], " \
	"\"meshes\": [{\"primitives\": [{" primitive "}]}]"

static void refuses_skins_without_sense(void **state) {
	(void)state;
	refuse_quad("\"skins\": [{}]", "skins[0]: has no joints");
	refuse_quad("\"skins\": [{\"joints\": []}]", "skins[0]: has no joints");
	refuse_quad(
		"\"skins\": [{\"joints\": [0]}]", "skins[0].joints[0]: is 0, but there are only 0");
	refuse_quad("\"nodes\": [{}], \"skins\": [{\"joints\": [0], \"skeleton\": 1}]",
		"skins[0].skeleton: is 1, but there are only 1");
	refuse_quad("\"nodes\": [{}], \"skins\": [{\"joints\": [0], \"inverseBindMatrices\": 0}]",
		"skins[0].inverseBindMatrices: accessors[0] is VEC3 of FLOAT, must be MAT4 of "
		"FLOAT");
}

static void refuses_inverse_bind_matrices_that_are_not_affine(void **state) {
	(void)state;
	static const float matrix[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0.5f};
	struct gltf_builder b = {0};
	add_data(&b, "MAT4", F32, 1, matrix, sizeof matrix);
	expect_built_refusal(&b,
		"\"nodes\": [{}], \"skins\": [{\"joints\": [0], \"inverseBindMatrices\": 0}]",
		ERROR_BROKEN_ASSET,
		"skins[0]: inverseBindMatrices: the last row of matrix 0 of accessors[0] must be 0 "
		"0 0 1");
	add_data(&b, "MAT4", F32, 1, matrix, sizeof matrix);
	expect_built_refusal(&b,
		"\"nodes\": [{}], \"skins\": [{\"joints\": [0, 0], \"inverseBindMatrices\": 0}]",
		ERROR_BROKEN_ASSET, "accessors[0] has 1 for 2 joints");
}

static void refuses_sets_without_their_other_half(void **state) {
	(void)state;
	const uint16_t joints[16] = {0};
	struct gltf_builder b = quad();
	add_data(&b, "VEC4", U16, 4, joints, sizeof joints);
	expect_built_refusal(&b, SKINNED("\"attributes\": {\"POSITION\": 0, \"JOINTS_0\": 1}"),
		ERROR_BROKEN_ASSET,
		"meshes[0].primitives[0].attributes: JOINTS_0 and WEIGHTS_0 must come together");
}

static void refuses_a_weighted_joint_that_does_not_exist(void **state) {
	(void)state;
	const uint16_t joints[16] = {[5] = 2, [8] = 7};
	const float weights[16] = {[0] = 1, [4] = 0.5f, [5] = 0.5f, [12] = 1};
	struct gltf_builder b = quad();
	add_data(&b, "VEC4", U16, 4, joints, sizeof joints);
	add_data(&b, "VEC4", F32, 4, weights, sizeof weights);
	expect_built_refusal(&b,
		SKINNED("\"attributes\": {\"POSITION\": 0, \"JOINTS_0\": 1, \"WEIGHTS_0\": 2}"),
		ERROR_BROKEN_ASSET,
		"meshes[0].primitives[0].attributes.JOINTS_0: vertex 1 names joint 2, but skins[0] "
		"has "
		"only 2");
}

static void refuses_more_influences_than_anyone_writes(void **state) {
	(void)state;
	struct gltf_builder b = quad();
	const uint16_t joints[16] = {0};
	const float weights[16] = {0};
	add_data(&b, "VEC4", U16, 4, joints, sizeof joints);
	add_data(&b, "VEC4", F32, 4, weights, sizeof weights);
	struct buffer members = {0};
	static const char head[] =
		"\"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0";
	buffer_append(&members, head, strlen(head));
	for (int i = 0; i < 65536; i++) {
		char text[64];
		snprintf(text, sizeof text, ", \"JOINTS_%d\": 1, \"WEIGHTS_%d\": 2", i, i);
		buffer_append(&members, text, strlen(text));
	}
	buffer_append(&members, "}}]}]", 6);
	expect_built_refusal(&b, (const char *)members.data, ERROR_TOO_LARGE,
		"attributes: more than 64 sets of joints and weights");
	buffer_finish(&members);
}

/* A hundred thousand joints do not fit 16-bit slots. */
static void refuses_more_joints_than_slots(void **state) {
	(void)state;
	struct buffer json = {0};
	static const char head[] =
		"{\"asset\": {\"version\": \"2.0\"}, \"nodes\": [{}], \"skins\": [{\"joints\": [0";
	buffer_append(&json, head, strlen(head));
	for (int i = 1; i < 100000; i++) {
		buffer_append(&json, ",0", 2);
	}
	buffer_append(&json, "]}]}", 5);
	expect_refusal(
		(const char *)json.data, ERROR_TOO_LARGE, "skins[0]: 100000 joints, up to 65535");
	buffer_finish(&json);
}

static void lays_out_one_run_of_slots_for_each_skin(void **state) {
	(void)state;
	static const float matrices[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1, 2, 0, 0,
		0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1};
	const uint16_t joints[16] = {0, 0, 0, 0, 1};
	const float weights[16] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
	struct gltf_builder b = quad();
	add_data(&b, "VEC4", U16, 4, joints, sizeof joints);
	add_data(&b, "VEC4", F32, 4, weights, sizeof weights);
	add_data(&b, "MAT4", F32, 2, matrices, sizeof matrices);
	struct rig *rig = import_sound(&b,
		"\"nodes\": [{\"mesh\": 0}, {\"mesh\": 0, \"skin\": 1}, {\"mesh\": 0, \"skin\": "
		"1}, "
		"{\"mesh\": 1, \"skin\": 0}, {}], \"skins\": [{\"joints\": [0]}, {\"joints\": [4, "
		"0], "
		"\"inverseBindMatrices\": 3}], \"meshes\": [{\"primitives\": [{\"attributes\": "
		"{\"POSITION\": 0, \"JOINTS_0\": 1, \"WEIGHTS_0\": 2}}]}, {\"primitives\": "
		"[{\"attributes\": {\"POSITION\": 0}}]}]");
	assert_int_equal(rig->slot_count, 1 + 2 + 1);
	static const int first[] = {0, 1, 1, 3}, counts[] = {1, 2, 2, 1};
	static const bool skinned[] = {false, true, true, false};
	for (int i = 0; i < 4; i++) {
		assert_int_equal(rig->primitives[i].first_slot, first[i]);
		assert_int_equal(rig->primitives[i].slot_count, counts[i]);
		assert_int_equal(rig->primitives[i].skinned, skinned[i]);
	}
	assert_int_equal(rig->slots[1].joint, 4);
	assert_int_equal(rig->slots[2].joint, 0);
	static const double rows[] = {1, 0, 0, 7, 0, 1, 0, 8, 0, 0, 1, 9};
	assert_memory_equal(rig->slots[1].inverse_bind, rows, sizeof rows);
	assert_true(rig->slots[2].inverse_bind[0] == 2);
	assert_int_equal(rig->slots[3].joint, 3);
	assert_true(has_warning(rig, "NODE_SKIN_WITH_NON_SKINNED_MESH: meshes[1] has primitives "));
	rig_release(rig);
}

/* Joints of two trees, children first, with a node between two of them that is none, one outside of
 * the scene, and a skeleton root that is no ancestor of most. */
static void takes_joints_from_wherever_they_are(void **state) {
	(void)state;
	const uint8_t joints[16] = {0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0};
	const float weights[16] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
	struct gltf_builder b = quad();
	add_data(&b, "VEC4", U8, 4, joints, sizeof joints);
	add_data(&b, "VEC4", F32, 4, weights, sizeof weights);
	struct rig *rig = import_sound(&b,
		"\"scenes\": [{\"nodes\": [5]}, {\"nodes\": [0, 3, 4]}], \"scene\": 1, \"nodes\": "
		"[{\"children\": [1]}, {\"children\": [2]}, {}, {\"translation\": [0, 5, 0]}, "
		"{\"mesh\": 0, \"skin\": 0}, {}], \"skins\": [{\"joints\": [2, 3, 0, 5], "
		"\"skeleton\": 3}], \"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": "
		"0, \"JOINTS_0\": 1, \"WEIGHTS_0\": 2}}]}]");
	static const int nodes[] = {2, 3, 0, 5};
	assert_int_equal(rig->slot_count, 4);
	assert_int_equal(rig->primitive_count, 1);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(rig->joints[rig->slots[i].joint].index, nodes[i]);
		assert_int_equal(rig->influence_slots[i * 4], i);
	}
	const struct joint *child = &rig->joints[rig->slots[0].joint];
	assert_int_equal(rig->joints[child->parent].index, 1); // the node between moves it, too
	assert_int_equal(count_warnings(rig), 0);
	rig_release(rig);
}

static void takes_hundreds_of_joints(void **state) {
	(void)state;
	const uint16_t joints[16] = {0, 0, 0, 0, 255, 0, 0, 0, 256, 0, 0, 0, 799, 0, 0, 0};
	const float weights[16] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
	struct gltf_builder b = quad();
	struct buffer json = {0};
	add_data(&b, "VEC4", U16, 4, joints, sizeof joints);
	add_data(&b, "VEC4", F32, 4, weights, sizeof weights);
	static const char head[] = "\"nodes\": [{\"mesh\": 0, \"skin\": 0}",
			  middle[] = "], \"meshes\": [{\"primitives\": [{\"attributes\": "
				     "{\"POSITION\": 0, \"JOINTS_0\": "
				     "1, \"WEIGHTS_0\": 2}}]}], \"skins\": [{\"joints\": [800";
	buffer_append(&json, head, strlen(head));
	for (int i = 0; i < 800; i++) {
		buffer_append(&json, ", {}", 4);
	}
	buffer_append(&json, middle, strlen(middle));
	for (int i = 799; i > 0; i--) {
		char text[16];
		snprintf(text, sizeof text, ", %d", i);
		buffer_append(&json, text, strlen(text));
	}
	buffer_append(&json, "]}]", 4);
	struct rig *rig = import_sound(&b, (const char *)json.data);
	buffer_finish(&json);
	assert_int_equal(rig->slot_count, 4); // of the others none has a weight
	for (int i = 0; i < 4; i++) {
		const int slot = rig->influence_slots[i * 4];
		assert_int_equal(slot, i);
		assert_int_equal(rig->joints[rig->slots[slot].joint].index, 800 - joints[i * 4]);
	}
	rig_release(rig);
}

/* Joints and weights of vertex 0; the other three go with joint 0. */
static struct rig *import_influences(
	int sets, const uint8_t joints[8], const float weights[8], struct gltf_builder *b) {
	uint8_t all_joints[2][16] = {{0}};
	float all_weights[2][16] = {{0}};
	for (int vertex = 1; vertex < 4; vertex++) {
		all_weights[0][vertex * 4] = 1;
	}
	*b = quad();
	for (int set = 0; set < sets; set++) {
		memcpy(all_joints[set], joints + set * 4, 4);
		memcpy(all_weights[set], weights + set * 4, 4 * sizeof *weights);
		add_data(b, "VEC4", U8, 4, all_joints[set], sizeof all_joints[set]);
		add_data(b, "VEC4", F32, 4, all_weights[set], sizeof all_weights[set]);
	}
	return import_sound(b,
		sets == 1 ? "\"nodes\": [{\"mesh\": 0, \"skin\": 0}], \"skins\": [{\"joints\": "
			    "[0,0,0,0,0,0,0]}], "
			    "\"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0, "
			    "\"JOINTS_0\": 1, "
			    "\"WEIGHTS_0\": 2}}]}]"
			  : "\"nodes\": [{\"mesh\": 0, \"skin\": 0}], \"skins\": [{\"joints\": "
			    "[0,0,0,0,0,0,0]}], "
			    "\"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0, "
			    "\"JOINTS_0\": 1, "
			    "\"WEIGHTS_0\": 2, \"JOINTS_1\": 3, \"WEIGHTS_1\": 4}}]}]");
}

static void packs_influences_by_the_policy(void **state) {
	(void)state;
	struct gltf_builder b;
	const uint8_t joints[8] = {1, 2, 3, 250};
	const float weights[8] = {0.125f, 0.5f, 0, 0};
	struct rig *rig = import_influences(1, joints, weights, &b);
	static const uint16_t slots[] = {2, 1, 2, 2, 0, 0, 0, 0};
	static const float packed[] = {0.8f, 0.2f, 0, 0, 1, 0, 0, 0};
	assert_int_equal(rig->primitives[0].influence_count, 4);
	assert_int_equal(rig->influence_count, 16);
	assert_memory_equal(rig->influence_slots, slots, sizeof slots);
	assert_memory_equal(rig->influence_weights, packed, sizeof packed);
	assert_true(has_warning(rig,
		"meshes[0].primitives[0]: ACCESSOR_WEIGHTS_NON_NORMALIZED: W_SUM on 1 vertex"));
	assert_true(has_warning(rig, "ACCESSOR_JOINTS_INDEX_OOB: W_INDEX on 1 vertex"));
	rig_release(rig);
}

static void keeps_eight_influences(void **state) {
	(void)state;
	struct gltf_builder b;
	const uint8_t joints[8] = {0, 1, 2, 3, 4, 5, 6, 6};
	const float weights[8] = {0.0625f, 0.125f, 0.125f, 0.0625f, 0.25f, 0.25f, 0.0625f, 0.0625f};
	struct rig *rig = import_influences(2, joints, weights, &b);
	static const uint16_t slots[] = {4, 5, 1, 2, 6, 0, 3, 4, 0, 0};
	static const float packed[] = {
		0.25f, 0.25f, 0.125f, 0.125f, 0.125f, 0.0625f, 0.0625f, 0, 1, 0};
	assert_int_equal(rig->primitives[0].influence_count, 8);
	assert_memory_equal(rig->influence_slots, slots, sizeof slots);
	assert_memory_equal(rig->influence_weights, packed, sizeof packed);
	assert_true(has_warning(rig, "W_DUP on 1 vertex"));
	rig_release(rig);
}

static void an_empty_second_set_costs_nothing(void **state) {
	(void)state;
	struct gltf_builder b;
	const uint8_t joints[8] = {0, 1, 2, 3};
	const float weights[8] = {0.25f, 0.25f, 0.25f, 0.25f};
	struct rig *rig = import_influences(2, joints, weights, &b);
	assert_int_equal(rig->primitives[0].influence_count, 4);
	assert_int_equal(rig->influence_count, 16);
	static const float packed[] = {
		0.25f, 0.25f, 0.25f, 0.25f, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
	assert_memory_equal(rig->influence_weights, packed, sizeof packed);
	assert_int_equal(count_warnings(rig), 0);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_skins_without_sense),
		cmocka_unit_test(refuses_inverse_bind_matrices_that_are_not_affine),
		cmocka_unit_test(refuses_sets_without_their_other_half),
		cmocka_unit_test(refuses_a_weighted_joint_that_does_not_exist),
		cmocka_unit_test(refuses_more_influences_than_anyone_writes),
		cmocka_unit_test(refuses_more_joints_than_slots),
		cmocka_unit_test(lays_out_one_run_of_slots_for_each_skin),
		cmocka_unit_test(takes_joints_from_wherever_they_are),
		cmocka_unit_test(takes_hundreds_of_joints),
		cmocka_unit_test(packs_influences_by_the_policy),
		cmocka_unit_test(keeps_eight_influences),
		cmocka_unit_test(an_empty_second_set_costs_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
