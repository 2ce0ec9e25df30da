// The rigs that the daemon holds, by name.
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "importer.h"
#include "limits.h"
#include "model/rig.h"
#include "store_files.h"
#include "store_internal.h"

size_t entry_position(const struct store *store, const char *name, bool *found) {
	size_t low = 0, high = store->count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (strcmp(store->entries[middle].name, name) < 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	*found = low < store->count && strcmp(store->entries[low].name, name) == 0;
	return low;
}

static struct entry *find_entry(const struct store *store, const char *name) {
	bool found;
	const size_t position = entry_position(store, name, &found);
	return found ? &store->entries[position] : NULL;
}

bool entry_uses(const struct store *store, const char *hash) {
	for (size_t i = 0; i < store->count; i++) {
		if (strcmp(store->entries[i].record.hash, hash) == 0) {
			return true;
		}
	}
	return false;
}

void entry_put(struct store *store, const char *name, const struct store_record *record,
	struct rig *take_rig) {
	bool found;
	const size_t position = entry_position(store, name, &found);
	if (!found) {
		store->entries = xrealloc(store->entries, store->count + 1, sizeof *store->entries);
		memmove(&store->entries[position + 1], &store->entries[position],
			(store->count - position) * sizeof *store->entries);
		store->entries[position] = (struct entry){.name = xstrndup(name, strlen(name))};
		store->count++;
	}
	struct entry *entry = &store->entries[position];
	rig_release(entry->rig);
	entry->rig = take_rig;
	entry->record = *record;
}

static void entry_remove(struct store *store, size_t position) {
	free(store->entries[position].name);
	rig_release(store->entries[position].rig);
	store->count--;
	memmove(&store->entries[position], &store->entries[position + 1],
		(store->count - position) * sizeof *store->entries);
}

struct store *store_open(const char *path, struct importer *importer, struct error *err) {
	struct store *store = xcalloc(1, sizeof *store);
	store->importer = importer;
	store->directory = store->objects = store->rigs = store->temporary = store->lock = -1;
	pthread_mutex_init(&store->writing, NULL);
	pthread_mutex_init(&store->mutex, NULL);
	if (!disk_open(store, path, err)) {
		store_close(store);
		return NULL;
	}
	return store;
}

void store_close(struct store *store) {
	if (!store) {
		return;
	}
	while (store->count > 0) {
		entry_remove(store, store->count - 1);
	}
	free(store->entries);
	disk_close(store);
	pthread_mutex_destroy(&store->mutex);
	pthread_mutex_destroy(&store->writing);
	free(store);
}

static struct rig_summary summarize(
	const char *name, const struct store_record *record, struct arena *arena) {
	return (struct rig_summary){
		.name = arena_strndup(arena, name, strlen(name)),
		.content = arena_printf(arena, "sha256:%s", record->hash),
		.bytes = record->bytes,
		.vertices = record->vertices,
		.joints = record->joints,
		.clips = record->clips,
	};
}

const struct rig_summary *store_list(struct store *store, struct arena *arena, size_t *count) {
	pthread_mutex_lock(&store->mutex);
	*count = store->count;
	struct rig_summary *list = arena_alloc(arena, store->count, sizeof *list);
	for (size_t i = 0; i < store->count; i++) {
		list[i] = summarize(store->entries[i].name, &store->entries[i].record, arena);
	}
	pthread_mutex_unlock(&store->mutex);
	return list;
}

/* Says which rigs there are, as far as there is room for whole names. Under store->mutex. */
static bool refuse_unknown(const struct store *store, const char *name, struct error *err) {
	char names[400] = "";
	size_t used = 0, shown = 0;
	while (shown < store->count) {
		const char *known = store->entries[shown].name;
		if (used + strlen(known) + 2 >= sizeof names) {
			break;
		}
		used += (size_t)snprintf(
			names + used, sizeof names - used, "%s%s", shown ? ", " : "", known);
		shown++;
	}
	char quoted[LIMIT_NAME_BYTES + 8];
	utf8_quote(name, quoted, sizeof quoted);
	return error_set(err, ERROR_UNKNOWN_RIG, "no rig %s; there are %s%s", quoted,
		store->count ? names : "none", shown < store->count ? ", ..." : "");
}

static bool open_source(struct store *store, const char *hash, int *source, struct error *err) {
	*source = openat(store->objects, hash, O_RDONLY | O_CLOEXEC);
	return *source >= 0 ||
		error_set(err, ERROR_INTERNAL, "object %s: %s", hash, strerror(errno));
}

bool store_hold(struct store *store, const char *name, enum hold_kind kind, struct arena *arena,
	struct store_hold *hold, struct error *err) {
	*hold = (struct store_hold){.source = -1};
	pthread_mutex_lock(&store->mutex);
	const struct entry *entry = find_entry(store, name);
	// The object is opened under the mutex: a moment later it may be gone.
	const bool held = entry ? (kind == HOLD_RIG && entry->rig) ||
			open_source(store, entry->record.hash, &hold->source, err)
				: refuse_unknown(store, name, err);
	if (held) {
		hold->summary = summarize(name, &entry->record, arena);
		hold->rig = entry->rig ? rig_retain(entry->rig) : NULL;
	}
	pthread_mutex_unlock(&store->mutex);
	return held;
}

void store_release(struct store_hold *hold) {
	rig_release(hold->rig);
	if (hold->source >= 0) {
		close(hold->source);
	}
	*hold = (struct store_hold){.source = -1};
}

/* Keeps a rig that was just read for the next request, unless the name has other content now. If
 * another thread was faster, its rig is the one to use. Returns a reference. */
static struct rig *keep_rig(
	struct store *store, const struct rig_summary *summary, struct rig *take_rig) {
	struct rig *kept = take_rig;
	pthread_mutex_lock(&store->mutex);
	struct entry *entry = find_entry(store, summary->name);
	const bool same =
		entry && strcmp(entry->record.hash, strchr(summary->content, ':') + 1) == 0;
	if (same && entry->rig) {
		kept = rig_retain(entry->rig);
	} else if (same) {
		entry->rig = rig_retain(take_rig);
	}
	pthread_mutex_unlock(&store->mutex);
	if (kept != take_rig) {
		rig_release(take_rig);
	}
	return kept;
}

struct rig *store_load(struct store *store, struct store_hold *hold, struct error *err) {
	if (hold->rig) {
		return hold->rig;
	}
	const struct import_asset source = {.file = hold->source};
	struct rig *rig = importer_read(store->importer, &source, err);
	hold->rig = rig ? keep_rig(store, &hold->summary, rig) : NULL;
	return hold->rig;
}

/* What a put finds under its name. */
enum put_state { STATE_NEW, STATE_OTHER, STATE_SAME, STATE_REFUSED };

static enum put_state look_up(struct store *store, const struct store_asset *asset,
	struct store_record *record, struct error *err) {
	pthread_mutex_lock(&store->mutex);
	const struct entry *entry = find_entry(store, asset->name);
	enum put_state state = STATE_NEW;
	if (entry && asset->mode == PUT_ONLY_NEW) {
		error_set(err, ERROR_PRECONDITION_FAILED,
			"there is a rig \"%s\" already, and If-None-Match: * asks not to replace "
			"it",
			asset->name);
		state = STATE_REFUSED;
	} else if (entry && strcmp(entry->record.hash, record->hash) == 0) {
		*record = entry->record;
		state = STATE_SAME;
	} else if (entry) {
		state = STATE_OTHER;
	}
	pthread_mutex_unlock(&store->mutex);
	return state;
}

/* Makes the change to the directory and then to the index. Under store->writing. */
static bool commit(struct store *store, const struct store_asset *asset,
	const struct store_record *record, struct rig *rig, struct error *err) {
	if (!disk_write(store, asset, record, err)) {
		return false;
	}
	char old_hash[HASH_TEXT_BYTES] = "";
	pthread_mutex_lock(&store->mutex);
	const struct entry *old = find_entry(store, asset->name);
	if (old) {
		memcpy(old_hash, old->record.hash, sizeof old_hash);
	}
	entry_put(store, asset->name, record, rig_retain(rig));
	const bool orphaned = *old_hash && !entry_uses(store, old_hash);
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
		*out = summarize(asset->name, &record, arena);
	}
	return stored;
}

