// The names of a humanoid's joints in the common conventions.
#include <string.h>

#include "pose/humanoid/humanoid_internal.h"

/* Best first. "Shoulder" is the collar bone or the upper arm. */
static const char *const aliases[][12] = {
	[HUMANOID_HIPS] = {"hips", "pelvis", "hip", "midhip", "lowertorso"},
	[HUMANOID_SPINE] = {"spine", "spinelower", "lowerback", "abdomen", "abdomenlower", "waist",
		"torso", "back", "belly", "stomach"},
	[HUMANOID_CHEST] = {"chest", "upperchest", "chestupper", "ribcage", "thorax", "torso",
		"spineupper", "breast", "uppertorso"},
	[HUMANOID_NECK] = {"neck", "necklower", "necktwist"},
	[HUMANOID_HEAD] = {"head", "skull"},
	[HUMANOID_LEFT_SHOULDER] = {"clavicle", "collar", "collarbone", "clav", "shoulder",
		"scapula"},
	[HUMANOID_LEFT_UPPER_ARM] = {"upperarm", "uparm", "armupper", "shldrbend", "shldr",
		"humerus", "shoulder", "uarm"},
	[HUMANOID_LEFT_LOWER_ARM] = {"forearm", "lowerarm", "lowarm", "armlower", "forearmbend",
		"elbow", "radius", "farm"},
	[HUMANOID_LEFT_HAND] = {"hand", "wrist", "palm", "fist"},
	[HUMANOID_LEFT_UPPER_LEG] = {"upperleg", "upleg", "legupper", "thigh", "thighbend", "femur",
		"hip"},
	[HUMANOID_LEFT_LOWER_LEG] = {"lowerleg", "lowleg", "leglower", "shin", "calf", "knee",
		"tibia"},
	[HUMANOID_LEFT_FOOT] = {"foot", "ankle"},
	[HUMANOID_LEFT_TOES] = {"toes", "toe", "ball", "football"},
};

/* Behind all others. */
#define RANK_LIMB 10

/* "Arm" and "leg" name any joint of one, and the first of them more likely than the next. */
static int rank_of_limb(enum humanoid_role role, const char *words) {
	const enum humanoid_role arm = HUMANOID_LEFT_UPPER_ARM, leg = HUMANOID_LEFT_UPPER_LEG;
	const int last = RANK_LIMB;
	if (role >= arm && role < leg && strcmp(words, "arm") == 0) {
		return last + (int)(role - arm);
	}
	return role >= leg && strcmp(words, "leg") == 0 ? last + (int)(role - leg) : -1;
}

static int rank_of_name(enum humanoid_role role, const char *words) {
	const int count = (int)(sizeof *aliases / sizeof **aliases);
	for (int i = 0; role <= HUMANOID_LEFT_TOES && i < count && aliases[role][i]; i++) {
		if (strcmp(words, aliases[role][i]) == 0) {
			return i;
		}
	}
	return -1;
}

/* Some of the words of a name, run together. */
static void copy_words(const struct joint_words *words, int first, int count, char *out) {
	const int start = words->starts[first];
	const int length = words->starts[first + count] - start;
	memcpy(out, words->text + start, (size_t)length);
	out[length] = '\0';
}

static bool is_one_of(const char *word, const char *const *words) {
	while (*words && strcmp(word, *words) != 0) {
		words++;
	}
	return *words != NULL;
}

/* Hair, clothes, parts of the face, and what only animals have. */
static bool is_worn(const char *word) {
	static const char *const worn[] = {"armor", "cloth", "skirt", "sleeve", "cape", "cloak",
		"coat", "hair", "ponytail", "ribbon", "wing", "wings", "tail", "ear", "breast",
		"bust", "face", "jaw", "tongue", NULL};
	return is_one_of(word, worn);
}

bool humanoid_is_worn(const struct joint_words *words) {
	bool found = false;
	for (int i = 0; i < words->count; i++) {
		char word[JOINT_WORDS_BYTES];
		copy_words(words, i, 1, word);
		found = found || is_worn(word);
	}
	return found;
}

/* Words beside which a part of the body is none: they make a helper of it, or what is worn there.
 */
static bool is_helper(const char *word) {
	static const char *const helpers[] = {"share", "helper", "part", "cancel", "corrective",
		"muscle", "parent", "control", "ctrl", "fk", "mch", "jiggle", "top", "leaf",
		"start", "eye", NULL};
	return is_one_of(word, helpers) || is_worn(word) || humanoid_is_end(word);
}

/* True when all words but some make no helper. */
static bool is_plain(const struct joint_words *words, int first, int count) {
	bool plain = true;
	for (int i = 0; i < words->count; i++) {
		char word[JOINT_WORDS_BYTES];
		copy_words(words, i, 1, word);
		plain = plain && ((i >= first && i < first + count) || !is_helper(word));
	}
	return plain;
}

static int rank_of(enum humanoid_role role, const char *words) {
	const int rank = rank_of_name(role, words);
	return rank >= 0 ? rank : rank_of_limb(role, words);
}

int humanoid_alias_rank(enum humanoid_role role, const struct joint_words *words) {
	return rank_of(role, words->text);
}

int humanoid_loose_rank(enum humanoid_role role, const struct joint_words *words) {
	if (words->count < 2 || humanoid_finger(words) >= 0) {
		return -1;
	}
	for (int count = words->count - 1; count > 0; count--) {
		for (int first = words->count - count; first >= 0; first--) {
			char some[JOINT_WORDS_BYTES];
			copy_words(words, first, count, some);
			const int rank = rank_of(role, some);
			if (rank >= 0 && is_plain(words, first, count)) {
				return rank;
			}
		}
	}
	return -1;
}

bool humanoid_is_part(const char *word) {
	for (int role = HUMANOID_LEFT_SHOULDER; role <= HUMANOID_LEFT_TOES; role++) {
		if (rank_of_name((enum humanoid_role)role, word) >= 0) {
			return true;
		}
	}
	return strcmp(word, "thumb") == 0 || strcmp(word, "arm") == 0 || strcmp(word, "leg") == 0;
}

bool humanoid_is_end(const char *words) {
	static const char *const pieces[] = {"end", "nub", "tip", "site", "twist", "roll", "ik",
		"pole", "target", "slot", "socket", "weapon", "prop", NULL};
	for (const char *const *piece = pieces; *piece; piece++) {
		if (strstr(words, *piece)) {
			return true;
		}
	}
	return false;
}

int humanoid_finger(const struct joint_words *words) {
	static const char *const names[] = {"thumb", "index", "middle", "ring", "pinky", "little"};
	// Biped's "Finger0" is the thumb, "Finger01" its second joint, "Finger1" the index finger.
	if (strcmp(words->text, "finger") == 0) {
		const int finger = words->number[0] - '0';
		return finger >= 0 && finger < 5 && strlen(words->number) <= 2 ? finger : -1;
	}
	if (humanoid_is_end(words->text)) {
		return -1;
	}
	if (strcmp(words->text, "mid") == 0) {
		return 2; // as Character Creator has it
	}
	for (int i = 0; i < 6; i++) {
		if (strstr(words->text, names[i])) {
			return i > 0 && strstr(words->text, "metacarpal") ? -1 : i < 5 ? i : 4;
		}
	}
	return -1;
}
