// The data of skinning methods, by rig.
#include "skin/library.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/libraries.h"
#include "base/clock.h"
#include "base/memory.h"
#include "model/examples.h"
#include "model/skin_data.h"

#define BUDGET_BYTES ((size_t)256 << 20)

#define KEY_BYTES 512

/* Whoever waits looks this often at whether it still should. */
#define WAIT_S 0.05

/* Data, or the making of it. */
struct entry {
	char key[KEY_BYTES];          // of the shelf
	uint64_t rig;                 // rig_key()
	const struct skin_data *data; // NULL while it is being made
	struct progress progress;
	uint64_t last_use;
	struct entry *next;
};

struct skin_library {
	struct skin_shelf shelf;
	size_t budget_bytes;
	pthread_mutex_t lock; // for all below
	pthread_cond_t made;  // an entry has its data, or is gone
	struct entry *entries;
	size_t bytes; // of all data
	uint64_t uses;
};

struct skin_library *skin_library_create(const struct skin_shelf *shelf, size_t budget_bytes) {
	struct skin_library *library = xcalloc(1, sizeof *library);
	library->shelf = shelf ? *shelf : (struct skin_shelf){0};
	library->budget_bytes = budget_bytes ? budget_bytes : BUDGET_BYTES;
	pthread_mutex_init(&library->lock, NULL);
	pthread_cond_init(&library->made, NULL);
	return library;
}

void skin_library_destroy(struct skin_library *library) {
	if (!library) {
		return;
	}
	while (library->entries) {
		struct entry *entry = library->entries;
		library->entries = entry->next;
		skin_data_release(entry->data);
		free(entry);
	}
	pthread_cond_destroy(&library->made);
	pthread_mutex_destroy(&library->lock);
	free(library);
}

/* The other inputs of the data besides the file, as text: "cor-1 layout=3 sigma=0.1
 * examples=..." */
static void write_key(const struct skin_params *params, char key[static KEY_BYTES]) {
	const struct skin_recipe *recipe = params->recipe;
	size_t used = (size_t)snprintf(key, KEY_BYTES, "%s-%d layout=%d", recipe->name,
		recipe->version, RIG_LAYOUT_VERSION);
	for (int i = 0; params->list && params->list[i]; i++) {
		if (params->list[i]->derives) {
			used += (size_t)snprintf(key + used, KEY_BYTES - used, " %s=%.17g",
				params->list[i]->name, params->options->values[i]);
		}
	}
	if (recipe->needs_clip) {
		used += (size_t)snprintf(key + used, KEY_BYTES - used, " clip=%d", params->clip);
	}
	if (recipe->needs_examples && params->examples) {
		used += (size_t)snprintf(key + used, KEY_BYTES - used, " examples=");
		for (size_t i = 0; i < sizeof params->examples->hash; i++) {
			used += (size_t)snprintf(
				key + used, KEY_BYTES - used, "%02x", params->examples->hash[i]);
		}
	}
	assert(used < KEY_BYTES);
}

/* The owner of the data: all rigs of the same mesh, unless it depends on clips. */
static uint64_t rig_key(const struct skin_params *params) {
	const bool has_clips = params->recipe->needs_clip || params->recipe->makes_rig;
	return has_clips ? params->rig->clips_id : params->rig->id;
}

static struct entry *find(struct skin_library *library, uint64_t rig, const char *key) {
	for (struct entry *entry = library->entries; entry; entry = entry->next) {
		if (entry->rig == rig && strcmp(entry->key, key) == 0) {
			return entry;
		}
	}
	return NULL;
}

static size_t bytes_of(const struct skin_data *data) {
	return data->word_count * sizeof *data->words + (data->rig ? rig_bytes(data->rig) : 0);
}

static void drop(struct skin_library *library, struct entry *dropped) {
	struct entry **link = &library->entries;
	while (*link != dropped) {
		link = &(*link)->next;
	}
	*link = dropped->next;
	if (dropped->data) {
		library->bytes -= bytes_of(dropped->data);
	}
	skin_data_release(dropped->data);
	free(dropped);
}

/* Makes room: the least recently used goes first, but for the one that was just made. */
static void trim(struct skin_library *library, const struct entry *newest) {
	while (library->bytes > library->budget_bytes) {
		struct entry *oldest = NULL;
		for (struct entry *entry = library->entries; entry; entry = entry->next) {
			if (entry->data && entry != newest &&
				(!oldest || entry->last_use < oldest->last_use)) {
				oldest = entry;
			}
		}
		if (!oldest) {
			return;
		}
		drop(library, oldest);
	}
}

static struct skin_data *load(
	struct skin_library *library, const struct skin_params *params, const char *key) {
	size_t size = 0;
	unsigned char *bytes = params->recipe->keep && library->shelf.load
		? library->shelf.load(library->shelf.context, params->rig, key, &size)
		: NULL;
	struct skin_data *data = bytes ? skin_data_unpack(bytes, size) : NULL;
	free(bytes);
	return data;
}

