// Reads rules files by tables of members.
#include "checks/rules_file.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "checks/rules_reader.h"
#include "limits.h"

/* --- Tables --- */

struct file_form {
	double version;
	enum check_profile_id extends;
	const struct value *settings, *rules, *cases, *suppress;
};

#define AT(field) offsetof(struct file_form, field)

static const struct member file_members[] = {
	{.name = "$schema", .type = MEMBER_UNREAD},
	{.name = "version",
		.type = MEMBER_NUMBER,
		.offset = AT(version),
		.required = true,
		.help = "of rules files; rules of later versions stay off"},
	{.name = "extends",
		.type = MEMBER_CHOICE,
		.offset = AT(extends),
		.choices = check_profile_names,
		.standard = CHECK_PROFILE_GAME,
		.help = "the profile that is built in, whose limits hold where none are given"},
	{.name = "settings", .type = MEMBER_ANY, .offset = AT(settings)},
	{.name = "rules", .type = MEMBER_ANY, .offset = AT(rules)},
	{.name = "for", .type = MEMBER_ANY, .offset = AT(cases)},
	{.name = "suppress", .type = MEMBER_ANY, .offset = AT(suppress)},
};

#undef AT
#define AT(field) offsetof(struct limits_form, field)

struct limits_form {
	const struct value *levels[3];
	enum check_level at_most;
	const char *source, *as_of;
};

static const struct member limits_members[] = {
	{.name = "note", .type = MEMBER_ANY, .offset = AT(levels[0])},
	{.name = "warning", .type = MEMBER_ANY, .offset = AT(levels[1])},
	{.name = "error", .type = MEMBER_ANY, .offset = AT(levels[2])},
	{.name = "level_at_most",
		.type = MEMBER_CHOICE,
		.offset = AT(at_most),
		.choices = check_level_names + CHECK_NOTE,
		.first_choice = CHECK_NOTE,
		.standard = CHECK_OK},
	{.name = "source", .type = MEMBER_STRING, .offset = AT(source)},
	{.name = "as_of", .type = MEMBER_STRING, .offset = AT(as_of)},
};

#undef AT
#define AT(field) offsetof(struct case_form, field)

struct case_form {
	const struct value *files, *clips, *rules;
};

static const struct member case_members[] = {
	{.name = "files", .type = MEMBER_ANY, .offset = AT(files)},
	{.name = "clips", .type = MEMBER_ANY, .offset = AT(clips)},
	{.name = "rules", .type = MEMBER_ANY, .offset = AT(rules), .required = true},
};

#undef AT
#define AT(field) offsetof(struct check_suppression, field)

static const struct member suppression_members[] = {
	{.name = "rule", .type = MEMBER_STRING, .offset = AT(rule), .required = true},
	{.name = "file", .type = MEMBER_STRING, .offset = AT(file)},
	{.name = "clip", .type = MEMBER_STRING, .offset = AT(clip)},
	{.name = "joint", .type = MEMBER_STRING, .offset = AT(joint)},
	{.name = "material", .type = MEMBER_STRING, .offset = AT(material)},
	{.name = "reason", .type = MEMBER_STRING, .offset = AT(reason), .required = true},
	{.name = "until", .type = MEMBER_STRING, .offset = AT(until)},
	{.name = "by", .type = MEMBER_STRING, .offset = AT(by)},
	{.name = "at_most", .type = MEMBER_NUMBER, .offset = AT(at_most), .standard = INFINITY},
};

#undef AT

static const struct member_table file_table = MEMBER_TABLE(NULL, file_members);
static const struct member_table limits_table = MEMBER_TABLE("rules", limits_members);
static const struct member_table case_table = MEMBER_TABLE("for", case_members);
static const struct member_table suppression_table = MEMBER_TABLE("suppress", suppression_members);

const struct member_table *const check_rules_file_tables[] = {&file_table, &rules_settings_table,
	&limits_table, &case_table, &suppression_table, &rules_joint_limit_table, NULL};

/* --- Limits --- */

/* NAN where nothing is said. */
static bool read_limit(struct rules_reader *reader, const struct value *value, double *out) {
	*out = !value ? NAN : value->kind == VALUE_NUMBER ? value->number : INFINITY;
	return !value || value->kind == VALUE_NUMBER || rules_is_text(value, "off") ||
		value_error(value, reader->err, ERROR_INVALID_VALUE,
			"\"%s\" must be a number or \"off\"", value->key);
}

