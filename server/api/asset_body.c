// The asset in a request's body.
#include "api/asset_body.h"

#include "form_data.h"
#include "limits.h"
#include "media.h"
#include "renderer.h"

_Static_assert(LIMIT_FORM_FILES == ASSET_FILES_MAX, "a form may have as many files as an asset");

static bool is_form(const struct call *call) {
	return call->content_type && media_is(call->content_type, "multipart/form-data");
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

static bool pack(struct call *call, const struct form_file *files, size_t count,
	struct asset_body *out, struct error *err) {
	const struct asset_sink sink = {append, &out->packed};
	struct asset_file *parts = arena_alloc(call->arena, count, sizeof *parts);
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

bool asset_body_take(struct call *call, struct asset_body *out, struct error *err) {
	*out = (struct asset_body){
		.bytes = call->body, .size = call->body_bytes, .file = call->body_file};
	if (!is_form(call)) {
		return true;
	}
	size_t count;
	const struct form_file *files = form_data_read(
		call->content_type, call->body, call->body_bytes, call->arena, &count, err);
	if (!files) {
		return false;
	}
	if (count == 1) {
		*out = (struct asset_body){.bytes = files->bytes, .size = files->size, .file = -1};
		return true;
	}
	return pack(call, files, count, out, err);
}

void asset_body_finish(struct asset_body *body) {
	body_finish(&body->packed);
}
