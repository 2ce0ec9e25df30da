// The other rigs that a pose expression may name.
#include "model/pose_sources.h"

#include <string.h>

#include "base/utf8.h"

struct list {
	const struct value **names; // [most]
	size_t count, most;
};

static void add(struct list *list, const struct value *name) {
	for (size_t i = 0; i < list->count && i < list->most; i++) {
		if (strcmp(list->names[i]->string, name->string) == 0) {
			return;
		}
	}
	if (list->count < list->most) {
		list->names[list->count] = name;
	}
	list->count++;
}

/* True when an object is an operation that takes a pose of another rig. */
static bool names_rig(const struct value *value) {
	static const char *const operations[] = {"retarget", "copy", "attach"};
	const size_t count = sizeof operations / sizeof *operations;
	size_t i = 0;
	while (value->kind == VALUE_OBJECT && i < count && !value_member(value, operations[i])) {
		i++;
	}
	return value->kind == VALUE_OBJECT && i < count;
}

static void walk(const struct value *value, struct list *list) {
	if (names_rig(value)) {
		const struct value *rig = value_member(value, "rig");
		if (rig && rig->kind == VALUE_STRING) {
			add(list, rig);
		}
	}
	for (size_t i = 0; i < value->count; i++) {
		walk(&value->items[i], list);
	}
}

size_t pose_sources_list(
	const struct value *expression, const struct value **names, size_t count, size_t most) {
	struct list list = {names, count, most};
	if (expression) {
		walk(expression, &list);
	}
	return list.count;
}

const struct rig *pose_sources_find(
	const struct pose_sources *sources, const struct value *name, struct error *err) {
	for (size_t i = 0; sources && i < sources->count; i++) {
		if (strcmp(sources->items[i].name, name->string) == 0) {
			return sources->items[i].rig;
		}
	}
	char requested[160];
	utf8_quote(name->string, requested, sizeof requested);
	value_error(name, err, ERROR_UNKNOWN_RIG, "no rig %s can be used here", requested);
	return NULL;
}
