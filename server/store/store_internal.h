/* The store's parts, which share struct store: the index of names and contents (store_index.c), the
 * contents loaded in memory (store_memory.c), the directory (store_disk.c), and changes to all of
 * these (store_change.c, store_items.c). */
#pragma once

#include <pthread.h>
#include <sys/queue.h>

#include "store/store.h"
#include "store/store_record.h"

/* An object: uploaded bytes, independent of the names that refer to them. Or a set: all examples or
 * all clips of a rig. */
struct content {
	char hash[HASH_TEXT_BYTES]; // of the object or the set; the key in store->contents
	size_t uses;                // references of entries, sets and holds; 0 frees the content
	size_t bytes;               // of the object; 0 for a set
	bool checked;               // the object was read to its end since startup
	bool damaged;               // the object was missing or changed then

	struct rig *rig; // a reference; of a set the rig with these clips; NULL = not loaded
	struct examples *examples;   // likewise, of a set
	size_t loaded_bytes;         // memory of either
	TAILQ_ENTRY(content) loaded; // in store->loaded, if either is loaded

	struct item_list *list;   // a set's items; owned; NULL = an object
	struct content **objects; // [list->count] references to a set's objects; owned
};

/* A name of a rig. */
struct index_entry {
	struct store_record record;
	struct content *content; // reference to the object of record.hash; NULL = the record on the
				 // disk is damaged, and empty here
	struct content *sets[ITEM_KIND_COUNT]; // references; NULL = none
	bool unsettled; // a write failed: the record on the disk may be another one
	bool older;     // the record on the disk has no checksum yet
	char name[];
};

/* The contents in memory, from the least to the most recently used. */
struct loaded {
	TAILQ_HEAD(loaded_contents, content) contents;
	size_t count, rigs, bytes; // rigs: of the count; the others are sets
	size_t budget;             // bytes
	uint64_t loads, evictions;
};

struct store {
	struct importer *importer;      // borrowed from main; NULL = import in this process
	struct segment_cache *segments; // decoded keys of compressed clips; owned
	bool read_only;                 // write nothing into the directory
	int directory, objects, rigs, derived, temporary, lock; // descriptors; -1 = not open

	/* Locked while the directory changes; taken before `mutex`, never after it. */
	pthread_mutex_t writing;

	pthread_mutex_t deriving; // locked while derived/ changes; after `writing`, before `mutex`
	uint64_t derived_budget;  // bytes

	pthread_mutex_t mutex;        // locked briefly; guards all members below
	struct index_entry **entries; // [count] sorted by name
	size_t count, room;
	void *contents; // tree of tsearch(3), by hash
	struct loaded loaded;
	size_t item_counts[ITEM_KIND_COUNT]; // of all rigs
	size_t object_bytes;                 // of all objects in use
	char (*orphans)[HASH_TEXT_BYTES];    // [orphan_count] objects that lost their last use
	size_t orphan_count, orphan_room;
};

/* store.c */

/* The summary of a rig with so many clips besides its file's; strings in the arena. */
struct rig_summary store_summarize(const char *name, const struct store_record *record,
	size_t stored_clips, struct arena *arena);

/* Reports a damaged record. Always false. */
bool store_refuse_record(const char *name, struct error *err);

/* Number of clips that an entry has besides its file's. Under store->mutex. */
size_t store_stored_clips(const struct index_entry *entry);

/* Checks the state of an entry (NULL = none), as store_asset.as requires. Under store->mutex.
 * False with ERROR_PRECONDITION_FAILED. */
bool store_check_as(const struct index_entry *entry, const char *as, struct error *err);

/* Reports an unknown rig and lists the known ones, as far as they fit. Under store->mutex. Always
 * false. */
bool store_refuse_unknown(const struct store *store, const char *name, struct error *err);

/* store_index.c; all under store->mutex. */

/* The entry of a name; NULL = none. */
struct index_entry *index_find(const struct store *store, const char *name);

/* Adds an entry, or replaces the record and the items of the one with that name; items may be its
 * present ones. */
struct index_entry *index_put(struct store *store, const char *name,
	const struct store_record *record, const struct record_items *items);

/* The items of an entry, borrowed from it; none for NULL. */
struct record_items index_items(const struct index_entry *entry);

/* Appends an entry regardless of the order: for many at once, with index_sort() after them. No name
 * may come twice. */
struct index_entry *index_append(struct store *store, const char *name,
	const struct store_record *record, const struct record_items *items);
void index_sort(struct store *store);

/* Appends a name whose record is damaged. */
void index_append_damaged(struct store *store, const char *name);

void index_remove(struct store *store, struct index_entry *entry);
void index_clear(struct store *store);

/* The content with a hash; NULL if it is not in use. */
struct content *index_content(const struct store *store, const char *hash);

/* Adds and removes a use of a content. Removing the last one frees it, and makes its object an
 * orphan. */
struct content *index_retain(struct content *content);
void index_leave(struct store *store, struct content *content);

/* store_memory.c; all but memory_trim() under store->mutex. */

/* Loads a rig or a set's examples into a content, consuming the reference, unless it has them. */
void memory_add(struct store *store, struct content *content, struct rig *take_rig);
void memory_add_examples(
	struct store *store, struct content *content, struct examples *take_examples);

/* Marks a loaded content as the most recently used. */
void memory_touch(struct store *store, struct content *content);

/* Evicts a content; holds keep their references. */
void memory_drop(struct store *store, struct content *content);

/* Evicts contents that are not held, least recently used first, until budget and count are within
 * their limits. */
void memory_trim(struct store *store);

/* store_disk.c */

/* Opens the directory, cleans up after a crash, and reads the index. */
bool disk_open(struct store *store, const char *path, struct error *err);
void disk_close(struct store *store);

/* True if the object exists with exactly these bytes. */
bool disk_holds(const struct store *store, const char *hash, const void *bytes, size_t size);

/* Writes an object unless it exists. Under store->writing. */
bool disk_write_object(
	struct store *store, const char *hash, const void *bytes, size_t size, struct error *err);

/* Writes the record of a name. Under store->writing. After false it is the old one or, if the disk
 * failed, perhaps the new one. */
bool disk_write_record(struct store *store, const char *name, const struct store_record *record,
	const struct record_items *items, struct error *err);

/* True if the record of a name refers to an object, or may do so because it cannot be read. */
bool disk_names(const struct store *store, const char *name, const char *hash);

/* True if a name has a record, or may have one. */
bool disk_has_record(const struct store *store, const char *name);

/* True if an entry's record on the disk equals the one in the index. */
bool disk_agrees(const struct store *store, const struct index_entry *entry);

/* Opens an object to read; -1 with errno. */
int disk_open_object(const struct store *store, const char *hash);

/* Removes an unused object, if it exists. Failures are only logged: an object that stays or comes
 * back after a power loss is removed at the next start. */
void disk_drop_object(struct store *store, const char *hash);

/* store_change.c: steps of changes, under store->writing. */

/* Removes the objects that lost their last use. */
void change_drop_orphans(struct store *store);

/* Restores a name's record from the index after a failed change, or removes it if the index has
 * none. */
bool change_settle(struct store *store, const char *name, struct error *err);

/* Cleans up after a failed change to a name, which may have reached the disk: restores the record
 * if possible, and removes the object written for the change unless the record refers to it. */
void change_failed(struct store *store, const char *name, const char *hash);
