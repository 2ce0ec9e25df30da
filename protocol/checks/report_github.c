// Annotations of GitHub Actions: commands that its runner reads from standard output.
#include "checks/report_parts.h"
#include "checks/report_text.h"

static const char *escape_message(unsigned code_point) {
	switch (code_point) {
	case '%':
		return "%25";
	case '\r':
		return "%0D";
	case '\n':
		return "%0A";
	default:
		return text_escape_controls(code_point);
	}
}

static const char *escape_property(unsigned code_point) {
	switch (code_point) {
	case ':':
		return "%3A";
	case ',':
		return "%2C";
	default:
		return escape_message(code_point);
	}
}

static void write_annotation(const struct check_report *report, const struct check_file *file,
	const struct check_finding *finding, struct buffer *out) {
	static const char *const commands[CHECK_LEVEL_COUNT] = {
		"debug", "notice", "warning", "error"};
	text_printf(out, "::%s file=", commands[finding->level]);
	text_put_escaped(out, file->path, escape_property);
	text_put(out, ",title=");
	text_put_escaped(out, report->rules[finding->at.rule]->id, escape_property);
	text_put(out, "::");
	text_put_escaped(out, finding->message, escape_message);
	if (finding->fix && *finding->fix) {
		text_put(out, "%0A");
		text_put_escaped(out, finding->fix, escape_message);
	}
	text_put(out, "\n");
}

void report_write_github(const struct check_report *report,
	const struct check_report_options *options, struct buffer *out) {
	(void)options;
	for (size_t i = 0; i < report->file_count; i++) {
		const struct check_file *file = &report->files[i];
		for (size_t k = 0; k < file->finding_count; k++) {
			if (report_counts(&file->findings[k])) {
				write_annotation(report, file, &file->findings[k], out);
			}
		}
	}
}
