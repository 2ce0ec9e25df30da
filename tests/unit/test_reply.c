// Answers: every document is JSON with the members that API.md lists, and problems name places.
#include "reply.h"

#include <string.h>

#include "json_text.h"
#include "json_value.h"
#include "problem.h"

#include "check.h"

/* The document in the buffer, which is freed. */
static const struct value *parse(struct arena *arena, struct buffer *out) {
	struct error err = {0};
	const struct value *value = json_read(arena, out->data, out->size, &err);
	if (!value) {
		fail_msg("%s in %.*s", err.text, (int)out->size, (char *)out->data);
	}
	buffer_finish(out);
	return value;
}

static void expect_members(const struct value *object, const char *names) {
	char text[512] = "";
	for (size_t i = 0; i < object->count; i++) {
		strcat(strcat(text, i ? " " : ""), object->items[i].key);
	}
	assert_string_equal(text, names);
}

static void expect_problem(
	const struct error *err, bool by_query, int status, const char *members) {
	struct arena *arena = arena_create();
	struct buffer out = {0};
	problem_write(err, by_query, &out);
	const struct value *problem = parse(arena, &out);
	expect_members(problem, members);
	assert_near(value_member(problem, "status")->number, status, 0);
	assert_string_equal(value_member(problem, "detail")->string, err->text);
	assert_string_equal(value_member(problem, "title")->string, error_title(err->code));
	arena_destroy(arena);
}

static void problems_name_places_and_findings(void **state) {
	(void)state;
	struct error err = {0};
	error_at(&err, ERROR_UNKNOWN_CLIP, "/pose/clip", "no clip \"W\xc3\xa4lk\"");
	expect_problem(&err, false, 404, "type title status detail pointer");
	expect_problem(&err, true, 404, "type title status detail parameter");
	struct error rig = {0};
	error_at(&rig, ERROR_UNKNOWN_RIG, "/rig", "no rig");
	expect_problem(&rig, true, 404, "type title status detail");
	struct error asset = {0};
	error_set(&asset, ERROR_BROKEN_ASSET, "accessors[7]: ends early");
	expect_problem(&asset, false, 422, "type title status detail errors");
	struct error full = {0};
	error_set(&full, ERROR_STORE_FULL, "no room");
	expect_problem(&full, false, 507, "type title status detail");
}

static void every_code_has_a_status_of_an_error(void **state) {
	(void)state;
	for (int code = ERROR_NONE + 1; code < ERROR_CODE_COUNT; code++) {
		const int status = problem_status((enum error_code)code);
		assert_true(status >= 400 && status < 600);
		assert_int_equal(status == 500, code == ERROR_INTERNAL);
	}
}

static const struct rig_summary fox = {
	.name = "f\"o\nx",
	.content = "sha256:00",
	.bytes = 10,
	.vertices = 3,
	.joints = 1,
	.clips = 1,
};

static void lists_have_the_promised_members(void **state) {
	(void)state;
	struct arena *arena = arena_create();
	struct buffer out = {0};
	reply_write_list(&fox, 1, &out);
	const struct value *list = parse(arena, &out);
	expect_members(&list->items[0].items[0], "name content vertices joints clips");
	reply_write_list(NULL, 0, &out);
	assert_int_equal(parse(arena, &out)->items[0].count, 0);
	reply_write_summary(&fox, &out);
	assert_string_equal(parse(arena, &out)->items[0].string, fox.name);
	struct rig_summary warned = fox;
	warned.warnings[1] = "look";
	reply_write_summary(&warned, &out);
	const struct value *document = parse(arena, &out);
	expect_members(document, "name content vertices joints clips warnings");
	assert_string_equal(value_member(document, "warnings")->items[0].string, "look");
	arena_destroy(arena);
}

