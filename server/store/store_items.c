// Putting, deleting and reading items, that is examples and clips.
#include "store/store_items.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/utf8.h"
#include "limits.h"
#include "store/store_files.h"
#include "store/store_internal.h"

const struct item_list *items_of(const struct store_hold *hold, enum item_kind kind) {
	return hold->sets[kind] ? hold->sets[kind]->list : NULL;
}

/* Reports an unknown item and lists the known ones, as far as they fit. Always false. */
static bool refuse_unknown(const char *rig, enum item_kind kind, const char *name,
	const struct item_list *list, struct error *err) {
	char names[400] = "";
	size_t used = 0, shown = 0;
	const size_t count = list ? list->count : 0;
	while (shown < count && used + strlen(list->items[shown].name) + 2 < sizeof names) {
		used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
			shown ? ", " : "", list->items[shown].name);
		shown++;
	}
	char quoted[LIMIT_NAME_BYTES + 8];
	utf8_quote(name, quoted, sizeof quoted);
	const char *end = shown < count ? ", ..." : "", *known = count ? names : "none";
	struct error why = {0};
	if (kind == ITEM_EXAMPLES) {
		error_set(&why, ERROR_UNKNOWN_EXAMPLE, "no example %s of rig \"%s\"", quoted, rig);
		error_suggest(&why, "; it has %s%s", known, end);
	} else {
		error_set(&why, ERROR_UNKNOWN_CLIP, "no clip %s is stored for rig \"%s\"", quoted,
			rig);
		error_suggest(&why, "; there are %s%s", known, end);
	}
	return error_pass(err, &why);
}

const struct item_record *items_find(
	const struct store_hold *hold, enum item_kind kind, const char *name, struct error *err) {
	const struct item_list *list = items_of(hold, kind);
	bool found;
	const size_t i = item_list_find(list, name, &found);
	if (!found) {
		refuse_unknown(hold->summary.name, kind, name, list, err);
		return NULL;
	}
	return &list->items[i];
}

/* Everything from here to items_delete() is under store->writing. */

/* A rig's entry, which does not change while `writing` is locked; NULL with ERROR_UNKNOWN_RIG or
 * ERROR_STORE_DAMAGED. */
static const struct index_entry *find_rig(
	struct store *store, const char *name, struct error *err) {
	pthread_mutex_lock(&store->mutex);
	const struct index_entry *entry = index_find(store, name);
	if (!entry) {
		store_refuse_unknown(store, name, err);
	}
	pthread_mutex_unlock(&store->mutex);
	return !entry || entry->content || store_refuse_record(name, err) ? entry : NULL;
}

/* Replaces the items of a kind (NULL = none) on the disk and then in the index. hash: of the object
 * written for this change; NULL = none. */
static bool commit(struct store *store, const struct index_entry *entry, enum item_kind kind,
	struct item_list *list, const char *hash, struct error *err) {
	const struct store_record record = entry->record;
	struct record_items items = index_items(entry);
	items.lists[kind] = list;
	if (!disk_write_record(store, entry->name, &record, &items, err)) {
		change_failed(store, entry->name, hash ? hash : record.hash);
		return false;
	}
	pthread_mutex_lock(&store->mutex);
	index_put(store, entry->name, &record, &items);
	pthread_mutex_unlock(&store->mutex);
	return true;
}

/* Copies a list with an item inserted or replaced. */
static struct item_list *list_with(const struct item_list *old, size_t position, bool replaces,
	const struct item_record *item) {
	const size_t count = old ? old->count : 0;
	struct item_list *list = item_list_create(count + !replaces);
	list->count = count + !replaces;
	if (old) {
		const size_t behind = position + replaces;
		memcpy(list->items, old->items, position * sizeof *item);
		memcpy(&list->items[position + 1], &old->items[behind],
			(count - behind) * sizeof *item);
	}
	list->items[position] = *item;
	return list;
}

/* Copies a list without an item; NULL if it was the last. */
static struct item_list *list_without(const struct item_list *old, size_t position) {
	if (old->count == 1) {
		return NULL;
	}
	struct item_list *list = item_list_create(old->count - 1);
	memcpy(list, old, sizeof *old + position * sizeof *old->items);
	list->count = old->count - 1;
	memcpy(&list->items[position], &old->items[position + 1],
		(list->count - position) * sizeof *old->items);
	return list;
}