static bool check_known(struct store *store, const char *name, struct error *err) {
	pthread_mutex_lock(&store->mutex);
	const bool known = find_entry(store, name) || refuse_unknown(store, name, err);
	pthread_mutex_unlock(&store->mutex);
	return known;
}

/* Takes a known name out of the index, and the hash of its object if nobody else uses that. */
static void forget(struct store *store, const char *name, char orphan[static HASH_TEXT_BYTES]) {
	bool found;
	pthread_mutex_lock(&store->mutex);
	const size_t position = entry_position(store, name, &found);
	memcpy(orphan, store->entries[position].record.hash, HASH_TEXT_BYTES);
	entry_remove(store, position);
	if (entry_uses(store, orphan)) {
		orphan[0] = '\0';
	}
	pthread_mutex_unlock(&store->mutex);
}

bool store_delete(struct store *store, const char *name, struct error *err) {
	// The index changes only under `writing`: what is known stays known until it is forgotten.
	pthread_mutex_lock(&store->writing);
	const bool deleted = check_known(store, name, err) && files_remove(store->rigs, name, err);
	if (deleted) {
		char orphan[HASH_TEXT_BYTES];
		forget(store, name, orphan);
		if (*orphan) {
			disk_drop_object(store, orphan);
		}
	}
	pthread_mutex_unlock(&store->writing);
	return deleted;
}
