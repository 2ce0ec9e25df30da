/* Reads assets, each in a process of its own that can do nothing else (sandbox.h), so that a fault
 * in any decoder costs one request and no more.
 *
 * A helper process (import_helper.h) forks the children. It is started with the importer, and again
 * by the import that finds it gone or loses it, which then tries once more. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/stop.h"

struct rig;
struct importer;

enum sandbox {
	SANDBOX_AUTO,    // shut in as far as the kernel allows; a warning where that is not far
	SANDBOX_REQUIRE, // shut in, or no start
	SANDBOX_OFF,     // read in this process
};

struct importer_options {
	enum sandbox sandbox;
	double seconds;        // of processor time that one asset may take; > 0
	uint64_t memory_bytes; // that all assets being read may take together; > 0
};

/* NULL with ERROR_INTERNAL when there is no helper, or none as the options want it. */
struct importer *importer_create(const struct importer_options *options, struct error *err);
void importer_destroy(struct importer *importer); // takes NULL; nobody may be reading

/* The bytes of an asset: in memory, or all of an open file, or the same in both, which saves a
 * copy.
 */
struct import_asset {
	const void *bytes; // [size]; NULL = in the file
	size_t size;
	int file;                // descriptor; -1 = none
	const struct stop *stop; // ends the reading; NULL = never
};

/* What renderer_import() makes of the asset, a rig with one reference or NULL with its errors. Past
 * its budget of processor time or memory (protocol/limits.h) it is ERROR_TOO_LARGE, and
 * ERROR_BROKEN_ASSET when a decoder failed on it; ERROR_OVERLOADED when the process was killed from
 * outside, when it got too little of the processor, or when all assets being read took too much
 * memory and this one the most of it.
 * importer NULL reads in this process, without budgets. Any thread, several at once. */
struct rig *importer_read(
	struct importer *importer, const struct import_asset *asset, struct error *err);

/* True if the arguments start the helper instead of the daemon. The helper is this program started
 * again, small and with one thread, so that it can fork a child for each asset. The daemon could
 * not do so: it has threads, a graphics driver, and the rigs of all clients, which no process that
 * reads untrusted bytes may inherit. */
bool import_helper_is_wanted(int argument_count, char **arguments);

/* Serves the daemon until it closes the socket, then kills the children. Returns the exit status.
 */
int import_helper_main(void);
