/* The daemon's rigs by name, with their examples (store_examples.h) and the clips that their files
 * lack (store_clips.h): in a directory, and in memory while they are in use.
 *
 *   lock            locked while a daemon uses the directory
 *   objects/HASH    uploaded bytes, by their SHA-256
 *   rigs/NAME       a record (store_record.h) that gives objects names
 *   derived/        expensive data computed from rigs (store_derived.h)
 *   tmp/            files being written; emptied at startup
 *
 * Files in rigs/ and objects/ are written whole and synced before they get their names there, and
 * a successful call has synced their directories: its effect survives SIGKILL and power losses.
 *
 * Faults of the disk have their own errors: ERROR_STORE_FULL, ERROR_STORE_UNWRITABLE (read-only, no
 * permission, broken) and ERROR_STORE_DAMAGED (stored bytes are lost or changed). An operator must
 * fix them; the status is 507. None of them loses stored data, and calls that write nothing go on.
 * A rig with a damaged record is listed, and can be put again and deleted.
 *
 * Any thread, except for opening and closing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/segment_cache.h"
#include "reply.h"
#include "store/store_record.h"

struct content;
struct examples;
struct importer;
struct rig;
struct store;
struct verification;

struct store_options {
	struct importer *importer; // reads assets; borrowed; NULL = read them in this process
	/* Budget of loaded rigs and examples that are not held, of which decoded keys of compressed
	 * clips take an eighth at most. */
	size_t memory_bytes;
	uint64_t derived_bytes; // budget of derived data on the disk; 0 = 1 GiB
	bool read_only; // write nothing into the directory, refuse changes with ERROR_READ_ONLY
};

/* Opens the directory, making it if need be. NULL with ERROR_CONFLICT when another daemon uses it,
 * ERROR_STORE_UNWRITABLE, ERROR_STORE_FULL or ERROR_INTERNAL. */
struct store *store_open(const char *path, const struct store_options *options, struct error *err);
void store_close(struct store *store); // takes NULL
bool store_is_read_only(const struct store *store);

/* False with ERROR_READ_ONLY if the store is read-only; all changes check this. */
bool store_check_writable(const struct store *store, struct error *err);

struct store_stats {
	size_t rigs, examples, clips;        // clips: without those in files
	size_t object_bytes;                 // of all objects on the disk
	size_t loaded_rigs;                  // different contents in memory, held or not
	size_t loaded_bytes;                 // memory of these, of examples and of decoded keys
	size_t budget_bytes;                 // limit of loaded_bytes; held contents may exceed it
	uint64_t loads;                      // rigs read from the disk since startup
	uint64_t evictions;                  // rigs and sets of examples evicted since startup
	struct segment_cache_stats segments; // decoded keys; hits and misses since startup
};

void store_read_stats(struct store *store, struct store_stats *stats);

/* All rigs sorted by name; the array and its strings are made in the arena. */
const struct rig_summary *store_list(struct store *store, struct arena *arena, size_t *count);

/* A snapshot of a rig, its examples and its clips: later changes and deletions do not affect it. */
struct store_hold {
	struct store *store;        // borrowed
	struct rig_summary summary; // strings in the arena
	/* For tags of responses. state identifies everything; motion the rig with its clips, on
	 * which poses depend; basis the file with its examples, on which data for skinning
	 * depends. */
	const char *state, *motion, *basis;
	struct rig *rig;      // with its clips; a reference, NULL = not loaded (see store_load)
	struct rig *file_rig; // likewise, without its clips; NULL = not needed, or not loaded
	int source;           // descriptor of the bytes, -1 = not needed so far
	bool checked;         // the bytes were checked against their hash since startup
	struct content *sets[ITEM_KIND_COUNT]; // its examples and clips; NULL = none
	struct examples *examples; // a reference, NULL = not loaded (see store_load_examples)
};

enum hold_kind { HOLD_RIG, HOLD_SOURCE };

/* Holds a rig for its contents or for its source. False with ERROR_UNKNOWN_RIG and the known names,
 * ERROR_STORE_DAMAGED or ERROR_INTERNAL, and an empty hold. */
bool store_hold(struct store *store, const char *name, enum hold_kind kind, struct arena *arena,
	struct store_hold *hold, struct error *err);

/* True if the rig, its examples and its clips have not changed since the hold. */
bool store_is_current(const struct store_hold *hold);

/* Leaves an empty hold, {.source = -1}, which may be released again. */
void store_release(struct store_hold *hold);

/* Loads the rig if it is not in memory, after checking its bytes against their hash; borrowed from
 * the hold. NULL with ERROR_STORE_DAMAGED or the importer's errors. */
struct rig *store_load(struct store *store, struct store_hold *hold, struct error *err);

/* Checks the source against its hash, unless that was done since startup. False with
 * ERROR_STORE_DAMAGED. */
bool store_check_source(struct store_hold *hold, struct error *err);

enum put_mode { PUT_REPLACE, PUT_ONLY_NEW };

struct store_asset {
	const char *name;
	const void *bytes;
	size_t size;
	int file; // descriptor of a sealed file with the same bytes; -1 = none
	enum put_mode mode;
	const struct stop *stop; // stops the import; NULL = never
	// The state that the rig must have (store_hold.state), or "*" = any; NULL = the rig need
	// not exist
	const char *as;
};

/* Stores an asset under a name that keeps name_check(). After true the rig survives a power loss,
 * and *created tells if the name is new. Putting the bytes of a damaged object again repairs it.
 * Fails with the importer's errors (nothing is stored then), ERROR_PRECONDITION_FAILED
 * (PUT_ONLY_NEW and the name is taken, or the rig has another state), ERROR_STORE_FULL,
 * ERROR_STORE_UNWRITABLE or ERROR_INTERNAL. */
bool store_put(struct store *store, const struct store_asset *asset, struct arena *arena,
	struct rig_summary *out, bool *created, struct error *err);

/* False with ERROR_UNKNOWN_RIG, ERROR_STORE_UNWRITABLE, ERROR_STORE_FULL (on file systems that need
 * space to delete) or ERROR_INTERNAL. */
bool store_delete(struct store *store, const char *name, struct error *err);

/* Deletes a rig that must have a state, like store_asset.as. */
bool store_delete_as(struct store *store, const char *name, const char *as, struct error *err);

/* Puts every file of a directory that is called an asset's under its name without the extension. A
 * file that cannot be stored is logged and left out. False with ERROR_INVALID_VALUE when the
 * directory cannot be read. */
bool store_preload(struct store *store, const char *path, struct error *err);

/* Reads every record of a store's directory, the objects that they name, and the derived data, and
 * changes nothing. It may run beside a daemon: files that the daemon writes meanwhile are not
 * checked, and files that it replaces or deletes are not damage. Texts are made in the arena; *out
 * is zeroed memory, whose findings are malloc memory. False with ERROR_INTERNAL when the directory
 * cannot be read. */
bool store_verify(
	const char *path, struct arena *arena, struct verification *out, struct error *err);
