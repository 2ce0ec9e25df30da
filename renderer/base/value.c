// A tree of plain values, and reading its objects by tables.
#include "base/value.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

const char *value_kind_name(enum value_kind kind) {
	static const char *const names[] = {
		[VALUE_NULL] = "null",
		[VALUE_BOOL] = "a boolean",
		[VALUE_NUMBER] = "a number",
		[VALUE_STRING] = "a string",
		[VALUE_LIST] = "a list",
		[VALUE_OBJECT] = "an object",
	};
	return names[kind];
}

const struct value *value_member(const struct value *object, const char *key) {
	for (size_t i = 0; object->kind == VALUE_OBJECT && i < object->count; i++) {
		if (strcmp(object->items[i].key, key) == 0) {
			return &object->items[i];
		}
	}
	return NULL;
}

const char *value_member_word(const struct value *object, const char *key) {
	const struct value_word *words = object ? object->words : NULL;
	while (words && words->key && strcmp(words->key, key) != 0) {
		words++;
	}
	return words ? words->word : key;
}

struct text {
	char *data;
	size_t used, size; // used never reaches size; data stays ended by NUL
};

static void text_add(struct text *text, const char *piece) {
	const size_t length = strlen(piece);
	const size_t room = text->size - 1 - text->used;
	const size_t taken = length < room ? length : room;
	memcpy(text->data + text->used, piece, taken);
	text->used += taken;
	text->data[text->used] = '\0';
}

static void add_pointer(const struct value *value, struct text *text) {
	if (!value->parent) {
		return;
	}
	add_pointer(value->parent, text);
	text_add(text, "/");
	if (!value->key) {
		char number[32];
		snprintf(number, sizeof number, "%zu", value->index);
		text_add(text, number);
		return;
	}
	for (const char *c = value->key; *c; c++) {
		const char plain[2] = {*c, '\0'};
		text_add(text, *c == '~' ? "~0" : *c == '/' ? "~1" : plain);
	}
}

void value_pointer(const struct value *value, char *pointer, size_t size) {
	struct text text = {.data = pointer, .size = size};
	pointer[0] = '\0';
	add_pointer(value, &text);
}

bool value_error(const struct value *value, struct error *err, enum error_code code,
	const char *format, ...) {
	// One byte more than the error holds, so that error_at sees and mends a cut character.
	char pointer[sizeof err->pointer], message[sizeof err->text + 1];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	if (!value) {
		return error_set(err, code, "%s", message);
	}
	value_pointer(value, pointer, sizeof pointer);
	return error_at(err, code, pointer, "%s", message);
}

bool value_pass(const struct value *value, struct error *err, const struct error *why) {
	char pointer[sizeof err->pointer];
	if (!value) {
		return error_pass(err, why);
	}
	value_pointer(value, pointer, sizeof pointer);
	return error_pass_at(err, pointer, why);
}

void value_list_names(const char *const *names, char *out, size_t size) {
	struct text text = {.data = out, .size = size};
	out[0] = '\0';
	for (size_t i = 0; names[i]; i++) {
		text_add(&text, i ? ", " : "");
		text_add(&text, names[i]);
	}
}

/* The client's name for a member of its request. */
static const char *word_of(const struct value *member) {
	return member->key ? value_member_word(member->parent, member->key) : "";
}

static bool wrong_kind(const struct value *value, const char *wanted, struct error *err) {
	return value_error(value, err, ERROR_INVALID_VALUE, "\"%s\" is %s, must be %s",
		word_of(value), value_kind_name(value->kind), wanted);
}

static bool is_bounded(const struct member *member) {
	return member->least != 0 || member->most != 0;
}

static bool is_within(double number, const struct member *member) {
	return !is_bounded(member) ||
		(number >= member->least && number <= member->most &&
			!(member->above_min && number == member->least));
}

/* " from 0 to 1", " above 0"; "" for any number. */
static void write_range(const struct member *member, char *text, size_t size) {
	text[0] = '\0';
	if (!is_bounded(member)) {
		return;
	}
	if (isinf(member->most)) {
		snprintf(text, size, member->above_min ? " above %g" : ", %g or more",
			member->least);
	} else {
		snprintf(text, size, member->above_min ? " above %g, up to %g" : " from %g to %g",
			member->least, member->most);
	}
}

