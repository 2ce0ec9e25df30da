/* The parts of imports: importer.c (the daemon's side), import_helper.c (the process that forks the
 * children), import_child.c (a child), import_outcome.c (its result). All three processes run this
 * program, so that their messages are plain structs. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct rig;

/* The argument that makes this program the helper, and where it finds its socket. */
#define IMPORT_HELPER_ARGUMENT "--import-helper"
#define IMPORT_HELPER_SOCKET 3

/* Helper -> daemon, once: whether its children can be shut in. */
struct import_hello {
	bool sandboxed;
	char why_not[256]; // what the kernel does not offer
};

/* Daemon -> helper, with the descriptors below. When the daemon closes its end of the reply's pipe
 * before there is one, the child is killed. */
struct import_request {
	uint64_t asset_bytes;
	uint64_t memory_bytes; // its limit
	uint64_t all_bytes;    // limit of all children together
	double cpu_seconds;    // limit of processor time
	double wall_seconds;   // limit of the clock on the wall; greater
};

enum import_descriptor {
	IMPORT_ASSET,  // to read
	IMPORT_RESULT, // empty, for the child to write
	IMPORT_REPLY,  // where the helper writes its import_reply
	IMPORT_DESCRIPTORS,
};

/* The limit that a child ended past. */
enum import_end {
	IMPORT_END_OWN,     // none
	IMPORT_END_CPU,     // processor time: the asset is to blame
	IMPORT_END_WALL,    // time on the wall: the machine has other things to do
	IMPORT_END_CROWDED, // memory of all children, of which it had the most
};

/* Helper -> daemon: how the child ended. */
struct import_reply {
	int status;          // as of wait(); -1 = no child could be made
	int failure;         // errno of that
	enum import_end end; // past a limit, killed by the helper or not
	double seconds;      // taken, of the clock on the wall
	double cpu_seconds;  // likewise, of processor time
	uint64_t peak_bytes; // resident, at most
};

/* Exit statuses of a child. */
enum { IMPORT_EXIT_WRITTEN = 0, IMPORT_EXIT_OUT_OF_MEMORY = 3, IMPORT_EXIT_NO_ROOM = 4 };

/* The child's result file: this, and from IMPORT_PACK_AT on the packed rig. Whole pages, so that
 * the pack can be mapped by itself. Written by whoever a broken asset makes of the child: not
 * trusted.
 */
#define IMPORT_PACK_AT ((size_t)65536)
#define IMPORT_RESULT_MAGIC 0x706f7365u

struct import_result {
	uint32_t magic;      // 0 until it is complete
	uint32_t failed;     // 1 = err says why there is no rig
	uint64_t pack_bytes; // of the packed rig
	struct error err;
};

/* import_outcome.c */

/* An import that has ended. */
struct import_outcome {
	struct import_request request;
	struct import_reply reply;
	int result; // descriptor of the child's result file
};

/* The rig that a child has written, or NULL with why there is none. */
struct rig *import_outcome_take(const struct import_outcome *outcome, struct error *err);

/* import_child.c */

/* What a child of the helper is given. */
struct import_task {
	struct import_request request;
	int asset, result; // descriptors
	bool must_sandbox; // rather fail than read without a sandbox
};

/* Reads the asset and writes the result, shut in. For a process that was just forked, of one
 * thread. */
_Noreturn void import_child_run(const struct import_task *task);

/* Tries whether a process can be shut in, as import_child_run does it; never comes out again. The
 * reason why not goes to the descriptor, and ends the process with 1. */
_Noreturn void import_child_probe(int why_not);
