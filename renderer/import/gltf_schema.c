// A document against glTF's JSON schemas. Most of what this could find readers have refused by
// then; the rest is told of.
#include "import/gltf_schema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "import/gltf_rule_steps.h"

/* The members of an object whose names were met before: thousands of objects share one list of
 * names. */
struct names {
	const char *const *names; // NULL = nothing yet
	const struct gltf_schema_type *type;
	uint32_t there;                      // bits of the type's members
	signed char rows[JSON_UNSORTED_MAX]; // [count] which of them each is; -1 = none
	bool extensions;
};

#define NAMES_KNOWN 64

struct walk {
	struct gltf *gltf;
	struct names known[NAMES_KNOWN]; // a cache
	const char **used;               // [used_count] names of extensions, sorted
	size_t used_count;
	size_t *met; // [node_count] the number of the list of indices that named a node last
	size_t list; // number of this one
};

static bool is(const struct gltf_item *item, enum json_kind kind) {
	return item->json->kind == kind;
}

static bool expect(
	struct walk *walk, const struct gltf_item *item, enum json_kind kind, const char *what) {
	if (!is(item, kind)) {
		gltf_breach(walk->gltf, GLTF_TYPE_MISMATCH, item, "must be %s", what);
	}
	return is(item, kind);
}

static bool is_whole(const struct gltf_item *item) {
	return is(item, JSON_KIND_NUMBER) && item->json->of.number == floor(item->json->of.number);
}

static bool in_range(const struct gltf_schema_member *member, double value) {
	return value <= member->most && value >= member->least &&
		(!member->above || value != member->least);
}

static void check_range(
	struct walk *walk, const struct gltf_item *item, const struct gltf_schema_member *member) {
	if (!in_range(member, item->json->of.number)) {
		gltf_breach(
			walk->gltf, GLTF_VALUE_NOT_IN_RANGE, item, "is %g", item->json->of.number);
	}
}

static void check_whole(
	struct walk *walk, const struct gltf_item *item, const struct gltf_schema_member *member) {
	if (!is_whole(item)) {
		gltf_breach(walk->gltf, GLTF_TYPE_MISMATCH, item, "must be a whole number");
		return;
	}
	const double value = item->json->of.number;
	if (member->kind == SCHEMA_WHOLE) {
		check_range(walk, item, member);
		return;
	}
	const size_t *number = member->numbers;
	while (*number && (double)*number != value) {
		number++;
	}
	if (!*number) {
		gltf_breach(walk->gltf, GLTF_VALUE_NOT_IN_LIST, item, "is %g", value);
	}
}

/* An index that must lead to an element of a list; NULL = of one that its reader looks at. */
static void check_index(struct walk *walk, const struct gltf_item *item, const char *list,
	enum gltf_rule wrong_type) {
	const struct gltf_item target = list ? gltf_member(&walk->gltf->root, list) : *item;
	if (!is_whole(item)) {
		gltf_breach(walk->gltf, wrong_type, item, "must be a whole number");
	} else if (item->json->of.number < 0) {
		gltf_breach(walk->gltf, GLTF_INVALID_INDEX, item, "is %g", item->json->of.number);
	} else if (list && item->json->of.number >= (double)gltf_list_size(&target)) {
		gltf_breach(walk->gltf, GLTF_UNRESOLVED_REFERENCE, item,
			"is %g, but there are only %zu %s", item->json->of.number,
			gltf_list_size(&target), list);
	}
}

static bool begin_list(struct walk *walk, const struct gltf_item *item) {
	if (!expect(walk, item, JSON_KIND_LIST, "a list")) {
		return false;
	}
	if (item->json->count == 0) {
		gltf_breach(walk->gltf, GLTF_EMPTY_ENTITY, item, "is empty");
	}
	return true;
}

static void check_indices(struct walk *walk, const struct gltf_item *item, const char *list) {
	if (!begin_list(walk, item)) {
		return;
	}
	walk->list++;
	for (size_t i = 0; i < item->json->count; i++) {
		const struct gltf_item element = gltf_element(item, i);
		check_index(walk, &element, list, GLTF_INVALID_INDEX);
		const double index = is_whole(&element) ? element.json->of.number : -1;
		if (index < 0 || index >= (double)walk->gltf->node_count) {
			continue;
		}
		if (walk->met[(size_t)index] == walk->list) {
			gltf_breach(walk->gltf, GLTF_DUPLICATE_ELEMENTS, &element,
				"names nodes[%g] again; taken once", index);
		}
		walk->met[(size_t)index] = walk->list;
	}
}

