// Fingers of a humanoid.
#include "pose/humanoid/humanoid_internal.h"

#define SEGMENTS 3

/* The first joint of a finger below the hand. */
static int find_first(const struct humanoid_search *search, int hand, int finger) {
	for (int i = hand + 1; i < search->rig->joint_count; i++) {
		if (humanoid_finger(&search->words[i]) == finger &&
			humanoid_is_under(search, i, hand)) {
			return i;
		}
	}
	return -1;
}

static int find_next(const struct humanoid_search *search, int joint, int finger) {
	for (int i = joint + 1; i < search->rig->joint_count; i++) {
		if (search->rig->joints[i].parent == joint &&
			humanoid_finger(&search->words[i]) == finger) {
			return i;
		}
	}
	return -1;
}

static void find_fingers(struct humanoid_search *search, int shift) {
	const int hand = search->humanoid->joints[HUMANOID_LEFT_HAND + shift];
	for (int finger = 0; hand >= 0 && finger < 5; finger++) {
		const int first_role = HUMANOID_LEFT_THUMB_1 + shift + finger * SEGMENTS;
		int joint = find_first(search, hand, finger);
		for (int i = 0; i < SEGMENTS && joint >= 0; i++) {
			humanoid_assign(search, (enum humanoid_role)(first_role + i), joint,
				HUMANOID_BY_NAME);
			joint = find_next(search, joint, finger);
		}
	}
}

void humanoid_find_fingers(struct humanoid_search *search) {
	find_fingers(search, 0);
	find_fingers(search, HUMANOID_SIDE_ROLES);
}
