// Errors, on standard error.
#include "problem_print.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/json_write.h"
#include "json_text.h"
#include "problem.h"
#include "status.h"

static const char *text_member(const struct value *object, const char *name) {
	const struct value *member = object ? value_member(object, name) : NULL;
	return member && member->kind == VALUE_STRING ? member->string : NULL;
}

static void print_document(const void *bytes, size_t size) {
	fwrite(bytes, 1, size, stderr);
	fputc('\n', stderr);
}

bool problem_print_answer(const struct arguments *arguments, const void *body, size_t size) {
	struct arena *arena = arena_create();
	const struct value *problem = json_read(arena, body, size, NULL);
	const char *detail = text_member(problem, "detail");
	const char *pointer = text_member(problem, "pointer");
	if (detail && arguments_want_json(arguments)) {
		print_document(body, size);
	} else if (detail && pointer && *pointer) {
		fprintf(stderr, "pose: %s (at %s)\n", detail, pointer);
	} else if (detail) {
		fprintf(stderr, "pose: %s\n", detail);
	}
	arena_destroy(arena);
	return detail;
}

static int advise_doctor(const struct arguments *arguments) {
	if (!arguments_want_json(arguments)) {
		fprintf(stderr, "pose: \"posed doctor\" says what is missing\n");
	}
	return STATUS_NO_DRIVER;
}

int problem_print_error(
	const struct arguments *arguments, const char *subject, const struct error *err) {
	if (arguments_want_json(arguments)) {
		struct buffer document = {0};
		problem_write(err, false, &document);
		print_document(document.data, document.size);
		buffer_finish(&document);
	} else {
		fprintf(stderr, "pose: %s: %s\n", subject, err->text);
	}
	if (err->code == ERROR_NO_RENDERER) {
		return advise_doctor(arguments);
	}
	return status_of_http(problem_status(err->code));
}

void problem_print_words(const struct arguments *arguments, enum problem problem,
	const char *subject, const char *words, int http_status) {
	static const struct {
		const char *type, *title;
	} kinds[] = {
		[PROBLEM_FILE] = {"urn:posed:file", "A file cannot be read or written"},
		[PROBLEM_TOKEN] = {"urn:posed:token", "Not a token"},
		[PROBLEM_NO_DAEMON] = {"urn:posed:no-daemon", "No daemon gave an answer"},
		[PROBLEM_NO_REASON] = {"urn:posed:no-reason", "The answer is no problem document"},
	};
	if (!arguments_want_json(arguments)) {
		fprintf(stderr, "pose: %s: %s\n", subject, words);
		return;
	}
	struct arena *arena = arena_create();
	struct buffer document = {0};
	struct json_writer json = {.out = &document};
	json_write_begin_object(&json);
	json_write_member_string(&json, "type", kinds[problem].type);
	json_write_member_string(&json, "title", kinds[problem].title);
	json_write_member_string(&json, "detail", arena_printf(arena, "%s: %s", subject, words));
	if (http_status > 0) {
		json_write_member_integer(&json, "status", http_status);
	}
	json_write_end_object(&json);
	print_document(document.data, document.size);
	buffer_finish(&document);
	arena_destroy(arena);
}

bool problem_print_file(const struct arguments *arguments, const char *path) {
	problem_print_words(arguments, PROBLEM_FILE, path, strerror(errno), 0);
	return false;
}
