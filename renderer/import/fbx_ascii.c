// The ASCII spelling of FBX: `Name: value, value { children }`.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "import/fbx_tree.h"

/* Records within one another: those in use stop at seven. */
#define DEPTH_MAX 64

struct reader {
	struct fbx_tree *tree;
	const char *at, *end;
	int line;
	struct error *err;
};

static bool broken(struct reader *reader, const char *words) {
	return error_set(reader->err, ERROR_BROKEN_ASSET, "FBX, line %d: %s", reader->line, words);
}

static char peek(const struct reader *reader) {
	return reader->at < reader->end ? *reader->at : '\0';
}

static void skip_blanks(struct reader *reader) {
	while (peek(reader) == ' ' || peek(reader) == '\t' || peek(reader) == '\r') {
		reader->at++;
	}
}

/* Over blanks, line ends and comments. */
static void skip_space(struct reader *reader) {
	for (;;) {
		skip_blanks(reader);
		if (peek(reader) == ';') {
			const char *end =
				memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
			reader->at = end ? end : reader->end;
		} else if (peek(reader) == '\n') {
			reader->line++;
			reader->at++;
		} else {
			return;
		}
	}
}

static bool is_word(char c) {
	return isalnum((unsigned char)c) || (c != '\0' && strchr("_-|+.#", c));
}

static size_t word_length(const struct reader *reader) {
	const char *end = reader->at;
	while (end < reader->end && is_word(*end)) {
		end++;
	}
	return (size_t)(end - reader->at);
}

/* The characters that a text spells as entities. */
static size_t unescape(char *text, size_t size) {
	static const struct {
		const char *entity;
		char character;
	} entities[] = {{"&quot;", '"'}, {"&lf;", '\n'}, {"&cr;", '\r'}};
	size_t used = 0;
	for (size_t i = 0; i < size; used++) {
		text[used] = text[i];
		size_t taken = 1;
		for (size_t k = 0; text[i] == '&' && k < sizeof entities / sizeof *entities; k++) {
			const size_t length = strlen(entities[k].entity);
			if (size - i >= length &&
				memcmp(&text[i], entities[k].entity, length) == 0) {
				text[used] = entities[k].character;
				taken = length;
			}
		}
		i += taken;
	}
	text[used] = '\0';
	return used;
}

static bool read_string(struct reader *reader, struct fbx_value *value) {
	const char *start = reader->at + 1;
	const char *quote = memchr(start, '"', (size_t)(reader->end - start));
	if (!quote) {
		return broken(reader, "a text has no end");
	}
	char *text = arena_strndup(reader->tree->arena, start, (size_t)(quote - start));
	for (const char *c = start; c < quote; c++) {
		reader->line += *c == '\n';
	}
	value->kind = FBX_TEXT;
	value->size = unescape(text, (size_t)(quote - start));
	value->bytes = text;
	reader->at = quote + 1;
	return true;
}

static const char *end_of_line(const char *text, const char *end) {
	const char *found = memchr(text, '\n', (size_t)(end - text));
	return found ? found : end;
}

/* The end of an array, which is not in a comment; NULL = it has none. */
static const char *find_close(const struct reader *reader, bool *commented) {
	const char *at = reader->at;
	while (at < reader->end && *at != '}') {
		*commented |= *at == ';';
		at = *at == ';' ? end_of_line(at, reader->end) : at + 1;
	}
	return at < reader->end ? at : NULL;
}

/* A copy without comments, in the arena. */
static const char *drop_comments(
	struct arena *arena, const char *text, const char *end, size_t *size) {
	char *copy = arena_alloc(arena, (size_t)(end - text) + 1, 1);
	*size = 0;
	while (text < end) {
		if (*text == ';') {
			text = end_of_line(text, end);
		} else {
			copy[(*size)++] = *text++;
		}
	}
	return copy;
}

/* `*24 { a: 1,2,3 }`: the numbers stay where they are, unless there are comments among them. */
static bool read_array(struct reader *reader, struct fbx_value *value) {
	double count = -1;
	const char *behind = number_read_decimal(reader->at + 1, reader->end, &count);
	if (!(count >= 0 && count <= UINT32_MAX)) {
		return broken(reader, "an array has no length");
	}
	reader->at = behind;
	skip_space(reader);
	if (peek(reader) != '{') {
		return broken(reader, "an array's length is not followed by \"{\"");
	}
	bool commented = false;
	const char *close = find_close(reader, &commented);
	if (!close) {
		return broken(reader, "an array has no end");
	}
	const char *colon = memchr(reader->at, ':', (size_t)(close - reader->at));
	const char *start = colon ? colon + 1 : close;
	value->kind = FBX_ARRAY;
	value->array.element = FBX_DECIMAL;
	value->array.count = (uint32_t)count;
	value->array.deflated = false;
	value->bytes = start;
	value->size = (size_t)(close - start);
	if (commented) {
		value->bytes = drop_comments(reader->tree->arena, start, close, &value->size);
	}
	for (const char *c = reader->at; c < close; c++) {
		reader->line += *c == '\n';
	}
	reader->at = close + 1;
	return true;
}

