// Options of signed links.
#include "access/link_option.h"

#include <string.h>

#include "base/utf8.h"
#include "base/value.h"
#include "query.h"
#include "url_text.h"

/* imgproxy's short names. */
static const struct { const char *name, *parameter; } shorts[] = {{"w", "width"}, {"h", "height"}};

#define SHORT_COUNT (sizeof shorts / sizeof *shorts)

/* Names in the list of those known. */
#define KNOWN_MOST 64

bool link_option_read(struct arena *arena, const char *segment, size_t length,
	struct link_option *out, struct error *err) {
	char *text = url_decode(arena, segment, length);
	if (!text) {
		return error_set(
			err, ERROR_INVALID_VALUE, "an option is not percent-encoded UTF-8");
	}
	char *colon = strchr(text, ':');
	if (!colon || colon == text) {
		char quoted[UTF8_QUOTED_BYTES];
		utf8_quote(text, quoted, sizeof quoted);
		return error_set(err, ERROR_INVALID_VALUE,
			"%s is no option: options are name:value", quoted);
	}
	*colon = '\0';
	*out = (struct link_option){text, colon + 1};
	return true;
}

const char *link_option_parameter(const char *name) {
	for (size_t i = 0; i < SHORT_COUNT; i++) {
		if (strcmp(shorts[i].name, name) == 0) {
			return shorts[i].parameter;
		}
	}
	const char *parameter;
	for (size_t i = 0; (parameter = query_frame_name(i)); i++) {
		if (strcmp(parameter, name) == 0) {
			return parameter;
		}
	}
	return NULL;
}

bool link_option_refuse(const char *name, const char *const *others, struct error *err) {
	const char *known[KNOWN_MOST + 1] = {0};
	size_t count = 0;
	for (size_t i = 0; query_frame_name(i) && count < KNOWN_MOST; i++) {
		known[count++] = query_frame_name(i);
	}
	for (size_t i = 0; i < SHORT_COUNT && count < KNOWN_MOST; i++) {
		known[count++] = shorts[i].name;
	}
	for (size_t i = 0; others[i] && count < KNOWN_MOST; i++) {
		known[count++] = others[i];
	}
	char names[512], quoted[UTF8_QUOTED_BYTES];
	value_list_names(known, names, sizeof names);
	utf8_quote(name, quoted, sizeof quoted);
	return error_set(
		err, ERROR_UNKNOWN_MEMBER, "no option %s here; known are: %s", quoted, names);
}
