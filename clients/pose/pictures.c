// Commands for one picture.
#include "pictures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asset.h"
#include "base/arena.h"
#include "daemon.h"
#include "files.h"
#include "forms.h"
#include "json_text.h"
#include "offline.h"
#include "picture_kind.h"
#include "problem_print.h"
#include "request_text.h"
#include "status.h"

int pictures_draw_file(const struct arguments *arguments, const char *path) {
	struct buffer request = {0}, answer = {0};
	const struct picture_format *format;
	int status = STATUS_USAGE;
	if (picture_kind(arguments, &format) && request_text(arguments, "file", &request)) {
		struct offline_job job = {.arguments = arguments,
			.path = path,
			.request = &request,
			.format = format};
		status = offline_make(&job, offline_frame, &answer);
	}
	if (status == STATUS_OK) {
		status = answer_write(arguments, &answer, ANSWER_PICTURE);
	}
	buffer_finish(&request);
	buffer_finish(&answer);
	return status;
}

int pictures_draw_rig(const struct arguments *arguments, const char *rig) {
	struct buffer body = {0};
	const struct picture_format *format;
	const int status = picture_kind(arguments, &format) && request_text(arguments, rig, &body)
		? daemon_post(arguments, "frame", &body, format->media_type, ANSWER_PICTURE)
		: STATUS_USAGE;
	buffer_finish(&body);
	return status;
}

int run_frame(const struct command *command, const struct arguments *arguments) {
	(void)command;
	const char *subject = arguments->plain[1];
	if (offline_is_file(subject)) {
		return pictures_draw_file(arguments, subject);
	}
	return !asset_is_no_file(arguments)
		? STATUS_USAGE
		: offline_end_rig(arguments, subject, pictures_draw_rig(arguments, subject));
}

/* The result of a crowd: vertices if requested, else a picture. */
static bool choose_crowd(
	const struct arguments *arguments, const char **accept, enum answer_kind *kind) {
	static const struct form octets = {
		"--vertices", NULL, "application/octet-stream", "numbers as float32", ANSWER_BYTES};
	static const struct form *const forms[] = {&form_json_requested, &octets};
	const struct picture_format *format;
	char ending[ENDING_BYTES];
	if (arguments_want_json(arguments) || arguments_value(arguments, "--vertices") ||
		(ending_read(arguments, ending) && strcmp(ending, form_json.ending) == 0)) {
		const struct form *form =
			form_choose(arguments, forms, sizeof forms / sizeof *forms);
		*accept = form ? form->media_type : NULL;
		*kind = form ? form->kind : ANSWER_BYTES;
		return form;
	}
	if (!picture_kind(arguments, &format)) {
		return false;
	}
	*accept = format->media_type;
	*kind = ANSWER_PICTURE;
	if (strcmp(*accept, octets.media_type) == 0) {
		fprintf(stderr, "pose: a crowd's octets are vertices: no \"%s\" of it\n",
			format->name);
		return false;
	}
	return true;
}

/* A number of at least 0, in the rig's unit. Else false, which is said on standard error. */
static bool tolerance_is_valid(const char *text) {
	char *end;
	const double number = strtod(text, &end);
	const bool ok = end != text && !*end && isfinite(number) && number >= 0;
	if (!ok) {
		fprintf(stderr, "pose: --tolerance takes a number from 0, not \"%s\"\n", text);
	}
	return ok;
}

static const char *label_of(const struct value *methods, const struct value *position) {
	const size_t i = position ? (size_t)position->number : 0;
	const struct value *label =
		methods && i < methods->count ? value_member(&methods->items[i], "label") : NULL;
	return label && label->kind == VALUE_STRING ? label->string : "?";
}

/* Says which pairs are too far apart. */
static int check_pairs(const struct value *comparison, const char *tolerance) {
	const struct value *methods = value_member(comparison, "methods");
	const struct value *pairs = value_member(comparison, "pairs");
	int status = STATUS_OK;
	for (size_t i = 0; pairs && i < pairs->count; i++) {
		const struct value *pair = &pairs->items[i];
		const struct value *most = value_member(pair, "max");
		if (most && most->number > strtod(tolerance, NULL)) {
			fprintf(stderr,
				"pose: %s and %s are up to %.6g apart, more than the tolerance of "
				"%s\n",
				label_of(methods, value_member(pair, "a")),
				label_of(methods, value_member(pair, "b")), most->number,
				tolerance);
			status = STATUS_DIFFERENT;
		}
	}
	return status;
}

