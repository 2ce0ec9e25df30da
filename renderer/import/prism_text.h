/* Prism's text files (PIS, PIA, PIM): their sections, read into memory and not yet understood.
 *
 * A section `Name { ... }` has properties `Key: value`, rows `0 ( values )`, whose indices count
 * up, and sections. `#` starts a comment. A value is a string, a number, a word, or `&` and the
 * eight digits of a float32. A property's values end where the next item begins, wherever lines do.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

enum prism_kind {
	PRISM_END, // of the file
	PRISM_WORD,
	PRISM_STRING,
	PRISM_NUMBER,
	PRISM_MARK, // one of { } ( ) :
};

struct prism_token {
	unsigned char kind; // of enum prism_kind
	char mark;
	bool exact; // a float32 in hexadecimal
	uint32_t line;
	union {
		const char *text; // of a word or a string; valid UTF-8, in the arena
		double number;    // finite
		size_t close;     // of "(": the position of its ")"
	};
};

struct prism_property {
	const char *name;
	size_t first, count; // its values among the tokens
	struct prism_property *next;
};

struct prism_section {
	const char *name;
	uint32_t line;
	struct prism_property *properties;
	struct prism_section *sections, *next;
	/* Rows are one behind the other: an index and what is in parentheses. */
	size_t first_row, row_count; // the first one's index among the tokens
};

struct prism_file {
	struct arena *arena;
	size_t *bytes_left; // that importing may take
	const char *name;   // for messages: "\"fox.pis\"", or "the file" where it has none
	struct prism_token *tokens;
	size_t token_count; // with PRISM_END
	struct prism_section root;
};

/* Reads a file whose arena, bytes_left and name are set, and which lies in that arena; the bytes
 * need not stay. Fails with ERROR_BROKEN_ASSET and the line, or ERROR_TOO_LARGE. */
bool prism_text_read(
	struct prism_file *file, const unsigned char *bytes, size_t size, struct error *err);

/* Refuses what a line says: ERROR_BROKEN_ASSET. Always false. */
__attribute__((format(printf, 4, 5))) bool prism_refuse(
	const struct prism_file *file, uint32_t line, struct error *err, const char *format, ...);

/* The first section of a name in a section, and the next one of the same name; NULL = none. */
const struct prism_section *prism_find(const struct prism_section *section, const char *name);
const struct prism_section *prism_next(const struct prism_section *section);

/* The section of a name, which must be there. */
const struct prism_section *prism_need(const struct prism_file *file,
	const struct prism_section *section, const char *name, struct error *err);

/* A property's only value; NULL where there is none, or none of that kind. */
const char *prism_string(
	const struct prism_file *file, const struct prism_section *section, const char *name);
const double *prism_number(
	const struct prism_file *file, const struct prism_section *section, const char *name);

/* A whole number from 0 to most that must be there. */
bool prism_count(const struct prism_file *file, const struct prism_section *section,
	const char *name, size_t most, size_t *out, struct error *err);

/* Refuses a count that a file's sections of a name do not bear out, before room is made for as
 * many.
 */
bool prism_expect_sections(
	const struct prism_file *file, const char *name, size_t count, struct error *err);

/* --- Rows --- */

/* What is still to be read of a row, or of parentheses in it. */
struct prism_cursor {
	const struct prism_file *file;
	size_t at, end;
};

/* The rows of a section, one by one from the first; what is in their parentheses. To be asked for
 * as many as there are. */
struct prism_cursor prism_first_row(
	const struct prism_file *file, const struct prism_section *section);
struct prism_cursor prism_next_row(const struct prism_cursor *row);

/* The line that a cursor is at, for messages. */
uint32_t prism_line(const struct prism_cursor *cursor);

/* Take what comes next, or fail with the line: numbers; a whole number from 0 to most; a string;
 * the word `name:`; parentheses, as a cursor of their own; the end. */
bool prism_take_floats(struct prism_cursor *cursor, size_t count, float *out, struct error *err);
bool prism_take_index(struct prism_cursor *cursor, size_t most, size_t *out, struct error *err);
bool prism_take_string(struct prism_cursor *cursor, const char **out, struct error *err);
bool prism_take_key(struct prism_cursor *cursor, const char *name, struct error *err);
bool prism_take_inner(struct prism_cursor *cursor, struct prism_cursor *inner, struct error *err);
bool prism_take_end(const struct prism_cursor *cursor, struct error *err);
