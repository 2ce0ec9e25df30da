// A summary for pull requests, whose texts are limited.
#include <string.h>

#include "checks/report_parts.h"
#include "checks/report_text.h"

/* Code hosts take 65,536 characters. */
#define BYTES_MAX 60000
/* For the end: what was left out, the profile. */
#define BYTES_RESERVED 1500

/* A name must neither end a cell of a table nor call anybody. */
static const char *escape(unsigned code_point) {
	static const char marks[] = "\\`*_[]|~$";
	static const char *const escaped[] = {
		"\\\\", "\\`", "\\*", "\\_", "\\[", "\\]", "\\|", "\\~", "\\$"};
	switch (code_point) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '@':
		return "@<!-- -->";
	case '#':
		return "#<!-- -->";
	case '\t':
	case '\n':
	case '\r':
		return " ";
	default: {
		const char *mark =
			code_point && code_point < 0x80 ? strchr(marks, (int)code_point) : NULL;
		return mark ? escaped[mark - marks] : text_escape_controls(code_point);
	}
	}
}

static void put(struct buffer *out, const char *text) {
	text_put_escaped(out, text, escape);
}

static void write_file_row(const struct check_file *file, struct buffer *out) {
	const struct check_summary summary = report_summarise_file(file);
	text_put(out, "| ");
	put(out, file->path);
	if (file->refused) {
		text_put(out, " (refused)");
	}
	text_printf(out, " | %zu | %zu | %zu | %zu | %zu |\n", summary.errors, summary.warnings,
		summary.notes, summary.suppressed, file->clip_count);
}

static void write_finding_row(const struct check_report *report, const struct check_file *file,
	const struct check_finding *finding, struct buffer *out) {
	text_printf(out, "| %s | ", check_level_names[finding->level]);
	put(out, report->rules[finding->at.rule]->id);
	text_put(out, " | ");
	put(out, file->path);
	text_put(out, " | ");
	put(out, finding->message);
	if (finding->fix && *finding->fix) {
		text_put(out, "<br>");
		put(out, finding->fix);
	}
	text_put(out, " |\n");
}

/* True when a row found room; else it is taken back. */
static bool fits(struct buffer *out, size_t before, size_t most) {
	const bool room = out->size <= most;
	out->size = room ? out->size : before;
	return room;
}

static void write_files(const struct check_report *report, size_t most, struct buffer *out) {
	text_put(out,
		"| file | errors | warnings | notes | suppressed | clips |\n"
		"|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < report->file_count; i++) {
		const size_t before = out->size;
		write_file_row(&report->files[i], out);
		if (!fits(out, before, most)) {
			text_printf(out, "\nNot listed: %zu more of the files.\n",
				report->file_count - i);
			return;
		}
	}
}

/* The findings of a level that count; those that find no room are counted. */
static void write_level(const struct check_report *report, enum check_level level, size_t most,
	size_t *left_out, struct buffer *out) {
	for (size_t i = 0; i < report->file_count; i++) {
		const struct check_file *file = &report->files[i];
		for (size_t k = 0; k < file->finding_count; k++) {
			const struct check_finding *finding = &file->findings[k];
			const size_t before = out->size;
			if (finding->level != level || !report_counts(finding)) {
				continue;
			}
			if (*left_out == 0) {
				write_finding_row(report, file, finding, out);
			}
			*left_out += *left_out > 0 || !fits(out, before, most);
		}
	}
}

static void write_findings(const struct check_report *report, size_t most, struct buffer *out) {
	size_t left_out = 0;
	text_put(out, "\n| level | rule | file | finding |\n|---|---|---|---|\n");
	for (int level = CHECK_ERROR; level > CHECK_OK; level--) {
		write_level(report, (enum check_level)level, most, &left_out, out);
	}
	if (left_out) {
		text_printf(out, "\nNot listed: %zu more of the findings.\n", left_out);
	}
}

static void write_change(const struct check_report *report, const struct check_file *file,
	const struct check_measurement *at, struct buffer *out) {
	text_printf(out, "| %s | ", report_verdict_on(at->better));
	put(out, report->rules[at->rule]->id);
	text_put(out, " | ");
	put(out, report_clip_or_rig(file, at->clip));
	text_put(out, " | ");
	text_put_number(out, at->before);
	text_put(out, " | ");
	text_put_number(out, at->value);
	text_put(out, " ");
	put(out, report->rules[at->rule]->unit);
	text_put(out, " |\n");
}

/* The rules by which an earlier version is better or worse. */
static void write_versions(const struct check_report *report, const struct check_file *file,
	size_t most, struct buffer *out) {
	size_t left_out = 0, listed = 0;
	text_put(out, "\n");
	report_put_versions(out, &file->versions);
	text_put(out, ".\n");
	for (size_t i = 0; i < file->measurement_count; i++) {
		const struct check_measurement *at = &file->measurements[i];
		const size_t before = out->size;
		if (!at->has_before || at->better == CHECK_BETTER_NEITHER) {
			continue;
		}
		if (listed++ == 0) {
			text_put(out,
				"\n| this version | rule | clip | before | now |\n"
				"|---|---|---|---|---|\n");
		}
		write_change(report, file, at, out);
		left_out += !fits(out, before, most);
	}
	if (left_out) {
		text_printf(out, "\nNot listed: %zu more of the changes.\n", left_out);
	}
}

void report_write_markdown(const struct check_report *report,
	const struct check_report_options *options, struct buffer *out) {
	(void)options;
	const size_t most = out->size + BYTES_MAX - BYTES_RESERVED;
	const struct check_summary summary = check_summarise(report->files, report->file_count);
	text_put(out, "### Checks: ");
	report_put_summary(out, &summary);
	text_put(out, "\n\n");
	if (report->has_baseline) {
		text_printf(out, "%zu new or worse than in the baseline.\n\n", summary.fresh);
	}
	for (size_t i = 0; i < report->remark_count; i++) {
		const size_t before = out->size;
		text_put(out, "> ");
		put(out, report->remarks[i]);
		text_put(out, "\n\n");
		fits(out, before, most / 4);
	}
	write_files(report, most / 2, out);
	for (size_t i = 0; i < report->file_count; i++) {
		if (report->files[i].has_versions) {
			write_versions(report, &report->files[i], most / 2, out);
		}
	}
	if (summary.worst != CHECK_OK) {
		write_findings(report, most, out);
	}
	const size_t before = out->size;
	text_put(out, "\nProfile ");
	put(out, report->profile);
	text_put(out, ", ");
	put(out, report->build);
	text_put(out, ".\n");
	fits(out, before, most + BYTES_RESERVED);
}