static void descriptions_have_the_promised_members(void **state) {
	(void)state;
	const struct joint_description joint = {
		"Hips", 4, -1, {0, 1, 0}, {0, 0, 0, 1}, {1, 1, 1}, false, (const float[]){0.5f}, 1};
	const struct clip_description clip = {"Walk", 0, false, 1.25, 3, 400, NULL, NULL};
	const struct primitive_description primitive = {5, 0, 0, 0, 3, 3, true, -1};
	const struct material_description material = {.name = "skin",
		.base_color = {1, 1, 1, 1},
		.alpha_mode = "mask",
		.alpha_cutoff = 0.5f,
		.texture = true,
		.mtoon = true,
		.transparent_with_z_write = true,
		.outline_width_mode = "worldCoordinates",
		.render_queue_offset = 2,
		.factors =
			&(const struct factor_description){"clearcoat", (const float[]){0.5f}, 1},
		.factor_count = 1,
		.textures =
			&(const struct texture_description){.use = "normal", .transformed = true},
		.texture_count = 1};
	const struct light_description light = {
		.kind = "spot", .place = {"", 0, 2, "Lamp"}, .range = 2, .cone = true};
	const struct camera_description cameras[] = {
		{.place = {"", 0, 2, "Lamp"}, .aspect = 2, .far = 3},
		{.place = {"", 0, 2, "Lamp"}, .orthographic = true}};
	const char *const warnings[] = {"a warning"}, *const methods[] = {"lbs", "dqs", NULL};
	const char *const examples[] = {"bent", "twisted"};
	const struct rig_description rig = {.summary = fox,
		.bounds = {.exists = true, .max = {1, 2, 3}},
		.joints = &joint,
		.clips = &clip,
		.primitives = &primitive,
		.primitive_count = 1,
		.triangles = 1,
		.materials = &material,
		.material_count = 1,
		.lights = &light,
		.light_count = 1,
		.cameras = cameras,
		.camera_count = 2,
		.warnings = warnings,
		.warning_count = 1,
		.examples = examples,
		.example_count = 2,
		.methods = methods,
		.default_method = "dqs"};
	struct arena *arena = arena_create();
	struct buffer out = {0};
	reply_write_description(&rig, &out);
	const struct value *document = parse(arena, &out);
	expect_members(document,
		"name content bytes bounds joints primitives vertices triangles "
		"clips materials lights cameras warnings variants examples skinning");
	assert_string_equal(value_member(document, "examples")->items[1].string, "twisted");
	expect_members(&value_member(document, "joints")->items[0],
		"name index parent translation rotation scale needless weights");
	expect_members(&value_member(document, "primitives")->items[0],
		"node mesh primitive first_vertex vertex_count index_count skinned material");
	expect_members(
		&value_member(document, "clips")->items[0], "name index duration channels bytes");
	const struct value *skin = &value_member(document, "materials")->items[0];
	expect_members(skin,
		"name base_color alpha_mode alpha_cutoff double_sided unlit texture mtoon "
		"transparent_with_z_write outline_width_mode render_queue_offset clearcoat "
		"textures");
	expect_members(value_member(value_member(skin, "textures"), "normal"),
		"width height texcoords offset rotation scale");
	expect_members(&value_member(document, "lights")->items[0],
		"name index node joint type color intensity range inner_angle outer_angle");
	expect_members(&value_member(document, "cameras")->items[0],
		"name index node joint type fov aspect near far");
	expect_members(&value_member(document, "cameras")->items[1],
		"name index node joint type width height near");
	expect_members(value_member(document, "bounds"), "min max");
	const struct box box = {.exists = true};
	const struct clip_compression compression = {100, 1e-5, 9e-6, 0.03};
	const struct clip_description bounded = {"Walk", 0, true, 1.25, 3, 400, &box, &compression};
	struct rig_description with_bounds = rig;
	with_bounds.clips = &bounded;
	reply_write_description(&with_bounds, &out);
	expect_members(&value_member(parse(arena, &out), "clips")->items[0],
		"name index duration channels bytes stored compressed bounds");
	assert_string_equal(
		value_member(value_member(document, "skinning"), "default")->string, "dqs");
	arena_destroy(arena);
}

static void poses_have_the_members_of_their_space(void **state) {
	(void)state;
	static const char *const members[] = {
		[SPACE_BOTH] = "name index translation rotation scale world",
		[SPACE_LOCAL] = "name index translation rotation scale",
		[SPACE_WORLD] = "name index world",
	};
	const float numbers[4] = {0.1f, 0, 0, 1};
	const struct joint_pose joint = {"Hips", 0, numbers, numbers, numbers, {0.1f}};
	for (int space = 0; space < 3; space++) {
		for (int many = 0; many < 2; many++) {
			struct arena *arena = arena_create();
			struct buffer out = {0};
			struct json_writer json = {.out = &out};
			reply_begin_poses(&json, many);
			const struct pose_frame pose = {.joints = &joint, .count = 1};
			reply_pose(&json, &pose, (enum space)space);
			reply_end_poses(&json, many);
			const struct value *document = parse(arena, &out);
			const struct value *frame =
				many ? &value_member(document, "frames")->items[0] : document;
			expect_members(&value_member(frame, "joints")->items[0], members[space]);
			arena_destroy(arena);
		}
	}
}

