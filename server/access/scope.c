// The names of scopes.
#include "access/scope.h"

#include <string.h>

#include "base/line_file.h"
#include "base/value.h"

static const struct {
	const char *name;
	enum scope scope;
} rows[] = {{"read", SCOPE_READ}, {"render", SCOPE_RENDER}, {"write", SCOPE_WRITE}};

#define ROW_COUNT (sizeof rows / sizeof *rows)

static bool refuse(struct span name, struct error *err) {
	const char *known[ROW_COUNT + 1] = {0};
	for (size_t i = 0; i < ROW_COUNT; i++) {
		known[i] = rows[i].name;
	}
	char quoted[UTF8_QUOTED_BYTES], names[64];
	span_quote(name, quoted);
	value_list_names(known, names, sizeof names);
	return error_set(err, ERROR_INVALID_VALUE, "no scope %s; known are: %s", quoted, names);
}

static bool add(struct span name, unsigned *scopes, struct error *err) {
	size_t i = 0;
	while (i < ROW_COUNT && !span_is(name, rows[i].name)) {
		i++;
	}
	if (i == ROW_COUNT) {
		return refuse(name, err);
	}
	if (*scopes & rows[i].scope) {
		return error_set(
			err, ERROR_INVALID_VALUE, "the scope %s is given twice", rows[i].name);
	}
	*scopes |= rows[i].scope;
	return true;
}

bool scopes_read(const char *text, size_t length, unsigned *scopes, struct error *err) {
	const char *const end = text + length;
	*scopes = 0;
	for (;;) {
		const char *comma = memchr(text, ',', (size_t)(end - text));
		const char *stop = comma ? comma : end;
		if (!add((struct span){text, (size_t)(stop - text)}, scopes, err)) {
			return false;
		}
		if (!comma) {
			return true;
		}
		text = comma + 1;
	}
}

void scopes_write(unsigned scopes, char text[static SCOPES_TEXT_BYTES]) {
	size_t used = (size_t)snprintf(text, SCOPES_TEXT_BYTES, "%s", scopes ? "" : "none");
	for (size_t i = 0; i < ROW_COUNT; i++) {
		if (scopes & rows[i].scope) {
			used += (size_t)snprintf(text + used, SCOPES_TEXT_BYTES - used, "%s%s",
				used ? "," : "", rows[i].name);
		}
	}
}
