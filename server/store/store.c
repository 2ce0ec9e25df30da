// Opening the store, and holding and loading its rigs.
#include "store/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "limits.h"
#include "model/examples.h"
#include "model/rig.h"
#include "model/segment_cache.h"
#include "sandbox/importer.h"
#include "store/store_clips.h"
#include "store/store_derived.h"
#include "store/store_internal.h"

/* Share of the memory for rigs that decoded keys of their clips may take. */
#define SEGMENTS_SHARE 8

struct store *store_open(const char *path, const struct store_options *options, struct error *err) {
	struct store *store = xcalloc(1, sizeof *store);
	store->importer = options->importer;
	store->read_only = options->read_only;
	TAILQ_INIT(&store->loaded.contents);
	store->loaded.budget = options->memory_bytes;
	store->segments = segment_cache_create(options->memory_bytes / SEGMENTS_SHARE);
	store->derived_budget = derived_budget(options);
	store->directory = store->objects = store->rigs = store->derived = store->temporary =
		store->lock = -1;
	pthread_mutex_init(&store->writing, NULL);
	pthread_mutex_init(&store->deriving, NULL);
	pthread_mutex_init(&store->mutex, NULL);
	if (!disk_open(store, path, err)) {
		store_close(store);
		return NULL;
	}
	return store;
}

bool store_is_read_only(const struct store *store) {
	return store->read_only;
}

void store_close(struct store *store) {
	if (!store) {
		return;
	}
	index_clear(store);
	disk_close(store);
	pthread_mutex_destroy(&store->mutex);
	pthread_mutex_destroy(&store->deriving);
	pthread_mutex_destroy(&store->writing);
	segment_cache_destroy(store->segments);
	free(store);
}

void store_read_stats(struct store *store, struct store_stats *stats) {
	struct segment_cache_stats segments;
	segment_cache_read_stats(store->segments, &segments);
	pthread_mutex_lock(&store->mutex);
	*stats = (struct store_stats){
		.rigs = store->count,
		.examples = store->item_counts[ITEM_EXAMPLES],
		.clips = store->item_counts[ITEM_CLIPS],
		.object_bytes = store->object_bytes,
		.loaded_rigs = store->loaded.rigs,
		.loaded_bytes = store->loaded.bytes + segments.bytes,
		.budget_bytes = store->loaded.budget,
		.loads = store->loaded.loads,
		.evictions = store->loaded.evictions,
		.segments = segments,
	};
	pthread_mutex_unlock(&store->mutex);
}

struct rig_summary store_summarize(const char *name, const struct store_record *record,
	size_t stored_clips, struct arena *arena) {
	return (struct rig_summary){
		.name = arena_strndup(arena, name, strlen(name)),
		.content = *record->hash ? arena_printf(arena, "sha256:%s", record->hash) : NULL,
		.bytes = record->bytes,
		.vertices = record->vertices,
		.joints = record->joints,
		.clips = record->clips + (int)stored_clips,
	};
}

size_t store_stored_clips(const struct index_entry *entry) {
	return entry->sets[ITEM_CLIPS] ? entry->sets[ITEM_CLIPS]->list->count : 0;
}

/* Compares with the text of store_hold.state. */
static bool has_state(const struct index_entry *entry, const char *state) {
	char text[(1 + ITEM_KIND_COUNT) * (HASH_TEXT_BYTES + 8)];
	int length = snprintf(text, sizeof text, "sha256:%s", entry->record.hash);
	for (int i = 0; i < ITEM_KIND_COUNT; i++) {
		if (entry->sets[i]) {
			length += snprintf(text + length, sizeof text - (size_t)length, " %s",
				entry->sets[i]->hash);
		}
	}
	return strcmp(text, state) == 0;
}

bool store_check_as(const struct index_entry *entry, const char *as, struct error *err) {
	return !as || (entry && (strcmp(as, "*") == 0 || has_state(entry, as))) ||
		error_set(err, ERROR_PRECONDITION_FAILED,
			"the rig has been changed or deleted, and no longer matches If-Match");
}

static struct rig_summary summarize(const struct index_entry *entry, struct arena *arena) {
	struct rig_summary summary =
		store_summarize(entry->name, &entry->record, store_stored_clips(entry), arena);
	summary.damaged = !entry->content || entry->content->damaged;
	return summary;
}