static void vertices_are_laid_out_by_attribute(void **state) {
	(void)state;
	const float numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
	const enum attribute_bits order[] = {ATTRIBUTE_TANGENT, ATTRIBUTE_POSITION};
	const struct vertices_frame frame = {numbers, 2, order, 2};
	struct arena *arena = arena_create();
	struct buffer out = {0};
	struct json_writer json = {.out = &out};
	reply_begin_vertices(&json, 2);
	reply_vertices(&json, &frame);
	static const char *const flags[] = {"W_TRUNC", NULL};
	const struct skinning_description skinning = {.method = "lbs",
		.device = "cpu",
		.flags = flags,
		.fallback_vertices = 3,
		.fitted = true,
		.residual_max = 0.5,
		.residual_rms = 0.25,
		.dropped_weight = 0.125};
	reply_end_vertices(&json, &skinning);
	const struct value *document = parse(arena, &out);
	const struct value *said = value_member(document, "skinning");
	expect_members(said, "method device fallback_vertices flags residual dropped_weight");
	assert_near(value_member(said, "fallback_vertices")->number, 3, 0);
	assert_string_equal(value_member(said, "flags")->items[0].string, "W_TRUNC");
	assert_near(value_member(value_member(said, "residual"), "rms")->number, 0.25, 0);
	assert_near(value_member(said, "dropped_weight")->number, 0.125, 0);
	assert_near(value_member(document, "vertices")->number, 2, 0);
	const struct value *first = &value_member(document, "frames")->items[0];
	expect_members(first, "tangent position");
	assert_near(first->items[0].items[1].items[3].number, 8, 0);
	assert_near(first->items[1].items[0].items[0].number, 9, 0);
	char layout[64];
	reply_layout(order, 2, layout, sizeof layout);
	assert_string_equal(layout, "tangent:f32x4,position:f32x3");
	arena_destroy(arena);
}

static void the_service_describes_itself(void **state) {
	(void)state;
	const struct renderer_description renderer = {"v", "r", "1", "software"};
	static const char *const needs[] = {"examples", NULL}, *const normals[] = {"cof", NULL};
	static const char *const choices[] = {"pivot", "hierarchy", NULL};
	static const struct option_description options[] = {
		{.name = "sign", .title = "", .type = "choice", .choices = choices, .standard = 1},
		{.name = "p",
			.title = "",
			.type = "integer",
			.least = 1,
			.most = 50,
			.standard = 3},
		{.name = "pcr", .title = "", .type = "boolean", .standard = 1},
	};
	const struct method_description method = {.id = "lbs",
		.title = "Linear",
		.on_gpu = true,
		.needs = needs,
		.normals = normals,
		.options = options,
		.option_count = 3};
	const struct operation_description operation = {"blend", "the average"};
	static const char *const endings[] = {".a", ".b", NULL}, *const carries[] = {"clips", NULL};
	const struct format_description format = {"ab", "A or B", "x/y", endings, carries};
	const struct service_description service = {
		&renderer, &method, 1, &operation, 1, &format, 1};
	struct arena *arena = arena_create();
	struct buffer out = {0};
	reply_write_service(&service, &out);
	const struct value *document = parse(arena, &out);
	expect_members(document,
		"name version renderer skinning_methods pose_operations formats check_profiles "
		"limits");
	const struct value *operations = value_member(document, "pose_operations");
	assert_int_equal(operations->count, 1);
	expect_members(&operations->items[0], "name title");
	const struct value *formats = value_member(document, "formats");
	assert_int_equal(formats->count, 1);
	expect_members(&formats->items[0], "name title endings media_type carries");
	assert_string_equal(value_member(&formats->items[0], "endings")->items[1].string, ".b");
	assert_int_equal(value_member(&formats->items[0], "carries")->count, 1);
	expect_members(value_member(document, "renderer"), "vendor renderer version device");
	const struct value *described = &value_member(document, "skinning_methods")->items[0];
	expect_members(described, "id title device cuts_mesh needs normals options");
	assert_int_equal(value_member(described, "device")->count, 1);
	assert_string_equal(value_member(described, "needs")->items[0].string, "examples");
	const struct value *listed = value_member(described, "options")->items;
	expect_members(&listed[0], "name title type choices default");
	assert_string_equal(value_member(&listed[0], "default")->string, "hierarchy");
	expect_members(&listed[1], "name title type least most default");
	assert_near(value_member(&listed[1], "default")->number, 3, 0);
	expect_members(&listed[2], "name title type default");
	assert_true(value_member(&listed[2], "default")->boolean);
	arena_destroy(arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(problems_name_places_and_findings),
		cmocka_unit_test(every_code_has_a_status_of_an_error),
		cmocka_unit_test(lists_have_the_promised_members),
		cmocka_unit_test(descriptions_have_the_promised_members),
		cmocka_unit_test(poses_have_the_members_of_their_space),
		cmocka_unit_test(vertices_are_laid_out_by_attribute),
		cmocka_unit_test(the_service_describes_itself),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
