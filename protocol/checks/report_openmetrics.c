// Counts of findings and the greatest measurements as OpenMetrics.
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/number.h"
#include "checks/report_parts.h"
#include "checks/report_text.h"

static const char *escape_label(unsigned code_point) {
	switch (code_point) {
	case '\\':
		return "\\\\";
	case '"':
		return "\\\"";
	case '\n':
		return "\\n";
	default:
		return text_escape_controls(code_point);
	}
}

static void put_label(struct buffer *out, const char *name, const char *value) {
	text_printf(out, "%s=\"", name);
	text_put_escaped(out, value, escape_label);
	text_put(out, "\"");
}

static void put_value(struct buffer *out, double value) {
	char text[NUMBER_TEXT_BYTES + 1];
	text[number_write_double(value, text)] = '\0';
	text_printf(out, "} %s\n", text);
}

static void put_family(struct buffer *out, const char *name, const char *help) {
	text_printf(out, "# TYPE %s gauge\n# HELP %s %s\n", name, name, help);
}

static size_t count_of(
	const struct check_file *files, size_t file_count, size_t rule, enum check_level level) {
	size_t count = 0;
	for (size_t i = 0; i < file_count; i++) {
		for (size_t k = 0; k < files[i].finding_count; k++) {
			const struct check_finding *finding = &files[i].findings[k];
			count += report_counts(finding) && (size_t)finding->at.rule == rule &&
				finding->level == level;
		}
	}
	return count;
}

/* The findings of some files, which are named if they are one. */
static void write_findings(const struct check_report *report, const struct check_file *files,
	size_t file_count, bool named, struct buffer *out) {
	for (size_t rule = 0; rule < report->rule_count; rule++) {
		for (int level = CHECK_ERROR; level > CHECK_OK; level--) {
			const size_t count =
				count_of(files, file_count, rule, (enum check_level)level);
			if (count) {
				text_put(out, "posed_check_findings{");
				put_label(out, "level", check_level_names[level]);
				text_put(out, ",");
				put_label(out, "rule", report->rules[rule]->id);
				if (named) {
					text_put(out, ",");
					put_label(out, "file", files->path);
				}
				put_value(out, (double)count);
			}
		}
	}
}

static int by_value(const void *a, const void *b) {
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void write_stat(struct buffer *out, const char *rule, const char *stat, double value) {
	text_put(out, "posed_check_measurement{");
	put_label(out, "rule", rule);
	text_put(out, ",");
	put_label(out, "stat", stat);
	put_value(out, value);
}

/* Over all files and clips: the greatest, and the nearest rank of 95 %. */
static void write_stats(
	const struct check_report *report, size_t rule, double *values, struct buffer *out) {
	size_t count = 0;
	for (size_t i = 0; i < report->file_count; i++) {
		const struct check_file *file = &report->files[i];
		for (size_t k = 0; k < file->measurement_count; k++) {
			const struct check_measurement *at = &file->measurements[k];
			if ((size_t)at->rule == rule && isfinite(at->value)) {
				values[count++] = at->value;
			}
		}
	}
	if (count) {
		qsort(values, count, sizeof *values, by_value);
		const char *id = report->rules[rule]->id;
		write_stat(out, id, "max", values[count - 1]);
		write_stat(out, id, "p95", values[(count * 95 + 99) / 100 - 1]);
	}
}

static void write_measurements(const struct check_report *report, struct buffer *out) {
	size_t most = 1;
	for (size_t i = 0; i < report->file_count; i++) {
		most += report->files[i].measurement_count;
	}
	double *values = xcalloc(most, sizeof *values);
	for (size_t rule = 0; rule < report->rule_count; rule++) {
		write_stats(report, rule, values, out);
	}
	free(values);
}

static void write_named_measurements(const struct check_report *report, struct buffer *out) {
	for (size_t i = 0; i < report->file_count; i++) {
		const struct check_file *file = &report->files[i];
		for (size_t k = 0; k < file->measurement_count; k++) {
			const struct check_measurement *at = &file->measurements[k];
			const char *clip = report_clip(file, at->clip);
			if (!isfinite(at->value)) {
				continue;
			}
			text_put(out, "posed_check_measurement{");
			put_label(out, "rule", report->rules[at->rule]->id);
			text_put(out, ",");
			put_label(out, "stat", "max");
			text_put(out, ",");
			put_label(out, "file", file->path);
			text_put(out, ",");
			put_label(out, "clip", clip ? clip : "");
			put_value(out, at->value);
		}
	}
}

void report_write_openmetrics(const struct check_report *report,
	const struct check_report_options *options, struct buffer *out) {
	put_family(out, "posed_check_findings", "Findings that count, by level and rule.");
	if (!options->metrics_labels) {
		write_findings(report, report->files, report->file_count, false, out);
	}
	for (size_t i = 0; options->metrics_labels && i < report->file_count; i++) {
		write_findings(report, &report->files[i], 1, true, out);
	}
	put_family(out, "posed_check_measurement", "Measurements of rules, in the rule's unit.");
	if (options->metrics_labels) {
		write_named_measurements(report, out);
	} else {
		write_measurements(report, out);
	}
	text_put(out, "# EOF\n");
}
