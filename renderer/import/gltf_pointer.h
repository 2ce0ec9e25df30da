/* KHR_animation_pointer: channels that name what they drive by a JSON pointer. Source: Khronos'
 * registry, and RFC 6901. */
#pragma once

#include "import/gltf_json.h"

/* What a pointer leads into. A rig has only nodes; the others are for counting. */
enum gltf_pointer_group {
	GLTF_POINTER_NODES,
	GLTF_POINTER_MATERIALS,
	GLTF_POINTER_CAMERAS,
	GLTF_POINTER_LIGHTS,
	GLTF_POINTER_OTHERS,
	GLTF_POINTER_GROUP_COUNT,
};

struct gltf_pointer {
	enum gltf_pointer_group group;
	int node;             // GLTF_POINTER_NODES: its index
	const char *property; // GLTF_POINTER_NODES: what follows the index, such as "translation"
};

/* "nodes", "materials" ... for messages. */
const char *gltf_pointer_group_name(enum gltf_pointer_group group);

/* Reads the pointer of a channel's target whose path is "pointer". */
bool gltf_pointer_read(const struct gltf_item *target, int node_count, struct gltf_pointer *pointer,
	struct error *err);
