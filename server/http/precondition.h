/* Conditional and range requests.
 *
 * If-Match and If-None-Match of requests that change something (RFC 9110, 13): the call finds what
 * is there now, and the store holds it to that at the moment of the change. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct request_context;

/* A request's condition on what it changes. Zero: none. */
struct precondition {
	bool only_new;  // nothing may be there
	const char *as; // the state that must be there: selected.as, "*" = any; NULL = no matter
};

/* The representation that a GET of the path would return now. */
struct selected {
	bool there;
	bool made;               // the request makes it where it is not there
	const char *const *tags; // [count] of all forms that it has
	size_t count;
	const char *as; // its name in the store; in the request's arena
};

/* True when the request has a precondition. */
bool precondition_is_there(const struct request_context *context);

/* Reads the request's headers. False with ERROR_PRECONDITION_FAILED. */
bool precondition_read(const struct request_context *context, const struct selected *now,
	struct precondition *out, struct error *err);

/* The same for what has no tags and is there. */
bool precondition_check_untagged(const struct request_context *context, struct error *err);

/* --- Ranges --- */

struct range {
	size_t begin, bytes;
};

enum range_kind {
	RANGE_WHOLE,   // all of it
	RANGE_PART,    // *out
	RANGE_OUTSIDE, // nothing that is there: 416
};

/* Reads a Range header for a response of so many bytes. NULL, several ranges, other units and what
 * is no range are RANGE_WHOLE: such a header is as good as none. */
enum range_kind range_read(const char *text, size_t size, struct range *out);
