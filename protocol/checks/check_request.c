// Requests for checks, and checks in the background.
#include "checks/check_request.h"

#include <string.h>

#include "limits.h"

/* A request before its lists are read. */
struct said {
	const char *path;
	const struct value *profile, *only, *skip, *clips, *rig, *rigs, *against, *baseline;
	enum check_evidence evidence;
	bool timing;
};

#define AT(field) offsetof(struct said, field)

static const char *const evidences[] = {
	[CHECK_EVIDENCE_NONE] = "none",
	[CHECK_EVIDENCE_PICTURES] = "pictures",
	[CHECK_EVIDENCE_ANIMATED] = "animated",
	NULL,
};

#define SHARED_ROWS \
	{"profile", MEMBER_ANY, .offset = AT(profile), .parameter = "profile", \
		.help = "what is held against what limits: a profile's name"}, \
		{"only", MEMBER_ANY, .offset = AT(only), .text = TEXT_NAMES, .parameter = "only", \
			.help = "rules to apply, such as motion/*"}, \
		{"skip", MEMBER_ANY, .offset = AT(skip), .text = TEXT_NAMES, .parameter = "skip", \
			.help = "rules to leave out"}, \
		{"clips", MEMBER_ANY, .offset = AT(clips), .text = TEXT_NAMES, \
			.parameter = "clips", .help = "names of clips to look at, such as Walk*"}, \
		{"evidence", MEMBER_CHOICE, .offset = AT(evidence), .choices = evidences, \
			.parameter = "evidence", .help = "pictures of findings"}, \
	{ \
		"timing", MEMBER_BOOL, .offset = AT(timing), .parameter = "timing", \
				       .help = "with the times that the checks took" \
	}

static const struct member shared_rows[] = {SHARED_ROWS};

static const struct member against_rows[] = {
	{"rig", MEMBER_STRING, .offset = offsetof(struct check_request, against), .required = true,
		.source_offset = offsetof(struct check_request, against_source)},
};

static const struct member_table against_table = MEMBER_TABLE("against", against_rows);

static const struct member json_rows[] = {
	{"rig", MEMBER_ANY, .offset = AT(rig)},
	{"rigs", MEMBER_ANY, .offset = AT(rigs)},
	{"against", MEMBER_ANY, .offset = AT(against), .members = &against_table},
	{"baseline", MEMBER_ANY, .offset = AT(baseline)},
};

static const struct member asset_rows[] = {
	{"path", MEMBER_STRING, .offset = AT(path), .parameter = "path",
		.help = "the asset's path, for reports and the globs of rules files"},
	SHARED_ROWS,
};

const struct member_table check_members = MEMBER_TABLE(NULL, shared_rows);
const struct member_table check_json_members = MEMBER_TABLE(NULL, json_rows);
const struct member_table check_asset_query_members = MEMBER_TABLE(NULL, asset_rows);

/* Path of an asset that came without one. */
#define NO_PATH "asset"

static bool check_text(const struct value *value, const char *name, struct error *err) {
	return (value->kind == VALUE_STRING && *value->string) ||
		value_error(value, err, ERROR_INVALID_VALUE,
			"\"%s\" must have names that are not empty", name);
}

/* A list of texts, each at least one byte; there are at least one and at most so many of them. */
static bool check_list(const struct value *list, const char *name, size_t most, struct error *err) {
	if (list->kind != VALUE_LIST || list->count == 0) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"\"%s\" must be a list of 1 to %zu names", name, most);
	}
	if (list->count > most) {
		return value_error(list, err, ERROR_TOO_LARGE, "\"%s\" has %zu names, may have %zu",
			name, list->count, most);
	}
	size_t i = 0;
	while (i < list->count && check_text(&list->items[i], name, err)) {
		i++;
	}
	return i == list->count;
}

static bool matches_rule(const char *glob, const struct check_rule_list *rules) {
	size_t i = 0;
	while (i < rules->count && !check_glob(glob, rules->rules[i]->id)) {
		i++;
	}
	return i < rules->count;
}

/* list NULL = there are none. rules NULL = the globs are of something else. */
static bool read_globs(const struct value *list, const char *name,
	const struct check_rule_list *rules, struct arena *arena, check_globs *out,
	struct error *err) {
	if (!list) {
		return true;
	}
	if (!check_list(list, name, LIMIT_CHECK_GLOBS, err)) {
		return false;
	}
	const char **globs = arena_alloc(arena, list->count + 1, sizeof *globs);
	for (size_t i = 0; i < list->count; i++) {
		globs[i] = list->items[i].string;
		if (rules && !matches_rule(globs[i], rules)) {
			return value_error(&list->items[i], err, ERROR_INVALID_VALUE,
				"no rule is called \"%.80s\"; GET /v1/checks/rules lists them",
				globs[i]);
		}
	}
	*out = globs;
	return true;
}

