// Prism's text -> tokens -> sections.
#include "import/prism_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/utf8.h"
#include "import/limits.h"

/* Sections inside of one another: real ones stop at two, and reading recurses. */
#define DEPTH_MAX 32

/* Lines are counted in 32 bits. */
#define BYTES_MAX ((size_t)UINT32_MAX - 1)

bool prism_refuse(
	const struct prism_file *file, uint32_t line, struct error *err, const char *format, ...) {
	char text[400];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	return error_set(err, ERROR_BROKEN_ASSET, "%s line %u: %s", file->name, line, text);
}

/* --- Tokens --- */

struct lexer {
	struct prism_file *file;
	const char *at, *end;
	uint32_t line;
	size_t room; // of file->tokens
};

static bool is_space(char c) {
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool ends_word(char c) {
	return is_space(c) || (c != '\0' && strchr("{}():\"#", c));
}

static void skip_space(struct lexer *lexer) {
	bool in_comment = false;
	while (lexer->at < lexer->end &&
		(in_comment || is_space(*lexer->at) || *lexer->at == '#')) {
		in_comment = *lexer->at != '\n' && (in_comment || *lexer->at == '#');
		lexer->line += *lexer->at == '\n';
		lexer->at++;
	}
}

/* Keeps the text of a word or a string. */
static bool keep_text(struct lexer *lexer, const char *start, size_t length,
	struct prism_token *token, struct error *err) {
	if (!utf8_is_valid(start, length) || memchr(start, '\0', length)) {
		return prism_refuse(lexer->file, lexer->line, err, "text that is not UTF-8");
	}
	if (!claim_bytes(lexer->file->bytes_left, length + 1, "text", err)) {
		return false;
	}
	token->text = arena_strndup(lexer->file->arena, start, length);
	return true;
}

static bool read_string(struct lexer *lexer, struct prism_token *token, struct error *err) {
	const char *start = ++lexer->at;
	while (lexer->at < lexer->end && *lexer->at != '"' && *lexer->at != '\n') {
		lexer->at++;
	}
	if (lexer->at == lexer->end || *lexer->at != '"') {
		return prism_refuse(
			lexer->file, lexer->line, err, "a string that does not end on its line");
	}
	token->kind = PRISM_STRING;
	return keep_text(lexer, start, (size_t)(lexer->at++ - start), token, err);
}

/* The eight digits behind "&". */
static bool read_bits(const struct lexer *lexer, const char *start, size_t length,
	struct prism_token *token, struct error *err) {
	uint32_t bits = 0;
	for (size_t i = 1; i < length; i++) {
		const int digit = hex_digit_value(start[i]);
		if (length != 9 || digit < 0) {
			break;
		}
		bits = bits << 4 | (uint32_t)digit;
		token->exact = i == 8;
	}
	float x;
	memcpy(&x, &bits, sizeof x);
	token->kind = PRISM_NUMBER;
	token->number = (double)x;
	if (!token->exact) {
		return prism_refuse(lexer->file, lexer->line, err,
			"\"&\" must have the eight hexadecimal digits of a float32 behind it");
	}
	return isfinite(x) ||
		prism_refuse(lexer->file, lexer->line, err, "&%08x is not a finite number", bits);
}

static bool read_word(struct lexer *lexer, struct prism_token *token, struct error *err) {
	const char *start = lexer->at;
	while (lexer->at < lexer->end && !ends_word(*lexer->at)) {
		lexer->at++;
	}
	const size_t length = (size_t)(lexer->at - start);
	if (*start == '&') {
		return read_bits(lexer, start, length, token, err);
	}
	double number = 0;
	if (strchr("0123456789+-.", *start) && *start != '\0' &&
		number_read_decimal(start, lexer->at, &number) == lexer->at) {
		token->kind = PRISM_NUMBER;
		token->number = number;
		return isfinite(number) ||
			prism_refuse(lexer->file, lexer->line, err, "a number that is not finite");
	}
	token->kind = PRISM_WORD;
	return keep_text(lexer, start, length, token, err);
}

static bool read_token(struct lexer *lexer, struct prism_token *token, struct error *err) {
	skip_space(lexer);
	*token = (struct prism_token){.kind = PRISM_END, .line = lexer->line};
	if (lexer->at == lexer->end) {
		return true;
	}
	if (*lexer->at == '"') {
		return read_string(lexer, token, err);
	}
	if (ends_word(*lexer->at)) {
		token->kind = PRISM_MARK;
		token->mark = *lexer->at++;
		return true;
	}
	return read_word(lexer, token, err);
}

/* Room for one more token: the array is malloc memory until it is complete. */
static bool make_room(struct lexer *lexer, struct error *err) {
	struct prism_file *file = lexer->file;
	if (file->token_count < lexer->room) {
		return true;
	}
	const size_t more = lexer->room > 0 ? lexer->room : 4096;
	if (!claim_bytes(file->bytes_left, more * sizeof *file->tokens, "text", err)) {
		return false;
	}
	lexer->room += more;
	file->tokens = xrealloc(file->tokens, lexer->room, sizeof *file->tokens);
	return true;
}

static bool read_tokens(struct lexer *lexer, struct error *err) {
	struct prism_file *file = lexer->file;
	do {
		if (!make_room(lexer, err) ||
			!read_token(lexer, &file->tokens[file->token_count], err)) {
			return false;
		}
		file->token_count++;
	} while (file->tokens[file->token_count - 1].kind != PRISM_END);
	return true;
}

/* --- Sections --- */

static bool is_mark(const struct prism_file *file, size_t at, char mark) {
	return file->tokens[at].kind == PRISM_MARK && file->tokens[at].mark == mark;
}

/* Finds the ")" of every "(", and refuses one without the other. */
static bool match_parentheses(struct prism_file *file, struct error *err) {
	size_t open = 0, depth = 0; // "(" keeps the one around it until it is closed
	for (size_t i = 0; i < file->token_count; i++) {
		if (is_mark(file, i, '(')) {
			file->tokens[i].close = open;
			open = i;
			depth++;
		} else if (is_mark(file, i, ')')) {
			if (depth == 0) {
				return prism_refuse(
					file, file->tokens[i].line, err, "\")\" without \"(\"");
			}
			const size_t around = file->tokens[open].close;
			file->tokens[open].close = i;
			open = around;
			depth--;
		} else if (depth > 0 && (is_mark(file, i, '{') || is_mark(file, i, '}'))) {
			break;
		}
	}
	return depth == 0 ||
		prism_refuse(file, file->tokens[open].line, err, "\"(\" without \")\"");
}

/* True where an item of a section begins, or the section ends. */
static bool begins_item(const struct prism_file *file, size_t at) {
	const struct prism_token *token = &file->tokens[at];
	switch ((enum prism_kind)token->kind) {
	case PRISM_END:
		return true;
	case PRISM_WORD:
		return is_mark(file, at + 1, ':') || is_mark(file, at + 1, '{');
	case PRISM_NUMBER:
		return is_mark(file, at + 1, '(');
	case PRISM_MARK:
		return token->mark == '}';
	case PRISM_STRING:
		break;
	}
	return false;
}

static bool read_property(
	struct prism_file *file, size_t *at, struct prism_property ***end, struct error *err) {
	struct prism_property *property = arena_alloc(file->arena, 1, sizeof *property);
	property->name = file->tokens[*at].text;
	*at += 2;
	property->first = *at;
	while (!begins_item(file, *at)) {
		if (is_mark(file, *at, '(')) {
			*at = file->tokens[*at].close;
		} else if (file->tokens[*at].kind == PRISM_MARK) {
			return prism_refuse(file, file->tokens[*at].line, err, "\"%c\" in a value",
				file->tokens[*at].mark);
		}
		++*at;
	}
	property->count = *at - property->first;
	**end = property;
	*end = &property->next;
	return true;
}

/* An index and its parentheses. */
static bool read_row(struct prism_file *file, size_t *at, struct prism_section *section,
	size_t *next_row, struct error *err) {
	const struct prism_token *index = &file->tokens[*at];
	if (section->row_count == 0) {
		section->first_row = *at;
	} else if (*at != *next_row) {
		return prism_refuse(
			file, index->line, err, "a row apart from the other rows of its section");
	}
	if (index->number != (double)section->row_count) {
		return prism_refuse(file, index->line, err, "the index is %.9g, must be %zu",
			index->number, section->row_count);
	}
	section->row_count++;
	*at = *next_row = file->tokens[*at + 1].close + 1;
	return true;
}

/* Reads what is between the braces, up to the closing one or the end. */
static bool read_section(struct prism_file *file, size_t *at, struct prism_section *section,
	int depth, struct error *err) {
	struct prism_property **property = &section->properties;
	struct prism_section **inner = &section->sections;
	size_t next_row = 0;
	bool ok = true;
	while (ok && !is_mark(file, *at, '}') && file->tokens[*at].kind != PRISM_END) {
		const struct prism_token *token = &file->tokens[*at];
		if (!begins_item(file, *at)) {
			return prism_refuse(
				file, token->line, err, "neither `Key: value`, `Name {` nor a row");
		}
		const bool pays = claim_bytes(file->bytes_left, sizeof **inner, "text", err);
		if (token->kind == PRISM_NUMBER) {
			ok = pays && read_row(file, at, section, &next_row, err);
		} else if (is_mark(file, *at + 1, ':')) {
			ok = pays && read_property(file, at, &property, err);
		} else if (depth == DEPTH_MAX) {
			return prism_refuse(file, token->line, err,
				"sections nest more than %d deep", DEPTH_MAX);
		} else {
			*inner = arena_alloc(file->arena, 1, sizeof **inner);
			**inner = (struct prism_section){.name = token->text, .line = token->line};
			*at += 2;
			ok = pays && read_section(file, at, *inner, depth + 1, err);
			if (ok && !is_mark(file, *at, '}')) {
				return prism_refuse(file, (*inner)->line, err,
					"section %s does not end", (*inner)->name);
			}
			++*at;
			inner = &(*inner)->next;
		}
	}
	return ok;
}

static void free_tokens(void *file) {
	free(((struct prism_file *)file)->tokens);
}

bool prism_text_read(
	struct prism_file *file, const unsigned char *bytes, size_t size, struct error *err) {
	static const char mark[] = "\xef\xbb\xbf"; // that some editors put before UTF-8
	const size_t skipped = size >= 3 && memcmp(bytes, mark, 3) == 0 ? 3 : 0;
	const char *text = (const char *)bytes + skipped;
	struct lexer lexer = {.file = file, .at = text, .end = text + size - skipped, .line = 1};
	size_t at = 0;
	arena_defer(file->arena, free_tokens, file);
	if (size > BYTES_MAX) {
		return error_set(err, ERROR_TOO_LARGE, "%s has %zu bytes, up to %zu are accepted",
			file->name, size, BYTES_MAX);
	}
	if (!read_tokens(&lexer, err) || !match_parentheses(file, err) ||
		!read_section(file, &at, &file->root, 0, err)) {
		return false;
	}
	return file->tokens[at].kind == PRISM_END ||
		prism_refuse(file, file->tokens[at].line, err, "\"}\" without \"{\"");
}

/* --- Looking in --- */

const struct prism_section *prism_find(const struct prism_section *section, const char *name) {
	for (section = section->sections; section && strcmp(section->name, name) != 0;) {
		section = section->next;
	}
	return section;
}

const struct prism_section *prism_next(const struct prism_section *section) {
	const char *name = section->name;
	for (section = section->next; section && strcmp(section->name, name) != 0;) {
		section = section->next;
	}
	return section;
}

const struct prism_section *prism_need(const struct prism_file *file,
	const struct prism_section *section, const char *name, struct error *err) {
	const struct prism_section *found = prism_find(section, name);
	if (!found) {
		prism_refuse(file, section->line, err, "%s%shas no section %s",
			section->name ? section->name : "", section->name ? " " : "", name);
	}
	return found;
}

/* The only value of a property; NULL where it is not of that kind. */
static const struct prism_token *find_value(const struct prism_file *file,
	const struct prism_section *section, const char *name, enum prism_kind kind) {
	for (const struct prism_property *p = section->properties; p; p = p->next) {
		if (strcmp(p->name, name) == 0) {
			const struct prism_token *token = &file->tokens[p->first];
			return p->count == 1 && token->kind == kind ? token : NULL;
		}
	}
	return NULL;
}

const char *prism_string(
	const struct prism_file *file, const struct prism_section *section, const char *name) {
	const struct prism_token *token = find_value(file, section, name, PRISM_STRING);
	token = token ? token : find_value(file, section, name, PRISM_WORD);
	return token ? token->text : NULL;
}

const double *prism_number(
	const struct prism_file *file, const struct prism_section *section, const char *name) {
	const struct prism_token *token = find_value(file, section, name, PRISM_NUMBER);
	return token ? &token->number : NULL;
}

static bool is_whole(double x, size_t most) {
	return x >= 0 && x <= (double)most && x == floor(x);
}

bool prism_count(const struct prism_file *file, const struct prism_section *section,
	const char *name, size_t most, size_t *out, struct error *err) {
	const double *number = prism_number(file, section, name);
	if (!number || !is_whole(*number, most)) {
		return prism_refuse(file, section->line, err,
			"%s must have %s, a whole number from 0 to %zu",
			section->name ? section->name : "the file", name, most);
	}
	*out = (size_t)*number;
	return true;
}

bool prism_expect_sections(
	const struct prism_file *file, const char *name, size_t count, struct error *err) {
	size_t found = 0;
	const struct prism_section *section = prism_find(&file->root, name);
	for (; section; section = prism_next(section)) {
		found++;
	}
	return found == count ||
		prism_refuse(file, 1, err, "%zu sections %s, must be as many as %sCount says, %zu",
			found, name, name, count);
}

/* --- Rows --- */

static struct prism_cursor row_at(const struct prism_file *file, size_t index) {
	return (struct prism_cursor){file, index + 2, file->tokens[index + 1].close};
}

struct prism_cursor prism_first_row(
	const struct prism_file *file, const struct prism_section *section) {
	return section->row_count > 0 ? row_at(file, section->first_row)
				      : (struct prism_cursor){file, 0, 0};
}

struct prism_cursor prism_next_row(const struct prism_cursor *row) {
	const size_t index = row->end + 1;
	return index + 1 < row->file->token_count && is_mark(row->file, index + 1, '(')
		? row_at(row->file, index)
		: (struct prism_cursor){row->file, row->end, row->end};
}

uint32_t prism_line(const struct prism_cursor *cursor) {
	return cursor->file->tokens[cursor->at].line;
}

static const struct prism_token *take(struct prism_cursor *cursor, enum prism_kind kind) {
	const struct prism_token *token = &cursor->file->tokens[cursor->at];
	if (cursor->at >= cursor->end || token->kind != kind) {
		return NULL;
	}
	cursor->at++;
	return token;
}

bool prism_take_floats(struct prism_cursor *cursor, size_t count, float *out, struct error *err) {
	for (size_t i = 0; i < count; i++) {
		const struct prism_token *token = take(cursor, PRISM_NUMBER);
		out[i] = token ? (float)token->number : 0;
		if (!token || !isfinite(out[i])) {
			return prism_refuse(cursor->file, prism_line(cursor), err,
				"must have %zu numbers that float32 holds, has %zu", count, i);
		}
	}
	return true;
}

bool prism_take_index(struct prism_cursor *cursor, size_t most, size_t *out, struct error *err) {
	const uint32_t line = prism_line(cursor);
	const struct prism_token *token = take(cursor, PRISM_NUMBER);
	if (!token || token->exact || !is_whole(token->number, most)) {
		return token
			? prism_refuse(cursor->file, line, err,
				  "%.9g must be a whole number from 0 to %zu", token->number, most)
			: prism_refuse(cursor->file, line, err, "a number is missing");
	}
	*out = (size_t)token->number;
	return true;
}

bool prism_take_string(struct prism_cursor *cursor, const char **out, struct error *err) {
	const struct prism_token *token = take(cursor, PRISM_STRING);
	*out = token ? token->text : NULL;
	return token || prism_refuse(cursor->file, prism_line(cursor), err, "must be a string");
}

bool prism_take_key(struct prism_cursor *cursor, const char *name, struct error *err) {
	const uint32_t line = prism_line(cursor);
	const struct prism_token *token = take(cursor, PRISM_WORD);
	const struct prism_token *colon = token ? take(cursor, PRISM_MARK) : NULL;
	return (colon && colon->mark == ':' && strcmp(token->text, name) == 0) ||
		prism_refuse(cursor->file, line, err, "must be `%s:`", name);
}

bool prism_take_inner(struct prism_cursor *cursor, struct prism_cursor *inner, struct error *err) {
	if (cursor->at >= cursor->end || !is_mark(cursor->file, cursor->at, '(')) {
		return prism_refuse(cursor->file, prism_line(cursor), err, "must be \"(\"");
	}
	const size_t close = cursor->file->tokens[cursor->at].close;
	*inner = (struct prism_cursor){cursor->file, cursor->at + 1, close};
	cursor->at = close + 1;
	return true;
}

bool prism_take_end(const struct prism_cursor *cursor, struct error *err) {
	return cursor->at >= cursor->end ||
		prism_refuse(
			cursor->file, prism_line(cursor), err, "more values than there may be");
}
