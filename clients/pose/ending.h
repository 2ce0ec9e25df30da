/* The ending of -o's file name, which selects a format. */
#pragma once

#include "options.h"

#define ENDING_BYTES 16

/* Behind the last dot, in lower case, "jpg" for "jpeg". False where there is none, or one too long
 * to be a format's. */
bool ending_read(const struct arguments *arguments, char ending[static ENDING_BYTES]);

/* Refuses, on standard error, an ending that stands for a format other than that of the answer.
 *
 * own   the answer's ending; NULL = it has none, like numbers without a head
 * what  the answer, for people: "JSON" */
bool ending_check(const struct arguments *arguments, const char *own, const char *what);
