/* The directory. */
#pragma once

#include "store/store_state.h"

/* Opens it and reads its index, clearing what a crash left. */
bool disk_open(struct store *store, const char *path, struct error *err);
void disk_close(struct store *store);

/* Whether there is an object with these very bytes. */
bool disk_holds(const struct store *store, const char *hash, const void *bytes, size_t size);

/* Writes an object, unless it is there. Under store->writing. */
bool disk_write_object(
	struct store *store, const char *hash, const void *bytes, size_t size, struct error *err);

/* Writes the record of a name. Under store->writing. After false it is the old one or, if the disk
 * itself failed, perhaps the new one. */
bool disk_write_record(struct store *store, const char *name, const struct store_record *record,
	const struct record_items *items, struct error *err);

/* Whether the record of this name names this object, for the rig or an item, or may: it cannot be
 * read. */
bool disk_names(const struct store *store, const char *name, const char *hash);

/* Whether a name has a record, of whatever kind, or may have one. */
bool disk_has_record(const struct store *store, const char *name);

/* Whether the record of an entry is on the disk what it is in the index. */
bool disk_agrees(const struct store *store, const struct index_entry *entry);

/* Opens an object to read; -1 with errno. */
int disk_open_object(const struct store *store, const char *hash);

/* Removes an object that no entry uses, if it is there. What fails is logged: nobody misses it, and
 * what comes back after a power loss is removed at the next start. */
void disk_drop_object(struct store *store, const char *hash);
