// Lights and cameras of a file: each node that holds one has it.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "gltf_builder.h"

#define DOCUMENT "{\"asset\": {\"version\": \"2.0\"}, "
#define HOLD "{\"extensions\": {\"KHR_lights_punctual\": {\"light\": 0}}}"

/* A node with one light, or one camera, of these members. */
static const char *document_of(bool light, const char *members) {
	static char json[2000];
	snprintf(json, sizeof json,
		light ? DOCUMENT "\"extensions\": {\"KHR_lights_punctual\": {\"lights\": [{%s}]}}, "
				 "\"nodes\": [" HOLD "]}"
		      : DOCUMENT "\"cameras\": [{%s}], \"nodes\": [{\"camera\": 0}]}",
		members);
	return json;
}

static struct rig *import_one(bool light, const char *members) {
	struct error err = {0};
	struct rig *rig = import_text(document_of(light, members), &err);
	assert_string_equal(err.text, "");
	assert_true(rig_check(rig, NULL));
	return rig;
}

static void refuses_broken_references(void **state) {
	(void)state;
	expect_refusal(DOCUMENT "\"nodes\": [{\"camera\": 0}]}", ERROR_BROKEN_ASSET,
		"nodes[0].camera: is 0, but there are only 0");
	expect_refusal(DOCUMENT "\"nodes\": [" HOLD "]}", ERROR_BROKEN_ASSET,
		"nodes[0].extensions.KHR_lights_punctual.light: is 0, but there are only 0");
	expect_refusal(DOCUMENT "\"extensions\": {\"KHR_lights_punctual\": {\"lights\": {}}}}",
		ERROR_BROKEN_ASSET,
		"extensions.KHR_lights_punctual.lights: is an object, must be a list");
}

