// GET / and GET /viewer/{file}: the page that shows rigs in a browser.
#include <string.h>

#include "api.h"
#include "hash.h"
#include "viewer.h"

/* Nothing runs, loads or is called but what this daemon sends; pictures may be made by the page.
 * No other site may frame the page, which can delete rigs. */
#define POLICY \
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; " \
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

static bool send_file(struct call *call, const char *name, struct error *err) {
	const struct embedded_text *file = viewer_find(name);
	if (!file) {
		return error_set(
			err, ERROR_UNKNOWN_ROUTE, "there is no file \"%s\" of the viewer", name);
	}
	const char *const types[] = {viewer_type(name), NULL};
	if (!call_choose_type(call, types, err)) {
		return false;
	}
	call_header(call, "Content-Security-Policy", POLICY);
	call_header(call, "Referrer-Policy", "no-referrer");
	const struct hash_part part = {file->text, strlen(file->text)};
	if (!call_is_known_by(call, &part, 1)) {
		buffer_append(&call->answer.body, part.bytes, part.size);
	}
	return true;
}

bool api_viewer(struct call *call, struct error *err) {
	return send_file(call, VIEWER_PAGE, err);
}

bool api_viewer_file(struct call *call, struct error *err) {
	return send_file(call, call->file, err);
}
