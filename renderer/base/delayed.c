// Loads libraries on demand and connects their trampolines.
#include "base/delayed.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { UNKNOWN, LOADED, FAILED };

void delayed_not_loaded(void) {
	fputs("a function of a library was called before delayed_load()\n", stderr);
	abort();
}

static bool connect(struct delayed_library *library) {
	void *found = dlopen(library->file, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
	for (size_t i = 0; found && i < library->count; i++) {
		void *function = dlsym(found, library->names[i]);
		if (function) {
			memcpy((void *)&library->places[i], &function, sizeof function);
		} else {
			found = NULL;
		}
	}
	return found;
}

static void load(struct delayed_library *library) {
	const bool connected = connect(library);
	if (!connected) {
		const char *words = dlerror();
		snprintf(library->failure, sizeof library->failure, "%s",
			words ? words : "a function is missing");
	}
	__atomic_store_n(&library->state, connected ? LOADED : FAILED, __ATOMIC_RELEASE);
}

static bool refuse(const struct delayed_library *library, struct error *err) {
	return error_set(err, ERROR_INTERNAL, "%s%s%s cannot be loaded: %s", library->file,
		library->package[0] ? " of the package " : "", library->package, library->failure);
}

bool delayed_load(struct delayed_library *library, struct error *err) {
	static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
	int state = __atomic_load_n(&library->state, __ATOMIC_ACQUIRE);
	if (state == UNKNOWN) {
		pthread_mutex_lock(&one_at_a_time);
		if (library->state == UNKNOWN) {
			load(library);
		}
		state = library->state;
		pthread_mutex_unlock(&one_at_a_time);
	}
	return state == LOADED || refuse(library, err);
}
