// The JSON request that a command line stands for.
#include "request_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_text.h"
#include "tolerance.h"

/* Frames of a turntable that nobody counts: each ten degrees on. */
#define TURNTABLE_COUNT 36

static bool refuse(const struct option *option, const char *value) {
	fprintf(stderr, "pose: %s takes a number%s, not \"%s\"\n", option->flag,
		option->kind == OPTION_NUMBERS ? " or several with commas between" : "", value);
	return false;
}

/* Reads one number that ends at a comma or at the end, and moves past it. */
static bool take_number(const char **text, double *number) {
	char *end;
	*number = strtod(*text, &end);
	const bool ok = end != *text && isfinite(*number) && (*end == '\0' || *end == ',');
	*text = *end == ',' ? end + 1 : end;
	return ok;
}

static bool write_numbers(
	struct json_writer *json, const struct option *option, const char *value) {
	const char *rest = value;
	json_write_begin_list(json);
	do {
		double number;
		if (!take_number(&rest, &number)) {
			return refuse(option, value);
		}
		json_write_double(json, number);
	} while (*rest || rest[-1] == ',');
	json_write_end_list(json);
	return true;
}

static void write_names(struct json_writer *json, const char *value) {
	json_write_begin_list(json);
	while (*value) {
		const size_t length = strcspn(value, ",");
		char *name = strndup(value, length);
		json_write_string(json, name ? name : "");
		free(name);
		value += length + (value[length] == ',');
	}
	json_write_end_list(json);
}

/* A number, true, false, or else a text. */
static void write_guessed(struct json_writer *json, const char *value) {
	double number;
	const char *rest = value;
	if (take_number(&rest, &number) && !*rest) {
		json_write_double(json, number);
	} else if (strcmp(value, "true") == 0 || strcmp(value, "false") == 0) {
		json_write_bool(json, *value == 't');
	} else {
		json_write_string(json, value);
	}
}

/* The name of a member, of any characters. */
static void write_escaped_key(struct json_writer *json, const char *name) {
	json_write_string(json, name);
	buffer_append(json->out, ":", 1);
	json->separate = false;
}

/* "name=value,name=value" as members. */
static bool write_pairs(struct json_writer *json, const struct option *option, const char *value) {
	while (*value) {
		const size_t length = strcspn(value, ",");
		char *pair = strndup(value, length);
		char *equals = pair ? strchr(pair, '=') : NULL;
		if (!equals) {
			fprintf(stderr, "pose: %s takes name=value, several with commas between\n",
				option->flag);
			free(pair);
			return false;
		}
		*equals = '\0';
		write_escaped_key(json, pair);
		write_guessed(json, equals + 1);
		free(pair);
		value += length + (value[length] == ',');
	}
	return true;
}

static bool write_value(struct json_writer *json, const struct option *option, const char *value) {
	double number;
	const char *rest = value;
	if (option->kind == OPTION_PAIRS) {
		return write_pairs(json, option, value);
	}
	json_write_key(json, option->member);
	switch (option->kind) {
	case OPTION_NUMBER:
		if (!take_number(&rest, &number) || *rest) {
			return refuse(option, value);
		}
		json_write_double(json, number);
		return true;
	case OPTION_NUMBERS:
		return write_numbers(json, option, value);
	case OPTION_NAMES:
		if (*value == '[') {
			return json_argument_write(json, option->flag, value);
		}
		write_names(json, value);
		return true;
	case OPTION_JSON:
		return json_argument_write(json, option->flag, value);
	case OPTION_TEXT:
	case OPTION_TEXTS:
	case OPTION_FILE:
		json_write_string(json, value);
		return true;
	case OPTION_SWITCH:
		if (*value && strcmp(value, "true") != 0 && strcmp(value, "false") != 0) {
			json_write_string(json, value);
		} else {
			json_write_bool(json, *value != 'f');
		}
		return true;
	case OPTION_BOOL:
		if (strcmp(value, "true") != 0 && strcmp(value, "false") != 0) {
			fprintf(stderr, "pose: %s is true or false, not \"%s\"\n", option->flag,
				value);
			return false;
		}
		json_write_bool(json, *value == 't');
		return true;
	case OPTION_PAIRS:
		return true; // above
	}
	return false;
}

static bool write_group(
	struct json_writer *json, const struct arguments *arguments, enum option_group group) {
	const struct options *options = arguments->options;
	for (size_t i = 0; i < options->count; i++) {
		if (options->items[i].group == group && arguments->values[i] &&
			!write_value(json, &options->items[i], arguments->values[i])) {
			return false;
		}
	}
	return true;
}

static bool has_group(const struct arguments *arguments, enum option_group group) {
	const struct options *options = arguments->options;
	for (size_t i = 0; i < options->count; i++) {
		if (options->items[i].group == group && arguments->values[i]) {
			return true;
		}
	}
	return false;
}

