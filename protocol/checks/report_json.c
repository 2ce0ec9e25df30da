// Reports as JSON: everything, in the form that the other formats and clients go by.
#include "checks/report_parts.h"
#include "checks/report_text.h"
#include "url_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_DIGITS 6

void report_json_number(struct json_writer *json, const char *name, double value) {
	if (isfinite(value)) {
		char text[32];
		snprintf(text, sizeof text, "%.*g", VALUE_DIGITS, value);
		json_write_member_double(json, name, strtod(text, NULL));
	}
}

void report_json_string(struct json_writer *json, const char *name, const char *text) {
	if (text) {
		json_write_member_string(json, name, text);
	}
}

void report_json_limits(struct json_writer *json, const struct check_limits *limits) {
	report_json_number(json, "note", limits->note);
	report_json_number(json, "warning", limits->warning);
	report_json_number(json, "error", limits->error);
}

static void write_elements(
	struct json_writer *json, const char *name, const uint32_t *elements, size_t count) {
	if (count) {
		json_write_key(json, name);
		json_write_begin_list(json);
		for (size_t i = 0; i < count; i++) {
			json_write_integer(json, elements[i]);
		}
		json_write_end_list(json);
	}
}

static void write_doubles(
	struct json_writer *json, const char *name, const double *values, size_t count) {
	json_write_key(json, name);
	json_write_begin_list(json);
	for (size_t i = 0; i < count; i++) {
		char text[32];
		snprintf(text, sizeof text, "%.*g", VALUE_DIGITS, values[i]);
		if (isfinite(values[i])) {
			json_write_double(json, strtod(text, NULL));
		} else {
			json_write_null(json);
		}
	}
	json_write_end_list(json);
}

static void write_params(struct json_writer *json, const struct check_measurement *at) {
	if (at->param_count) {
		json_write_key(json, "params");
		json_write_begin_object(json);
		for (size_t i = 0; i < at->param_count; i++) {
			report_json_number(json, at->params[i].name, at->params[i].value);
		}
		json_write_end_object(json);
	}
}

static void write_measured(struct json_writer *json, const struct check_report *report,
	const struct check_file *file, const struct check_measurement *at) {
	report_json_string(json, "clip", report_clip(file, at->clip));
	report_json_number(json, "time", at->time_s);
	if (at->sample >= 0) {
		json_write_member_integer(json, "sample", at->sample);
	}
	report_json_string(json, "joint", at->joint);
	if (at->joint_index >= 0) {
		json_write_member_integer(json, "joint_index", at->joint_index);
	}
	report_json_string(json, "material", at->material);
	report_json_number(json, "value", at->value);
	report_json_string(json, "unit", report->rules[at->rule]->unit);
	report_json_number(json, "absolute", at->absolute);
}

static void write_camera(struct json_writer *json, const struct check_camera *camera) {
	json_write_key(json, "camera");
	json_write_begin_object(json);
	write_doubles(json, "target", camera->target, 3);
	report_json_number(json, "yaw", camera->yaw_deg);
	report_json_number(json, "pitch", camera->pitch_deg);
	report_json_number(json, "distance", camera->distance);
	json_write_end_object(json);
}

static void write_picture(struct json_writer *json, const struct check_picture *picture) {
	struct buffer uri = {0};
	text_printf(&uri, "data:%s;base64,", picture->type);
	text_put_base64(&uri, picture->bytes, picture->size);
	buffer_append(&uri, "", 1);
	json_write_begin_object(json);
	report_json_string(json, "label", picture->label);
	json_write_member_string(json, "uri", (const char *)uri.data);
	json_write_end_object(json);
	buffer_finish(&uri);
}

