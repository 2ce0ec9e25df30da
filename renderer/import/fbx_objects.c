// The objects of an FBX file and their connections.
#include "import/fbx_objects.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

/* Objects of a file, and connections: links count objects by int. */
#define OBJECTS_MAX (1 << 24)

struct reading {
	struct fbx_objects *out;
	const struct fbx_tree *tree;
	const struct fbx_record *definitions;
	int *by_id; // [count] positions in the order of their ids
};

/* The first P of a record's list of properties. */
static const struct fbx_record *properties_of(const struct fbx_record *record) {
	const struct fbx_record *list = fbx_child(record, "Properties70");
	return list ? list->children : NULL;
}

/* The defaults of the properties of a type's objects: `ObjectType: "Model" { PropertyTemplate:
 * "FbxNode" {...} }`. */
static const struct fbx_record *defaults_of(const struct reading *reading, const char *type) {
	const struct fbx_record *record = reading->definitions;
	for (; record; record = record->next) {
		if (strcmp(record->name, "ObjectType") == 0 &&
			strcmp(fbx_text_at(record, 0, ""), type) == 0) {
			return properties_of(fbx_child(record, "PropertyTemplate"));
		}
	}
	return NULL;
}

/* A copy in which every byte that is not UTF-8 is '?'. */
static const char *clean(struct arena *arena, const char *text, size_t length) {
	char *copy = arena_strndup(arena, text, length);
	for (size_t i = 0; copy[i] != '\0';) {
		const size_t bytes = utf8_character_bytes(&copy[i], length - i);
		if (bytes == 0) {
			copy[i] = '?';
		}
		i += bytes ? bytes : 1;
	}
	return copy;
}

/* The name without its class: "Name\0\1Class" in binary files, "Class::Name" in ASCII. */
static const char *name_of(const struct fbx_tree *tree, const struct fbx_value *value) {
	const char *text = value->bytes;
	if (tree->ascii) {
		const char *colons = strstr(text, "::");
		text = colons ? colons + 2 : text;
		return clean(tree->arena, text, strlen(text));
	}
	const char *class = memmem(text, value->size, "\0\1", 2);
	return clean(tree->arena, text, class ? (size_t)(class - text) : strlen(text));
}

static void add_object(struct reading *reading, const struct fbx_record *record) {
	const struct fbx_value *name = record->value_count > 1 ? &record->values[1] : NULL;
	struct fbx_object *object = &reading->out->objects[reading->out->count];
	*object = (struct fbx_object){
		.id = fbx_integer_at(record, 0, 0),
		.type = record->name,
		.kind = fbx_text_at(record, 2, ""),
		.name = name && name->kind == FBX_TEXT ? name_of(reading->tree, name) : "",
		.record = record,
		.properties = properties_of(record),
		.defaults = defaults_of(reading, record->name),
	};
	// Id 0 is the scene's.
	reading->out->count += object->id != 0;
}

static int compare_ids(const void *first, const void *second, void *context) {
	const struct fbx_object *objects = context;
	const int a = *(const int *)first, b = *(const int *)second;
	const int64_t x = objects[a].id, y = objects[b].id;
	return x != y ? (x < y ? -1 : 1) : a - b;
}

static bool read_objects(struct reading *reading, struct error *err) {
	struct fbx_objects *out = reading->out;
	const struct fbx_record *list = fbx_find(reading->tree->first, "Objects");
	size_t count = 1;
	for (const struct fbx_record *r = list ? list->children : NULL; r; r = r->next) {
		count++;
	}
	if (count > OBJECTS_MAX) {
		return error_set(err, ERROR_TOO_LARGE, "FBX: %zu objects, up to %d are accepted",
			count, OBJECTS_MAX);
	}
	out->objects = arena_alloc(reading->tree->arena, count + 1, sizeof *out->objects);
	out->objects[FBX_ROOT] = (struct fbx_object){.type = "", .kind = "", .name = ""};
	out->count = 1;
	for (const struct fbx_record *r = list ? list->children : NULL; r; r = r->next) {
		add_object(reading, r);
	}
	reading->by_id = arena_alloc(reading->tree->arena, count, sizeof *reading->by_id);
	for (int i = 0; i < out->count; i++) {
		reading->by_id[i] = i;
	}
	qsort_r(reading->by_id, (size_t)out->count, sizeof *reading->by_id, compare_ids,
		out->objects);
	return true;
}

