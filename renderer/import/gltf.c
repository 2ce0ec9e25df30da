// A glTF 2.0 document -> a rig: the steps in their order.
#include "import/gltf.h"

#include <string.h>

#include "import/gltf_document.h"
#include "import/gltf_rule_steps.h"

/* Each step uses what those before it have read. */
static bool (*const steps[])(struct gltf *gltf, struct error *err) = {
	gltf_read_accessors, gltf_read_materials, gltf_read_nodes, gltf_read_skins,
	gltf_read_meshes, gltf_read_scene, gltf_read_rest_weights, gltf_build_primitives,
	gltf_read_lights, gltf_read_cameras, gltf_read_animations,
	gltf_read_textures, // may take what the others leave of the memory
};

static bool take_steps(struct gltf *gltf, struct error *err) {
	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
		if (!steps[i](gltf, err)) {
			return false;
		}
	}
	return true;
}

/* Says which rules the document breaks that has been read all the same. */
static void check_rules(struct gltf *gltf) {
	unsigned char *uses = arena_alloc(gltf->arena, (size_t)gltf->accessor_count, 1);
	gltf_check_schema(gltf);
	gltf_check_tree(gltf);
	gltf_check_links(gltf, uses);
	gltf_check_data(gltf, uses);
	gltf_warn_of_breaches(gltf);
}

bool gltf_probe(const unsigned char *bytes, size_t size) {
	size_t at = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	while (at < size && strchr(" \t\r\n", bytes[at]) && bytes[at] != '\0') {
		at++;
	}
	return at < size && bytes[at] == '{';
}

struct rig *gltf_import(const unsigned char *bytes, size_t size, struct error *err) {
	const struct gltf_source source = {
		.json = bytes, .json_size = size, .json_room = size, .file_size = size};
	return gltf_import_source(&source, err);
}

struct rig *gltf_import_source(const struct gltf_source *source, struct error *err) {
	struct gltf gltf = {.rig = rig_create(), .arena = arena_create()};
	const bool imported = gltf_document_load(&gltf, source, err) && take_steps(&gltf, err);
	if (imported) {
		check_rules(&gltf);
	}
	arena_destroy(gltf.arena);
	if (!imported) {
		rig_release(gltf.rig);
		return NULL;
	}
	return gltf.rig;
}
