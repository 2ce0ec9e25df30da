// A tree of plain values, and reading its objects by tables.
#include "base/value.h"

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

/* What the client calls a member that it gave. */
static const char *word_of(const struct value *member) {
	return member->key ? value_member_word(member->parent, member->key) : "";
}

static bool wrong_kind(const struct value *value, const char *wanted, struct error *err) {
	return value_error(value, err, ERROR_INVALID_VALUE, "\"%s\" is %s, must be %s",
		word_of(value), value_kind_name(value->kind), wanted);
}

static bool read_number(
	const struct value *value, const struct member *member, double *out, struct error *err) {
	if (value->kind != VALUE_NUMBER) {
		return wrong_kind(value, "a number", err);
	}
	const bool whole = member->type != MEMBER_INTEGER || value->number == floor(value->number);
	const bool bounded = member->least != 0 || member->most != 0;
	if (!whole ||
		(bounded && !(value->number >= member->least && value->number <= member->most))) {
		char range[96] = "";
		if (bounded) {
			snprintf(
				range, sizeof range, " from %g to %g", member->least, member->most);
		}
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
	if (value->kind != VALUE_STRING) {
		char wanted[600];
		snprintf(wanted, sizeof wanted, "one of: %s", names);
		return wrong_kind(value, wanted, err);
	}
	for (int i = 0; member->choices[i]; i++) {
		if (strcmp(member->choices[i], value->string) == 0) {
			*out = i;
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

static bool read_member(const struct value *value, const struct member *member, struct error *err) {
	double number;
	switch (member->type) {
	case MEMBER_NUMBER:
		return read_number(value, member, member->out, err);
	case MEMBER_INTEGER:
		if (!read_number(value, member, &number, err)) {
			return false;
		}
		*(int *)member->out = (int)number;
		return true;
	case MEMBER_BOOL:
		if (value->kind != VALUE_BOOL) {
			return wrong_kind(value, "true or false", err);
		}
		*(bool *)member->out = value->boolean;
		return true;
	case MEMBER_STRING:
		if (value->kind != VALUE_STRING) {
			return wrong_kind(value, "a string", err);
		}
		*(const char **)member->out = value->string;
		return true;
	case MEMBER_CHOICE:
		return read_choice(value, member, member->out, err);
	case MEMBER_VECTOR:
		return read_vector(value, member, member->out, err);
	case MEMBER_ANY:
		*(const struct value **)member->out = value;
		return true;
	}
	return false;
}

static bool refuse_unknown(
	const struct value *value, const struct member *members, size_t count, struct error *err) {
	char known[512] = "";
	struct text text = {.data = known, .size = sizeof known};
	for (size_t i = 0; i < count; i++) {
		const char *word = value_member_word(value->parent, members[i].name);
		text_add(&text, word && text.used > 0 ? ", " : "");
		text_add(&text, word ? word : "");
	}
	char asked[160];
	utf8_quote(word_of(value), asked, sizeof asked);
	return value_error(value, err, ERROR_UNKNOWN_MEMBER, "no %s %s here; known are: %s",
		value->parent->words ? "parameter" : "member", asked, known);
}

/* strict: members that are not in the table are refused. */
static bool read_members(const struct value *object, const struct member *members, size_t count,
	bool strict, struct error *err) {
	if (object->kind != VALUE_OBJECT) {
		return value_error(object, err, ERROR_INVALID_VALUE, "%s, must be an object",
			value_kind_name(object->kind));
	}
	for (size_t i = 0; i < object->count; i++) {
		size_t m = 0;
		while (m < count && strcmp(members[m].name, object->items[i].key) != 0) {
			m++;
		}
		if (m == count && strict) {
			return refuse_unknown(&object->items[i], members, count, err);
		}
		if (m == count) {
			continue;
		}
		if (!read_member(&object->items[i], &members[m], err)) {
			return false;
		}
		if (members[m].place) {
			*members[m].place = &object->items[i];
		}
	}
	for (size_t m = 0; m < count; m++) {
		if (members[m].required && !value_member(object, members[m].name)) {
			return value_error(object, err, ERROR_INVALID_VALUE, "%s \"%s\" is missing",
				object->words ? "parameter" : "member",
				value_member_word(object, members[m].name));
		}
	}
	return true;
}

bool value_read_members(
	const struct value *object, const struct member *members, size_t count, struct error *err) {
	return read_members(object, members, count, true, err);
}

bool value_read_known_members(
	const struct value *object, const struct member *members, size_t count, struct error *err) {
	return read_members(object, members, count, false, err);
}
