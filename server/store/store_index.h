/* The index: names and contents. All under store->mutex. */
#pragma once

#include "store/store_state.h"

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
