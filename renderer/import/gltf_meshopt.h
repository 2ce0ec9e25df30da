/* EXT_meshopt_compression: buffer views whose bytes lie compressed in another buffer. Source:
 * Khronos' registry, EXT_meshopt_compression, and meshoptimizer, which decodes it. */
#pragma once

#include "import/gltf_document.h"

/* Whether a buffer is only there for readers that do not know the extension. Such a buffer is never
 * fetched: every view into it is compressed. */
bool gltf_meshopt_fallback(const struct gltf_item *buffer, bool *fallback, struct error *err);

/* Decodes a view that is compressed into the arena, and puts the result in place of bytes->data;
 * leaves other views alone. bytes holds what the view itself says: its size and its stride. */
bool gltf_meshopt_read(struct gltf *gltf, const struct gltf_item *view, struct gltf_bytes *bytes,
	struct error *err);
