// The configuration file: lines of "key = value", empty ones, and comments behind "#".
#include "config/config_internal.h"

#include <stdio.h>
#include <string.h>

#include "base/line_file.h"
#include "base/nearest.h"

/* Writes "listen, data, ..."; cut at size. */
static void list_keys(char *text, size_t size) {
	size_t used = 0;
	text[0] = '\0';
	for (size_t o = 0; o < option_count() && used < size; o++) {
		if (!(option_at(o)->traits & OPTION_ELSEWHERE)) {
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
				option_key(option_at(o)));
		}
	}
}

static bool refuse_key(const struct line *line, struct span key, struct error *err) {
	char asked[UTF8_QUOTED_BYTES], quoted[UTF8_QUOTED_BYTES], nearby[128], known[512];
	snprintf(asked, sizeof asked, "%.*s", (int)key.length, key.start);
	span_quote(key, quoted);
	struct nearest nearest = {.asked = asked};
	for (size_t o = 0; o < option_count(); o++) {
		if (!(option_at(o)->traits & OPTION_ELSEWHERE)) {
			nearest_offer(&nearest, option_key(option_at(o)));
		}
	}
	nearest_write(&nearest, nearby, sizeof nearby);
	list_keys(known, sizeof known);
	return line_error(
		line, err, "no key %s; nearest: %s; known are: %s", quoted, nearby, known);
}

static bool take_line(void *context, const struct line *line, struct error *err) {
	struct settings *settings = context;
	const char *start = line->text.start;
	const char *equals = memchr(start, '=', line->text.length);
	if (!equals) {
		char quoted[UTF8_QUOTED_BYTES];
		span_quote(line->text, quoted);
		return line_error(line, err, "%s is not of the form key = value", quoted);
	}
	const size_t before = (size_t)(equals - start);
	const struct span key = span_trim((struct span){start, before});
	const struct span value =
		span_trim((struct span){equals + 1, line->text.length - before - 1});
	const size_t option = option_find(key.start, key.length);
	if (option == option_count() || (option_at(option)->traits & OPTION_ELSEWHERE)) {
		return refuse_key(line, key, err);
	}
	const struct text *there = &settings->options[option].by[SOURCE_FILE];
	if (there->value) {
		return line_error(line, err, "%s is there twice, first in line %d",
			option_key(option_at(option)), there->line);
	}
	settings_put(settings, option, SOURCE_FILE, value.start, value.length, line->number);
	return true;
}

bool settings_take_file(struct settings *settings, const char *path, struct error *err) {
	return line_file_read(path, take_line, settings, err);
}
