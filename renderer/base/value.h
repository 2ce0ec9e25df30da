/* A tree of plain values: what a client's JSON says, without JSON. Every value knows its place, so
 * that whoever finds it wrong, however deep in the renderer, can name it with a JSON pointer. */
#pragma once

#include <stddef.h>

#include "base/error.h"

enum value_kind {
	VALUE_NULL,
	VALUE_BOOL,
	VALUE_NUMBER,
	VALUE_STRING,
	VALUE_LIST,
	VALUE_OBJECT,
};

/* Read-only for everyone but its maker. Strings, items and parents are borrowed from the arena in
 * which the tree was made. */
struct value {
	enum value_kind kind;
	bool boolean;               // VALUE_BOOL
	double number;              // VALUE_NUMBER, finite
	const char *string;         // VALUE_STRING, UTF-8 without NUL inside
	size_t count;               // VALUE_LIST, VALUE_OBJECT: number of items
	const struct value *items;  // VALUE_LIST, VALUE_OBJECT: [count], in the text's order
	const struct value *parent; // NULL for the root
	const char *key;            // name within a parent object, else NULL
	size_t index;               // position within a parent list
	/* VALUE_OBJECT that nobody wrote as such: what the client calls its members, which are all
	 * that it can have, ended by a NULL key. NULL = they are called by their keys. */
	const struct value_word *words;
};

/* What a client calls the member of a key. */
struct value_word {
	const char *key, *word;
};

/* "a number", "an object", ... for messages. */
const char *value_kind_name(enum value_kind kind);

/* The item of an object with this key, or NULL. */
const struct value *value_member(const struct value *object, const char *key);

/* What the client calls the member of an object that has this key, for messages; NULL where it
 * cannot name one. */
const char *value_member_word(const struct value *object, const char *key);

/* Writes the JSON pointer (RFC 6901) of a value: "" for the root, "/pose/clip". Cut at size. */
void value_pointer(const struct value *value, char *pointer, size_t size);

/* error_pass_at() with the value's own pointer; NULL = error_pass(). Returns false. */
bool value_pass(const struct value *value, struct error *err, const struct error *why);

/* error_at with the value's own pointer; NULL = error_set, there is no place. Always returns false.
 */
__attribute__((format(printf, 4, 5))) bool value_error(const struct value *value, struct error *err,
	enum error_code code, const char *format, ...);

/* What a member of an object may hold, and where it goes. */
enum member_type {
	MEMBER_NUMBER,  // out: double, within [least, most]
	MEMBER_INTEGER, // out: int, a whole number within [least, most]
	MEMBER_BOOL,    // out: bool
	MEMBER_STRING,  // out: const char *
	MEMBER_CHOICE,  // out: int, index into choices
	MEMBER_VECTOR,  // out: double[count], exactly that many numbers
	MEMBER_ANY,     // out: const struct value *, looked at by the caller
};

/* One member that an object may have. */
struct member {
	const char *name;
	enum member_type type;
	void *out;                  // left as it is when the member is absent
	bool required;              // absent is an error
	double least, most;         // MEMBER_NUMBER and MEMBER_INTEGER; both 0 = any
	size_t count;               // MEMBER_VECTOR: how many numbers
	const char *const *choices; // MEMBER_CHOICE: names, ended by NULL
	const struct value **place; // if not NULL: set to the value when present
};

/* Reads an object by its table of members. Refuses what is not an object, a member that is not in
 * the table (ERROR_UNKNOWN_MEMBER, with the list of those that are), a missing required one and a
 * value of the wrong type or range (ERROR_INVALID_VALUE), each with its pointer. */
bool value_read_members(
	const struct value *object, const struct member *members, size_t count, struct error *err);

/* The same, but members that are not in the table are left for others to look at. */
bool value_read_known_members(
	const struct value *object, const struct member *members, size_t count, struct error *err);

/* Writes "a, b, c" (names ended by NULL) for messages. Cut at size. */
void value_list_names(const char *const *names, char *text, size_t size);