/* Of the limits that are said. */
static bool is_ordered(const struct check_limits *limits, bool below) {
	const double all[] = {limits->note, limits->warning, limits->error};
	double before = NAN;
	for (int i = 0; i < 3; i++) {
		if (isfinite(all[i])) {
			if (below ? all[i] > before : all[i] < before) {
				return false;
			}
			before = all[i];
		}
	}
	return true;
}

static bool check_order(struct rules_reader *reader, const struct value *value,
	const struct check_override *override) {
	for (size_t i = 0; i < reader->rules->count; i++) {
		const struct check_rule_info *rule = reader->rules->rules[i];
		if (check_glob(override->rule, rule->id) &&
			!is_ordered(&override->limits, rule->below)) {
			return value_error(value, reader->err, ERROR_INVALID_VALUE,
				"the limits of \"%s\" must not %s from note to error", rule->id,
				rule->below ? "rise" : "fall");
		}
	}
	return true;
}

static bool read_limits(
	struct rules_reader *reader, const struct value *value, struct check_override *out) {
	struct limits_form form = {.source = NULL};
	if (rules_is_text(value, "off")) {
		out->limits = (struct check_limits)CHECK_LIMITS_OFF;
		return true;
	}
	if (value->kind != VALUE_OBJECT) {
		return value_error(value, reader->err, ERROR_INVALID_VALUE,
			"%s, must be limits in an object, or \"off\"",
			value_kind_name(value->kind));
	}
	if (!rules_read_object(reader, value, &limits_table, &form) ||
		!read_limit(reader, form.levels[0], &out->limits.note) ||
		!read_limit(reader, form.levels[1], &out->limits.warning) ||
		!read_limit(reader, form.levels[2], &out->limits.error)) {
		return false;
	}
	out->at_most = form.at_most;
	out->source = form.source;
	out->as_of = form.as_of;
	return check_order(reader, value, out);
}

/* Reads the globs of an object, or its exact ids. */
static bool read_some_rules(struct rules_reader *reader, const struct value *value, bool globs,
	const struct check_override *where) {
	for (size_t i = 0; i < value->count; i++) {
		const struct value *item = &value->items[i];
		if (rules_is_glob(item->key) != globs) {
			continue;
		}
		if (reader->override_count == reader->override_most) {
			return value_error(item, reader->err, ERROR_TOO_LARGE,
				"limits are given more than %zu times", reader->override_most);
		}
		struct check_override *override = &reader->overrides[reader->override_count++];
		*override = *where;
		override->rule = item->key;
		if (!rules_check_name(reader, item, item->key) ||
			!read_limits(reader, item, override)) {
			return false;
		}
	}
	return true;
}

/* Globs come before exact ids, which have the last word. */
static bool read_rules(struct rules_reader *reader, const struct value *value,
	const struct check_override *where) {
	if (!value) {
		return true;
	}
	if (value->kind != VALUE_OBJECT) {
		return value_error(value, reader->err, ERROR_INVALID_VALUE,
			"\"rules\" is %s, must be an object", value_kind_name(value->kind));
	}
	return read_some_rules(reader, value, true, where) &&
		read_some_rules(reader, value, false, where);
}

static bool check_list(struct rules_reader *reader, const struct value *value, size_t most) {
	if (value->kind != VALUE_LIST) {
		return value_error(value, reader->err, ERROR_INVALID_VALUE,
			"\"%s\" is %s, must be a list", value->key, value_kind_name(value->kind));
	}
	return value->count <= most ||
		value_error(value, reader->err, ERROR_TOO_LARGE,
			"\"%s\" has %zu items, must have at most %zu", value->key, value->count,
			most);
}

static bool read_case(struct rules_reader *reader, const struct value *value) {
	struct case_form form = {.files = NULL};
	struct check_override where = {.limits = {NAN, NAN, NAN}};
	if (!rules_read_object(reader, value, &case_table, &form) ||
		!rules_read_names(reader, form.files, &where.files) ||
		!rules_read_names(reader, form.clips, &where.clips)) {
		return false;
	}
	if (!where.files && !where.clips) {
		return value_error(value, reader->err, ERROR_INVALID_VALUE,
			"\"files\" or \"clips\" must say what these rules are for");
	}
	return read_rules(reader, form.rules, &where);
}

