// Reports as SARIF 2.1.0.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "checks/report_parts.h"
#include "checks/report_text.h"
#include "url_text.h"

/* Code hosts refuse a run of more results. */
#define RESULTS_MAX 25000

static const char schema[] = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
			     "sarif-schema-2.1.0.json";

/* A run on its way out. */
struct run {
	const struct check_report *report;
	const struct check_report_options *options;
	struct json_writer *json;
	int pictures; // artifacts so far
};

static void begin(struct run *run, const char *name) {
	json_write_key(run->json, name);
	json_write_begin_object(run->json);
}

static void end(struct run *run) {
	json_write_end_object(run->json);
}

static void begin_list(struct run *run, const char *name) {
	json_write_key(run->json, name);
	json_write_begin_list(run->json);
}

static void end_list(struct run *run) {
	json_write_end_list(run->json);
}

/* A member that is an object with a text in it. */
static void put_message(struct run *run, const char *name, const char *text) {
	if (text && *text) {
		begin(run, name);
		json_write_member_string(run->json, "text", text);
		end(run);
	}
}

static void put_buffer(struct run *run, const char *name, struct buffer *text) {
	buffer_append(text, "", 1);
	json_write_member_string(run->json, name, (const char *)text->data);
	buffer_finish(text);
}

/* The highest level that a rule can have. */
static const char *level_of_rule(const struct check_limits *limits) {
	return isfinite(limits->error)      ? "error"
		: isfinite(limits->warning) ? "warning"
		: isfinite(limits->note)    ? "note"
					    : "none";
}

static void add_paragraph(struct buffer *text, const char *head, const char *body) {
	if (body && *body) {
		text_printf(text, "%s%s%s", text->size ? "\n\n" : "", head, body);
	}
}

/* Rules' texts are ours: markup in them is meant. */
static void put_help(struct run *run, const struct check_rule_info *rule) {
	struct buffer plain = {0}, markdown = {0};
	add_paragraph(&plain, "", rule->effect);
	add_paragraph(&plain, "Blender: ", rule->blender);
	add_paragraph(&plain, "Maya: ", rule->maya);
	add_paragraph(&markdown, "**What is measured.** ", rule->definition);
	add_paragraph(&markdown, "**What a player sees.** ", rule->effect);
	add_paragraph(&markdown, "**In Blender.** ", rule->blender);
	add_paragraph(&markdown, "**In Maya.** ", rule->maya);
	if (!plain.size) {
		add_paragraph(&plain, "", rule->id);
	}
	begin(run, "help");
	put_buffer(run, "text", &plain);
	if (markdown.size) {
		put_buffer(run, "markdown", &markdown);
	}
	end(run);
	buffer_finish(&markdown);
}

static void put_rule(struct run *run, const struct check_rule_info *rule) {
	const struct check_profile *profile = run->report->resolved;
	const struct check_limits limits =
		profile ? check_profile_limits(profile, rule, NULL, NULL, NULL) : rule->limits;
	json_write_begin_object(run->json);
	json_write_member_string(run->json, "id", rule->id);
	put_message(run, "shortDescription", rule->catches);
	put_message(run, "fullDescription", rule->definition);
	put_help(run, rule);
	begin(run, "defaultConfiguration");
	json_write_member_string(run->json, "level", level_of_rule(&limits));
	end(run);
	begin(run, "properties");
	report_json_string(run->json, "unit", rule->unit);
	report_json_string(run->json, "khronos", rule->khronos);
	end(run);
	json_write_end_object(run->json);
}

/* "0.1.0" of "posed 0.1.0 (...)"; empty if there is no such word. */
static void version_of(const char *build, char version[static 32]) {
	const char *start = build;
	while (*start &&
		!(isdigit((unsigned char)*start) && (start == build || start[-1] == ' '))) {
		start++;
	}
	snprintf(version, 32, "%.*s", (int)strspn(start, "0123456789."), start);
}

static void put_tool(struct run *run) {
	char version[32];
	version_of(run->report->build, version);
	begin(run, "tool");
	begin(run, "driver");
	json_write_member_string(run->json, "name", "posed");
	json_write_member_string(run->json, "fullName", run->report->build);
	if (*version) {
		json_write_member_string(run->json, "semanticVersion", version);
	}
	begin_list(run, "rules");
	for (size_t i = 0; i < run->report->rule_count; i++) {
		put_rule(run, run->report->rules[i]);
	}
	end_list(run);
	end(run);
	end(run);
}

/* The part of a path below the root; the path itself if it is not below. */
static const char *below_root(const struct run *run, const char *path) {
	const char *root = run->options->srcroot;
	const size_t length = root ? strlen(root) : 0;
	const bool below = length && strncmp(path, root, length) == 0 &&
		(path[length] == '/' || root[length - 1] == '/');
	path += below ? length : 0;
	while (below && *path == '/') {
		path++;
	}
	return strncmp(path, "./", 2) == 0 ? path + 2 : path;
}

