/* The words of a joint's name: those that rigs of many makers share, without their prefixes. */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "model/rig.h"

enum side { SIDE_NONE, SIDE_LEFT, SIDE_RIGHT };

#define JOINT_WORDS_BYTES 48
#define JOINT_WORDS_MAX 8

struct joint_words {
	enum side side;
	/* The words in lower case and run together, without the side, numbers and words that only
	 * say that this is a joint ("mixamorig:LeftForeArm" -> "forearm", "J_Bip_L_UpperArm" ->
	 * "upperarm", "b_Hip_01" -> "hip"). Cut where there is no room; empty = nothing is left. */
	char text[JOINT_WORDS_BYTES];
	int starts[JOINT_WORDS_MAX + 1]; // of each word in text, then its end
	int count;                       // words; the last holds all that there is no room for
	char first[JOINT_WORDS_BYTES];   // the first word, whatever it is
	char number[JOINT_WORDS_BYTES];  // digits of the last number; empty = none
};

/* Takes a name apart at capitals, digits, points, dashes and whatever else is no letter, and where
 * "l" or "r" stands before or after a part of the body ("lfemur"). What is before the last ':' or
 * '|' does not count. Japanese words, as MikuMikuDance has them, become English ones.
 *
 * skip  a word that is left out where the name begins with it; NULL = none */
void joint_words_read(const char *name, const char *skip, struct joint_words *out);

/* Takes the Japanese word that text begins with.
 *
 * word  set to its English word, or to "left", "right", a digit or "" where it has none to say
 * Returns how many bytes it has; 0 = it is not known. */
size_t joint_words_japanese(const char *text, const char **word);

/* Those of all joints of a rig, [joint_count] in the arena, without a word that two thirds of the
 * names begin with ("Character1_Hips"). */
struct joint_words *joint_words_of(const struct rig *rig, struct arena *arena);
