/* Reports of checks: a table of formats. */
#pragma once

#include "base/arena.h"
#include "base/buffer.h"
#include "base/check.h"

struct check_report_options {
	enum check_level
		fail_on;        // from this level on a finding fails the run; CHECK_OK = none does
	bool colours;           // of a terminal
	bool metrics_labels;    // names of files and clips in metrics, too
	const char *viewer_url; // of the viewer, for links; NULL = no links
	const char *srcroot;    // folder that paths of SARIF are relative to; NULL = none
};

struct check_report_format {
	const char *name;       // "sarif"
	const char *media_type; // without parameters
	const char *ending;     // of file names: ".sarif"
	const char *help;       // a line about it, lower case, without a full stop
	bool has_cameras;       // of findings, also where they have no pictures
	/* Appends a whole report. */
	void (*write)(const struct check_report *report, const struct check_report_options *options,
		struct buffer *out);
};

/* Ended by a NULL name. */
extern const struct check_report_format check_report_formats[];

/* NULL = there is none of this name. */
const struct check_report_format *check_report_format_find(const char *name);

/* Puts sentences about the suppressions of a report's profile in front of its remarks, in the
 * arena: about those that are over, and those that match no finding where all of the assets was
 * checked.
 *
 * today   "2026-11-23"; NULL = none is over */
void check_report_remark(struct check_report *report, const char *today, struct arena *arena);

/* The events of a run, for those who follow it: each appends one line of JSON. */
void check_event_start(size_t files, size_t clips, struct buffer *out);
void check_event_clip(const char *path, const char *clip, size_t done, size_t of, double seconds,
	struct buffer *out);
void check_event_finding(const struct check_report *report, const struct check_file *file,
	const struct check_finding *finding, struct buffer *out);
void check_event_file(
	const struct check_report *report, const struct check_file *file, struct buffer *out);
void check_event_end(const struct check_report *report, struct buffer *out);

/* The rules as JSON, with all their texts and the limits of every profile. */
void check_rules_write(
	const struct check_rule_info *const *rules, size_t count, struct buffer *out);
