// Limits of a rule by a profile: what is built in, then overrides in order.
#include "base/check_profile.h"

#include <math.h>
#include <string.h>

/* Without recursion: after a mismatch the last * takes one character more. */
bool check_glob(const char *glob, const char *text) {
	const char *star = NULL, *rest = NULL;
	while (*text) {
		if (*glob == '*') {
			star = ++glob;
			rest = text;
		} else if (*glob == '?' || *glob == *text) {
			// A character of UTF-8 is one, of however many bytes.
			const bool whole = *glob++ == '?';
			text++;
			while (whole && ((unsigned char)*text & 0xc0) == 0x80) {
				text++;
			}
		} else if (star) {
			glob = star;
			text = ++rest;
		} else {
			return false;
		}
	}
	while (*glob == '*') {
		glob++;
	}
	return !*glob;
}

bool check_globs_match(check_globs globs, const char *text) {
	bool matches = !globs;
	for (size_t i = 0; globs && globs[i] && !matches; i++) {
		matches = check_glob(globs[i], text);
	}
	return matches;
}

/* Rising with the level, where all of them are for values at or above them. */
static void to_rising(struct check_limits *limits, bool below) {
	double *const all[] = {&limits->note, &limits->warning, &limits->error};
	for (int i = 0; below && i < 3; i++) {
		*all[i] = *all[i] < INFINITY ? -*all[i] : *all[i];
	}
}

/* Sets the limits that are said. The others follow where they would let a value have a higher level
 * than those say, but for the ones that are off. */
static void override_limits(struct check_limits *limits, struct check_limits by, bool below) {
	to_rising(limits, below);
	to_rising(&by, below);
	double *const all[] = {&limits->note, &limits->warning, &limits->error};
	const double said[] = {by.note, by.warning, by.error};
	for (int i = 0; i < 3; i++) {
		*all[i] = isnan(said[i]) ? *all[i] : said[i];
	}
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 3 && said[i] < INFINITY; k++) {
			const double kept = *all[k];
			const bool moves = isnan(said[k]) && kept < INFINITY &&
				(k < i ? kept > said[i] : kept < said[i]);
			*all[k] = moves ? said[i] : kept;
		}
	}
	to_rising(limits, below);
}

/* Overrides for some files do not hold for whichever file. */
static bool fits(const struct check_override *override, const char *rule, const char *file,
	const char *clip) {
	return check_glob(override->rule, rule) &&
		(!override->files || (file && check_globs_match(override->files, file))) &&
		(!override->clips || (clip && check_globs_match(override->clips, clip)));
}

static bool is_wanted(
	const struct check_profile *profile, const struct check_rule_info *rule, const char *clip) {
	return rule->since <= profile->version && check_globs_match(profile->only, rule->id) &&
		(!profile->skip || !check_globs_match(profile->skip, rule->id)) &&
		(!clip || check_globs_match(profile->clips, clip));
}

struct check_limits check_profile_limits(const struct check_profile *profile,
	const struct check_rule_info *rule, const char *file, const char *clip,
	enum check_level *at_most) {
	struct check_limits limits = CHECK_LIMITS_OFF;
	enum check_level most = CHECK_ERROR;
	if (is_wanted(profile, rule, clip)) {
		limits = check_profile_builtin_limits(profile->base, rule);
		for (size_t i = 0; i < profile->override_count; i++) {
			const struct check_override *override = &profile->overrides[i];
			if (fits(override, rule->id, file, clip)) {
				override_limits(&limits, override->limits, rule->below);
				most = override->at_most ? override->at_most : most;
			}
		}
	}
	if (at_most) {
		*at_most = most;
	}
	return limits;
}

static bool says_limits(const struct check_limits *limits) {
	return !isnan(limits->note) || !isnan(limits->warning) || !isnan(limits->error);
}

struct check_profile_source check_profile_source(
	const struct check_profile *profile, const char *rule) {
	struct check_profile_source source = check_profile_builtin_source(profile->base, rule);
	for (size_t i = 0; i < profile->override_count; i++) {
		const struct check_override *override = &profile->overrides[i];
		if (says_limits(&override->limits) && fits(override, rule, NULL, NULL)) {
			source = (struct check_profile_source){override->source, override->as_of};
		}
	}
	return source;
}
