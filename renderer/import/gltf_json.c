// Reading the members of a glTF document with their places.
#include "import/gltf_json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/value.h"

#include "base/utf8.h"
#include "model/rig.h"

/* Appends after the outer places; returns how much of place is used. */
static size_t write_place(const struct gltf_item *item, char *place, size_t size) {
	if (!item->outer) {
		return 0;
	}
	const size_t used = write_place(item->outer, place, size);
	int written;
	if (item->name) {
		written = snprintf(place + used, size - used, "%s%s", used ? "." : "", item->name);
	} else {
		written = snprintf(place + used, size - used, "[%zu]", item->index);
	}
	const size_t end = used + (size_t)written;
	return end < size ? end : size - 1;
}

void gltf_place(const struct gltf_item *item, char place[static GLTF_PLACE_BYTES]) {
	snprintf(place, GLTF_PLACE_BYTES, "document");
	write_place(item, place, GLTF_PLACE_BYTES);
	utf8_trim(place);
}

bool gltf_broken(const struct gltf_item *item, struct error *err, const char *format, ...) {
	char place[GLTF_PLACE_BYTES], text[512];
	gltf_place(item, place);
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	utf8_trim(text);
	return error_set(err, ERROR_BROKEN_ASSET, "%s: %s", place, text);
}

void gltf_warn(struct rig *rig, const struct gltf_item *item, const char *format, ...) {
	char place[GLTF_PLACE_BYTES], text[512];
	gltf_place(item, place);
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	utf8_trim(text);
	rig_warn(rig, "%s: %s", place, text);
}

static bool is(const struct gltf_item *item, enum json_kind kind) {
	return item->json && item->json->kind == kind;
}

static bool wrong_type(const struct gltf_item *item, const char *wanted, struct error *err) {
	static const char *const names[] = {
		[JSON_KIND_NULL] = "null",
		[JSON_KIND_FALSE] = "false",
		[JSON_KIND_TRUE] = "true",
		[JSON_KIND_NUMBER] = "a number",
		[JSON_KIND_STRING] = "a string",
		[JSON_KIND_LIST] = "a list",
		[JSON_KIND_OBJECT] = "an object",
	};
	return gltf_broken(item, err, "is %s, must be %s", names[item->json->kind], wanted);
}

struct gltf_item gltf_member(const struct gltf_item *object, const char *name) {
	return (struct gltf_item){
		.json = json_tree_find(object->json, name),
		.outer = object,
		.name = name,
	};
}

size_t gltf_member_count(const struct gltf_item *object) {
	return is(object, JSON_KIND_OBJECT) ? object->json->count : 0;
}

struct gltf_item gltf_member_at(const struct gltf_item *object, size_t i) {
	return (struct gltf_item){
		.json = &object->json->of.members->values[i],
		.outer = object,
		.name = object->json->of.members->names[i],
	};
}

bool gltf_object(const struct gltf_item *object, const char *name, struct gltf_item *member,
	struct error *err) {
	*member = gltf_member(object, name);
	return !member->json || is(member, JSON_KIND_OBJECT) ||
		wrong_type(member, "an object", err);
}

bool gltf_list(const struct gltf_item *object, const char *name, struct gltf_item *member,
	struct error *err) {
	*member = gltf_member(object, name);
	return !member->json || is(member, JSON_KIND_LIST) || wrong_type(member, "a list", err);
}

bool gltf_string(
	const struct gltf_item *object, const char *name, const char **value, struct error *err) {
	const struct gltf_item item = gltf_member(object, name);
	if (!item.json) {
		return true;
	}
	if (!is(&item, JSON_KIND_STRING)) {
		return wrong_type(&item, "a string", err);
	}
	*value = item.json->of.string;
	return true;
}

bool gltf_choice(const struct gltf_item *object, const char *name, const char *const *names,
	int *value, struct error *err) {
	const char *given = NULL;
	if (!gltf_string(object, name, &given, err)) {
		return false;
	}
	for (int i = 0; given && names[i]; i++) {
		if (strcmp(names[i], given) == 0) {
			*value = i;
			return true;
		}
	}
	if (!given) {
		return true;
	}
	char quoted[UTF8_QUOTED_BYTES], known[256];
	utf8_quote(given, quoted, sizeof quoted);
	value_list_names(names, known, sizeof known);
	return gltf_broken(object, err, "%s is %s, must be one of: %s", name, quoted, known);
}

