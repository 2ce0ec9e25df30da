// The words in a joint's name.
#include "pose/humanoid/joint_words.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/plain_names.h"
#include "pose/humanoid/humanoid_internal.h"

enum letter { LETTER_OTHER, LETTER_LOWER, LETTER_UPPER, LETTER_DIGIT };

/* Bytes beyond ASCII are letters of a language that has no capitals here. */
static enum letter letter_of(char c) {
	if (c >= '0' && c <= '9') {
		return LETTER_DIGIT;
	}
	if (c >= 'A' && c <= 'Z') {
		return LETTER_UPPER;
	}
	return (c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80 ? LETTER_LOWER : LETTER_OTHER;
}

/* Length of the word that text begins with: digits, capitals ("IK" of "IKFoot"), or small letters
 * after at most one capital. */
static size_t word_length(const char *text) {
	const enum letter first = letter_of(text[0]);
	size_t length = 1;
	if (first == LETTER_UPPER && letter_of(text[1]) == LETTER_UPPER) {
		while (letter_of(text[length]) == LETTER_UPPER) {
			length++;
		}
		// The last capital begins the next word.
		return letter_of(text[length]) == LETTER_LOWER ? length - 1 : length;
	}
	const enum letter rest = first == LETTER_UPPER ? LETTER_LOWER : first;
	while (letter_of(text[length]) == rest) {
		length++;
	}
	return length;
}

static void copy_lower(const char *from, size_t length, char *out) {
	if (length >= JOINT_WORDS_BYTES) {
		length = JOINT_WORDS_BYTES - 1;
	}
	for (size_t i = 0; i < length; i++) {
		const bool upper = letter_of(from[i]) == LETTER_UPPER;
		out[i] = (char)(upper ? from[i] - 'A' + 'a' : from[i]);
	}
	out[length] = '\0';
}

static bool is_one_of(const char *word, const char *const *words) {
	while (*words && strcmp(word, *words) != 0) {
		words++;
	}
	return *words != NULL;
}

static enum side side_of(const char *word) {
	static const char *const left[] = {"l", "left", "lft", "lt", NULL};
	static const char *const right[] = {"r", "right", "rgt", "rt", NULL};
	return is_one_of(word, left) ? SIDE_LEFT : is_one_of(word, right) ? SIDE_RIGHT : SIDE_NONE;
}

/* Takes "left" or "right" off the beginning or the end of a word without capitals. */
static enum side split_side(char *word) {
	static const char *const names[] = {[SIDE_LEFT] = "left", [SIDE_RIGHT] = "right"};
	const size_t length = strlen(word);
	for (int side = SIDE_LEFT; side <= SIDE_RIGHT; side++) {
		const size_t part = strlen(names[side]);
		if (length > part && memcmp(word, names[side], part) == 0) {
			memmove(word, word + part, length - part + 1);
			return (enum side)side;
		}
		if (length > part && memcmp(word + length - part, names[side], part) == 0) {
			word[length - part] = '\0';
			return (enum side)side;
		}
	}
	return SIDE_NONE;
}

/* Takes "l" or "r" off the beginning or the end of a word that is a part of the body without it. */
static enum side split_letter(char *word) {
	const size_t length = strlen(word);
	const char first = word[0], last = word[length - 1];
	// "LUArm" and "LFArm" are upper arm and forearm.
	const bool is_motive = length == 2 && (last == 'u' || last == 'f');
	if ((first == 'l' || first == 'r') && (is_motive || humanoid_is_part(word + 1))) {
		memmove(word, word + 1, length);
		return first == 'l' ? SIDE_LEFT : SIDE_RIGHT;
	}
	word[length - 1] = '\0';
	if ((last == 'l' || last == 'r') && humanoid_is_part(word)) {
		return last == 'l' ? SIDE_LEFT : SIDE_RIGHT;
	}
	word[length - 1] = last;
	return SIDE_NONE;
}

/* Words that rigs of one maker have in all their names, or that say nothing but "joint". */
static bool is_filler(const char *word) {
	static const char *const fillers[] = {"mixamorig", "bip", "biped", "valve", "j", "c", "m",
		"b", "cc", "base", "joint", "jnt", "jt", "bone", "bn", "def", "skel", "sk", "rig",
		"armature", "human", "humanoid", "center", "centre", "bind", "avg", NULL};
	return is_one_of(word, fillers);
}

static void append(struct joint_words *out, const char *word) {
	const size_t used = strlen(out->text);
	snprintf(out->text + used, JOINT_WORDS_BYTES - used, "%s", word);
	if (out->count < JOINT_WORDS_MAX && out->text[used]) {
		out->starts[out->count++] = (int)used;
	}
	out->starts[out->count] = (int)strlen(out->text);
}

static void take_word(char *word, struct joint_words *out) {
	if (letter_of(word[0]) == LETTER_DIGIT) {
		strcpy(out->number, word);
		return;
	}
	enum side side = side_of(word);
	const bool is_side = side != SIDE_NONE;
	if (!is_side) {
		side = split_side(word);
		side = side == SIDE_NONE ? split_letter(word) : side;
	}
	if (side != SIDE_NONE && out->side == SIDE_NONE) {
		out->side = side;
	}
	if (!is_side && !is_filler(word)) {
		append(out, word);
	}
}

/* Takes a run of letters beyond ASCII apart into the words that are known, and what is between. */
static void take_foreign(const char *text, size_t length, struct joint_words *out) {
	char word[JOINT_WORDS_BYTES];
	size_t begin = 0;
	for (size_t at = 0; at <= length;) {
		const char *known = NULL;
		const size_t bytes = at < length ? joint_words_japanese(text + at, &known) : 0;
		if ((bytes > 0 || at == length) && begin < at) {
			copy_lower(text + begin, at - begin, word);
			append(out, word);
		}
		if (known && *known) {
			copy_lower(known, strlen(known), word);
			take_word(word, out);
		}
		at += bytes > 0 ? bytes : 1;
		begin = bytes > 0 ? at : begin;
	}
}

/* True when a name is one letter and a number: a vertebra ("L5"), of no side. */
static bool is_vertebra(const char *name) {
	const size_t digits =
		letter_of(name[0]) == LETTER_UPPER ? strspn(name + 1, "0123456789") : 0;
	return digits > 0 && name[1 + digits] == '\0';
}

void joint_words_read(const char *name, const char *skip, struct joint_words *out) {
	*out = (struct joint_words){.side = SIDE_NONE};
	const char *at = name + strlen(name);
	while (at > name && at[-1] != ':' && at[-1] != '|') {
		at--;
	}
	if (is_vertebra(at)) {
		snprintf(out->number, sizeof out->number, "%s", at + 1);
		return;
	}
	bool is_first = true;
	while (*at) {
		if (letter_of(*at) == LETTER_OTHER) {
			at++;
			continue;
		}
		const size_t length = word_length(at);
		char word[JOINT_WORDS_BYTES];
		copy_lower(at, length, word);
		if (is_first) {
			strcpy(out->first, word);
		}
		if (is_first && skip && strcmp(word, skip) == 0) {
			// It says nothing.
		} else if ((unsigned char)*at >= 0x80) {
			take_foreign(at, length, out);
		} else {
			take_word(word, out);
		}
		at += length;
		is_first = false;
	}
}

/* The word that two thirds of the names begin with; NULL = none. Only a word that the majority has
 * can be left over when others cancel it out one by one. */
static const char *common_word(const struct joint_words *words, int count) {
	int candidate = 0, votes = 0, sharing = 0;
	for (int i = 0; i < count; i++) {
		if (votes == 0) {
			candidate = i;
		}
		votes += strcmp(words[i].first, words[candidate].first) == 0 ? 1 : -1;
	}
	for (int i = 0; i < count; i++) {
		sharing += strcmp(words[i].first, words[candidate].first) == 0;
	}
	return sharing > 2 && sharing * 3 > count * 2 ? words[candidate].first : NULL;
}

struct joint_words *joint_words_of(const struct rig *rig, struct arena *arena) {
	struct joint_words *words = arena_alloc(arena, (size_t)rig->joint_count, sizeof *words);
	const char **names = plain_names_of(rig, arena);
	for (int i = 0; i < rig->joint_count; i++) {
		joint_words_read(names[i], NULL, &words[i]);
	}
	const char *common = common_word(words, rig->joint_count);
	char skip[JOINT_WORDS_BYTES];
	strcpy(skip, common ? common : "");
	for (int i = 0; common && i < rig->joint_count; i++) {
		joint_words_read(names[i], skip, &words[i]);
	}
	return words;
}
