// Nodes, scenes and names.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "check.h"
#include "gltf_builder.h"

#define DOCUMENT(members) "{\"asset\": {\"version\": \"2.0\"}, " members "}"

static struct rig *import_document(const char *json) {
	struct error err = {0};
	struct rig *rig = import_text(json, &err);
	if (!rig) {
		fail_msg("%s", err.text);
	}
	return rig;
}

static void refuses_trees_that_are_none(void **state) {
	(void)state;
	const enum error_code code = ERROR_BROKEN_ASSET;
	expect_refusal(DOCUMENT("\"nodes\": [{\"children\": [1]}]"), code,
		"nodes[0].children[0]: is 1, but there are only 1");
	expect_refusal(DOCUMENT("\"nodes\": [{\"children\": 1}]"), code,
		"nodes[0].children: is a number, must be a list");
	expect_refusal(DOCUMENT("\"nodes\": [{\"children\": [0]}]"), code,
		"nodes[0].children[0]: a node cannot be its own child");
	expect_refusal(DOCUMENT("\"nodes\": [{\"children\": [2]}, {\"children\": [2]}, {}]"), code,
		"nodes[1].children[0]: nodes[2] is a child of nodes[0] already");
	expect_refusal(DOCUMENT("\"nodes\": [{\"children\": [1, 1]}, {}]"), code,
		"nodes[0].children[1]: nodes[1] is a child of nodes[0] already");
	expect_refusal(DOCUMENT("\"nodes\": [{}, {\"children\": [2]}, {\"children\": [1]}]"), code,
		"nodes[1]: is its own ancestor, or has one that is");
}

static void refuses_broken_transforms(void **state) {
	(void)state;
	const enum error_code code = ERROR_BROKEN_ASSET;
	expect_refusal(DOCUMENT("\"nodes\": [{\"rotation\": [0, 0, 1]}]"), code,
		"nodes[0].rotation: has 3 numbers, must have 4");
	expect_refusal(DOCUMENT("\"nodes\": [{\"translation\": [0, 0, \"1\"]}]"), code,
		"nodes[0].translation[2]: is a string, must be a number");
	expect_refusal(DOCUMENT("\"nodes\": [{\"scale\": [1, 1e39, 1]}]"), code,
		"nodes[0].scale[1]: is 1e+39, which float32 cannot hold");
	expect_refusal(DOCUMENT("\"nodes\": [{\"matrix\": [1, 0, 0, 0]}]"), code,
		"nodes[0].matrix: has 4 numbers, must have 16");
	expect_refusal(
		DOCUMENT("\"nodes\": [{\"matrix\": [1,0,0,0.5, 0,1,0,0, 0,0,1,0, 0,0,0,1]}]"), code,
		"nodes[0].matrix: its last row must be 0 0 0 1");
}

static void refuses_indices_out_of_range(void **state) {
	(void)state;
	const enum error_code code = ERROR_BROKEN_ASSET;
	expect_refusal(DOCUMENT("\"nodes\": [{\"mesh\": 0}]"), code,
		"nodes[0].mesh: is 0, but there are only 0");
	expect_refusal(DOCUMENT("\"nodes\": [{\"skin\": 0}]"), code,
		"nodes[0].skin: is 0, but there are only 0");
	expect_refusal(DOCUMENT("\"scene\": 1, \"scenes\": [{}]"), code,
		"scene: is 1, but there are only 1");
	expect_refusal(DOCUMENT("\"scenes\": [{\"nodes\": []}, {\"nodes\": [0]}]"), code,
		"scenes[1].nodes[0]: is 0, but there are only 0");
}