static void check_index_map(struct walk *walk, const struct gltf_item *item) {
	if (!expect(walk, item, JSON_KIND_OBJECT, "an object")) {
		return;
	}
	if (item->json->count == 0) {
		gltf_breach(walk->gltf, GLTF_EMPTY_ENTITY, item, "is empty");
	}
	for (size_t i = 0; i < item->json->count; i++) {
		const struct gltf_item member = gltf_member_at(item, i);
		check_index(walk, &member, "accessors", GLTF_INVALID_INDEX);
	}
}

static void check_numbers(
	struct walk *walk, const struct gltf_item *item, const struct gltf_schema_member *member) {
	const size_t count = item->json->count;
	if (!begin_list(walk, item)) {
		return;
	}
	const bool fits = member->count == 0 ? count <= 16
		: member->count == SIZE_MAX  ? true
					     : count == member->count;
	if (!fits) {
		gltf_breach(
			walk->gltf, GLTF_ARRAY_LENGTH_NOT_IN_LIST, item, "has %zu numbers", count);
	}
	for (size_t i = 0; i < count; i++) {
		const struct gltf_item element = gltf_element(item, i);
		if (is(&element, JSON_KIND_NUMBER)) {
			check_range(walk, &element, member);
		} else {
			gltf_breach(
				walk->gltf, GLTF_ARRAY_TYPE_MISMATCH, &element, "must be a number");
		}
	}
}

static void check_choice(
	struct walk *walk, const struct gltf_item *item, const struct gltf_schema_member *member) {
	if (!expect(walk, item, JSON_KIND_STRING, "a string")) {
		return;
	}
	const char *const *choice = member->choices;
	while (*choice && strcmp(*choice, item->json->of.string) != 0) {
		choice++;
	}
	if (!*choice) {
		char quoted[UTF8_QUOTED_BYTES];
		utf8_quote(item->json->of.string, quoted, sizeof quoted);
		gltf_breach(walk->gltf, GLTF_VALUE_NOT_IN_LIST, item, "is %s", quoted);
	}
}

/* "2.0" */
static void check_version(struct walk *walk, const struct gltf_item *item) {
	if (!expect(walk, item, JSON_KIND_STRING, "a string")) {
		return;
	}
	static const char digits[] = "0123456789";
	const char *text = item->json->of.string;
	const size_t major = strspn(text, digits);
	const char *dot = text + major;
	const size_t minor = *dot == '.' ? strspn(dot + 1, digits) : 0;
	if (major == 0 || minor == 0 || dot[1 + minor] != '\0') {
		gltf_breach(walk->gltf, GLTF_PATTERN_MISMATCH, item,
			"must be two numbers with a point between them");
	}
}

static void check_object(
	struct walk *walk, const struct gltf_item *item, const struct gltf_schema_type *type);

/* Passes each object of a list to the function that checks it. */
static void check_list(
	struct walk *walk, const struct gltf_item *item, const struct gltf_schema_type *type) {
	if (!begin_list(walk, item)) {
		return;
	}
	for (size_t i = 0; i < item->json->count; i++) {
		const struct gltf_item element = gltf_element(item, i);
		if (!is(&element, JSON_KIND_OBJECT)) {
			gltf_breach(walk->gltf,
				item->outer == &walk->gltf->root ? GLTF_TYPE_MISMATCH
								 : GLTF_ARRAY_TYPE_MISMATCH,
				&element, "must be an object");
		} else if (type) {
			check_object(walk, &element, type);
		} else {
			check_index_map(walk, &element);
		}
	}
}