const struct rig_summary *store_list(struct store *store, struct arena *arena, size_t *count) {
	pthread_mutex_lock(&store->mutex);
	*count = store->count;
	struct rig_summary *list = arena_alloc(arena, store->count, sizeof *list);
	for (size_t i = 0; i < store->count; i++) {
		list[i] = summarize(store->entries[i], arena);
	}
	pthread_mutex_unlock(&store->mutex);
	return list;
}

bool store_refuse_unknown(const struct store *store, const char *name, struct error *err) {
	char names[400] = "";
	size_t used = 0, shown = 0;
	while (shown < store->count) {
		const char *known = store->entries[shown]->name;
		if (used + strlen(known) + 2 >= sizeof names) {
			break;
		}
		used += (size_t)snprintf(
			names + used, sizeof names - used, "%s%s", shown ? ", " : "", known);
		shown++;
	}
	char quoted[LIMIT_NAME_BYTES + 8];
	utf8_quote(name, quoted, sizeof quoted);
	struct error why = {0};
	error_set(&why, ERROR_UNKNOWN_RIG, "no rig %s", quoted);
	error_suggest(&why, "; there are %s%s", store->count ? names : "none",
		shown < store->count ? ", ..." : "");
	return error_pass(err, &why);
}

/* why: for the log, after "the object". Always false. */
static bool refuse_damaged(const char *name, const char *hash, const char *why, struct error *err) {
	log_line(LOG_ERROR, "store: rig %s: object %s %s", name, hash, why);
	return error_set(err, ERROR_STORE_DAMAGED,
		"the disk has lost or changed the stored bytes of rig \"%s\"; put them again to "
		"repair it",
		name);
}

bool store_refuse_record(const char *name, struct error *err) {
	log_line(LOG_ERROR, "store: rig %s: its record is damaged", name);
	return error_set(err, ERROR_STORE_DAMAGED,
		"the disk has changed the record of rig \"%s\"; put the rig again to repair it "
		"without its examples and clips, or delete it",
		name);
}

bool store_check_writable(const struct store *store, struct error *err) {
	return !store->read_only ||
		error_set(err, ERROR_READ_ONLY,
			"this daemon serves its rigs read-only (--read-only): nothing can be "
			"stored "
			"or deleted");
}

static struct rig *retain_loaded(struct store *store, struct content *content) {
	if (!content || !content->rig) {
		return NULL;
	}
	memory_touch(store, content);
	return rig_retain(content->rig);
}

/* Fills a hold from an entry. Under store->mutex. */
static bool take_hold(struct store *store, struct index_entry *entry, enum hold_kind kind,
	struct store_hold *hold, struct error *err) {
	struct content *content = entry->content;
	if (!content) {
		return store_refuse_record(entry->name, err);
	}
	struct content *clips = entry->sets[ITEM_CLIPS];
	const bool loaded = content->rig || (clips && clips->rig);
	if (kind == HOLD_SOURCE || !loaded) {
		// Under the mutex, because the object may be removed later.
		hold->source = disk_open_object(store, content->hash);
		if (hold->source < 0) {
			content->damaged = content->damaged || errno == ENOENT;
			return errno == ENOENT
				? refuse_damaged(entry->name, content->hash, "is missing", err)
				: error_set(err, ERROR_INTERNAL, "object %s: %s", content->hash,
					  strerror(errno));
		}
	}
	hold->rig = retain_loaded(store, clips ? clips : content);
	hold->file_rig = hold->rig ? NULL : retain_loaded(store, content);
	hold->checked = content->checked;
	for (int i = 0; i < ITEM_KIND_COUNT; i++) {
		hold->sets[i] = entry->sets[i] ? index_retain(entry->sets[i]) : NULL;
	}
	return true;
}

static const char *held_hash(const struct store_hold *hold) {
	return strchr(hold->summary.content, ':') + 1;
}

static const char *with_set(struct arena *arena, const char *text, const struct content *set) {
	return set ? arena_printf(arena, "%s %s", text, set->hash) : text;
}

bool store_hold(struct store *store, const char *name, enum hold_kind kind, struct arena *arena,
	struct store_hold *hold, struct error *err) {
	*hold = (struct store_hold){.store = store, .source = -1};
	pthread_mutex_lock(&store->mutex);
	struct index_entry *entry = index_find(store, name);
	const bool held = entry ? take_hold(store, entry, kind, hold, err)
				: store_refuse_unknown(store, name, err);
	if (held) {
		const struct content *clips = hold->sets[ITEM_CLIPS];
		hold->summary = summarize(entry, arena);
		hold->basis = with_set(arena, hold->summary.content, hold->sets[ITEM_EXAMPLES]);
		hold->motion = with_set(arena, hold->summary.content, clips);
		hold->state = with_set(arena, hold->basis, clips);
	}
	pthread_mutex_unlock(&store->mutex);
	return held;
}

