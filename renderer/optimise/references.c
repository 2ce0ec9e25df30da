// Extensions that name nodes.
#include "optimise/references.h"

#include <string.h>

#define DEPTH_MAX 200
#define MEMBERS_MAX 4

/* Members anywhere within an extension that are positions of nodes, or lists of them. */
static const struct extension {
	const char *name;
	const char *members[MEMBERS_MAX + 1];
} extensions[] = {
	{"EXT_lights_ies", {NULL}},
	{"EXT_lights_image_based", {NULL}},
	{"EXT_mesh_gpu_instancing", {NULL}},
	{"EXT_mesh_features", {NULL}},
	{"EXT_instance_features", {NULL}},
	{"KHR_draco_mesh_compression", {NULL}},
	{"KHR_lights_punctual", {NULL}},
	{"KHR_materials_variants", {NULL}},
	{"KHR_node_visibility", {NULL}},
	{"KHR_xmp", {NULL}},
	{"KHR_xmp_json_ld", {NULL}},
	{"VRM", {"node", "bones", "center", "firstPersonBone"}},
	{"VRMC_node_constraint", {"source"}},
	{"VRMC_springBone", {"node", "center"}},
	{"VRMC_vrm", {"node"}},
	{"VRMC_vrm_animation", {"node"}},
};

struct walk {
	reference_function *found;
	void *context;
	struct error *err;
};

static bool is_of(const struct extension *extension, struct json_span name) {
	for (int i = 0; extension->members[i]; i++) {
		if (json_span_is(name, extension->members[i])) {
			return true;
		}
	}
	return false;
}

static void report(const struct walk *walk, struct json_span value) {
	struct json_items items = json_items_of(value);
	struct json_span name, item;
	uint64_t whole;
	if (json_span_whole(value, &whole)) {
		walk->found(walk->context, value);
	}
	while (!items.is_object && json_items_next(&items, &name, &item)) {
		if (json_span_whole(item, &whole)) {
			walk->found(walk->context, item);
		}
	}
}

static void walk_extension(const struct walk *walk, const struct extension *extension,
	struct json_span value, int depth) {
	struct json_items items = json_items_of(value);
	struct json_span name, item;
	while (depth < DEPTH_MAX && json_items_next(&items, &name, &item)) {
		if (is_of(extension, name)) {
			report(walk, item);
		}
		walk_extension(walk, extension, item, depth + 1);
	}
}

static bool walk_extensions(const struct walk *walk, struct json_span value, int depth) {
	struct json_items items = json_items_of(value);
	struct json_span name, item;
	while (json_items_next(&items, &name, &item)) {
		size_t i = 0;
		while (i < sizeof extensions / sizeof *extensions &&
			!json_span_is(name, extensions[i].name)) {
			i++;
		}
		if (i == sizeof extensions / sizeof *extensions) {
			return error_set(walk->err, ERROR_UNSUPPORTED_ASSET,
				"joints cannot be pruned: the extension %.*s may name nodes",
				name.size < 80 ? (int)name.size : 80, name.text ? name.text : "");
		}
		walk_extension(walk, &extensions[i], item, depth);
	}
	return true;
}

static bool walk_value(const struct walk *walk, struct json_span value, int depth) {
	struct json_items items = json_items_of(value);
	struct json_span name, item;
	while (depth < DEPTH_MAX && json_items_next(&items, &name, &item)) {
		const bool is_extension = json_span_is(name, "extensions");
		if (!json_span_is(name, "extras") &&
			!(is_extension ? walk_extensions : walk_value)(walk, item, depth + 1)) {
			return false;
		}
	}
	return true;
}

bool references_of_extensions(
	struct json_span document, reference_function *found, void *context, struct error *err) {
	static const char *const without[] = {"materials", "textures", "images", "samplers",
		"accessors", "bufferViews", "buffers", "asset", "extras"};
	const struct walk walk = {found, context, err};
	struct json_items items = json_items_of(document);
	struct json_span name, value;
	while (json_items_next(&items, &name, &value)) {
		bool is_without = false;
		for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
			is_without |= json_span_is(name, without[i]);
		}
		const bool is_extension = json_span_is(name, "extensions");
		if (!is_without &&
			!(is_extension ? walk_extensions : walk_value)(&walk, value, 0)) {
			return false;
		}
	}
	return true;
}
