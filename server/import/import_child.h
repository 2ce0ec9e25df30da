/* The process that reads one asset. */
#pragma once

#include "import/import_wire.h"

/* What a child of the helper is given. */
struct import_task {
	struct import_request request;
	int asset, result; // descriptors
	bool must_jail;    // rather fail than read unjailed
};

/* Reads the asset and writes the result, shut in. For a process that was just forked, of one
 * thread. */
_Noreturn void import_child_run(const struct import_task *task);

/* Tries whether a process can be shut in, as import_child_run does it; never comes out again. The
 * reason why not goes to the descriptor, and ends the process with 1. */
_Noreturn void import_child_probe(int why_not);
