/* If-Match and If-None-Match of requests that change something (RFC 9110, 13): the call finds what
 * is there now, and the store holds it to that at the moment of the change. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct request_context;

/* What a request asks of what it changes. Zero: nothing. */
struct precondition {
	bool only_new;  // nothing may be there
	const char *as; // what must be there: selected.as, or "*" = anything; NULL = no matter
};

/* What a GET of the path would answer now. */
struct selected {
	bool there;
	bool made;               // the request makes it where it is not there
	const char *const *tags; // [count] of all forms that it has
	size_t count;
	const char *as; // what the store knows it by; in the call's arena
};

/* Whether the request has a precondition at all. */
bool precondition_is_there(const struct request_context *context);

/* Reads the request's headers. False with ERROR_PRECONDITION_FAILED. */
bool precondition_read(const struct request_context *context, const struct selected *now,
	struct precondition *out, struct error *err);

/* The same for what has no tags and is there. */
bool precondition_check_untagged(const struct request_context *context, struct error *err);
