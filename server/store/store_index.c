// The store's index: sorted names, and the contents that they refer to.
#include "store/store_internal.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Position of a name, or the position to insert it if *found is false. */
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

/* A content begins with its hash, so that a hash is a key, too. */
static int compare_hashes(const void *a, const void *b) {
	return strcmp(a, b);
}

struct content *index_content(const struct store *store, const char *hash) {
	struct content **known = tfind(hash, &store->contents, compare_hashes);
	return known ? *known : NULL;
}

struct content *index_retain(struct content *content) {
	content->uses++;
	return content;
}

static struct content *create_content(struct store *store, const char *hash) {
	struct content *content = xcalloc(1, sizeof *content);
	memcpy(content->hash, hash, sizeof content->hash);
	if (!tsearch(content, &store->contents, compare_hashes)) {
		memory_release_reserve();
		if (!tsearch(content, &store->contents, compare_hashes)) {
			abort(); // out of memory, as xcalloc() does
		}
	}
	return content;
}

/* Adds a use of an object; the first use creates it. */
static struct content *use_object(struct store *store, const char *hash, size_t bytes) {
	struct content *content = index_content(store, hash);
	if (!content) {
		content = create_content(store, hash);
		content->bytes = bytes;
		store->object_bytes += bytes;
	}
	return index_retain(content);
}

/* Hashes a list and its dependencies: stored clips are read for one rig. */
static void hash_list(const struct item_list *list, enum item_kind kind, const char *rig,
	char hash[static HASH_TEXT_BYTES]) {
	static const char clips[] = "clips of ";
	struct hash_part parts[2 + 2 * LIMIT_ITEMS];
	size_t count = 2;
	if (kind == ITEM_CLIPS) {
		parts[0] = (struct hash_part){clips, sizeof clips};
		parts[1] = (struct hash_part){rig, strlen(rig)};
	} else {
		const struct topology_hash *topology = &list->topology;
		parts[0] = (struct hash_part){topology->joints, sizeof topology->joints};
		parts[1] = (struct hash_part){topology->triangles, sizeof topology->triangles};
	}
	for (size_t i = 0; i < list->count; i++) {
		const struct item_record *item = &list->items[i];
		parts[count++] = (struct hash_part){item->name, strlen(item->name)};
		parts[count++] = (struct hash_part){item->hash, sizeof item->hash};
	}
	hash_parts(parts, count, hash);
}

/* Adds a use of a set; the first use creates it. NULL for NULL. */
static struct content *use_set(
	struct store *store, const struct item_list *list, enum item_kind kind, const char *rig) {
	if (!list) {
		return NULL;
	}
	char hash[HASH_TEXT_BYTES];
	hash_list(list, kind, rig, hash);
	struct content *set = index_content(store, hash);
	if (!set) {
		set = create_content(store, hash);
		set->list = item_list_copy(list);
		set->objects = xcalloc(list->count, sizeof *set->objects);
		for (size_t i = 0; i < list->count; i++) {
			set->objects[i] =
				use_object(store, list->items[i].hash, list->items[i].bytes);
		}
	}
	return index_retain(set);
}

static void note_orphan(struct store *store, const struct content *object) {
	if (store->orphan_count == store->orphan_room) {
		store->orphan_room = store->orphan_room ? store->orphan_room * 2 : 16;
		store->orphans =
			xrealloc(store->orphans, store->orphan_room, sizeof *store->orphans);
	}
	memcpy(store->orphans[store->orphan_count++], object->hash, sizeof object->hash);
	store->object_bytes -= object->bytes;
}

void index_leave(struct store *store, struct content *content) {
	if (--content->uses > 0) {
		return;
	}
	memory_drop(store, content);
	tdelete(content, &store->contents, compare_hashes);
	if (!content->list) {
		note_orphan(store, content);
	}
	for (size_t i = 0; content->list && i < content->list->count; i++) {
		index_leave(store, content->objects[i]);
	}
	free(content->list);
	free(content->objects);
	free(content);
}

struct record_items index_items(const struct index_entry *entry) {
	struct record_items items = {0};
	for (int kind = 0; entry && kind < ITEM_KIND_COUNT; kind++) {
		items.lists[kind] = entry->sets[kind] ? entry->sets[kind]->list : NULL;
	}
	return items;
}

static void leave_set(struct store *store, enum item_kind kind, struct content *set) {
	if (set) {
		store->item_counts[kind] -= set->list->count;
		index_leave(store, set);
	}
}

/* Fills an entry from a record. Its old contents are left last, because they may be the same. */
static void fill_entry(struct store *store, struct index_entry *entry,
	const struct store_record *record, const struct record_items *items) {
	const struct index_entry old = *entry;
	entry->record = *record;
	entry->content = *record->hash ? use_object(store, record->hash, record->bytes) : NULL;
	entry->unsettled = entry->older = false;
	for (int kind = 0; kind < ITEM_KIND_COUNT; kind++) {
		const struct item_list *list = items->lists[kind];
		entry->sets[kind] = use_set(store, list, (enum item_kind)kind, record->hash);
		store->item_counts[kind] += list ? list->count : 0;
		leave_set(store, (enum item_kind)kind, old.sets[kind]);
	}
	if (old.content) {
		index_leave(store, old.content);
	}
}

static struct index_entry *create_entry(struct store *store, const char *name,
	const struct store_record *record, const struct record_items *items) {
	const size_t name_bytes = strlen(name) + 1;
	struct index_entry *entry = xcalloc(1, sizeof *entry + name_bytes);
	memcpy(entry->name, name, name_bytes);
	fill_entry(store, entry, record, items);
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

struct index_entry *index_put(struct store *store, const char *name,
	const struct store_record *record, const struct record_items *items) {
	bool found;
	const size_t position = position_of(store, name, &found);
	if (found) {
		fill_entry(store, store->entries[position], record, items);
	} else {
		insert(store, position, create_entry(store, name, record, items));
	}
	return store->entries[position];
}

struct index_entry *index_append(struct store *store, const char *name,
	const struct store_record *record, const struct record_items *items) {
	struct index_entry *entry = create_entry(store, name, record, items);
	insert(store, store->count, entry);
	return entry;
}

void index_append_damaged(struct store *store, const char *name) {
	const struct store_record record = {0};
	const struct record_items items = {0};
	index_append(store, name, &record, &items);
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
	for (int kind = 0; kind < ITEM_KIND_COUNT; kind++) {
		leave_set(store, (enum item_kind)kind, entry->sets[kind]);
	}
	if (entry->content) {
		index_leave(store, entry->content);
	}
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
	free(store->orphans);
	store->orphans = NULL;
	store->orphan_count = store->orphan_room = 0;
}
