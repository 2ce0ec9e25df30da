/* What went wrong, on standard error: a sentence, or with --json the problem document (RFC 9457).
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

/* Prints words where nobody wrote a document. http_status 0 = there is none. */
void problem_print_words(
	const struct arguments *arguments, const char *subject, const char *words, int http_status);
