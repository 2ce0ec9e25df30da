// Named sets of options.
#include "access/presets.h"

#include <stdlib.h>
#include <string.h>

#include "access/link.h"
#include "base/arena.h"
#include "base/line_file.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "renderer.h"
#include "request.h"

struct presets {
	struct arena *arena; // of all texts
	struct preset list[MAX_PRESETS];
	size_t count;
};

static bool add_option(struct presets *presets, struct span segment, struct preset *preset,
	struct query_parameter *parameters, struct error *err) {
	static const char *const none[] = {NULL};
	struct link_option option;
	if (!link_option_read(presets->arena, segment.start, segment.length, &option, err)) {
		return false;
	}
	const char *parameter = link_option_parameter(option.name);
	if (!parameter) {
		return link_option_refuse(option.name, none, err);
	}
	parameters[preset->count++] = (struct query_parameter){parameter, option.value};
	return true;
}

static size_t count_segments(struct span text) {
	size_t count = 1;
	for (size_t i = 0; i < text.length; i++) {
		count += text.start[i] == '/';
	}
	return count;
}

static bool add_options(
	struct presets *presets, struct span text, struct preset *preset, struct error *err) {
	struct query_parameter *parameters =
		arena_alloc(presets->arena, count_segments(text), sizeof *parameters);
	const char *const end = text.start + text.length;
	for (const char *start = text.start; start <= end;) {
		const char *slash = memchr(start, '/', (size_t)(end - start));
		const char *stop = slash ? slash : end;
		const struct span segment = {start, (size_t)(stop - start)};
		if (!add_option(presets, segment, preset, parameters, err)) {
			return false;
		}
		start = stop + 1;
	}
	preset->parameters = parameters;
	return true;
}

static bool has_clip(const struct preset *preset) {
	for (size_t i = 0; i < preset->count; i++) {
		if (strcmp(preset->parameters[i].name, "clip") == 0) {
			return true;
		}
	}
	return false;
}

/* Checks the options like a link's; links can add required members only by a clip's name. */
static bool check_options(struct presets *presets, const struct preset *preset, struct error *err) {
	struct query_parameter *all = arena_alloc(presets->arena, preset->count + 1, sizeof *all);
	size_t count = 0;
	if (!has_clip(preset)) {
		all[count++] = (struct query_parameter){"clip", "any"};
	}
	memcpy(all + count, preset->parameters, preset->count * sizeof *all);
	count += preset->count;
	const struct value *body = query_read_frame(presets->arena, "any", all, count, err);
	struct frame_request request;
	return body && request_read_frame(body, &request, err) &&
		renderer_check_skinning(&request.skinning, err);
}

static bool take_name(
	struct presets *presets, struct span name, struct preset *preset, struct error *err) {
	char quoted[UTF8_QUOTED_BYTES];
	span_quote(name, quoted);
	for (size_t i = 0; i < name.length; i++) {
		const char c = name.start[i];
		if (!(c >= '0' && c <= '9') && !((c | 0x20) >= 'a' && (c | 0x20) <= 'z') &&
			c != '-' && c != '_') {
			return error_set(err, ERROR_INVALID_VALUE,
				"the name %s must have only letters, digits, \"-\" and \"_\"",
				quoted);
		}
	}
	for (size_t i = 0; i < presets->count; i++) {
		if (span_is(name, presets->list[i].name)) {
			return error_set(
				err, ERROR_INVALID_VALUE, "the name %s is given twice", quoted);
		}
	}
	preset->name = arena_strndup(presets->arena, name.start, name.length);
	return true;
}

static bool take_line(void *context, const struct line *line, struct error *err) {
	struct presets *presets = context;
	const struct span text = line->text;
	const char *equals = memchr(text.start, '=', text.length);
	if (!equals || equals == text.start) {
		return line_error(
			line, err, "must be of the form NAME = option:value/option:value");
	}
	if (presets->count == MAX_PRESETS) {
		return line_error(line, err, "more than %d presets", MAX_PRESETS);
	}
	const size_t before = (size_t)(equals - text.start);
	const struct span name = span_trim((struct span){text.start, before});
	const struct span options = span_trim((struct span){equals + 1, text.length - before - 1});
	struct preset preset = {0};
	struct error why = {0};
	if (!take_name(presets, name, &preset, &why) ||
		!add_options(presets, options, &preset, &why) ||
		!check_options(presets, &preset, &why)) {
		return line_error(line, err, "%s", why.text);
	}
	presets->list[presets->count++] = preset;
	return true;
}

struct presets *presets_read(const char *path, struct error *err) {
	struct presets *presets = xcalloc(1, sizeof *presets);
	presets->arena = arena_create();
	if (!line_file_read(path, take_line, presets, err)) {
		presets_destroy(presets);
		return NULL;
	}
	return presets;
}

void presets_destroy(struct presets *presets) {
	if (presets) {
		arena_destroy(presets->arena);
		free(presets);
	}
}

const struct preset *presets_find(
	const struct presets *presets, const char *name, struct error *err) {
	struct nearest nearest = {.unknown = name};
	for (size_t i = 0; presets && i < presets->count; i++) {
		if (strcmp(presets->list[i].name, name) == 0) {
			return &presets->list[i];
		}
		nearest_offer(&nearest, presets->list[i].name);
	}
	char quoted[UTF8_QUOTED_BYTES], names[3 * UTF8_QUOTED_BYTES];
	utf8_quote(name, quoted, sizeof quoted);
	nearest_write(&nearest, names, sizeof names);
	error_set(err, ERROR_INVALID_VALUE, "no preset %s; nearest: %s", quoted,
		nearest.count ? names : "there are none");
	return NULL;
}
