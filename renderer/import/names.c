// Names that are unique, whatever the file says.
#include "import/foreign.h"

#include <search.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A name that somebody has. */
struct owned {
	const char *name; // borrowed from unique[]
	size_t number;    // the last one given out behind it
};

/* The names taken, in libc's search tree. */
struct taken {
	void *tree;
	struct owned *names; // room for one each
	size_t count;
};

static int compare(const void *a, const void *b) {
	return strcmp(((const struct owned *)a)->name, ((const struct owned *)b)->name);
}

/* NULL where nobody has the name. */
static struct owned *find(const struct taken *taken, const char *name) {
	const struct owned wanted = {.name = name};
	struct owned *const *found = tfind(&wanted, &taken->tree, compare);
	return found ? *found : NULL;
}

static bool take(struct taken *taken, const char *name) {
	if (find(taken, name)) {
		return false;
	}
	struct owned *owned = &taken->names[taken->count++];
	*owned = (struct owned){.name = name, .number = 1};
	if (!tsearch(owned, &taken->tree, compare)) {
		abort(); // out of memory
	}
	return true;
}

/* name with the next number behind it that nobody has. */
static char *numbered(struct taken *taken, const char *name) {
	struct owned *owned = find(taken, name);
	const size_t room = strlen(name) + 24;
	char *candidate = xcalloc(room, 1);
	do {
		snprintf(candidate, room, "%s#%zu", name, ++owned->number);
	} while (!take(taken, candidate));
	return candidate;
}

static char *own_name(const char *own, const char *stem, size_t index) {
	if (own && own[0] != '\0') {
		return xstrndup(own, strlen(own));
	}
	char generated[64];
	snprintf(generated, sizeof generated, "%s%zu", stem, index);
	return xstrndup(generated, strlen(generated));
}

/* Targets of the tree's node references belong to others. */
static void leave(void *owned) {
	(void)owned;
}

void names_make_unique(const char *const *own, size_t count, const char *stem, char **unique) {
	struct taken taken = {.names = xcalloc(count, sizeof *taken.names)};
	bool *keeps = xcalloc(count, sizeof *keeps);
	// All own names first: a number must not take one that comes later in the file.
	for (size_t i = 0; i < count; i++) {
		unique[i] = own_name(own[i], stem, i);
		keeps[i] = take(&taken, unique[i]);
	}
	for (size_t i = 0; i < count; i++) {
		if (!keeps[i]) {
			char *name = numbered(&taken, unique[i]);
			free(unique[i]);
			unique[i] = name;
		}
	}
	free(keeps);
	tdestroy(taken.tree, leave);
	free(taken.names);
}
