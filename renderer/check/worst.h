/* The worst values of a rule, one for each joint, and the vertices or triangles concerned. */
#pragma once

#include "check/rule.h"
#include "check/series.h"

struct check_worst {
	double value; // in the rule's unit; 0 = none
	int sample;
	uint32_t elements[CHECK_ELEMENTS_MAX];
	size_t count;
};

/* By joint; NULL = it has none yet. */
struct check_worst_list {
	struct check_worst **joints; // [joint_count]
	int joint_count;
	struct arena *arena;
};

struct check_worst_list check_worst_make(const struct check_asset *asset, struct arena *arena);

/* Takes a value that is greater than a joint's before, whose elements are forgotten; false where it
 * is not. */
bool check_worst_take(struct check_worst_list *list, int joint, double value, int sample);

/* Adds an element with a value of its own to a joint's worst one, if that is of this sample and not
 * more than twice as great; each element once. */
void check_worst_add(
	struct check_worst_list *list, int joint, double value, int sample, uint32_t element);

/* The kind of elements. */
enum check_worst_kind { CHECK_WORST_VERTICES, CHECK_WORST_TRIANGLES };

/* Gives the worst value of each joint to the sink, and 0 for all others. curve: NULL = none. */
void check_worst_emit(const struct check_worst_list *list, const struct check_clip *clip,
	const struct check_rule *rule, enum check_worst_kind kind, const struct check_series *curve,
	struct check_sink *sink);

/* The value from which on values of a rule matter: its lowest limit; INFINITY = none does. */
double check_least_limit(const struct check_sink *sink, const struct check_rule *rule);
