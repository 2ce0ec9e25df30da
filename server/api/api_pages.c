// GET / and GET /js/{path...}: what browsers get, the viewer and its modules; GET /openapi.yaml
// and the schema of rules files.
#include <string.h>

#include "api/api.h"
#include "api/page_files.h"
#include "media.h"
#include "store/hash.h"

/* Nothing runs, loads or is called but what this daemon sends; pictures may be made by the page.
 * No other site may frame the page, which can delete rigs. */
#define POLICY \
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; " \
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/* Sends bytes that are the same for every client. */
static bool send_bytes(struct request_context *context, const void *bytes, size_t size,
	const char *media_type, struct error *err) {
	const char *const types[] = {media_type, NULL};
	if (!context_choose_type(context, types, err)) {
		return false;
	}
	const struct hash_part part = {bytes, size};
	if (!context_is_known_by(context, &part, 1)) {
		buffer_append(&context->response.body, part.bytes, part.size);
	}
	return true;
}

static bool send_text(struct request_context *context, const char *text, const char *media_type,
	struct error *err) {
	return send_bytes(context, text, strlen(text), media_type, err);
}

static bool send_file(struct request_context *context, const char *path, struct error *err) {
	const struct page_file *file = pages_find(path);
	if (!file) {
		return error_set(
			err, ERROR_UNKNOWN_ROUTE, "there is no file \"%.200s\" for browsers", path);
	}
	context_header(context, "Content-Security-Policy", POLICY);
	context_header(context, "Referrer-Policy", "no-referrer");
	context_header_text(context, "Vary", "Accept-Encoding");
	const char *type = pages_type(path);
	if (!media_takes_coding(context->accept_encoding, "gzip")) {
		return send_bytes(context, file->bytes, file->size, type, err);
	}
	context_header_text(context, "Content-Encoding", "gzip");
	return send_bytes(context, file->gzip, file->gzip_size, type, err);
}

bool api_viewer(struct request_context *context, struct error *err) {
	return send_file(context, PAGES_VIEWER, err);
}

bool api_script(struct request_context *context, struct error *err) {
	return send_file(context, context->tail, err);
}

bool api_openapi(struct request_context *context, struct error *err) {
	return send_text(context, api_description[0].text, "application/yaml", err);
}

bool api_check_schema(struct request_context *context, struct error *err) {
	return send_text(context, api_description[1].text, "application/schema+json", err);
}
