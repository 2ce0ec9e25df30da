// Primitives, skins, influences and morph targets.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "gltf_builder.h"

static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};

/* Accessor 0: four positions. */
static struct gltf_builder quad(void) {
	struct gltf_builder b = {0};
	add_data(&b, "VEC3", F32, 4, positions, sizeof positions);
	return b;
}

static struct rig *import_sound(struct gltf_builder *b, const char *members) {
	struct error err = {0};
	struct rig *rig = import_built(b, members, &err);
	if (!rig) {
		fail_msg("%s", err.text);
	}
	return rig;
}

#define MESH(primitive) \
	"\"nodes\": [{\"mesh\": 0}], \"meshes\": [{\"primitives\": [{" primitive "}]}]"
#define SKINNED(primitive) \
	"\"nodes\": [{\"mesh\": 0, \"skin\": 0}, {}, {}], \"skins\": [{\"joints\": [2, 1]}], " \
	"\"meshes\": [{\"primitives\": [{" primitive "}]}]"

/* --- Refusals --- */

static void refuse_quad(const char *members, const char *text) {
	struct gltf_builder b = quad();
	expect_built_refusal(&b, members, ERROR_BROKEN_ASSET, text);
}

static void refuses_meshes_without_sense(void **state) {
	(void)state;
	refuse_quad("\"meshes\": [{}]", "meshes[0]: has 0 primitives, must have from 1 to");
	refuse_quad(MESH("\"attributes\": {\"POSITION\": 1}"),
		"meshes[0].primitives[0].attributes.POSITION: is 1, but there are only 1");
	refuse_quad(MESH("\"attributes\": {\"POSITION\": 0}, \"mode\": 7"),
		"meshes[0].primitives[0]: mode is 7, must be from 0 to 6");
	refuse_quad(MESH("\"attributes\": {\"POSITION\": 0}, \"indices\": 0"),
		"meshes[0].primitives[0].indices: accessors[0] is VEC3 of FLOAT, must be SCALAR of "
		"UNSIGNED_BYTE or UNSIGNED_SHORT or UNSIGNED_INT");
	refuse_quad(MESH("\"attributes\": {\"POSITION\": 0}, \"material\": 0"),
		"meshes[0].primitives[0].material: is 0, but there are only 0");
	refuse_quad(
		"\"meshes\": [{\"weights\": [1], \"primitives\": [{\"attributes\": {\"POSITION\": "
		"0}}]}]",
		"meshes[0].weights: has 1 numbers, must have 0");
	refuse_quad("\"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}}, "
		    "{\"attributes\": {\"POSITION\": 0}, \"targets\": [{}]}]}]",
		"meshes[0].primitives[1]: has 1 morph targets, the mesh's first primitive 0");
}

static void refuses_attributes_of_other_counts(void **state) {
	(void)state;
	static const char *const names[] = {
		"NORMAL", "TANGENT", "TEXCOORD_0", "JOINTS_0", "WEIGHTS_0"};
	static const char *const types[] = {"VEC3", "VEC4", "VEC2", "VEC4", "VEC4"};
	for (int i = 0; i < 5; i++) {
		struct gltf_builder b = quad();
		const float data[12] = {0};
		add_data(&b, types[i], i == 3 ? U16 : F32, 3, data, sizeof data);
		char members[256], text[128];
		snprintf(members, sizeof members,
			MESH("\"attributes\": {\"POSITION\": 0, \"%s\": 1}"), names[i]);
		snprintf(text, sizeof text, "%s: accessors[1] has 3 elements, must have 4",
			names[i]);
		expect_built_refusal(&b, members, ERROR_BROKEN_ASSET, text);
	}
}

