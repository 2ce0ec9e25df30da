/* Profiles of checks: limits and settings for one file, resolved from what is built in and a rules
 * file. All strings and lists are borrowed from whoever made the profile. */
#pragma once

#include "base/check.h"

/* A list of globs, ended by NULL; NULL = nothing said. */
typedef const char *const *check_globs;

/* Influences per vertex where any number is fine. */
#define CHECK_ANY_INFLUENCES 1000000

/* Degrees that a joint may be turned by from its rest pose. */
struct check_joint_limit {
	const char *joint; // glob
	/* Across its bone, [0, 180], and about it, [-180, 180]: least and greatest; INFINITY = no
	 * limit. */
	double swing_deg[2], twist_deg[2];
};

/* Settings besides limits. Zero pointers mean that nothing was said. */
struct check_settings {
	bool has_ground;
	double ground;                                // height; else found by itself
	const char *skinning;                         // method's id; NULL = "lbs"
	check_globs loops, airborne, still;           // names of clips
	double height[2];                             // of the asset in its unit
	const char *const *required_joints;           // names; NULL-ended; NULL = none
	bool required_vrm;                            // VRM's 15 required bones
	const struct check_joint_limit *joint_limits; // [joint_limit_count] the first that fits
	size_t joint_limit_count;
	int influences;      // per vertex that are fine
	double unused_share; // of a skin's joints, from which on unused ones are more than a note
	double self_intersection_ms; // of a rig
	int surface_samples;         // of a clip
};

/* Limits for some clips and files. NAN = keep what was there, moved where a limit that is said
 * would not lie between its neighbours. */
struct check_override {
	const char *rule;           // glob
	struct check_limits limits; // INFINITY = off
	enum check_level at_most;   // of findings; CHECK_OK = nothing said
	check_globs files, clips;   // NULL = all
	const char *source, *as_of; // of the numbers; NULL = nothing said
};

struct check_suppression {
	const char *rule, *file, *clip, *joint, *material; // globs; NULL = any, but for rule
	const char *reason, *until, *by;                   // until: "2027-06-30"; NULL = for ever
	double at_most;                                    // INFINITY = any value
};

/* The newest version of rules files. */
#define CHECK_RULES_VERSION 1

struct check_profile {
	const char *name; // "game", or the path of a rules file
	enum check_profile_id base;
	int version; // of rules files
	struct check_settings settings;
	/* [override_count] in order: the last one that fits wins. Where several have equal rights,
	 * as in one object of a rules file, globs come before exact ids. */
	const struct check_override *overrides;
	size_t override_count;
	const struct check_suppression *suppressions;
	size_t suppression_count;
	check_globs only, skip, clips; // from the command line or request; NULL = all
};

/* A profile that is built in. */
struct check_profile check_profile_builtin(enum check_profile_id id);

/* "web", "mobile", ... in the order of the enum, ended by NULL. */
extern const char *const check_profile_names[CHECK_PROFILE_COUNT + 1];

/* The kind of asset that each is for: "engines". */
extern const char *const check_profile_uses[CHECK_PROFILE_COUNT + 1];

/* Limits of a rule for a file (NULL = whichever) and one of its clips (NULL = the whole rig), and
 * the level that its findings have at most (may be NULL). All off where the rule is not wanted. */
struct check_limits check_profile_limits(const struct check_profile *profile,
	const struct check_rule_info *rule, const char *file, const char *clip,
	enum check_level *at_most);

/* Limits that a built-in profile has for a rule. */
struct check_limits check_profile_builtin_limits(
	enum check_profile_id id, const struct check_rule_info *rule);

/* True when a text matches a glob: * is any run of characters, ? any one. Case counts. */
bool check_glob(const char *glob, const char *text);

/* True when a text matches one of the globs, and where there are none. */
bool check_globs_match(check_globs globs, const char *text);

/* The origin of a number. */
struct check_profile_source {
	const char *source, *as_of; // as_of: "2026-11"
};

/* The origin of the limits of a rule for all files and clips, where those are not a user's own who
 * does not say: then both are NULL. */
struct check_profile_source check_profile_source(
	const struct check_profile *profile, const char *rule);

/* The same of a profile that is built in; never NULL. */
struct check_profile_source check_profile_builtin_source(
	enum check_profile_id id, const char *rule);

/* The rule of row i of the table of profiles, for tests; NULL past the last. */
const char *check_profile_row(size_t i, enum check_profile_id *id);
