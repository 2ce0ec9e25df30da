// Query parameters -> the tree of values that the same request would be as JSON.
#include "query.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "members.h"

/* The tables of a picture's or a sequence's request, whose parameters are in queries. */
static const struct member_table *const *tables_of(bool sequence) {
	return request_tables(sequence ? REQUEST_FRAMES : REQUEST_FRAME);
}

static bool is_parameter(const struct member *member) {
	return member->parameter && !member->not_in_query;
}

/* Counts the parameters of a request. */
static size_t count_parameters(const struct member_table *const *tables) {
	size_t count = 0;
	for (; *tables; tables++) {
		for (size_t i = 0; i < (*tables)->count; i++) {
			count += is_parameter(&(*tables)->members[i]);
		}
	}
	return count;
}

/* The i-th parameter of a request; *table is that of its object. NULL past the end. */
static const struct member *parameter_at(
	const struct member_table *const *tables, size_t i, const struct member_table **table) {
	for (; *tables; tables++) {
		for (size_t k = 0; k < (*tables)->count; k++) {
			const struct member *member = &(*tables)->members[k];
			if (is_parameter(member) && i-- == 0) {
				*table = *tables;
				return member;
			}
		}
	}
	return NULL;
}

/* A request while parameters are added to it. */
struct tree {
	struct arena *arena;
	const struct member_table *const *tables;
	size_t room;           // items of each object
	struct value *request; // the object of them all
};

static struct value *add_item(struct value *object, const char *key, enum value_kind kind) {
	struct value *item = (struct value *)&object->items[object->count];
	*item = (struct value){.kind = kind, .parent = object, .key = key, .index = object->count};
	object->count++;
	return item;
}

/* The parameters that become members of an object of the request. */
static const struct value_word *words_of(struct tree *tree, const char *object) {
	struct value_word *words = arena_alloc(tree->arena, tree->room + 1, sizeof *words);
	size_t count = 0;
	for (size_t t = 0; tree->tables[t]; t++) {
		const struct member_table *table = tree->tables[t];
		const bool is_its = table->object && strcmp(table->object, object) == 0;
		for (size_t i = 0; is_its && i < table->count; i++) {
			const struct member *member = &table->members[i];
			if (is_parameter(member)) {
				words[count++] =
					(struct value_word){member->name, member->parameter};
			}
		}
	}
	return words;
}

static void make_object(struct tree *tree, struct value *object) {
	object->kind = VALUE_OBJECT;
	object->items = arena_alloc(tree->arena, tree->room, sizeof *object);
}

/* Begins a request. */
static struct tree begin(struct arena *arena, const struct member_table *const *tables) {
	struct tree tree = {.arena = arena, .tables = tables};
	// Every parameter, the rig, and an object for each table.
	tree.room = count_parameters(tables) + 1 + REQUEST_TABLES_MAX;
	tree.request = arena_alloc(arena, 1, sizeof *tree.request);
	make_object(&tree, tree.request);
	return tree;
}

/* The object of the request that has this name, made where it is missing; NULL = the request. */
static struct value *object_at(struct tree *tree, const char *name) {
	const struct value *there = name ? value_member(tree->request, name) : tree->request;
	if (there) {
		return (struct value *)there;
	}
	struct value *object = add_item(tree->request, name, VALUE_NULL);
	make_object(tree, object);
	object->words = words_of(tree, name);
	return object;
}

static bool refuse_unknown(
	const struct value *request, const char *names, const char *name, struct error *err) {
	// Beside the request, not in it: a parameter "rig" is not the rig of the path.
	const struct value query = {.parent = request, .key = "query"};
	const struct value unknown = {.parent = &query, .key = name};
	return value_error(&unknown, err, ERROR_UNKNOWN_MEMBER,
		"no parameter \"%s\" here; known are: %s", name, names);
}

static bool refuse_unknown_parameter(struct tree *tree, const char *name, struct error *err) {
	const size_t count = count_parameters(tree->tables);
	const char **known = arena_alloc(tree->arena, count + 1, sizeof *known);
	for (size_t i = 0; i < count; i++) {
		const struct member_table *table;
		known[i] = parameter_at(tree->tables, i, &table)->parameter;
	}
	char names[512];
	value_list_names(known, names, sizeof names);
	return refuse_unknown(tree->request, names, name, err);
}

