// Requests for results: what is refused, with which words and at which place, and the defaults.
#include "request.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "json_value.h"
#include "limits.h"

#include "check.h"

enum kind { POSE, VERTICES, FRAME };

static bool read_as(enum kind kind, const struct value *body, struct error *err) {
	struct pose_request pose;
	struct vertices_request vertices;
	struct frame_request frame;
	switch (kind) {
	case POSE:
		return request_read_pose(body, &pose, err);
	case VERTICES:
		return request_read_vertices(body, &vertices, err);
	case FRAME:
		return request_read_frame(body, &frame, err);
	}
	return false;
}

struct kind_refusal {
	enum kind kind;
	const char *body; // ' for "
	enum error_code code;
	const char *pointer, *piece;
};

static const struct kind_refusal refusals[] = {
	{POSE, "[]", ERROR_INVALID_VALUE, "", "must be an object"},
	{POSE, "{}", ERROR_INVALID_VALUE, "", "\"rig\""},
	{POSE, "{'rig': 3}", ERROR_INVALID_VALUE, "/rig", "must be a string"},
	{POSE, "{'rig': 'a', 'Pose': 'rest'}", ERROR_UNKNOWN_MEMBER, "/Pose", "rig, pose, poses"},
	{POSE, "{'rig': 'a', 'pose': 'rest', 'poses': []}", ERROR_INVALID_VALUE, "/poses", "both"},
	{POSE, "{'rig': 'a', 'poses': []}", ERROR_INVALID_VALUE, "/poses", "1 to 4096"},
	{POSE, "{'rig': 'a', 'poses': 'rest'}", ERROR_INVALID_VALUE, "/poses", "a list"},
	{POSE, "{'rig': 'a', 'space': 'model'}", ERROR_INVALID_VALUE, "/space",
		"both, local, world"},
	{VERTICES, "{'rig': 'a', 'attributes': []}", ERROR_INVALID_VALUE, "/attributes",
		"at least"},
	{VERTICES, "{'rig': 'a', 'attributes': 'normal'}", ERROR_INVALID_VALUE, "/attributes",
		"list"},
	{VERTICES, "{'rig': 'a', 'attributes': ['colour']}", ERROR_INVALID_VALUE, "/attributes/0",
		"\"colour\", must be one of: position, normal, tangent"},
	{VERTICES, "{'rig': 'a', 'attributes': ['normal', null]}", ERROR_INVALID_VALUE,
		"/attributes/1", "is null"},
	{VERTICES, "{'rig': 'a', 'attributes': ['normal', 'normal']}", ERROR_INVALID_VALUE,
		"/attributes/1", "twice"},
	{VERTICES, "{'rig': 'a', 'skinning': 1}", ERROR_INVALID_VALUE, "/skinning", "a number"},
	{VERTICES, "{'rig': 'a', 'skinning': {'method': 1}}", ERROR_INVALID_VALUE,
		"/skinning/method", "a string"},
	{VERTICES, "{'rig': 'a', 'skinning': {'device': 'tpu'}}", ERROR_INVALID_VALUE,
		"/skinning/device", "auto, gpu, cpu"},
	{VERTICES, "{'rig': 'a', 'skinning': {'normals': 'smooth'}}", ERROR_INVALID_VALUE,
		"/skinning/normals", "cof"},
	{FRAME, "{'rig': 'a', 'poses': ['rest']}", ERROR_INVALID_VALUE, "/poses", "one picture"},
	{FRAME, "{'rig': 'a', 'width': 0}", ERROR_INVALID_VALUE, "/width", "from 1 to 4096"},
	{FRAME, "{'rig': 'a', 'height': 4097}", ERROR_INVALID_VALUE, "/height", "from 1 to 4096"},
	{FRAME, "{'rig': 'a', 'width': 10.5}", ERROR_INVALID_VALUE, "/width", "whole"},
	{FRAME, "{'rig': 'a', 'samples': 3}", ERROR_INVALID_VALUE, "/samples", "1, 2, 4, 8 or 16"},
	{FRAME, "{'rig': 'a', 'fit': 'all'}", ERROR_INVALID_VALUE, "/fit", "pose, clip, rest"},
	{FRAME, "{'rig': 'a', 'shading': 'toon'}", ERROR_INVALID_VALUE, "/shading",
		"material, plain"},
	{FRAME, "{'rig': 'a', 'shading': 3}", ERROR_INVALID_VALUE, "/shading", "material, plain"},
	{FRAME, "{'rig': 'a', 'shading': {}}", ERROR_INVALID_VALUE, "/shading", "\"mode\""},
	{FRAME, "{'rig': 'a', 'shading': {'mode': 'toon'}}", ERROR_INVALID_VALUE, "/shading/mode",
		"material, plain"},
	{FRAME, "{'rig': 'a', 'shading': {'mode': 'plain', 'joint': 1}}", ERROR_UNKNOWN_MEMBER,
		"/shading/joint", "mode"},
	{FRAME, "{'rig': 'a', 'shading': {'mode': 'silhouette', 'color': '#ffffff80'}}",
		ERROR_INVALID_VALUE, "/shading/color", "opaque"},
	{FRAME, "{'rig': 'a', 'shading': {'mode': 'checker', 'squares': 1025}}",
		ERROR_INVALID_VALUE, "/shading/squares", "1024"},
	{FRAME, "{'rig': 'a', 'shading': {'mode': 'cg4m', 'light': [0, 1]}}", ERROR_INVALID_VALUE,
		"/shading/light", "3 numbers"},
	{FRAME, "{'rig': 'a', 'shading': {'mode': 'cg4m', 'light': [0, 1, 'z']}}",
		ERROR_INVALID_VALUE, "/shading/light/2", "a string"},
	{FRAME, "{'rig': 'a', 'shading': {'mode': 'cg4m', 'light': [0, -1.1e9, 1e300]}}",
		ERROR_INVALID_VALUE, "/shading/light", "-1.1e+09"},
	{FRAME, "{'rig': 'a', 'shading': {'mode': 'cg4m', 'ambient': '#00000000'}}",
		ERROR_INVALID_VALUE, "/shading/ambient", "opaque"},
	{FRAME, "{'rig': 'a', 'shading': {'mode': 'cg4m', 'specular': 0.5}}", ERROR_INVALID_VALUE,
		"/shading/specular", "#rrggbb"},
	{FRAME, "{'rig': 'a', 'shading': {'mode': 'cg4m', 'light_color': 'white'}}",
		ERROR_INVALID_VALUE, "/shading/light_color", "#rrggbb"},
	{FRAME, "{'rig': 'a', 'shading': {'mode': 'cg4m', 'shininess': -1}}", ERROR_INVALID_VALUE,
		"/shading/shininess", "from 0 to 1024"},
	{FRAME, "{'rig': 'a', 'shading': {'mode': 'plain', 'light': [0, 1, 2]}}",
		ERROR_UNKNOWN_MEMBER, "/shading/light", "mode"},
	{FRAME, "{'rig': 'a', 'shading': {'mode': 'depth', 'near': 1, 'far': 1}}",
		ERROR_INVALID_VALUE, "/shading/far", "above 1"},
	{FRAME, "{'rig': 'a', 'background': 'red'}", ERROR_INVALID_VALUE, "/background", "\"red\""},
	{FRAME, "{'rig': 'a', 'background': '#12345'}", ERROR_INVALID_VALUE, "/background", "#rr"},
	{FRAME, "{'rig': 'a', 'background': '#12345\\u0010'}", ERROR_INVALID_VALUE, "/background",
		"#rr"},
	{FRAME, "{'rig': 'a', 'background': 7}", ERROR_INVALID_VALUE, "/background", "a number"},
	{FRAME, "{'rig': 'a', 'camera': 'frnt'}", ERROR_INVALID_VALUE, "/camera",
		"an object or one of: three_quarter, front, back"},
	{FRAME, "{'rig': 'a', 'camera': 3}", ERROR_INVALID_VALUE, "/camera", "is a number"},
	{FRAME, "{'rig': 'a', 'camera': {'preset': 'frnt'}}", ERROR_INVALID_VALUE, "/camera/preset",
		"three_quarter, front"},
	{FRAME, "{'rig': 'a', 'camera': {'preset': 'front', 'eye': [1, 2, 3]}}",
		ERROR_INVALID_VALUE, "/camera/eye", "does not go with"},
	{FRAME, "{'rig': 'a', 'camera': {'orthographic': 1}}", ERROR_INVALID_VALUE,
		"/camera/orthographic", "must be true or false"},
	{FRAME, "{'rig': 'a', 'camera': {'orthographic': true, 'fov': 3}}", ERROR_INVALID_VALUE,
		"/camera/fov", "\"height\" says how much"},
	{FRAME, "{'rig': 'a', 'camera': {'orthographic': true, 'distance': 3}}",
		ERROR_INVALID_VALUE, "/camera/distance", "\"height\" says how much"},
	{FRAME, "{'rig': 'a', 'camera': {'height': 3}}", ERROR_INVALID_VALUE, "/camera/height",
		"\"orthographic\": true"},
	{FRAME, "{'rig': 'a', 'camera': {'orthographic': false, 'height': 3}}", ERROR_INVALID_VALUE,
		"/camera/height", "\"orthographic\": true"},
	{FRAME, "{'rig': 'a', 'camera': {'orthographic': true, 'height': 0}}", ERROR_INVALID_VALUE,
		"/camera/height", "1e-09"},
	{FRAME, "{'rig': 'a', 'camera': {'node': []}}", ERROR_INVALID_VALUE, "/camera/node",
		"the name or the index"},
	{FRAME, "{'rig': 'a', 'camera': {'node': 'Cam', 'yaw': 3}}", ERROR_INVALID_VALUE,
		"/camera/node", "does not go with"},
	{FRAME, "{'rig': 'a', 'margin': 0.46}", ERROR_INVALID_VALUE, "/margin", "0 to 0.45"},
	{FRAME, "{'rig': 'a', 'margin': -0.1}", ERROR_INVALID_VALUE, "/margin", "0 to 0.45"},
	{FRAME, "{'rig': 'a', 'camera': {'zoom': 2}}", ERROR_UNKNOWN_MEMBER, "/camera/zoom", "yaw"},
	{FRAME, "{'rig': 'a', 'camera': {'pitch': 91}}", ERROR_INVALID_VALUE, "/camera/pitch",
		"90"},
	{FRAME, "{'rig': 'a', 'camera': {'fov': 180}}", ERROR_INVALID_VALUE, "/camera/fov", "179"},
	{FRAME, "{'rig': 'a', 'camera': {'distance': 0}}", ERROR_INVALID_VALUE, "/camera/distance",
		"from"},
	{FRAME, "{'rig': 'a', 'camera': {'target': [1, 2]}}", ERROR_INVALID_VALUE, "/camera/target",
		"3 numbers"},
	{FRAME, "{'rig': 'a', 'camera': {'yaw': 1, 'eye': [1, 2, 3]}}", ERROR_INVALID_VALUE,
		"/camera/eye", "{eye, target, up, fov,"},
	{FRAME, "{'rig': 'a', 'camera': {'up': [0, 0, 1]}}", ERROR_INVALID_VALUE, "/camera",
		"\"eye\""},
	{FRAME, "{'rig': 'a', 'camera': {'projection': [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]}}",
		ERROR_INVALID_VALUE, "/camera", "\"view\" is missing"},
	{FRAME, "{'rig': 'a', 'camera': {'view': [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1], 'yaw': 3}}",
		ERROR_INVALID_VALUE, "/camera/view", "does not go with"},
	{FRAME,
		"{'rig': 'a', 'camera': {'view': [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1], 'fov': 3, "
		"'projection': [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]}}",
		ERROR_INVALID_VALUE, "/camera/fov", "does not go with \"projection\""},
	{POSE, "{'rig': 'a', 'skinning': 1}", ERROR_INVALID_VALUE, "/skinning", "a number"},
	{POSE, "{'rig': 'a', 'skinning': {'device': 'tpu'}}", ERROR_INVALID_VALUE,
		"/skinning/device", "auto, gpu, cpu"},
};