static void check_member(
	struct walk *walk, const struct gltf_item *item, const struct gltf_schema_member *member) {
	switch (member->kind) {
	case SCHEMA_TEXT:
		expect(walk, item, JSON_KIND_STRING, "a string");
		break;
	case SCHEMA_TEXT_OF:
		check_choice(walk, item, member);
		break;
	case SCHEMA_VERSION:
		check_version(walk, item);
		break;
	case SCHEMA_FLAG:
		if (!is(item, JSON_KIND_TRUE)) {
			expect(walk, item, JSON_KIND_FALSE, "true or false");
		}
		break;
	case SCHEMA_WHOLE:
	case SCHEMA_WHOLE_OF:
		check_whole(walk, item, member);
		break;
	case SCHEMA_INDEX:
		check_index(walk, item, member->list, GLTF_TYPE_MISMATCH);
		break;
	case SCHEMA_INDICES:
		check_indices(walk, item, member->list);
		break;
	case SCHEMA_INDEX_MAP:
		check_index_map(walk, item);
		break;
	case SCHEMA_NUMBER:
		if (expect(walk, item, JSON_KIND_NUMBER, "a number")) {
			check_range(walk, item, member);
		}
		break;
	case SCHEMA_NUMBERS:
		check_numbers(walk, item, member);
		break;
	case SCHEMA_OBJECT:
		if (expect(walk, item, JSON_KIND_OBJECT, "an object")) {
			check_object(walk, item, member->type);
		}
		break;
	case SCHEMA_OBJECTS:
	case SCHEMA_INDEX_MAPS:
		check_list(walk, item, member->type);
		break;
	}
}