/* Position of the first object with an id; -1 = there is none. */
static int find(const struct reading *reading, int64_t id) {
	int low = 0, high = reading->out->count;
	while (low < high) {
		const int middle = (low + high) / 2;
		if (reading->out->objects[reading->by_id[middle]].id < id) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	const bool found =
		low < reading->out->count && reading->out->objects[reading->by_id[low]].id == id;
	return found ? reading->by_id[low] : -1;
}

struct connection {
	int child, parent;
	const char *property;
};

/* `C: "OO", child, parent` or `C: "OP", child, parent, property`; those that begin at a property
 * ("PO", "PP") drive nothing that is read here. */
static bool read_connection(const struct reading *reading, const struct fbx_record *record,
	struct connection *connection) {
	const char *kind = fbx_text_at(record, 0, "");
	if (strcmp(record->name, "C") != 0 || kind[0] != 'O') {
		return false;
	}
	connection->child = find(reading, fbx_integer_at(record, 1, -1));
	connection->parent = find(reading, fbx_integer_at(record, 2, -1));
	connection->property = kind[1] == 'P' ? fbx_text_at(record, 3, "") : NULL;
	return connection->child > FBX_ROOT && connection->parent >= 0;
}

/* Gives each object the range of its links, and fills these in the order of the connections. */
static void link_objects(struct reading *reading, const struct connection *connections, int count) {
	struct fbx_objects *out = reading->out;
	struct fbx_link *children =
		arena_alloc(reading->tree->arena, (size_t)count, sizeof *children);
	struct fbx_link *parents =
		arena_alloc(reading->tree->arena, (size_t)count, sizeof *parents);
	for (int i = 0; i < count; i++) {
		out->objects[connections[i].parent].child_count++;
		out->objects[connections[i].child].parent_count++;
	}
	int first_child = 0, first_parent = 0;
	for (int i = 0; i < out->count; i++) {
		struct fbx_object *object = &out->objects[i];
		object->first_child = first_child;
		object->first_parent = first_parent;
		first_child += object->child_count;
		first_parent += object->parent_count;
		object->child_count = object->parent_count = 0;
	}
	for (int i = 0; i < count; i++) {
		const struct connection *c = &connections[i];
		struct fbx_object *parent = &out->objects[c->parent];
		struct fbx_object *child = &out->objects[c->child];
		children[parent->first_child + parent->child_count++] =
			(struct fbx_link){c->child, c->property};
		parents[child->first_parent + child->parent_count++] =
			(struct fbx_link){c->parent, c->property};
	}
	out->children = children;
	out->parents = parents;
}

static bool read_connections(struct reading *reading, struct error *err) {
	const struct fbx_record *list = fbx_find(reading->tree->first, "Connections");
	size_t count = 0;
	for (const struct fbx_record *r = list ? list->children : NULL; r; r = r->next) {
		count++;
	}
	if (count > OBJECTS_MAX) {
		return error_set(err, ERROR_TOO_LARGE,
			"FBX: %zu connections, up to %d are accepted", count, OBJECTS_MAX);
	}
	struct connection *connections =
		arena_alloc(reading->tree->arena, count, sizeof *connections);
	int used = 0;
	for (const struct fbx_record *r = list ? list->children : NULL; r; r = r->next) {
		used += read_connection(reading, r, &connections[used]);
	}
	link_objects(reading, connections, used);
	return true;
}

bool fbx_objects_read(struct fbx_objects *out, const struct fbx_tree *tree, struct error *err) {
	const struct fbx_record *definitions = fbx_find(tree->first, "Definitions");
	struct reading reading = {
		.out = out,
		.tree = tree,
		.definitions = definitions ? definitions->children : NULL,
	};
	*out = (struct fbx_objects){
		.settings = properties_of(fbx_find(tree->first, "GlobalSettings"))};
	return read_objects(&reading, err) && read_connections(&reading, err);
}

/* --- Looking things up --- */

static bool same_or_any(const char *wanted, const char *text) {
	return !wanted || strcmp(wanted, text) == 0;
}

const struct fbx_object *fbx_next_child(const struct fbx_objects *objects,
	const struct fbx_object *object, int *at, const char *type, const char *kind,
	const char *property) {
	while (*at < object->child_count) {
		const struct fbx_link *link = &objects->children[object->first_child + (*at)++];
		const struct fbx_object *child = &objects->objects[link->object];
		const bool here = property ? link->property && strcmp(property, link->property) == 0
					   : !link->property;
		if (here && same_or_any(type, child->type) && same_or_any(kind, child->kind)) {
			return child;
		}
	}
	return NULL;
}

const struct fbx_object *fbx_first_child(const struct fbx_objects *objects,
	const struct fbx_object *object, const char *type, const char *kind, const char *property) {
	int at = 0;
	return fbx_next_child(objects, object, &at, type, kind, property);
}

const struct fbx_object *fbx_first_parent(
	const struct fbx_objects *objects, const struct fbx_object *object, const char *type) {
	for (int i = 0; i < object->parent_count; i++) {
		const struct fbx_link *link = &objects->parents[object->first_parent + i];
		const struct fbx_object *parent = &objects->objects[link->object];
		if (strcmp(parent->type, type) == 0) {
			return parent;
		}
	}
	return NULL;
}

const struct fbx_record *fbx_property_in(const struct fbx_record *properties, const char *name) {
	const struct fbx_record *found = NULL;
	for (; properties; properties = properties->next) {
		found = strcmp(fbx_text_at(properties, 0, ""), name) == 0 ? properties : found;
	}
	return found;
}

/* An object's values come behind four texts. */
#define VALUES_AT 4

static const struct fbx_record *property(const struct fbx_object *object, const char *name) {
	const struct fbx_record *own = fbx_property_in(object->properties, name);
	return own ? own : fbx_property_in(object->defaults, name);
}

bool fbx_has_property(const struct fbx_object *object, const char *name) {
	return fbx_property_in(object->properties, name);
}

double fbx_property_real(const struct fbx_object *object, const char *name, double fallback) {
	return fbx_real_at(property(object, name), VALUES_AT, fallback);
}

int64_t fbx_property_integer(const struct fbx_object *object, const char *name, int64_t fallback) {
	return fbx_integer_at(property(object, name), VALUES_AT, fallback);
}

void fbx_property_vector(
	const struct fbx_object *object, const char *name, double fallback, double out[static 3]) {
	const struct fbx_record *record = property(object, name);
	for (int i = 0; i < 3; i++) {
		out[i] = fbx_real_at(record, VALUES_AT + i, fallback);
	}
}

const char *fbx_property_text(
	const struct fbx_object *object, const char *name, const char *fallback) {
	return fbx_text_at(property(object, name), VALUES_AT, fallback);
}
