/* The store in memory: names, contents, and what of them is loaded. */
#pragma once

#include <pthread.h>

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
	struct examples *examples;     // likewise, of a set
	size_t loaded_bytes;           // of memory, if there is either
	struct content *older, *newer; // used before and after it, among those in memory

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
	struct content *oldest, *newest;
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
