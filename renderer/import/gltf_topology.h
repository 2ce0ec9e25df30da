/* Strips, fans and loops -> plain lists of triangles, lines and points. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "import/gltf_document.h"
#include "model/rig.h"

/* What a mode becomes, and how many indices that takes from source_count. Corners that do not make
 * up a whole triangle or line are left out. */
enum topology gltf_topology(enum gltf_mode mode);
size_t gltf_topology_count(enum gltf_mode mode, size_t source_count);

/* Writes gltf_topology_count() indices. source has source_count; NULL = 0, 1, 2 ... */
void gltf_topology_fill(
	enum gltf_mode mode, const uint32_t *source, size_t source_count, uint32_t *out);
