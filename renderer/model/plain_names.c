#include "model/plain_names.h"

#include <stdlib.h>
#include <string.h>

/* Length of a name before "_" and digits; that of all of it where it does not end so. */
static size_t plain_length(const char *name) {
	const size_t length = strlen(name);
	size_t at = length;
	while (at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9') {
		at--;
	}
	return at < length && at > 1 && name[at - 1] == '_' ? at - 1 : length;
}

/* Of the joints of skins; a root is often the exporter's own, and has none. */
static bool all_have_numbers(const struct rig *rig, struct arena *arena) {
	bool *inside = arena_alloc(arena, (size_t)rig->joint_count, sizeof *inside);
	int numbered = 0;
	for (int i = 0; i < rig->slot_count; i++) {
		inside[rig->slots[i].joint] = true;
	}
	for (int i = 0; i < rig->joint_count; i++) {
		const char *name = rig->joints[i].name;
		const int parent = rig->joints[i].parent;
		const bool is_below = parent >= 0 && inside[parent];
		const bool has_number = name[plain_length(name)] != '\0';
		if (inside[i] && is_below && !has_number) {
			return false;
		}
		numbered += inside[i] && has_number;
		inside[i] = inside[i] || is_below;
	}
	return numbered > 0;
}

static int compare_names(const void *a, const void *b) {
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool all_differ(const char *const *names, size_t count, struct arena *arena) {
	const char **sorted = arena_alloc(arena, count, sizeof *sorted);
	memcpy(sorted, names, count * sizeof *sorted);
	qsort(sorted, count, sizeof *sorted, compare_names);
	for (size_t i = 1; i < count; i++) {
		if (strcmp(sorted[i - 1], sorted[i]) == 0) {
			return false;
		}
	}
	return true;
}

const char **plain_names_of(const struct rig *rig, struct arena *arena) {
	const size_t count = (size_t)rig->joint_count;
	const char **names = arena_alloc(arena, count, sizeof *names);
	const bool numbered = all_have_numbers(rig, arena);
	for (size_t i = 0; i < count; i++) {
		const char *name = rig->joints[i].name;
		names[i] = numbered ? arena_strndup(arena, name, plain_length(name)) : name;
	}
	if (!numbered || all_differ(names, count, arena)) {
		return names;
	}
	for (size_t i = 0; i < count; i++) {
		names[i] = rig->joints[i].name;
	}
	return names;
}