static bool check_pose(const struct arguments *arguments) {
	if (has_group(arguments, GROUP_POSE) && arguments_value(arguments, "--pose")) {
		fprintf(stderr,
			"pose: --pose says the whole pose; leave out --clip and the like\n");
		return false;
	}
	return true;
}

static bool check_has_pose(const struct arguments *arguments) {
	if (!has_group(arguments, GROUP_WHOLE) && !has_group(arguments, GROUP_POSE)) {
		fprintf(stderr, "pose: which pose? say it with --pose or --clip\n");
		return false;
	}
	return check_pose(arguments);
}

static bool write_plain_pose(struct json_writer *json, const struct arguments *arguments) {
	const char *pose = arguments_value(arguments, "--pose");
	if (pose) {
		return json_argument_write(json, "--pose", pose);
	}
	if (!has_group(arguments, GROUP_POSE)) {
		json_write_string(json, "rest");
		return true;
	}
	json_write_begin_object(json);
	const bool ok = write_group(json, arguments, GROUP_POSE);
	json_write_end_object(json);
	return ok;
}

static bool write_pose(struct json_writer *json, const struct arguments *arguments) {
	if (!arguments_value(arguments, "--avatar")) {
		return write_plain_pose(json, arguments);
	}
	json_write_begin_object(json);
	json_write_key(json, "avatar");
	const bool ok = write_plain_pose(json, arguments);
	json_write_end_object(json);
	return ok;
}

/* Writes "pose" as a member if the options say one. */
static bool write_member_pose(struct json_writer *json, const struct arguments *arguments) {
	if (!has_group(arguments, GROUP_POSE) && !has_group(arguments, GROUP_WHOLE)) {
		return true;
	}
	json_write_key(json, "pose");
	return write_pose(json, arguments);
}

bool request_text_pose(const struct arguments *arguments, struct buffer *out) {
	struct json_writer json = {.out = out};
	return check_has_pose(arguments) && write_pose(&json, arguments);
}

/* One number for width and height. */
static bool write_size(struct json_writer *json, const struct arguments *arguments) {
	const char *size = arguments_value(arguments, "--size");
	if (!size) {
		return true;
	}
	if (arguments_value(arguments, "--width") || arguments_value(arguments, "--height")) {
		fprintf(stderr, "pose: --size is both; leave out --width and --height\n");
		return false;
	}
	const struct option sides[] = {
		{.flag = "--size", .kind = OPTION_NUMBER, .member = "width"},
		{.flag = "--size", .kind = OPTION_NUMBER, .member = "height"},
	};
	return write_value(json, &sides[0], size) && write_value(json, &sides[1], size);
}

static bool write_members(
	struct json_writer *json, const struct arguments *arguments, const char *rig) {
	static const struct {
		enum option_group group;
		const char *member;
	} objects[] = {
		{GROUP_SKINNING, "skinning"},
		{GROUP_CAMERA, "camera"},
		{GROUP_SHADING, "shading"},
	};
	if (!check_pose(arguments)) {
		return false;
	}
	json_write_member_string(json, "rig", rig);
	if (!write_group(json, arguments, GROUP_REQUEST) || !write_size(json, arguments) ||
		!write_member_pose(json, arguments)) {
		return false;
	}
	for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
		if (!has_group(arguments, objects[i].group)) {
			continue;
		}
		json_write_key(json, objects[i].member);
		json_write_begin_object(json);
		if (!write_group(json, arguments, objects[i].group)) {
			return false;
		}
		json_write_end_object(json);
	}
	return true;
}

bool request_text(const struct arguments *arguments, const char *rig, struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	const bool ok = write_members(&json, arguments, rig);
	json_write_end_object(&json);
	return ok;
}

static void write_tolerance(struct json_writer *json, const struct tolerance *tolerance) {
	json_write_key(json, "tolerance");
	if (tolerance->share > 0) {
		json_write_begin_object(json);
		json_write_member_double(json, "share", tolerance->share);
		json_write_end_object(json);
	} else {
		json_write_double(json, tolerance->metres);
	}
}

/* --tolerance of a baked clip, which may be "raw". */
static bool write_clip_tolerance(struct json_writer *json, const struct arguments *arguments) {
	const char *text = arguments_value(arguments, "--tolerance");
	struct tolerance tolerance;
	if (text && strcmp(text, "raw") == 0) {
		json_write_member_string(json, "tolerance", text);
		return true;
	}
	if (!tolerance_read(arguments, &tolerance)) {
		return false;
	}
	if (text) {
		write_tolerance(json, &tolerance);
	}
	return true;
}

