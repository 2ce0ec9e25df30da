/* Rules files: JSON that says which limits, settings and suppressions checks go by. */
#pragma once

#include "base/arena.h"
#include "base/buffer.h"
#include "base/check_profile.h"
#include "base/value.h"

/* The rules that there are. */
struct check_rule_list {
	const struct check_rule_info *const *rules; // [count]
	size_t count;
};

/* Reads a rules file into a profile, which borrows from the arena and the file's values. name is
 * the profile's: the path of the file. Refuses unknown members and rules, with the nearest known
 * names, limits that fall from note to error, what is no date, and versions to come, each with its
 * pointer. */
bool check_rules_file_read(const struct value *file, const char *name,
	const struct check_rule_list *rules, struct arena *arena, struct check_profile *out,
	struct error *err);

/* Appends a profile that is built in as a rules file, with all its limits and their origins.
 * Reading that back gives the same profile. */
void check_rules_file_write(
	enum check_profile_id id, const struct check_rule_list *rules, struct buffer *out);

/* Room for "sha256:", 64 digits and a NUL. */
#define CHECK_DIGEST_BYTES 72

/* The digest of all that a profile says of these rules, however its file is written. */
void check_profile_digest(const struct check_profile *profile, const struct check_rule_list *rules,
	char digest[static CHECK_DIGEST_BYTES]);

/* The tables of a rules file's objects, for the test of its schema: the file itself, settings, a
 * rule's limits, limits for some files and clips, a suppression; ended by NULL. */
extern const struct member_table *const check_rules_file_tables[];