static bool read_number(
	const struct value *value, const struct member *member, double *out, struct error *err) {
	if (value->kind != VALUE_NUMBER) {
		return wrong_kind(value, "a number", err);
	}
	const bool whole = member->type != MEMBER_INTEGER || value->number == floor(value->number);
	if (!whole || !is_within(value->number, member)) {
		char range[96];
		write_range(member, range, sizeof range);
		return value_error(value, err, ERROR_INVALID_VALUE,
			"\"%s\" is %.15g, must be a %snumber%s", word_of(value), value->number,
			member->type == MEMBER_INTEGER ? "whole " : "", range);
	}
	*out = value->number;
	return true;
}

static bool read_choice(
	const struct value *value, const struct member *member, int *out, struct error *err) {
	char names[512];
	value_list_names(member->choices, names, sizeof names);
	if (member->may_be_bool && value->kind == VALUE_BOOL) {
		*out = value->boolean ? member->first_choice : 0;
		return true;
	}
	if (value->kind != VALUE_STRING) {
		char wanted[600];
		snprintf(wanted, sizeof wanted, "%sone of: %s",
			member->may_be_bool ? "true, false or " : "", names);
		return wrong_kind(value, wanted, err);
	}
	for (int i = 0; member->choices[i]; i++) {
		if (strcmp(member->choices[i], value->string) == 0) {
			*out = i + member->first_choice;
			return true;
		}
	}
	char given[160];
	utf8_quote(value->string, given, sizeof given);
	return value_error(value, err, ERROR_INVALID_VALUE, "\"%s\" is %s, must be one of: %s",
		word_of(value), given, names);
}

static bool read_vector(
	const struct value *value, const struct member *member, double *out, struct error *err) {
	if (value->kind != VALUE_LIST || value->count != member->count) {
		return value_error(value, err, ERROR_INVALID_VALUE,
			"\"%s\" must be a list of %zu numbers", member->name, member->count);
	}
	for (size_t i = 0; i < value->count; i++) {
		if (value->items[i].kind != VALUE_NUMBER) {
			return value_error(&value->items[i], err, ERROR_INVALID_VALUE,
				"\"%s\" must be a list of %zu numbers, item %zu is %s",
				member->name, member->count, i,
				value_kind_name(value->items[i].kind));
		}
		out[i] = value->items[i].number;
	}
	return true;
}

/* The destination of a member's value; base is that of a table's struct, or NULL. */
static void *target_of(const struct member *member, void *base) {
	return member->out ? member->out : base ? (char *)base + member->offset : NULL;
}

static bool read_integer(
	const struct value *value, const struct member *member, int *out, struct error *err) {
	double number = 0;
	assert(member->least >= INT_MIN && member->most <= INT_MAX && member->least < member->most);
	if (!read_number(value, member, &number, err)) {
		return false;
	}
	*out = (int)number;
	return true;
}

static bool read_member(
	const struct value *value, const struct member *member, void *base, struct error *err) {
	void *out = target_of(member, base);
	switch (member->type) {
	case MEMBER_NUMBER:
		return read_number(value, member, out, err);
	case MEMBER_INTEGER:
		return read_integer(value, member, out, err);
	case MEMBER_BOOL:
		if (value->kind != VALUE_BOOL) {
			return wrong_kind(value, "true or false", err);
		}
		*(bool *)out = value->boolean != member->negated;
		return true;
	case MEMBER_STRING:
		if (value->kind != VALUE_STRING) {
			return wrong_kind(value, "a string", err);
		}
		*(const char **)out = value->string;
		return true;
	case MEMBER_CHOICE:
		return read_choice(value, member, out, err);
	case MEMBER_VECTOR:
		return read_vector(value, member, out, err);
	case MEMBER_ANY:
		*(const struct value **)out = value;
		return true;
	case MEMBER_UNREAD:
		return true;
	}
	return false;
}

static void set_standard(const struct member *member, void *out) {
	switch (member->type) {
	case MEMBER_NUMBER:
		*(double *)out = member->standard;
		break;
	case MEMBER_INTEGER:
		*(int *)out = (int)member->standard;
		break;
	case MEMBER_BOOL:
		*(bool *)out = (member->standard != 0) != member->negated;
		break;
	case MEMBER_CHOICE:
		*(int *)out = (int)member->standard;
		break;
	case MEMBER_VECTOR:
		if (member->standards) {
			memcpy(out, member->standards, member->count * sizeof(double));
		}
		break;
	case MEMBER_STRING:
	case MEMBER_ANY:
	case MEMBER_UNREAD:
		break;
	}
}

