/* A .gltf with the files beside it as one GLB, and back. All but the places of bytes stays byte for
 * byte. */
#pragma once

#include "base/buffer.h"
#include "interface/asset_files.h"

/* Writes a document with its buffers as a GLB: those beside it and in data: URIs go into one chunk.
 * Pictures that are files of their own stay so. A GLB without other buffers stays as it is.
 *
 * files  [count] the document first, then what it names, with the paths that it names them by
 * Has the form of renderer_pack_asset(). False with ERROR_UNSUPPORTED_ASSET for what is no glTF,
 * ERROR_BROKEN_ASSET where a buffer is not among the files or is too short, ERROR_TOO_LARGE, or the
 * sink's error. */
bool renderer_optimise_gather(
	struct asset_file *files, size_t count, const struct asset_sink *sink, struct error *err);

/* Appends the document of a GLB and its chunk apart, the former naming the latter by a URI. */
bool renderer_optimise_split(const void *bytes, size_t size, const char *bin_uri,
	struct buffer *document, struct buffer *bin, struct error *err);
