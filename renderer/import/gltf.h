/* glTF 2.0 documents. Source: Khronos Group, glTF 2.0 Specification, version 2.0.1. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct asset_facts;
struct rig;

/* The files that come with a document, wherever they are. */
struct gltf_files {
	/* The bytes that a URI relative to the document names; they stay until the import ends.
	 * NULL with *err, without the URI in its text. */
	const unsigned char *(*read)(
		void *context, const char *uri, size_t *size, struct error *err);
	void *context;
};

/* The parts of an asset; borrowed. */
struct gltf_source {
	const unsigned char *json;
	size_t json_size;
	size_t json_room;         // that may be read from json on; at least json_size
	const unsigned char *bin; // NULL = no binary chunk
	size_t bin_size;
	size_t extra_bytes;             // behind the end that a GLB's header names
	size_t file_size;               // of the whole
	const struct gltf_files *files; // NULL = the document stands alone
};

/* True when the first byte that is not white space (or a byte order mark) opens a JSON object. */
bool gltf_probe(const unsigned char *bytes, size_t size);

/* Imports a JSON document whose buffers are data URIs. Of all imports here: errors as in import.h;
 * facts NULL = a strict one, else a lenient one, whose facts it gets; left alone without a rig. */
struct rig *gltf_import(
	const unsigned char *bytes, size_t size, struct asset_facts **facts, struct error *err);

/* Imports a document with its binary chunk. */
struct rig *gltf_import_source(
	const struct gltf_source *source, struct asset_facts **facts, struct error *err);

struct gltf_source;
struct rig;

/* True when the bytes start with GLB's magic. */
bool glb_probe(const unsigned char *bytes, size_t size);

/* Checks the container and fills json and bin of the source; false with *err. */
bool glb_split(
	const unsigned char *bytes, size_t size, struct gltf_source *source, struct error *err);

/* Checks the container and imports the document in it. */
struct rig *glb_import(
	const unsigned char *bytes, size_t size, struct asset_facts **facts, struct error *err);
