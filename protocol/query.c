// Query parameters -> the tree of values that the same request would be as JSON.
#include "query.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum place {
	PLACE_REQUEST,
	PLACE_POSE,
	PLACE_CAMERA,
	PLACE_SKINNING,
	PLACE_SHADING,
	PLACE_TIMES,
	PLACE_COUNT
};

static const char *const place_members[PLACE_COUNT] = {
	[PLACE_POSE] = "pose",
	[PLACE_CAMERA] = "camera",
	[PLACE_SKINNING] = "skinning",
	[PLACE_SHADING] = "shading",
	[PLACE_TIMES] = "times",
};

/* What a parameter's text must be. */
enum form { FORM_TEXT, FORM_NUMBER, FORM_WHOLE, FORM_BOOL, FORM_NAMES, FORM_NUMBERS };

struct row {
	const char *name;
	enum place place;   // the object that it is a member of
	const char *member; // its name there
	enum form form;
};

static const struct row rows[] = {
	{"clip", PLACE_POSE, "clip", FORM_TEXT},
	{"time", PLACE_POSE, "time", FORM_NUMBER},
	{"phase", PLACE_POSE, "phase", FORM_NUMBER},
	{"loop", PLACE_POSE, "loop", FORM_TEXT},
	{"width", PLACE_REQUEST, "width", FORM_WHOLE},
	{"height", PLACE_REQUEST, "height", FORM_WHOLE},
	{"background", PLACE_REQUEST, "background", FORM_TEXT},
	{"samples", PLACE_REQUEST, "samples", FORM_WHOLE},
	{"fit", PLACE_REQUEST, "fit", FORM_TEXT},
	{"margin", PLACE_REQUEST, "margin", FORM_NUMBER},
	{"camera", PLACE_CAMERA, "preset", FORM_TEXT},
	{"node", PLACE_CAMERA, "node", FORM_TEXT},
	{"overlays", PLACE_REQUEST, "overlays", FORM_NAMES},
	{"yaw", PLACE_CAMERA, "yaw", FORM_NUMBER},
	{"pitch", PLACE_CAMERA, "pitch", FORM_NUMBER},
	{"distance", PLACE_CAMERA, "distance", FORM_NUMBER},
	{"fov", PLACE_CAMERA, "fov", FORM_NUMBER},
	{"orthographic", PLACE_CAMERA, "orthographic", FORM_BOOL},
	{"view_height", PLACE_CAMERA, "height", FORM_NUMBER},
	{"skinning", PLACE_SKINNING, "method", FORM_TEXT},
	{"device", PLACE_SKINNING, "device", FORM_TEXT},
	{"normals", PLACE_SKINNING, "normals", FORM_TEXT},
	{"shading", PLACE_SHADING, "mode", FORM_TEXT},
	{"environment", PLACE_REQUEST, "environment", FORM_TEXT},
	{"exposure", PLACE_REQUEST, "exposure", FORM_NUMBER},
	{"tone_mapping", PLACE_REQUEST, "tone_mapping", FORM_TEXT},
	{"lights", PLACE_REQUEST, "lights", FORM_BOOL},
	{"shadow", PLACE_REQUEST, "shadow", FORM_BOOL},
	{"grid", PLACE_REQUEST, "grid", FORM_BOOL},
	{"quality", PLACE_REQUEST, "quality", FORM_WHOLE},
	{"lossless", PLACE_REQUEST, "lossless", FORM_BOOL},
	{"joint", PLACE_SHADING, "joint", FORM_TEXT},
	{"legend", PLACE_SHADING, "legend", FORM_BOOL},
	{"color", PLACE_SHADING, "color", FORM_TEXT},
	{"squares", PLACE_SHADING, "squares", FORM_WHOLE},
	{"impl", PLACE_SHADING, "impl", FORM_TEXT},
	{"light", PLACE_SHADING, "light", FORM_NUMBERS},
	{"light_color", PLACE_SHADING, "light_color", FORM_TEXT},
	{"ambient", PLACE_SHADING, "ambient", FORM_TEXT},
	{"specular", PLACE_SHADING, "specular", FORM_TEXT},
	{"shininess", PLACE_SHADING, "shininess", FORM_NUMBER},
	{"near", PLACE_SHADING, "near", FORM_NUMBER},
	{"far", PLACE_SHADING, "far", FORM_NUMBER},
};

#define ROW_COUNT (sizeof rows / sizeof *rows)

