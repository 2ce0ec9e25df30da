// How the store changes: what is put and deleted.
#include <stdlib.h>
#include <string.h>

#include "importer.h"
#include "model/rig.h"
#include "store_files.h"
#include "store_internal.h"

/* What a put finds under its name. */
enum put_state { STATE_NEW, STATE_OTHER, STATE_SAME, STATE_REFUSED };

static enum put_state look_up(struct store *store, const struct store_asset *asset,
	struct store_record *record, struct error *err) {
	pthread_mutex_lock(&store->mutex);
	const struct index_entry *entry = index_find(store, asset->name);
	enum put_state state = STATE_NEW;
	if (entry && asset->mode == PUT_ONLY_NEW) {
		error_set(err, ERROR_PRECONDITION_FAILED,
			"there is a rig \"%s\" already, and If-None-Match: * asks not to replace "
			"it",
			asset->name);
		state = STATE_REFUSED;
	} else if (entry && !entry->unsettled && strcmp(entry->record.hash, record->hash) == 0) {
		*record = entry->record;
		state = STATE_SAME;
	} else if (entry) {
		state = STATE_OTHER;
	}
	pthread_mutex_unlock(&store->mutex);
	// What the disk has damaged is written anew.
	return state == STATE_SAME && !disk_holds(store, asset, record->hash) ? STATE_OTHER : state;
}

/* After a change that failed: the disk may be as it was, or half-way. Under store->writing. */
static void settle(struct store *store, const char *name) {
	pthread_mutex_lock(&store->mutex);
	struct index_entry *entry = index_find(store, name);
	pthread_mutex_unlock(&store->mutex);
	// Entries come, go and get other records only under `writing`.
	const bool unsettled = entry && !disk_names(store, name, entry->record.hash);
	pthread_mutex_lock(&store->mutex);
	if (entry) {
		entry->unsettled = unsettled;
	}
	pthread_mutex_unlock(&store->mutex);
}

/* Gives the room back that an object took whose record could not be written. Under store->writing.
 */
static void take_back(struct store *store, const char *name, const char *hash) {
	pthread_mutex_lock(&store->mutex);
	const bool used = index_content(store, hash);
	pthread_mutex_unlock(&store->mutex);
	if (!used && !disk_names(store, name, hash)) {
		disk_drop_object(store, hash);
	}
}

/* Makes the change to the directory and then to the index. Under store->writing. */
static bool commit(struct store *store, const struct store_asset *asset,
	const struct store_record *record, struct rig *rig, struct error *err) {
	if (!disk_write(store, asset, record, err)) {
		settle(store, asset->name);
		take_back(store, asset->name, record->hash);
		return false;
	}
	char old_hash[HASH_TEXT_BYTES] = "";
	pthread_mutex_lock(&store->mutex);
	const struct index_entry *old = index_find(store, asset->name);
	if (old) {
		memcpy(old_hash, old->record.hash, sizeof old_hash);
	}
	struct content *content = index_put(store, asset->name, record)->content;
	content->checked = true;
	memory_add(store, content, rig_retain(rig));
	const bool orphaned = *old_hash && !index_content(store, old_hash);
	pthread_mutex_unlock(&store->mutex);
	if (orphaned) {
		disk_drop_object(store, old_hash);
	}
	return true;
}

/* Reads the asset, then commits it unless the name was taken in the meantime. */
static bool put_new(struct store *store, const struct store_asset *asset,
	struct store_record *record, bool *created, struct error *err) {
	const struct import_asset source = {
		.bytes = asset->bytes, .size = asset->size, .file = asset->file};
	struct rig *rig = importer_read(store->importer, &source, err);
	if (!rig) {
		return false;
	}
	record->vertices = rig->vertex_count;
	record->joints = rig->joint_count;
	record->clips = rig->clip_count;
	pthread_mutex_lock(&store->writing);
	const enum put_state state = look_up(store, asset, record, err);
	*created = state == STATE_NEW;
	const bool stored = state == STATE_SAME ||
		(state != STATE_REFUSED && commit(store, asset, record, rig, err));
	pthread_mutex_unlock(&store->writing);
	rig_release(rig);
	memory_trim(store);
	return stored;
}

bool store_put(struct store *store, const struct store_asset *asset, struct arena *arena,
	struct rig_summary *out, bool *created, struct error *err) {
	struct store_record record = {.bytes = asset->size};
	hash_bytes(asset->bytes, asset->size, record.hash);
	const enum put_state state = look_up(store, asset, &record, err);
	*created = false;
	const bool stored = state == STATE_SAME ||
		(state != STATE_REFUSED && put_new(store, asset, &record, created, err));
	if (stored) {
		*out = store_summarize(asset->name, &record, arena);
	}
	return stored;
}

/* Takes a name out of the index, and the hash of its object if nobody else uses that. */
static void forget(struct store *store, const char *name, char orphan[static HASH_TEXT_BYTES]) {
	pthread_mutex_lock(&store->mutex);
	struct index_entry *entry = index_find(store, name);
	memcpy(orphan, entry->record.hash, HASH_TEXT_BYTES);
	index_remove(store, entry);
	if (index_content(store, orphan)) {
		orphan[0] = '\0';
	}
	pthread_mutex_unlock(&store->mutex);
}

static bool check_known(struct store *store, const char *name, struct error *err) {
	pthread_mutex_lock(&store->mutex);
	const bool known = index_find(store, name) || store_refuse_unknown(store, name, err);
	pthread_mutex_unlock(&store->mutex);
	return known;
}

/* A known name. Under store->writing, so that what is known stays known until it is forgotten. */
static bool delete_known(struct store *store, const char *name, struct error *err) {
	if (!files_remove(store->rigs, name, err)) {
		settle(store, name);
		return false;
	}
	char orphan[HASH_TEXT_BYTES];
	forget(store, name, orphan);
	if (*orphan) {
		disk_drop_object(store, orphan);
	}
	return true;
}

bool store_delete(struct store *store, const char *name, struct error *err) {
	pthread_mutex_lock(&store->writing);
	const bool deleted = check_known(store, name, err) && delete_known(store, name, err);
	pthread_mutex_unlock(&store->writing);
	return deleted;
}