static void refuses_indices_out_of_range(void **state) {
	(void)state;
	static const uint8_t past[] = {0, 1, 4}, restart[] = {0, 1, 255};
	struct gltf_builder b = quad();
	add_data(&b, "SCALAR", U8, 3, past, sizeof past);
	expect_built_refusal(&b, MESH("\"attributes\": {\"POSITION\": 0}, \"indices\": 1"),
		ERROR_BROKEN_ASSET,
		"meshes[0].primitives[0].indices: element 2 is 4, but there are only 4 vertices");
	b = quad();
	add_data(&b, "SCALAR", U8, 3, restart, sizeof restart);
	expect_built_refusal(&b, MESH("\"attributes\": {\"POSITION\": 0}, \"indices\": 1"),
		ERROR_BROKEN_ASSET, "element 2 is 255 (primitive restart), but");
}

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

/* --- Topology --- */

static void turns_every_mode_into_lists(void **state) {
	(void)state;
	static const uint8_t source[] = {3, 2, 1, 0, 2};
	static const struct {
		enum topology topology;
		int count;
		uint32_t indices[12];
	} rows[] = {
		{TOPOLOGY_POINTS, 5, {3, 2, 1, 0, 2}},
		{TOPOLOGY_LINES, 4, {3, 2, 1, 0}},
		{TOPOLOGY_LINES, 10, {3, 2, 2, 1, 1, 0, 0, 2, 2, 3}},
		{TOPOLOGY_LINES, 8, {3, 2, 2, 1, 1, 0, 0, 2}},
		{TOPOLOGY_TRIANGLES, 3, {3, 2, 1}},
		{TOPOLOGY_TRIANGLES, 9, {3, 2, 1, 2, 0, 1, 1, 0, 2}},
		{TOPOLOGY_TRIANGLES, 9, {2, 1, 3, 1, 0, 3, 0, 2, 3}},
	};
	for (int mode = 0; mode < 7; mode++) {
		struct gltf_builder b = quad();
		add_data(&b, "SCALAR", U8, 5, source, sizeof source);
		char members[256];
		snprintf(members, sizeof members,
			MESH("\"attributes\": {\"POSITION\": 0}, \"indices\": 1, \"mode\": %d"),
			mode);
		struct rig *rig = import_sound(&b, members);
		assert_int_equal(rig->primitives[0].topology, rows[mode].topology);
		assert_int_equal(rig->index_count, rows[mode].count);
		assert_memory_equal(rig->indices, rows[mode].indices, (size_t)rig->index_count * 4);
		rig_release(rig);
	}
}

static void numbers_unindexed_vertices_in_order(void **state) {
	(void)state;
	struct gltf_builder b = quad();
	struct rig *rig = import_sound(&b, MESH("\"attributes\": {\"POSITION\": 0}, \"mode\": 5"));
	static const uint32_t expected[] = {0, 1, 2, 1, 3, 2};
	assert_int_equal(rig->index_count, 6);
	assert_memory_equal(rig->indices, expected, sizeof expected);
	rig_release(rig);
}

static void too_few_corners_draw_nothing(void **state) {
	(void)state;
	for (int mode = 0; mode < 7; mode++) {
		struct gltf_builder b = quad();
		add_data(&b, "SCALAR", U8, 1, "\1", 1);
		char members[256];
		snprintf(members, sizeof members,
			MESH("\"attributes\": {\"POSITION\": 0}, \"indices\": 1, \"mode\": %d"),
			mode);
		struct rig *rig = import_sound(&b, members);
		assert_int_equal(rig->index_count, mode == 0 ? 1 : 0);
		rig_release(rig);
	}
}

/* --- Vertices --- */

static void computes_missing_normals(void **state) {
	(void)state;
	struct gltf_builder b = quad();
	struct rig *rig = import_sound(&b, MESH("\"attributes\": {\"POSITION\": 0}, \"mode\": 5"));
	for (int i = 0; i < 4; i++) {
		assert_true(rig->normals[i * 3] == 0);
		assert_true(rig->normals[i * 3 + 2] == 1);
	}
	assert_int_equal(rig->warning_count, 0);
	assert_null(rig->tangents);
	assert_null(rig->texcoords);
	rig_release(rig);
}

