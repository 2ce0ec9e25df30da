// Requests for results: a tree of values -> plain structs.
#include "request.h"

#include <string.h>

#include "attribute.h"
#include "camera.h"
#include "limits.h"
#include "url_text.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

const struct value *subject_pose(const struct subject *subject, size_t i) {
	return subject->poses ? &subject->poses[i] : NULL;
}

/* Fills in what "pose" and "poses" (NULL when absent) say. */
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

/* value may be NULL: all defaults. */
static bool read_skinning(
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
		"\"skinning\" is %s, must be a method's id or an object of method, device, normals",
		value_kind_name(value->kind));
}

static bool refuse_attribute(const struct value *value, struct error *err) {
	const bool named = value->kind == VALUE_STRING;
	return value_error(value, err, ERROR_INVALID_VALUE,
		"an attribute is %s%s%s, must be one of: position, normal, tangent",
		named ? "\"" : "", named ? value->string : value_kind_name(value->kind),
		named ? "\"" : "");
}

static bool read_attribute(
	const struct value *value, struct vertices_request *out, struct error *err) {
	size_t a = 0;
	while (a < ATTRIBUTE_COUNT && value->kind == VALUE_STRING &&
		strcmp(attribute_name(attribute_at(a)), value->string) != 0) {
		a++;
	}
	if (value->kind != VALUE_STRING || a == ATTRIBUTE_COUNT) {
		return refuse_attribute(value, err);
	}
	for (size_t i = 0; i < out->attribute_count; i++) {
		if (out->attributes[i] == attribute_at(a)) {
			return value_error(value, err, ERROR_INVALID_VALUE,
				"attribute \"%s\" is asked for twice", value->string);
		}
	}
	out->attributes[out->attribute_count++] = attribute_at(a);
	return true;
}

/* list may be NULL: positions only. */
static bool read_attributes(
	const struct value *list, struct vertices_request *out, struct error *err) {
	if (!list) {
		out->attributes[0] = ATTRIBUTE_POSITION;
		out->attribute_count = 1;
		return true;
	}
	if (list->kind != VALUE_LIST || list->count == 0) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"\"attributes\" must be a list of at least one of: position, normal, "
			"tangent");
	}
	for (size_t i = 0; i < list->count; i++) {
		if (!read_attribute(&list->items[i], out, err)) {
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
		{.name = "rig",
			.type = MEMBER_STRING,
			.out = &out->subject.rig,
			.required = true,
			.place = &out->subject.place},
		{.name = "pose", .type = MEMBER_ANY, .out = &pose},
		{.name = "poses", .type = MEMBER_ANY, .out = &poses},
		{.name = "space", .type = MEMBER_CHOICE, .out = &space, .choices = spaces},
		{.name = "skinning", .type = MEMBER_ANY, .out = &skinning},
	};
	if (!value_read_members(body, members, COUNT_OF(members), err)) {
		return false;
	}
	out->space = (enum space)space;
	return read_poses(pose, poses, &out->subject, err) &&
		read_skinning(skinning, &out->skinning, err);
}

bool request_read_vertices(
	const struct value *body, struct vertices_request *out, struct error *err) {
	*out = (struct vertices_request){0};
	const struct value *pose = NULL, *poses = NULL, *skinning = NULL, *list = NULL;
	const struct member members[] = {
		{.name = "rig",
			.type = MEMBER_STRING,
			.out = &out->subject.rig,
			.required = true,
			.place = &out->subject.place},
		{.name = "pose", .type = MEMBER_ANY, .out = &pose},
		{.name = "poses", .type = MEMBER_ANY, .out = &poses},
		{.name = "attributes", .type = MEMBER_ANY, .out = &list},
		{.name = "skinning", .type = MEMBER_ANY, .out = &skinning},
	};
	return value_read_members(body, members, COUNT_OF(members), err) &&
		read_poses(pose, poses, &out->subject, err) && read_attributes(list, out, err) &&
		read_skinning(skinning, &out->skinning, err);
}

