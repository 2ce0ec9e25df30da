/* The words in names of motions, such as "Walking_A" and "idleLoop02". */
#pragma once

/* The words that two names have in common; digits and single letters are none. */
struct kinship {
	int same;    // of the first that the second has
	int alike;   // of the first for which it has another that means the same
	int missing; // of the first that it does not have
	int others;  // of the second beyond those
};

/* English endings do not count ("walk", "walks", "walking"), nor does case; a word is also found at
 * the beginning of a longer one ("run" in "runcycle"), and in the names that animators have for the
 * same motion ("jog" for "run", "death" for "die"). */
struct kinship words_compare(const char *asked, const char *name);
