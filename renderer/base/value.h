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

/* A client's name for the member of a key. */
struct value_word {
	const char *key, *word;
};

/* "a number", "an object", ... for messages. */
const char *value_kind_name(enum value_kind kind);

/* The item of an object with this key, or NULL. */
const struct value *value_member(const struct value *object, const char *key);

/* The client's name for the member of an object that has this key, for messages; NULL where it
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

/* The kind of a member of an object, and where its value goes. */
enum member_type {
	MEMBER_NUMBER,  // out: double, within [least, most]
	MEMBER_INTEGER, // out: int, a whole number within [least, most]
	MEMBER_BOOL,    // out: bool
	MEMBER_STRING,  // out: const char *
	MEMBER_CHOICE,  // out: int or an enum, index into choices
	MEMBER_VECTOR,  // out: double[count], exactly that many numbers
	MEMBER_ANY,     // out: const struct value *, looked at by the caller
	MEMBER_UNREAD,  // nowhere: the caller takes it from the object by its name
};

/* The form of a member's value where requests are flat, in a query or on a command line. */
enum member_text {
	TEXT_BY_TYPE, // as its type says; of MEMBER_ANY and MEMBER_UNREAD a text
	TEXT_PLAIN,
	TEXT_WHOLE, // a whole number
	TEXT_NUMBER,
	TEXT_NUMBERS, // with commas between
	TEXT_NAMES,   // with commas between
	TEXT_BOOL, // true or false, also on a command line, where a flag alone means true elsewhere
};

/* One member that an object may have. */
struct member {
	const char *name;
	enum member_type type;
	void *out;     // left as it is when the member is absent; NULL = see offset
	size_t offset; // bytes into the struct that a table is read into
	bool required; // absent is an error
	bool negated;  // MEMBER_BOOL: out is true where the value is false
	/* MEMBER_NUMBER and MEMBER_INTEGER: both 0 = any number, most INFINITY = any from least on.
	 */
	double least, most;
	bool above_min;             // MEMBER_NUMBER: least itself is refused
	size_t count;               // MEMBER_VECTOR: how many numbers
	const char *const *choices; // names, ended by NULL: of MEMBER_CHOICE, or of a TEXT_NAMES
	int first_choice;           // MEMBER_CHOICE: number of the first
	bool may_be_bool; // MEMBER_CHOICE: true is its first choice, too, and false the number 0
	const struct value **source; // if not NULL: set to the value when present
	size_t source_offset;        // the same in a table's struct, which never begins with one
	/* Tables that are read into a struct: what an absent member stands for. A number, 1 = true,
	 * or the number of a choice. */
	double standard;
	const double *standards; // MEMBER_VECTOR: [count]; NULL = none
	/* MEMBER_ANY: the members of the objects that its value is, or lists, or has by joint,
	 * which the caller reads. NULL = it has none, or they are poses. */
	const struct member_table *members;

	/* For people and programs that write requests, where the table is in members.h. */
	const char
		*parameter; // its name in a query and, behind "--", on a command line; NULL = none
	bool not_in_query, not_on_command_line;
	enum member_text text;
	const char *unit; // "pixels"; NULL = has none
	const char *help; // a line about it, lower case, without a full stop
	unsigned
		variants; // bits of the forms or modes of its object that have it; the object's own
};

/* The members of one object, without those that other tables have of it. */
struct member_table {
	const char *object; // the request's member that it is; NULL = the request itself
	const struct member *members;
	size_t count;
};

/* An initializer for the table of an array. */
#define MEMBER_TABLE(object, members) \
	{ object, members, sizeof(members) / sizeof *(members) }

/* A table, and the struct that its offsets count from. */
struct member_reading {
	const struct member_table *table;
	void *out;
};

/* Sets what absent members stand for: numbers, booleans, choices, and vectors that have standards.
 */
void member_set_standards(const struct member_table *table, void *out);

/* Reads an object by several tables, each into its own struct, after setting what absent members
 * stand for. Fails like value_read_members(), by the members of all of them. */
bool value_read_tables(const struct value *object, const struct member_reading *readings,
	size_t count, struct error *err);

/* The same by one table. */
bool value_read_table(
	const struct value *object, const struct member_table *table, void *out, struct error *err);

/* The same, but members that are in no table are left for others to look at. */
bool value_read_known_tables(const struct value *object, const struct member_reading *readings,
	size_t count, struct error *err);

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