static void write_evidence(struct json_writer *json, const struct check_finding *finding) {
	if (!finding->has_camera && !finding->picture_count && !finding->curve.count) {
		return;
	}
	json_write_key(json, "evidence");
	json_write_begin_object(json);
	if (finding->has_camera) {
		write_camera(json, &finding->camera);
	}
	if (finding->picture_count) {
		json_write_key(json, "pictures");
		json_write_begin_list(json);
		for (size_t i = 0; i < finding->picture_count; i++) {
			write_picture(json, &finding->pictures[i]);
		}
		json_write_end_list(json);
	}
	if (finding->curve.count) {
		json_write_key(json, "curve");
		json_write_begin_object(json);
		write_doubles(json, "times", finding->curve.times_s, finding->curve.count);
		write_doubles(json, "values", finding->curve.values, finding->curve.count);
		json_write_end_object(json);
	}
	json_write_end_object(json);
}

static void write_help(struct json_writer *json, const char *rule) {
	struct buffer help = {0};
	text_put(&help, "docs/checks.md#");
	report_put_anchor(&help, rule);
	buffer_append(&help, "", 1);
	json_write_member_string(json, "help", (const char *)help.data);
	buffer_finish(&help);
}

void report_json_finding(struct json_writer *json, const struct check_report *report,
	const struct check_file *file, const struct check_finding *finding) {
	const struct check_measurement *at = &finding->at;
	const struct check_rule_info *rule = report->rules[at->rule];
	json_write_member_string(json, "rule", rule->id);
	json_write_member_string(json, "level", check_level_names[finding->level]);
	report_json_string(json, "message", finding->message);
	write_measured(json, report, file, at);
	report_json_number(json, "threshold", finding->threshold);
	write_params(json, at);
	report_json_string(json, "pointer", at->pointer);
	write_elements(json, "vertices", at->vertices, at->vertex_count);
	write_elements(json, "triangles", at->triangles, at->triangle_count);
	json_write_member_string(json, "fingerprint", finding->fingerprint);
	if (finding->count > 1) {
		json_write_member_integer(json, "count", finding->count);
	}
	if (finding->state != CHECK_STATE_NONE) {
		json_write_member_string(json, "state", check_state_names[finding->state]);
	}
	report_json_string(json, "suppressed", finding->suppressed);
	report_json_string(json, "khronos", rule->khronos);
	write_evidence(json, finding);
	write_help(json, rule->id);
	report_json_string(json, "fix", finding->fix);
}

static void write_clip(struct json_writer *json, const struct check_clip_facts *clip) {
	json_write_begin_object(json);
	json_write_member_string(json, "name", clip->name);
	report_json_number(json, "rate", clip->rate);
	json_write_member_bool(json, "irregular", clip->irregular);
	json_write_member_integer(json, "samples", clip->samples);
	report_json_number(json, "start", clip->start_s);
	report_json_number(json, "duration", clip->duration_s);
	json_write_member_bool(json, "loop", clip->loop);
	json_write_member_bool(json, "likely_loop", clip->likely_loop);
	json_write_member_bool(json, "airborne", clip->airborne);
	json_write_member_bool(json, "still", clip->still);
	report_json_number(json, "treadmill", clip->treadmill);
	report_json_number(json, "surface_step", clip->surface_step);
	json_write_end_object(json);
}

static void write_clips(struct json_writer *json, const struct check_file *file) {
	json_write_key(json, "clips");
	json_write_begin_list(json);
	for (size_t i = 0; i < file->clip_count; i++) {
		write_clip(json, &file->clips[i]);
	}
	json_write_end_list(json);
}

static void write_findings(struct json_writer *json, const struct check_report *report,
	const struct check_file *file) {
	json_write_key(json, "findings");
	json_write_begin_list(json);
	for (size_t i = 0; i < file->finding_count; i++) {
		json_write_begin_object(json);
		report_json_finding(json, report, file, &file->findings[i]);
		json_write_end_object(json);
	}
	json_write_end_list(json);
}

/* A value beside that of the earlier version. */
static void write_comparison(struct json_writer *json, const struct check_measurement *at) {
	if (at->has_before) {
		report_json_number(json, "before", at->before);
		report_json_number(json, "after", at->value);
		json_write_member_string(json, "better", check_better_names[at->better]);
	}
}

