// Choosing the media type of an answer by the client's Accept header.
#include "media.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/value.h"

/* A piece of a header, not ended by NUL. */
struct span {
	const char *text;
	size_t length;
};

static struct span trim(struct span span) {
	while (span.length > 0 && strchr(" \t", span.text[0])) {
		span.text++;
		span.length--;
	}
	while (span.length > 0 && strchr(" \t", span.text[span.length - 1])) {
		span.length--;
	}
	return span;
}

/* Takes the part up to a separator off the front of *rest. */
static struct span take_part(struct span *rest, char separator) {
	const char *end = memchr(rest->text, separator, rest->length);
	const size_t length = end ? (size_t)(end - rest->text) : rest->length;
	const struct span part = {rest->text, length};
	const size_t taken = end ? length + 1 : length;
	rest->text += taken;
	rest->length -= taken;
	return trim(part);
}

static bool equals(struct span span, const char *text, size_t length) {
	return span.length == length && strncasecmp(span.text, text, length) == 0;
}

/* The precision with which a range matches a type, whatever its parameters: 0 not at all, 1
 * everything, 2 type/anything, 3 exactly. */
static int match_type(struct span range, const char *type) {
	const size_t family = (size_t)(strchr(type, '/') - type) + 1;
	if (equals(range, type, strcspn(type, "; "))) {
		return 3;
	}
	if (range.length == family + 1 && range.text[family] == '*' &&
		strncasecmp(range.text, type, family) == 0) {
		return 2;
	}
	return equals(range, "*/*", 3) ? 1 : 0;
}

/* The q of a range's parameters; 1 when there is none or it makes no sense. */
static double quality(struct span parameters) {
	while (parameters.length > 0) {
		const struct span part = take_part(&parameters, ';');
		if (part.length > 2 && strncasecmp(part.text, "q=", 2) == 0) {
			char number[8] = "";
			const size_t length = part.length - 2;
			memcpy(number, part.text + 2, length < 7 ? length : 7);
			const double q = strtod(number, NULL);
			return q >= 0 && q <= 1 ? q : 1;
		}
	}
	return 1;
}

/* The precision with which an entry matches a content coding: 0 not at all, 1 any, 2 exactly. */
static int match_coding(struct span entry, const char *coding) {
	return equals(entry, coding, strlen(coding)) ? 2 : equals(entry, "*", 1) ? 1 : 0;
}

/* The quality that the most specific entry that matches gives an offer. */
static double quality_of(const char *accept, const char *offered,
	int (*match)(struct span entry, const char *offered)) {
	struct span ranges = {accept, strlen(accept)};
	double best = 0;
	int narrowest = 0;
	while (ranges.length > 0) {
		struct span parameters = take_part(&ranges, ',');
		const struct span range = take_part(&parameters, ';');
		const int narrow = match(range, offered);
		if (narrow > narrowest) {
			narrowest = narrow;
			best = quality(parameters);
		}
	}
	return best;
}

const char *media_choose(const char *accept, const char *const *offered, struct error *err) {
	if (!accept || !*accept) {
		return offered[0];
	}
	const char *chosen = NULL;
	double best = 0;
	for (size_t i = 0; offered[i]; i++) {
		const double q = quality_of(accept, offered[i], match_type);
		if (q > best) {
			best = q;
			chosen = offered[i];
		}
	}
	if (!chosen) {
		char names[256];
		value_list_names(offered, names, sizeof names);
		error_set(err, ERROR_NOT_ACCEPTABLE, "Accept is \"%s\"; this answer can be: %s",
			accept, names);
	}
	return chosen;
}

bool media_is(const char *content_type, const char *type) {
	struct span rest = {content_type, strlen(content_type)};
	return equals(take_part(&rest, ';'), type, strlen(type));
}

bool media_takes_coding(const char *accept_encoding, const char *coding) {
	return accept_encoding && quality_of(accept_encoding, coding, match_coding) > 0;
}
