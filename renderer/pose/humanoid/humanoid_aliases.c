// What the common conventions call the joints of a humanoid.
#include <string.h>

#include "pose/humanoid/humanoid_internal.h"

/* Best first. "Shoulder" is the collar bone or the upper arm. */
static const char *const aliases[][10] = {
	[HUMANOID_HIPS] = {"hips", "pelvis", "hip"},
	[HUMANOID_SPINE] = {"spine", "spinelower", "lowerback", "abdomen", "abdomenlower", "waist",
		"torso", "back", "belly"},
	[HUMANOID_CHEST] = {"chest", "upperchest", "chestupper", "ribcage", "thorax", "torso",
		"spineupper", "breast"},
	[HUMANOID_NECK] = {"neck", "necklower", "necktwist"},
	[HUMANOID_HEAD] = {"head", "skull"},
	[HUMANOID_LEFT_SHOULDER] = {"shoulder", "clavicle", "collar", "collarbone", "clav",
		"scapula"},
	[HUMANOID_LEFT_UPPER_ARM] = {"upperarm", "uparm", "armupper", "shldrbend", "shldr",
		"humerus", "shoulder"},
	[HUMANOID_LEFT_LOWER_ARM] = {"forearm", "lowerarm", "lowarm", "armlower", "forearmbend",
		"elbow"},
	[HUMANOID_LEFT_HAND] = {"hand", "wrist", "palm"},
	[HUMANOID_LEFT_UPPER_LEG] = {"upperleg", "upleg", "legupper", "thigh", "thighbend", "femur",
		"hip"},
	[HUMANOID_LEFT_LOWER_LEG] = {"lowerleg", "lowleg", "leglower", "shin", "calf", "knee"},
	[HUMANOID_LEFT_FOOT] = {"foot", "ankle"},
	[HUMANOID_LEFT_TOES] = {"toes", "toe", "ball", "football"},
};

/* "Arm" and "leg" name any joint of one, and the first of them more likely than the next. */
static int rank_of_limb(enum humanoid_role role, const char *words) {
	const enum humanoid_role arm = HUMANOID_LEFT_UPPER_ARM, leg = HUMANOID_LEFT_UPPER_LEG;
	const int last = (int)(sizeof *aliases / sizeof **aliases);
	if (role >= arm && role < leg && strcmp(words, "arm") == 0) {
		return last + (int)(role - arm);
	}
	return role >= leg && strcmp(words, "leg") == 0 ? last + (int)(role - leg) : -1;
}

int humanoid_alias_rank(enum humanoid_role role, const char *words) {
	const int count = (int)(sizeof aliases[role] / sizeof *aliases[role]);
	for (int i = 0; i < count && aliases[role][i]; i++) {
		if (strcmp(words, aliases[role][i]) == 0) {
			return i;
		}
	}
	return rank_of_limb(role, words);
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
	for (int i = 0; i < 6; i++) {
		if (strstr(words->text, names[i])) {
			return i > 0 && strstr(words->text, "metacarpal") ? -1 : i < 5 ? i : 4;
		}
	}
	return -1;
}