static void save(struct skin_library *library, const struct skin_params *params, const char *key,
	const struct skin_data *data) {
	if (params->recipe->keep && library->shelf.save && !data->rig) {
		struct buffer bytes = {0};
		skin_data_pack(data, &bytes);
		library->shelf.save(
			library->shelf.context, params->rig, key, bytes.data, bytes.size);
		buffer_finish(&bytes);
	}
}

/* Reads or derives the data, without the lock. */
static const struct skin_data *make(struct skin_library *library, const struct skin_params *params,
	struct entry *entry, const struct stop *stop, struct error *err) {
	struct skin_data *data = load(library, params, entry->key);
	if (data) {
		return data;
	}
	const struct derive_job job = {
		.rig = params->rig,
		.options = params->options,
		.examples = params->examples,
		.clip = params->clip,
		.library = library,
		.stop = stop,
		.progress = &entry->progress,
	};
	const bool ready = !params->recipe->uses_algebra || algebra_load(err);
	data = ready ? params->recipe->derive(&job, err) : NULL;
	if (data) {
		save(library, params, entry->key, data);
	}
	return data;
}

static struct entry *begin(struct skin_library *library, uint64_t rig, const char *key) {
	struct entry *entry = xcalloc(1, sizeof *entry);
	snprintf(entry->key, sizeof entry->key, "%s", key);
	entry->rig = rig;
	entry->next = library->entries;
	library->entries = entry;
	return entry;
}

/* Shares the data that was made for an entry; whoever waits goes on, or takes over where that
 * failed (NULL). Under the lock. */
static void settle(
	struct skin_library *library, struct entry *entry, const struct skin_data *data) {
	if (data) {
		entry->data = skin_data_retain(data);
		entry->last_use = ++library->uses;
		library->bytes += bytes_of(data);
		trim(library, entry);
	} else {
		drop(library, entry);
	}
	pthread_cond_broadcast(&library->made);
}

/* Makes the entry's data, without the lock that it is called with, and shares it. */
static const struct skin_data *finish(struct skin_library *library,
	const struct skin_params *params, struct entry *entry, const struct stop *stop,
	struct error *err) {
	pthread_mutex_unlock(&library->lock);
	const struct skin_data *data = make(library, params, entry, stop, err);
	pthread_mutex_lock(&library->lock);
	settle(library, entry, data);
	return data;
}

const struct skin_data *skin_library_get(struct skin_library *library,
	const struct skin_params *params, const struct stop *stop, struct error *err) {
	char key[KEY_BYTES];
	write_key(params, key);
	const struct skin_data *data = NULL;
	bool waits = true;
	pthread_mutex_lock(&library->lock);
	while (waits) {
		struct entry *entry = find(library, rig_key(params), key);
		if (entry && entry->data) {
			entry->last_use = ++library->uses;
			data = skin_data_retain(entry->data);
			waits = false;
		} else if (!entry) {
			entry = begin(library, rig_key(params), key);
			data = finish(library, params, entry, stop, err);
			waits = false;
		} else {
			wait_a_while(&library->made, &library->lock, WAIT_S);
			waits = stop_check(stop, err);
		}
	}
	pthread_mutex_unlock(&library->lock);
	return data;
}

/* Takes data from the shelf into memory. Under the lock, which it lets go of meanwhile. */
static const struct skin_data *fetch(
	struct skin_library *library, const struct skin_params *params, const char *key) {
	struct entry *entry = begin(library, rig_key(params), key);
	pthread_mutex_unlock(&library->lock);
	const struct skin_data *data = load(library, params, key);
	pthread_mutex_lock(&library->lock);
	settle(library, entry, data);
	return data;
}

const struct skin_data *skin_library_peek(struct skin_library *library,
	const struct skin_params *params, bool from_shelf, float *share) {
	char key[KEY_BYTES];
	write_key(params, key);
	const struct skin_data *data = NULL;
	*share = 0;
	pthread_mutex_lock(&library->lock);
	struct entry *entry = find(library, rig_key(params), key);
	if (entry && entry->data) {
		entry->last_use = ++library->uses;
		data = skin_data_retain(entry->data);
	} else if (entry) {
		*share = atomic_load(&entry->progress.share);
	} else if (from_shelf) {
		data = fetch(library, params, key);
	}
	pthread_mutex_unlock(&library->lock);
	if (data) {
		*share = 1;
	}
	return data;
}

enum skin_library_state skin_library_look(
	struct skin_library *library, const struct skin_params *params, float *share) {
	char key[KEY_BYTES];
	write_key(params, key);
	pthread_mutex_lock(&library->lock);
	const struct entry *entry = find(library, rig_key(params), key);
	const enum skin_library_state state = !entry ? SKIN_LIBRARY_ABSENT
		: entry->data                        ? SKIN_LIBRARY_READY
						     : SKIN_LIBRARY_MAKING;
	*share = !entry ? 0 : entry->data ? 1 : atomic_load(&entry->progress.share);
	pthread_mutex_unlock(&library->lock);
	return state;
}

size_t skin_library_bytes(struct skin_library *library) {
	pthread_mutex_lock(&library->lock);
	const size_t bytes = library->bytes;
	pthread_mutex_unlock(&library->lock);
	return bytes;
}
