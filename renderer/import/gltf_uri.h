/* URIs in a document: data, or a file that came along. Nothing here opens a file or a connection.
 */
#pragma once

#include "import/gltf_document.h"

/* The bytes that a URI of an item names: in the arena, or borrowed from the source's files. False
 * with the item's place when they cannot be had. */
bool gltf_uri_read(struct gltf *gltf, const struct gltf_item *item, const char *uri,
	struct gltf_bytes *bytes, struct error *err);
