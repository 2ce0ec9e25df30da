/* Reports as JUnit's XML: a suite for each file, a case for each rule and clip that was looked at,
 * also for those that passed. */
#include <string.h>

#include "checks/report_parts.h"
#include "checks/report_text.h"

/* Counts of cases. */
struct tally {
	size_t tests, failures, skipped;
};

/* A file, and where its cases go. */
struct suite {
	const struct check_report *report;
	const struct check_report_options *options;
	const struct check_file *file;
	const struct finding_index *findings;
	struct buffer *out;
	struct tally tally;
};

static void put(struct buffer *out, const char *text) {
	text_put_escaped(out, text, text_escape_markup);
}

static void put_attribute(struct buffer *out, const char *name, const char *value) {
	text_printf(out, " %s=\"", name);
	put(out, value);
	text_put(out, "\"");
}

static void put_property(struct buffer *out, const char *name, const char *value) {
	if (value) {
		text_put(out, "<property");
		put_attribute(out, "name", name);
		put_attribute(out, "value", value);
		text_put(out, "/>");
	}
}

static void begin_case(struct suite *suite, int rule, int clip) {
	const char *id = suite->report->rules[rule]->id;
	const char *name = strchr(id, '/');
	const char *clip_name = report_clip(suite->file, clip);
	text_printf(suite->out, "<testcase classname=\"%.*s\" name=\"", (int)(name ? name - id : 0),
		id);
	put(suite->out, name ? name + 1 : id);
	if (clip_name) {
		text_put(suite->out, " [");
		put(suite->out, clip_name);
		text_put(suite->out, "]");
	}
	text_put(suite->out, "\">");
	suite->tally.tests++;
}

static void put_finding(struct suite *suite, const struct check_finding *finding) {
	put(suite->out, check_level_names[finding->level]);
	text_put(suite->out, ": ");
	put(suite->out, finding->message);
	if (finding->fix && *finding->fix) {
		text_put(suite->out, " - ");
		put(suite->out, finding->fix);
	}
	text_put(suite->out, "\n");
}

/* The worst finding of a case that counts, and one that does not. */
static void find_worst(const struct suite *suite, int rule, int clip,
	const struct check_finding **worst, const struct check_finding **suppressed) {
	*worst = *suppressed = NULL;
	long at = finding_index_first(suite->findings, rule, clip);
	for (; at >= 0; at = finding_index_next(suite->findings, at)) {
		const struct check_finding *finding = &suite->file->findings[at];
		if (report_counts(finding) && (!*worst || finding->level > (*worst)->level)) {
			*worst = finding;
		}
		if (finding->suppressed && !*suppressed) {
			*suppressed = finding;
		}
	}
}

/* The findings of a case, line by line; those that count, or those that do not. */
static void put_findings(struct suite *suite, int rule, int clip, bool counting) {
	long at = finding_index_first(suite->findings, rule, clip);
	for (; at >= 0; at = finding_index_next(suite->findings, at)) {
		const struct check_finding *finding = &suite->file->findings[at];
		if (report_counts(finding) == counting) {
			put_finding(suite, finding);
		}
	}
}

static void put_skipped(struct suite *suite, const char *reason) {
	text_put(suite->out, "<skipped");
	put_attribute(suite->out, "message", reason);
	text_put(suite->out, "/>");
	suite->tally.skipped++;
}

static void write_case(struct suite *suite, int rule, int clip) {
	const struct check_finding *worst, *suppressed;
	find_worst(suite, rule, clip, &worst, &suppressed);
	begin_case(suite, rule, clip);
	if (worst && report_fails(suite->options, worst->level)) {
		text_put(suite->out, "<failure");
		put_attribute(suite->out, "type", check_level_names[worst->level]);
		put_attribute(suite->out, "message", worst->message);
		text_put(suite->out, ">");
		put_findings(suite, rule, clip, true);
		text_put(suite->out, "</failure>");
		suite->tally.failures++;
	} else if (!worst && suppressed) {
		put_skipped(suite, suppressed->suppressed);
	} else if (worst) {
		text_put(suite->out, "<system-out>");
		put_findings(suite, rule, clip, true);
		text_put(suite->out, "</system-out>");
	}
	text_put(suite->out, "</testcase>\n");
}

