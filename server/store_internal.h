/* Shared by store.c and store_change.c (what callers ask for), store_index.c (names and contents),
 * store_memory.c (rigs in memory) and store_disk.c (the directory). */
#pragma once

#include <pthread.h>

#include "store.h"
#include "store_record.h"

/* Bytes that were put, whatever the names for them. */
struct content {
	char hash[HASH_TEXT_BYTES];    // of the bytes; the key in store->contents
	size_t uses;                   // entries that name it; the last one takes it along
	bool checked;                  // its object was read whole since the start
	struct rig *rig;               // a reference; NULL = not in memory
	size_t rig_bytes;              // of memory, if there is a rig
	struct content *older, *newer; // used before and after it, among those in memory
};

/* A rig's name. */
struct index_entry {
	struct store_record record;
	struct content
		*content; // of record.hash; owned together with the other entries that use it
	bool unsettled;   // the disk failed half-way: its record may be another by now
	char name[];
};

/* The contents in memory, from the least to the most recently used. */
struct loaded {
	struct content *oldest, *newest;
	size_t count, bytes;
	size_t budget; // bytes
	uint64_t loads, evictions;
};

struct store {
	struct importer *importer;                     // borrowed from main; NULL = in this process
	int directory, objects, rigs, temporary, lock; // descriptors; -1 = not open

	/* Held while the directory changes; taken before `mutex`, never the other way round. */
	pthread_mutex_t writing;

	pthread_mutex_t mutex;        // held for moments only: guards what follows
	struct index_entry **entries; // [count] sorted by name
	size_t count, room;
	void *contents; // tree of tsearch(3), by hash
	struct loaded loaded;
};

/* What callers are told about a rig; strings in the arena. */
struct rig_summary store_summarize(
	const char *name, const struct store_record *record, struct arena *arena);

/* Says which rigs there are, as far as there is room for whole names. Under store->mutex. Always
 * false. */
bool store_refuse_unknown(const struct store *store, const char *name, struct error *err);

/* The index. All under store->mutex. */

/* The entry of a name; NULL = none. */
struct index_entry *index_find(const struct store *store, const char *name);

/* Puts an entry in, or gives the one of that name another record. */
struct index_entry *index_put(
	struct store *store, const char *name, const struct store_record *record);

/* Puts an entry behind all others, sorted or not: for many at once, with index_sort() after them.
 * No name may come twice. */
void index_append(struct store *store, const char *name, const struct store_record *record);
void index_sort(struct store *store);

void index_remove(struct store *store, struct index_entry *entry);
void index_clear(struct store *store);

/* The content with this hash; NULL when no entry has it. */
struct content *index_content(const struct store *store, const char *hash);

/* The rigs in memory. All but memory_trim() under store->mutex. */

/* Keeps a rig, taking the reference over, unless the content has one already. */
void memory_add(struct store *store, struct content *content, struct rig *take_rig);

/* Makes a content's rig the most recently used. */
void memory_touch(struct store *store, struct content *content);

/* Lets go of a content's rig; whoever holds it keeps it. */
void memory_drop(struct store *store, struct content *content);

/* Lets go of the least recently used rigs that nobody holds until the budget is kept, and their
 * count in bounds. */
void memory_trim(struct store *store);

/* The directory. */

/* Opens it and reads its index, clearing what a crash left. */
bool disk_open(struct store *store, const char *path, struct error *err);
void disk_close(struct store *store);

/* Whether there is an object with these very bytes. */
bool disk_holds(const struct store *store, const struct store_asset *asset, const char *hash);

/* Writes an object (unless it is there) and then the record that names it. Under store->writing.
 * After false the record is the old one or, if the disk itself failed, perhaps the new one. */
bool disk_write(struct store *store, const struct store_asset *asset,
	const struct store_record *record, struct error *err);

/* Whether the record of this name names this object. */
bool disk_names(const struct store *store, const char *name, const char *hash);

/* Opens an object to read; -1 with errno. */
int disk_open_object(const struct store *store, const char *hash);

/* Removes an object that no entry uses, if it is there. What fails is logged: nobody misses it, and
 * what comes back after a power loss is removed at the next start. */
void disk_drop_object(struct store *store, const char *hash);
