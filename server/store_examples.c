// The examples of the store's rigs: what is put, deleted, listed and read.
#include "store_examples.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "json_read.h"
#include "limits.h"
#include "model/examples.h"
#include "model/rig.h"
#include "shape.h"
#include "store_files.h"
#include "store_internal.h"

size_t store_example_count(const struct store_hold *hold) {
	return hold->set ? hold->set->list->count : 0;
}

const struct example_record *store_example_at(const struct store_hold *hold, size_t i) {
	return &hold->set->list->items[i];
}

/* Says which examples there are, as far as there is room for whole names. Always false. */
static bool refuse_unknown(
	const char *rig, const char *name, const struct example_list *list, struct error *err) {
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
	return error_set(err, ERROR_UNKNOWN_EXAMPLE, "no example %s of rig \"%s\"; it has %s%s",
		quoted, rig, count ? names : "none", shown < count ? ", ..." : "");
}

const struct example_record *store_find_example(
	const struct store_hold *hold, const char *name, struct error *err) {
	const struct example_list *list = hold->set ? hold->set->list : NULL;
	bool found;
	const size_t i = example_list_find(list, name, &found);
	if (!found) {
		refuse_unknown(hold->summary.name, name, list, err);
		return NULL;
	}
	return &list->items[i];
}

/* --- Changing them. All under store->writing. --- */

/* A rig's entry, which stays as it is while `writing` is held; NULL with ERROR_UNKNOWN_RIG. */
static const struct index_entry *find_rig(
	struct store *store, const char *name, struct error *err) {
	pthread_mutex_lock(&store->mutex);
	const struct index_entry *entry = index_find(store, name);
	if (!entry) {
		store_refuse_unknown(store, name, err);
	}
	pthread_mutex_unlock(&store->mutex);
	return entry;
}

static const struct example_list *list_of(const struct index_entry *entry) {
	return entry->examples ? entry->examples->list : NULL;
}

/* Makes these (NULL = none) the examples of a rig, on the disk and then in the index. hash: of the
 * object that was written for it; NULL = none was. */
static bool commit(struct store *store, const struct index_entry *entry,
	const struct example_list *list, const char *hash, struct error *err) {
	const struct store_record record = entry->record;
	if (!disk_write_record(store, entry->name, &record, list, err)) {
		change_failed(store, entry->name, hash ? hash : record.hash);
		return false;
	}
	pthread_mutex_lock(&store->mutex);
	index_put(store, entry->name, &record, list);
	pthread_mutex_unlock(&store->mutex);
	return true;
}

static size_t vertex_bytes(const struct index_entry *entry, const struct example_list *list) {
	size_t bytes = 0;
	for (size_t i = 0; i < list->count; i++) {
		bytes += example_vertex_bytes(
			(size_t)entry->record.vertices, list->items[i].normals);
	}
	return bytes;
}

static bool check_limits(
	const struct index_entry *entry, const struct example_list *list, struct error *err) {
	if (list->count > LIMIT_EXAMPLES) {
		return error_set(err, ERROR_TOO_LARGE,
			"rig \"%s\" has %d examples, as many as it may", entry->name,
			LIMIT_EXAMPLES);
	}
	const size_t bytes = vertex_bytes(entry, list);
	return bytes <= LIMIT_EXAMPLES_BYTES ||
		error_set(err, ERROR_TOO_LARGE,
			"the vertices of all examples of rig \"%s\" would have %zu bytes, may have "
			"%zu",
			entry->name, bytes, LIMIT_EXAMPLES_BYTES);
}

