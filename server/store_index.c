// The store's index: names in order, and the contents that they stand for.
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store_internal.h"

/* Position of a name, or of where it belongs when *found is false. */
static size_t position_of(const struct store *store, const char *name, bool *found) {
	size_t low = 0, high = store->count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (strcmp(store->entries[middle]->name, name) < 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	*found = low < store->count && strcmp(store->entries[low]->name, name) == 0;
	return low;
}

struct index_entry *index_find(const struct store *store, const char *name) {
	bool found;
	const size_t position = position_of(store, name, &found);
	return found ? store->entries[position] : NULL;
}

/* A content begins with its hash, so that a hash by itself is a key, too. */
static int compare_hashes(const void *a, const void *b) {
	return strcmp(a, b);
}

struct content *index_content(const struct store *store, const char *hash) {
	struct content **known = tfind(hash, &store->contents, compare_hashes);
	return known ? *known : NULL;
}

/* One more use of a content, which is new if nobody used it so far. */
static struct content *use_content(struct store *store, const char *hash) {
	struct content *content = index_content(store, hash);
	if (!content) {
		content = xcalloc(1, sizeof *content);
		memcpy(content->hash, hash, sizeof content->hash);
		if (!tsearch(content, &store->contents, compare_hashes)) {
			abort(); // out of memory, as xcalloc() has it
		}
	}
	content->uses++;
	return content;
}

static void leave_content(struct store *store, struct content *content) {
	if (--content->uses > 0) {
		return;
	}
	memory_drop(store, content);
	tdelete(content, &store->contents, compare_hashes);
	free(content);
}

static struct index_entry *create_entry(
	struct store *store, const char *name, const struct store_record *record) {
	const size_t name_bytes = strlen(name) + 1;
	struct index_entry *entry = xcalloc(1, sizeof *entry + name_bytes);
	memcpy(entry->name, name, name_bytes);
	entry->record = *record;
	entry->content = use_content(store, record->hash);
	return entry;
}

static void insert(struct store *store, size_t position, struct index_entry *entry) {
	if (store->count == store->room) {
		store->room = store->room ? store->room * 2 : 64;
		store->entries =
			xrealloc(store->entries, store->room, sizeof(struct index_entry *));
	}
	memmove(&store->entries[position + 1], &store->entries[position],
		(store->count - position) * sizeof(struct index_entry *));
	store->entries[position] = entry;
	store->count++;
}

struct index_entry *index_put(
	struct store *store, const char *name, const struct store_record *record) {
	bool found;
	const size_t position = position_of(store, name, &found);
	if (!found) {
		insert(store, position, create_entry(store, name, record));
		return store->entries[position];
	}
	struct index_entry *entry = store->entries[position];
	struct content *old = entry->content;
	entry->record = *record;
	entry->content =
		use_content(store, record->hash); // before the old one is left: it may be it
	entry->unsettled = false;
	leave_content(store, old);
	return entry;
}

void index_append(struct store *store, const char *name, const struct store_record *record) {
	insert(store, store->count, create_entry(store, name, record));
}

static int compare_names(const void *a, const void *b) {
	const struct index_entry *const *left = a, *const *right = b;
	return strcmp((*left)->name, (*right)->name);
}

void index_sort(struct store *store) {
	if (store->count > 0) {
		qsort(store->entries, store->count, sizeof(struct index_entry *), compare_names);
	}
}

static void destroy_entry(struct store *store, struct index_entry *entry) {
	leave_content(store, entry->content);
	free(entry);
}

void index_remove(struct store *store, struct index_entry *entry) {
	bool found;
	const size_t position = position_of(store, entry->name, &found);
	destroy_entry(store, entry);
	store->count--;
	memmove(&store->entries[position], &store->entries[position + 1],
		(store->count - position) * sizeof(struct index_entry *));
}

void index_clear(struct store *store) {
	while (store->count > 0) {
		destroy_entry(store, store->entries[--store->count]);
	}
	free(store->entries);
	store->entries = NULL;
	store->room = 0;
}