static void makes_normals_and_tangents_sound(void **state) {
	(void)state;
	static const float normals[] = {0, 0, 2, 0, 0, 0, 0, NAN, 0, 0, 0, -1};
	static const float tangents[] = {2, 0, 0, 1, 0, 0, 0, -1, 0, 3, 0, 0.5f, 0, 1, 0, -2};
	static const float unit[] = {1, 0, 0, 1, 1, 0, 0, -1, 0, 1, 0, 1, 0, 1, 0, -1};
	static const float texcoords[] = {0, 1, 2, NAN, 4, 5, 6, 7};
	struct gltf_builder b = quad();
	add_data(&b, "VEC3", F32, 4, normals, sizeof normals);
	add_data(&b, "VEC4", F32, 4, tangents, sizeof tangents);
	add_data(&b, "VEC2", F32, 4, texcoords, sizeof texcoords);
	struct rig *rig = import_sound(&b,
		MESH("\"attributes\": {\"POSITION\": 0, \"NORMAL\": 1, "
		     "\"TANGENT\": 2, \"TEXCOORD_0\": 3}, \"mode\": 5"));
	static const float sound[] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, -1};
	for (int i = 0; i < 12; i++) {
		assert_true(rig->normals[i] == sound[i]);
	}
	for (int i = 0; i < 16; i++) {
		assert_true(rig->tangents[i] == unit[i]);
	}
	assert_true(rig->texcoords[2] == 2 && rig->texcoords[3] == 0);
	assert_true(has_warning(rig, "meshes[0].primitives[0]: 2 normals without a direction"));
	assert_true(has_warning(rig, "1 tangents without a direction"));
	assert_true(has_warning(rig, "1 texture coordinates are not finite"));
	rig_release(rig);
}

static void leaves_out_primitives_without_positions(void **state) {
	(void)state;
	struct gltf_builder b = quad();
	struct rig *rig = import_sound(&b,
		"\"nodes\": [{\"mesh\": 0}], \"meshes\": [{\"primitives\": [{\"attributes\": {}}, "
		"{\"attributes\": {\"POSITION\": 0}}]}]");
	assert_int_equal(rig->primitive_count, 1);
	assert_int_equal(rig->primitives[0].primitive, 1);
	assert_true(has_warning(rig, "meshes[0].primitives[0]: has no POSITION; left out"));
	rig_release(rig);
}

static void a_mesh_at_two_nodes_has_its_vertices_twice(void **state) {
	(void)state;
	struct gltf_builder b = quad();
	struct rig *rig = import_sound(&b,
		"\"nodes\": [{\"mesh\": 0}, {\"mesh\": 0}], \"meshes\": [{\"primitives\": "
		"[{\"attributes\": {\"POSITION\": 0}}]}]");
	assert_int_equal(rig->primitive_count, 2);
	assert_int_equal(rig->vertex_count, 8);
	assert_int_equal(rig->primitives[1].first_vertex, 4);
	assert_int_equal(rig->primitives[1].joint, 1);
	assert_int_equal(rig->primitives[1].first_slot, 1);
	assert_int_equal(rig->slots[1].joint, 1);
	assert_int_equal(rig->primitives[1].influence_count, 1);
	assert_memory_equal(&rig->positions[12], positions, sizeof positions);
	rig_release(rig);
}

/* --- Skins --- */

