/* Results on their way out: to a file, to standard output, to a terminal that shows pictures. */
#pragma once

#include "base/buffer.h"
#include "options.h"

enum answer_kind {
	ANSWER_TEXT,  // JSON
	ANSWER_BYTES, // nothing for a terminal
	ANSWER_PICTURE,
};

/* Writes a result to where -o says, or else to standard output; a picture to the terminal with
 * --show. With --json a result that went to a file leaves a line about it on standard output:
 * {"file", "bytes"}, and one that is empty leaves {}. The exit status. */
int answer_write(
	const struct arguments *arguments, const struct buffer *answer, enum answer_kind kind);
