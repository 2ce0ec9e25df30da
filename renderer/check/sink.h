/* Findings of one step of a check: the greatest value of each rule, findings by joint, and the
 * rules that could not be applied. */
#pragma once

#include "check/rule.h"

/* The worst of the values at or above a limit that one joint or material has. */
struct check_candidate {
	struct check_value worst;
	enum check_level level;
	int count;
	int others; // joints besides the worst's that are in it
};

/* The results of one rule. */
struct check_collected {
	bool wanted;
	struct check_limits limits;
	enum check_level at_most;
	bool given; // there is a value
	struct check_value greatest;
	const char *skipped;                // reason; NULL = it was applied
	struct check_candidate *candidates; // [candidate_count] in the order of their first values
	int candidate_count, candidate_room;
	int *by_joint; // [joint_count + 1] of the last one of joint - 1, plus 1; NULL = none yet
};

struct check_sink {
	const struct check_asset *asset;
	const struct check_clip *clip; // NULL = of the whole rig
	struct arena *arena;
	struct check_collected *rules; // [check_rule_count]
	double treadmill;     // speed that the clip walks in place at, L/s; NAN = not measured
	struct bounds bounds; // of the vertices over the clip
};

/* An empty sink. path is the asset's, clip NULL = the whole rig. */
struct check_sink *check_sink_create(
	const struct check_asset *asset, const char *path, const char *clip, struct arena *arena);

/* Says for all rules of a pass that they were not applied. */
void check_skip_pass(struct check_sink *sink, const struct check_pass *pass, const char *reason);

/* The level that a value of a rule would have. */
enum check_level check_level_in(
	const struct check_sink *sink, const struct check_rule *rule, double value);

/* True when any rule of a pass is wanted. */
bool check_wants_pass(const struct check_sink *sink, const struct check_pass *pass);
