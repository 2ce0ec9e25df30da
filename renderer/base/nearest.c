// Names spelled almost like one that is not there, or that mean the same.
#include "base/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

/* Bytes of a name that are looked at. */
#define LOOKED_AT 64

/* The order of names of motions before that by distance. */
enum rank { RANK_SAME, RANK_MISSPELT, RANK_PARTLY, RANK_OTHER };

/* More than any distance. */
#define RANK_STEP 65536

/* Letters of a motion's name for each slip in spelling it. */
#define SLIP_EVERY 4

/* --- Words in names of motions, such as "Walking_A" and "idleLoop02" --- */

/* The words that two names have in common; digits and single letters are none. */
struct kinship {
	int same;    // of the first that the second has
	int alike;   // of the first for which it has another that means the same
	int missing; // of the first that it does not have
	int others;  // of the second beyond those
};

/* Letters that a word has at least to be looked for within longer ones. */
#define WITHIN_MIN 3

#define WORDS_MAX 16
#define WORD_BYTES 24

struct words {
	char items[WORDS_MAX][WORD_BYTES]; // [count] in lower case
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
		if (length < end + WITHIN_MIN || strcmp(word + length - end, endings[i]) != 0 ||
			(end == 1 && word[length - 2] == 's')) {
			continue;
		}
		word[length - end] = '\0';
		const size_t last = length - end - 1;
		if (end > 1 && last >= WITHIN_MIN && word[last] == word[last - 1] &&
			!strchr("sl", word[last])) {
			word[last] = '\0';
		}
		return;
	}
}

static void add(struct words *words, const char *start, size_t length) {
	if (length < 2 || length >= WORD_BYTES || words->count == WORDS_MAX) {
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

static bool is_same_word(const char *requested, const char *other) {
	return is_same_stem(requested, other) ||
		(strlen(requested) >= WITHIN_MIN &&
			strncmp(other, requested, strlen(requested)) == 0);
}

static bool means_the_same(const char *requested, const char *other) {
	const int group = group_of(requested);
	return group >= 0 && group == group_of(other);
}

static bool has(const struct words *words, const char *requested,
	bool (*is_it)(const char *requested, const char *other)) {
	int i = 0;
	while (i < words->count && !is_it(requested, words->items[i])) {
		i++;
	}
	return i < words->count;
}

/* English endings do not count ("walk", "walks", "walking"), nor does case; a word is also found at
 * the beginning of a longer one ("run" in "runcycle"), and in the names that animators have for the
 * same motion ("jog" for "run", "death" for "die"). */
static struct kinship compare_words(const char *requested, const char *name) {
	struct words own, others;
	split(requested, &own);
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

/* --- Spelling --- */

static char fold(char c) {
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static int least(int a, int b) {
	return a < b ? a : b;
}

/* One row of the table of distances between the beginnings of two texts, from the two before it. */
struct rows {
	int cells[3][LOOKED_AT + 1];
};

static int distance(const char *a, int a_length, const char *b, int b_length) {
	struct rows rows;
	for (int j = 0; j <= b_length; j++) {
		rows.cells[0][j] = j;
	}
	for (int i = 1; i <= a_length; i++) {
		int *const now = rows.cells[i % 3];
		const int *const before = rows.cells[(i + 2) % 3];
		const int *const earlier = rows.cells[(i + 1) % 3];
		now[0] = i;
		for (int j = 1; j <= b_length; j++) {
			const bool same = fold(a[i - 1]) == fold(b[j - 1]);
			now[j] = least(least(before[j], now[j - 1]) + 1, before[j - 1] + !same);
			if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) &&
				fold(a[i - 2]) == fold(b[j - 1])) {
				now[j] = least(now[j], earlier[j - 2] + 1);
			}
		}
	}
	return rows.cells[a_length % 3][b_length];
}

/* Puts a name among the nearest if it is. */
static void insert(struct nearest *nearest, const char *name, int found) {
	const bool full = nearest->count == NEAREST_COUNT;
	int at = full ? NEAREST_COUNT : nearest->count;
	while (at > 0 && nearest->best[at - 1].distance > found) {
		at--;
	}
	if (at == NEAREST_COUNT) {
		return;
	}
	nearest->count += !full;
	for (int i = nearest->count - 1; i > at; i--) {
		nearest->best[i] = nearest->best[i - 1];
	}
	nearest->best[at].name = name;
	nearest->best[at].distance = found;
}

void nearest_offer(struct nearest *nearest, const char *name) {
	const int unknown_length = (int)strnlen(nearest->unknown, LOOKED_AT);
	const int length = (int)strnlen(name, LOOKED_AT);
	const bool full = nearest->count == NEAREST_COUNT;
	// No name is nearer than the lengths are apart.
	if (full && abs(unknown_length - length) >= nearest->best[NEAREST_COUNT - 1].distance) {
		return;
	}
	insert(nearest, name, distance(nearest->unknown, unknown_length, name, length));
}

void nearest_offer_motion(struct nearest *nearest, const char *name) {
	const int unknown_length = (int)strnlen(nearest->unknown, LOOKED_AT);
	const int length = (int)strnlen(name, LOOKED_AT);
	const int spelled = distance(nearest->unknown, unknown_length, name, length);
	const struct kinship kinship = compare_words(nearest->unknown, name);
	const int shared = kinship.same + kinship.alike;
	const int near = spelled + LOOKED_AT * (2 * kinship.alike + kinship.others);
	const int rank = shared > 0 && kinship.missing == 0  ? RANK_SAME
		: spelled <= 1 + unknown_length / SLIP_EVERY ? RANK_MISSPELT
		: shared > 0                                 ? RANK_PARTLY
							     : RANK_OTHER;
	const bool by_words = rank == RANK_SAME || rank == RANK_PARTLY;
	insert(nearest, name, rank * RANK_STEP + (by_words ? near : spelled));
}

void nearest_write(const struct nearest *nearest, char *text, size_t size) {
	size_t used = 0;
	text[0] = '\0';
	for (int i = 0; i < nearest->count && used < size; i++) {
		// Names that have nothing to do with it are given only where none has.
		if (nearest->best[i].distance >= RANK_OTHER * RANK_STEP &&
			nearest->best[0].distance < RANK_OTHER * RANK_STEP) {
			break;
		}
		used += (size_t)snprintf(
			text + used, size - used, "%s%s", i ? ", " : "", nearest->best[i].name);
	}
	if (used >= size) {
		utf8_trim(text);
	}
}