/* Decimal notation only: strtod would also take "nan", "0x10" and leading spaces. */
static bool read_number(const char *text, enum member_text form, double *out) {
	const char *const digits = form == TEXT_WHOLE ? "0123456789-" : "0123456789-+.eE";
	const size_t length = strlen(text);
	char *end;
	*out = strtod(text, &end);
	return length > 0 && strspn(text, digits) == length && end == text + length &&
		isfinite(*out);
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
		if (!read_number(item->string, TEXT_NUMBER, &item->number)) {
			return false;
		}
	}
	return true;
}

/* Fills in a parameter's value from its text. */
static bool read_text(struct arena *arena, const struct member *member, const char *text,
	struct value *item, struct error *err) {
	const bool yes = strcmp(text, "true") == 0;
	const enum member_text form = member_text(member);
	item->string = text;
	switch (form) {
	case TEXT_BY_TYPE:
	case TEXT_PLAIN:
		if (member->may_be_bool && (yes || strcmp(text, "false") == 0)) {
			item->kind = VALUE_BOOL;
			item->boolean = yes;
		}
		return true;
	case TEXT_BOOL:
		item->kind = VALUE_BOOL;
		item->boolean = yes;
		return yes || strcmp(text, "false") == 0 ||
			value_error(item, err, ERROR_INVALID_VALUE,
				"\"%s\" is \"%s\", must be true or false", member->parameter, text);
	case TEXT_NAMES:
		fill_list(arena, text, item);
		return true;
	case TEXT_NUMBERS:
		fill_list(arena, text, item);
		return read_numbers(item) ||
			value_error(item, err, ERROR_INVALID_VALUE,
				"\"%s\" is \"%s\", must be numbers with commas between",
				member->parameter, text);
	case TEXT_NUMBER:
	case TEXT_WHOLE:
		item->kind = VALUE_NUMBER;
		return read_number(text, form, &item->number) ||
			value_error(item, err, ERROR_INVALID_VALUE,
				"\"%s\" is \"%s\", must be a %s", member->parameter, text,
				form == TEXT_WHOLE ? "whole number" : "number");
	}
	return false;
}

/* Adds a parameter to an object of the request; object NULL = the request itself. */
static bool add_parameter(struct tree *tree, const char *object, const struct member *member,
	const char *text, struct error *err) {
	struct value *target = object_at(tree, object);
	const struct value *before = value_member(target, member->name);
	if (before) {
		return value_error(before, err, ERROR_INVALID_VALUE,
			"parameter \"%s\" is given twice", member->parameter);
	}
	return read_text(
		tree->arena, member, text, add_item(target, member->name, VALUE_STRING), err);
}

static void take_item(struct value *object, const struct value *item) {
	struct value *items = (struct value *)object->items;
	for (size_t i = item->index; i + 1 < object->count; i++) {
		items[i] = items[i + 1];
		items[i].index = i;
	}
	object->count--;
}

/* "avatar" is no member of a clip: the pose becomes the operation's. */
static void wrap_avatar(struct tree *tree) {
	struct value *pose = (struct value *)value_member(tree->request, "pose");
	const struct value *avatar = pose ? value_member(pose, "avatar") : NULL;
	const bool wraps = avatar && avatar->boolean;
	if (avatar) {
		take_item(pose, avatar);
	}
	if (avatar && pose->count == 0) {
		*pose = (struct value){.kind = VALUE_STRING,
			.string = "rest",
			.parent = tree->request,
			.key = "pose",
			.index = pose->index};
	}
	if (wraps) {
		struct value *inner = arena_alloc(tree->arena, 1, sizeof *inner);
		*inner = *pose;
		inner->parent = pose;
		inner->key = "avatar";
		inner->index = 0;
		for (size_t i = 0; i < inner->count; i++) {
			((struct value *)inner->items)[i].parent = inner;
		}
		pose->kind = VALUE_OBJECT;
		pose->items = inner;
		pose->count = 1;
	}
}

static bool check_clip(struct tree *tree, struct error *err) {
	const struct value *pose = value_member(tree->request, "pose");
	if (pose && pose->kind == VALUE_OBJECT && value_member(pose, "avatar")) {
		pose = value_member(pose, "avatar");
	}
	if (pose && pose->kind == VALUE_OBJECT && !value_member(pose, "clip")) {
		return value_error(&pose->items[0], err, ERROR_INVALID_VALUE,
			"\"%s\" needs \"clip\" beside it; without a clip the picture is of the "
			"rest "
			"pose",
			pose->items[0].key);
	}
	return true;
}

