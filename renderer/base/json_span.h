/* Parts of a JSON text as they stand in it, for files of which some parts are replaced and all else
 * stays byte for byte. The text is taken for well-formed, as a parser has found it; one that is not
 * yields nothing or nonsense, but is never read beyond its end. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A value's text without the white space about it; text NULL = there is none. */
struct json_span {
	const char *text;
	size_t size;
};

/* The value that a text begins with. */
struct json_span json_span_of(const char *text, size_t size);

/* Goes through the items of a list or the members of an object. */
struct json_items {
	const char *at, *end;
	bool is_object;
};

/* Of what is neither there are none. */
struct json_items json_items_of(struct json_span span);

/* The next item; of an object with its name, without the quotes, as it stands. False at the end. */
bool json_items_next(struct json_items *items, struct json_span *name, struct json_span *value);

/* The member of an object, the last one of that name; text NULL where there is none. */
struct json_span json_span_member(struct json_span object, const char *name);

/* True for a text of just these characters. */
bool json_span_is(struct json_span span, const char *text);

/* A whole number from 0 to 2^53; false for anything else. */
bool json_span_whole(struct json_span span, uint64_t *value);

/* Items of a list or an object. */
size_t json_span_count(struct json_span span);
