// Members of the objects of a JSON document, by name.
#include "import/json_tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Most names differ in their first letter. */
static bool same(const char *a, const char *b) {
	return a[0] == b[0] && strcmp(a, b) == 0;
}

/* Position of the last member of a name; count where there is none. */
static uint32_t find_unsorted(const char *const *names, uint32_t count, const char *name) {
	for (uint32_t i = count; i-- > 0;) {
		if (same(names[i], name)) {
			return i;
		}
	}
	return count;
}

static uint32_t find_sorted(const char *const *names, uint32_t count, const char *name) {
	uint32_t first = 0, end = count; // the first greater one is in [first, end]
	while (first < end) {
		const uint32_t middle = first + (end - first) / 2;
		if (strcmp(names[middle], name) <= 0) {
			first = middle + 1;
		} else {
			end = middle;
		}
	}
	return first > 0 && same(names[first - 1], name) ? first - 1 : count;
}

const struct json_value *json_tree_find(const struct json_value *value, const char *name) {
	if (!value || value->kind != JSON_KIND_OBJECT) {
		return NULL;
	}
	const struct json_object *object = value->of.members;
	const uint32_t found = value->count <= JSON_UNSORTED_MAX
		? find_unsorted(object->names, value->count, name)
		: find_sorted(object->names, value->count, name);
	return found < value->count ? &object->values[found] : NULL;
}

const char *json_tree_string(const struct json_value *value) {
	return value && value->kind == JSON_KIND_STRING ? value->of.string : NULL;
}
