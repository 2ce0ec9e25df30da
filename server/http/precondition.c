// If-Match and If-None-Match of requests that change something, and Range.
#include "http/precondition.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cache/etag.h"
#include "http/request_context.h"

/* No tag has a star in it, so that only "*" has this one. */
#define ANY "*"

bool precondition_is_there(const struct request_context *context) {
	return context->if_match || context->if_none_match;
}

static const char *name_of(const struct request_context *context) {
	return context->item ? context->item : context->rig;
}

static bool names_one(const char *list, const struct selected *now,
	bool (*matches)(const char *list, const char *etag)) {
	for (size_t i = 0; i < now->count; i++) {
		if (matches(list, now->tags[i])) {
			return true;
		}
	}
	return false;
}

static bool read_match(const struct request_context *context, const struct selected *now,
	struct precondition *out, struct error *err) {
	if (!context->if_match) {
		return true;
	}
	const bool any = etag_is_any(context->if_match);
	out->as = any ? ANY : now->as;
	return (now->there && (any || names_one(context->if_match, now, etag_matches_strongly))) ||
		error_set(err, ERROR_PRECONDITION_FAILED,
			now->there ? "If-Match names another state of \"%s\" than the present one"
				   : "If-Match asks for \"%s\" to be there, which it is not",
			name_of(context));
}

static bool read_none_match(const struct request_context *context, const struct selected *now,
	struct precondition *out, struct error *err) {
	if (!context->if_none_match) {
		return true;
	}
	out->only_new = etag_is_any(context->if_none_match);
	if (now->there && out->only_new) {
		return error_set(err, ERROR_PRECONDITION_FAILED,
			"\"%s\" is there already, and If-None-Match: * asks not to change it",
			name_of(context));
	}
	return !names_one(context->if_none_match, now, etag_matches) ||
		error_set(err, ERROR_PRECONDITION_FAILED, "If-None-Match names the present state");
}

bool precondition_read(const struct request_context *context, const struct selected *now,
	struct precondition *out, struct error *err) {
	*out = (struct precondition){0};
	// A missing item is not found, whatever the header says.
	if (!now->there && !now->made) {
		return true;
	}
	return read_match(context, now, out, err) && read_none_match(context, now, out, err);
}

bool precondition_check_untagged(const struct request_context *context, struct error *err) {
	const struct selected now = {.there = true};
	struct precondition ignored;
	return precondition_read(context, &now, &ignored, err);
}

/* --- Ranges --- */

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