/* STATUS_DIFFERENT and a sentence on standard error where a pair of the comparison (as /v1/compare
 * answers it) has vertices that are farther apart; else STATUS_OK. */
static int tolerance_check(const struct buffer *comparison, const char *tolerance) {
	struct arena *arena = arena_create();
	const struct value *read = json_read(arena, comparison->data, comparison->size, NULL);
	const int status =
		read && read->kind == VALUE_OBJECT ? check_pairs(read, tolerance) : STATUS_FAILED;
	arena_destroy(arena);
	return status;
}

/* Sends a request as a file has it. */
int run_crowd(const struct command *command, const struct arguments *arguments) {
	const char *accept;
	enum answer_kind kind;
	if (!choose_crowd(arguments, &accept, &kind)) {
		return STATUS_USAGE;
	}
	struct buffer body = {0};
	const int status = file_take(arguments, arguments->plain[1], &body)
		? daemon_post(arguments, command->name, &body, accept, kind)
		: STATUS_FAILED;
	buffer_finish(&body);
	return status;
}

/* The comparison of a request as JSON (format NULL) or as a picture. The exit status. */
static int compare(const struct arguments *arguments, const struct buffer *request,
	const struct picture_format *format, struct buffer *answer) {
	const char *subject = arguments->plain[1];
	if (offline_is_file(subject)) {
		struct offline_job job = {.arguments = arguments,
			.path = subject,
			.request = request,
			.format = format};
		return offline_make(&job, offline_compare, answer);
	}
	const struct http_request call = {
		.method = "POST",
		.path = "/v1/compare",
		.body = request->data,
		.body_bytes = request->size,
		.content_type = form_json.media_type,
		.accept = format ? format->media_type : form_json.media_type,
	};
	return offline_end_rig(arguments, subject, daemon_send(arguments, call, answer));
}

/* The picture, or else the numbers; these also where a tolerance is to be held. */
static int compare_and_write(const struct arguments *arguments, const struct buffer *request,
	const struct picture_format *format) {
	const char *tolerance = arguments_value(arguments, "--tolerance");
	struct buffer numbers = {0}, picture = {0};
	int status = !format || tolerance ? compare(arguments, request, NULL, &numbers) : STATUS_OK;
	if (status == STATUS_OK && format) {
		status = compare(arguments, request, format, &picture);
	}
	if (status == STATUS_OK) {
		status = answer_write(arguments, format ? &picture : &numbers,
			format ? ANSWER_PICTURE : ANSWER_TEXT);
	}
	if (status == STATUS_OK && tolerance) {
		status = tolerance_check(&numbers, tolerance);
	}
	buffer_finish(&numbers);
	buffer_finish(&picture);
	return status;
}

/* True when no option asks for a picture and no view is named. */
static bool check_numbers(const struct arguments *arguments) {
	const bool wants_picture =
		arguments_value(arguments, "--show") || arguments_value(arguments, "--format");
	if (wants_picture || !form_fits(arguments, &form_json)) {
		fprintf(stderr, "pose: a picture is drawn with --view side_by_side or heat\n");
		return false;
	}
	return true;
}

int run_compare(const struct command *command, const struct arguments *arguments) {
	(void)command;
	const struct picture_format *format = NULL;
	const char *tolerance = arguments_value(arguments, "--tolerance");
	const bool drawn = arguments_value(arguments, "--view");
	struct buffer request = {0};
	const bool ok = (drawn ? picture_kind(arguments, &format) : check_numbers(arguments)) &&
		(offline_is_file(arguments->plain[1]) || asset_is_no_file(arguments)) &&
		(!tolerance || tolerance_is_valid(tolerance)) &&
		request_text_compare(arguments,
			offline_is_file(arguments->plain[1]) ? "file" : arguments->plain[1],
			arguments->plain + 2, arguments->plain_count - 2, &request);
	const int status = ok ? compare_and_write(arguments, &request, format) : STATUS_USAGE;
	buffer_finish(&request);
	return status;
}
