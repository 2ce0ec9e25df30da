// Requests for results: a tree of values -> plain structs.
#include "request.h"

#include <assert.h>
#include <string.h>

#include "attribute.h"
#include "base/json_write.h"
#include "json_read.h"
#include "limits.h"
#include "packing.h"
#include "picture.h"
#include "request_internal.h"
#include "value_text.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

const struct value *subject_pose(const struct subject *subject, size_t i) {
	return subject->poses ? &subject->poses[i] : NULL;
}

bool request_read_poses(const struct value *pose, const struct value *poses,
	struct subject *subject, struct error *err) {
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

static bool read_skinning_object(
	const struct value *value, struct skinning_settings *out, struct error *err) {
	static const char *const devices[] = {
		[DEVICE_AUTO] = "auto", [DEVICE_GPU] = "gpu", [DEVICE_CPU] = "cpu", NULL};
	static const char *const normals[] = {"same", "cof", "exact", "recompute", NULL};
	int device = DEVICE_AUTO, normal = NORMALS_OWN - 1;
	const char *method;
	const struct member members[] = {
		{.name = "method", .type = MEMBER_STRING, .out = &method, .place = &out->method},
		{.name = "device", .type = MEMBER_CHOICE, .out = &device, .choices = devices},
		{.name = "normals", .type = MEMBER_CHOICE, .out = &normal, .choices = normals},
	};
	// What else there is are options, which the renderer holds against the method's list.
	const bool read = value_read_known_members(value, members, COUNT_OF(members), err);
	out->object = value;
	out->device = (enum device)device;
	out->normals = (enum normals)(normal + 1);
	return read;
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
	struct buffer text = {0};
	struct json_writer json = {.out = &text};
	value_text(value, &json);
	const struct value *copy = json_read(arena, text.data, text.size, NULL);
	const bool read = copy && request_read_skinning(copy, out, NULL);
	assert(read);
	(void)read;
	buffer_finish(&text);
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

bool request_read_pose(const struct value *body, struct pose_request *out, struct error *err) {
	static const char *const spaces[] = {
		[SPACE_BOTH] = "both", [SPACE_LOCAL] = "local", [SPACE_WORLD] = "world", NULL};
	*out = (struct pose_request){0};
	const struct value *pose = NULL, *poses = NULL, *skinning = NULL;
	int space = SPACE_BOTH;
	const struct member members[] = {
		request_rig_member(&out->subject.rig, &out->subject.place),
		{.name = "pose", .type = MEMBER_ANY, .out = &pose},
		{.name = "poses", .type = MEMBER_ANY, .out = &poses},
		{.name = "space", .type = MEMBER_CHOICE, .out = &space, .choices = spaces},
		{.name = "skinning", .type = MEMBER_ANY, .out = &skinning},
	};
	if (!value_read_members(body, members, COUNT_OF(members), err)) {
		return false;
	}
	out->space = (enum space)space;
	return request_read_poses(pose, poses, &out->subject, err) &&
		request_read_skinning(skinning, &out->skinning, err);
}

bool request_read_vertices(
	const struct value *body, struct vertices_request *out, struct error *err) {
	enum { OWN_MEMBERS = 5 };
	*out = (struct vertices_request){0};
	const struct value *pose = NULL, *poses = NULL, *skinning = NULL, *list = NULL;
	struct packing_members packing;
	struct member members[OWN_MEMBERS + PACKING_MEMBERS] = {
		request_rig_member(&out->subject.rig, &out->subject.place),
		{.name = "pose", .type = MEMBER_ANY, .out = &pose},
		{.name = "poses", .type = MEMBER_ANY, .out = &poses},
		{.name = "attributes", .type = MEMBER_ANY, .out = &list},
		{.name = "skinning", .type = MEMBER_ANY, .out = &skinning},
	};
	packing_begin(&packing, members + OWN_MEMBERS);
	return value_read_members(body, members, COUNT_OF(members), err) &&
		request_read_poses(pose, poses, &out->subject, err) &&
		packing_end(&packing, list, out->subject.count > 1, &out->packing, err) &&
		(packing_is_wanted(list) ||
			request_read_attributes(
				list, 1, out->attributes, &out->attribute_count, err)) &&
		request_read_skinning(skinning, &out->skinning, err);
}

bool request_read_frame(const struct value *body, struct frame_request *out, struct error *err) {
	enum { OWN_MEMBERS = 4 };
	*out = (struct frame_request){0};
	const struct value *pose = NULL, *poses = NULL, *skinning = NULL;
	struct picture_members picture;
	struct member members[OWN_MEMBERS + PICTURE_MEMBERS] = {
		request_rig_member(&out->subject.rig, &out->subject.place),
		{.name = "pose", .type = MEMBER_ANY, .out = &pose},
		{.name = "skinning", .type = MEMBER_ANY, .out = &skinning},
		{.name = "poses", .type = MEMBER_ANY, .out = &poses},
	};
	picture_begin(&picture, &out->picture, members + OWN_MEMBERS);
	if (!value_read_members(body, members, COUNT_OF(members), err)) {
		return false;
	}
	if (poses) {
		return value_error(poses, err, ERROR_INVALID_VALUE,
			"a frame is one picture: give one \"pose\" and ask once for each picture");
	}
	return request_read_poses(pose, NULL, &out->subject, err) &&
		picture_end(&picture, &out->picture, err) &&
		request_read_skinning(skinning, &out->skinning, err);
}
