// Accessors' elements as they stand in a GLB.
#include "optimise/elements.h"

#include <stdio.h>
#include <string.h>

static uint64_t whole(struct json_span object, const char *name, uint64_t otherwise) {
	uint64_t value;
	return json_span_whole(json_span_member(object, name), &value) ? value : otherwise;
}

static size_t component_bytes(int component) {
	return component <= COMPONENT_UNSIGNED_BYTE     ? 1
		: component <= COMPONENT_UNSIGNED_SHORT ? 2
							: 4;
}

static int width_of(struct json_span accessor) {
	static const struct {
		const char *type;
		int width;
	} types[] = {{"\"SCALAR\"", 1}, {"\"VEC2\"", 2}, {"\"VEC3\"", 3}, {"\"VEC4\"", 4},
		{"\"MAT4\"", 16}};
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		if (json_span_is(json_span_member(accessor, "type"), types[i].type)) {
			return types[i].width;
		}
	}
	return 0;
}

size_t elements_bytes(struct json_span accessor) {
	const int component = (int)whole(accessor, "componentType", 0);
	return component_bytes(component) * (size_t)width_of(accessor);
}

bool elements_find(const struct parts *parts, int accessor, struct elements *out) {
	const struct part *part = &parts->accessors[accessor];
	if (part->view < 0 || json_span_member(part->text, "sparse").text) {
		return false;
	}
	const struct part *view = &parts->views[part->view];
	const uint64_t offset = whole(part->text, "byteOffset", 0);
	const uint64_t size = elements_bytes(part->text), count = whole(part->text, "count", 0);
	const uint64_t stride = whole(view->text, "byteStride", size);
	if (view->size == 0 || size == 0 || stride == 0 ||
		json_span_member(view->text, "extensions").text || offset > view->size ||
		size > view->size - offset ||
		(count > 0 && count - 1 > (view->size - offset - size) / stride)) {
		return false;
	}
	*out = (struct elements){.at = view->at + offset,
		.stride = stride,
		.count = count,
		.size = size,
		.component = (int)whole(part->text, "componentType", 0),
		.width = width_of(part->text),
		.normalized = json_span_is(json_span_member(part->text, "normalized"), "true")};
	return true;
}

float elements_float(const struct parts *parts, const struct elements *elements, size_t i, int k) {
	float value;
	memcpy(&value, parts->bin + elements->at + i * elements->stride + (size_t)k * sizeof value,
		sizeof value);
	return value;
}

static void walk_object(
	struct json_span object, struct mesh_name named, mesh_visit *visit, void *context) {
	struct json_items items = json_items_of(object);
	while (json_items_next(&items, &named.name, &named.accessor)) {
		visit(context, &named);
	}
}

void primitive_walk(struct json_span primitive, mesh_visit *visit, void *context) {
	struct json_items targets = json_items_of(json_span_member(primitive, "targets"));
	struct json_span name, target;
	const struct mesh_name indices = {
		.use = MESH_INDICES, .accessor = json_span_member(primitive, "indices")};
	if (indices.accessor.text) {
		visit(context, &indices);
	}
	walk_object(json_span_member(primitive, "attributes"),
		(struct mesh_name){.use = MESH_ATTRIBUTE}, visit, context);
	while (json_items_next(&targets, &name, &target)) {
		walk_object(target, (struct mesh_name){.use = MESH_TARGET}, visit, context);
	}
}

void mesh_walk(struct json_span mesh, mesh_visit *visit, void *context) {
	struct json_items items = json_items_of(json_span_member(mesh, "primitives"));
	struct json_span name, primitive;
	while (json_items_next(&items, &name, &primitive)) {
		primitive_walk(primitive, visit, context);
	}
}

void mesh_name(struct json_span mesh, int index, char *out, size_t size) {
	const struct json_span own = json_span_member(mesh, "name");
	snprintf(out, size, "mesh %d", index);
	if (own.size > 2 && own.size < size) {
		snprintf(out, size, "%.*s", (int)own.size - 2, own.text + 1);
	}
}