/* A number, or a word such as T. */
static bool read_word(struct reader *reader, struct fbx_value *value) {
	const size_t length = word_length(reader);
	const char *start = reader->at, *end = start + length;
	if (length == 0) {
		return broken(reader, "neither a value nor a name is here");
	}
	reader->at = end;
	double real = NAN;
	if (number_read_decimal(start, end, &real) != end) {
		value->kind = FBX_TEXT;
		value->bytes = arena_strndup(reader->tree->arena, start, length);
		value->size = length;
		return true;
	}
	bool whole = length <= 20;
	for (const char *c = start + (*start == '-'); c < end; c++) {
		whole = whole && *c >= '0' && *c <= '9';
	}
	long long integer = 0;
	if (whole &&
		sscanf(arena_strndup(reader->tree->arena, start, length), "%lld", &integer) == 1) {
		value->kind = FBX_INTEGER;
		value->integer = integer;
	} else {
		value->kind = FBX_REAL;
		value->real = real;
	}
	return true;
}

static bool read_value(struct reader *reader, struct fbx_value *value) {
	switch (peek(reader)) {
	case '"':
		return read_string(reader, value);
	case '*':
		return read_array(reader, value);
	default:
		return read_word(reader, value);
	}
}

/* Appends a value; the list doubles in the arena. */
static void append(struct reader *reader, struct fbx_record *record, const struct fbx_value *value,
	int *room) {
	if (record->value_count == *room) {
		*room = 2 * *room + 4;
		struct fbx_value *values =
			arena_alloc(reader->tree->arena, (size_t)*room, sizeof *values);
		if (record->value_count > 0) {
			memcpy(values, record->values,
				(size_t)record->value_count * sizeof *values);
		}
		record->values = values;
	}
	((struct fbx_value *)record->values)[record->value_count++] = *value;
}

/* True at the name of a record, which may follow one without values in its line. */
static bool is_at_name(const struct reader *reader) {
	const size_t length = word_length(reader);
	return length > 0 && reader->at + length < reader->end && reader->at[length] == ':';
}

/* Values up to the end of the line, where no comma comes before it. An absent one (`Content: ,`)
 * is left out. */
static bool read_values(struct reader *reader, struct fbx_record *record) {
	int room = 0;
	skip_blanks(reader);
	bool more = peek(reader) != '\n' && peek(reader) != '{' && peek(reader) != ';' &&
		peek(reader) != '}' && reader->at < reader->end && !is_at_name(reader);
	while (more) {
		struct fbx_value value = {0};
		if (peek(reader) != ',') {
			if (!read_value(reader, &value)) {
				return false;
			}
			append(reader, record, &value, &room);
		}
		skip_blanks(reader);
		more = peek(reader) == ',';
		if (more) {
			reader->at++;
			skip_space(reader);
			more = peek(reader) != '}' && reader->at < reader->end;
		}
	}
	return true;
}

static bool read_list(struct reader *reader, struct fbx_record **first, int depth);

static bool read_record(struct reader *reader, struct fbx_record **out, int depth) {
	const size_t length = word_length(reader);
	if (length == 0 || reader->at + length >= reader->end || reader->at[length] != ':') {
		return broken(reader, "a name with a colon is missing");
	}
	struct fbx_record *record = arena_alloc(reader->tree->arena, 1, sizeof *record);
	record->name = arena_strndup(reader->tree->arena, reader->at, length);
	reader->at += length + 1;
	*out = record;
	if (!read_values(reader, record)) {
		return false;
	}
	skip_space(reader);
	if (peek(reader) != '{') {
		return true;
	}
	reader->at++;
	if (!read_list(reader, &record->children, depth + 1)) {
		return false;
	}
	if (peek(reader) != '}') {
		return broken(reader, "a \"}\" is missing");
	}
	reader->at++;
	return true;
}

static bool read_list(struct reader *reader, struct fbx_record **first, int depth) {
	if (depth > DEPTH_MAX) {
		return broken(reader, "records lie too deep in one another");
	}
	for (;;) {
		skip_space(reader);
		if (reader->at == reader->end || peek(reader) == '}') {
			return true;
		}
		if (!read_record(reader, first, depth)) {
			return false;
		}
		first = &(*first)->next;
	}
}

bool fbx_ascii_read(
	struct fbx_tree *tree, const unsigned char *bytes, size_t size, struct error *err) {
	const char *start = (const char *)bytes;
	const size_t mark = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	struct reader reader = {tree, start + mark, start + size, 1, err};
	tree->ascii = true;
	if (!read_list(&reader, &tree->first, 0)) {
		return false;
	}
	return reader.at == reader.end || broken(&reader, "a \"}\" is too many");
}