static void refuses_with_code_place_and_words(void **state) {
	(void)state;
	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
		const struct kind_refusal *refusal = &refusals[i];
		struct arena *arena = arena_create();
		struct error err = {0};
		if (read_as(refusal->kind, json_value(arena, refusal->body), &err)) {
			fail_msg("%s was taken", refusal->body);
		}
		expect_error(&err, refusal->code, refusal->pointer, refusal->piece);
		arena_destroy(arena);
	}
}

static void refuses_more_poses_than_the_limit(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct buffer text = {0};
	const char *const start = "{\"rig\": \"a\", \"poses\": [\"rest\"";
	buffer_append(&text, start, strlen(start));
	for (int i = 0; i < LIMIT_POSES; i++) {
		buffer_append(&text, ",\"rest\"", 7);
	}
	buffer_append(&text, "]}", 3);
	struct error err = {0};
	assert_false(read_as(VERTICES, json_value(arena, (char *)text.data), &err));
	expect_error(&err, ERROR_TOO_LARGE, "/poses", "4097");
	buffer_finish(&text);
	arena_destroy(arena);
}

static void absent_members_take_their_defaults(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct error err = {0};
	const struct value *body = json_value(arena, "{'rig': 'fox'}");
	struct frame_request frame;
	assert_true(request_read_frame(body, &frame, &err));
	assert_string_equal(frame.subject.rig, "fox");
	assert_int_equal(frame.subject.count, 1);
	assert_null(subject_pose(&frame.subject, 0));
	assert_int_equal(frame.picture.width, 512);
	assert_int_equal(frame.picture.height, 512);
	assert_int_equal(frame.picture.samples, 4);
	assert_near(frame.picture.background[3], 0, 0);
	assert_int_equal(frame.picture.camera.kind, CAMERA_ORBIT);
	assert_near(frame.picture.camera.yaw_deg, 30, 0);
	assert_near(frame.picture.camera.distance, 0, 0);
	assert_null(frame.skinning.method);
	assert_int_equal(frame.picture.shading.mode, SHADING_MATERIAL);
	struct vertices_request vertices;
	assert_true(request_read_vertices(body, &vertices, &err));
	assert_int_equal(vertices.attribute_count, 1);
	assert_int_equal(vertices.attributes[0], ATTRIBUTE_POSITION);
	assert_false(vertices.subject.many);
	arena_destroy(arena);
}

