// The asset in a request's body.
#include "api/asset_body.h"

#include <string.h>

#include "form_data.h"
#include "limits.h"
#include "media.h"
#include "renderer.h"

_Static_assert(LIMIT_FORM_FILES == ASSET_FILES_MAX, "a form may have as many files as an asset");

#define FORM_TYPE "multipart/form-data"

/* The media type of a format, by its position; behind the last a form, then NULL. */
static const char *type_at(size_t i) {
	const struct asset_format *format = renderer_asset_format(i);
	if (format) {
		return format->media_type;
	}
	return i == 0 || renderer_asset_format(i - 1) ? FORM_TYPE : NULL;
}

bool asset_body_is_type(const char *type) {
	for (size_t i = 0; type_at(i); i++) {
		if (media_is(type, type_at(i))) {
			return true;
		}
	}
	return false;
}

const char *asset_body_types(struct arena *arena) {
	const char *text = type_at(0);
	for (size_t i = 1; type_at(i); i++) {
		// Formats without a type of their own have the same one.
		if (!strstr(text, type_at(i))) {
			text = arena_printf(arena, "%s, %s", text, type_at(i));
		}
	}
	return text;
}

static bool is_form(const struct request_context *context) {
	return context->content_type && media_is(context->content_type, FORM_TYPE);
}

static bool append(void *context, const void *bytes, size_t size, struct error *err) {
	struct body *archive = context;
	if (size > LIMIT_ASSET_BYTES - archive->size) {
		return error_set(err, ERROR_TOO_LARGE,
			"the form's files are more than the %zu bytes that an asset may have",
			LIMIT_ASSET_BYTES);
	}
	return size == 0 || body_append(archive, bytes, size) ||
		error_set(err, ERROR_OVERLOADED, "no memory for the form's files");
}

static bool pack(struct request_context *context, const struct form_file *files, size_t count,
	struct asset_body *out, struct error *err) {
	const struct asset_sink sink = {append, &out->packed};
	struct asset_file *parts = arena_alloc(context->arena, count, sizeof *parts);
	for (size_t i = 0; i < count; i++) {
		parts[i] = (struct asset_file){files[i].path, files[i].bytes, files[i].size};
	}
	if (!renderer_pack_asset(parts, count, &sink, err)) {
		return false;
	}
	if (!body_complete(&out->packed)) {
		return error_set(err, ERROR_OVERLOADED, "no memory for the form's files");
	}
	out->bytes = body_bytes(&out->packed);
	out->size = out->packed.size;
	out->file = body_file(&out->packed);
	return true;
}

bool asset_body_take(struct request_context *context, struct asset_body *out, struct error *err) {
	*out = (struct asset_body){
		.bytes = context->body, .size = context->body_bytes, .file = context->body_file};
	if (!is_form(context)) {
		return true;
	}
	size_t count;
	const struct form_file *files = form_data_read(context->content_type, context->body,
		context->body_bytes, context->arena, &count, err);
	if (!files) {
		return false;
	}
	if (count == 1) {
		*out = (struct asset_body){.bytes = files->bytes, .size = files->size, .file = -1};
		return true;
	}
	return pack(context, files, count, out, err);
}

bool asset_body_set_space(
	struct asset_body *body, const struct asset_space *space, struct error *err) {
	char line[ASSET_SPACE_BYTES];
	const size_t length = renderer_write_space(space, line);
	struct body placed = {0};
	if (length == 0) {
		return true;
	}
	if (!body_append(&placed, line, length) ||
		(body->size > 0 && !body_append(&placed, body->bytes, body->size)) ||
		!body_complete(&placed)) {
		body_finish(&placed);
		return error_set(err, ERROR_OVERLOADED, "no memory for the asset");
	}
	body_finish(&body->packed);
	*body = (struct asset_body){.bytes = body_bytes(&placed),
		.size = placed.size,
		.file = body_file(&placed),
		.packed = placed};
	// A body in plain memory is read from the copy.
	body->bytes = body_bytes(&body->packed);
	return true;
}

void asset_body_finish(struct asset_body *body) {
	body_finish(&body->packed);
}