/* The parameter of a name; *table is that of its object. NULL = there is none. */
static const struct member *find_parameter(const struct member_table *const *tables,
	const char *name, const struct member_table **table) {
	for (; *tables; tables++) {
		for (size_t i = 0; i < (*tables)->count; i++) {
			const struct member *member = &(*tables)->members[i];
			if (is_parameter(member) && strcmp(member->parameter, name) == 0) {
				*table = *tables;
				return member;
			}
		}
	}
	return NULL;
}

static bool read_parameter(
	struct tree *tree, const struct query_parameter *parameter, struct error *err) {
	const struct member_table *table;
	const struct member *member = find_parameter(tree->tables, parameter->name, &table);
	return member ? add_parameter(tree, table->object, member, parameter->value, err)
		      : refuse_unknown_parameter(tree, parameter->name, err);
}

/* Reads the parameters into a request that is begun. */
static const struct value *read_parameters(struct tree *tree, const char *rig,
	const struct query_parameter *parameters, size_t count, struct error *err) {
	add_item(tree->request, "rig", VALUE_STRING)->string = rig;
	for (size_t i = 0; i < count; i++) {
		if (!read_parameter(tree, &parameters[i], err)) {
			return NULL;
		}
	}
	wrap_avatar(tree);
	return check_clip(tree, err) ? tree->request : NULL;
}

const struct value *query_read_frame(struct arena *arena, const char *rig,
	const struct query_parameter *parameters, size_t count, struct error *err) {
	struct tree tree = begin(arena, tables_of(false));
	return read_parameters(&tree, rig, parameters, count, err);
}

const struct value *query_read_frames(struct arena *arena, const char *rig,
	const struct query_parameter *parameters, size_t count, struct error *err) {
	struct tree tree = begin(arena, tables_of(true));
	return read_parameters(&tree, rig, parameters, count, err);
}

const struct value *query_read_motion(struct arena *arena, const char *rig, const char *format,
	const struct query_parameter *parameters, size_t count, struct error *err) {
	struct tree tree = begin(arena, request_tables(REQUEST_MOTION));
	add_item(tree.request, "as", VALUE_STRING)->string = format;
	return read_parameters(&tree, rig, parameters, count, err);
}

const char *query_frame_name(size_t i) {
	const struct member_table *table;
	const struct member *member = parameter_at(tables_of(false), i, &table);
	return member ? member->parameter : NULL;
}

bool query_read(struct arena *arena, const struct member_table *table,
	const struct query_parameter *parameters, size_t count, void *out, struct error *err) {
	const struct member_table *const tables[] = {table, NULL};
	struct tree tree = begin(arena, tables);
	for (size_t i = 0; i < count; i++) {
		if (!read_parameter(&tree, &parameters[i], err)) {
			return false;
		}
	}
	const struct member_reading reading = {table, out};
	return value_read_tables(tree.request, &reading, 1, err);
}

static const char *const bounds_names[] = {"clips", NULL};

static const struct member description_members[] = {
	{"bounds", MEMBER_CHOICE, .offset = offsetof(struct description_query, bounds),
		.choices = bounds_names, .standard = -1, .parameter = "bounds"},
};

const struct member_table description_query_members = MEMBER_TABLE(NULL, description_members);

static const char *const clip_file_names[] = {
	[CLIP_FORM_JSON] = "json", [CLIP_FORM_GLB] = "glb", [CLIP_FORM_COMPRESSED] = "pclip", NULL};

static const struct member clip_file_members[] = {
	{"prune", MEMBER_BOOL, .offset = offsetof(struct clip_file_query, prune),
		.source_offset = offsetof(struct clip_file_query, source), .parameter = "prune"},
	{"as", MEMBER_CHOICE, .offset = offsetof(struct clip_file_query, as),
		.choices = clip_file_names, .standard = -1, .parameter = "as"},
	{"tolerance", MEMBER_NUMBER, .offset = offsetof(struct clip_file_query, tolerance_m),
		.source_offset = offsetof(struct clip_file_query, tolerance_source),
		.above_min = true, .most = LIMIT_DISTANCE_MAX, .standard = COMPRESSION_TOLERANCE_M,
		.parameter = "tolerance"},
	{"segment", MEMBER_INTEGER, .offset = offsetof(struct clip_file_query, segment_samples),
		.source_offset = offsetof(struct clip_file_query, segment_source),
		.most = LIMIT_SEGMENT_SAMPLES, .standard = COMPRESSION_SEGMENT_SAMPLES,
		.parameter = "segment"},
	{"metric", MEMBER_CHOICE, .offset = offsetof(struct clip_file_query, metric),
		.source_offset = offsetof(struct clip_file_query, metric_source),
		.choices = compression_metric_names, .parameter = "metric"},
	{"skinning", MEMBER_STRING, .offset = offsetof(struct clip_file_query, skinning),
		.source_offset = offsetof(struct clip_file_query, skinning_source),
		.parameter = "skinning"},
};

