// A reader of the JSON that most requests are: short, in ASCII, without escapes.
#include "json_quick.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Values that wait for the end of the list or object they are in. */
#define WAITING_MOST 64

/* Values of a text, and lists and objects inside one another. */
#define VALUES_MOST 1024
#define DEPTH_MOST 16

/* Characters of a number, its sign aside. */
#define NUMBER_BYTES 40

/* Up to here integers, and powers of ten, are exact as doubles, so that a quotient of them is
 * rounded once, as it must be. Clinger. How to Read Floating Point Numbers Accurately. PLDI
 * 1990. */
#define EXACT_DIGITS 15

struct reader {
	struct arena *arena;
	const char *at, *end;
	size_t values;  // so far
	size_t waiting; // of stack
	struct value stack[WAITING_MOST];
};

static bool read_value(struct reader *reader, int depth, struct value *out);

static void skip_space(struct reader *reader) {
	while (reader->at < reader->end &&
		(*reader->at == ' ' || *reader->at == '\n' || *reader->at == '\r' ||
			*reader->at == '\t')) {
		reader->at++;
	}
}

/* Whether a character comes next, which is taken then. */
static bool take(struct reader *reader, char c) {
	const bool there = reader->at < reader->end && *reader->at == c;
	reader->at += there;
	return there;
}

static bool take_word(struct reader *reader, const char *word) {
	const size_t length = strlen(word);
	const bool there = (size_t)(reader->end - reader->at) >= length &&
		memcmp(reader->at, word, length) == 0;
	reader->at += there ? length : 0;
	return there;
}

static bool read_string(struct reader *reader, const char **out) {
	if (!take(reader, '"')) {
		return false;
	}
	const char *start = reader->at;
	while (reader->at < reader->end && *reader->at >= ' ' && *reader->at < 0x7f &&
		*reader->at != '"' && *reader->at != '\\') {
		reader->at++;
	}
	*out = arena_strndup(reader->arena, start, (size_t)(reader->at - start));
	return take(reader, '"');
}

/* Takes digits behind those of an integer, which wraps around; how many there were. */
static size_t read_digits(struct reader *reader, uint64_t *integer) {
	const char *start = reader->at;
	while (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9') {
		*integer = *integer * 10 + (uint64_t)(*reader->at++ - '0');
	}
	return (size_t)(reader->at - start);
}

/* For more digits than are exact. */
static double convert(const char *start, size_t size) {
	char text[NUMBER_BYTES + 1];
	memcpy(text, start, size);
	text[size] = '\0';
	return strtod(text, NULL);
}

static bool read_number(struct reader *reader, double *out) {
	static const double powers[EXACT_DIGITS + 1] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8,
		1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
	const bool negative = take(reader, '-');
	const char *start = reader->at;
	uint64_t integer = 0;
	const size_t whole = read_digits(reader, &integer);
	const bool has_point = whole > 0 && take(reader, '.');
	const size_t fraction = has_point ? read_digits(reader, &integer) : 0;
	const char next = reader->at < reader->end ? *reader->at : ' ';
	if (whole == 0 || (whole > 1 && *start == '0') || (has_point && fraction == 0) ||
		whole + fraction >= NUMBER_BYTES || next == 'e' || next == 'E') {
		return false;
	}
	const double size = whole + fraction <= EXACT_DIGITS
		? (double)integer / powers[fraction]
		: convert(start, (size_t)(reader->at - start));
	*out = negative ? -size : size;
	return true;
}

/* Moves the last count values that wait to the arena, as the items of out. */
static void collect(struct reader *reader, size_t count, struct value *out) {
	struct value *items = arena_alloc(reader->arena, count, sizeof *items);
	reader->waiting -= count;
	memcpy(items, reader->stack + reader->waiting, count * sizeof *items);
	for (size_t i = 0; i < count; i++) {
		items[i].index = i;
		struct value *inner = (struct value *)items[i].items;
		for (size_t k = 0; k < items[i].count; k++) {
			inner[k].parent = &items[i];
		}
	}
	out->items = items;
	out->count = count;
}

/* Whether a key comes next that none of the last count values has. */
static bool read_key(struct reader *reader, size_t count, const char **key) {
	if (!read_string(reader, key)) {
		return false;
	}
	for (size_t i = 1; i <= count; i++) {
		if (strcmp(reader->stack[reader->waiting - i].key, *key) == 0) {
			return false;
		}
	}
	skip_space(reader);
	return take(reader, ':');
}

/* What stands behind an opening bracket. */
static bool read_items(struct reader *reader, int depth, char closing, struct value *out) {
	size_t count = 0;
	skip_space(reader);
	if (!take(reader, closing)) {
		do {
			struct value item = {0};
			skip_space(reader);
			if (reader->waiting == WAITING_MOST ||
				(closing == '}' && !read_key(reader, count, &item.key)) ||
				!read_value(reader, depth + 1, &item)) {
				return false;
			}
			reader->stack[reader->waiting++] = item;
			count++;
			skip_space(reader);
		} while (take(reader, ','));
		if (!take(reader, closing)) {
			return false;
		}
	}
	collect(reader, count, out);
	return true;
}

static bool read_value(struct reader *reader, int depth, struct value *out) {
	skip_space(reader);
	if (reader->at == reader->end || depth == DEPTH_MOST || ++reader->values > VALUES_MOST) {
		return false;
	}
	switch (*reader->at) {
	case '{':
	case '[':
		out->kind = *reader->at == '{' ? VALUE_OBJECT : VALUE_LIST;
		reader->at++;
		return read_items(reader, depth, out->kind == VALUE_OBJECT ? '}' : ']', out);
	case '"':
		out->kind = VALUE_STRING;
		return read_string(reader, &out->string);
	case 't':
	case 'f':
		out->kind = VALUE_BOOL;
		out->boolean = *reader->at == 't';
		return take_word(reader, out->boolean ? "true" : "false");
	case 'n':
		out->kind = VALUE_NULL;
		return take_word(reader, "null");
	default:
		out->kind = VALUE_NUMBER;
		return read_number(reader, &out->number);
	}
}

const struct value *json_read_quickly(struct arena *arena, const void *text, size_t size) {
	struct reader reader;
	reader.arena = arena;
	reader.at = text;
	reader.end = reader.at + size;
	reader.values = 0;
	reader.waiting = 0;
	struct value *root = arena_alloc(arena, 1, sizeof *root);
	if (!text || !read_value(&reader, 0, root)) {
		return NULL;
	}
	skip_space(&reader);
	struct value *items = (struct value *)root->items;
	for (size_t i = 0; i < root->count; i++) {
		items[i].parent = root;
	}
	return reader.at == reader.end ? root : NULL;
}
