// What answers are cached by.
#include "cache/cache_key.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#define DIGITS (CACHE_KEY_TEXT_BYTES - 1)

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
	for (int i = 0; i < DIGITS; i++) {
		const unsigned digit = digits[(unsigned char)text[i]];
		if (digit == 0) {
			return false;
		}
		uint64_t *word = &key->words[i / (DIGITS / 2)];
		*word = *word << 4 | (digit - 1);
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
