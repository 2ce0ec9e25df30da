// Baselines: the findings of an earlier report beside those of a new one.
#include "checks/baseline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

#define SCHEMA "posed-check/1"

/* A finding of the earlier report. */
struct known {
	const char *path; // of its file
	const char *rule, *message, *fix, *clip, *joint, *material, *fingerprint, *suppressed;
	enum check_level level;
	enum check_state state;
	double value, threshold;
	size_t order; // among all of them
};

struct check_baseline {
	const char *build, *skinning, *digest; // NULL = it does not say
	struct known *list;                    // [count] by fingerprint, the worst first
	const struct known **by_path;          // [count] by file, then in the report's order
	size_t count;
};

/* --- Reading --- */

struct report_form {
	const char *schema, *build, *skinning;
	const struct value *profile, *files;
};

#define AT(field) offsetof(struct report_form, field)

static const struct member report_members[] = {
	{.name = "schema", .type = MEMBER_STRING, .offset = AT(schema)},
	{.name = "build", .type = MEMBER_STRING, .offset = AT(build)},
	{.name = "skinning", .type = MEMBER_STRING, .offset = AT(skinning)},
	{.name = "profile", .type = MEMBER_ANY, .offset = AT(profile)},
	{.name = "files", .type = MEMBER_ANY, .offset = AT(files), .required = true},
};

#undef AT
#define AT(field) offsetof(struct check_baseline, field)

static const struct member profile_members[] = {
	{.name = "digest", .type = MEMBER_STRING, .offset = AT(digest)},
};

#undef AT

struct file_form {
	const char *path;
	const struct value *findings;
};

#define AT(field) offsetof(struct file_form, field)

static const struct member file_members[] = {
	{.name = "path", .type = MEMBER_STRING, .offset = AT(path), .required = true},
	{.name = "findings", .type = MEMBER_ANY, .offset = AT(findings), .required = true},
};

#undef AT
#define AT(field) offsetof(struct known, field)

static const struct member finding_members[] = {
	{.name = "rule", .type = MEMBER_STRING, .offset = AT(rule), .required = true},
	{.name = "level",
		.type = MEMBER_CHOICE,
		.offset = AT(level),
		.choices = check_level_names,
		.required = true},
	{.name = "message", .type = MEMBER_STRING, .offset = AT(message)},
	{.name = "fix", .type = MEMBER_STRING, .offset = AT(fix)},
	{.name = "clip", .type = MEMBER_STRING, .offset = AT(clip)},
	{.name = "joint", .type = MEMBER_STRING, .offset = AT(joint)},
	{.name = "material", .type = MEMBER_STRING, .offset = AT(material)},
	{.name = "fingerprint", .type = MEMBER_STRING, .offset = AT(fingerprint), .required = true},
	{.name = "suppressed", .type = MEMBER_STRING, .offset = AT(suppressed)},
	{.name = "state", .type = MEMBER_CHOICE, .offset = AT(state), .choices = check_state_names},
	{.name = "value", .type = MEMBER_NUMBER, .offset = AT(value), .standard = NAN},
	{.name = "threshold", .type = MEMBER_NUMBER, .offset = AT(threshold), .standard = NAN},
};

#undef AT

static const struct member_table report_table = MEMBER_TABLE(NULL, report_members);
static const struct member_table profile_table = MEMBER_TABLE("profile", profile_members);
static const struct member_table file_table = MEMBER_TABLE("files", file_members);
static const struct member_table finding_table = MEMBER_TABLE("findings", finding_members);

/* Additions of later builds are left alone. */
static bool read_known(const struct value *object, const struct member_table *table, void *out,
	struct error *err) {
	const struct member_reading reading = {table, out};
	return value_read_known_tables(object, &reading, 1, err);
}

