// The table of formats of reports, and remarks that all of them have.
#include "checks/report.h"

#include <string.h>

#include "base/check_profile.h"
#include "checks/report_parts.h"

const struct check_report_format check_report_formats[] = {
	{"json", "application/json", ".json", "everything, for programs", true, report_write_json},
	{"jsonl", "application/jsonl", ".jsonl", "a line of JSON for each file, for trends", false,
		report_write_jsonl},
	{"text", "text/plain", ".txt", "for people, in a terminal", false, report_write_text},
	{"junit", "application/junit+xml", ".xml", "test cases, for CI servers", false,
		report_write_junit},
	{"sarif", "application/sarif+json", ".sarif", "SARIF 2.1.0, for code hosts", false,
		report_write_sarif},
	{"html", "text/html", ".html", "a page with pictures, in one file", true,
		report_write_html},
	{"markdown", "text/markdown", ".md", "a summary for pull requests", false,
		report_write_markdown},
	{"github", "text/plain", ".txt", "annotations of GitHub Actions", false,
		report_write_github},
	{"openmetrics", "application/openmetrics-text", ".prom", "counts and measurements", false,
		report_write_openmetrics},
	{NULL, NULL, NULL, NULL, false, NULL},
};

const struct check_report_format *check_report_format_find(const char *name) {
	const struct check_report_format *format = check_report_formats;
	while (format->name && strcmp(format->name, name) != 0) {
		format++;
	}
	return format->name ? format : NULL;
}

/* --- Remarks --- */

static const char *part(struct arena *arena, const char *name, const char *glob) {
	return glob ? arena_printf(arena, ", %s %s", name, glob) : "";
}

/* "surface/collapse, clip Sleep" */
static const char *describe(struct arena *arena, const struct check_suppression *s) {
	return arena_printf(arena, "%s%s%s%s%s", s->rule, part(arena, "file", s->file),
		part(arena, "clip", s->clip), part(arena, "joint", s->joint),
		part(arena, "material", s->material));
}

static bool is_used(const struct check_report *report, size_t suppression) {
	bool used = false;
	for (size_t i = 0; i < report->file_count; i++) {
		const unsigned char *of_file = report->files[i].suppressions_used;
		used |= of_file && of_file[suppression];
	}
	return used;
}

void check_report_remark(struct check_report *report, const char *today, struct arena *arena) {
	const struct check_profile *profile = report->resolved;
	const bool all = !profile->only && !profile->skip && !profile->clips;
	const char **remarks = arena_alloc(
		arena, profile->suppression_count + report->remark_count, sizeof *remarks);
	size_t count = 0;
	for (size_t i = 0; i < profile->suppression_count; i++) {
		const struct check_suppression *s = &profile->suppressions[i];
		if (s->until && today && strcmp(today, s->until) > 0) {
			remarks[count++] =
				arena_printf(arena, "suppression/over: that of %s ended on %s",
					describe(arena, s), s->until);
		} else if (all && !is_used(report, i)) {
			remarks[count++] = arena_printf(arena,
				"suppression/unused: that of %s matches no finding",
				describe(arena, s));
		}
	}
	for (size_t i = 0; i < report->remark_count; i++) {
		remarks[count++] = report->remarks[i];
	}
	report->remarks = remarks;
	report->remark_count = count;
}
