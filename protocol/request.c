// Requests for results: a tree of values -> plain structs.
#include "request.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/loop.h"
#include "json_text.h"
#include "limits.h"
#include "packing.h"
#include "picture.h"
#include "request_internal.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

const struct value *subject_pose(const struct subject *subject, size_t i) {
	return subject->poses ? &subject->poses[i] : NULL;
}

static const struct member subject_rows[] = {
	{"rig", MEMBER_STRING, .offset = offsetof(struct subject, rig), .required = true},
	{.name = "pose", .type = MEMBER_UNREAD},
};

static const struct member poses_rows[] = {{.name = "poses", .type = MEMBER_UNREAD}};

static const struct member skinning_rows[] = {{.name = "skinning", .type = MEMBER_UNREAD}};

const struct member_table subject_members = MEMBER_TABLE(NULL, subject_rows);
const struct member_table poses_member = MEMBER_TABLE(NULL, poses_rows);
const struct member_table skinning_member = MEMBER_TABLE(NULL, skinning_rows);

static const struct member clip_pose_rows[] = {
	{"clip", MEMBER_UNREAD, .parameter = "clip", .help = "name or index of a clip"},
	{"time", MEMBER_NUMBER, .parameter = "time", .unit = "seconds", .help = "within the clip"},
	{"phase", MEMBER_NUMBER, .most = 1, .parameter = "phase",
		.help = "share of the clip's length, instead of a time"},
	{"loop", MEMBER_CHOICE, .choices = loop_names, .parameter = "loop",
		.help = "beyond the ends of the clip"},
	{"avatar", MEMBER_BOOL, .parameter = "avatar", .not_on_command_line = true,
		.help = "with what an avatar adds: face, constraints, springs at rest"},
};

const struct member_table clip_pose_members = MEMBER_TABLE("pose", clip_pose_rows);

static bool read_poses(const struct value *pose, const struct value *poses, struct subject *subject,
	struct error *err) {
	subject->many = poses != NULL;
	subject->count = poses ? poses->count : 1;
	subject->poses = poses ? poses->items : pose;
	if (pose && poses) {
		return value_error(poses, err, ERROR_INVALID_VALUE,
			"both \"pose\" and \"poses\" are given, must be one of them");
	}
	if (poses && (poses->kind != VALUE_LIST || poses->count == 0)) {
		return value_error(poses, err, ERROR_INVALID_VALUE,
			"\"poses\" must be a list of 1 to %d poses", LIMIT_POSES);
	}
	if (subject->count > LIMIT_POSES) {
		return value_error(poses, err, ERROR_TOO_LARGE,
			"\"poses\" has %zu poses, may have %d", subject->count, LIMIT_POSES);
	}
	return true;
}

bool request_read_subject(const struct value *request, struct subject *subject, struct error *err) {
	subject->source = value_member(request, "rig");
	return read_poses(
		value_member(request, "pose"), value_member(request, "poses"), subject, err);
}

static const char *const devices[] = {
	[DEVICE_AUTO] = "auto", [DEVICE_GPU] = "gpu", [DEVICE_CPU] = "cpu", NULL};

static const char *const normals[] = {
	[NORMALS_SAME - 1] = "same",
	[NORMALS_COF - 1] = "cof",
	[NORMALS_EXACT - 1] = "exact",
	[NORMALS_RECOMPUTE - 1] = "recompute",
	NULL,
};

_Static_assert(sizeof normals / sizeof *normals == NORMALS_COUNT, "a name for each but the own");

static const struct member skinning_object_rows[] = {
	{"method", MEMBER_UNREAD, .parameter = "skinning", .help = "a skinning method's id"},
	{"device", MEMBER_CHOICE, .offset = offsetof(struct skinning_settings, device),
		.choices = devices, .parameter = "device", .help = "the device that skins"},
	{"normals", MEMBER_CHOICE, .offset = offsetof(struct skinning_settings, normals),
		.choices = normals, .first_choice = NORMALS_SAME, .parameter = "normals",
		.help = "the way to make normals (default: the method's own)"},
};

const struct member_table skinning_members = MEMBER_TABLE("skinning", skinning_object_rows);

static bool read_skinning_object(
	const struct value *value, struct skinning_settings *out, struct error *err) {
	const struct member method = {
		"method", MEMBER_STRING, .out = &(const char *){NULL}, .source = &out->method};
	const struct member_reading reading = {&skinning_members, out};
	out->object = value;
	// Further members are options, which the renderer checks against the method's list.
	return value_read_known_members(value, &method, 1, err) &&
		value_read_known_tables(value, &reading, 1, err);
}

bool request_read_skinning(
	const struct value *value, struct skinning_settings *out, struct error *err) {
	if (!value) {
		return true;
	}
	if (value->kind == VALUE_STRING) {
		out->method = value;
		return true;
	}
	if (value->kind == VALUE_OBJECT) {
		return read_skinning_object(value, out, err);
	}
	return value_error(value, err, ERROR_INVALID_VALUE,
		"%s is %s, must be a method's id or an object of method, device, normals",
		value->key ? "\"skinning\"" : "a method", value_kind_name(value->kind));
}

void request_copy_skinning(
	const struct value *value, struct arena *arena, struct skinning_settings *out) {
	if (!value) {
		return;
	}
	const bool read = request_read_skinning(value_copy(arena, value), out, NULL);
	assert(read);
	(void)read;
}

