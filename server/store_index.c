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

struct content *index_retain(struct content *content) {
	content->uses++;
	return content;
}

static struct content *create_content(struct store *store, const char *hash) {
	struct content *content = xcalloc(1, sizeof *content);
	memcpy(content->hash, hash, sizeof content->hash);
	if (!tsearch(content, &store->contents, compare_hashes)) {
		abort(); // out of memory, as xcalloc() has it
	}
	return content;
}

/* One more use of an object, which is new if nobody used it so far. */
static struct content *use_object(struct store *store, const char *hash, size_t bytes) {
	struct content *content = index_content(store, hash);
	if (!content) {
		content = create_content(store, hash);
		content->bytes = bytes;
		store->object_bytes += bytes;
	}
	return index_retain(content);
}

/* The hash of all that a list says. */
static void hash_list(const struct example_list *list, char hash[static HASH_TEXT_BYTES]) {
	struct hash_part parts[2 + 2 * LIMIT_EXAMPLES];
	size_t count = 0;
	parts[count++] = (struct hash_part){list->shape, sizeof list->shape};
	parts[count++] = (struct hash_part){list->triangles, sizeof list->triangles};
	for (size_t i = 0; i < list->count; i++) {
		const struct example_record *item = &list->items[i];
		parts[count++] = (struct hash_part){item->name, strlen(item->name)};
		parts[count++] = (struct hash_part){item->hash, sizeof item->hash};
	}
	hash_parts(parts, count, hash);
}

/* One more use of a set of examples, which is new if nobody used it so far. */
static struct content *use_set(struct store *store, const struct example_list *list) {
	char hash[HASH_TEXT_BYTES];
	hash_list(list, hash);
	struct content *set = index_content(store, hash);
	if (!set) {
		set = create_content(store, hash);
		set->list = example_list_create(list->count);
		memcpy(set->list, list, sizeof *list + list->count * sizeof *list->items);
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

static size_t count_examples(const struct index_entry *entry) {
	return entry->examples ? entry->examples->list->count : 0;
}

/* Gives an entry what a record says. What it had before is left afterwards: it may be the same. */
static void fill_entry(struct store *store, struct index_entry *entry,
	const struct store_record *record, const struct example_list *examples) {
	struct content *const old[] = {entry->content, entry->examples};
	store->example_count -= count_examples(entry);
	entry->record = *record;
	entry->content = use_object(store, record->hash, record->bytes);
	entry->examples = examples ? use_set(store, examples) : NULL;
	entry->unsettled = false;
	store->example_count += count_examples(entry);
	for (size_t i = 0; i < sizeof old / sizeof *old; i++) {
		if (old[i]) {
			index_leave(store, old[i]);
		}
	}
}

static struct index_entry *create_entry(struct store *store, const char *name,
	const struct store_record *record, const struct example_list *examples) {
	const size_t name_bytes = strlen(name) + 1;
	struct index_entry *entry = xcalloc(1, sizeof *entry + name_bytes);
	memcpy(entry->name, name, name_bytes);
	fill_entry(store, entry, record, examples);
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
	const struct store_record *record, const struct example_list *examples) {
	bool found;
	const size_t position = position_of(store, name, &found);
	if (found) {
		fill_entry(store, store->entries[position], record, examples);
	} else {
		insert(store, position, create_entry(store, name, record, examples));
	}
	return store->entries[position];
}

void index_append(struct store *store, const char *name, const struct store_record *record,
	const struct example_list *examples) {
	insert(store, store->count, create_entry(store, name, record, examples));
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
	store->example_count -= count_examples(entry);
	index_leave(store, entry->content);
	if (entry->examples) {
		index_leave(store, entry->examples);
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
