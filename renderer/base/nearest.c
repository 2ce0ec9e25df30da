// Names spelled almost like one that is not there, or that mean the same.
#include "base/nearest.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/words.h"

/* Bytes of a name that are looked at. */
#define LOOKED_AT 64

/* The order of names of motions before that by distance. */
enum rank { RANK_SAME, RANK_MISSPELT, RANK_PARTLY, RANK_OTHER };

/* More than any distance. */
#define RANK_STEP 65536

/* Letters of a motion's name for each slip in spelling it. */
#define SLIP_EVERY 4

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
	const int asked_length = (int)strnlen(nearest->asked, LOOKED_AT);
	const int length = (int)strnlen(name, LOOKED_AT);
	const bool full = nearest->count == NEAREST_COUNT;
	// No name is nearer than the lengths are apart.
	if (full && abs(asked_length - length) >= nearest->best[NEAREST_COUNT - 1].distance) {
		return;
	}
	insert(nearest, name, distance(nearest->asked, asked_length, name, length));
}

void nearest_offer_motion(struct nearest *nearest, const char *name) {
	const int asked_length = (int)strnlen(nearest->asked, LOOKED_AT);
	const int length = (int)strnlen(name, LOOKED_AT);
	const int spelled = distance(nearest->asked, asked_length, name, length);
	const struct kinship kinship = words_compare(nearest->asked, name);
	const int shared = kinship.same + kinship.alike;
	const int near = spelled + LOOKED_AT * (2 * kinship.alike + kinship.others);
	const int rank = shared > 0 && kinship.missing == 0 ? RANK_SAME
		: spelled <= 1 + asked_length / SLIP_EVERY  ? RANK_MISSPELT
		: shared > 0                                ? RANK_PARTLY
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
