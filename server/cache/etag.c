// Strong entity tags, and keys made of them.
#include "cache/etag.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Hexadecimal digits of the hash in a tag: 128 bits, where an accident cannot happen. */
#define TAG_DIGITS (CACHE_KEY_TEXT_BYTES - 1)

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

/* One more than the value of a digit; 0 is none. Lower case only: one key, one text. (A table,
 * since of random digits no branch can be foretold.) */
static const unsigned char digits[256] = {['0'] = 1,
	['1'] = 2,
	['2'] = 3,
	['3'] = 4,
	['4'] = 5,
	['5'] = 6,
	['6'] = 7,
	['7'] = 8,
	['8'] = 9,
	['9'] = 10,
	['a'] = 11,
	['b'] = 12,
	['c'] = 13,
	['d'] = 14,
	['e'] = 15,
	['f'] = 16};

static bool read_digits(const char *text, struct cache_key *key) {
	*key = (struct cache_key){0};
	for (int i = 0; i < TAG_DIGITS; i++) {
		const unsigned digit = digits[(unsigned char)text[i]];
		if (digit == 0) {
			return false;
		}
		uint64_t *word = &key->words[i / (TAG_DIGITS / 2)];
		*word = *word << 4 | (digit - 1);
	}
	return true;
}

struct cache_key cache_key_of(const char *tag) {
	struct cache_key key;
	const bool ours = tag[0] == '"' && read_digits(tag + 1, &key) &&
		tag[1 + TAG_DIGITS] == '"' && tag[2 + TAG_DIGITS] == '\0';
	assert(ours);
	return key;
}

void cache_key_write(const struct cache_key *key, char text[static CACHE_KEY_TEXT_BYTES]) {
	snprintf(text, CACHE_KEY_TEXT_BYTES, "%016" PRIx64 "%016" PRIx64, key->words[0],
		key->words[1]);
}

bool cache_key_read(const char *text, struct cache_key *key) {
	return read_digits(text, key) && text[TAG_DIGITS] == '\0';
}
