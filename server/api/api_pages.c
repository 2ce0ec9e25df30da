// GET / and GET /js/{path...}: what browsers get, the viewer and its modules; GET /openapi.yaml.
#include <string.h>

#include "api/api.h"
#include "api/pages.h"
#include "store/hash.h"

/* Nothing runs, loads or is called but what this daemon sends; pictures may be made by the page.
 * No other site may frame the page, which can delete rigs. */
#define POLICY \
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; " \
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

static bool send_text(
	struct call *call, const char *text, const char *media_type, struct error *err) {
	const char *const types[] = {media_type, NULL};
	if (!call_choose_type(call, types, err)) {
		return false;
	}
	const struct hash_part part = {text, strlen(text)};
	if (!call_is_known_by(call, &part, 1)) {
		buffer_append(&call->answer.body, part.bytes, part.size);
	}
	return true;
}

static bool send_file(struct call *call, const char *path, struct error *err) {
	const struct embedded_text *file = pages_find(path);
	if (!file) {
		return error_set(
			err, ERROR_UNKNOWN_ROUTE, "there is no file \"%.200s\" for browsers", path);
	}
	call_header(call, "Content-Security-Policy", POLICY);
	call_header(call, "Referrer-Policy", "no-referrer");
	return send_text(call, file->text, pages_type(path), err);
}

bool api_viewer(struct call *call, struct error *err) {
	return send_file(call, PAGES_VIEWER, err);
}

bool api_script(struct call *call, struct error *err) {
	return send_file(call, call->tail, err);
}

bool api_openapi(struct call *call, struct error *err) {
	return send_text(call, api_description[0].text, "application/yaml", err);
}