bool request_text_clip(const struct arguments *arguments, struct buffer *out) {
	struct json_writer json = {.out = out};
	if (!check_has_pose(arguments)) {
		return false;
	}
	json_write_begin_object(&json);
	const bool ok = write_group(&json, arguments, GROUP_REQUEST) &&
		write_member_pose(&json, arguments) && write_clip_tolerance(&json, arguments);
	json_write_end_object(&json);
	return ok;
}

bool request_text_transitions(const struct arguments *arguments, const char *rig, const char *from,
	const char *to, struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	const bool ok =
		write_members(&json, arguments, rig) && write_group(&json, arguments, GROUP_COUNT);
	json_write_member_string(&json, "from", from);
	json_write_member_string(&json, "to", to);
	json_write_end_object(&json);
	return ok;
}

bool request_text_compression(const struct arguments *arguments, const char *rig,
	const char *const *clips, size_t count, struct buffer *out) {
	struct json_writer json = {.out = out};
	struct tolerance tolerance;
	json_write_begin_object(&json);
	const bool ok =
		tolerance_read(arguments, &tolerance) && write_members(&json, arguments, rig);
	if (ok && (tolerance.metres > 0 || tolerance.share > 0)) {
		write_tolerance(&json, &tolerance);
	}
	if (count > 0) {
		json_write_key(&json, "clips");
		json_write_begin_list(&json);
		for (size_t i = 0; i < count; i++) {
			json_write_string(&json, clips[i]);
		}
		json_write_end_list(&json);
	}
	json_write_end_object(&json);
	return ok;
}

/* An object of two groups; nothing where neither has anything. */
static bool write_object(struct json_writer *json, const struct arguments *arguments,
	const char *member, enum option_group group, bool with_count) {
	const bool counted = with_count && has_group(arguments, GROUP_COUNT);
	if (!counted && !has_group(arguments, group)) {
		return true;
	}
	json_write_key(json, member);
	json_write_begin_object(json);
	const bool ok = write_group(json, arguments, group) &&
		(!counted || write_group(json, arguments, GROUP_COUNT));
	json_write_end_object(json);
	return ok;
}

/* Members of a turntable alone: as many frames as requested, or the default. */
static bool write_turntable(struct json_writer *json, const struct arguments *arguments) {
	json_write_key(json, "turntable");
	json_write_begin_object(json);
	if (!has_group(arguments, GROUP_COUNT)) {
		json_write_member_integer(json, "count", TURNTABLE_COUNT);
	}
	const bool ok = write_group(json, arguments, GROUP_COUNT) &&
		write_group(json, arguments, GROUP_TURNTABLE);
	json_write_end_object(json);
	return ok;
}

static bool check_times(const struct arguments *arguments) {
	if (arguments_value(arguments, "--times") &&
		(has_group(arguments, GROUP_TIMES) || has_group(arguments, GROUP_COUNT))) {
		fprintf(stderr,
			"pose: --times says every moment; leave out --start, --end and --count\n");
		return false;
	}
	return true;
}

bool request_text_frames(const struct arguments *arguments, const char *rig, const char *format,
	enum sequence_of of, struct buffer *out) {
	struct json_writer json = {.out = out};
	const bool turns = of == SEQUENCE_OF_ANGLES;
	json_write_begin_object(&json);
	const bool ok = check_times(arguments) && write_members(&json, arguments, rig) &&
		(turns ? write_turntable(&json, arguments)
		       : write_object(&json, arguments, "times", GROUP_TIMES, true) &&
					write_object(&json, arguments, "turntable", GROUP_TURNTABLE,
						false));
	json_write_member_string(&json, "format", format);
	json_write_end_object(&json);
	return ok;
}

bool request_text_compare(const struct arguments *arguments, const char *rig,
	const char *const *methods, size_t count, struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	bool ok = write_members(&json, arguments, rig);
	json_write_key(&json, "methods");
	json_write_begin_list(&json);
	for (size_t i = 0; i < count && ok; i++) {
		if (methods[i][0] == '{') {
			ok = json_argument_write(&json, "METHOD", methods[i]);
		} else {
			json_write_string(&json, methods[i]);
		}
	}
	json_write_end_list(&json);
	json_write_end_object(&json);
	return ok;
}

bool json_argument_write(struct json_writer *json, const char *name, const char *text) {
	struct arena *arena = arena_create();
	struct error err = {0};
	const size_t length = strlen(text);
	const bool ok = json_read(arena, text, length, &err);
	arena_destroy(arena);
	if (!ok) {
		fprintf(stderr, "pose: %s: %s\n", name, err.text);
		return false;
	}
	if (json->separate) {
		buffer_append(json->out, ",", 1);
	}
	buffer_append(json->out, text, length);
	json->separate = true;
	return true;
}