const struct member_table clip_file_query_members = MEMBER_TABLE(NULL, clip_file_members);

static const char *const influences_names[] = {"weights", "support", "colors", "count", NULL};

static const struct member influences_members[] = {
	{"joint", MEMBER_STRING, .offset = offsetof(struct influences_query, joint),
		.parameter = "joint"},
	{"of", MEMBER_CHOICE, .offset = offsetof(struct influences_query, of),
		.choices = influences_names, .parameter = "of"},
};

const struct member_table influences_query_members = MEMBER_TABLE(NULL, influences_members);

const char *const shader_version_names[] = {"300", "310", NULL};

static const struct member shader_members[] = {
	{"version", MEMBER_CHOICE, .offset = offsetof(struct shader_query, version),
		.choices = shader_version_names, .standard = -1, .parameter = "version"},
};

const struct member_table shader_query_members = MEMBER_TABLE(NULL, shader_members);

static const struct member bake_link_members[] = {
	{"request", MEMBER_STRING, .offset = offsetof(struct bake_link_query, request),
		.required = true, .parameter = "request"},
	{"content", MEMBER_STRING, .offset = offsetof(struct bake_link_query, content),
		.parameter = "content"},
};

const struct member_table bake_link_query_members = MEMBER_TABLE(NULL, bake_link_members);

static const char *const map_names[] = {"auto", "name", NULL};

static const struct member compatibility_members[] = {
	{"with", MEMBER_STRING, .offset = offsetof(struct compatibility_query, with),
		.required = true, .parameter = "with",
		.source_offset = offsetof(struct compatibility_query, source)},
	{"map", MEMBER_CHOICE, .offset = offsetof(struct compatibility_query, map),
		.choices = map_names, .parameter = "map"},
};

const struct member_table compatibility_query_members = MEMBER_TABLE(NULL, compatibility_members);

/* Writes the pointer of a parameter's value in the request. */
static void write_pointer(
	const struct member_table *table, const struct member *member, char *pointer, size_t size) {
	const char *object = table->object;
	snprintf(pointer, size, "%s%s/%s", object ? "/" : "", object ? object : "", member->name);
}

/* True when it points at a member made of several parameters, or at one that the path names. */
static bool is_unnamed(const char *pointer) {
	static const char *const unnamed[] = {"", "/rig", "/times"};
	size_t i = 0;
	while (i < sizeof unnamed / sizeof *unnamed && strcmp(pointer, unnamed[i]) != 0) {
		i++;
	}
	return i < sizeof unnamed / sizeof *unnamed;
}

/* The name in "/name/3": an item of a parameter that is a list. */
static bool write_list_name(const char *pointer, char *name, size_t size) {
	const char *item = *pointer ? strchr(pointer + 1, '/') : NULL;
	if (!item || !item[1] || strspn(item + 1, "0123456789") != strlen(item + 1)) {
		return false;
	}
	snprintf(name, size, "%.*s", (int)(item - pointer - 1), pointer + 1);
	return true;
}

bool query_parameter_name(const char *pointer, char *name, size_t size) {
	char known[64];
	const struct member_table *table;
	const struct member *member;
	for (size_t i = 0; (member = parameter_at(tables_of(false), i, &table)); i++) {
		write_pointer(table, member, known, sizeof known);
		if (strcmp(pointer, known) == 0) {
			snprintf(name, size, "%s", member->parameter);
			return true;
		}
	}
	if (is_unnamed(pointer)) {
		return false;
	}
	if (strncmp(pointer, "/overlays/", 10) == 0) {
		pointer = "/overlays";
	}
	if (write_list_name(pointer, name, size)) {
		return true;
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
