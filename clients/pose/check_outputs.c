// The reports of a check on their way out.
#include "check_outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "problem_print.h"
#include "status.h"

/* All that a report is written with. */
struct writing {
	const struct check_options *options;
	const struct check_report *report;
	struct check_report plain; // without pictures
	struct check_report_options how;
	FILE *text; // that people read
};

bool check_report_has_file(const struct check_report_format *format) {
	return strcmp(format->name, "github") != 0;
}

/* The value of a format's option: NULL = it is not wanted, or none is needed: the text. */
static const char *wanted(
	const struct check_options *options, const struct check_report_format *format) {
	char flag[32];
	if (strcmp(format->name, "text") == 0) {
		return NULL;
	}
	snprintf(flag, sizeof flag, "--%s", format->name);
	return arguments_value(options->arguments, flag);
}

bool check_outputs_have_cameras(const struct check_options *options) {
	bool any = arguments_value(options->arguments, "--update-baseline");
	for (const struct check_report_format *format = check_report_formats; format->name;
		format++) {
		any |= format->has_cameras && wanted(options, format);
	}
	return any;
}

/* The format whose report goes to standard output, from one on; the end of the table if there is
 * none. */
static const struct check_report_format *find_piped(
	const struct check_options *options, const struct check_report_format *format) {
	for (; format->name; format++) {
		const char *path = wanted(options, format);
		if (path && check_report_has_file(format) && file_is_input(path)) {
			break;
		}
	}
	return format;
}

int check_outputs_check(const struct check_options *options) {
	const char *kept = arguments_value(options->arguments, "--update-baseline");
	if (kept && file_is_input(kept)) {
		fprintf(stderr, "pose: --update-baseline takes a file; --json - is the report\n");
		return STATUS_USAGE;
	}
	const struct check_report_format *first = find_piped(options, check_report_formats);
	const struct check_report_format *second =
		first->name ? find_piped(options, first + 1) : first;
	if (second->name) {
		fprintf(stderr, "pose: --%s and --%s both go to standard output\n", first->name,
			second->name);
		return STATUS_USAGE;
	}
	return STATUS_OK;
}

static bool print(const struct writing *writing, FILE *stream, const struct buffer *text) {
	const bool ok =
		fwrite(text->data, 1, text->size, stream) == text->size && fflush(stream) == 0;
	return ok ||
		problem_print_file(writing->options->arguments,
			stream == stdout ? "standard output" : "standard error");
}

/* Adds lines to a file; one that cannot take all of them has none. */
static bool append(const struct writing *writing, const char *path, const struct buffer *lines) {
	const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	const off_t end = file < 0 ? -1 : lseek(file, 0, SEEK_END);
	size_t done = 0;
	ssize_t count = 0;
	while (file >= 0 && done < lines->size && count >= 0) {
		count = write(file, lines->data + done, lines->size - done);
		done += count > 0 ? (size_t)count : 0;
	}
	const int reason = errno;
	bool ok = file >= 0 && count >= 0;
	if (file >= 0 && !ok && end >= 0 && ftruncate(file, end) != 0) {
		fprintf(stderr, "pose: %s has a line that is not whole\n", path);
	}
	ok &= file < 0 || close(file) == 0;
	errno = count < 0 ? reason : errno;
	return ok || problem_print_file(writing->options->arguments, path);
}

static bool put(const struct writing *writing, const struct check_report_format *format,
	const char *path, const struct buffer *report) {
	if (!check_report_has_file(format)) {
		return print(writing, writing->text, report);
	}
	if (file_is_input(path)) {
		return print(writing, stdout, report);
	}
	// A line for each file and run, for trends.
	return strcmp(format->name, "jsonl") == 0
		? append(writing, path, report)
		: file_write(writing->options->arguments, path, report, true);
}

static bool write_one(const struct writing *writing, const struct check_report_format *format) {
	const char *path = wanted(writing->options, format);
	if (!path) {
		return true;
	}
	struct buffer report = {0};
	const bool shows = strcmp(format->name, "html") == 0;
	format->write(shows ? writing->report : &writing->plain, &writing->how, &report);
	const bool ok = put(writing, format, path, &report);
	buffer_finish(&report);
	return ok;
}

static bool write_text(struct writing *writing) {
	if (arguments_value(writing->options->arguments, "--quiet")) {
		return true;
	}
	const char *terminal = getenv("TERM");
	writing->how.colours = isatty(fileno(writing->text)) && !getenv("NO_COLOR") && terminal &&
		strcmp(terminal, "dumb") != 0;
	struct buffer text = {0};
	check_report_format_find("text")->write(writing->report, &writing->how, &text);
	const bool ok = print(writing, writing->text, &text);
	buffer_finish(&text);
	return ok;
}

/* Pictures are for the page: in the others they would be the most of it. */
static struct check_report without_pictures(
	const struct check_report *report, struct arena *arena) {
	struct check_report plain = *report;
	struct check_file *files = arena_alloc(arena, report->file_count, sizeof *files);
	for (size_t i = 0; i < report->file_count; i++) {
		const size_t count = report->files[i].finding_count;
		struct check_finding *findings = arena_alloc(arena, count, sizeof *findings);
		for (size_t k = 0; k < count; k++) {
			findings[k] = report->files[i].findings[k];
			findings[k].picture_count = 0;
		}
		files[i] = report->files[i];
		files[i].findings = findings;
	}
	plain.files = files;
	return plain;
}

bool check_outputs_keep(const struct check_options *options, const struct check_report *report) {
	const char *path = arguments_value(options->arguments, "--update-baseline");
	const struct check_report_options how = {.fail_on = options->fail_on};
	struct buffer text = {0};
	if (!path) {
		return true;
	}
	check_report_format_find("json")->write(report, &how, &text);
	const bool ok = file_write(options->arguments, path, &text, true);
	buffer_finish(&text);
	return ok;
}

int check_outputs_write(const struct check_options *options, const struct check_report *report,
	const char *viewer, struct arena *arena) {
	struct writing writing = {
		.options = options,
		.report = report,
		.plain = without_pictures(report, arena),
		.how = {.fail_on = options->fail_on,
			.metrics_labels = arguments_value(options->arguments, "--metrics-labels"),
			.viewer_url = viewer},
		.text = find_piped(options, check_report_formats)->name ? stderr : stdout,
	};
	bool ok = write_text(&writing);
	for (const struct check_report_format *format = check_report_formats; format->name;
		format++) {
		ok &= write_one(&writing, format);
	}
	return ok ? STATUS_OK : STATUS_FAILED;
}
