// Commands for many pictures in one file.
#include "commands.h"

#include "asset.h"
#include "daemon.h"
#include "offline.h"
#include "picture_kind.h"
#include "request_text.h"
#include "status.h"

static int draw_and_show(struct offline_job *job) {
	struct buffer answer = {0};
	int status = offline_make(job, offline_frames, &answer);
	if (status == STATUS_OK) {
		status = answer_write(job->arguments, &answer, ANSWER_PICTURE);
	}
	buffer_finish(&answer);
	return status;
}

static int draw_file(const struct arguments *arguments, const struct buffer *request,
	const struct sequence_choice *choice, enum answer_kind kind) {
	struct offline_job job = {.arguments = arguments,
		.path = arguments->plain[1],
		.request = request,
		.sequence = choice->format,
		.map_alone = choice->map_alone};
	struct buffer pieces = {0};
	if (answer_is_shown(arguments, kind)) {
		return draw_and_show(&job);
	}
	job.output = answer_open(arguments, kind);
	const int status = job.output ? offline_make(&job, offline_frames, &pieces) : STATUS_FAILED;
	buffer_finish(&pieces);
	return answer_close(arguments, job.output, status);
}

static int run(const struct arguments *arguments, const struct sequence_choice *choice,
	enum sequence_of of) {
	const char *subject = arguments->plain[1];
	const bool is_file = offline_is_file(subject);
	struct buffer request = {0};
	int status = STATUS_USAGE;
	if ((is_file || asset_is_no_file(arguments)) &&
		request_text_frames(
			arguments, is_file ? "file" : subject, choice->name, of, &request)) {
		const enum answer_kind kind = choice->map_alone ? ANSWER_TEXT : ANSWER_PICTURE;
		status = is_file ? draw_file(arguments, &request, choice, kind)
				 : offline_end_rig(arguments, subject,
					   daemon_post(arguments, "frames", &request, NULL, kind));
	}
	buffer_finish(&request);
	return status;
}

int run_frames(const struct command *command, const struct arguments *arguments) {
	(void)command;
	struct sequence_choice choice;
	return sequence_kind(arguments, "apng", &choice)
		? run(arguments, &choice, SEQUENCE_OF_TIMES)
		: STATUS_USAGE;
}

int run_turntable(const struct command *command, const struct arguments *arguments) {
	(void)command;
	struct sequence_choice choice;
	return sequence_kind(arguments, "apng", &choice)
		? run(arguments, &choice, SEQUENCE_OF_ANGLES)
		: STATUS_USAGE;
}

int run_sheet(const struct command *command, const struct arguments *arguments) {
	(void)command;
	struct sequence_choice choice;
	return sheet_kind(arguments, &choice) ? run(arguments, &choice, SEQUENCE_OF_TIMES)
					      : STATUS_USAGE;
}