bool gltf_boolean(
	const struct gltf_item *object, const char *name, bool *value, struct error *err) {
	const struct gltf_item item = gltf_member(object, name);
	if (!item.json) {
		return true;
	}
	if (!is(&item, JSON_KIND_TRUE) && !is(&item, JSON_KIND_FALSE)) {
		return wrong_type(&item, "true or false", err);
	}
	*value = is(&item, JSON_KIND_TRUE);
	return true;
}

/* A whole number >= 0; "3.0" counts as one, as in JSON schema. */
static bool read_size(const struct gltf_item *item, size_t *value, struct error *err) {
	if (!is(item, JSON_KIND_NUMBER)) {
		return wrong_type(item, "a whole number", err);
	}
	const double number = item->json->of.number;
	// Doubles from 2^53 on have holes, and nothing in a file counts so far.
	if (!(number >= 0 && number < 0x1p53 && number == floor(number))) {
		return gltf_broken(item, err, "is %.17g, must be a whole number from 0 on", number);
	}
	*value = (size_t)number;
	return true;
}

bool gltf_size(const struct gltf_item *object, const char *name, size_t *value, struct error *err) {
	const struct gltf_item item = gltf_member(object, name);
	return !item.json || read_size(&item, value, err);
}

static bool read_index(const struct gltf_item *item, int count, int *index, struct error *err) {
	size_t value = 0;
	if (!read_size(item, &value, err)) {
		return false;
	}
	if (value >= (size_t)count) {
		return gltf_broken(item, err, "is %zu, but there are only %d", value, count);
	}
	*index = (int)value;
	return true;
}

bool gltf_index(const struct gltf_item *object, const char *name, int count, int *index,
	struct error *err) {
	const struct gltf_item item = gltf_member(object, name);
	return !item.json || read_index(&item, count, index, err);
}

static bool read_number(const struct gltf_item *item, float *number, struct error *err) {
	if (!is(item, JSON_KIND_NUMBER)) {
		return wrong_type(item, "a number", err);
	}
	const double value = item->json->of.number;
	if (!isfinite((float)value)) {
		return gltf_broken(item, err, "is %g, which float32 cannot hold", value);
	}
	*number = (float)value;
	return true;
}

bool gltf_number(
	const struct gltf_item *object, const char *name, float *number, struct error *err) {
	const struct gltf_item item = gltf_member(object, name);
	return !item.json || read_number(&item, number, err);
}

bool gltf_numbers(const struct gltf_item *object, const char *name, size_t count, float *numbers,
	struct error *err) {
	struct gltf_item list;
	if (!gltf_list(object, name, &list, err)) {
		return false;
	}
	if (list.json && gltf_list_size(&list) != count) {
		return gltf_broken(
			&list, err, "has %zu numbers, must have %zu", gltf_list_size(&list), count);
	}
	for (size_t i = 0; i < gltf_list_size(&list); i++) {
		const struct gltf_item item = gltf_element(&list, i);
		if (!read_number(&item, &numbers[i], err)) {
			return false;
		}
	}
	return true;
}

size_t gltf_list_size(const struct gltf_item *list) {
	return is(list, JSON_KIND_LIST) ? list->json->count : 0;
}

struct gltf_item gltf_element(const struct gltf_item *list, size_t i) {
	return (struct gltf_item){
		.json = i < gltf_list_size(list) ? &list->json->of.elements[i] : NULL,
		.outer = list,
		.index = i,
	};
}

bool gltf_element_object(
	const struct gltf_item *list, size_t i, struct gltf_item *element, struct error *err) {
	*element = gltf_element(list, i);
	return is(element, JSON_KIND_OBJECT) || wrong_type(element, "an object", err);
}

bool gltf_element_index(
	const struct gltf_item *list, size_t i, int count, int *index, struct error *err) {
	const struct gltf_item item = gltf_element(list, i);
	return read_index(&item, count, index, err);
}
