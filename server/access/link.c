// Reading signed links.
#include "access/link.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/utf8.h"
#include "base/value.h"
#include "name.h"
#include "query.h"
#include "url_text.h"

/* imgproxy's short names. */
static const struct { const char *name, *parameter; } shorts[] = {{"w", "width"}, {"h", "height"}};

#define SHORT_COUNT (sizeof shorts / sizeof *shorts)

/* Maximum names in the list of known options. */
#define MAX_KNOWN 64

int64_t link_now_s(void) {
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec;
}

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
			"%s is not an option: options are name:value", quoted);
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
	const char *known[MAX_KNOWN + 1] = {0};
	size_t count = 0;
	for (size_t i = 0; query_frame_name(i) && count < MAX_KNOWN; i++) {
		known[count++] = query_frame_name(i);
	}
	for (size_t i = 0; i < SHORT_COUNT && count < MAX_KNOWN; i++) {
		known[count++] = shorts[i].name;
	}
	for (size_t i = 0; others[i] && count < MAX_KNOWN; i++) {
		known[count++] = others[i];
	}
	char names[512], quoted[UTF8_QUOTED_BYTES];
	value_list_names(known, names, sizeof names);
	utf8_quote(name, quoted, sizeof quoted);
	return error_set(
		err, ERROR_UNKNOWN_MEMBER, "no option %s here; known are: %s", quoted, names);
}

/* Replaces the signature of an unsigned link. */
#define UNSIGNED "unsafe"

/* Digits of a content hash; the minimum is large enough to exclude forged collisions. */
#define MIN_CONTENT 16
#define MAX_CONTENT 64

/* Maximum digits of a time: until the year 33658. */
#define MAX_TIME_DIGITS 12

/* A link being read. */
struct reading {
	struct arena *arena;
	const struct link_rules *rules;
	struct link *out;
	struct query_parameter parameters[MAX_LINK_SEGMENTS];
	bool has_preset, has_cachebuster;
};

static bool refuse_twice(const char *name, struct error *err) {
	return error_set(err, ERROR_INVALID_VALUE,
		"the option \"%s\" is given twice, by itself, a short name or a preset", name);
}

static bool add_parameter(
	struct reading *reading, const char *name, const char *value, struct error *err) {
	struct link *out = reading->out;
	for (size_t i = 0; i < out->count; i++) {
		if (strcmp(reading->parameters[i].name, name) == 0) {
			return refuse_twice(name, err);
		}
	}
	// Fits, because there are fewer names than segments, and none is repeated.
	reading->parameters[out->count++] = (struct query_parameter){name, value};
	return true;
}

static bool take_preset(struct reading *reading, const char *value, struct error *err) {
	if (reading->has_preset) {
		return refuse_twice("preset", err);
	}
	reading->has_preset = true;
	const struct preset *preset = presets_find(reading->rules->presets, value, err);
	for (size_t i = 0; preset && i < preset->count; i++) {
		// A reload may replace the preset during the request.
		const char *text = preset->parameters[i].value;
		const char *copy = arena_strndup(reading->arena, text, strlen(text));
		const char *name = link_option_parameter(preset->parameters[i].name);
		if (!add_parameter(reading, name, copy, err)) {
			return false;
		}
	}
	return preset;
}

static bool take_expires(struct reading *reading, const char *value, struct error *err) {
	const size_t digits = strspn(value, "0123456789");
	if (reading->out->expires_s) {
		return refuse_twice("expires", err);
	}
	if (digits == 0 || digits > MAX_TIME_DIGITS || value[digits] || value[0] == '0') {
		return error_set(err, ERROR_INVALID_VALUE,
			"expires is \"%.40s\", must be a time in seconds since 1970, above 0",
			value);
	}
	reading->out->expires_s = strtoll(value, NULL, 10);
	return true;
}

bool link_check_content(const char *digits, struct error *err) {
	const size_t count = strspn(digits, "0123456789abcdef");
	return (!digits[count] && count >= MIN_CONTENT && count <= MAX_CONTENT) ||
		error_set(err, ERROR_INVALID_VALUE,
			"content is \"%.80s\", must be the first %d to %d hexadecimal digits, in "
			"lower case, of the SHA-256 that the rig's description has",
			digits, MIN_CONTENT, MAX_CONTENT);
}

