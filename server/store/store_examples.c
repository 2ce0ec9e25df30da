// Examples.
#include "store/store_examples.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "json_text.h"
#include "limits.h"
#include "model/examples.h"
#include "model/rig.h"
#include "store/store_internal.h"

void topology_hash(const struct rig *rig, struct topology_hash *out) {
	struct buffer text = {0};
	buffer_append(&text, &rig->joint_count, sizeof rig->joint_count);
	for (int i = 0; i < rig->joint_count; i++) {
		const struct joint *joint = &rig->joints[i];
		buffer_append(&text, joint->name, strlen(joint->name) + 1);
		buffer_append(&text, &joint->parent, sizeof joint->parent);
	}
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		buffer_append(&text, &primitive->vertex_count, sizeof primitive->vertex_count);
	}
	hash_bytes(text.data, text.size, out->joints);
	buffer_finish(&text);
	hash_bytes(rig->indices, (size_t)rig->index_count * sizeof *rig->indices, out->triangles);
}

size_t store_example_count(const struct store_hold *hold) {
	const struct item_list *list = items_of(hold, ITEM_EXAMPLES);
	return list ? list->count : 0;
}

const struct item_record *store_example_at(const struct store_hold *hold, size_t i) {
	return &items_of(hold, ITEM_EXAMPLES)->items[i];
}

const struct item_record *store_find_example(
	const struct store_hold *hold, const char *name, struct error *err) {
	return items_find(hold, ITEM_EXAMPLES, name, err);
}

static size_t vertex_bytes(const struct index_entry *entry, const struct item_list *list) {
	size_t bytes = 0;
	for (size_t i = 0; i < list->count; i++) {
		bytes += example_vertex_bytes(
			(size_t)entry->record.vertices, list->items[i].normals);
	}
	return bytes;
}

static bool check_limits(
	const struct index_entry *entry, const struct item_list *list, struct error *err) {
	if (list->count > LIMIT_EXAMPLES) {
		return error_set(err, ERROR_TOO_LARGE, "rig \"%s\" has %d examples, the maximum",
			entry->name, LIMIT_EXAMPLES);
	}
	const size_t bytes = vertex_bytes(entry, list);
	return bytes <= LIMIT_EXAMPLES_BYTES ||
		error_set(err, ERROR_TOO_LARGE,
			"the vertices of all examples of rig \"%s\" would have %zu bytes, may have "
			"%zu",
			entry->name, bytes, LIMIT_EXAMPLES_BYTES);
}

static bool admit(const struct item_put *put, const struct index_entry *entry,
	struct item_list *list, struct error *err) {
	topology_hash(put->hold->rig, &list->topology);
	return check_limits(entry, list, err);
}

bool store_put_example(struct store *store, const struct store_example *example,
	struct arena *arena, const char **content, bool *created, struct error *err) {
	struct buffer object = {0};
	struct item_record item = {.normals = example->form->normals != NULL};
	bool stored = example_pack(example->form, &object, err);
	if (stored) {
		strcpy(item.name, example->name);
		item.bytes = object.size;
		hash_bytes(object.data, object.size, item.hash);
		*content = arena_printf(arena, "sha256:%s", item.hash);
		const struct item_put put = {
			.hold = example->hold,
			.kind = ITEM_EXAMPLES,
			.item = &item,
			.object = &object,
			.mode = example->mode,
			.as = example->as,
			.admit = admit,
		};
		stored = items_put(store, &put, created, err);
	}
	buffer_finish(&object);
	return stored;
}

static bool read_exactly(int file, void *out, size_t size, size_t at) {
	ssize_t count;
	do {
		count = pread(file, out, size, (off_t)at);
	} while (count < 0 && errno == EINTR);
	return count >= 0 && (size_t)count == size;
}