static void given_members_arrive(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct error err = {0};
	struct frame_request frame;
	assert_true(request_read_frame(
		json_value(arena,
			"{'rig': 'fox', 'pose': {'clip': 'Walk'}, 'background': '#fF800033', "
			"'camera': "
			"{'eye': [1, 2, 3], 'target': [4, 5, 6]}, 'skinning': {'method': 'dqs', "
			"'device': 'cpu'}, 'fit': 'clip', 'samples': 1, 'shading': "
			"{'mode': 'plain'}}"),
		&frame, &err));
	assert_string_equal(subject_pose(&frame.subject, 0)->key, "pose");
	assert_near(frame.picture.background[0], 1, 0);
	assert_near(frame.picture.background[1], 128 / 255.0, 1e-12);
	assert_near(frame.picture.background[3], 51 / 255.0, 1e-12);
	assert_int_equal(frame.picture.camera.kind, CAMERA_LOOK);
	assert_near(frame.picture.camera.eye[2], 3, 0);
	assert_true(frame.picture.camera.has_target);
	assert_near(frame.picture.camera.up[1], 1, 0);
	assert_string_equal(frame.skinning.method->string, "dqs");
	assert_int_equal(frame.skinning.device, DEVICE_CPU);
	assert_int_equal(frame.picture.fit, FIT_CLIP);
	assert_int_equal(frame.picture.shading.mode, SHADING_PLAIN);
	struct vertices_request vertices;
	assert_true(request_read_vertices(
		json_value(arena,
			"{'rig': 'fox', 'poses': ['rest', {'clip': 0}], 'attributes': "
			"['tangent', 'position'], 'skinning': 'lbs'}"),
		&vertices, &err));
	assert_true(vertices.subject.many);
	assert_int_equal(vertices.subject.count, 2);
	assert_int_equal(subject_pose(&vertices.subject, 1)->kind, VALUE_OBJECT);
	assert_int_equal(vertices.attributes[0], ATTRIBUTE_TANGENT);
	assert_int_equal(vertices.attributes[1], ATTRIBUTE_POSITION);
	arena_destroy(arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_code_place_and_words),
		cmocka_unit_test(refuses_more_poses_than_the_limit),
		cmocka_unit_test(absent_members_take_their_defaults),
		cmocka_unit_test(given_members_arrive),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