/* "#rrggbb", "#rrggbbaa" or "transparent". value may be NULL: transparent. */
static bool read_color(const struct value *value, double color[static 4], struct error *err) {
	if (!value || (value->kind == VALUE_STRING && strcmp(value->string, "transparent") == 0)) {
		return true;
	}
	const char *text = value->kind == VALUE_STRING ? value->string : "";
	const size_t length = strlen(text);
	bool good = text[0] == '#' && (length == 7 || length == 9);
	color[3] = 1;
	for (size_t i = 0; good && 2 * i + 1 < length; i++) {
		const int high = hex_digit_value(text[1 + 2 * i]);
		const int low = hex_digit_value(text[2 + 2 * i]);
		good = high >= 0 && low >= 0;
		color[i] = (high * 16 + low) / 255.0;
	}
	if (!good) {
		return value_error(value, err, ERROR_INVALID_VALUE,
			"\"background\" is %s%s%s, must be \"#rrggbb\", \"#rrggbbaa\" or "
			"\"transparent\"",
			*text ? "\"" : "", *text ? text : value_kind_name(value->kind),
			*text ? "\"" : "");
	}
	return true;
}

static bool check_samples(const struct value *value, int samples, struct error *err) {
	if (samples & (samples - 1)) {
		return value_error(value, err, ERROR_INVALID_VALUE,
			"\"samples\" is %d, must be 1, 2, 4, 8 or 16", samples);
	}
	return true;
}

bool request_read_frame(const struct value *body, struct frame_request *out, struct error *err) {
	static const char *const fits[] = {
		[FIT_POSE] = "pose", [FIT_CLIP] = "clip", [FIT_REST] = "rest", NULL};
	*out = (struct frame_request){.picture = {.width = 512, .height = 512, .samples = 4}};
	struct picture_settings *picture = &out->picture;
	const struct value *pose = NULL, *poses = NULL, *skinning = NULL, *background = NULL;
	const struct value *camera = NULL, *samples = NULL;
	int fit = FIT_POSE;
	const struct member members[] = {
		{.name = "rig",
			.type = MEMBER_STRING,
			.out = &out->subject.rig,
			.required = true,
			.place = &out->subject.place},
		{.name = "pose", .type = MEMBER_ANY, .out = &pose},
		{.name = "width",
			.type = MEMBER_INTEGER,
			.out = &picture->width,
			.least = 1,
			.most = LIMIT_SIDE_PIXELS},
		{.name = "height",
			.type = MEMBER_INTEGER,
			.out = &picture->height,
			.least = 1,
			.most = LIMIT_SIDE_PIXELS},
		{.name = "background", .type = MEMBER_ANY, .out = &background},
		{.name = "samples",
			.type = MEMBER_INTEGER,
			.out = &picture->samples,
			.least = 1,
			.most = LIMIT_SAMPLES,
			.place = &samples},
		{.name = "camera", .type = MEMBER_ANY, .out = &camera},
		{.name = "fit", .type = MEMBER_CHOICE, .out = &fit, .choices = fits},
		{.name = "skinning", .type = MEMBER_ANY, .out = &skinning},
		{.name = "poses", .type = MEMBER_ANY, .out = &poses},
	};
	if (!value_read_members(body, members, COUNT_OF(members), err)) {
		return false;
	}
	if (poses) {
		return value_error(poses, err, ERROR_INVALID_VALUE,
			"a frame is one picture: give one \"pose\" and ask once for each picture");
	}
	picture->fit = (enum fit)fit;
	return read_poses(pose, NULL, &out->subject, err) &&
		read_color(background, picture->background, err) &&
		check_samples(samples, picture->samples, err) &&
		camera_read(camera, &picture->camera, err) &&
		read_skinning(skinning, &out->skinning, err);
}
