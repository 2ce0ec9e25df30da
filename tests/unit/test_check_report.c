// Formats of reports: names that must be escaped, limits of sizes, the same bytes twice.
// check_reports.py reads all formats with parsers of their own.
#include "checks/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/memory.h"
#include "check.h"
#include "json_text.h"
#include "nasty_report.h"

static const struct check_report_options options = {
	.fail_on = CHECK_ERROR, .viewer_url = "https://example.org/", .srcroot = "/abs"};

/* A format's text, ended by NUL. */
static struct buffer written(const char *format, const struct check_report *report,
	const struct check_report_options *given) {
	struct buffer out = {0};
	check_report_format_find(format)->write(report, given, &out);
	buffer_append(&out, "", 1);
	return out;
}

static void write_to(const char *folder, const char *name, const struct buffer *text) {
	char path[256];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(text->data, 1, text->size, file), text->size);
	fclose(file);
}

static void write_formats(const char *folder) {
	for (int i = 0; check_report_formats[i].name; i++) {
		struct buffer text = {0};
		check_report_formats[i].write(nasty_report(), &options, &text);
		write_to(folder, check_report_formats[i].name, &text);
		buffer_finish(&text);
	}
	struct check_report_options labels = options;
	labels.metrics_labels = true;
	struct buffer text = {0};
	check_report_format_find("openmetrics")->write(nasty_report(), &labels, &text);
	write_to(folder, "openmetrics_labels", &text);
	buffer_finish(&text);
	check_rules_write(nasty_rules, NASTY_RULES, &text);
	write_to(folder, "rules", &text);
	buffer_finish(&text);
}

static void write_events(const char *folder) {
	const struct check_report *report = nasty_report();
	struct buffer text = {0};
	check_event_start(2, 3, &text);
	check_event_clip(report->files[0].path, NASTY_NAME, 1, 3, .018, &text);
	check_event_finding(report, &report->files[0], &report->files[0].findings[0], &text);
	check_event_file(report, &report->files[0], &text);
	check_event_end(report, &text);
	write_to(folder, "events", &text);
	buffer_finish(&text);
}

static void parsers_read_all_formats(void **state) {
	(void)state;
	char folder[] = "/tmp/posed_reports_XXXXXX", command[256];
	assert_non_null(mkdtemp(folder));
	write_formats(folder);
	write_events(folder);
	snprintf(command, sizeof command, "/usr/bin/python3 tests/unit/check_reports.py %s 2>&1",
		folder);
	FILE *stream = popen(command, "r");
	assert_non_null(stream);
	char said[16384];
	said[fread(said, 1, sizeof said - 1, stream)] = '\0';
	const int status = pclose(stream);
	snprintf(command, sizeof command, "rm -r %s", folder);
	assert_int_equal(system(command), 0);
	if (status != 0) {
		fail_msg("%s", said);
	}
	print_message("%s", said);
}

static void formats_are_the_same_twice_and_found_by_name(void **state) {
	(void)state;
	for (int i = 0; check_report_formats[i].name; i++) {
		const struct check_report_format *format = &check_report_formats[i];
		assert_ptr_equal(check_report_format_find(format->name), format);
		assert_int_equal(format->ending[0], '.');
		assert_non_null(strchr(format->media_type, '/'));
		assert_non_null(format->help);
		struct buffer once = written(format->name, nasty_report(), &options);
		struct buffer twice = written(format->name, nasty_report(), &options);
		assert_int_equal(once.size, twice.size);
		assert_memory_equal(once.data, twice.data, once.size);
		buffer_finish(&once);
		buffer_finish(&twice);
	}
	assert_null(check_report_format_find("docx"));
	assert_null(check_report_format_find(""));
}

static void timing_is_there_only_when_wanted(void **state) {
	(void)state;
	struct check_report report = *nasty_report();
	for (int timed = 0; timed < 2; timed++) {
		report.with_timing = timed;
		struct buffer json = written("json", &report, &options);
		struct buffer junit = written("junit", &report, &options);
		assert_int_equal(strstr((const char *)json.data, "\"timing\"") != NULL, timed);
		assert_int_equal(strstr((const char *)junit.data, " time=\"") != NULL, timed);
		buffer_finish(&json);
		buffer_finish(&junit);
	}
}

static void colours_are_there_only_when_wanted(void **state) {
	(void)state;
	struct check_report_options coloured = options;
	coloured.colours = true;
	struct buffer plain = written("text", nasty_report(), &options);
	struct buffer bright = written("text", nasty_report(), &coloured);
	assert_null(strchr((const char *)plain.data, '\033'));
	assert_non_null(strstr((const char *)bright.data, "\033[31merror\033[0m"));
	buffer_finish(&plain);
	buffer_finish(&bright);
}