static bool is_same_entry(const struct index_entry *entry, const struct store_hold *hold) {
	bool same = entry && entry->content && strcmp(entry->content->hash, held_hash(hold)) == 0;
	for (int i = 0; same && i < ITEM_KIND_COUNT; i++) {
		same = entry->sets[i] == hold->sets[i];
	}
	return same;
}

bool store_is_current(const struct store_hold *hold) {
	pthread_mutex_lock(&hold->store->mutex);
	const bool same = is_same_entry(index_find(hold->store, hold->summary.name), hold);
	pthread_mutex_unlock(&hold->store->mutex);
	return same;
}

static void leave_sets(struct store_hold *hold) {
	pthread_mutex_lock(&hold->store->mutex);
	for (int i = 0; i < ITEM_KIND_COUNT; i++) {
		if (hold->sets[i]) {
			index_leave(hold->store, hold->sets[i]);
		}
	}
	pthread_mutex_unlock(&hold->store->mutex);
}

void store_release(struct store_hold *hold) {
	rig_release(hold->rig);
	rig_release(hold->file_rig);
	examples_release(hold->examples);
	if (hold->source >= 0) {
		close(hold->source);
	}
	if (hold->sets[ITEM_EXAMPLES] || hold->sets[ITEM_CLIPS]) {
		leave_sets(hold);
	}
	if (hold->store) {
		memory_trim(hold->store);
	}
	*hold = (struct store_hold){.source = -1};
}

/* Records the result of checking the bytes of a content. */
static void note_check(struct store *store, const char *hash, bool sound) {
	pthread_mutex_lock(&store->mutex);
	struct content *content = index_content(store, hash);
	if (content) {
		content->checked = sound;
		content->damaged = !sound;
	}
	pthread_mutex_unlock(&store->mutex);
}

/* Reads the source to its end and checks it against its hash. */
static bool check_bytes(struct store_hold *hold, struct error *err) {
	char hash[HASH_TEXT_BYTES];
	struct error why = {0};
	const bool read = hash_descriptor(hold->source, hash, &why);
	hold->checked = read && strcmp(hash, held_hash(hold)) == 0;
	note_check(hold->store, held_hash(hold), hold->checked);
	return hold->checked ||
		refuse_damaged(
			hold->summary.name, held_hash(hold), read ? "is damaged" : why.text, err);
}

bool store_check_source(struct store_hold *hold, struct error *err) {
	return hold->checked || check_bytes(hold, err);
}

/* Adds a rig that was just read to the loaded contents, unless its content is no longer in use. If
 * another thread was faster, uses that thread's rig. Returns a reference. */
static struct rig *add_rig(struct store *store, const char *hash, struct rig *take_rig) {
	struct rig *added = take_rig;
	pthread_mutex_lock(&store->mutex);
	store->loaded.loads++;
	struct content *content = index_content(store, hash);
	if (content) {
		memory_add(store, content, take_rig);
		added = rig_retain(content->rig);
	}
	pthread_mutex_unlock(&store->mutex);
	return added;
}

/* Reads the rig without stored clips from its file; a reference. */
static struct rig *read_file(struct store *store, struct store_hold *hold, struct error *err) {
	const struct import_asset source = {.file = hold->source};
	struct rig *rig =
		check_bytes(hold, err) ? importer_read(store->importer, &source, err) : NULL;
	if (rig) {
		hash_binary(held_hash(hold), rig->content);
	}
	return rig ? add_rig(store, held_hash(hold), rig) : NULL;
}

struct rig *store_load(struct store *store, struct store_hold *hold, struct error *err) {
	if (hold->rig) {
		return hold->rig;
	}
	if (!hold->file_rig) {
		hold->file_rig = read_file(store, hold, err);
	}
	if (hold->file_rig) {
		hold->rig = hold->sets[ITEM_CLIPS] ? clips_add_all(store, hold, hold->file_rig, err)
						   : rig_retain(hold->file_rig);
	}
	return hold->rig;
}