static void what_makes_no_sense_is_left_out(void **state) {
	(void)state;
	static const struct {
		bool light;
		const char *members, *warning;
	} rows[] = {
		{true, "\"name\": 1", "extensions.KHR_lights_punctual.lights[0].name: is a number"},
		{true, "", "lights[0]: has no type; left out"},
		{true, "\"type\": \"laser\"", "type is \"laser\", must be one of: directional, "},
		{true, "\"type\": \"point\", \"color\": [1, 1, 2]", "color has 2"},
		{true, "\"type\": \"point\", \"intensity\": -1", "intensity -1 and range 0 must"},
		{true, "\"type\": \"point\", \"range\": -5", "intensity 1 and range -5 must"},
		{true, "\"type\": \"spot\", \"spot\": {\"innerConeAngle\": 1}",
			"its cone goes from 1 to 0.785398"},
		{true, "\"type\": \"spot\", \"spot\": {\"outerConeAngle\": 1.6}",
			"its cone goes from 0 to 1.6"},
		{false, "", "cameras[0]: has no type; left out"},
		{false, "\"type\": \"perspective\"", "cameras[0].perspective: yfov 0, "},
		{false, "\"type\": \"perspective\", \"perspective\": {\"yfov\": 1, \"znear\": 0}",
			"znear 0 and zfar 0 show nothing; left out"},
		{false, "\"type\": \"perspective\", \"perspective\": {\"yfov\": 4, \"znear\": 1}",
			"yfov 4"},
		{false,
			"\"type\": \"orthographic\", \"orthographic\": {\"xmag\": 1, \"ymag\": 0, "
			"\"znear\": 0, \"zfar\": 1}",
			"xmag 1, ymag 0"},
		{false,
			"\"type\": \"orthographic\", \"orthographic\": {\"xmag\": 1, \"ymag\": 1, "
			"\"znear\": 2, \"zfar\": 1}",
			"znear 2 and zfar 1"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct rig *rig = import_one(rows[i].light, rows[i].members);
		assert_int_equal(rig->light_count + rig->camera_count, 0);
		if (!has_warning(rig, rows[i].warning)) {
			fail_msg("\"%s\", expected \"%s\"", rig->warnings[0], rows[i].warning);
		}
		rig_release(rig);
	}
}

static void reads_lights(void **state) {
	(void)state;
	struct rig *rig = import_one(true,
		"\"name\": \"Lamp\", \"type\": \"spot\", \"color\": [1, 0.5, 0], \"intensity\": "
		"40, \"range\": 7, \"spot\": {\"innerConeAngle\": 0.25, \"outerConeAngle\": 0.5}");
	const struct light *light = &rig->lights[0];
	assert_int_equal(rig->light_count, 1);
	assert_string_equal(light->name, "Lamp");
	assert_int_equal(light->kind, LIGHT_SPOT);
	assert_true(light->color[1] == 0.5f && light->intensity == 40 && light->range == 7);
	assert_true(light->inner_rad == 0.25f && light->outer_rad == 0.5f);
	rig_release(rig);
	rig = import_one(true, "\"type\": \"directional\", \"range\": 3");
	assert_int_equal(rig->lights[0].kind, LIGHT_DIRECTIONAL);
	assert_string_equal(rig->lights[0].name, "");
	assert_true(rig->lights[0].color[2] == 1 && rig->lights[0].intensity == 1);
	assert_true(rig->lights[0].range == 0); // it has none
	rig_release(rig);
	rig = import_one(true, "\"type\": \"spot\"");
	assert_near((double)rig->lights[0].outer_rad, 0.785398163, 1e-6);
	rig_release(rig);
}

static void reads_cameras(void **state) {
	(void)state;
	struct rig *rig = import_one(false,
		"\"name\": \"Front\", \"type\": \"perspective\", \"perspective\": {\"yfov\": 0.75, "
		"\"aspectRatio\": 1.5, \"znear\": 0.125, \"zfar\": 50}");
	const struct file_camera *camera = &rig->cameras[0];
	assert_int_equal(rig->camera_count, 1);
	assert_string_equal(camera->name, "Front");
	assert_false(camera->orthographic);
	assert_true(camera->yfov_rad == 0.75f && camera->aspect == 1.5f);
	assert_true(camera->near == 0.125f && camera->far == 50);
	rig_release(rig);
	rig = import_one(
		false, "\"type\": \"perspective\", \"perspective\": {\"yfov\": 1, \"znear\": 1}");
	assert_true(rig->cameras[0].aspect == 0 && rig->cameras[0].far == 0);
	rig_release(rig);
	rig = import_one(false,
		"\"type\": \"orthographic\", \"orthographic\": {\"xmag\": 2, \"ymag\": 3, "
		"\"znear\": 0, \"zfar\": 9}");
	camera = &rig->cameras[0];
	assert_true(camera->orthographic && camera->xmag == 2 && camera->ymag == 3);
	assert_true(camera->near == 0 && camera->far == 9);
	rig_release(rig);
}

/* Nodes 0 and 2 are in the scene, 1 is not; node 2 is below node 0. */
static void each_node_of_the_scene_has_its_own(void **state) {
	(void)state;
	struct error err = {0};
	struct rig *rig = import_text(DOCUMENT
		"\"extensions\": {\"KHR_lights_punctual\": {\"lights\": [{\"type\": "
		"\"point\"}]}}, \"cameras\": [{\"type\": \"perspective\", "
		"\"perspective\": {\"yfov\": 1, \"znear\": 1}}], \"scene\": 0, "
		"\"scenes\": [{\"nodes\": [0]}], \"nodes\": [{\"children\": [2], "
		"\"camera\": 0}, {\"camera\": 0, \"extensions\": "
		"{\"KHR_lights_punctual\": {\"light\": 0}}}, {\"camera\": 0, "
		"\"extensions\": {\"KHR_lights_punctual\": {\"light\": 0}}}]}",
		&err);
	assert_string_equal(err.text, "");
	assert_int_equal(rig->camera_count, 2);
	assert_int_equal(rig->joints[rig->cameras[0].joint].index, 0);
	assert_int_equal(rig->joints[rig->cameras[1].joint].index, 2);
	assert_int_equal(rig->light_count, 1);
	assert_int_equal(rig->joints[rig->lights[0].joint].index, 2);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_broken_references),
		cmocka_unit_test(what_makes_no_sense_is_left_out),
		cmocka_unit_test(reads_lights),
		cmocka_unit_test(reads_cameras),
		cmocka_unit_test(each_node_of_the_scene_has_its_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
