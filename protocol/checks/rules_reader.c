// Reading of rules files: objects, lists of names, names of rules.
#include "checks/rules_reader.h"

#include <string.h>

#include "base/nearest.h"
#include "base/utf8.h"
#include "limits.h"

static bool is_member(const struct member_table *table, const char *name) {
	for (size_t i = 0; i < table->count; i++) {
		if (strcmp(table->members[i].name, name) == 0) {
			return true;
		}
	}
	return false;
}

bool rules_read_object(struct rules_reader *reader, const struct value *object,
	const struct member_table *table, void *out) {
	for (size_t i = 0; object->kind == VALUE_OBJECT && i < object->count; i++) {
		const struct value *item = &object->items[i];
		if (!is_member(table, item->key)) {
			struct nearest nearest = {.unknown = item->key};
			char names[160], given[UTF8_QUOTED_BYTES];
			for (size_t k = 0; k < table->count; k++) {
				nearest_offer(&nearest, table->members[k].name);
			}
			nearest_write(&nearest, names, sizeof names);
			utf8_quote(item->key, given, sizeof given);
			return value_error(item, reader->err, ERROR_UNKNOWN_MEMBER,
				"no member %s here; the nearest are: %s", given, names);
		}
	}
	return value_read_table(object, table, out, reader->err);
}

bool rules_read_names(struct rules_reader *reader, const struct value *value, check_globs *out) {
	if (!value) {
		return true;
	}
	if (value->kind != VALUE_LIST) {
		return value_error(value, reader->err, ERROR_INVALID_VALUE,
			"\"%s\" is %s, must be a list of strings", value->key,
			value_kind_name(value->kind));
	}
	if (value->count > reader->names_left) {
		return value_error(value, reader->err, ERROR_TOO_LARGE,
			"the lists of names and globs have more than %d items", LIMIT_CHECK_NAMES);
	}
	reader->names_left -= value->count;
	const char **names = arena_alloc(reader->arena, value->count + 1, sizeof *names);
	for (size_t i = 0; i < value->count; i++) {
		const struct value *item = &value->items[i];
		if (item->kind != VALUE_STRING || !*item->string) {
			return value_error(item, reader->err, ERROR_INVALID_VALUE,
				"item %zu of \"%s\" is %s, must be a name or glob", i, value->key,
				item->kind == VALUE_STRING ? "empty" : value_kind_name(item->kind));
		}
		names[i] = item->string;
	}
	*out = names;
	return true;
}

bool rules_is_text(const struct value *value, const char *text) {
	return value->kind == VALUE_STRING && strcmp(value->string, text) == 0;
}

bool rules_is_glob(const char *text) {
	return strpbrk(text, "*?") != NULL;
}

bool rules_check_name(struct rules_reader *reader, const struct value *value, const char *glob) {
	struct nearest nearest = {.unknown = glob};
	for (size_t i = 0; i < reader->rules->count; i++) {
		if (check_glob(glob, reader->rules->rules[i]->id)) {
			return true;
		}
		nearest_offer(&nearest, reader->rules->rules[i]->id);
	}
	char names[256], given[UTF8_QUOTED_BYTES];
	nearest_write(&nearest, names, sizeof names);
	utf8_quote(glob, given, sizeof given);
	return value_error(value, reader->err, ERROR_INVALID_VALUE, "%s %s; the nearest are: %s",
		given, rules_is_glob(glob) ? "matches no rule" : "is no rule", names);
}
