// Names that are unique, whatever the file says.
#include "import/names.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The names taken, as the keys of a JSON object (jansson's hash table), each with the last number
 * given out behind it. */
static bool take(json_t *taken, const char *name) {
	if (json_object_get(taken, name)) {
		return false;
	}
	if (json_object_set_new_nocheck(taken, name, json_integer(1)) != 0) {
		abort(); // out of memory
	}
	return true;
}

/* name with the next number behind it that nobody has. */
static char *numbered(json_t *taken, const char *name) {
	json_t *last = json_object_get(taken, name);
	const size_t room = strlen(name) + 24;
	char *candidate = xcalloc(room, 1);
	json_int_t number = json_integer_value(last);
	do {
		snprintf(candidate, room, "%s#%lld", name, (long long)++number);
	} while (!take(taken, candidate));
	json_integer_set(last, number);
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

void names_make_unique(const char *const *own, size_t count, const char *stem, char **unique) {
	json_t *taken = json_object();
	bool *keeps = xcalloc(count, sizeof *keeps);
	// All own names first: a number must not take one that comes later in the file.
	for (size_t i = 0; i < count; i++) {
		unique[i] = own_name(own[i], stem, i);
		keeps[i] = take(taken, unique[i]);
	}
	for (size_t i = 0; i < count; i++) {
		if (!keeps[i]) {
			char *name = numbered(taken, unique[i]);
			free(unique[i]);
			unique[i] = name;
		}
	}
	free(keeps);
	json_decref(taken);
}