static void put_artifact_location(struct run *run, const char *path) {
	const char *relative = below_root(run, path);
	struct buffer uri = {0};
	text_put(&uri, *relative == '/' ? "file://" : "");
	text_put_uri_path(&uri, relative);
	begin(run, "artifactLocation");
	put_buffer(run, "uri", &uri);
	if (*relative != '/') {
		json_write_member_string(run->json, "uriBaseId", "SRCROOT");
	}
	end(run);
}

static void put_physical_location(struct run *run, const char *path) {
	begin(run, "physicalLocation");
	put_artifact_location(run, path);
	begin(run, "region");
	json_write_member_integer(run->json, "startLine", 1);
	end(run);
	end(run);
}

static void put_logical_location(
	struct run *run, const struct check_file *file, const struct check_measurement *at) {
	const char *clip = report_clip(file, at->clip);
	const char *part = at->joint ? at->joint : at->material;
	if (!clip && !part) {
		return;
	}
	struct buffer name = {0};
	text_printf(&name, "%s%s%s", clip ? clip : "", clip && part ? "/" : "", part ? part : "");
	begin_list(run, "logicalLocations");
	json_write_begin_object(run->json);
	put_buffer(run, "fullyQualifiedName", &name);
	json_write_member_string(run->json, "name", part ? part : clip);
	json_write_member_string(run->json, "kind", "member");
	json_write_end_object(run->json);
	end_list(run);
}

static void put_locations(
	struct run *run, const struct check_file *file, const struct check_measurement *at) {
	begin_list(run, "locations");
	json_write_begin_object(run->json);
	put_physical_location(run, file->path);
	put_logical_location(run, file, at);
	json_write_end_object(run->json);
	end_list(run);
}

static void put_suppression(struct run *run, const struct check_finding *finding) {
	if (finding->suppressed) {
		begin_list(run, "suppressions");
		json_write_begin_object(run->json);
		json_write_member_string(run->json, "kind", "external");
		json_write_member_string(run->json, "justification", finding->suppressed);
		json_write_end_object(run->json);
		end_list(run);
	}
}

/* By how much of an error's limit; of rules that speak below their limits the other way round. */
static double rank_of(const struct check_finding *finding, bool below) {
	const double limit = finding->error_limit, value = finding->at.value;
	const double share = below ? limit / value : value / limit;
	return isfinite(limit) && share >= 0 ? 100 * fmin(1, share) : NAN;
}

static void put_picture_uri(
	struct run *run, const struct check_finding *finding, const struct check_picture *picture) {
	const char *ending = strrchr(picture->type, '/');
	struct buffer uri = {0};
	text_printf(&uri, "pictures/%s-", finding->fingerprint);
	text_put_uri_component(&uri, picture->label);
	text_put(&uri, ".");
	text_put_uri_component(&uri, ending ? ending + 1 : "bin");
	put_buffer(run, "uri", &uri);
}

static void put_attachments(struct run *run, const struct check_finding *finding) {
	if (!finding->picture_count) {
		return;
	}
	begin_list(run, "attachments");
	for (size_t i = 0; i < finding->picture_count; i++) {
		json_write_begin_object(run->json);
		put_message(run, "description", finding->pictures[i].label);
		begin(run, "artifactLocation");
		put_picture_uri(run, finding, &finding->pictures[i]);
		json_write_member_integer(run->json, "index", run->pictures++);
		end(run);
		json_write_end_object(run->json);
	}
	end_list(run);
}

static void put_properties(struct run *run, const struct check_finding *finding) {
	const struct check_measurement *at = &finding->at;
	begin(run, "properties");
	report_json_number(run->json, "value", at->value);
	report_json_number(run->json, "threshold", finding->threshold);
	report_json_number(run->json, "time", at->time_s);
	report_json_string(run->json, "pointer", at->pointer);
	report_json_string(run->json, "fix", finding->fix);
	end(run);
}

static void put_result(
	struct run *run, const struct check_file *file, const struct check_finding *finding) {
	const struct check_rule_info *rule = run->report->rules[finding->at.rule];
	json_write_begin_object(run->json);
	json_write_member_string(run->json, "ruleId", rule->id);
	json_write_member_integer(run->json, "ruleIndex", finding->at.rule);
	json_write_member_string(run->json, "level",
		finding->level == CHECK_OK ? "none" : check_level_names[finding->level]);
	put_message(run, "message",
		finding->message && *finding->message ? finding->message : rule->id);
	put_locations(run, file, &finding->at);
	begin(run, "partialFingerprints");
	json_write_member_string(run->json, "posed/v1", finding->fingerprint);
	end(run);
	if (finding->count > 1) {
		json_write_member_integer(run->json, "occurrenceCount", finding->count);
	}
	if (finding->state != CHECK_STATE_NONE) {
		json_write_member_string(
			run->json, "baselineState", check_state_names[finding->state]);
	}
	put_suppression(run, finding);
	report_json_number(run->json, "rank", rank_of(finding, rule->below));
	put_attachments(run, finding);
	put_properties(run, finding);
	json_write_end_object(run->json);
}