static bool read_cases(struct rules_reader *reader, const struct value *value) {
	if (!value) {
		return true;
	}
	if (!check_list(reader, value, LIMIT_CHECK_OVERRIDES)) {
		return false;
	}
	for (size_t i = 0; i < value->count; i++) {
		if (!read_case(reader, &value->items[i])) {
			return false;
		}
	}
	return true;
}

/* --- Suppressions --- */

static bool is_date(const char *text) {
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	int year = 0, month = 0, day = 0;
	const bool formed = strlen(text) == 10 && strspn(text, "0123456789") == 4 &&
		text[4] == '-' && strspn(text + 5, "0123456789") == 2 && text[7] == '-' &&
		strspn(text + 8, "0123456789") == 2;
	if (!formed || sscanf(text, "%4d-%2d-%2d", &year, &month, &day) != 3) {
		return false;
	}
	const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
	return month >= 1 && month <= 12 && day >= 1 &&
		day <= days[month - 1] + (month == 2 && leap);
}

static bool read_suppression(
	struct rules_reader *reader, const struct value *value, struct check_suppression *out) {
	if (!rules_read_object(reader, value, &suppression_table, out) ||
		!rules_check_name(reader, value_member(value, "rule"), out->rule)) {
		return false;
	}
	if (!out->reason[strspn(out->reason, " \t\r\n")]) {
		return value_error(value_member(value, "reason"), reader->err, ERROR_INVALID_VALUE,
			"\"reason\" is empty, must say why this is accepted");
	}
	return !out->until || is_date(out->until) ||
		value_error(value_member(value, "until"), reader->err, ERROR_INVALID_VALUE,
			"\"until\" must be a date such as \"2027-06-30\"");
}

static bool read_suppressions(
	struct rules_reader *reader, const struct value *value, struct check_profile *out) {
	if (!value) {
		return true;
	}
	if (!check_list(reader, value, LIMIT_CHECK_SUPPRESSIONS)) {
		return false;
	}
	struct check_suppression *list = arena_alloc(reader->arena, value->count, sizeof *list);
	for (size_t i = 0; i < value->count; i++) {
		if (!read_suppression(reader, &value->items[i], &list[i])) {
			return false;
		}
	}
	out->suppressions = list;
	out->suppression_count = value->count;
	return true;
}

static bool check_version(struct rules_reader *reader, const struct value *value, double version) {
	if (version != floor(version) || version < 1) {
		return value_error(value, reader->err, ERROR_INVALID_VALUE,
			"\"version\" is %.15g, must be a whole number from 1 on", version);
	}
	return version <= CHECK_RULES_VERSION ||
		value_error(value, reader->err, ERROR_INVALID_VALUE,
			"\"version\" is %.15g, and this build reads rules files up to version %d",
			version, CHECK_RULES_VERSION);
}

bool check_rules_file_read(const struct value *file, const char *name,
	const struct check_rule_list *rules, struct arena *arena, struct check_profile *out,
	struct error *err) {
	struct file_form form = {.version = 0};
	const struct check_override everywhere = {.limits = {NAN, NAN, NAN}};
	struct rules_reader reader = {
		.rules = rules, .arena = arena, .names_left = LIMIT_CHECK_NAMES, .err = err};
	if (!rules_read_object(&reader, file, &file_table, &form) ||
		!check_version(&reader, value_member(file, "version"), form.version)) {
		return false;
	}
	reader.override_most = LIMIT_CHECK_OVERRIDES;
	reader.overrides = arena_alloc(arena, reader.override_most, sizeof *reader.overrides);
	*out = check_profile_builtin(form.extends);
	out->name = name;
	out->version = (int)form.version;
	if (!rules_read_settings(&reader, form.settings, &out->settings) ||
		!read_rules(&reader, form.rules, &everywhere) || !read_cases(&reader, form.cases) ||
		!read_suppressions(&reader, form.suppress, out)) {
		return false;
	}
	out->overrides = reader.overrides;
	out->override_count = reader.override_count;
	return true;
}