/* A list with one more example, or another in the place of one. */
static struct example_list *list_with(const struct example_list *old, size_t position,
	bool replaces, const struct example_record *item) {
	const size_t count = old ? old->count : 0;
	struct example_list *list = example_list_create(count + !replaces);
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

/* A list with one example less; NULL when it was the last. */
static struct example_list *list_without(const struct example_list *old, size_t position) {
	if (old->count == 1) {
		return NULL;
	}
	struct example_list *list = example_list_create(old->count - 1);
	memcpy(list, old, sizeof *old + position * sizeof *old->items);
	list->count = old->count - 1;
	memcpy(&list->items[position], &old->items[position + 1],
		(list->count - position) * sizeof *old->items);
	return list;
}

static bool check_entry(
	const struct index_entry *entry, const struct store_example *example, struct error *err) {
	const struct rig_summary *checked = &example->hold->summary;
	return strcmp(entry->record.hash, strchr(checked->content, ':') + 1) == 0 ||
		error_set(err, ERROR_CONFLICT,
			"rig \"%s\" was replaced while the example was put; put it again if it is "
			"for the new one",
			checked->name);
}

/* Whether the very same is there, undamaged. */
static bool is_there(const struct store *store, const struct index_entry *entry,
	const struct example_record *old, const struct example_record *item,
	const struct buffer *object) {
	return !entry->unsettled && strcmp(old->hash, item->hash) == 0 &&
		disk_holds(store, item->hash, object->data, object->size);
}

static bool put(struct store *store, const struct store_example *example,
	const struct example_record *item, const struct buffer *object, bool *created,
	struct error *err) {
	const char *rig = example->hold->summary.name;
	const struct index_entry *entry = find_rig(store, rig, err);
	if (!entry || !check_entry(entry, example, err)) {
		return false;
	}
	bool found;
	const size_t position = example_list_find(list_of(entry), example->name, &found);
	*created = !found;
	if (found && example->mode == PUT_ONLY_NEW) {
		return error_set(err, ERROR_PRECONDITION_FAILED,
			"rig \"%s\" has an example \"%s\" already, and If-None-Match: * asks not "
			"to replace it",
			rig, example->name);
	}
	if (found && is_there(store, entry, &list_of(entry)->items[position], item, object)) {
		return true;
	}
	struct example_list *list = list_with(list_of(entry), position, found, item);
	struct shape shape;
	shape_of(example->hold->rig, &shape);
	memcpy(list->shape, shape.joints, sizeof list->shape);
	memcpy(list->triangles, shape.triangles, sizeof list->triangles);
	bool stored = check_limits(entry, list, err);
	if (stored && !disk_write_object(store, item->hash, object->data, object->size, err)) {
		change_failed(store, entry->name, item->hash);
		stored = false;
	}
	stored = stored && commit(store, entry, list, item->hash, err);
	free(list);
	return stored;
}

/* Else what is replaced would stay until the next change. */
static void let_go_of_set(struct store_hold *hold) {
	pthread_mutex_lock(&hold->store->mutex);
	if (hold->set) {
		index_leave(hold->store, hold->set);
		hold->set = NULL;
	}
	pthread_mutex_unlock(&hold->store->mutex);
}

bool store_put_example(struct store *store, const struct store_example *example,
	struct arena *arena, const char **content, bool *created, struct error *err) {
	struct buffer object = {0};
	struct example_record item = {.normals = example->form->normals != NULL};
	bool stored = example_pack(example->form, &object, err);
	if (stored) {
		strcpy(item.name, example->name);
		item.bytes = object.size;
		hash_bytes(object.data, object.size, item.hash);
		*content = arena_printf(arena, "sha256:%s", item.hash);
		pthread_mutex_lock(&store->writing);
		change_drop_orphans(store); // which makes room
		stored = put(store, example, &item, &object, created, err);
		let_go_of_set(example->hold);
		change_drop_orphans(store);
		pthread_mutex_unlock(&store->writing);
	}
	buffer_finish(&object);
	return stored;
}

static bool delete (struct store *store, const char *rig, const char *name, struct error *err) {
	const struct index_entry *entry = find_rig(store, rig, err);
	if (!entry) {
		return false;
	}
	bool found;
	const size_t position = example_list_find(list_of(entry), name, &found);
	if (!found) {
		return refuse_unknown(rig, name, list_of(entry), err);
	}
	struct example_list *list = list_without(list_of(entry), position);
	const bool deleted = commit(store, entry, list, NULL, err);
	free(list);
	return deleted;
}

bool store_delete_example(
	struct store *store, const char *rig, const char *name, struct error *err) {
	pthread_mutex_lock(&store->writing);
	const bool deleted = delete (store, rig, name, err);
	change_drop_orphans(store);
	pthread_mutex_unlock(&store->writing);
	return deleted;
}

/* --- Reading them. --- */

/* why: for the log, behind "the object". Always false. */
static bool refuse_damaged(const struct store_hold *hold, const struct example_record *record,
	const char *why, struct error *err) {
	log_line(LOG_ERROR, "store: rig %s: example %s: object %s %s", hold->summary.name,
		record->name, record->hash, why);
	return error_set(err, ERROR_STORE_DAMAGED,
		"the disk has lost or changed example \"%s\" of rig \"%s\"; putting it again or "
		"deleting it mends that",
		record->name, hold->summary.name);
}

/* The hold keeps the object from being removed. -1 with ERROR_STORE_DAMAGED or ERROR_INTERNAL. */
static int open_object(
	const struct store_hold *hold, const struct example_record *record, struct error *err) {
	const int object = disk_open_object(hold->store, record->hash);
	if (object < 0 && errno == ENOENT) {
		refuse_damaged(hold, record, "is missing", err);
	} else if (object < 0) {
		error_set(err, ERROR_INTERNAL, "object %s: %s", record->hash, strerror(errno));
	}
	return object;
}

static bool read_exactly(int file, void *out, size_t size, size_t at) {
	ssize_t count;
	do {
		count = pread(file, out, size, (off_t)at);
	} while (count < 0 && errno == EINTR);
	return count >= 0 && (size_t)count == size;
}

bool store_summarize_example(const struct store_hold *hold, const struct example_record *record,
	struct arena *arena, struct example_summary *out, struct error *err) {
	const int object = open_object(hold, record, err);
	if (object < 0) {
		return false;
	}
	unsigned char head[EXAMPLE_HEAD_BYTES];
	struct example_layout layout = {0};
	char *pose = NULL;
	bool fine = read_exactly(object, head, sizeof head, 0) &&
		example_read_head(head, record->bytes, &layout) &&
		layout.pose_bytes <= LIMIT_EXAMPLE_POSE_BYTES;
	if (fine) {
		pose = arena_alloc(arena, layout.pose_bytes, 1);
		fine = read_exactly(object, pose, layout.pose_bytes, layout.pose_at);
	}
	close(object);
	*out = (struct example_summary){
		.name = record->name,
		.content = arena_printf(arena, "sha256:%s", record->hash),
		.pose = pose,
		.pose_bytes = layout.pose_bytes,
		.vertices = layout.vertices,
		.normals = layout.normals,
	};
	return fine || refuse_damaged(hold, record, "is damaged", err);
}

void *store_read_example(const struct store_hold *hold, const struct example_record *record,
	struct example_form *form, struct error *err) {
	const int object = open_object(hold, record, err);
	if (object < 0) {
		return NULL;
	}
	size_t size = 0;
	struct error why = {0};
	void *bytes = files_read(object, &size, &why);
	close(object);
	if (!bytes && why.code == ERROR_TOO_LARGE) {
		error_set(err, why.code, "%s", why.text);
		return NULL;
	}
	char hash[HASH_TEXT_BYTES] = "";
	if (bytes) {
		hash_bytes(bytes, size, hash);
	}
	if (strcmp(hash, record->hash) != 0 || !example_unpack(bytes, size, form)) {
		refuse_damaged(hold, record, bytes ? "is damaged" : why.text, err);
		free(bytes);
		return NULL;
	}
	return bytes;
}

/* Fills the i-th example of a set. */
static bool load_example(
	const struct store_hold *hold, struct examples *set, size_t i, struct error *err) {
	const struct example_record *record = store_example_at(hold, i);
	struct example *example = &set->items[i];
	struct example_form form;
	void *bytes = store_read_example(hold, record, &form, err);
	if (!bytes) {
		return false;
	}
	struct error why = {0};
	example->name = arena_strndup(set->arena, record->name, strlen(record->name));
	example->pose = json_read(set->arena, form.pose, form.pose_bytes, &why);
	bool fine = (example->pose && form.vertices == (size_t)set->vertex_count) ||
		refuse_damaged(hold, record, "is no example of it", err);
	fine = fine && examples_allocate(set, (int)i, record->normals, err);
	if (fine) {
		memcpy(example->positions, form.positions,
			example_vertex_bytes(form.vertices, record->normals));
	}
	free(bytes);
	return fine;
}

static struct examples *read_all(const struct store_hold *hold, struct error *err) {
	const size_t count = store_example_count(hold);
	struct examples *set = examples_create((int)count, hold->summary.vertices);
	hash_binary(hold->set->hash, set->hash);
	for (size_t i = 0; i < count; i++) {
		if (!load_example(hold, set, i, err)) {
			examples_release(set);
			return NULL;
		}
	}
	return set;
}

/* The examples that are in memory; NULL = none are. */
static struct examples *find_loaded(struct store *store, const struct store_hold *hold) {
	pthread_mutex_lock(&store->mutex);
	struct examples *loaded = hold->set->examples ? examples_retain(hold->set->examples) : NULL;
	if (loaded) {
		memory_touch(store, hold->set);
	}
	pthread_mutex_unlock(&store->mutex);
	return loaded;
}

struct examples *store_load_examples(
	struct store *store, struct store_hold *hold, struct error *err) {
	if (!hold->examples) {
		hold->examples = find_loaded(store, hold);
	}
	if (hold->examples) {
		return hold->examples;
	}
	struct examples *fresh = read_all(hold, err);
	if (fresh) {
		// If another thread was faster, its set is the one to use.
		pthread_mutex_lock(&store->mutex);
		memory_add_examples(store, hold->set, fresh);
		hold->examples = examples_retain(hold->set->examples);
		pthread_mutex_unlock(&store->mutex);
	}
	return hold->examples;
}
