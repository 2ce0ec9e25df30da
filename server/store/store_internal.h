/* The store's parts, which share struct store: the index of names and contents (store_index.c), the
 * contents loaded in memory (store_memory.c), the directory (store_disk.c), and changes to all of
 * these (store_change.c, store_items.c). */
#pragma once

#include <pthread.h>
#include <sys/queue.h>

#include "store/store.h"
#include "store/store_record.h"

/* Bytes that were put, whatever the names for them; or all examples or clips of a rig together: a
 * set. */
struct content {
	char hash[HASH_TEXT_BYTES]; // of the bytes, or of the set; the key in store->contents
	size_t uses;                // entries, sets and holds; the last one takes it along
	size_t bytes;               // of the object; of a set 0
	bool checked;               // its object was read whole since the start
	bool damaged;               // and was not what was put, or not there

	struct rig *rig; // a reference; of a set the rig with these clips; NULL = not in memory
	struct examples *examples;   // likewise, of a set
	size_t loaded_bytes;         // of memory, if there is either
	TAILQ_ENTRY(content) loaded; // in store->loaded, while there is either

	struct item_list *list;   // of a set: what it is made of; owned; NULL = it is an object
	struct content **objects; // [list->count] the objects, of which the set is a use; owned
};

/* A rig's name. */
struct index_entry {
	struct store_record record;
	struct content *content; // of record.hash; owned together with all others that use it;
				 // NULL = the record on the disk is damaged, and empty here
	struct content *sets[ITEM_KIND_COUNT]; // likewise; NULL = it has none
	bool unsettled; // the disk failed half-way: its record may be another by now
	bool older;     // its record on the disk has no checksum so far
	char name[];
};

/* The contents in memory, from the least to the most recently used. */
struct loaded {
	TAILQ_HEAD(loaded_contents, content) contents;
	size_t count, rigs, bytes; // rigs: of the count, the others are sets
	size_t budget;             // bytes
	uint64_t loads, evictions;
};

struct store {
	struct importer *importer; // borrowed from main; NULL = in this process
	bool read_only;            // nothing is written into the directory
	int directory, objects, rigs, derived, temporary, lock; // descriptors; -1 = not open

	/* Held while the directory changes; taken before `mutex`, never the other way round. */
	pthread_mutex_t writing;

	pthread_mutex_t deriving; // held while derived/ changes; behind `writing`, before `mutex`
	uint64_t derived_budget;  // bytes

	pthread_mutex_t mutex;        // held for moments only: guards what follows
	struct index_entry **entries; // [count] sorted by name
	size_t count, room;
	void *contents; // tree of tsearch(3), by hash
	struct loaded loaded;
	size_t item_counts[ITEM_KIND_COUNT]; // of all rigs
	size_t object_bytes;                 // of all objects that are used
	char (*orphans)[HASH_TEXT_BYTES];    // [orphan_count] objects that nobody uses any more
	size_t orphan_count, orphan_room;
};

/* What callers are told about a rig with so many clips beside its file's; strings in the arena. */
struct rig_summary store_summarize(const char *name, const struct store_record *record,
	size_t stored_clips, struct arena *arena);

/* Says that the record of a rig is damaged. Always false. */
bool store_refuse_record(const char *name, struct error *err);

/* The clips that an entry has beside its file's. Under store->mutex. */
size_t store_stored_clips(const struct index_entry *entry);

/* Whether an entry (NULL = none) is as a change wants it, as store_asset.as. Under store->mutex.
 * False with ERROR_PRECONDITION_FAILED. */
bool store_check_as(const struct index_entry *entry, const char *as, struct error *err);

/* Says which rigs there are, as far as there is room for whole names. Under store->mutex. Always
 * false. */
bool store_refuse_unknown(const struct store *store, const char *name, struct error *err);

/* store_index.c; all under store->mutex. */

/* The entry of a name; NULL = none. */
struct index_entry *index_find(const struct store *store, const char *name);

/* Puts an entry in, or gives the one of that name another record and other items, which may be
 * those that it has. */
struct index_entry *index_put(struct store *store, const char *name,
	const struct store_record *record, const struct record_items *items);

/* The items of an entry, borrowed from it; of no entry none. */
struct record_items index_items(const struct index_entry *entry);

/* Puts an entry behind all others, sorted or not: for many at once, with index_sort() after them.
 * No name may come twice. */
struct index_entry *index_append(struct store *store, const char *name,
	const struct store_record *record, const struct record_items *items);
void index_sort(struct store *store);

/* The same for a name whose record is damaged. */
void index_append_damaged(struct store *store, const char *name);

void index_remove(struct store *store, struct index_entry *entry);
void index_clear(struct store *store);

/* The content with this hash; NULL when nobody uses it. */
struct content *index_content(const struct store *store, const char *hash);

/* One more use of a content, and one less. What loses its last use is forgotten, and its object an
 * orphan. */
struct content *index_retain(struct content *content);
void index_leave(struct store *store, struct content *content);

/* store_memory.c; all but memory_trim() under store->mutex. */

/* Keeps a rig or a set's examples, taking the reference over, unless the content has them already.
 */
void memory_add(struct store *store, struct content *content, struct rig *take_rig);
void memory_add_examples(
	struct store *store, struct content *content, struct examples *take_examples);

/* Makes what a content has in memory the most recently used. */
void memory_touch(struct store *store, struct content *content);

/* Lets go of what a content has in memory; whoever holds it keeps it. */
void memory_drop(struct store *store, struct content *content);

/* Lets go of what was used least recently and nobody holds until the budget is kept, and the count
 * in bounds. */
void memory_trim(struct store *store);

/* store_disk.c */

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

/* store_change.c: steps of changes, under store->writing. */

/* Removes the objects that lost their last use. */
void change_drop_orphans(struct store *store);

/* Makes what a change that failed half-way has left of a name's record what the index has, or
 * removes it where that has none. */
bool change_settle(struct store *store, const char *name, struct error *err);

/* After a change to a name that failed: the disk may be as it was, or half-way, and is settled if
 * it can be. Gives the room back that the object took that was written for it, unless the disk
 * names that. */
void change_failed(struct store *store, const char *name, const char *hash);
