/* The options of `pose check`. */
#pragma once

#include "base/check_profile.h"
#include "checks/rules_file.h"
#include "interface/evidence.h"
#include "options.h"

struct check_options {
	const struct arguments *arguments; // borrowed
	struct check_profile profile;
	char digest[CHECK_DIGEST_BYTES];       // of the profile
	enum check_level fail_on;              // CHECK_OK = nothing fails
	size_t jobs;                           // threads
	enum check_evidence_pictures pictures; // of findings in the HTML report
	char today[16];                        // "2026-11-23", of UTC
};

/* Reads them; lists are in the arena. STATUS_OK, or the exit status with the sentence on standard
 * error. */
int check_options_read(
	const struct arguments *arguments, struct arena *arena, struct check_options *out);

/* Says on standard error which rules have a name almost like this. The exit status of it. */
int check_options_refuse_rule(const char *flag, const char *name);
