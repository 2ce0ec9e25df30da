/* KHR_draco_mesh_compression: primitives whose corners and attributes lie in one compressed view.
 * Source: Khronos' registry, KHR_draco_mesh_compression. */
#pragma once

#include "import/gltf_document.h"

/* Decodes a primitive that is compressed, and gives its accessors their data, before they are read;
 * leaves other primitives alone. primitive->material must be set. Afterwards the indices are a
 * plain list of triangles, and primitive->is_list is true. */
bool gltf_draco_read(struct gltf *gltf, const struct gltf_item *object,
	struct gltf_primitive *primitive, struct error *err);