static bool refuse_attribute(const struct value *value, struct error *err) {
	const bool named = value->kind == VALUE_STRING;
	return value_error(value, err, ERROR_INVALID_VALUE,
		"an attribute is %s%s%s, must be one of: position, normal, tangent; packed ones, "
		"of "
		"vertices, are position:u16x3 and normal:oct8x2",
		named ? "\"" : "", named ? value->string : value_kind_name(value->kind),
		named ? "\"" : "");
}

static bool read_attribute(const struct value *value,
	enum attribute_bits attributes[static ATTRIBUTE_COUNT], size_t *count, struct error *err) {
	size_t a = 0;
	while (a < ATTRIBUTE_COUNT && value->kind == VALUE_STRING &&
		strcmp(attribute_name(attribute_at(a)), value->string) != 0) {
		a++;
	}
	if (value->kind != VALUE_STRING || a == ATTRIBUTE_COUNT) {
		return refuse_attribute(value, err);
	}
	for (size_t i = 0; i < *count; i++) {
		if (attributes[i] == attribute_at(a)) {
			return value_error(value, err, ERROR_INVALID_VALUE,
				"attribute \"%s\" is asked for twice", value->string);
		}
	}
	attributes[(*count)++] = attribute_at(a);
	return true;
}

bool request_read_attributes(const struct value *list, size_t least,
	enum attribute_bits attributes[static ATTRIBUTE_COUNT], size_t *count, struct error *err) {
	*count = 0;
	if (!list) {
		attributes[(*count)++] = ATTRIBUTE_POSITION;
		return true;
	}
	if (list->kind != VALUE_LIST || list->count < least) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"\"attributes\" must be a list of %sposition, normal, tangent",
			least > 0 ? "at least one of: " : "");
	}
	for (size_t i = 0; i < list->count; i++) {
		if (!read_attribute(&list->items[i], attributes, count, err)) {
			return false;
		}
	}
	return true;
}

static const char *const spaces[] = {
	[SPACE_BOTH] = "both", [SPACE_LOCAL] = "local", [SPACE_WORLD] = "world", NULL};

static const struct member pose_rows[] = {
	{"space", MEMBER_CHOICE, .offset = offsetof(struct pose_request, space), .choices = spaces,
		.parameter = "space", .help = "the space of the joints' transforms"},
};

const struct member_table pose_members = MEMBER_TABLE(NULL, pose_rows);

bool request_read_pose(const struct value *body, struct pose_request *out, struct error *err) {
	*out = (struct pose_request){0};
	const struct member_reading readings[] = {
		{&subject_members, &out->subject},
		{&poses_member, NULL},
		{&pose_members, out},
		{&skinning_member, NULL},
	};
	return value_read_tables(body, readings, COUNT_OF(readings), err) &&
		request_read_subject(body, &out->subject, err) &&
		request_read_skinning(value_member(body, "skinning"), &out->skinning, err);
}

static const char *const attribute_names[] = {
	"position", "normal", "tangent", PACKED_POSITIONS, PACKED_NORMALS, NULL};
static const char *const plain_names[] = {"position", "normal", "tangent", NULL};

static const struct member attributes_rows[] = {
	{"attributes", MEMBER_UNREAD, .choices = attribute_names, .parameter = "attributes",
		.text = TEXT_NAMES,
		.help = "of each vertex, with commas between (packed ones by themselves)"},
};

static const struct member plain_attributes_rows[] = {
	{"attributes", MEMBER_UNREAD, .choices = plain_names, .text = TEXT_NAMES},
};

const struct member_table attributes_member = MEMBER_TABLE(NULL, attributes_rows);
const struct member_table plain_attributes_member = MEMBER_TABLE(NULL, plain_attributes_rows);

bool request_read_vertices(
	const struct value *body, struct vertices_request *out, struct error *err) {
	*out = (struct vertices_request){0};
	const struct member_reading readings[] = {
		{&subject_members, &out->subject},
		{&poses_member, NULL},
		{&attributes_member, NULL},
		{&skinning_member, NULL},
		{&packing_members, &out->packing},
	};
	return value_read_tables(body, readings, COUNT_OF(readings), err) &&
		request_read_subject(body, &out->subject, err) &&
		packing_read(body, out->subject.count > 1, &out->packing, err) &&
		(packing_is_wanted(value_member(body, "attributes")) ||
			request_read_attributes(value_member(body, "attributes"), 1,
				out->attributes, &out->attribute_count, err)) &&
		request_read_skinning(value_member(body, "skinning"), &out->skinning, err);
}

bool request_read_frame(const struct value *body, struct frame_request *out, struct error *err) {
	*out = (struct frame_request){0};
	const struct member_reading readings[] = {
		{&subject_members, &out->subject},
		{&skinning_member, NULL},
		{&poses_member, NULL},
		{&picture_members, &out->picture},
		{&view_member, &out->picture},
		{&variant_member, &out->picture},
		{&overlays_member, NULL},
	};
	if (!value_read_tables(body, readings, COUNT_OF(readings), err)) {
		return false;
	}
	const struct value *poses = value_member(body, "poses");
	if (poses) {
		return value_error(poses, err, ERROR_INVALID_VALUE,
			"a frame is one picture: give one \"pose\" and ask once for each picture");
	}
	return request_read_subject(body, &out->subject, err) &&
		request_read_picture(body, &out->picture, err) &&
		request_read_skinning(value_member(body, "skinning"), &out->skinning, err);
}
