/* The rigs that the daemon holds, by name: in a directory, and in memory once they were used.
 *
 *   lock            held while a daemon uses the directory
 *   objects/HASH    the bytes that were put, by their SHA-256
 *   rigs/NAME       a record (store_record.h) that gives an object a name
 *   tmp/            what is being written; emptied at the start
 *
 * Any thread, but for opening and closing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "reply.h"

struct importer;
struct rig;
struct store;

/* Opens the directory, making it if need be. Assets are read by the importer, which is borrowed
 * (NULL: in this process). NULL with ERROR_CONFLICT when another daemon uses it,
 * or ERROR_INTERNAL. */
struct store *store_open(const char *path, struct importer *importer, struct error *err);
void store_close(struct store *store); // takes NULL

/* All rigs sorted by name; the array and its strings are made in the arena. */
const struct rig_summary *store_list(struct store *store, struct arena *arena, size_t *count);

/* A rig as it is at one moment: what is deleted or replaced meanwhile stays as it was. */
struct store_hold {
	struct rig_summary summary; // strings in the arena
	struct rig *rig;            // a reference, NULL = not read so far (store_load does)
	int source;                 // descriptor of the bytes, -1 = not needed so far
};

enum hold_kind { HOLD_RIG, HOLD_SOURCE };

/* Holds a rig for its contents or for its source. False with ERROR_UNKNOWN_RIG and the names there
 * are, or ERROR_INTERNAL, and an empty hold. */
bool store_hold(struct store *store, const char *name, enum hold_kind kind, struct arena *arena,
	struct store_hold *hold, struct error *err);

/* Leaves an empty hold behind, {.source = -1}, which may be released again. */
void store_release(struct store_hold *hold);

/* The rig itself, read now if nobody has used it since the start; borrowed from the hold. NULL with
 * the importer's errors. */
struct rig *store_load(struct store *store, struct store_hold *hold, struct error *err);

enum put_mode { PUT_REPLACE, PUT_ONLY_NEW };

/* What is put. */
struct store_asset {
	const char *name;
	const void *bytes;
	size_t size;
	int file; // descriptor of a sealed file with the same bytes; -1 = none
	enum put_mode mode;
};

/* Puts an asset under a name that keeps name_check(). When it returns true, the rig survives a
 * power loss, and *created tells whether the name is new. Fails with the importer's errors (then
 * nothing was stored), ERROR_PRECONDITION_FAILED (PUT_ONLY_NEW and the name is taken),
 * ERROR_STORE_FULL or ERROR_INTERNAL. */
bool store_put(struct store *store, const struct store_asset *asset, struct arena *arena,
	struct rig_summary *out, bool *created, struct error *err);

/* False with ERROR_UNKNOWN_RIG or ERROR_INTERNAL. */
bool store_delete(struct store *store, const char *name, struct error *err);
