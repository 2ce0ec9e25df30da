/* The byte range of a response that a client requests: RFC 9110, section 14. */
#pragma once

#include <stddef.h>

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
