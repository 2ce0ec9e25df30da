// Reports for people in a terminal.
#include <string.h>

#include "checks/report_parts.h"
#include "checks/report_text.h"

#define DIM "\033[2m"
#define BOLD "\033[1m"
#define PLAIN "\033[0m"
#define RED "\033[31m"
#define GREEN "\033[32m"

/* A report on its way to a terminal. */
struct page {
	const struct check_report *report;
	const struct check_report_options *options;
	struct buffer *out;
};

static void put(const struct page *page, const char *text) {
	text_put_escaped(page->out, text, text_escape_controls);
}

static void set_look(const struct page *page, const char *look) {
	if (page->options->colours) {
		text_put(page->out, look);
	}
}

static void put_in(const struct page *page, const char *look, const char *text) {
	set_look(page, look);
	put(page, text);
	set_look(page, PLAIN);
}

/* A marker beside findings that do not count as the others do. */
static void put_state(const struct page *page, const struct check_finding *finding) {
	const bool has_state =
		finding->state != CHECK_STATE_NONE && finding->state != CHECK_STATE_NEW;
	if (finding->suppressed || has_state) {
		set_look(page, DIM);
		text_put(page->out, " (");
		text_put(page->out,
			finding->suppressed ? "suppressed: " : check_state_names[finding->state]);
		put(page, finding->suppressed ? finding->suppressed : "");
		text_put(page->out, ")");
		set_look(page, PLAIN);
	}
}

static void write_finding(const struct page *page, const struct check_finding *finding) {
	static const char *const looks[CHECK_LEVEL_COUNT] = {"", "\033[36m", "\033[33m", RED};
	const char *rule = page->report->rules[finding->at.rule]->id;
	text_put(page->out, "  ");
	put_in(page, report_counts(finding) ? looks[finding->level] : DIM,
		check_level_names[finding->level]);
	text_printf(page->out, "%*s  ", (int)(7 - strlen(check_level_names[finding->level])), "");
	put_in(page, BOLD, rule);
	text_put(page->out, "  ");
	put(page, finding->message);
	put_state(page, finding);
	text_put(page->out, "\n");
	if (finding->fix && *finding->fix && report_counts(finding)) {
		text_put(page->out, "           ");
		put_in(page, DIM, finding->fix);
		text_put(page->out, "\n");
	}
}

/* One line for each rule and reason, with the clips counted. The same ones follow one another. */
static void write_skipped(const struct page *page, const struct check_file *file) {
	for (size_t i = 0; i < file->skip_count;) {
		const struct check_skip *skip = &file->skipped[i];
		size_t alike = i + 1;
		while (alike < file->skip_count && file->skipped[alike].rule == skip->rule &&
			strcmp(file->skipped[alike].reason, skip->reason) == 0) {
			alike++;
		}
		text_put(page->out, "  ");
		put_in(page, DIM, "skipped  ");
		put(page, page->report->rules[skip->rule]->id);
		if (skip->clip >= 0) {
			text_put(page->out, " of ");
			report_put_count(page->out, alike - i, "clip");
		}
		text_put(page->out, ": ");
		put(page, skip->reason);
		text_put(page->out, "\n");
		i = alike;
	}
}

static void write_more(const struct page *page, const struct check_file *file) {
	for (size_t i = 0; i < file->more_count; i++) {
		const struct check_more *more = &file->more[i];
		text_printf(page->out, "  and %zu more of ", more->count);
		put(page, page->report->rules[more->rule]->id);
		text_put(page->out, " in ");
		put(page, report_clip_or_rig(file, more->clip));
		text_put(page->out, "\n");
	}
}

static void write_not_covered(const struct page *page, const struct check_file *file) {
	for (size_t i = 0; i < file->not_covered_count; i++) {
		text_put(page->out, "  ");
		put_in(page, DIM, "not covered  ");
		put(page, file->not_covered[i]);
		text_put(page->out, "\n");
	}
}

/* The rules by which the earlier version is better or worse. */
static void write_versions(const struct page *page, const struct check_file *file) {
	if (!file->has_versions) {
		return;
	}
	text_put(page->out, "  versions  ");
	report_put_versions(page->out, &file->versions);
	text_put(page->out, "\n");
	for (size_t i = 0; i < file->measurement_count; i++) {
		const struct check_measurement *at = &file->measurements[i];
		const struct check_rule_info *rule = page->report->rules[at->rule];
		if (!at->has_before || at->better == CHECK_BETTER_NEITHER) {
			continue;
		}
		text_put(page->out, "  ");
		put_in(page, at->better == CHECK_BETTER_AFTER ? GREEN : RED,
			report_verdict_on(at->better));
		text_printf(page->out, "%s  %s of ",
			at->better == CHECK_BETTER_AFTER ? "  " : "   ", rule->id);
		put(page, report_clip_or_rig(file, at->clip));
		text_put(page->out, ": ");
		text_put_number(page->out, at->before);
		text_put(page->out, " before, ");
		text_put_number(page->out, at->value);
		text_printf(page->out, " now (%s)\n", rule->unit);
	}
}

static void write_file(const struct page *page, const struct check_file *file) {
	const struct check_summary summary = report_summarise_file(file);
	put_in(page, BOLD, file->path);
	text_put(page->out, ": ");
	if (file->refused) {
		text_put(page->out, "refused");
	} else if (!file->measurement_count && !file->finding_count) {
		text_put(page->out, "nothing was checked");
	} else {
		report_put_summary(page->out, &summary);
	}
	text_put(page->out, "\n");
	for (size_t i = 0; i < file->finding_count; i++) {
		write_finding(page, &file->findings[i]);
	}
	write_more(page, file);
	write_versions(page, file);
	write_skipped(page, file);
	write_not_covered(page, file);
}

void report_write_text(const struct check_report *report,
	const struct check_report_options *options, struct buffer *out) {
	const struct page page = {report, options, out};
	for (size_t i = 0; i < report->remark_count; i++) {
		put(&page, report->remarks[i]);
		text_put(out, "\n");
	}
	for (size_t i = 0; i < report->file_count; i++) {
		write_file(&page, &report->files[i]);
	}
	const struct check_summary summary = check_summarise(report->files, report->file_count);
	report_put_count(out, summary.files, "file");
	text_put(out, ": ");
	report_put_summary(out, &summary);
	if (report->has_baseline) {
		text_printf(out, "; %zu new", summary.fresh);
	}
	text_put(out, " (profile ");
	put(&page, report->profile);
	text_put(out, ")\n");
}
