// The rigs that the store keeps in memory, and which of them go when there are too many.
#include "model/rig.h"
#include "store_internal.h"

/* Each rig is a mapping of its own, of which the kernel allows 65,530 unless told otherwise. */
#define MOST_LOADED 32768

static void append(struct loaded *loaded, struct content *content) {
	content->older = loaded->newest;
	content->newer = NULL;
	if (loaded->newest) {
		loaded->newest->newer = content;
	} else {
		loaded->oldest = content;
	}
	loaded->newest = content;
}

static void take_out(struct loaded *loaded, struct content *content) {
	if (content->older) {
		content->older->newer = content->newer;
	} else {
		loaded->oldest = content->newer;
	}
	if (content->newer) {
		content->newer->older = content->older;
	} else {
		loaded->newest = content->older;
	}
}

void memory_add(struct store *store, struct content *content, struct rig *take_rig) {
	if (content->rig) {
		rig_release(take_rig);
		memory_touch(store, content);
		return;
	}
	struct loaded *loaded = &store->loaded;
	content->rig = take_rig;
	content->rig_bytes = rig_bytes(take_rig);
	loaded->bytes += content->rig_bytes;
	loaded->count++;
	append(loaded, content);
}

void memory_touch(struct store *store, struct content *content) {
	if (content != store->loaded.newest) {
		take_out(&store->loaded, content);
		append(&store->loaded, content);
	}
}

/* The content's reference, which is the caller's now. */
static struct rig *steal_rig(struct store *store, struct content *content) {
	struct rig *rig = content->rig;
	take_out(&store->loaded, content);
	store->loaded.count--;
	store->loaded.bytes -= content->rig_bytes;
	content->rig = NULL;
	return rig;
}

void memory_drop(struct store *store, struct content *content) {
	if (content->rig) {
		rig_release(steal_rig(store, content));
	}
}

/* The least recently used rig that nobody holds; NULL when none has to go, or all are held. Its
 * reference is the caller's. */
static struct rig *steal_surplus(struct store *store) {
	struct loaded *loaded = &store->loaded;
	struct rig *rig = NULL;
	pthread_mutex_lock(&store->mutex);
	if (loaded->bytes > loaded->budget || loaded->count > MOST_LOADED) {
		struct content *content = loaded->oldest;
		// Who holds a rig got it under this mutex: nobody can begin to now.
		while (content && rig_is_shared(content->rig)) {
			content = content->newer;
		}
		if (content) {
			rig = steal_rig(store, content);
			loaded->evictions++;
		}
	}
	pthread_mutex_unlock(&store->mutex);
	return rig;
}

void memory_trim(struct store *store) {
	// Freed outside of the mutex: a large rig's pages take their time.
	struct rig *rig;
	while ((rig = steal_surplus(store))) {
		rig_release(rig);
	}
}