static bool is_report(const struct value *report, const char *schema, struct error *err) {
	if (!schema) {
		return value_error(report, err, ERROR_INVALID_VALUE,
			"this is no JSON report of a check, whose \"schema\" is \"%s\"", SCHEMA);
	}
	char given[UTF8_QUOTED_BYTES];
	utf8_quote(schema, given, sizeof given);
	return strcmp(schema, SCHEMA) == 0 ||
		value_error(value_member(report, "schema"), err, ERROR_INVALID_VALUE,
			"\"schema\" is %s; a report of a check has \"%s\"", given, SCHEMA);
}

static bool check_list(const struct value *value, struct error *err) {
	return value->kind == VALUE_LIST ||
		value_error(value, err, ERROR_INVALID_VALUE, "\"%s\" is %s, must be a list",
			value->key, value_kind_name(value->kind));
}

static bool check_fingerprint(const struct value *finding, const char *text, struct error *err) {
	const size_t digits = CHECK_FINGERPRINT_BYTES - 1;
	return (strlen(text) == digits && strspn(text, "0123456789abcdef") == digits) ||
		value_error(value_member(finding, "fingerprint"), err, ERROR_INVALID_VALUE,
			"\"fingerprint\" must be %zu hexadecimal digits", digits);
}

static bool read_file(
	const struct value *value, struct check_baseline *baseline, struct error *err) {
	struct file_form form = {.path = NULL};
	if (!read_known(value, &file_table, &form, err) || !check_list(form.findings, err)) {
		return false;
	}
	for (size_t i = 0; i < form.findings->count; i++) {
		const struct value *finding = &form.findings->items[i];
		struct known *known = &baseline->list[baseline->count];
		if (!read_known(finding, &finding_table, known, err) ||
			!check_fingerprint(finding, known->fingerprint, err)) {
			return false;
		}
		known->path = form.path;
		known->order = baseline->count++;
	}
	return true;
}

/* Findings of all files, those of malformed files left out. */
static size_t count_findings(const struct value *files) {
	size_t count = 0;
	for (size_t i = 0; i < files->count; i++) {
		const struct value *findings = value_member(&files->items[i], "findings");
		count += findings && findings->kind == VALUE_LIST ? findings->count : 0;
	}
	return count;
}

static int by_fingerprint(const void *a, const void *b) {
	const struct known *x = a, *y = b;
	const int order = strcmp(x->fingerprint, y->fingerprint);
	if (order != 0) {
		return order;
	}
	return x->level != y->level ? (x->level < y->level) - (x->level > y->level)
				    : (x->order > y->order) - (x->order < y->order);
}

static int by_path(const void *a, const void *b) {
	const struct known *const *x = a, *const *y = b;
	const int order = strcmp((*x)->path, (*y)->path);
	return order != 0 ? order : ((*x)->order > (*y)->order) - ((*x)->order < (*y)->order);
}

static void sort(struct check_baseline *baseline, struct arena *arena) {
	qsort(baseline->list, baseline->count, sizeof *baseline->list, by_fingerprint);
	baseline->by_path = arena_alloc(arena, baseline->count, sizeof *baseline->by_path);
	for (size_t i = 0; i < baseline->count; i++) {
		baseline->by_path[i] = &baseline->list[i];
	}
	qsort(baseline->by_path, baseline->count, sizeof *baseline->by_path, by_path);
}

const struct check_baseline *check_baseline_read(
	const struct value *report, struct arena *arena, struct error *err) {
	struct check_baseline *baseline = arena_alloc(arena, 1, sizeof *baseline);
	struct report_form form = {.schema = NULL};
	const struct value *schema = value_member(report, "schema");
	const bool is_text = schema && schema->kind == VALUE_STRING;
	if (!is_report(report, is_text ? schema->string : NULL, err) ||
		!read_known(report, &report_table, &form, err) || !check_list(form.files, err) ||
		(form.profile && !read_known(form.profile, &profile_table, baseline, err))) {
		return NULL;
	}
	baseline->build = form.build;
	baseline->skinning = form.skinning;
	baseline->list = arena_alloc(arena, count_findings(form.files), sizeof *baseline->list);
	for (size_t i = 0; i < form.files->count; i++) {
		if (!read_file(&form.files->items[i], baseline, err)) {
			return NULL;
		}
	}
	sort(baseline, arena);
	return baseline;
}