static void lists_parents_before_children_depth_first(void **state) {
	(void)state;
	struct rig *rig = import_document(
		DOCUMENT("\"nodes\": [{\"name\": \"leaf\"}, {\"name\": \"root\", "
			 "\"children\": [3, 0]}, {\"name\": \"second root\"}, "
			 "{\"name\": \"branch\", \"children\": [4]}, {\"name\": \"twig\"}]"));
	static const char *const names[] = {"root", "branch", "twig", "leaf", "second root"};
	static const int indices[] = {1, 3, 4, 0, 2}, parents[] = {-1, 0, 1, 0, -1};
	assert_int_equal(rig->joint_count, 5);
	for (int i = 0; i < 5; i++) {
		assert_string_equal(rig->joints[i].name, names[i]);
		assert_int_equal(rig->joints[i].index, indices[i]);
		assert_int_equal(rig->joints[i].parent, parents[i]);
	}
	rig_release(rig);
}

static void makes_names_unique(void **state) {
	(void)state;
	struct rig *rig =
		import_document(DOCUMENT("\"nodes\": [{\"name\": \"bone\"}, {}, {\"name\": "
					 "\"bone\"}, {\"name\": \"bone#2\"}, "
					 "{\"name\": \"bone\"}, {\"name\": \"\"}, "
					 "{\"name\": \"bone#2\"}, {\"name\": \"node1\"}]"));
	static const char *const names[] = {
		"bone", "node1", "bone#3", "bone#2", "bone#4", "node5", "bone#2#2", "node1#2"};
	for (int i = 0; i < 8; i++) {
		assert_string_equal(rig->joints[i].name, names[i]);
	}
	rig_release(rig);
}

static void splits_matrices(void **state) {
	(void)state;
	// Scale (2, 3, 4), then a quarter turn about z, then a shift; the same mirrored; flat.
	struct rig *rig = import_document(
		DOCUMENT("\"nodes\": [{\"matrix\": [0,2,0,0, -3,0,0,0, 0,0,4,0, 5,6,7,1]}, "
			 "{\"matrix\": [0,-2,0,0, -3,0,0,0, 0,0,4,0, 0,0,0,1]}, "
			 "{\"matrix\": [1,0,0,0, 0,0,0,0, 0,0,1,0, 0,0,0,1]}, "
			 "{\"matrix\": [1,0,0,0, 1,1,0,0, 0,0,1,0, 0,0,0,1]}]"));
	static const double scales[][3] = {{2, 3, 4}, {-2, 3, 4}, {1, 0, 1}};
	const double h = sqrt(0.5), rotations[][4] = {{0, 0, h, h}, {0, 0, h, h}, {0, 0, 0, 1}};
	for (int i = 0; i < 3; i++) {
		const struct transform *rest = &rig->joints[i].rest;
		for (int k = 0; k < 4; k++) {
			assert_near((double)rest->rotation[k], rotations[i][k], 1e-7);
			assert_near((double)rest->scale[k % 3], scales[i][k % 3], 1e-6);
		}
	}
	assert_true(rig->joints[0].rest.translation[2] == 7);
	assert_int_equal(count_warnings(rig), 0);
	assert_true(has_warning(rig, "nodes[3].matrix: NODE_MATRIX_NON_TRS: has shear"));
	rig_release(rig);
}

static void makes_rotations_unit(void **state) {
	(void)state;
	struct rig *rig = import_document(DOCUMENT(
		"\"nodes\": [{\"rotation\": [0, 3, 0, 4]}, {\"rotation\": [0, 0, 0, 0]}]"));
	assert_true(rig->joints[0].rest.rotation[1] == 0.6f);
	assert_true(rig->joints[0].rest.rotation[3] == 0.8f);
	assert_true(rig->joints[1].rest.rotation[3] == 1);
	assert_true(has_warning(rig, "nodes[0].rotation: ROTATION_NON_UNIT: has length "));
	rig_release(rig);
}

/* Appends what one printf makes. */
__attribute__((format(printf, 2, 3))) static void add(
	struct buffer *json, const char *format, ...) {
	char text[256];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	buffer_append(json, text, strlen(text));
}

/* Deep enough to overflow the stack of anything that recurses; and all of one name, so that looking
 * for a free number must not start over each time. */