static bool take_content(struct reading *reading, const char *value, struct error *err) {
	if (reading->out->content) {
		return refuse_twice("content", err);
	}
	reading->out->content = value;
	return link_check_content(value, err);
}

static bool take_cachebuster(struct reading *reading, const char *value, struct error *err) {
	(void)value;
	if (reading->has_cachebuster) {
		return refuse_twice("cachebuster", err);
	}
	reading->has_cachebuster = true;
	return true;
}

/* Options besides those of frame.png. */
static const struct {
	const char *name;
	bool (*take)(struct reading *reading, const char *value, struct error *err);
} rows[] = {
	{"preset", take_preset},
	{"expires", take_expires},
	{"content", take_content},
	{"cachebuster", take_cachebuster},
};

#define ROW_COUNT (sizeof rows / sizeof *rows)

static bool refuse_unknown(const char *name, bool presets_only, struct error *err) {
	const char *others[ROW_COUNT + 1] = {0};
	for (size_t i = 0; i < ROW_COUNT; i++) {
		others[i] = rows[i].name;
	}
	if (!presets_only) {
		return link_option_refuse(name, others, err);
	}
	char names[128], quoted[UTF8_QUOTED_BYTES];
	value_list_names(others, names, sizeof names);
	utf8_quote(name, quoted, sizeof quoted);
	return error_set(err, ERROR_UNKNOWN_MEMBER,
		"the option %s is not for this daemon's links, which take only: %s", quoted, names);
}

static bool take_option(
	struct reading *reading, const char *segment, size_t length, struct error *err) {
	struct link_option option = {0};
	if (!link_option_read(reading->arena, segment, length, &option, err)) {
		return false;
	}
	for (size_t i = 0; i < ROW_COUNT; i++) {
		if (strcmp(rows[i].name, option.name) == 0) {
			return rows[i].take(reading, option.value, err);
		}
	}
	const bool presets_only = reading->rules->presets_only;
	const char *parameter = presets_only ? NULL : link_option_parameter(option.name);
	return parameter ? add_parameter(reading, parameter, option.value, err)
			 : refuse_unknown(option.name, presets_only, err);
}

static bool take_rig(struct reading *reading, const char *segment, struct error *err) {
	char *text = url_decode(reading->arena, segment, strlen(segment));
	if (!text) {
		return error_set(err, ERROR_INVALID_NAME,
			"the name in the path is not percent-encoded UTF-8");
	}
	char *dot = strrchr(text, '.');
	if (!dot) {
		return error_set(err, ERROR_UNKNOWN_ROUTE,
			"the path must end with RIG.png or another kind of picture");
	}
	*dot = '\0';
	reading->out->ending = dot + 1;
	reading->out->rig = text;
	return name_check(text, err);
}

bool link_is_unsigned(const char *signature, size_t length) {
	return length == strlen(UNSIGNED) && memcmp(signature, UNSIGNED, length) == 0;
}

bool link_split(const char *text, struct link_parts *out, struct error *err) {
	const char *slash = strchr(text, '/');
	if (!slash || slash == text || !slash[1]) {
		return error_set(err, ERROR_UNKNOWN_ROUTE,
			"links are /i/SIGNATURE/OPTION:VALUE/.../RIG.png");
	}
	*out = (struct link_parts){text, (size_t)(slash - text), slash};
	return true;
}

static bool read_segments(struct reading *reading, const char *path, struct error *err) {
	const char *segment = path + 1;
	size_t length;
	for (; segment[length = strcspn(segment, "/")]; segment += length + 1) {
		if (!take_option(reading, segment, length, err)) {
			return false;
		}
	}
	return take_rig(reading, segment, err);
}

static bool check_length(const char *path, struct error *err) {
	int segments = 0;
	for (const char *c = path; *c; c++) {
		segments += *c == '/';
	}
	return segments <= MAX_LINK_SEGMENTS ||
		error_set(err, ERROR_TOO_LARGE,
			"the link has %d parts after the signature, may have %d", segments,
			MAX_LINK_SEGMENTS);
}

bool link_read(struct arena *arena, const char *path, const struct link_rules *rules,
	struct link *out, struct error *err) {
	struct reading *reading = arena_alloc(arena, 1, sizeof *reading);
	*out = (struct link){.parameters = reading->parameters};
	reading->arena = arena;
	reading->rules = rules;
	reading->out = out;
	return check_length(path, err) && read_segments(reading, path, err);
}
