// What answers are cached by.
#include "cache_key.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#define DIGITS (CACHE_KEY_TEXT_BYTES - 1)

/* The digit's value; more than 15 when it is none. Lower case only: one key, one text. */
static unsigned digit(char c) {
	if (c >= '0' && c <= '9') {
		return (unsigned)(c - '0');
	}
	return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10) : 16;
}

static bool read_digits(const char *text, struct cache_key *key) {
	*key = (struct cache_key){0};
	for (int i = 0; i < DIGITS; i++) {
		const unsigned value = digit(text[i]);
		if (value > 15) {
			return false;
		}
		uint64_t *word = &key->words[i / (DIGITS / 2)];
		*word = *word << 4 | value;
	}
	return true;
}

struct cache_key cache_key_of(const char *tag) {
	struct cache_key key;
	const bool ours = tag[0] == '"' && read_digits(tag + 1, &key) && tag[1 + DIGITS] == '"' &&
		tag[2 + DIGITS] == '\0';
	assert(ours);
	return key;
}

void cache_key_write(const struct cache_key *key, char text[static CACHE_KEY_TEXT_BYTES]) {
	snprintf(text, CACHE_KEY_TEXT_BYTES, "%016" PRIx64 "%016" PRIx64, key->words[0],
		key->words[1]);
}

bool cache_key_read(const char *text, struct cache_key *key) {
	return read_digits(text, key) && text[DIGITS] == '\0';
}
