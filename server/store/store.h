/* The rigs that the daemon holds, by name, with their examples (store_examples.h) and the clips
 * that their files do not have (store_clips.h): in a directory, and in memory as long as they are
 * used.
 *
 *   lock            held while a daemon uses the directory
 *   objects/HASH    the bytes that were put, by their SHA-256
 *   rigs/NAME       a record (store_record.h) that gives objects names
 *   derived/        what was made for rigs and can be made again (store_derived.h)
 *   tmp/            what is being written; emptied at the start
 *
 * What is in rigs/ and objects/ was written whole and synced before it got its name there, and what
 * was promised to a caller is synced with its directory: it outlives SIGKILL and power losses.
 *
 * When the fault lies with the disk, the errors say so: ERROR_STORE_FULL, ERROR_STORE_UNWRITABLE
 * (read-only, no permission, broken) and ERROR_STORE_DAMAGED (what was put is not there any more,
 * or not as it was put). All are for an operator to mend and answered with 507; none loses what was
 * stored before, and what needs no writing goes on. A rig whose record is damaged is in the list,
 * and can be put again and deleted.
 *
 * Any thread, but for opening and closing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "reply.h"
#include "store/store_record.h"

struct content;
struct examples;
struct importer;
struct rig;
struct store;
struct verification;

struct store_options {
	struct importer *importer; // reads assets; borrowed; NULL = they are read in this process
	size_t memory_bytes;       // of rigs and examples in memory that nobody holds
	uint64_t derived_bytes;    // on the disk, of what can be made again; 0 = 1 GiB
	bool read_only; // nothing is written into the directory, and what would change it is
			// refused with ERROR_READ_ONLY
};

/* Opens the directory, making it if need be. NULL with ERROR_CONFLICT when another daemon uses it,
 * ERROR_STORE_UNWRITABLE, ERROR_STORE_FULL or ERROR_INTERNAL. */
struct store *store_open(const char *path, const struct store_options *options, struct error *err);
void store_close(struct store *store); // takes NULL
bool store_is_read_only(const struct store *store);

/* False with ERROR_READ_ONLY when it is, as all have it that put and delete. */
bool store_check_writable(const struct store *store, struct error *err);

/* The store at one moment. */
struct store_stats {
	size_t rigs, examples, clips; // clips: beside those in files
	size_t object_bytes;          // of what was put, as it lies on the disk
	size_t loaded_rigs;           // different contents in memory, held or not
	size_t loaded_bytes;          // of memory that these and examples take
	size_t budget_bytes;          // that loaded_bytes is kept to, but for what somebody holds
	uint64_t loads;               // rigs read from the disk since the start
	uint64_t evictions; // rigs and sets of examples let go of for the budget since the start
};

void store_read_stats(struct store *store, struct store_stats *stats);

/* All rigs sorted by name; the array and its strings are made in the arena. */
const struct rig_summary *store_list(struct store *store, struct arena *arena, size_t *count);

/* A rig, its examples and its clips as they are at one moment: what is deleted or replaced
 * meanwhile stays as it was. */
struct store_hold {
	struct store *store;        // borrowed
	struct rig_summary summary; // strings in the arena
	/* For tags of answers: what all of it is; the rig with its clips, which poses are made of;
	 * the file with its examples, which data for skinning is made of. */
	const char *state, *motion, *basis;
	struct rig *rig; // with its clips; a reference, NULL = not read so far (store_load does)
	struct rig *file_rig; // likewise, without them; NULL = not needed, or not in memory
	int source;           // descriptor of the bytes, -1 = not needed so far
	bool checked;         // the bytes were held against their hash since the start
	struct content *sets[ITEM_KIND_COUNT]; // its examples and clips; NULL = it has none
	struct examples *examples; // a reference, NULL = not read so far (store_load_examples does)
};

enum hold_kind { HOLD_RIG, HOLD_SOURCE };

/* Holds a rig for its contents or for its source. False with ERROR_UNKNOWN_RIG and the names there
 * are, ERROR_STORE_DAMAGED or ERROR_INTERNAL, and an empty hold. */
bool store_hold(struct store *store, const char *name, enum hold_kind kind, struct arena *arena,
	struct store_hold *hold, struct error *err);

/* Whether a hold is of what the rig is now, with its examples and clips. */
bool store_is_current(const struct store_hold *hold);

/* Leaves an empty hold behind, {.source = -1}, which may be released again. */
void store_release(struct store_hold *hold);

/* The rig itself, read now if it is not in memory; borrowed from the hold. The bytes are held
 * against their hash before. NULL with ERROR_STORE_DAMAGED or the importer's errors. */
struct rig *store_load(struct store *store, struct store_hold *hold, struct error *err);

/* Holds the source against its hash, unless that was done since the start. False with
 * ERROR_STORE_DAMAGED. */
bool store_check_source(struct store_hold *hold, struct error *err);

enum put_mode { PUT_REPLACE, PUT_ONLY_NEW };

/* What is put. */
struct store_asset {
	const char *name;
	const void *bytes;
	size_t size;
	int file; // descriptor of a sealed file with the same bytes; -1 = none
	enum put_mode mode;
	const struct stop *stop; // ends the reading; NULL = never
	const char *as; // the state that the rig must have at that moment (store_hold.state), or
			// "*" = any; NULL = it need not even be there
};

/* Puts an asset under a name that keeps name_check(). When it returns true, the rig survives a
 * power loss, and *created tells whether the name is new. An object that the disk has damaged is
 * mended by putting its bytes again. Fails with the importer's errors (then nothing was stored),
 * ERROR_PRECONDITION_FAILED (PUT_ONLY_NEW and the name is taken, or it is not as it must be),
 * ERROR_STORE_FULL,
 * ERROR_STORE_UNWRITABLE or ERROR_INTERNAL. */
bool store_put(struct store *store, const struct store_asset *asset, struct arena *arena,
	struct rig_summary *out, bool *created, struct error *err);

/* False with ERROR_UNKNOWN_RIG, ERROR_STORE_UNWRITABLE, ERROR_STORE_FULL (on file systems that need
 * room for that, too) or ERROR_INTERNAL. */
bool store_delete(struct store *store, const char *name, struct error *err);

/* The same for a rig that must have a state, as store_asset.as. */
bool store_delete_as(struct store *store, const char *name, const char *as, struct error *err);

/* Puts every .glb, .gltf and .zip file of a directory under its name without the extension. A file
 * that cannot be stored is logged and left out. False with ERROR_INVALID_VALUE when the directory
 * cannot be read. */
bool store_preload(struct store *store, const char *path, struct error *err);

/* Reads every record of a store's directory, the objects that they name, and the derived data, and
 * changes nothing. It may run beside a daemon: files that the daemon writes meanwhile are not
 * checked, and files that it replaces or deletes are not damage. Texts are made in the arena; *out
 * is zeroed memory, whose findings are malloc memory. False with ERROR_INTERNAL when the directory
 * cannot be read. */
bool store_verify(
	const char *path, struct arena *arena, struct verification *out, struct error *err);
