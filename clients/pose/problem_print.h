/* Errors, on standard error: a sentence, or with --json the problem document (RFC 9457).
 */
#pragma once

#include "base/error.h"
#include "options.h"

/* Prints what a daemon answered instead of a result. False when it is no problem document: nothing
 * is printed. */
bool problem_print_answer(const struct arguments *arguments, const void *body, size_t size);

/* Prints an error about a subject ("fox.glb"). Returns the exit status for it. */
int problem_print_error(
	const struct arguments *arguments, const char *subject, const struct error *err);

/* Errors without a document of the daemon: each is a "type" of its own. */
enum problem {
	PROBLEM_FILE,      // it cannot be read or written
	PROBLEM_TOKEN,     // it cannot be one
	PROBLEM_NO_DAEMON, // no whole answer came
	PROBLEM_NO_REASON, // a failed response without a document
};

/* Prints words about a subject: "fox.glb", the daemon's address. http_status 0 = there is none. */
void problem_print_words(const struct arguments *arguments, enum problem problem,
	const char *subject, const char *words, int http_status);

/* PROBLEM_FILE with errno's words. Always false. */
bool problem_print_file(const struct arguments *arguments, const char *path);
