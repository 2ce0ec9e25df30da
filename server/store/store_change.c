// Putting and deleting rigs.
#include "store/store_internal.h"

#include <stdlib.h>
#include <string.h>

#include "model/rig.h"
#include "sandbox/importer.h"
#include "store/store_clips.h"
#include "store/store_derived.h"
#include "store/store_examples.h"
#include "store/store_files.h"

/* The present state of the name of a put. */
enum put_state { STATE_NEW, STATE_OTHER, STATE_SAME, STATE_REFUSED };

/* clips: number of stored clips, set for STATE_SAME. */
static enum put_state look_up(struct store *store, const struct store_asset *asset,
	struct store_record *record, size_t *clips, struct error *err) {
	pthread_mutex_lock(&store->mutex);
	const struct index_entry *entry = index_find(store, asset->name);
	enum put_state state = STATE_NEW;
	if (entry && asset->mode == PUT_ONLY_NEW) {
		error_set(err, ERROR_PRECONDITION_FAILED,
			"rig \"%s\" exists already, and If-None-Match: * forbids replacing it",
			asset->name);
		state = STATE_REFUSED;
	} else if (!store_check_as(entry, asset->as, err)) {
		state = STATE_REFUSED;
	} else if (entry && !entry->unsettled && strcmp(entry->record.hash, record->hash) == 0) {
		*record = entry->record;
		*clips = store_stored_clips(entry);
		state = STATE_SAME;
	} else if (entry) {
		state = STATE_OTHER;
	}
	pthread_mutex_unlock(&store->mutex);
	// Damaged objects are written again.
	const bool damaged =
		state == STATE_SAME && !disk_holds(store, record->hash, asset->bytes, asset->size);
	return damaged ? STATE_OTHER : state;
}

/* Makes a name's record on the disk equal to the index. Under store->writing, which all changes to
 * entries require. */
static bool restore(
	struct store *store, const struct index_entry *entry, const char *name, struct error *err) {
	if (!entry || !entry->content) {
		return entry || !disk_has_record(store, name) ||
			files_remove(store->rigs, name, err);
	}
	const struct record_items items = index_items(entry);
	return disk_agrees(store, entry) ||
		disk_write_record(store, name, &entry->record, &items, err);
}

bool change_settle(struct store *store, const char *name, struct error *err) {
	pthread_mutex_lock(&store->mutex);
	struct index_entry *entry = index_find(store, name);
	pthread_mutex_unlock(&store->mutex);
	const bool settled = restore(store, entry, name, err);
	pthread_mutex_lock(&store->mutex);
	if (entry) {
		entry->unsettled = !settled;
	}
	pthread_mutex_unlock(&store->mutex);
	return settled;
}

/* Removes an unused object. Under store->writing, so that no use can begin. */
static void drop_unused(struct store *store, const char *hash) {
	pthread_mutex_lock(&store->mutex);
	const bool used = index_content(store, hash);
	pthread_mutex_unlock(&store->mutex);
	if (!used) {
		disk_drop_object(store, hash);
	}
}

void change_failed(struct store *store, const char *name, const char *hash) {
	struct error ignored = {0};
	change_settle(store, name, &ignored);
	if (!disk_names(store, name, hash)) {
		drop_unused(store, hash);
	}
}

static bool take_orphan(struct store *store, char hash[static HASH_TEXT_BYTES]) {
	pthread_mutex_lock(&store->mutex);
	const bool taken = store->orphan_count > 0;
	if (taken) {
		memcpy(hash, store->orphans[--store->orphan_count], HASH_TEXT_BYTES);
	}
	pthread_mutex_unlock(&store->mutex);
	return taken;
}

void change_drop_orphans(struct store *store) {
	char hash[HASH_TEXT_BYTES];
	bool dropped = false;
	while (take_orphan(store, hash)) {
		drop_unused(store, hash);
		dropped = true;
	}
	if (dropped) {
		derived_sweep(store);
	}
}

