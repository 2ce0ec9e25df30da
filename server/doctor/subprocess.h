/* Functions that may crash or hang, such as the first steps of a graphics driver, run in a
 * subprocess. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct subprocess {
	void (*work)(int argument, void *out); // runs in a fork of this process
	int argument;
	void *out; // [out_bytes] zeroed, then the bytes that work wrote, even if it crashed
	size_t out_bytes;
	double seconds; // time limit
	char *output;   // [output_bytes] its standard error, without repeated lines
	size_t output_bytes;
};

/* Runs the subprocess to its end. False with ERROR_INTERNAL if it crashes, exits or times out. Only
 * for processes of one thread. */
bool subprocess_run(const struct subprocess *subprocess, struct error *err);
