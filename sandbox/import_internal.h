/* The parts of imports: importer.c (the side of the daemon or of pose, called the daemon below),
 * import_helper.c (the process that forks the children), import_child.c (a child), import_outcome.c
 * (its result). All three processes run this program, so that their messages are plain structs. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct asset_facts;
struct rig;

/* The argument that starts the helper, and the helper's socket. */
#define IMPORT_HELPER_ARGUMENT "--import-helper"
#define IMPORT_HELPER_SOCKET 3

/* Helper -> daemon, once. */
struct import_hello {
	bool sandboxed;    // children can be sandboxed
	char why_not[256]; // the features that the kernel lacks
};

/* Daemon -> helper, with the descriptors below. If the daemon closes its end of the reply's pipe
 * before the reply, the helper kills the child. */
struct import_request {
	uint64_t asset_bytes;
	uint64_t memory_bytes; // limit of the child
	uint64_t all_bytes;    // limit of all children together
	double cpu_seconds;    // limit of processor time
	double wall_seconds;   // limit of elapsed time; greater
	bool lenient;          // with the facts of the file
};

enum import_descriptor {
	IMPORT_ASSET,  // to read
	IMPORT_RESULT, // empty, for the child to write
	IMPORT_REPLY,  // pipe for the import_reply of the helper
	IMPORT_DESCRIPTORS,
};

/* The limit that a child exceeded. */
enum import_end {
	IMPORT_END_OWN,     // none
	IMPORT_END_CPU,     // processor time, because of the asset
	IMPORT_END_WALL,    // elapsed time, because the machine is busy
	IMPORT_END_CROWDED, // memory of all children, of which it had the most
};

/* Helper -> daemon: the end of a child. */
struct import_reply {
	int status;          // of wait(); -1 = fork failed
	int failure;         // errno of fork
	enum import_end end; // exceeded limit, whether or not the helper killed the child
	double seconds;      // elapsed
	double cpu_seconds;  // processor time
	uint64_t peak_bytes; // maximum resident memory
};

/* Exit statuses of a child. */
enum { IMPORT_EXIT_WRITTEN = 0, IMPORT_EXIT_OUT_OF_MEMORY = 3, IMPORT_EXIT_NO_ROOM = 4 };

/* The child's result file: this, from IMPORT_PACK_AT on the packed rig, and after it the packed
 * facts of a lenient import. Whole pages, so that the rig can be mapped by itself. Not trusted,
 * because a malicious asset may control the child.
 */
#define IMPORT_PACK_AT ((size_t)65536)
#define IMPORT_RESULT_MAGIC 0x706f7365u

struct import_result {
	uint32_t magic;       // 0 until it is complete
	uint32_t failed;      // 1 = there is no rig, but err
	uint64_t pack_bytes;  // of the packed rig
	uint64_t facts_bytes; // of the packed facts; 0 of a strict import
	struct error err;
};

/* import_outcome.c */

/* A finished import. */
struct import_outcome {
	struct import_request request;
	struct import_reply reply;
	int result; // descriptor of the child's result file
};

/* Takes the rig that a child has written, and with it the facts of a lenient import; NULL with
 * *err. facts NULL = a strict one. */
struct rig *import_outcome_take(
	const struct import_outcome *outcome, struct asset_facts **facts, struct error *err);

/* import_child.c */

struct import_task {
	struct import_request request;
	int asset, result; // descriptors
	bool must_sandbox; // fail instead of reading without a sandbox
};

/* Enters the sandbox, reads the asset and writes the result. For a newly forked process of one
 * thread. */
_Noreturn void import_child_run(const struct import_task *task);

/* Tries the sandbox of import_child_run() and exits: with 1 after writing the reason to the
 * descriptor, if it is not available. */
_Noreturn void import_child_probe(int why_not);