/* A report of one file whose many findings are copies of one. */
static struct check_report many(size_t count, enum check_level first,
	struct check_finding **findings, struct check_file *file) {
	struct check_report report = *nasty_report();
	*file = report.files[0];
	*findings = xcalloc(count, sizeof **findings);
	for (size_t i = 0; i < count; i++) {
		(*findings)[i] = report.files[0].findings[0];
		(*findings)[i].picture_count = 0;
		(*findings)[i].state = CHECK_STATE_NEW;
		(*findings)[i].level = i < 3 ? first : CHECK_NOTE;
	}
	file->findings = *findings;
	file->finding_count = count;
	report.files = file;
	report.file_count = 1;
	return report;
}

/* AddressSanitizer's strstr() measures all of the text that is left, each time. */
static size_t count_of(const struct buffer *text, const char *piece) {
	const size_t length = strlen(piece);
	size_t count = 0;
	for (size_t at = 0; at + length <= text->size; at++) {
		count += text->data[at] == (unsigned char)*piece &&
			memcmp(text->data + at, piece, length) == 0;
	}
	return count;
}

static void sarif_leaves_out_notes_beyond_its_limit(void **state) {
	(void)state;
	struct check_finding *findings;
	struct check_file file;
	// The errors are the last ones.
	const struct check_report report = many(25010, CHECK_NOTE, &findings, &file);
	findings[25009].level = CHECK_ERROR;
	findings[25008].level = CHECK_WARNING;
	struct buffer sarif = written("sarif", &report, &options);
	assert_int_equal(count_of(&sarif, "\"ruleIndex\""), 25000);
	assert_int_equal(count_of(&sarif, "\"level\":\"error\",\"message\""), 1);
	assert_int_equal(count_of(&sarif, "\"level\":\"warning\",\"message\""), 1);
	buffer_finish(&sarif);
	free(findings);
}

static void markdown_fits_into_a_pull_request(void **state) {
	(void)state;
	struct check_finding *findings;
	struct check_file file;
	const struct check_report report = many(5000, CHECK_ERROR, &findings, &file);
	struct buffer text = written("markdown", &report, &options);
	assert_in_range(text.size, 40000, 60000);
	assert_non_null(strstr((const char *)text.data, " more of the findings."));
	buffer_finish(&text);
	free(findings);
}

/* Three stills of 20 KiB for each of 20 findings. */
static void pages_of_20_findings_are_below_2_mb(void **state) {
	(void)state;
	static uint8_t still[20 << 10];
	struct check_finding *findings;
	struct check_file file;
	const struct check_report report = many(20, CHECK_ERROR, &findings, &file);
	for (int i = 0; i < 20; i++) {
		findings[i].picture_count = 3;
		for (int k = 0; k < 3; k++) {
			findings[i].pictures[k] =
				(struct check_picture){"at", "image/png", still, sizeof still};
		}
	}
	struct buffer page = written("html", &report, &options);
	assert_in_range(page.size, 3 * 20 * sizeof still, 2000000);
	assert_int_equal(count_of(&page, "<img "), 60);
	buffer_finish(&page);
	free(findings);
}

static void junit_fails_from_the_level_that_is_asked_for(void **state) {
	(void)state;
	static const struct {
		enum check_level fail_on;
		size_t failures, outputs;
	} cases[] = {
		{CHECK_OK, 0, 3}, {CHECK_NOTE, 3, 0}, {CHECK_WARNING, 2, 1}, {CHECK_ERROR, 2, 1}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct check_report_options given = options;
		given.fail_on = cases[i].fail_on;
		struct buffer text = written("junit", nasty_report(), &given);
		assert_int_equal(count_of(&text, "<failure "), cases[i].failures);
		assert_int_equal(count_of(&text, "<system-out>"), cases[i].outputs);
		buffer_finish(&text);
	}
}

static void an_empty_report_can_be_written(void **state) {
	(void)state;
	const struct check_report empty = {.build = "", .profile = "game"};
	for (int i = 0; check_report_formats[i].name; i++) {
		struct buffer text = written(check_report_formats[i].name, &empty, &options);
		buffer_finish(&text);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parsers_read_all_formats),
		cmocka_unit_test(formats_are_the_same_twice_and_found_by_name),
		cmocka_unit_test(timing_is_there_only_when_wanted),
		cmocka_unit_test(colours_are_there_only_when_wanted),
		cmocka_unit_test(sarif_leaves_out_notes_beyond_its_limit),
		cmocka_unit_test(markdown_fits_into_a_pull_request),
		cmocka_unit_test(pages_of_20_findings_are_below_2_mb),
		cmocka_unit_test(junit_fails_from_the_level_that_is_asked_for),
		cmocka_unit_test(an_empty_report_can_be_written),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