static int compare(const void *a, const void *b) {
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The extensions of an object: each must be an object, and be declared. */
static void check_extensions(struct walk *walk, const struct gltf_item *object) {
	const struct gltf_item extensions = gltf_member(object, "extensions");
	if (!extensions.json || !expect(walk, &extensions, JSON_KIND_OBJECT, "an object")) {
		return;
	}
	for (size_t i = 0; i < extensions.json->count; i++) {
		const struct gltf_item extension = gltf_member_at(&extensions, i);
		expect(walk, &extension, JSON_KIND_OBJECT, "an object");
		if (!bsearch(&extension.name, walk->used, walk->used_count, sizeof *walk->used,
			    compare)) {
			gltf_breach(walk->gltf, GLTF_UNDECLARED_EXTENSION, &extension,
				"is not in extensionsUsed");
		}
	}
}

static int row_of(const struct gltf_schema_type *type, const char *name) {
	int row = 0;
	while (type->members[row].name && strcmp(type->members[row].name, name) != 0) {
		row++;
	}
	return type->members[row].name ? row : -1;
}

/* Looks the names of an object up, of one with few members. */
static const struct names *find_names(
	struct walk *walk, const struct json_value *object, const struct gltf_schema_type *type) {
	const char *const *list = object->of.members->names;
	const uintptr_t hash = ((uintptr_t)list >> 3 ^ (uintptr_t)type >> 4) * 0x9e3779b1u;
	struct names *known = &walk->known[(hash >> 12) % NAMES_KNOWN];
	if (known->names == list && known->type == type) {
		return known;
	}
	*known = (struct names){.names = list, .type = type};
	for (uint32_t i = object->count; i-- > 0;) {
		const int row = row_of(type, list[i]);
		const bool again = row >= 0 && known->there >> row & 1; // the last one counts
		known->rows[i] = (signed char)(again ? -1 : row);
		known->there |= row < 0 ? 0 : UINT32_C(1) << row;
		known->extensions |= strcmp(list[i], "extensions") == 0;
	}
	return known;
}

/* The same for an object of any size, whose members are checked on the way. */
static uint32_t check_members(
	struct walk *walk, const struct gltf_item *item, const struct gltf_schema_type *type) {
	const bool few = item->json->count <= JSON_UNSORTED_MAX;
	const struct names known =
		few ? *find_names(walk, item->json, type) : (struct names){.extensions = true};
	uint32_t there = known.there;
	for (size_t i = item->json->count; i-- > 0;) {
		const struct gltf_item found = gltf_member_at(item, i);
		const int row = few ? known.rows[i] : row_of(type, found.name);
		const bool again = !few && row >= 0 && there >> row & 1; // the last one counts
		if (row >= 0 && !again) {
			there |= UINT32_C(1) << row;
			check_member(walk, &found, &type->members[row]);
		}
	}
	if (known.extensions) {
		check_extensions(walk, item);
	}
	return there;
}

static void check_object(
	struct walk *walk, const struct gltf_item *item, const struct gltf_schema_type *type) {
	const uint32_t there = check_members(walk, item, type);
	for (int row = 0; type->members[row].name; row++) {
		const struct gltf_schema_member *member = &type->members[row];
		const bool is_there = there >> row & 1;
		if (!is_there && member->required) {
			gltf_breach(walk->gltf, GLTF_UNDEFINED_PROPERTY, item, "has no %s",
				member->name);
		}
		if (is_there && member->needs && !(there >> row_of(type, member->needs) & 1)) {
			const struct gltf_item found = gltf_member(item, member->name);
			gltf_breach(walk->gltf, GLTF_UNSATISFIED_DEPENDENCY, &found, "needs %s",
				member->needs);
		}
	}
	if (type->one_of[0] &&
		(there >> row_of(type, type->one_of[0]) & 1) ==
			(there >> row_of(type, type->one_of[1]) & 1)) {
		gltf_breach(walk->gltf, GLTF_ONE_OF_MISMATCH, item, "must have either %s or %s",
			type->one_of[0], type->one_of[1]);
	}
}

/* A list of names; those that are strings go to names, which has room, sorted. */
static size_t check_names(struct walk *walk, const char *list, const char **names) {
	const struct gltf_item item = gltf_member(&walk->gltf->root, list);
	size_t count = 0;
	if (!item.json || !begin_list(walk, &item)) {
		return 0;
	}
	for (size_t i = 0; i < item.json->count; i++) {
		const struct gltf_item element = gltf_element(&item, i);
		if (is(&element, JSON_KIND_STRING)) {
			names[count++] = element.json->of.string;
		} else {
			gltf_breach(
				walk->gltf, GLTF_ARRAY_TYPE_MISMATCH, &element, "must be a string");
		}
	}
	qsort(names, count, sizeof *names, compare);
	for (size_t i = 1; i < count; i++) {
		if (strcmp(names[i - 1], names[i]) == 0) {
			char quoted[UTF8_QUOTED_BYTES];
			utf8_quote(names[i], quoted, sizeof quoted);
			gltf_breach(
				walk->gltf, GLTF_DUPLICATE_ELEMENTS, &item, "has %s again", quoted);
		}
	}
	return count;
}

/* Names of extensions in the two lists: those required must be used, and some must be required. */
static void check_declarations(struct walk *walk) {
	struct gltf *gltf = walk->gltf;
	const struct gltf_item used = gltf_member(&gltf->root, "extensionsUsed");
	const struct gltf_item required = gltf_member(&gltf->root, "extensionsRequired");
	const char **names = arena_alloc(gltf->arena, gltf_list_size(&required) + 1, sizeof *names);
	walk->used = arena_alloc(gltf->arena, gltf_list_size(&used) + 1, sizeof *walk->used);
	walk->used_count = check_names(walk, "extensionsUsed", walk->used);
	const size_t count = check_names(walk, "extensionsRequired", names);
	for (size_t i = 0; i < count; i++) {
		if (!bsearch(&names[i], walk->used, walk->used_count, sizeof *names, compare)) {
			char quoted[UTF8_QUOTED_BYTES];
			utf8_quote(names[i], quoted, sizeof quoted);
			gltf_breach(gltf, GLTF_UNUSED_EXTENSION_REQUIRED, &required,
				"%s is not in extensionsUsed", quoted);
		}
	}
	const char *quantization = "KHR_mesh_quantization";
	if (bsearch(&quantization, walk->used, walk->used_count, sizeof *names, compare) &&
		!bsearch(&quantization, names, count, sizeof *names, compare)) {
		gltf_breach(gltf, GLTF_NON_REQUIRED_EXTENSION, &used,
			"%s must be in extensionsRequired, too", quantization);
	}
}

/* Names what readers may ignore at the ends of a text and writers must not put there: RFC 8259,
 * 8.1. */
static void check_text(struct gltf *gltf) {
	const struct gltf_source *source = gltf->source;
	const char *text = (const char *)source->json;
	if (source->json_size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		gltf_breach_at(
			gltf, GLTF_INVALID_JSON, "JSON", "begins with a byte order mark; left out");
	}
	if (source->json_size > 0 && text[source->json_size - 1] == '\0') {
		gltf_breach_at(gltf, GLTF_INVALID_JSON, "JSON", "ends with NUL; left out");
	}
}

void gltf_check_schema(struct gltf *gltf) {
	check_text(gltf);
	struct walk walk = {
		.gltf = gltf,
		.met = arena_alloc(gltf->arena, (size_t)gltf->node_count + 1, sizeof *walk.met),
	};
	check_declarations(&walk);
	check_object(&walk, &gltf->root, &gltf_schema_root);
}
