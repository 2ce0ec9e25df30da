// POST /v1/shaders: the request.
#include "shader_request.h"

#include <string.h>

#include "request_internal.h"

const char *shader_buffer_name(size_t i) {
	static const char *const names[SHADER_BUFFER_COUNT] = {
		"vertices", "influences", "palette", "data", "gradients"};
	return names[i];
}

static bool read_buffer(const struct value *value, unsigned *out, struct error *err) {
	for (size_t i = 0; value->kind == VALUE_STRING && i < SHADER_BUFFER_COUNT; i++) {
		if (strcmp(value->string, shader_buffer_name(i)) == 0) {
			*out |= 1u << i;
			return true;
		}
	}
	const bool named = value->kind == VALUE_STRING;
	return value_error(value, err, ERROR_INVALID_VALUE,
		"a buffer is %s%s%s, must be one of: vertices, influences, palette, data, "
		"gradients",
		named ? "\"" : "", named ? value->string : value_kind_name(value->kind),
		named ? "\"" : "");
}

static bool read_buffers(const struct value *list, unsigned *out, struct error *err) {
	if (!list) {
		*out = (1u << SHADER_BUFFER_COUNT) - 1;
		return true;
	}
	if (list->kind != VALUE_LIST) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"\"buffers\" is %s, must be a list of names", value_kind_name(list->kind));
	}
	*out = 0;
	for (size_t i = 0; i < list->count; i++) {
		if (!read_buffer(&list->items[i], out, err)) {
			return false;
		}
	}
	return true;
}

bool request_read_shaders(
	const struct value *body, struct shaders_request *out, struct error *err) {
	*out = (struct shaders_request){0};
	const struct value *skinning = NULL, *buffers = NULL;
	const struct member members[] = {
		request_rig_member(&out->subject.rig, &out->subject.source),
		{.name = "pose", .type = MEMBER_UNREAD},
		{"skinning", MEMBER_ANY, .out = &skinning},
		{"buffers", MEMBER_ANY, .out = &buffers},
	};
	return value_read_members(body, members, sizeof members / sizeof *members, err) &&
		request_read_subject(body, &out->subject, err) &&
		request_read_skinning(skinning, &out->skinning, err) &&
		read_buffers(buffers, &out->buffers, err);
}
