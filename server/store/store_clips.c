// Stored clips.
#include "store/store_clips.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "limits.h"
#include "model/clip_pack.h"
#include "model/rig.h"
#include "store/store_internal.h"

size_t store_clip_count(const struct store_hold *hold) {
	const struct item_list *list = items_of(hold, ITEM_CLIPS);
	return list ? list->count : 0;
}

static bool admit(const struct item_put *put, const struct index_entry *entry,
	struct item_list *list, struct error *err) {
	(void)put;
	size_t bytes = 0;
	for (size_t i = 0; i < list->count; i++) {
		bytes += list->items[i].bytes;
	}
	if (list->count > LIMIT_CLIPS) {
		return error_set(err, ERROR_TOO_LARGE,
			"rig \"%s\" has %d stored clips, the maximum", entry->name, LIMIT_CLIPS);
	}
	return bytes <= LIMIT_CLIPS_BYTES ||
		error_set(err, ERROR_TOO_LARGE,
			"the stored clips of rig \"%s\" would have %zu bytes, may have %zu",
			entry->name, bytes, LIMIT_CLIPS_BYTES);
}

static bool check_name(const struct store_clip *put, struct error *err) {
	const struct store_hold *hold = put->hold;
	const int found = rig_find_clip(hold->rig, put->name);
	const int own = hold->rig->clip_count - (int)store_clip_count(hold);
	return found < 0 || found >= own ||
		error_set(err, ERROR_CONFLICT,
			"clip \"%s\" is in the file of rig \"%s\", and cannot be replaced; put "
			"this "
			"one under another name",
			put->name, hold->summary.name);
}

bool store_put_clip(struct store *store, const struct store_clip *put, struct arena *arena,
	struct stored_clip *out, struct error *err) {
	struct buffer packed = {0};
	const struct buffer *object = put->object ? put->object : &packed;
	struct item_record item = {0};
	bool stored = check_name(put, err) &&
		(put->object || clip_pack(put->hold->rig, put->clip, &packed, err));
	if (stored) {
		strcpy(item.name, put->name);
		item.bytes = object->size;
		hash_bytes(object->data, object->size, item.hash);
		out->content = arena_printf(arena, "sha256:%s", item.hash);
		const struct item_put job = {
			.hold = put->hold,
			.kind = ITEM_CLIPS,
			.item = &item,
			.object = object,
			.mode = put->mode,
			.as = put->as,
			.admit = admit,
		};
		stored = items_put(store, &job, &out->created, err);
	}
	buffer_finish(&packed);
	return stored;
}

/* Reads all objects; frees them again when one cannot be read. */
static bool read_all(const struct store_hold *hold, const struct item_list *list,
	struct rig_clip *clips, struct error *err) {
	for (size_t i = 0; i < list->count; i++) {
		const struct item_ref ref = items_ref(hold, ITEM_CLIPS, &list->items[i]);
		clips[i].name = list->items[i].name;
		clips[i].segments = hold->store->segments;
		hash_binary(list->items[i].hash, clips[i].content);
		clips[i].take_bytes = items_read(&ref, &clips[i].size, err);
		if (!clips[i].take_bytes) {
			while (i-- > 0) {
				free(clips[i].take_bytes);
			}
			return false;
		}
	}
	return true;
}

struct rig *store_add_clips(
	const struct store_hold *hold, const struct rig *file_rig, struct error *err) {
	const struct item_list *list = items_of(hold, ITEM_CLIPS);
	struct rig_clip *clips = xcalloc(list->count, sizeof *clips);
	struct rig *rig = NULL;
	if (read_all(hold, list, clips, err)) {
		struct error why = {0};
		int failed;
		rig = rig_create_with_clips(file_rig, clips, (int)list->count, &failed, &why);
		if (!rig && why.code == ERROR_BROKEN_ASSET) {
			const struct item_ref ref =
				items_ref(hold, ITEM_CLIPS, &list->items[failed]);
			items_refuse_damaged(&ref, "is no clip of it", err);
		} else if (!rig) {
			error_set(err, why.code, "%s", why.text);
		}
	}
	free(clips);
	return rig;
}

struct rig *clips_add_all(struct store *store, const struct store_hold *hold, struct rig *file_rig,
	struct error *err) {
	struct content *set = hold->sets[ITEM_CLIPS];
	struct rig *fresh = store_add_clips(hold, file_rig, err);
	if (!fresh) {
		return NULL;
	}
	// If another thread was faster, use its rig.
	pthread_mutex_lock(&store->mutex);
	memory_add(store, set, fresh);
	struct rig *current = rig_retain(set->rig);
	pthread_mutex_unlock(&store->mutex);
	return current;
}

/* Checks if a clip fits a rig. False with *err when that cannot be checked at present, which is no
 * reason to lose the clip. */
static bool check_fit(
	const struct item_ref *ref, const struct rig *rig, bool *fits, struct error *err) {
	*fits = false;
	if (rig_find_clip(rig, ref->item->name) >= 0) {
		return true;
	}
	struct error why = {0};
	size_t size;
	bool lost;
	void *bytes = items_try_read(ref, &size, &lost, &why);
	if (!bytes) {
		return lost || error_set(err, why.code, "%s", why.text);
	}
	struct arena *arena = arena_create();
	struct clip clip;
	*fits = clip_unpack(rig, bytes, size, arena, &clip, &why);
	arena_destroy(arena);
	free(bytes);
	return *fits || why.code == ERROR_BROKEN_ASSET || error_set(err, why.code, "%s", why.text);
}

/* Adds the clips that fit to `carried`, and the names of others to *lost. */
static bool sift(struct store *store, const char *name, const struct item_list *old,
	const struct rig *rig, struct arena *arena, struct item_list *carried, const char **lost,
	struct error *err) {
	for (size_t i = 0; i < old->count; i++) {
		const struct item_record *item = &old->items[i];
		const struct item_ref ref = {store, name, ITEM_CLIPS, item};
		bool fits;
		if (!check_fit(&ref, rig, &fits, err)) {
			return false;
		}
		if (fits) {
			carried->items[carried->count++] = *item;
		} else if (strlen(*lost) < 400) {
			*lost = arena_printf(
				arena, "%s%s%s", *lost, **lost ? ", " : "", item->name);
		}
	}
	return true;
}

bool clips_carry(struct store *store, const char *name, const struct item_list *old,
	const struct rig *rig, struct arena *arena, struct item_list **out, const char **warning,
	struct error *err) {
	struct item_list *carried = item_list_create(old->count);
	const char *lost = "";
	const bool sifted = sift(store, name, old, rig, arena, carried, &lost, err);
	if (sifted && carried->count < old->count) {
		*warning = arena_printf(arena,
			"%zu of the %zu stored clips were removed, because the new file lacks "
			"their joints or has clips of the same names: %s",
			old->count - carried->count, old->count, lost);
	}
	*out = sifted && carried->count > 0 ? carried : NULL;
	if (!*out) {
		free(carried);
	}
	return sifted;
}