static bool is_measured(const struct check_file *file, int rule, int clip) {
	size_t from = 0, to = file->measurement_count;
	while (from < to) {
		const size_t middle = from + (to - from) / 2;
		const struct check_measurement *at = &file->measurements[middle];
		if (at->rule < rule || (at->rule == rule && at->clip < clip)) {
			from = middle + 1;
		} else {
			to = middle;
		}
	}
	return from < file->measurement_count && file->measurements[from].rule == rule &&
		file->measurements[from].clip == clip;
}

/* Of findings without a measurement, as those of a file that is refused, the first writes the case.
 */
static void write_others(struct suite *suite) {
	for (size_t i = 0; i < suite->file->finding_count; i++) {
		const struct check_measurement *at = &suite->file->findings[i].at;
		const bool first =
			finding_index_first(suite->findings, at->rule, at->clip) == (long)i;
		if (first && !is_measured(suite->file, at->rule, at->clip)) {
			write_case(suite, at->rule, at->clip);
		}
	}
}

static void write_cases(struct suite *suite) {
	const struct check_file *file = suite->file;
	for (size_t i = 0; i < file->measurement_count; i++) {
		const struct check_measurement *at = &file->measurements[i];
		const bool again = i > 0 && at[-1].rule == at->rule && at[-1].clip == at->clip;
		if (!again) {
			write_case(suite, at->rule, at->clip);
		}
	}
	write_others(suite);
	for (size_t i = 0; i < file->skip_count; i++) {
		begin_case(suite, file->skipped[i].rule, file->skipped[i].clip);
		put_skipped(suite, file->skipped[i].reason);
		text_put(suite->out, "</testcase>\n");
	}
}

static void put_tally(struct buffer *out, const struct tally *tally) {
	text_printf(
		out, " tests=\"%zu\" failures=\"%zu\" errors=\"0\"", tally->tests, tally->failures);
}

static struct tally write_suite(const struct check_report *report,
	const struct check_report_options *options, const struct check_file *file,
	struct buffer *out) {
	struct buffer cases = {0};
	struct finding_index *findings = finding_index_create(report, file);
	struct suite suite = {report, options, file, findings, &cases, {0, 0, 0}};
	write_cases(&suite);
	text_put(out, "<testsuite");
	put_attribute(out, "name", file->path);
	put_tally(out, &suite.tally);
	text_printf(out, " skipped=\"%zu\"", suite.tally.skipped);
	if (report->with_timing) {
		text_printf(out, " time=\"%.3f\"", file->seconds);
	}
	text_put(out, ">\n<properties>");
	put_property(out, "profile", report->profile);
	put_property(out, "profile digest", report->digest);
	put_property(out, "build", report->build);
	put_property(out, "skinning", report->skinning);
	put_property(out, "content", file->content);
	text_put(out, "</properties>\n");
	buffer_append(out, cases.data, cases.size);
	text_put(out, "</testsuite>\n");
	buffer_finish(&cases);
	finding_index_destroy(findings);
	return suite.tally;
}

void report_write_junit(const struct check_report *report,
	const struct check_report_options *options, struct buffer *out) {
	struct buffer suites = {0};
	struct tally total = {0};
	double seconds = 0;
	for (size_t i = 0; i < report->file_count; i++) {
		const struct tally one = write_suite(report, options, &report->files[i], &suites);
		total.tests += one.tests;
		total.failures += one.failures;
		seconds += report->files[i].seconds;
	}
	text_put(
		out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pose check\"");
	put_tally(out, &total);
	if (report->with_timing) {
		text_printf(out, " time=\"%.3f\"", seconds);
	}
	text_put(out, ">\n");
	buffer_append(out, suites.data, suites.size);
	text_put(out, "</testsuites>\n");
	buffer_finish(&suites);
}
