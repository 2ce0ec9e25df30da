/* The avatar in a rig's description: the things that a VRM file says. All strings are UTF-8 and
 * borrowed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/json_write.h"

struct bone_description {
	const char *name, *joint;
};

struct expression_description {
	const char *name;
	const char *preset; // NULL = an author's own
	bool binary;
	const char *blink, *look_at, *mouth; // how it overrides these
};

struct range_description {
	const char *name;
	double input_max_deg, output;
};

struct look_at_description {
	const char *by; // "bones", "expressions"
	double offset[3];
	struct range_description ranges[4];
};

struct constraint_description {
	const char *kind, *joint, *source;
	const double *axis; // [3]; NULL = it has none
	double weight;
};

struct spring_description {
	const char *name;
	const char *center;        // a joint; NULL = the world
	const char *const *joints; // [joint_count]
	size_t joint_count, collider_count;
};

/* A member of the file's `meta`. */
struct fact_description {
	const char *key;          // of letters, digits and '_'
	const char *const *texts; // [text_count]; NULL = a number or a truth
	size_t text_count;
	bool is_list, is_truth;
	double number;
};

struct avatar_description {
	const char *version, *front;
	const struct bone_description *bones; // [bone_count]
	size_t bone_count;
	const struct expression_description *expressions; // [expression_count]
	size_t expression_count;
	const struct look_at_description *look_at;        // NULL = it has none
	const struct constraint_description *constraints; // [constraint_count]
	size_t constraint_count;
	const struct spring_description *springs; // [spring_count]
	size_t spring_count;
	const char *thumbnail;                // its path; NULL = it has none
	const struct fact_description *facts; // [fact_count]
	size_t fact_count;
};

/* Writes the members of a rig's description. */
void reply_write_avatar(struct json_writer *json, const struct avatar_description *avatar);
