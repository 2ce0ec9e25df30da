/* Parts of finding a humanoid: not for others. */
#pragma once

#include "pose/humanoid/humanoid.h"
#include "pose/humanoid/joint_words.h"

/* The search's knowledge of each joint, [rig->joint_count] each. */
struct humanoid_search {
	const struct rig *rig;
	struct joint_words *words;
	bool *skinned;      // a skin uses it; all are where there is no skin
	int *below;         // greatest number of joints in a line below it
	int *first;         // its number in an order in which those below a joint follow it
	int *joints;        // how many they are, with it
	int *next;          // used while they are numbered
	double (*place)[3]; // where it rests in the world
	bool *moving;       // moves vertices; all do where no joint does
	struct arena *scratch;
	struct humanoid *humanoid;
};

/* The rank of the words as names of a role (of the left side, or of none): 0 is best, -1 not at
 * all. */
int humanoid_alias_rank(enum humanoid_role role, const struct joint_words *words);

/* The same for names of which only some words do, beside others that are nobody's ("hero"). */
int humanoid_loose_rank(enum humanoid_role role, const struct joint_words *words);

/* The rank of a loose name behind one that is nothing else. */
#define HUMANOID_LOOSE_LOSS 8

/* True when a word alone names a part of an arm or a leg. */
bool humanoid_is_part(const char *word);

/* True when words say that this is where a chain ends, or no part of the body. */
bool humanoid_is_end(const char *words);

/* True when a word says that this is hair, clothes, a part of the face or what only animals have.
 */
bool humanoid_is_worn(const struct joint_words *words);

/* The finger that a joint's name tells, 0 the thumb, 4 the little one; -1 = none. The bones of the
 * palm do not count, but for the thumb's. */
int humanoid_finger(const struct joint_words *words);

/* True when a joint lies below another, or is it. ancestor -1 is above all; joint -1 is below none.
 */
bool humanoid_is_under(const struct humanoid_search *search, int joint, int ancestor);

/* The last joint that both lie below or are; -1 = none. A joint -1 is below all. */
int humanoid_common(const struct rig *rig, int a, int b);

/* Gives a role to a joint, where it is one. */
void humanoid_assign(struct humanoid_search *search, enum humanoid_role role, int joint,
	enum humanoid_found found);

/* Gives the roles to the bones of a VRM avatar, for certain. False without one, or where its bones
 * do not hang on one another as roles do. */
bool humanoid_take_avatar(struct humanoid_search *search);

/* Finds by name the joints of the four limbs, and later, when the trunk is known, by place what
 * names have left out. */
void humanoid_find_limbs(struct humanoid_search *search);
void humanoid_complete_limbs(struct humanoid_search *search);

/* Finds by the shape of the rest pose the limbs of which names do not tell an upper and a lower
 * joint. */
void humanoid_find_shape(struct humanoid_search *search);

/* Finds hands and feet that do not lie below their limbs, but at their ends. */
void humanoid_find_apart(struct humanoid_search *search);

/* Says of each role how sure it is. */
void humanoid_judge(struct humanoid_search *search);

/* Finds hips, spine, chest, neck and head for the limbs that are there. */
void humanoid_find_trunk(struct humanoid_search *search);

/* Finds the fingers below the hands. */
void humanoid_find_fingers(struct humanoid_search *search);