static void lays_out_one_run_of_slots_for_each_skin(void **state) {
	(void)state;
	static const float matrices[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1, 2, 0, 0,
		0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1};
	const uint16_t joints[16] = {0};
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
	assert_int_equal(rig->warning_count, 1);
	assert_true(has_warning(rig, "meshes[1].primitives[0]: has no JOINTS_0 for skins[0]"));
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
	assert_int_equal(rig->warning_count, 0);
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
	assert_int_equal(rig->slot_count, 800);
	for (int i = 0; i < 4; i++) {
		const int slot = rig->influence_slots[i * 4];
		assert_int_equal(slot, joints[i * 4]);
		assert_int_equal(rig->joints[rig->slots[slot].joint].index, 800 - slot);
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
	assert_true(has_warning(rig, "meshes[0].primitives[0]: W_SUM on 1 vertex"));
	assert_true(has_warning(rig, "meshes[0].primitives[0]: W_INDEX on 1 vertex"));
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
	assert_int_equal(rig->warning_count, 0);
	rig_release(rig);
}

/* --- Morph targets --- */

#define MORPHED(node, mesh) \
	"\"nodes\": [{}, {\"mesh\": 0" node "}], \"meshes\": [{" mesh "\"primitives\": " \
	"[{\"attributes\": {\"POSITION\": 0}, \"targets\": [{\"POSITION\": 0}, {\"NORMAL\": " \
	"0}]}]}]"

static void reads_morph_targets_and_their_weights(void **state) {
	(void)state;
	static const struct {
		const char *members;
		float weights[2];
	} rows[] = {
		{MORPHED("", ""), {0, 0}},
		{MORPHED("", "\"weights\": [0.25, 1], "), {0.25f, 1}},
		{MORPHED(", \"weights\": [0.5, -1]", "\"weights\": [0.25, 1], "), {0.5f, -1}},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct gltf_builder b = quad();
		struct rig *rig = import_sound(&b, rows[i].members);
		const struct primitive *p = &rig->primitives[0];
		assert_int_equal(p->target_count, 2);
		assert_memory_equal(p->targets[0].positions, positions, sizeof positions);
		assert_null(p->targets[0].normals);
		assert_null(p->targets[1].positions);
		assert_non_null(p->targets[1].normals);
		assert_int_equal(rig->weight_count, 2);
		assert_int_equal(rig->joints[0].weight_count, 0);
		assert_int_equal(rig->joints[1].weight_count, 2);
		assert_memory_equal(rig->rest_weights, rows[i].weights, sizeof rows[i].weights);
		rig_release(rig);
	}
}

static void refuses_weights_that_do_not_fit_the_targets(void **state) {
	(void)state;
	refuse_quad(
		MORPHED(", \"weights\": [1]", ""), "nodes[1].weights: has 1 numbers, must have 2");
	refuse_quad(MORPHED("", "\"weights\": [1, 2, 3], "),
		"meshes[0].weights: has 3 numbers, must have 2");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_meshes_without_sense),
		cmocka_unit_test(refuses_attributes_of_other_counts),
		cmocka_unit_test(refuses_indices_out_of_range),
		cmocka_unit_test(refuses_skins_without_sense),
		cmocka_unit_test(refuses_inverse_bind_matrices_that_are_not_affine),
		cmocka_unit_test(refuses_sets_without_their_other_half),
		cmocka_unit_test(refuses_a_weighted_joint_that_does_not_exist),
		cmocka_unit_test(refuses_more_influences_than_anyone_writes),
		cmocka_unit_test(refuses_more_joints_than_slots),
		cmocka_unit_test(turns_every_mode_into_lists),
		cmocka_unit_test(numbers_unindexed_vertices_in_order),
		cmocka_unit_test(too_few_corners_draw_nothing),
		cmocka_unit_test(computes_missing_normals),
		cmocka_unit_test(makes_normals_and_tangents_sound),
		cmocka_unit_test(leaves_out_primitives_without_positions),
		cmocka_unit_test(a_mesh_at_two_nodes_has_its_vertices_twice),
		cmocka_unit_test(lays_out_one_run_of_slots_for_each_skin),
		cmocka_unit_test(takes_joints_from_wherever_they_are),
		cmocka_unit_test(takes_hundreds_of_joints),
		cmocka_unit_test(packs_influences_by_the_policy),
		cmocka_unit_test(keeps_eight_influences),
		cmocka_unit_test(an_empty_second_set_costs_nothing),
		cmocka_unit_test(reads_morph_targets_and_their_weights),
		cmocka_unit_test(refuses_weights_that_do_not_fit_the_targets),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
