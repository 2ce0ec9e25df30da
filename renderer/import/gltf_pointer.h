/* KHR_animation_pointer: channels that name what they drive by a JSON pointer. Source: Khronos'
 * registry, and RFC 6901. */
#pragma once

#include "import/gltf_document.h"

/* The target of a pointer. A rig has nodes, and the meshes' morph weights; the others are for
 * warnings. */
enum gltf_pointer_group {
	GLTF_POINTER_NODES,
	GLTF_POINTER_MESHES,
	GLTF_POINTER_MATERIALS,
	GLTF_POINTER_CAMERAS,
	GLTF_POINTER_LIGHTS,
	GLTF_POINTER_OTHERS,
	GLTF_POINTER_GROUP_COUNT,
};

struct gltf_pointer {
	const char *text; // the pointer
	enum gltf_pointer_group group;
	/* Of nodes and meshes: the index, and what follows it, such as "translation" or
	 * "weights/2". */
	int index;
	const char *property;
};

/* "nodes", "materials" ... for messages. */
const char *gltf_pointer_group_name(enum gltf_pointer_group group);

/* Reads the pointer of a channel's target whose path is "pointer". */
bool gltf_pointer_read(const struct gltf *gltf, const struct gltf_item *target,
	struct gltf_pointer *pointer, struct error *err);

/* True when a pointer of nodes or meshes leads to morph weights: *weight is the one that is meant,
 * or -1 for all of them. */
bool gltf_pointer_to_weights(const struct gltf_pointer *pointer, int *weight);
