// Results on their way out.
#include "answer.h"

#include <string.h>

#include "base/json_write.h"
#include "files.h"
#include "show.h"
#include "status.h"

static bool is_file(const char *path) {
	return path && strcmp(path, "-") != 0;
}

static bool report_file(const char *path, size_t bytes) {
	struct buffer line = {0};
	struct json_writer json = {.out = &line};
	json_write_begin_object(&json);
	json_write_member_string(&json, "file", path);
	json_write_member_integer(&json, "bytes", (int64_t)bytes);
	json_write_end_object(&json);
	const bool written = file_write(NULL, &line, true);
	buffer_finish(&line);
	return written;
}

static bool write_empty(bool as_json) {
	unsigned char nothing[] = "{}";
	return !as_json || file_write(NULL, &(struct buffer){nothing, 2, 0}, true);
}

int answer_write(
	const struct arguments *arguments, const struct buffer *answer, enum answer_kind kind) {
	const char *path = arguments_value(arguments, "-o");
	const char *show = kind == ANSWER_PICTURE ? arguments_value(arguments, "--show") : NULL;
	const bool as_json = arguments_value(arguments, "--json");
	if (answer->size == 0) {
		return write_empty(as_json) ? STATUS_FINE : STATUS_FAILED;
	}
	if (show && !show_picture(show, answer)) {
		return STATUS_FAILED;
	}
	if (show && !path) {
		return STATUS_FINE;
	}
	const bool written = file_write(path, answer, kind == ANSWER_TEXT) &&
		(!as_json || !is_file(path) || report_file(path, answer->size));
	return written ? STATUS_FINE : STATUS_FAILED;
}
