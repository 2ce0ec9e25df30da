/* data: URIs (RFC 2397), the only ones that posed follows. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "import/gltf_document.h"

bool data_uri_is(const char *uri);

/* Decodes the payload, base64 or percent-encoded, into the arena (or borrows it from uri). NULL
 * with ERROR_BROKEN_ASSET when it is not well formed. Base64 may have white space in it, lack its
 * padding and leave bits over; *flaw says which of the last two, NULL = neither. */
const unsigned char *data_uri_decode(
	const char *uri, struct arena *arena, size_t *size, const char **flaw, struct error *err);

/* Undoes %41; text without any is borrowed as it is. NULL with ERROR_BROKEN_ASSET where two
 * hexadecimal digits are missing. */
const char *percent_decode(const char *text, struct arena *arena, size_t *size, struct error *err);

/* The bytes that a URI of an item names: in the arena, or borrowed from the source's files. False
 * with the item's place when they cannot be had. */
bool gltf_uri_read(struct gltf *gltf, const struct gltf_item *item, const char *uri,
	struct gltf_bytes *bytes, struct error *err);
