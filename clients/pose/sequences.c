// Commands for many pictures in one file.
#include "sequences.h"

#include "daemon.h"
#include "files.h"
#include "offline.h"
#include "picture_kind.h"
#include "pictures.h"
#include "problem_print.h"
#include "request_text.h"
#include "status.h"

static int draw_file(const struct arguments *arguments, const struct buffer *request,
	const struct sequence_format *format) {
	const char *path = arguments->plain[1];
	struct buffer asset = {0}, answer = {0};
	struct error err = {0};
	int status = STATUS_FAILED;
	if (file_read(path, &asset)) {
		const struct offline_job job = {
			.asset = &asset, .request = request, .sequence = format};
		status = offline_frames(&job, &answer, &err)
			? answer_write(arguments, &answer, ANSWER_PICTURE)
			: problem_print_error(arguments, path, &err);
	}
	buffer_finish(&asset);
	buffer_finish(&answer);
	return status;
}

static int run(const struct arguments *arguments, const char *standard, enum sequence_of of) {
	const char *subject = arguments->plain[1];
	const bool is_file = pictures_is_file(subject);
	const struct sequence_format *format;
	struct buffer request = {0};
	int status = STATUS_USAGE;
	if (sequence_kind(arguments, standard, &format) &&
		request_text_frames(
			arguments, is_file ? "file" : subject, format->name, of, &request)) {
		status = is_file ? draw_file(arguments, &request, format)
				 : daemon_post(arguments, "frames", &request, NULL, ANSWER_PICTURE);
	}
	buffer_finish(&request);
	return status;
}

int run_frames(const struct command *command, const struct arguments *arguments) {
	(void)command;
	return run(arguments, "apng", SEQUENCE_OF_TIMES);
}

int run_turntable(const struct command *command, const struct arguments *arguments) {
	(void)command;
	return run(arguments, "apng", SEQUENCE_OF_ANGLES);
}

int run_sheet(const struct command *command, const struct arguments *arguments) {
	(void)command;
	return run(arguments, "sheet", SEQUENCE_OF_TIMES);
}