typedef void result_visitor(
	struct run *run, const struct check_file *file, const struct check_finding *finding);

/* Visits findings in their order; of notes only so many that the run stays within its limit, and of
 * warnings, should they be too many, and so on. */
static void visit_results(struct run *run, result_visitor *visit) {
	const struct check_report *report = run->report;
	size_t counts[CHECK_LEVEL_COUNT] = {0}, left = RESULTS_MAX;
	for (size_t i = 0; i < report->file_count; i++) {
		for (size_t k = 0; k < report->files[i].finding_count; k++) {
			counts[report->files[i].findings[k].level]++;
		}
	}
	for (int level = CHECK_ERROR; level >= CHECK_OK; level--) {
		counts[level] = counts[level] < left ? counts[level] : left;
		left -= counts[level];
	}
	for (size_t i = 0; i < report->file_count; i++) {
		for (size_t k = 0; k < report->files[i].finding_count; k++) {
			const struct check_finding *finding = &report->files[i].findings[k];
			if (counts[finding->level] > 0) {
				counts[finding->level]--;
				visit(run, &report->files[i], finding);
			}
		}
	}
}

static void put_artifacts_of(
	struct run *run, const struct check_file *file, const struct check_finding *finding) {
	(void)file;
	for (size_t i = 0; i < finding->picture_count; i++) {
		const struct check_picture *picture = &finding->pictures[i];
		struct buffer base64 = {0};
		text_put_base64(&base64, picture->bytes, picture->size);
		json_write_begin_object(run->json);
		begin(run, "location");
		put_picture_uri(run, finding, picture);
		end(run);
		json_write_member_string(run->json, "mimeType", picture->type);
		begin(run, "contents");
		put_buffer(run, "binary", &base64);
		end(run);
		json_write_end_object(run->json);
	}
}

static void put_notification(
	struct run *run, const char *path, const char *level, const char *text) {
	json_write_begin_object(run->json);
	put_message(run, "message", text);
	json_write_member_string(run->json, "level", level);
	if (path) {
		begin_list(run, "locations");
		json_write_begin_object(run->json);
		put_physical_location(run, path);
		json_write_end_object(run->json);
		end_list(run);
	}
	json_write_end_object(run->json);
}

static void put_notifications(struct run *run) {
	const struct check_report *report = run->report;
	begin_list(run, "toolExecutionNotifications");
	for (size_t i = 0; i < report->file_count; i++) {
		if (report->files[i].refused) {
			put_notification(
				run, report->files[i].path, "error", report->files[i].refused);
		}
	}
	for (size_t i = 0; i < report->remark_count; i++) {
		put_notification(run, NULL, "note", report->remarks[i]);
	}
	end_list(run);
}

static void put_invocation(struct run *run) {
	bool refused = false;
	for (size_t i = 0; i < run->report->file_count; i++) {
		refused = refused || run->report->files[i].refused;
	}
	begin_list(run, "invocations");
	json_write_begin_object(run->json);
	json_write_member_bool(run->json, "executionSuccessful", !refused);
	put_notifications(run);
	json_write_end_object(run->json);
	end_list(run);
}

static void put_base(struct run *run) {
	const char *root = run->options->srcroot;
	begin(run, "originalUriBaseIds");
	begin(run, "SRCROOT");
	if (root && *root == '/') {
		struct buffer uri = {0};
		text_put(&uri, "file://");
		text_put_uri_path(&uri, root);
		text_put(&uri, root[strlen(root) - 1] == '/' ? "" : "/");
		put_buffer(run, "uri", &uri);
	} else {
		put_message(run, "description", "The folder that pose check ran in.");
	}
	end(run);
	end(run);
}

static void put_run(struct run *run) {
	json_write_begin_object(run->json);
	put_tool(run);
	put_invocation(run);
	put_base(run);
	begin_list(run, "artifacts");
	visit_results(run, put_artifacts_of);
	end_list(run);
	begin_list(run, "results");
	visit_results(run, put_result);
	end_list(run);
	begin(run, "properties");
	report_json_string(run->json, "profile", run->report->profile);
	report_json_string(run->json, "digest", run->report->digest);
	report_json_string(run->json, "skinning", run->report->skinning);
	end(run);
	json_write_end_object(run->json);
}

void report_write_sarif(const struct check_report *report,
	const struct check_report_options *options, struct buffer *out) {
	struct json_writer json = {.out = out};
	struct run run = {report, options, &json, 0};
	json_write_begin_object(&json);
	json_write_member_string(&json, "$schema", schema);
	json_write_member_string(&json, "version", "2.1.0");
	begin_list(&run, "runs");
	put_run(&run);
	end_list(&run);
	json_write_end_object(&json);
	text_put(out, "\n");
}
