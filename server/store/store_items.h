/* What the store's rigs have beside their assets, of whatever kind: how it is put, deleted and
 * read. Shared by store_examples.c and store_clips.c. A thing belongs to its rig: it is there from
 * the moment that its put returned true, and goes with the rig. Any thread. */
#pragma once

#include "base/buffer.h"
#include "store/store.h"

struct index_entry;

/* What is put. */
struct item_put {
	struct store_hold *hold; // the rig that it is for, loaded; lets go of the set that it held
	enum item_kind kind;
	const struct item_record *item; // of the object
	const struct buffer *object;
	enum put_mode mode;
	const char *as; // the hash that what has the name must have, or "*" = any; NULL = it need
			// not even be there
	/* Whether the list may become the rig's; fills in what else it has. */
	bool (*admit)(const struct item_put *put, const struct index_entry *entry,
		struct item_list *list, struct error *err);
};

/* Puts a thing beside a rig that is held. When it returns true, it survives a power loss, and
 * *created tells whether the name is new. Fails with ERROR_UNKNOWN_RIG, ERROR_CONFLICT (the rig has
 * another content by now), ERROR_PRECONDITION_FAILED (PUT_ONLY_NEW and the name is taken, or not as
 * it must be), as admit does, and with ERROR_STORE_FULL, ERROR_STORE_UNWRITABLE or ERROR_INTERNAL.
 */
bool items_put(struct store *store, const struct item_put *put, bool *created, struct error *err);

/* What is deleted. */
struct item_name {
	const char *rig;
	enum item_kind kind;
	const char *name;
	const char *as; // as item_put.as
};

/* False with ERROR_UNKNOWN_RIG, ERROR_UNKNOWN_EXAMPLE or ERROR_UNKNOWN_CLIP,
 * ERROR_PRECONDITION_FAILED, ERROR_STORE_UNWRITABLE, ERROR_STORE_FULL or ERROR_INTERNAL. */
bool items_delete(struct store *store, const struct item_name *item, struct error *err);

/* The things of a kind that a hold has; NULL = none. */
const struct item_list *items_of(const struct store_hold *hold, enum item_kind kind);

/* One by its name; NULL with ERROR_UNKNOWN_EXAMPLE or ERROR_UNKNOWN_CLIP and those that there are.
 */
const struct item_record *items_find(
	const struct store_hold *hold, enum item_kind kind, const char *name, struct error *err);

/* A thing of a rig whose object is wanted. */
struct item_place {
	struct store *store;
	const char *rig;
	enum item_kind kind;
	const struct item_record *item;
};

struct item_place items_place(
	const struct store_hold *hold, enum item_kind kind, const struct item_record *item);

/* Opens the object, which somebody keeps from being removed. -1 with ERROR_STORE_DAMAGED or
 * ERROR_INTERNAL, and errno. */
int items_open(const struct item_place *place, struct error *err);

/* The same, whose bytes were held against their hash at least once since the start. */
int items_open_checked(
	const struct store_hold *hold, const struct item_place *place, struct error *err);

/* All bytes of the object, held against their hash: malloc memory, *size set. NULL with
 * ERROR_STORE_DAMAGED or ERROR_TOO_LARGE. */
void *items_read(const struct item_place *place, size_t *size, struct error *err);

/* The same; *lost = it is not there, or not as it was put, and not just unreadable this time. */
void *items_try_read(const struct item_place *place, size_t *size, bool *lost, struct error *err);

/* Says that an object is not what was put; why: for the log, behind "the object". Always false. */
bool items_refuse_damaged(const struct item_place *place, const char *why, struct error *err);
