/* Reads assets, each in a sandboxed process (sandbox.h), so that a fault in a decoder affects only
 * one request of the daemon's, or one file of pose's.
 *
 * A helper process (import_helper.c) forks these children. It starts with the importer; an import
 * that finds it gone or loses it starts another one and tries once more. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/stop.h"

struct asset_facts;
struct rig;
struct importer;

enum sandbox {
	SANDBOX_AUTO,    // sandboxed as far as the kernel allows, with a warning if that is not
			 // possible
	SANDBOX_REQUIRE, // sandboxed, or refuse to start
	SANDBOX_OFF,     // read in this process
};

struct importer_options {
	enum sandbox sandbox;
	double seconds;        // limit of processor time for an asset; > 0
	uint64_t memory_bytes; // limit of all assets being read; > 0
};

/* NULL with ERROR_INTERNAL when the helper cannot start, or not as the options require. */
struct importer *importer_create(const struct importer_options *options, struct error *err);
void importer_destroy(struct importer *importer); // takes NULL; no import may be running

/* The bytes of an asset: in memory, or all of an open file, or the same bytes in both, which saves
 * a copy. */
struct import_asset {
	const void *bytes; // [size]; NULL = in the file
	size_t size;
	int file;                // descriptor; -1 = none
	const struct stop *stop; // stops the import; NULL = never
};

/* Reads an asset as renderer_import() does: a rig with one reference, or NULL with its errors.
 * ERROR_TOO_LARGE above the limits of processor time or memory (protocol/limits.h),
 * ERROR_BROKEN_ASSET when a decoder crashed. ERROR_OVERLOADED when the process was killed from
 * outside, got too little processor time, or used the most memory of all assets being read while
 * these exceeded their limit. importer NULL reads in this process, without limits. Any thread,
 * several at once. */
struct rig *importer_read(
	struct importer *importer, const struct import_asset *asset, struct error *err);

/* The same for checks, as renderer_import_lenient() does: *facts is to be freed with
 * asset_facts_destroy(), and NULL where there is no rig. */
struct rig *importer_read_lenient(struct importer *importer, const struct import_asset *asset,
	struct asset_facts **facts, struct error *err);

/* True if the arguments start the helper instead of the program itself, for the main() of a program
 * that has importers. The helper is this program started
 * again, small and with one thread, so that it can fork a child for each asset. The daemon could
 * not do so: it has threads, a graphics driver, and the rigs of all clients, which no process that
 * reads untrusted bytes may inherit. */
bool import_helper_is_wanted(int argument_count, char **arguments);

/* Serves the daemon until it closes the socket, then kills the children. Returns the exit status.
 */
int import_helper_main(void);