/* The examples that a rig keeps when it is replaced, for the caller to own; NULL = none. Under
 * store->writing. */
static struct item_list *carry_examples(const struct item_list *old, const struct rig *rig,
	struct arena *arena, const char **warning) {
	struct topology_hash topology;
	topology_hash(rig, &topology);
	if (strcmp(topology.joints, old->topology.joints) != 0) {
		*warning = arena_printf(arena,
			"the %zu examples of the rig were removed: its joints or its vertex counts "
			"have changed",
			old->count);
		return NULL;
	}
	struct item_list *carried = item_list_copy(old);
	if (strcmp(topology.triangles, old->topology.triangles) != 0) {
		*warning = arena_printf(arena,
			"the %zu examples of the rig were kept, though its triangles have changed: "
			"if the order of the vertices has changed, put the examples again",
			old->count);
		carried->topology = topology;
	}
	return carried;
}

/* The new state of the name of a put. */
struct fresh {
	struct store_record record;
	struct rig *rig;           // a reference
	struct record_items items; // owned
};

_Static_assert(sizeof((struct rig_summary *)0)->warnings / sizeof(const char *) == ITEM_KIND_COUNT,
	"an answer has a warning for each kind of item");

/* Determines the items that the name keeps. Under store->writing. */
static bool carry(struct store *store, const char *name, struct fresh *fresh, struct arena *arena,
	struct rig_summary *out, struct error *err) {
	pthread_mutex_lock(&store->mutex);
	const struct record_items old = index_items(index_find(store, name));
	pthread_mutex_unlock(&store->mutex);
	const struct item_list *examples = old.lists[ITEM_EXAMPLES], *clips = old.lists[ITEM_CLIPS];
	if (examples) {
		fresh->items.lists[ITEM_EXAMPLES] =
			carry_examples(examples, fresh->rig, arena, &out->warnings[ITEM_EXAMPLES]);
	}
	return !clips ||
		clips_carry(store, name, clips, fresh->rig, arena, &fresh->items.lists[ITEM_CLIPS],
			&out->warnings[ITEM_CLIPS], err);
}

/* Changes the directory and then the index. Under store->writing. */
static bool commit(struct store *store, const struct store_asset *asset, const struct fresh *fresh,
	struct error *err) {
	const struct store_record *record = &fresh->record;
	if (!disk_write_object(store, record->hash, asset->bytes, asset->size, err) ||
		!disk_write_record(store, asset->name, record, &fresh->items, err)) {
		change_failed(store, asset->name, record->hash);
		return false;
	}
	pthread_mutex_lock(&store->mutex);
	struct content *content = index_put(store, asset->name, record, &fresh->items)->content;
	content->checked = true;
	content->damaged = false;
	memory_add(store, content, rig_retain(fresh->rig));
	pthread_mutex_unlock(&store->mutex);
	return true;
}

/* Commits an imported rig unless its name was taken meanwhile. Under store->writing. */
static bool put_read(struct store *store, const struct store_asset *asset, struct fresh *fresh,
	struct arena *arena, struct rig_summary *out, size_t *clips, bool *created,
	struct error *err) {
	const enum put_state state = look_up(store, asset, &fresh->record, clips, err);
	*created = state == STATE_NEW;
	if (state == STATE_SAME || state == STATE_REFUSED) {
		return state == STATE_SAME;
	}
	const bool stored = carry(store, asset->name, fresh, arena, out, err) &&
		commit(store, asset, fresh, err);
	*clips = fresh->items.lists[ITEM_CLIPS] ? fresh->items.lists[ITEM_CLIPS]->count : 0;
	record_items_finish(&fresh->items);
	return stored;
}