/* --- Comparing --- */

/* A run that is compared with a baseline. */
struct comparison {
	const struct check_baseline *baseline;
	const struct check_report *report;
	bool *seen; // [baseline->count] findings that are still there
	struct arena *arena;
};

/* The position of the first finding that has a fingerprint, or where it would be. */
static size_t lower_bound(const struct check_baseline *baseline, const char *fingerprint) {
	size_t from = 0, to = baseline->count;
	while (from < to) {
		const size_t middle = from + (to - from) / 2;
		if (strcmp(baseline->list[middle].fingerprint, fingerprint) < 0) {
			from = middle + 1;
		} else {
			to = middle;
		}
	}
	return from;
}

/* The finding that is known by a fingerprint, and still was there at that time; NULL = none. */
static const struct known *find_known(
	const struct comparison *comparison, const char *fingerprint) {
	const struct check_baseline *baseline = comparison->baseline;
	const struct known *found = NULL;
	for (size_t i = lower_bound(baseline, fingerprint); i < baseline->count; i++) {
		const struct known *known = &baseline->list[i];
		if (strcmp(known->fingerprint, fingerprint) != 0) {
			break;
		}
		comparison->seen[i] = true;
		found = !found && known->state != CHECK_STATE_ABSENT ? known : found;
	}
	return found;
}

/* True when a value is so much worse that somebody should look again. Halves of the threshold are
 * the steps: what lies between two of them is no news. */
static bool is_worse(double value, double before, double threshold, bool below) {
	const double step = fabs(threshold) / 2;
	if (below) {
		return value < before / 1.1 &&
			(!(step > 0) || value <= (ceil(before / step) - 1) * step);
	}
	return value > before * 1.1 &&
		(!(step > 0) || !isfinite(step) || value >= (floor(before / step) + 1) * step);
}

static enum check_state state_of(
	const struct comparison *comparison, const struct check_finding *finding) {
	const bool below = comparison->report->rules[finding->at.rule]->below;
	const struct known *known = find_known(comparison, finding->fingerprint);
	if (!known) {
		return CHECK_STATE_NEW;
	}
	const bool speaks_again = known->suppressed && !finding->suppressed;
	const bool worse = finding->level > known->level || speaks_again ||
		is_worse(finding->at.value, known->value, finding->threshold, below);
	return worse ? CHECK_STATE_UPDATED : CHECK_STATE_UNCHANGED;
}

/* --- Findings that are gone --- */

static int rule_index(const struct check_report *report, const char *id) {
	for (size_t i = 0; i < report->rule_count; i++) {
		if (strcmp(report->rules[i]->id, id) == 0) {
			return (int)i;
		}
	}
	return -1;
}

static int clip_index(const struct check_file *file, const char *name) {
	for (size_t i = 0; name && i < file->clip_count; i++) {
		if (strcmp(file->clips[i].name, name) == 0) {
			return (int)i;
		}
	}
	return -1;
}

/* True when a rule was applied to a clip of a file; of a clip that is no more, to any. */
static bool was_measured(const struct check_file *file, int rule, int clip) {
	for (size_t i = 0; i < file->measurement_count; i++) {
		const struct check_measurement *at = &file->measurements[i];
		if (at->rule == rule && (clip < 0 || at->clip == clip)) {
			return true;
		}
	}
	return false;
}

/* Of several of one fingerprint the worst stands for all. */
static bool is_gone(const struct comparison *comparison, const struct check_file *file,
	const struct known *known) {
	const struct check_baseline *baseline = comparison->baseline;
	const size_t at = (size_t)(known - baseline->list);
	const int rule = rule_index(comparison->report, known->rule);
	return known->state != CHECK_STATE_ABSENT && rule >= 0 && !comparison->seen[at] &&
		lower_bound(baseline, known->fingerprint) == at &&
		was_measured(file, rule, clip_index(file, known->clip));
}