bool store_summarize_example(const struct store_hold *hold, const struct item_record *record,
	struct arena *arena, struct example_summary *out, struct error *err) {
	const struct item_ref ref = items_ref(hold, ITEM_EXAMPLES, record);
	const int object = items_open_checked(hold, &ref, err);
	if (object < 0) {
		return false;
	}
	unsigned char head[EXAMPLE_HEAD_BYTES];
	struct example_layout layout = {0};
	char *pose = NULL;
	bool ok = read_exactly(object, head, sizeof head, 0) &&
		example_read_head(head, record->bytes, &layout) &&
		layout.pose_bytes <= LIMIT_EXAMPLE_POSE_BYTES;
	if (ok) {
		pose = arena_alloc(arena, layout.pose_bytes, 1);
		ok = read_exactly(object, pose, layout.pose_bytes, layout.pose_at);
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
	return ok || items_refuse_damaged(&ref, "is damaged", err);
}

void *store_read_example(const struct store_hold *hold, const struct item_record *record,
	struct example_form *form, struct error *err) {
	const struct item_ref ref = items_ref(hold, ITEM_EXAMPLES, record);
	size_t size;
	void *bytes = items_read(&ref, &size, err);
	if (bytes && !example_unpack(bytes, size, form)) {
		items_refuse_damaged(&ref, "is damaged", err);
		free(bytes);
		return NULL;
	}
	return bytes;
}

/* Fills the i-th example of a set. */
static bool load_example(
	const struct store_hold *hold, struct examples *set, size_t i, struct error *err) {
	const struct item_record *record = store_example_at(hold, i);
	struct example *example = &set->items[i];
	struct example_form form;
	void *bytes = store_read_example(hold, record, &form, err);
	if (!bytes) {
		return false;
	}
	const struct item_ref ref = items_ref(hold, ITEM_EXAMPLES, record);
	struct error why = {0};
	example->name = arena_strndup(set->arena, record->name, strlen(record->name));
	example->pose = json_read(set->arena, form.pose, form.pose_bytes, &why);
	bool ok = (example->pose && form.vertices == (size_t)set->vertex_count) ||
		items_refuse_damaged(&ref, "is no example of it", err);
	ok = ok && examples_allocate(set, (int)i, record->normals, err);
	if (ok) {
		memcpy(example->positions, form.positions,
			example_vertex_bytes(form.vertices, record->normals));
	}
	free(bytes);
	return ok;
}

static struct examples *read_all(const struct store_hold *hold, struct error *err) {
	const size_t count = store_example_count(hold);
	struct examples *set = examples_create((int)count, hold->summary.vertices);
	hash_binary(hold->sets[ITEM_EXAMPLES]->hash, set->hash);
	for (size_t i = 0; i < count; i++) {
		if (!load_example(hold, set, i, err)) {
			examples_release(set);
			return NULL;
		}
	}
	return set;
}

/* A reference to the examples if they are in memory; else NULL. */
static struct examples *find_loaded(struct store *store, const struct store_hold *hold) {
	pthread_mutex_lock(&store->mutex);
	struct examples *loaded = hold->sets[ITEM_EXAMPLES]->examples
		? examples_retain(hold->sets[ITEM_EXAMPLES]->examples)
		: NULL;
	if (loaded) {
		memory_touch(store, hold->sets[ITEM_EXAMPLES]);
	}
	pthread_mutex_unlock(&store->mutex);
	return loaded;
}

bool store_peek_examples(struct store *store, struct store_hold *hold) {
	if (!hold->examples) {
		hold->examples = find_loaded(store, hold);
	}
	return hold->examples;
}

struct examples *store_load_examples(
	struct store *store, struct store_hold *hold, struct error *err) {
	if (store_peek_examples(store, hold)) {
		return hold->examples;
	}
	struct examples *fresh = read_all(hold, err);
	if (fresh) {
		// If another thread was faster, use its set.
		pthread_mutex_lock(&store->mutex);
		memory_add_examples(store, hold->sets[ITEM_EXAMPLES], fresh);
		hold->examples = examples_retain(hold->sets[ITEM_EXAMPLES]->examples);
		pthread_mutex_unlock(&store->mutex);
	}
	return hold->examples;
}