/* Imports the asset and commits it. */
static bool put_new(struct store *store, const struct store_asset *asset,
	struct store_record *record, struct arena *arena, struct rig_summary *out, size_t *clips,
	bool *created, struct error *err) {
	const struct import_asset source = {.bytes = asset->bytes,
		.size = asset->size,
		.file = asset->file,
		.stop = asset->stop};
	struct fresh fresh = {.rig = importer_read(store->importer, &source, err)};
	if (!fresh.rig) {
		return false;
	}
	hash_binary(record->hash, fresh.rig->content);
	record->vertices = fresh.rig->vertex_count;
	record->joints = fresh.rig->joint_count;
	record->clips = fresh.rig->clip_count;
	fresh.record = *record;
	out->empty_warning = rig_empty_warning(fresh.rig);
	pthread_mutex_lock(&store->writing);
	change_drop_orphans(store); // frees space
	const bool stored = put_read(store, asset, &fresh, arena, out, clips, created, err);
	change_drop_orphans(store);
	pthread_mutex_unlock(&store->writing);
	rig_release(fresh.rig);
	memory_trim(store);
	return stored;
}

/* The warning for a rig that exists already. Only loaded rigs tell that their vertices draw
 * nothing.
 */
static const char *known_warning(
	struct store *store, const char *name, const struct store_record *record) {
	if (record->vertices == 0) {
		return rig_empty_words(record->joints);
	}
	pthread_mutex_lock(&store->mutex);
	const struct index_entry *entry = index_find(store, name);
	const struct rig *rig = entry && entry->content ? entry->content->rig : NULL;
	const char *warning = rig ? rig_empty_warning(rig) : NULL;
	pthread_mutex_unlock(&store->mutex);
	return warning;
}

bool store_put(struct store *store, const struct store_asset *asset, struct arena *arena,
	struct rig_summary *out, bool *created, struct error *err) {
	if (!store_check_writable(store, err)) {
		return false;
	}
	struct store_record record = {.bytes = asset->size};
	hash_bytes(asset->bytes, asset->size, record.hash);
	size_t clips = 0;
	const enum put_state state = look_up(store, asset, &record, &clips, err);
	*created = false;
	*out = (struct rig_summary){0};
	const bool stored = state == STATE_SAME ||
		(state != STATE_REFUSED &&
			put_new(store, asset, &record, arena, out, &clips, created, err));
	if (stored) {
		const struct rig_summary said = *out;
		*out = store_summarize(asset->name, &record, clips, arena);
		memcpy(out->warnings, said.warnings, sizeof out->warnings);
		out->empty_warning = said.empty_warning
			? said.empty_warning
			: known_warning(store, asset->name, &record);
	}
	return stored;
}

static bool is_known(struct store *store, const char *name) {
	pthread_mutex_lock(&store->mutex);
	const bool known = index_find(store, name);
	pthread_mutex_unlock(&store->mutex);
	return known;
}

static bool check_known(struct store *store, const char *name, const char *as, struct error *err) {
	pthread_mutex_lock(&store->mutex);
	const struct index_entry *entry = index_find(store, name);
	const bool known =
		entry ? store_check_as(entry, as, err) : store_refuse_unknown(store, name, err);
	pthread_mutex_unlock(&store->mutex);
	return known;
}

/* Deletes a known name. Under store->writing, which keeps it known. */
static bool delete_known(struct store *store, const char *name, struct error *err) {
	if (!files_remove(store->rigs, name, err)) {
		struct error ignored = {0};
		change_settle(store, name, &ignored);
		return false;
	}
	pthread_mutex_lock(&store->mutex);
	index_remove(store, index_find(store, name));
	pthread_mutex_unlock(&store->mutex);
	change_drop_orphans(store);
	return true;
}

bool store_delete_as(struct store *store, const char *name, const char *as, struct error *err) {
	if (!store_check_writable(store, err)) {
		return false;
	}
	pthread_mutex_lock(&store->writing);
	// The record of a failed put may exist, and must not reappear at the next start.
	const bool deleted = (is_known(store, name) || change_settle(store, name, err)) &&
		check_known(store, name, as, err) && delete_known(store, name, err);
	pthread_mutex_unlock(&store->writing);
	return deleted;
}

bool store_delete(struct store *store, const char *name, struct error *err) {
	return store_delete_as(store, name, NULL, err);
}