static void write_version(
	struct json_writer *json, const char *name, const struct check_summary *summary) {
	json_write_key(json, name);
	json_write_begin_object(json);
	json_write_member_integer(json, "errors", (int64_t)summary->errors);
	json_write_member_integer(json, "warnings", (int64_t)summary->warnings);
	json_write_member_integer(json, "notes", (int64_t)summary->notes);
	json_write_end_object(json);
}

static void write_versions(struct json_writer *json, const struct check_file *file) {
	if (!file->has_versions) {
		return;
	}
	json_write_key(json, "versions");
	json_write_begin_object(json);
	write_version(json, "before", &file->versions.before);
	write_version(json, "after", &file->versions.after);
	json_write_member_string(json, "better", check_better_names[file->versions.better]);
	json_write_end_object(json);
}

static void write_measurements(struct json_writer *json, const struct check_report *report,
	const struct check_file *file) {
	json_write_key(json, "measurements");
	json_write_begin_list(json);
	for (size_t i = 0; i < file->measurement_count; i++) {
		const struct check_measurement *at = &file->measurements[i];
		json_write_begin_object(json);
		json_write_member_string(json, "rule", report->rules[at->rule]->id);
		write_measured(json, report, file, at);
		write_params(json, at);
		write_comparison(json, at);
		json_write_end_object(json);
	}
	json_write_end_list(json);
}

/* The rule and clip of what was skipped or left out. */
static void write_place(struct json_writer *json, const struct check_report *report,
	const struct check_file *file, int rule, int clip) {
	json_write_member_string(json, "rule", report->rules[rule]->id);
	report_json_string(json, "clip", report_clip(file, clip));
}

static void write_left_out(struct json_writer *json, const struct check_report *report,
	const struct check_file *file) {
	json_write_key(json, "skipped");
	json_write_begin_list(json);
	for (size_t i = 0; i < file->skip_count; i++) {
		json_write_begin_object(json);
		write_place(json, report, file, file->skipped[i].rule, file->skipped[i].clip);
		report_json_string(json, "reason", file->skipped[i].reason);
		json_write_end_object(json);
	}
	json_write_end_list(json);
	json_write_key(json, "more");
	json_write_begin_list(json);
	for (size_t i = 0; i < file->more_count; i++) {
		json_write_begin_object(json);
		write_place(json, report, file, file->more[i].rule, file->more[i].clip);
		json_write_member_integer(json, "count", (int64_t)file->more[i].count);
		json_write_end_object(json);
	}
	json_write_end_list(json);
}

static void write_timing(struct json_writer *json, const struct check_file *file) {
	json_write_key(json, "timing");
	json_write_begin_object(json);
	report_json_number(json, "ms", file->seconds * 1000);
	json_write_key(json, "clips");
	json_write_begin_list(json);
	for (size_t i = 0; i < file->clip_count; i++) {
		json_write_begin_object(json);
		json_write_member_string(json, "clip", file->clips[i].name);
		report_json_number(json, "ms", file->clips[i].seconds * 1000);
		json_write_end_object(json);
	}
	json_write_end_list(json);
	json_write_end_object(json);
}

void report_json_file(struct json_writer *json, const struct check_report *report,
	const struct check_file *file) {
	json_write_member_string(json, "path", file->path);
	report_json_string(json, "content", file->content);
	report_json_string(json, "refused", file->refused);
	report_json_number(json, "length", file->length);
	if (file->has_bounds) {
		json_write_key(json, "bounds");
		json_write_begin_object(json);
		write_doubles(json, "min", file->bounds_min, 3);
		write_doubles(json, "max", file->bounds_max, 3);
		json_write_end_object(json);
	}
	write_versions(json, file);
	write_clips(json, file);
	write_findings(json, report, file);
	write_measurements(json, report, file);
	write_left_out(json, report, file);
	json_write_member_strings(json, "not_covered", file->not_covered, file->not_covered_count);
	if (report->with_timing) {
		write_timing(json, file);
	}
}

