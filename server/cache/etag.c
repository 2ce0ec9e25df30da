// Strong entity tags.
#include "cache/etag.h"

#include <string.h>

/* Hexadecimal digits of the hash in a tag: 128 bits, where an accident cannot happen. */
#define TAG_DIGITS 32

char *etag_make(struct arena *arena, const struct hash_part *parts, size_t count) {
	char hash[HASH_TEXT_BYTES];
	hash_parts(parts, count, hash);
	char *tag = arena_alloc(arena, TAG_DIGITS + 3, 1);
	tag[0] = tag[TAG_DIGITS + 1] = '"';
	memcpy(tag + 1, hash, TAG_DIGITS);
	return tag;
}

static bool matches(const char *list, const char *etag, bool strongly) {
	const size_t length = strlen(etag);
	const char *c = list ? list : "";
	while (*c) {
		c += strspn(c, " \t,");
		if (*c == '*') {
			return true;
		}
		const bool weak = strncmp(c, "W/", 2) == 0;
		c += weak ? 2 : 0;
		if (!(weak && strongly) && *etag && strncmp(c, etag, length) == 0) {
			return true;
		}
		// On to the next tag: past this one's closing quote, or past what is no tag at all.
		const char *quote = *c == '"' ? strchr(c + 1, '"') : NULL;
		c = quote ? quote + 1 : c + strcspn(c, ",");
	}
	return false;
}

bool etag_matches(const char *if_none_match, const char *etag) {
	return matches(if_none_match, etag, false);
}

bool etag_matches_strongly(const char *if_match, const char *etag) {
	return matches(if_match, etag, true);
}

bool etag_is_any(const char *list) {
	return matches(list, "", false); // which no tag is
}