static void reads_a_chain_of_fifty_thousand_nodes_of_one_name(void **state) {
	(void)state;
	const int count = 50000;
	struct buffer json = {0};
	add(&json, "{\"asset\": {\"version\": \"2.0\"}, \"nodes\": [");
	for (int i = 0; i < count - 1; i++) {
		add(&json, "{\"name\": \"bone\", \"children\": [%d]},", i + 1);
	}
	add(&json, "{\"name\": \"bone\"}]}");
	buffer_append(&json, "", 1);
	struct rig *rig = import_document((const char *)json.data);
	assert_int_equal(rig->joint_count, count);
	assert_string_equal(rig->joints[0].name, "bone");
	assert_string_equal(rig->joints[count - 1].name, "bone#50000");
	assert_int_equal(rig->joints[count - 1].parent, count - 2);
	rig_release(rig);
	buffer_finish(&json);
}

static void keeps_a_name_of_a_million_letters(void **state) {
	(void)state;
	struct buffer json = {0};
	add(&json, "{\"asset\": {\"version\": \"2.0\"}, \"nodes\": [{\"name\": \"");
	memset(buffer_reserve(&json, 1000000), 'x', 1000000);
	json.size += 1000000;
	add(&json, "\", \"rotation\": [0, 0, 0, 0]}]}");
	buffer_append(&json, "", 1);
	struct rig *rig = import_document((const char *)json.data);
	assert_int_equal(strlen(rig->joints[0].name), 1000000);
	rig_release(rig);
	buffer_finish(&json);
}

/* Two triangles as meshes 0 and 1 in a scene, to see which are drawn and in which order. */
static struct rig *import_scene(const char *members) {
	struct gltf_builder b = {0};
	const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
	add_data(&b, "VEC3", F32, 3, positions, sizeof positions);
	char text[1024];
	snprintf(text, sizeof text,
		"\"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}}]}, "
		"{\"primitives\": "
		"[{\"attributes\": {\"POSITION\": 0}}, {\"attributes\": {\"POSITION\": 0}}]}], %s",
		members);
	struct error err = {0};
	struct rig *rig = import_built(&b, text, &err);
	assert_string_equal(err.text, "");
	return rig;
}

/* Mesh of each primitive as a digit. */
static void check_meshes(struct rig *rig, const char *meshes) {
	char drawn[32] = "";
	for (int i = 0; i < rig->primitive_count; i++) {
		drawn[i] = (char)('0' + rig->primitives[i].mesh);
	}
	assert_string_equal(drawn, meshes);
	rig_release(rig);
}

static void draws_the_default_scene_else_the_first_else_all(void **state) {
	(void)state;
#define NODES \
	"\"nodes\": [{\"mesh\": 0}, {\"mesh\": 1}, {\"children\": [3, 4]}, {\"mesh\": 1}, " \
	"{\"mesh\": 0}]"
	check_meshes(import_scene(NODES
			     ", \"scene\": 1, \"scenes\": [{\"nodes\": [0]}, {\"nodes\": [1]}]"),
		"11");
	check_meshes(import_scene(NODES ", \"scenes\": [{\"nodes\": [0]}, {\"nodes\": [1]}]"), "0");
	check_meshes(import_scene(NODES), "011110");
	check_meshes(import_scene(NODES ", \"scenes\": [{\"nodes\": [2, 0]}]"), "1100");
	check_meshes(import_scene(NODES ", \"scenes\": [{}]"), "");
	check_meshes(import_scene(NODES ", \"scenes\": [{\"nodes\": [4, 2, 4]}]"), "011");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_trees_that_are_none),
		cmocka_unit_test(refuses_broken_transforms),
		cmocka_unit_test(refuses_indices_out_of_range),
		cmocka_unit_test(lists_parents_before_children_depth_first),
		cmocka_unit_test(makes_names_unique),
		cmocka_unit_test(splits_matrices),
		cmocka_unit_test(makes_rotations_unit),
		cmocka_unit_test(reads_a_chain_of_fifty_thousand_nodes_of_one_name),
		cmocka_unit_test(keeps_a_name_of_a_million_letters),
		cmocka_unit_test(draws_the_default_scene_else_the_first_else_all),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
