/* Shared by store.c (the index in memory) and store_disk.c (the directory). */
#pragma once

#include <pthread.h>

#include "store.h"
#include "store_record.h"

/* A rig's place in the index. */
struct entry {
	char *name; // owned
	struct store_record record;
	struct rig *rig; // a reference; NULL = not used since the start
};

struct store {
	struct importer *importer;                     // borrowed from main; NULL = in this process
	int directory, objects, rigs, temporary, lock; // descriptors; -1 = not open

	/* Held while the directory changes; taken before `mutex`, never the other way round. */
	pthread_mutex_t writing;

	pthread_mutex_t mutex; // held for moments only: guards what follows
	struct entry *entries; // [count] sorted by name
	size_t count;
};

/* Position of a name, or of where it belongs when *found is false. Under store->mutex. */
size_t entry_position(const struct store *store, const char *name, bool *found);

/* Whether any entry has this content. Under store->mutex. */
bool entry_uses(const struct store *store, const char *hash);

/* Puts an entry in at its position, replacing one of the same name. Takes over the reference to
 * rig, which may be NULL. Under store->mutex. */
void entry_put(struct store *store, const char *name, const struct store_record *record,
	struct rig *take_rig);

/* Opens the directory and reads its index, clearing what a crash left. */
bool disk_open(struct store *store, const char *path, struct error *err);
void disk_close(struct store *store);

/* Writes an object (unless it is there) and then the record that names it. Under store->writing. */
bool disk_write(struct store *store, const struct store_asset *asset,
	const struct store_record *record, struct error *err);

/* Removes an object that no entry uses any more. What fails is logged: nobody misses it. */
void disk_drop_object(struct store *store, const char *hash);