static bool check_entry(
	const struct index_entry *entry, const struct item_put *put, struct error *err) {
	const struct rig_summary *checked = &put->hold->summary;
	return strcmp(entry->record.hash, strchr(checked->content, ':') + 1) == 0 ||
		error_set(err, ERROR_CONFLICT,
			"rig \"%s\" was replaced while the %s was being stored; put it again if it "
			"is "
			"for the new rig",
			checked->name, item_noun(put->kind));
}

/* True if the same item exists undamaged. */
static bool is_there(const struct store *store, const struct index_entry *entry,
	const struct item_record *old, const struct item_put *put) {
	return !entry->unsettled && strcmp(old->hash, put->item->hash) == 0 &&
		disk_holds(store, old->hash, put->object->data, put->object->size);
}

static bool refuse_taken(const struct item_put *put, struct error *err) {
	const char *noun = item_noun(put->kind);
	return error_set(err, ERROR_PRECONDITION_FAILED,
		"rig \"%s\" has %s %s \"%s\" already, and If-None-Match: * forbids replacing it",
		put->hold->summary.name, put->kind == ITEM_EXAMPLES ? "an" : "a", noun,
		put->item->name);
}

/* Checks the hash of an item (NULL = none), as item_put.as requires. */
static bool check_as(const struct item_record *item, const char *as, struct error *err) {
	return !as || (item && (strcmp(as, "*") == 0 || strcmp(as, item->hash) == 0)) ||
		error_set(err, ERROR_PRECONDITION_FAILED,
			"it has been changed or deleted, and no longer matches If-Match");
}

static bool put_held(
	struct store *store, const struct item_put *put, bool *created, struct error *err) {
	const struct item_record *item = put->item;
	const struct index_entry *entry = find_rig(store, put->hold->summary.name, err);
	if (!entry || !check_entry(entry, put, err)) {
		return false;
	}
	const struct item_list *old = index_items(entry).lists[put->kind];
	bool found;
	const size_t position = item_list_find(old, item->name, &found);
	*created = !found;
	if (found && put->mode == PUT_ONLY_NEW) {
		return refuse_taken(put, err);
	}
	if (!check_as(found ? &old->items[position] : NULL, put->as, err)) {
		return false;
	}
	if (found && is_there(store, entry, &old->items[position], put)) {
		return true;
	}
	struct item_list *list = list_with(old, position, found, item);
	bool stored = put->admit(put, entry, list, err);
	if (stored &&
		!disk_write_object(store, item->hash, put->object->data, put->object->size, err)) {
		change_failed(store, entry->name, item->hash);
		stored = false;
	}
	stored = stored && commit(store, entry, put->kind, list, item->hash, err);
	free(list);
	return stored;
}

/* Otherwise the replaced object would stay until the next change. */
static void release_set(struct store_hold *hold, enum item_kind kind) {
	pthread_mutex_lock(&hold->store->mutex);
	if (hold->sets[kind]) {
		index_leave(hold->store, hold->sets[kind]);
		hold->sets[kind] = NULL;
	}
	pthread_mutex_unlock(&hold->store->mutex);
}

bool items_put(struct store *store, const struct item_put *put, bool *created, struct error *err) {
	if (!store_check_writable(store, err)) {
		return false;
	}
	pthread_mutex_lock(&store->writing);
	change_drop_orphans(store); // frees space
	const bool stored = put_held(store, put, created, err);
	release_set(put->hold, put->kind);
	change_drop_orphans(store);
	pthread_mutex_unlock(&store->writing);
	return stored;
}

static bool delete_known(struct store *store, const struct item_name *item, struct error *err) {
	const struct index_entry *entry = find_rig(store, item->rig, err);
	// A failed put must not reappear at the next start.
	if (!entry || (entry->unsettled && !change_settle(store, item->rig, err))) {
		return false;
	}
	const struct item_list *old = index_items(entry).lists[item->kind];
	bool found;
	const size_t position = item_list_find(old, item->name, &found);
	if (!found) {
		return refuse_unknown(item->rig, item->kind, item->name, old, err);
	}
	if (!check_as(&old->items[position], item->as, err)) {
		return false;
	}
	struct item_list *list = list_without(old, position);
	const bool deleted = commit(store, entry, item->kind, list, NULL, err);
	free(list);
	return deleted;
}

