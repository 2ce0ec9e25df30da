/* Reading of rules files: what their parts share. */
#pragma once

#include "checks/rules_file.h"

struct rules_reader {
	const struct check_rule_list *rules;
	struct arena *arena;
	struct check_override *overrides; // [override_most]
	size_t override_count, override_most;
	size_t names_left; // names and globs that lists may still have
	struct error *err;
};

/* Reads an object by its table; an unknown member is refused with the nearest names. */
bool rules_read_object(struct rules_reader *reader, const struct value *object,
	const struct member_table *table, void *out);

/* A list of names or globs, none of them empty, ended by NULL. NULL value = nothing said. */
bool rules_read_names(struct rules_reader *reader, const struct value *value, check_globs *out);

/* Refuses a rule or glob that names none; value is where it stands. */
bool rules_check_name(struct rules_reader *reader, const struct value *value, const char *glob);

bool rules_is_text(const struct value *value, const char *text);
bool rules_is_glob(const char *text);

/* Settings; NULL value = nothing said. */
bool rules_read_settings(
	struct rules_reader *reader, const struct value *value, struct check_settings *out);
extern const struct member_table rules_settings_table, rules_joint_limit_table;