static struct check_finding absent_finding(const struct check_report *report,
	const struct check_file *file, const struct known *known) {
	struct check_finding finding = {
		.at = {.rule = rule_index(report, known->rule),
			.clip = clip_index(file, known->clip),
			.value = known->value,
			.absolute = NAN,
			.time_s = NAN,
			.sample = -1,
			.joint = known->joint,
			.joint_index = -1,
			.material = known->material},
		.level = known->level,
		.threshold = known->threshold,
		.error_limit = INFINITY,
		.message = known->message ? known->message : "",
		.fix = known->fix,
		.count = 1,
		.state = CHECK_STATE_ABSENT,
		.suppressed = known->suppressed,
	};
	memcpy(finding.fingerprint, known->fingerprint, CHECK_FINGERPRINT_BYTES);
	return finding;
}

/* The first known finding of a file, in the order by path. */
static size_t first_of_file(const struct check_baseline *baseline, const char *path) {
	size_t from = 0, to = baseline->count;
	while (from < to) {
		const size_t middle = from + (to - from) / 2;
		if (strcmp(baseline->by_path[middle]->path, path) < 0) {
			from = middle + 1;
		} else {
			to = middle;
		}
	}
	return from;
}

static size_t count_of_file(const struct check_baseline *baseline, size_t first, const char *path) {
	size_t count = 0;
	while (first + count < baseline->count &&
		strcmp(baseline->by_path[first + count]->path, path) == 0) {
		count++;
	}
	return count;
}

static void compare_file(const struct comparison *comparison, struct check_file *file) {
	const struct check_baseline *baseline = comparison->baseline;
	const size_t first = first_of_file(baseline, file->path);
	const size_t known_count = count_of_file(baseline, first, file->path);
	size_t count = file->finding_count;
	struct check_finding *findings =
		arena_alloc(comparison->arena, count + known_count, sizeof *findings);
	for (size_t i = 0; i < count; i++) {
		findings[i] = file->findings[i];
		findings[i].state = state_of(comparison, &findings[i]);
	}
	for (size_t i = first; !file->refused && i < first + known_count; i++) {
		const struct known *known = baseline->by_path[i];
		if (is_gone(comparison, file, known)) {
			findings[count++] = absent_finding(comparison->report, file, known);
		}
	}
	file->findings = findings;
	file->finding_count = count;
}

static void remark(struct check_report *report, const char **remarks, const char *what,
	const char *before, const char *now, struct arena *arena) {
	if (before && now && strcmp(before, now) != 0) {
		remarks[report->remark_count++] = arena_printf(arena,
			"The baseline was made with another %s: %s, now %s.", what, before, now);
	}
}

void check_baseline_apply(
	const struct check_baseline *baseline, struct check_report *report, struct arena *arena) {
	bool *seen = arena_alloc(arena, baseline->count, sizeof *seen);
	const struct comparison comparison = {baseline, report, seen, arena};
	struct check_file *files = arena_alloc(arena, report->file_count, sizeof *files);
	for (size_t i = 0; i < report->file_count; i++) {
		files[i] = report->files[i];
		compare_file(&comparison, &files[i]);
	}
	const char **remarks = arena_alloc(arena, report->remark_count + 3, sizeof *remarks);
	for (size_t i = 0; i < report->remark_count; i++) {
		remarks[i] = report->remarks[i];
	}
	remark(report, remarks, "profile", baseline->digest, report->digest, arena);
	remark(report, remarks, "build", baseline->build, report->build, arena);
	remark(report, remarks, "skinning method", baseline->skinning, report->skinning, arena);
	report->remarks = remarks;
	report->files = files;
	report->has_baseline = true;
}
