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

static bool report_file(const struct arguments *arguments, const char *path, size_t bytes) {
	struct buffer line = {0};
	struct json_writer json = {.out = &line};
	json_write_begin_object(&json);
	json_write_member_string(&json, "file", path);
	json_write_member_integer(&json, "bytes", (int64_t)bytes);
	json_write_end_object(&json);
	const bool written = file_write(arguments, NULL, &line, true);
	buffer_finish(&line);
	return written;
}

static bool write_empty(const struct arguments *arguments, bool as_json) {
	unsigned char nothing[] = "{}";
	return !as_json || file_write(arguments, NULL, &(struct buffer){nothing, 2, 0}, true);
}

bool answer_is_shown(const struct arguments *arguments, enum answer_kind kind) {
	return kind == ANSWER_PICTURE && arguments_value(arguments, "--show");
}

struct output *answer_open(const struct arguments *arguments, enum answer_kind kind) {
	return output_open(arguments, arguments_value(arguments, "-o"), kind == ANSWER_TEXT);
}

int answer_close(const struct arguments *arguments, struct output *output, int status) {
	const char *path = arguments_value(arguments, "-o");
	const bool as_json = arguments_want_json(arguments);
	const size_t size = output ? output_size(output) : 0;
	if (!output || output_has_failed(output)) {
		status = STATUS_FAILED;
	}
	if (!output_close(output, status == STATUS_OK)) {
		status = STATUS_FAILED;
	}
	if (status != STATUS_OK) {
		return status;
	}
	const bool reported = size == 0
		? write_empty(arguments, as_json)
		: !as_json || !is_file(path) || report_file(arguments, path, size);
	return reported ? STATUS_OK : STATUS_FAILED;
}

int answer_write(
	const struct arguments *arguments, const struct buffer *answer, enum answer_kind kind) {
	if (answer_is_shown(arguments, kind)) {
		if (!show_picture(arguments_value(arguments, "--show"), answer)) {
			return STATUS_FAILED;
		}
		if (!arguments_value(arguments, "-o")) {
			return STATUS_OK;
		}
	}
	struct output *output = answer_open(arguments, kind);
	if (output && answer->size > 0) {
		output_add(output, answer->data, answer->size);
	}
	return answer_close(arguments, output, STATUS_OK);
}
