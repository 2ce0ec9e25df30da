/* Items of rigs, that is examples and clips: putting, deleting and reading them. Shared by
 * store_examples.c and store_clips.c. An item belongs to its rig, and is deleted with it. Any
 * thread.
 */
#pragma once

#include "base/buffer.h"
#include "store/store.h"

struct index_entry;

struct item_put {
	struct store_hold *hold; // the rig, loaded; items_put() releases its set of this kind
	enum item_kind kind;
	const struct item_record *item;
	const struct buffer *object;
	enum put_mode mode;
	// The hash that the item of this name must have, or "*" = any; NULL = it need not exist
	const char *as;
	/* Checks the rig's new list, and completes it. */
	bool (*admit)(const struct item_put *put, const struct index_entry *entry,
		struct item_list *list, struct error *err);
};

/* Stores an item of a held rig. After true it survives a power loss, and *created tells if the name
 * is new. Fails with ERROR_UNKNOWN_RIG, ERROR_CONFLICT (the rig has been replaced),
 * ERROR_PRECONDITION_FAILED (PUT_ONLY_NEW and the name is taken, or the item has another hash),
 * admit's errors, ERROR_STORE_FULL, ERROR_STORE_UNWRITABLE or ERROR_INTERNAL. */
bool items_put(struct store *store, const struct item_put *put, bool *created, struct error *err);

struct item_name {
	const char *rig;
	enum item_kind kind;
	const char *name;
	const char *as; // as item_put.as
};

/* False with ERROR_UNKNOWN_RIG, ERROR_UNKNOWN_EXAMPLE or ERROR_UNKNOWN_CLIP,
 * ERROR_PRECONDITION_FAILED, ERROR_STORE_UNWRITABLE, ERROR_STORE_FULL or ERROR_INTERNAL. */
bool items_delete(struct store *store, const struct item_name *item, struct error *err);

/* A hold's items of a kind; NULL = none. */
const struct item_list *items_of(const struct store_hold *hold, enum item_kind kind);

/* An item by its name; NULL with ERROR_UNKNOWN_EXAMPLE or ERROR_UNKNOWN_CLIP and the known names.
 */
const struct item_record *items_find(
	const struct store_hold *hold, enum item_kind kind, const char *name, struct error *err);

/* An item with its rig, to read its object. */
struct item_ref {
	struct store *store;
	const char *rig;
	enum item_kind kind;
	const struct item_record *item;
};

struct item_ref items_ref(
	const struct store_hold *hold, enum item_kind kind, const struct item_record *item);

/* Opens the object, which a hold or a lock keeps from being removed. -1 with ERROR_STORE_DAMAGED or
 * ERROR_INTERNAL, and errno. */
int items_open(const struct item_ref *ref, struct error *err);

/* Opens the object, and checks its bytes against their hash unless that was done since startup. */
int items_open_checked(
	const struct store_hold *hold, const struct item_ref *ref, struct error *err);

/* Reads the object and checks it against its hash: malloc memory, *size set. NULL with
 * ERROR_STORE_DAMAGED or ERROR_TOO_LARGE. */
void *items_read(const struct item_ref *ref, size_t *size, struct error *err);

/* The same; *lost: the object is missing or changed, and not only unreadable at present. */
void *items_try_read(const struct item_ref *ref, size_t *size, bool *lost, struct error *err);

/* Reports a damaged object; why: for the log, after "the object". Always false. */
bool items_refuse_damaged(const struct item_ref *ref, const char *why, struct error *err);
