/* Runs what may crash or hang, such as a graphics driver's first steps, in a process of its own. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct apart_job {
	void (*work)(int argument, void *out); // in a fork of this process
	int argument;
	void *out; // [out_bytes] zeroed, then what work wrote to its own out, also if it died
	size_t out_bytes;
	double seconds; // until it is killed
	char *words;    // [words_bytes] what it wrote to standard error, each line once
	size_t words_bytes;
};

/* Waits until it is done. False with ERROR_INTERNAL and how it ended. For processes of one thread.
 */
bool apart_run(const struct apart_job *job, struct error *err);
