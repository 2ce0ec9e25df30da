/* Shared by the readers of both versions' springs. */
#pragma once

#include "import/vrm.h"

/* Room for so many springs. */
bool vrm_springs_begin(struct vrm *vrm, size_t count, struct error *err);

/* Takes steps from what all springs together may take; false when there are not as many left. */
bool vrm_springs_step(struct vrm *vrm, int steps, struct error *err);

/* Appends a joint to a spring that has room for it. A joint that another spring moves already, and
 * one without a length, are left out with a warning. taken [joint_count] says which joints springs
 * move. */
void vrm_spring_add(struct vrm *vrm, struct avatar_spring *spring,
	const struct avatar_spring_joint *joint, bool *taken);

/* The colliders of the groups that a spring lists by their index. [group_count + 1] first_collider
 * has where each group starts among members. */
struct vrm_groups {
	int count;
	const int *first; // [count + 1]
	const int *members;
};
bool vrm_spring_collide(struct vrm *vrm, const struct gltf_item *spring_item,
	const struct vrm_groups *groups, struct avatar_spring *spring, struct error *err);

/* Keeps a spring that moves anything as the last one. */
void vrm_spring_end(struct vrm *vrm, const struct avatar_spring *spring);

/* Puts the springs in the order of their first joints. */
void vrm_springs_end(struct vrm *vrm);
