// The tables of requests' members, and the lists beside them, against every copy in another
// language: the API's description, and the menus of the viewer. check_members.py compares them.
#include "members.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json_write.h"
#include "checks/check_request.h"
#include "image/encode.h"
#include "image/sequence.h"
#include "picture.h"
#include "pose/operations.h"
#include "sheet.h"
#include "skin/method.h"

#include "check.h"

static const char *const schemas[REQUEST_COUNT] = {
	[REQUEST_POSE] = "PoseRequest",
	[REQUEST_VERTICES] = "VerticesRequest",
	[REQUEST_FRAME] = "FrameRequest",
	[REQUEST_FRAMES] = "FramesRequest",
	[REQUEST_COMPARE] = "CompareRequest",
	[REQUEST_CROWD] = "CrowdRequest",
	[REQUEST_STREAM] = "StreamRequest",
	[REQUEST_BAKE] = "BakeRequest",
	[REQUEST_MOTION] = "MotionLink", // no schema: only a query
	[REQUEST_TRANSITIONS] = "TransitionsRequest",
	[REQUEST_CLIP] = "ClipRequest",
	[REQUEST_COMPRESSION] = "CompressRequest",
};

static void write_strings(struct json_writer *json, const char *name, const char *const *strings) {
	json_write_key(json, name);
	json_write_begin_list(json);
	for (; strings && *strings; strings++) {
		json_write_string(json, *strings);
	}
	json_write_end_list(json);
}

static void write_numbers(
	struct json_writer *json, const char *name, const double *numbers, size_t count) {
	json_write_key(json, name);
	json_write_begin_list(json);
	for (size_t i = 0; i < count; i++) {
		json_write_double(json, numbers[i]);
	}
	json_write_end_list(json);
}

static void write_table(struct json_writer *json, const struct member_table *table);

static void write_member(struct json_writer *json, const struct member *member) {
	static const char *const types[] = {
		[MEMBER_NUMBER] = "number",
		[MEMBER_INTEGER] = "integer",
		[MEMBER_BOOL] = "boolean",
		[MEMBER_STRING] = "string",
		[MEMBER_CHOICE] = "choice",
		[MEMBER_VECTOR] = "vector",
		[MEMBER_ANY] = "any",
		[MEMBER_UNREAD] = "any",
	};
	json_write_begin_object(json);
	json_write_member_string(json, "name", member->name);
	json_write_member_string(json, "type", types[member->type]);
	json_write_member_double(json, "min", member->least);
	if (!isinf(member->most)) {
		json_write_member_double(json, "max", member->most);
	}
	json_write_member_bool(json, "above_min", member->above_min);
	json_write_member_double(json, "standard", member->standard);
	if (member->standards) {
		write_numbers(json, "standards", member->standards, member->count);
	}
	json_write_member_integer(json, "first_choice", member->first_choice);
	json_write_member_integer(json, "count", (int64_t)member->count);
	json_write_member_integer(json, "variants", member->variants);
	json_write_member_bool(json, "required", member->required);
	json_write_member_bool(json, "may_be_bool", member->may_be_bool);
	json_write_member_bool(json, "names", member->text == TEXT_NAMES && member->choices);
	json_write_member_string(json, "parameter",
		member->parameter && !member->not_in_query ? member->parameter : "");
	json_write_member_string(json, "help", member->help ? member->help : "");
	write_strings(json, "choices", member->choices);
	if (member->members) {
		json_write_key(json, "members");
		write_table(json, member->members);
	}
	json_write_end_object(json);
}

static void write_table(struct json_writer *json, const struct member_table *table) {
	json_write_begin_object(json);
	json_write_member_string(json, "object", table->object ? table->object : "");
	json_write_key(json, "members");
	json_write_begin_list(json);
	for (size_t i = 0; i < table->count; i++) {
		write_member(json, &table->members[i]);
	}
	json_write_end_list(json);
	json_write_end_object(json);
}

static void write_requests(struct json_writer *json) {
	json_write_key(json, "requests");
	json_write_begin_object(json);
	for (int kind = 0; kind < REQUEST_COUNT; kind++) {
		const struct member_table *const *tables = request_tables((enum request_kind)kind);
		json_write_key(json, schemas[kind]);
		json_write_begin_list(json);
		for (; *tables; tables++) {
			write_table(json, *tables);
		}
		json_write_end_list(json);
	}
	json_write_key(json, "CheckRequest");
	json_write_begin_list(json);
	write_table(json, &check_members);
	write_table(json, &check_json_members);
	json_write_end_list(json);
	json_write_end_object(json);
}

/* The queries of few parameters, by the operations of the API's description. */
static void write_queries(struct json_writer *json) {
	static const struct {
		const char *operation;
		const struct member_table *members;
	} queries[] = {
		{"get /v1/rigs/{rig}", &description_query_members},
		{"get /v1/rigs/{rig}/clips/{name}", &clip_file_query_members},
		{"get /v1/rigs/{rig}/influences", &influences_query_members},
		{"get /v1/shaders/{method}", &shader_query_members},
		{"get /v1/bake", &bake_link_query_members},
		{"get /v1/rigs/{rig}/compatibility", &compatibility_query_members},
		{"put /v1/rigs/{rig}/clips/{name}", &clip_query_members},
		{"get /v1/rigs/{rig}/check", &check_members},
		{"post /v1/checks", &check_asset_query_members},
	};
	json_write_key(json, "queries");
	json_write_begin_object(json);
	for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
		json_write_key(json, queries[i].operation);
		write_table(json, queries[i].members);
	}
	json_write_end_object(json);
}

