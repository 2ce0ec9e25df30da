// Commands for many pictures in one file.
#include "commands.h"

#include "asset.h"
#include "daemon.h"
#include "offline.h"
#include "picture_kind.h"
#include "pictures.h"
#include "problem_print.h"
#include "request_text.h"
#include "status.h"

/* Draws into an output, or if that is NULL into answer. */
static int draw(const struct arguments *arguments, struct offline_job *job, struct buffer *answer) {
	const char *path = arguments->plain[1];
	struct buffer asset = {0};
	struct error err = {0};
	int status = asset_read(arguments, path, &asset);
	job->asset = &asset;
	job->uses = asset_uses(arguments);
	// The output has reported its error already.
	if (status == STATUS_OK) {
		status = offline_frames(job, answer, &err) ? STATUS_OK
			: job->output && output_has_failed(job->output)
			? STATUS_FAILED
			: problem_print_error(arguments, path, &err);
	}
	buffer_finish(&asset);
	return status;
}

static int draw_and_show(const struct arguments *arguments, struct offline_job *job) {
	struct buffer answer = {0};
	int status = draw(arguments, job, &answer);
	if (status == STATUS_OK) {
		status = answer_write(arguments, &answer, ANSWER_PICTURE);
	}
	buffer_finish(&answer);
	return status;
}

static int draw_file(const struct arguments *arguments, const struct buffer *request,
	const struct sequence_choice *choice, enum answer_kind kind) {
	struct offline_job job = {
		.request = request, .sequence = choice->format, .map_alone = choice->map_alone};
	struct buffer pieces = {0};
	if (answer_is_shown(arguments, kind)) {
		return draw_and_show(arguments, &job);
	}
	job.output = answer_open(arguments, kind);
	const int status = job.output ? draw(arguments, &job, &pieces) : STATUS_FAILED;
	buffer_finish(&pieces);
	return answer_close(arguments, job.output, status);
}

static int run(const struct arguments *arguments, const struct sequence_choice *choice,
	enum sequence_of of) {
	const char *subject = arguments->plain[1];
	const bool is_file = pictures_is_file(subject);
	struct buffer request = {0};
	int status = STATUS_USAGE;
	if ((is_file || asset_is_no_file(arguments)) &&
		request_text_frames(
			arguments, is_file ? "file" : subject, choice->name, of, &request)) {
		const enum answer_kind kind = choice->map_alone ? ANSWER_TEXT : ANSWER_PICTURE;
		status = is_file ? draw_file(arguments, &request, choice, kind)
				 : pictures_end_rig(arguments, subject,
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