/* What sequences have besides. */
static const struct row sequence_rows[] = {
	{"start", PLACE_TIMES, "start", FORM_NUMBER},
	{"end", PLACE_TIMES, "end", FORM_NUMBER},
	{"count", PLACE_TIMES, "count", FORM_WHOLE},
	{"turntable", PLACE_REQUEST, "turntable", FORM_WHOLE},
	{"fps", PLACE_REQUEST, "fps", FORM_NUMBER},
	{"loops", PLACE_REQUEST, "loops", FORM_WHOLE},
	{"columns", PLACE_REQUEST, "columns", FORM_WHOLE},
	{"dither", PLACE_REQUEST, "dither", FORM_BOOL},
};

#define SEQUENCE_ROW_COUNT (sizeof sequence_rows / sizeof *sequence_rows)

/* The i-th row of a picture's or a sequence's; NULL past the end. */
static const struct row *row_at(bool sequence, size_t i) {
	return i < ROW_COUNT                                     ? &rows[i]
		: sequence && i - ROW_COUNT < SEQUENCE_ROW_COUNT ? &sequence_rows[i - ROW_COUNT]
								 : NULL;
}

/* Items that an object can have here: every row, the rig and the inner objects. */
#define MOST_ITEMS (ROW_COUNT + SEQUENCE_ROW_COUNT + PLACE_COUNT)

/* The objects being filled. */
struct tree {
	struct arena *arena;
	struct value
		*objects[PLACE_COUNT]; // NULL = not needed so far; items have MOST_ITEMS places
};

static struct value *add_item(struct value *object, const char *key, enum value_kind kind) {
	struct value *item = (struct value *)&object->items[object->count];
	*item = (struct value){.kind = kind, .parent = object, .key = key, .index = object->count};
	object->count++;
	return item;
}

/* The parameters that become members of an object. */
static const struct value_word *words_of(struct tree *tree, enum place place) {
	struct value_word *words = arena_alloc(tree->arena, MOST_ITEMS + 1, sizeof *words);
	size_t count = 0;
	for (size_t i = 0; row_at(true, i); i++) {
		const struct row *row = row_at(true, i);
		if (row->place == place) {
			words[count++] = (struct value_word){row->member, row->name};
		}
	}
	return words;
}

static struct value *object_at(struct tree *tree, enum place place) {
	struct value **object = &tree->objects[place];
	if (!*object) {
		*object = place == PLACE_REQUEST ? arena_alloc(tree->arena, 1, sizeof **object)
						 : add_item(object_at(tree, PLACE_REQUEST),
							   place_members[place], VALUE_NULL);
		(*object)->kind = VALUE_OBJECT;
		(*object)->items = arena_alloc(tree->arena, MOST_ITEMS, sizeof **object);
		(*object)->words = place == PLACE_REQUEST ? NULL : words_of(tree, place);
	}
	return *object;
}

static bool refuse_unknown(
	const struct value *request, const char *names, const char *name, struct error *err) {
	// Beside the request, not in it: a parameter "rig" is not the rig of the path.
	const struct value query = {.parent = request, .key = "query"};
	const struct value unknown = {.parent = &query, .key = name};
	return value_error(&unknown, err, ERROR_UNKNOWN_MEMBER,
		"no parameter \"%s\" here; known are: %s", name, names);
}

static bool refuse_unknown_row(
	struct tree *tree, bool sequence, const char *name, struct error *err) {
	const char *known[ROW_COUNT + SEQUENCE_ROW_COUNT + 1] = {0};
	for (size_t i = 0; row_at(sequence, i); i++) {
		known[i] = row_at(sequence, i)->name;
	}
	char names[512];
	value_list_names(known, names, sizeof names);
	return refuse_unknown(object_at(tree, PLACE_REQUEST), names, name, err);
}

/* Decimal notation only: strtod would also take "nan", "0x10" and leading spaces. */
static bool read_number(const char *text, enum form form, double *out) {
	const char *const digits = form == FORM_WHOLE ? "0123456789-" : "0123456789-+.eE";
	const size_t length = strlen(text);
	char *end;
	*out = strtod(text, &end);
	return length > 0 && strspn(text, digits) == length && end == text + length &&
		isfinite(*out);
}

bool query_read_number(const char *text, double *out) {
	return read_number(text, FORM_NUMBER, out);
}

/* "a,b" as a list of texts. */
static void fill_list(struct arena *arena, const char *text, struct value *list) {
	size_t most = 1;
	for (const char *c = text; *c; c++) {
		most += *c == ',';
	}
	struct value *items = arena_alloc(arena, most, sizeof *items);
	list->kind = VALUE_LIST;
	list->items = items;
	for (const char *end = text; *text; text = end + (*end == ',')) {
		end = text + strcspn(text, ",");
		items[list->count] = (struct value){.kind = VALUE_STRING,
			.string = arena_strndup(arena, text, (size_t)(end - text)),
			.parent = list,
			.index = list->count};
		list->count++;
	}
}