void member_set_standards(const struct member_table *table, void *out) {
	for (size_t i = 0; i < table->count; i++) {
		set_standard(&table->members[i], target_of(&table->members[i], out));
	}
}

static bool refuse_unknown(const struct value *value, const struct member_reading *readings,
	size_t count, struct error *err) {
	char known[512] = "";
	struct text text = {.data = known, .size = sizeof known};
	for (size_t t = 0; t < count; t++) {
		const struct member_table *table = readings[t].table;
		for (size_t i = 0; i < table->count; i++) {
			const char *word = value_member_word(value->parent, table->members[i].name);
			text_add(&text, word && text.used > 0 ? ", " : "");
			text_add(&text, word ? word : "");
		}
	}
	char requested[160];
	utf8_quote(word_of(value), requested, sizeof requested);
	return value_error(value, err, ERROR_UNKNOWN_MEMBER, "no %s %s here; known are: %s",
		value->parent->words ? "parameter" : "member", requested, known);
}

/* The member of a name; *reading is the one whose table has it. NULL = none has. */
static const struct member *find_member(const struct member_reading *readings, size_t count,
	const char *name, const struct member_reading **reading) {
	for (size_t t = 0; t < count; t++) {
		const struct member_table *table = readings[t].table;
		for (size_t i = 0; i < table->count; i++) {
			if (strcmp(table->members[i].name, name) == 0) {
				*reading = &readings[t];
				return &table->members[i];
			}
		}
	}
	return NULL;
}

static bool check_required(
	const struct value *object, const struct member_table *table, struct error *err) {
	for (size_t i = 0; i < table->count; i++) {
		const struct member *member = &table->members[i];
		if (member->required && !value_member(object, member->name)) {
			return value_error(object, err, ERROR_INVALID_VALUE, "%s \"%s\" is missing",
				object->words ? "parameter" : "member",
				value_member_word(object, member->name));
		}
	}
	return true;
}

static void note_source(const struct value *item, const struct member *member, void *base) {
	const struct value **source = member->source;
	if (member->source_offset > 0) {
		source = (const struct value **)(void *)((char *)base + member->source_offset);
	}
	if (source) {
		*source = item;
	}
}

/* strict: members that are in no table are refused. */
static bool read_tables(const struct value *object, const struct member_reading *readings,
	size_t count, bool strict, struct error *err) {
	if (object->kind != VALUE_OBJECT) {
		return value_error(object, err, ERROR_INVALID_VALUE, "%s, must be an object",
			value_kind_name(object->kind));
	}
	for (size_t i = 0; i < object->count; i++) {
		const struct value *item = &object->items[i];
		const struct member_reading *reading;
		const struct member *member = find_member(readings, count, item->key, &reading);
		if (!member && strict) {
			return refuse_unknown(item, readings, count, err);
		}
		if (member && !read_member(item, member, reading->out, err)) {
			return false;
		}
		if (member) {
			note_source(item, member, reading->out);
		}
	}
	for (size_t t = 0; t < count; t++) {
		if (!check_required(object, readings[t].table, err)) {
			return false;
		}
	}
	return true;
}

static void set_standards(const struct member_reading *readings, size_t count) {
	for (size_t t = 0; t < count; t++) {
		member_set_standards(readings[t].table, readings[t].out);
	}
}

bool value_read_tables(const struct value *object, const struct member_reading *readings,
	size_t count, struct error *err) {
	set_standards(readings, count);
	return read_tables(object, readings, count, true, err);
}

bool value_read_table(const struct value *object, const struct member_table *table, void *out,
	struct error *err) {
	const struct member_reading reading = {table, out};
	return value_read_tables(object, &reading, 1, err);
}

bool value_read_known_tables(const struct value *object, const struct member_reading *readings,
	size_t count, struct error *err) {
	set_standards(readings, count);
	return read_tables(object, readings, count, false, err);
}

bool value_read_members(
	const struct value *object, const struct member *members, size_t count, struct error *err) {
	const struct member_table table = {.members = members, .count = count};
	const struct member_reading reading = {.table = &table};
	return read_tables(object, &reading, 1, true, err);
}

bool value_read_known_members(
	const struct value *object, const struct member *members, size_t count, struct error *err) {
	const struct member_table table = {.members = members, .count = count};
	const struct member_reading reading = {.table = &table};
	return read_tables(object, &reading, 1, false, err);
}
