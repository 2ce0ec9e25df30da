/* Rigs checked with a profile that is built in, and what came of it. */
#pragma once

#include "interface/checks.h"

struct checked {
	struct arena *arena;
	struct check_run *run; // finished
	struct check_file file;
	struct rig *take_rig;           // to be released; NULL = the caller's
	struct asset_facts *take_facts; // likewise
};

/* The facts of a file that a rig was made of and that has no flaws; in the arena. */
struct asset_facts *facts_of_rig(const struct rig *rig, struct arena *arena);

/* Checks a rig without flaws in its file. */
struct checked checked_rig(const struct rig *rig, enum check_profile_id profile);

/* The same with some rules alone. */
struct checked checked_rules(
	const struct rig *rig, enum check_profile_id profile, check_globs only);

/* Checks the bytes of a file, read leniently. */
struct checked checked_bytes(const void *bytes, size_t size, enum check_profile_id profile);

/* The same of a file by its path. */
struct checked checked_file(const char *path, enum check_profile_id profile);

/* The same by a profile. */
struct checked checked_profile(const struct rig *rig, const struct check_profile *profile);

void checked_finish(struct checked *checked);

/* The measurement of a rule for a clip (NULL = the rig); fails the test where there is none. */
const struct check_measurement *checked_measurement(
	const struct checked *checked, const char *rule, const char *clip);

/* Its value. */
double checked_value(const struct checked *checked, const char *rule, const char *clip);

/* The worst finding of a rule for a clip; NULL = none. */
const struct check_finding *checked_finding(
	const struct checked *checked, const char *rule, const char *clip);

/* Why a rule was not applied to a clip; NULL = it was. */
const char *checked_skip(const struct checked *checked, const char *rule, const char *clip);

/* A number that a measurement names; NAN = it does not. */
double checked_param(const struct check_measurement *measurement, const char *name);

/* All measurements, skips and findings, for people. */
void checked_print(const struct checked *checked);
