/* A JSON document as a tree that is read once and never changed: its values, keys and strings lie
 * in an arena and die with it. */
#pragma once

#include <stdint.h>

enum json_kind {
	JSON_KIND_NULL,
	JSON_KIND_FALSE,
	JSON_KIND_TRUE,
	JSON_KIND_NUMBER,
	JSON_KIND_STRING,
	JSON_KIND_LIST,
	JSON_KIND_OBJECT,
};

struct json_value {
	enum json_kind kind;
	uint32_t count; // elements of a list, members of an object, bytes of a string
	union {
		double number;                     // finite
		const char *string;                // UTF-8 without NUL inside, ended by NUL
		const struct json_value *elements; // [count]
		const struct json_object *members;
	} of;
};

/* The members of an object, with their number outside. Thousands of objects in a document have the
 * same names: those are only there once. */
struct json_object {
	const char *const *names;   // [count], ended by NUL; more than JSON_UNSORTED_MAX: sorted
	struct json_value values[]; // [count]
};

/* Objects of up to so many members keep them in the order of the document and are searched one by
 * one, which is faster for the few that glTF's objects have; greater ones are sorted by name. */
#define JSON_UNSORTED_MAX 16u

/* The member of an object by name, the last one where the document has several; NULL where there is
 * none, or where the value is no object. value may be NULL. */
const struct json_value *json_tree_find(const struct json_value *value, const char *name);

/* The text of a string; NULL where the value is none. value may be NULL. */
const char *json_tree_string(const struct json_value *value);
