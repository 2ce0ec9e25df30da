// Ranges of bytes.
#include "http/range.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define UNIT "bytes="
#define DIGITS "0123456789"

/* Reads digits, of which there may be none, and moves past them. What no number holds is more than
 * there are bytes. */
static unsigned long long read_number(const char **text, size_t *digits) {
	*digits = strspn(*text, DIGITS);
	const unsigned long long number = *digits > 0 ? strtoull(*text, NULL, 10) : 0;
	*text += *digits;
	return number;
}

/* The last bytes, or all where they are not so many. */
static enum range_kind take_last(unsigned long long count, size_t size, struct range *out) {
	const size_t bytes = count < size ? (size_t)count : size;
	*out = (struct range){size - bytes, bytes};
	return bytes > 0 ? RANGE_PART : RANGE_OUTSIDE;
}

enum range_kind range_read(const char *text, size_t size, struct range *out) {
	if (!text || strncasecmp(text, UNIT, strlen(UNIT)) != 0) {
		return RANGE_WHOLE;
	}
	size_t first_digits, last_digits;
	text += strlen(UNIT);
	const unsigned long long first = read_number(&text, &first_digits);
	if (*text++ != '-') {
		return RANGE_WHOLE;
	}
	const unsigned long long last = read_number(&text, &last_digits);
	if (*text != '\0' || first_digits + last_digits == 0) {
		return RANGE_WHOLE;
	}
	if (first_digits == 0) {
		return take_last(last, size, out);
	}
	if (last_digits > 0 && last < first) {
		return RANGE_WHOLE;
	}
	if (first >= size) {
		return RANGE_OUTSIDE;
	}
	const size_t end = last_digits > 0 && last < size ? (size_t)last + 1 : size;
	*out = (struct range){(size_t)first, end - (size_t)first};
	return RANGE_PART;
}