bool items_delete(struct store *store, const struct item_name *item, struct error *err) {
	if (!store_check_writable(store, err)) {
		return false;
	}
	pthread_mutex_lock(&store->writing);
	const bool deleted = delete_known(store, item, err);
	change_drop_orphans(store);
	pthread_mutex_unlock(&store->writing);
	return deleted;
}

struct item_ref items_ref(
	const struct store_hold *hold, enum item_kind kind, const struct item_record *item) {
	return (struct item_ref){hold->store, hold->summary.name, kind, item};
}

bool items_refuse_damaged(const struct item_ref *ref, const char *why, struct error *err) {
	static const char *const repairs[ITEM_KIND_COUNT] = {
		[ITEM_EXAMPLES] = "put it again to repair it, or delete it",
		[ITEM_CLIPS] = "delete it",
	};
	const char *noun = item_noun(ref->kind);
	log_line(LOG_ERROR, "store: rig %s: %s %s: object %s %s", ref->rig, noun, ref->item->name,
		ref->item->hash, why);
	return error_set(err, ERROR_STORE_DAMAGED,
		"the disk has lost or changed %s \"%s\" of rig \"%s\"; %s", noun, ref->item->name,
		ref->rig, repairs[ref->kind]);
}

int items_open(const struct item_ref *ref, struct error *err) {
	const int object = disk_open_object(ref->store, ref->item->hash);
	const int reason = errno;
	if (object < 0 && reason == ENOENT) {
		items_refuse_damaged(ref, "is missing", err);
	} else if (object < 0) {
		error_set(err, ERROR_INTERNAL, "object %s: %s", ref->item->hash, strerror(reason));
	}
	errno = reason;
	return object;
}

/* Checks an open object against its hash, unless that was done since startup. */
static bool is_sound(struct store *store, struct content *object, int file, struct error *why) {
	pthread_mutex_lock(&store->mutex);
	const bool checked = object->checked;
	pthread_mutex_unlock(&store->mutex);
	char hash[HASH_TEXT_BYTES];
	if (checked || !hash_descriptor(file, hash, why)) {
		return checked;
	}
	const bool sound = strcmp(hash, object->hash) == 0 ||
		error_set(why, ERROR_STORE_DAMAGED, "is damaged");
	pthread_mutex_lock(&store->mutex);
	object->checked = sound;
	pthread_mutex_unlock(&store->mutex);
	return sound;
}

int items_open_checked(
	const struct store_hold *hold, const struct item_ref *ref, struct error *err) {
	const struct content *set = hold->sets[ref->kind];
	struct error why = {0};
	const int file = items_open(ref, err);
	if (file >= 0 &&
		!is_sound(hold->store, set->objects[ref->item - set->list->items], file, &why)) {
		items_refuse_damaged(ref, why.text, err);
		close(file);
		return -1;
	}
	return file;
}

void *items_read(const struct item_ref *ref, size_t *size, struct error *err) {
	bool lost;
	return items_try_read(ref, size, &lost, err);
}

void *items_try_read(const struct item_ref *ref, size_t *size, bool *lost, struct error *err) {
	const int object = items_open(ref, err);
	*lost = object < 0 && errno == ENOENT;
	if (object < 0) {
		return NULL;
	}
	struct error why = {0};
	void *bytes = file_read(object, size, &why);
	close(object);
	if (!bytes && why.code == ERROR_TOO_LARGE) {
		error_set(err, why.code, "%s", why.text);
		return NULL;
	}
	char hash[HASH_TEXT_BYTES] = "";
	if (bytes) {
		hash_bytes(bytes, *size, hash);
	}
	if (strcmp(hash, ref->item->hash) != 0) {
		*lost = bytes;
		items_refuse_damaged(ref, bytes ? "is damaged" : why.text, err);
		free(bytes);
		return NULL;
	}
	return bytes;
}
