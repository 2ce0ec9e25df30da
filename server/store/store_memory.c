// The rigs and examples in memory, and their eviction.
#include "store/store_internal.h"

#include "model/examples.h"
#include "model/rig.h"
#include "model/segment_cache.h"

/* Each rig is a memory mapping, of which the kernel allows 65,530 by default. */
#define MAX_LOADED 32768

/* Counts rigs of files, not the same rigs with stored clips. */
static bool is_rig(const struct content *content) {
	return content->rig && !content->list;
}

static void enter(struct store *store, struct content *content, size_t bytes) {
	struct loaded *loaded = &store->loaded;
	content->loaded_bytes = bytes;
	loaded->bytes += bytes;
	loaded->count++;
	loaded->rigs += is_rig(content);
	TAILQ_INSERT_TAIL(&loaded->contents, content, loaded);
}

void memory_add(struct store *store, struct content *content, struct rig *take_rig) {
	if (content->rig) {
		rig_release(take_rig);
		memory_touch(store, content);
		return;
	}
	content->rig = take_rig;
	// Without the parts shared with the rig of the file.
	enter(store, content, rig_own_bytes(take_rig));
}

void memory_add_examples(
	struct store *store, struct content *content, struct examples *take_examples) {
	if (content->examples) {
		examples_release(take_examples);
		memory_touch(store, content);
		return;
	}
	content->examples = take_examples;
	enter(store, content, examples_bytes(take_examples));
}

void memory_touch(struct store *store, struct content *content) {
	struct loaded *loaded = &store->loaded;
	TAILQ_REMOVE(&loaded->contents, content, loaded);
	TAILQ_INSERT_TAIL(&loaded->contents, content, loaded);
}

/* References taken from a content; at most one of them is set. */
struct stolen {
	struct rig *rig;
	struct examples *examples;
};

static bool is_loaded(const struct content *content) {
	return content->rig || content->examples;
}

static bool is_held(const struct content *content) {
	return content->rig ? rig_is_shared(content->rig) : examples_are_shared(content->examples);
}

/* Takes the content's reference. */
static struct stolen steal(struct store *store, struct content *content) {
	const struct stolen stolen = {content->rig, content->examples};
	TAILQ_REMOVE(&store->loaded.contents, content, loaded);
	store->loaded.count--;
	store->loaded.rigs -= is_rig(content);
	store->loaded.bytes -= content->loaded_bytes;
	content->rig = NULL;
	content->examples = NULL;
	return stolen;
}

static void release(const struct stolen *stolen) {
	rig_release(stolen->rig);
	examples_release(stolen->examples);
}

void memory_drop(struct store *store, struct content *content) {
	if (is_loaded(content)) {
		const struct stolen stolen = steal(store, content);
		release(&stolen);
	}
}

/* Takes the least recently used content that is not held; false within the limits, or if all are
 * held. */
static bool steal_surplus(struct store *store, struct stolen *stolen) {
	struct loaded *loaded = &store->loaded;
	bool found = false;
	struct segment_cache_stats segments;
	segment_cache_read_stats(store->segments, &segments);
	pthread_mutex_lock(&store->mutex);
	if (loaded->bytes + segments.bytes > loaded->budget || loaded->count > MAX_LOADED) {
		// Holds are taken under this mutex, so that no new one can begin now.
		struct content *content;
		TAILQ_FOREACH(content, &loaded->contents, loaded) {
			if (!is_held(content)) {
				break;
			}
		}
		if (content) {
			found = true;
			*stolen = steal(store, content);
			loaded->evictions++;
		}
	}
	pthread_mutex_unlock(&store->mutex);
	return found;
}

void memory_trim(struct store *store) {
	// Outside of the mutex, because freeing a large rig takes long.
	struct stolen stolen;
	while (steal_surplus(store, &stolen)) {
		release(&stolen);
	}
}