/* Turns a list of texts into one of numbers; false where one is none. */
static bool read_numbers(struct value *list) {
	for (size_t i = 0; i < list->count; i++) {
		struct value *item = (struct value *)&list->items[i];
		item->kind = VALUE_NUMBER;
		if (!read_number(item->string, FORM_NUMBER, &item->number)) {
			return false;
		}
	}
	return true;
}

/* Fills in what a parameter's text says, whose kind is that of a text so far. */
static bool read_text(struct arena *arena, const struct row *row, const char *text,
	struct value *item, struct error *err) {
	const bool yes = strcmp(text, "true") == 0;
	item->string = text;
	switch (row->form) {
	case FORM_TEXT:
		return true;
	case FORM_BOOL:
		item->kind = VALUE_BOOL;
		item->boolean = yes;
		return yes || strcmp(text, "false") == 0 ||
			value_error(item, err, ERROR_INVALID_VALUE,
				"\"%s\" is \"%s\", must be true or false", row->name, text);
	case FORM_NAMES:
		fill_list(arena, text, item);
		return true;
	case FORM_NUMBERS:
		fill_list(arena, text, item);
		return read_numbers(item) ||
			value_error(item, err, ERROR_INVALID_VALUE,
				"\"%s\" is \"%s\", must be numbers with commas between", row->name,
				text);
	case FORM_NUMBER:
	case FORM_WHOLE:
		item->kind = VALUE_NUMBER;
		return read_number(text, row->form, &item->number) ||
			value_error(item, err, ERROR_INVALID_VALUE,
				"\"%s\" is \"%s\", must be a %s", row->name, text,
				row->form == FORM_WHOLE ? "whole number" : "number");
	}
	return false;
}

static bool add_parameter(
	struct tree *tree, const struct row *row, const char *text, struct error *err) {
	struct value *object = object_at(tree, row->place);
	if (value_member(object, row->member)) {
		return value_error(value_member(object, row->member), err, ERROR_INVALID_VALUE,
			"parameter \"%s\" is given twice", row->name);
	}
	return read_text(tree->arena, row, text, add_item(object, row->member, VALUE_STRING), err);
}

static bool check_clip(struct tree *tree, struct error *err) {
	const struct value *pose = tree->objects[PLACE_POSE];
	if (pose && !value_member(pose, "clip")) {
		return value_error(&pose->items[0], err, ERROR_INVALID_VALUE,
			"\"%s\" needs \"clip\" beside it; without a clip the picture is of the "
			"rest "
			"pose",
			pose->items[0].key);
	}
	return true;
}

static const struct value *read_rows(struct arena *arena, bool sequence, const char *rig,
	const struct query_parameter *parameters, size_t count, struct error *err) {
	struct tree tree = {.arena = arena};
	struct value *request = object_at(&tree, PLACE_REQUEST);
	add_item(request, "rig", VALUE_STRING)->string = rig;
	for (size_t i = 0; i < count; i++) {
		const struct row *row;
		size_t r = 0;
		while ((row = row_at(sequence, r)) && strcmp(row->name, parameters[i].name) != 0) {
			r++;
		}
		const bool added = row
			? add_parameter(&tree, row, parameters[i].value, err)
			: refuse_unknown_row(&tree, sequence, parameters[i].name, err);
		if (!added) {
			return NULL;
		}
	}
	return check_clip(&tree, err) ? request : NULL;
}

const struct value *query_read_frame(struct arena *arena, const char *rig,
	const struct query_parameter *parameters, size_t count, struct error *err) {
	return read_rows(arena, false, rig, parameters, count, err);
}

const struct value *query_read_frames(struct arena *arena, const char *rig,
	const struct query_parameter *parameters, size_t count, struct error *err) {
	return read_rows(arena, true, rig, parameters, count, err);
}

const char *query_frame_name(size_t i) {
	return i < ROW_COUNT ? rows[i].name : NULL;
}

/* Members that requests of few parameters have at most. */
#define MEMBERS_MAX 2

/* Adds a parameter to the request where it is among the members: texts and booleans. */
static bool add_member(struct tree *tree, struct value *request, const struct member *members,
	size_t count, const struct query_parameter *parameter, struct error *err) {
	const char *names[MEMBERS_MAX + 1] = {NULL};
	for (size_t i = 0; i < count; i++) {
		const enum form form = members[i].type == MEMBER_BOOL ? FORM_BOOL : FORM_TEXT;
		const struct row row = {members[i].name, PLACE_REQUEST, members[i].name, form};
		if (strcmp(parameter->name, row.name) == 0) {
			return add_parameter(tree, &row, parameter->value, err);
		}
		names[i] = row.name;
	}
	char known[64];
	value_list_names(names, known, sizeof known);
	return refuse_unknown(request, known, parameter->name, err);
}

