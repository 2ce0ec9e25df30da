// Primitives: attributes, indices, modes, and morph targets.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "gltf_builder.h"

#define MESH(primitive) \
	"\"nodes\": [{\"mesh\": 0}], \"meshes\": [{\"primitives\": [{" primitive "}]}]"

/* --- Refusals --- */

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
	assert_null(rig->texcoords[0]);
	rig_release(rig);
}

static void tangents_of_one_primitive_leave_the_other_without(void **state) {
	(void)state;
	static const float normals[] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
	static const float tangents[] = {0, 1, 0, -1, 0, 1, 0, -1, 0, 1, 0, -1, 0, 1, 0, -1};
	struct gltf_builder b = quad();
	add_data(&b, "VEC3", F32, 4, normals, sizeof normals);
	add_data(&b, "VEC4", F32, 4, tangents, sizeof tangents);
	struct rig *rig = import_sound(&b,
		MESH("\"attributes\": {\"POSITION\": 0, \"NORMAL\": 1}, \"mode\": 5}, "
		     "{\"attributes\": {\"POSITION\": 0, \"NORMAL\": 1, \"TANGENT\": 2}, "
		     "\"mode\": 5"));
	assert_int_equal(rig->primitive_count, 2);
	assert_false(rig_has_tangents(rig, &rig->primitives[0]));
	assert_true(rig_has_tangents(rig, &rig->primitives[1]));
	for (int i = 0; i < 4; i++) {
		assert_memory_equal(rig->tangents + i * 4, ((float[]){1, 0, 0, 0}), 16);
		assert_memory_equal(rig->tangents + 16 + i * 4, tangents, 16);
	}
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
	assert_true(rig->texcoords[0][2] == 2 && rig->texcoords[0][3] == 0);
	assert_true(has_warning(rig, "meshes[0].primitives[0]: 2 normals without a direction"));
	assert_true(has_warning(rig, "1 tangents without a direction"));
	assert_true(has_warning(rig, "1 texture coordinates are not finite"));
	rig_release(rig);
}

static void reads_painted_mixes_within_their_range(void **state) {
	(void)state;
	static const float mixes[] = {0, 0.25f, 3, -1};
	static const uint8_t bytes[] = {0, 51, 255, 102};
	static const float expected[2][4] = {{0, 0.25f, 1, 0}, {0, 0.2f, 1, 0.4f}};
	for (int i = 0; i < 2; i++) {
		struct gltf_builder b = quad();
		if (i == 0) {
			add_data(&b, "SCALAR", F32, 4, mixes, sizeof mixes);
		} else {
			const int view = add_view(&b, bytes, sizeof bytes);
			add_accessor(&b,
				"{\"bufferView\": %d, \"componentType\": 5121, \"count\": 4, "
				"\"type\": \"SCALAR\", \"normalized\": true}",
				view);
		}
		struct rig *rig = import_sound(
			&b, MESH("\"attributes\": {\"POSITION\": 0, \"_DQS_MIX\": 1}"));
		for (int v = 0; v < 4; v++) {
			assert_near(rig->dqs_mix[v], expected[i][v], 1e-6);
		}
		rig_release(rig);
	}
	struct gltf_builder b = quad();
	struct rig *rig = import_sound(&b, MESH("\"attributes\": {\"POSITION\": 0}"));
	assert_null(rig->dqs_mix);
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
	assert_true(has_warning(
		rig, "meshes[0].primitives[0]: MESH_PRIMITIVE_NO_POSITION: has no POSITION"));
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
	assert_memory_equal(&rig->positions[12], quad_positions, sizeof quad_positions);
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
		assert_memory_equal(p->targets[0].positions, quad_positions, sizeof quad_positions);
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
		cmocka_unit_test(turns_every_mode_into_lists),
		cmocka_unit_test(numbers_unindexed_vertices_in_order),
		cmocka_unit_test(too_few_corners_draw_nothing),
		cmocka_unit_test(computes_missing_normals),
		cmocka_unit_test(tangents_of_one_primitive_leave_the_other_without),
		cmocka_unit_test(makes_normals_and_tangents_sound),
		cmocka_unit_test(reads_painted_mixes_within_their_range),
		cmocka_unit_test(leaves_out_primitives_without_positions),
		cmocka_unit_test(a_mesh_at_two_nodes_has_its_vertices_twice),
		cmocka_unit_test(reads_morph_targets_and_their_weights),
		cmocka_unit_test(refuses_weights_that_do_not_fit_the_targets),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