static bool check_profile_kind(const struct value *profile, struct error *err) {
	return !profile || profile->kind == VALUE_STRING || profile->kind == VALUE_OBJECT ||
		value_error(profile, err, ERROR_INVALID_VALUE,
			"\"profile\" must be a profile's name or the object of a rules file");
}

static bool read_settings(const struct said *said, const struct check_rule_list *rules,
	struct arena *arena, struct check_request *out, struct error *err) {
	out->path = said->path && *said->path ? said->path : NO_PATH;
	out->profile = said->profile;
	out->baseline = said->baseline;
	out->evidence = said->evidence;
	out->timing = said->timing;
	if (strlen(out->path) > LIMIT_CHECK_PATH_BYTES) {
		return error_at(err, ERROR_TOO_LARGE, "/path",
			"\"path\" has %zu bytes, may have %d", strlen(out->path),
			LIMIT_CHECK_PATH_BYTES);
	}
	return check_profile_kind(said->profile, err) &&
		read_globs(said->only, "only", rules, arena, &out->only, err) &&
		read_globs(said->skip, "skip", rules, arena, &out->skip, err) &&
		read_globs(said->clips, "clips", NULL, arena, &out->clips, err);
}

static bool read_against(
	const struct value *against, struct check_request *out, struct error *err) {
	if (against && out->rig_count > 1) {
		return value_error(against, err, ERROR_INVALID_VALUE,
			"\"against\" is for one \"rig\", the later version");
	}
	return !against || value_read_table(against, &against_table, out, err);
}

static bool read_rigs(const struct value *body, const struct said *said, struct arena *arena,
	struct check_request *out, struct error *err) {
	if (!said->rig == !said->rigs) {
		return value_error(said->rigs ? said->rigs : body, err, ERROR_INVALID_VALUE,
			"a check is of one \"rig\" or of several \"rigs\"");
	}
	if (said->rig ? !check_text(said->rig, "rig", err)
		      : !check_list(said->rigs, "rigs", LIMIT_CHECK_RIGS, err)) {
		return false;
	}
	out->rig_count = said->rig ? 1 : said->rigs->count;
	const struct value **rigs = arena_alloc(arena, out->rig_count, sizeof *rigs);
	for (size_t i = 0; i < out->rig_count; i++) {
		rigs[i] = said->rig ? said->rig : &said->rigs->items[i];
	}
	out->rigs = rigs;
	return true;
}

bool request_read_check(const struct value *body, const struct check_rule_list *rules,
	struct arena *arena, struct check_request *out, struct error *err) {
	struct said said = {0};
	const struct member_reading readings[] = {
		{&check_members, &said},
		{&check_json_members, &said},
	};
	*out = (struct check_request){0};
	return value_read_tables(body, readings, sizeof readings / sizeof *readings, err) &&
		read_rigs(body, &said, arena, out, err) && read_against(said.against, out, err) &&
		read_settings(&said, rules, arena, out, err);
}

bool query_read_check(const struct query_parameter *parameters, size_t count, bool asset,
	const struct check_rule_list *rules, struct arena *arena, struct check_request *out,
	struct error *err) {
	struct said said = {0};
	*out = (struct check_request){0};
	return query_read(arena, asset ? &check_asset_query_members : &check_members, parameters,
		       count, &said, err) &&
		read_settings(&said, rules, arena, out, err);
}

/* --- Tasks --- */

/* The share of the work that is done: of the clips, which take most of it. */
static double progress(const struct check_task_description *task) {
	if (task->state == TASK_DONE) {
		return 1;
	}
	return task->clips > 0 && task->clips_done <= task->clips
		? (double)task->clips_done / (double)task->clips
		: 0;
}

void check_task_write(const struct check_task_description *task, struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	json_write_member_string(&json, "id", task->id);
	json_write_member_string(&json, "state", task_state_name(task->state));
	json_write_member_double(&json, "progress", progress(task));
	json_write_member_integer(&json, "clips_done", (int64_t)task->clips_done);
	json_write_member_integer(&json, "clips", (int64_t)task->clips);
	if (task->state == TASK_FAILED) {
		task_write_error(&json, &task->error);
	}
	json_write_end_object(&json);
}
