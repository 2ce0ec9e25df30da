/* Results on their way out: to a file, to standard output, to a terminal that shows pictures. */
#pragma once

#include "base/buffer.h"
#include "files.h"
#include "options.h"

enum answer_kind {
	ANSWER_TEXT,  // JSON
	ANSWER_BYTES, // nothing for a terminal
	ANSWER_PICTURE,
};

/* True when a result is to be shown by a terminal, for which it has to be complete. */
bool answer_is_shown(const struct arguments *arguments, enum answer_kind kind);

/* The destination of a result as it comes: -o's file, or else standard output. Not for one that
 * is shown. NULL with the sentence on standard error. */
struct output *answer_open(const struct arguments *arguments, enum answer_kind kind);

/* Ends it: the exit status, which is `status` if that is not STATUS_OK, and then nothing stays.
 * With --json a result that went to a file leaves a line about it on standard output: {"file",
 * "bytes"}, and one that is empty leaves {}. Takes NULL. */
int answer_close(const struct arguments *arguments, struct output *output, int status);

/* Writes a result that is there as a whole, and shows a picture with --show. The exit status. */
int answer_write(
	const struct arguments *arguments, const struct buffer *answer, enum answer_kind kind);