static void write_operations(struct json_writer *json) {
	const struct operation *operation;
	json_write_key(json, "operations");
	json_write_begin_object(json);
	for (size_t i = 0; (operation = operation_at(i)); i++) {
		static const struct member_table none = {0};
		json_write_key(json, operation->name);
		write_table(json, operation->members ? operation->members : &none);
	}
	json_write_end_object(json);
}

static void write_overlays(struct json_writer *json) {
	json_write_key(json, "overlays");
	json_write_begin_object(json);
	for (int i = 0; i < OVERLAY_COUNT; i++) {
		json_write_key(json, overlay_names[i]);
		write_table(json, overlay_options((enum overlay)i));
	}
	json_write_end_object(json);
}

static void write_formats(struct json_writer *json) {
	const struct picture_format *picture;
	const struct sequence_format *sequence;
	json_write_key(json, "pictures");
	json_write_begin_list(json);
	for (size_t i = 0; (picture = picture_format(i)); i++) {
		json_write_string(json, picture->name);
	}
	json_write_end_list(json);
	json_write_key(json, "sequences");
	json_write_begin_object(json);
	for (size_t i = 0; (sequence = sequence_format(i)); i++) {
		json_write_member_string(json, sequence->name, sequence->ending);
	}
	json_write_member_string(json, SHEET_MAP_NAME, SHEET_MAP_ENDING);
	json_write_end_object(json);
}

static void write_methods(struct json_writer *json) {
	const struct skinning_method *method;
	json_write_key(json, "methods");
	json_write_begin_list(json);
	for (size_t i = 0; (method = skin_method(i)); i++) {
		json_write_string(json, method->id);
	}
	json_write_end_list(json);
}

static void copies_in_other_languages_say_the_same(void **state) {
	(void)state;
	struct buffer text = {0};
	struct json_writer json = {.out = &text};
	json_write_begin_object(&json);
	write_requests(&json);
	write_queries(&json);
	write_operations(&json);
	write_overlays(&json);
	write_formats(&json);
	write_methods(&json);
	json_write_end_object(&json);
	char path[] = "/tmp/posed_members_XXXXXX";
	const int file = mkstemp(path);
	assert_true(file >= 0);
	assert_int_equal(write(file, text.data, text.size), (ssize_t)text.size);
	close(file);
	char command[128];
	snprintf(command, sizeof command, "/usr/bin/python3 tests/unit/check_members.py %s 2>&1",
		path);
	FILE *stream = popen(command, "r");
	assert_non_null(stream);
	char said[16384];
	said[fread(said, 1, sizeof said - 1, stream)] = '\0';
	const int status = pclose(stream);
	unlink(path);
	buffer_finish(&text);
	if (status != 0) {
		fail_msg("%s", said);
	}
}

/* Two parameters of one name would hide one another, and --help says nothing without a help. */
static void parameters_are_named_once_and_have_help(void **state) {
	(void)state;
	for (int kind = 0; kind < REQUEST_COUNT; kind++) {
		const char *names[128];
		size_t count = 0;
		const struct member_table *const *tables = request_tables((enum request_kind)kind);
		for (; *tables; tables++) {
			for (size_t i = 0; i < (*tables)->count; i++) {
				const struct member *member = &(*tables)->members[i];
				if (!member->parameter) {
					continue;
				}
				assert_non_null(member->help);
				for (size_t k = 0; k < count; k++) {
					assert_string_not_equal(names[k], member->parameter);
				}
				assert_in_range(count, 0, 127);
				names[count++] = member->parameter;
			}
		}
	}
}

/* The members of a clip's pose that requests without JSON have are those of the operation; "avatar"
 * is that around it. */
static void flat_clip_is_the_operation_s(void **state) {
	(void)state;
	const struct member_table *operation = operation_clip.members;
	for (size_t i = 0; i < clip_pose_members.count; i++) {
		const struct member *flat = &clip_pose_members.members[i];
		size_t k = 0;
		if (strcmp(flat->name, operation_avatar.name) == 0) {
			continue;
		}
		while (k < operation->count &&
			strcmp(operation->members[k].name, flat->name) != 0) {
			k++;
		}
		assert_in_range(k, 0, operation->count - 1);
		const struct member *member = &operation->members[k];
		assert_int_equal(
			flat->type == MEMBER_UNREAD ? MEMBER_ANY : flat->type, member->type);
		assert_ptr_equal(flat->choices, member->choices);
		assert_true(flat->least == member->least && flat->most == member->most);
		assert_true(flat->standard == member->standard);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_in_other_languages_say_the_same),
		cmocka_unit_test(parameters_are_named_once_and_have_help),
		cmocka_unit_test(flat_clip_is_the_operation_s),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
