/* Parts that several formats of reports share. */
#pragma once

#include "base/check.h"
#include "base/check_profile.h"
#include "base/json_write.h"
#include "checks/report.h"

/* NULL for what is of the whole rig, and of clips that are no more. */
const char *report_clip(const struct check_file *file, int clip);

/* "whole rig" instead of NULL. */
const char *report_clip_or_rig(const struct check_file *file, int clip);

/* True for findings that count: neither suppressed nor known to the baseline. */
bool report_counts(const struct check_finding *finding);

/* The summary of one file. */
struct check_summary report_summarise_file(const struct check_file *file);

/* True when a finding at this level fails the run. */
bool report_fails(const struct check_report_options *options, enum check_level level);

/* "motion-pop" of "motion/pop": in documents and pages. */
void report_put_anchor(struct buffer *out, const char *rule);

/* "warnings: 2" as "2 warnings", "1 warning". */
void report_put_count(struct buffer *out, size_t count, const char *noun);

/* "1 error, 2 warnings, no notes and 1 suppressed". */
void report_put_summary(struct buffer *out, const struct check_summary *summary);

/* "better", "worse" or "" as this version is, beside the earlier one. */
const char *report_verdict_on(enum check_better better);

/* "0 errors, 1 warning, 2 notes in the earlier version; 1 error ... in this one, which is worse" */
void report_put_versions(struct buffer *out, const struct check_versions *versions);

/* A member with 6 significant digits; nothing if the number is not finite. */
void report_json_number(struct json_writer *json, const char *name, double value);
void report_json_string(struct json_writer *json, const char *name, const char *text_or_null);

/* Members of JSON objects that are begun. */
void report_json_finding(struct json_writer *json, const struct check_report *report,
	const struct check_file *file, const struct check_finding *finding);
void report_json_summary(struct json_writer *json, const struct check_report *report);
void report_json_file(
	struct json_writer *json, const struct check_report *report, const struct check_file *file);
void report_json_limits(struct json_writer *json, const struct check_limits *limits);

/* The findings of a file by rule and clip. */
struct finding_index;
struct finding_index *finding_index_create(
	const struct check_report *report, const struct check_file *file);
void finding_index_destroy(struct finding_index *index);

/* The first finding of a rule and clip, and the next one: positions, -1 = none. */
long finding_index_first(const struct finding_index *index, int rule, int clip);
long finding_index_next(const struct finding_index *index, long finding);

/* The writers of the formats. */
typedef void check_report_writer(const struct check_report *report,
	const struct check_report_options *options, struct buffer *out);
check_report_writer report_write_json;
check_report_writer report_write_jsonl;
check_report_writer report_write_text;
check_report_writer report_write_junit;
check_report_writer report_write_sarif;
check_report_writer report_write_html;
check_report_writer report_write_markdown;
check_report_writer report_write_github;
check_report_writer report_write_openmetrics;