/* Reads the few parameters that there may be. */
static bool read_members(struct arena *arena, const struct query_parameter *parameters,
	size_t count, const struct member *members, size_t member_count, struct error *err) {
	struct tree tree = {.arena = arena};
	struct value *request = object_at(&tree, PLACE_REQUEST);
	for (size_t i = 0; i < count; i++) {
		if (!add_member(&tree, request, members, member_count, &parameters[i], err)) {
			return false;
		}
	}
	return value_read_members(request, members, member_count, err);
}

bool query_read_description(struct arena *arena, const struct query_parameter *parameters,
	size_t count, struct description_query *out, struct error *err) {
	static const char *const choices[] = {"clips", NULL};
	int choice = -1;
	const struct member member = {"bounds", MEMBER_CHOICE, &choice, .choices = choices};
	const bool read = read_members(arena, parameters, count, &member, 1, err);
	out->clip_bounds = read && choice == 0;
	return read;
}

bool query_read_clip(struct arena *arena, const struct query_parameter *parameters, size_t count,
	struct clip_file_query *out, struct error *err) {
	*out = (struct clip_file_query){0};
	const struct member member = {"prune", MEMBER_BOOL, &out->prune, .place = &out->place};
	return read_members(arena, parameters, count, &member, 1, err);
}

bool query_read_influences(struct arena *arena, const struct query_parameter *parameters,
	size_t count, struct influences_query *out, struct error *err) {
	static const char *const choices[] = {"weights", "support", NULL};
	int choice = 0;
	const struct member members[MEMBERS_MAX] = {
		{"joint", MEMBER_STRING, &out->joint, .required = true},
		{"of", MEMBER_CHOICE, &choice, .choices = choices},
	};
	const bool read = read_members(arena, parameters, count, members, MEMBERS_MAX, err);
	out->support = choice == 1;
	return read;
}

bool query_read_shader(struct arena *arena, const struct query_parameter *parameters, size_t count,
	struct shader_query *out, struct error *err) {
	static const char *const versions[] = {"300", "310", NULL};
	int version = -1;
	const struct member member = {"version", MEMBER_CHOICE, &version, .choices = versions};
	const bool read = read_members(arena, parameters, count, &member, 1, err);
	out->version = version >= 0 ? versions[version] : NULL;
	return read;
}

bool query_read_compatibility(struct arena *arena, const struct query_parameter *parameters,
	size_t count, struct compatibility_query *out, struct error *err) {
	static const char *const maps[] = {"auto", "name", NULL};
	const char *with;
	int map = 0;
	const struct member members[MEMBERS_MAX] = {
		{"with", MEMBER_STRING, &with, .required = true, .place = &out->with},
		{"map", MEMBER_CHOICE, &map, .choices = maps},
	};
	const bool read = read_members(arena, parameters, count, members, MEMBERS_MAX, err);
	out->by_name = map == 1;
	return read;
}

/* The pointer of a row's value in the request. */
static void write_pointer(const struct row *row, char *pointer, size_t size) {
	const char *object = place_members[row->place];
	snprintf(pointer, size, "%s%s/%s", object ? "/" : "", object ? object : "", row->member);
}

/* Whether it points at what is no parameter but made of several, or at what the path names. */
static bool is_unnamed(const char *pointer) {
	static const char *const unnamed[] = {"", "/rig", "/times"};
	size_t i = 0;
	while (i < sizeof unnamed / sizeof *unnamed && strcmp(pointer, unnamed[i]) != 0) {
		i++;
	}
	return i < sizeof unnamed / sizeof *unnamed;
}

bool query_parameter_name(const char *pointer, char *name, size_t size) {
	char known[64];
	for (size_t i = 0; i < ROW_COUNT; i++) {
		write_pointer(&rows[i], known, sizeof known);
		if (strcmp(pointer, known) == 0) {
			snprintf(name, size, "%s", rows[i].name);
			return true;
		}
	}
	if (is_unnamed(pointer)) {
		return false;
	}
	if (strncmp(pointer, "/overlays/", 10) == 0) {
		pointer = "/overlays";
	}
	const char *slash = strrchr(pointer, '/');
	const char *c = slash ? slash + 1 : pointer;
	size_t used = 0;
	for (; *c && used + 1 < size; c++) {
		if (c[0] == '~' && (c[1] == '0' || c[1] == '1')) {
			c++;
			name[used++] = *c == '0' ? '~' : '/';
		} else {
			name[used++] = *c;
		}
	}
	name[used] = '\0';
	return true;
}