/* The level of the worst finding that counts, or that there is an asset which cannot be read. */
static const char *verdict(const struct check_report *report, enum check_level worst) {
	for (size_t i = 0; i < report->file_count; i++) {
		if (report->files[i].refused) {
			return "refused";
		}
	}
	return check_level_names[worst];
}

void report_json_summary(struct json_writer *json, const struct check_report *report) {
	const struct check_summary summary = check_summarise(report->files, report->file_count);
	json_write_key(json, "summary");
	json_write_begin_object(json);
	json_write_member_integer(json, "files", (int64_t)summary.files);
	json_write_member_integer(json, "errors", (int64_t)summary.errors);
	json_write_member_integer(json, "warnings", (int64_t)summary.warnings);
	json_write_member_integer(json, "notes", (int64_t)summary.notes);
	json_write_member_integer(json, "suppressed", (int64_t)summary.suppressed);
	if (report->has_baseline) {
		json_write_member_integer(json, "new", (int64_t)summary.fresh);
	}
	json_write_member_string(json, "worst", check_level_names[summary.worst]);
	json_write_member_string(json, "verdict", verdict(report, summary.worst));
	json_write_end_object(json);
}

/* Rules that came after the version of the rules file are off. */
static bool is_new(const struct check_report *report, size_t rule) {
	return report->resolved && report->rules[rule]->since > report->resolved->version;
}

static void write_new_rules(struct json_writer *json, const struct check_report *report) {
	json_write_key(json, "new_rules");
	json_write_begin_list(json);
	for (size_t i = 0; i < report->rule_count; i++) {
		if (is_new(report, i)) {
			json_write_string(json, report->rules[i]->id);
		}
	}
	json_write_end_list(json);
}

static void write_resolved(struct json_writer *json, const struct check_profile *profile,
	const struct check_rule_info *rule) {
	const struct check_limits limits = check_profile_limits(profile, rule, NULL, NULL, NULL);
	const struct check_profile_source source = check_profile_source(profile, rule->id);
	json_write_key(json, "limits");
	json_write_begin_object(json);
	report_json_limits(json, &limits);
	json_write_end_object(json);
	report_json_string(json, "source", source.source);
	report_json_string(json, "as_of", source.as_of);
}

static void write_rules(struct json_writer *json, const struct check_report *report) {
	json_write_key(json, "rules");
	json_write_begin_list(json);
	for (size_t i = 0; i < report->rule_count; i++) {
		const struct check_rule_info *rule = report->rules[i];
		json_write_begin_object(json);
		json_write_member_string(json, "id", rule->id);
		report_json_string(json, "unit", rule->unit);
		report_json_string(json, "catches", rule->catches);
		if (report->resolved) {
			write_resolved(json, report->resolved, rule);
		}
		report_json_string(json, "khronos", rule->khronos);
		write_help(json, rule->id);
		json_write_end_object(json);
	}
	json_write_end_list(json);
}

static void write_head(struct json_writer *json, const struct check_report *report) {
	json_write_member_string(json, "schema", "posed-check/1");
	report_json_string(json, "build", report->build);
	json_write_key(json, "profile");
	json_write_begin_object(json);
	report_json_string(json, "name", report->profile);
	report_json_string(json, "digest", report->digest);
	json_write_end_object(json);
	report_json_string(json, "skinning", report->skinning);
	report_json_summary(json, report);
}

void report_write_json(const struct check_report *report,
	const struct check_report_options *options, struct buffer *out) {
	(void)options;
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	write_head(&json, report);
	json_write_member_strings(&json, "remarks", report->remarks, report->remark_count);
	json_write_key(&json, "files");
	json_write_begin_list(&json);
	for (size_t i = 0; i < report->file_count; i++) {
		json_write_begin_object(&json);
		report_json_file(&json, report, &report->files[i]);
		json_write_end_object(&json);
	}
	json_write_end_list(&json);
	write_new_rules(&json, report);
	write_rules(&json, report);
	json_write_end_object(&json);
	text_put(out, "\n");
}
