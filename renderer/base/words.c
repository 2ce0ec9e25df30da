// The words in names of motions.
#include "base/words.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define WORDS_MOST 16
#define WORD_BYTES 24

/* Letters that a word has at least to be looked for within longer ones. */
#define WITHIN_LEAST 3

struct words {
	char items[WORDS_MOST][WORD_BYTES]; // [count] in lower case
	int count;
};

/* Stems of words for the same motion. */
static const char *const groups[][6] = {
	{"idle", "stand", "wait", "breath"},
	{"walk", "stroll"},
	{"run", "jog", "sprint"},
	{"jump", "leap", "hop"},
	{"attack", "strike"},
	{"die", "dying", "death", "dead"},
	{"hit", "hurt", "damage"},
	{"crouch", "duck", "sneak"},
	{"block", "defend", "guard"},
	{"shoot", "fire"},
	{"turn", "rotate", "rotat"},
	{"talk", "speak"},
};

/* True where a word begins behind a letter: "idleLoop", "HTTPIdle". */
static bool begins_word(const char *name, size_t i) {
	const unsigned char before = (unsigned char)name[i - 1], here = (unsigned char)name[i];
	return isupper(here) &&
		(islower(before) || (isupper(before) && islower((unsigned char)name[i + 1])));
}

/* Takes the ending off: "walking" and "walks" are "walk", "running" is "run". */
static void find_stem(char *word) {
	static const char *const endings[] = {"ing", "ed", "s"};
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		const size_t length = strlen(word), end = strlen(endings[i]);
		if (length < end + WITHIN_LEAST || strcmp(word + length - end, endings[i]) != 0 ||
			(end == 1 && word[length - 2] == 's')) {
			continue;
		}
		word[length - end] = '\0';
		const size_t last = length - end - 1;
		if (end > 1 && last >= WITHIN_LEAST && word[last] == word[last - 1] &&
			!strchr("sl", word[last])) {
			word[last] = '\0';
		}
		return;
	}
}

static void add(struct words *words, const char *start, size_t length) {
	if (length < 2 || length >= WORD_BYTES || words->count == WORDS_MOST) {
		return;
	}
	char *word = words->items[words->count++];
	for (size_t i = 0; i < length; i++) {
		word[i] = (char)tolower((unsigned char)start[i]);
	}
	word[length] = '\0';
	find_stem(word);
}

static void split(const char *name, struct words *words) {
	words->count = 0;
	size_t start = 0;
	for (size_t i = 0;; i++) {
		const bool letter =
			isalpha((unsigned char)name[i]) || (unsigned char)name[i] >= 0x80;
		if (!letter || (i > start && begins_word(name, i))) {
			add(words, name + start, i - start);
			start = letter ? i : i + 1;
		}
		if (!name[i]) {
			return;
		}
	}
}

static int group_of(const char *word) {
	const int count = (int)(sizeof groups / sizeof *groups);
	for (int g = 0; g < count; g++) {
		for (size_t i = 0; i < sizeof groups[g] / sizeof *groups[g] && groups[g][i]; i++) {
			if (strcmp(groups[g][i], word) == 0) {
				return g;
			}
		}
	}
	return -1;
}

/* "idling" has lost the "e" of "idle" with its ending. */
static bool is_same_stem(const char *a, const char *b) {
	const size_t x = strlen(a), y = strlen(b), shorter = x < y ? x : y;
	const char *longer = x < y ? b : a;
	return strncmp(a, b, shorter) == 0 &&
		(x == y || (x + y - 2 * shorter == 1 && longer[shorter] == 'e'));
}

static bool is_same_word(const char *asked, const char *other) {
	return is_same_stem(asked, other) ||
		(strlen(asked) >= WITHIN_LEAST && strncmp(other, asked, strlen(asked)) == 0);
}

static bool means_the_same(const char *asked, const char *other) {
	const int group = group_of(asked);
	return group >= 0 && group == group_of(other);
}

static bool has(const struct words *words, const char *asked,
	bool (*is_it)(const char *asked, const char *other)) {
	int i = 0;
	while (i < words->count && !is_it(asked, words->items[i])) {
		i++;
	}
	return i < words->count;
}

struct kinship words_compare(const char *asked, const char *name) {
	struct words own, others;
	split(asked, &own);
	split(name, &others);
	struct kinship kinship = {0};
	for (int i = 0; i < own.count; i++) {
		if (has(&others, own.items[i], is_same_word)) {
			kinship.same++;
		} else if (has(&others, own.items[i], means_the_same)) {
			kinship.alike++;
		} else {
			kinship.missing++;
		}
	}
	const int found = kinship.same + kinship.alike;
	kinship.others = others.count > found ? others.count - found : 0;
	return kinship;
}
