/* glTF 2.0 documents. Source: Khronos Group, glTF 2.0 Specification, version 2.0.1. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct rig;

/* The parts of an asset; borrowed. */
struct gltf_source {
	const unsigned char *json;
	size_t json_size;
	const unsigned char *bin; // NULL = no binary chunk
	size_t bin_size;
	size_t file_size; // of the whole
};

/* Whether the first byte that is not white space (or a byte order mark) opens a JSON object. */
bool gltf_probe(const unsigned char *bytes, size_t size);

/* Imports a JSON document whose buffers are data URIs; errors as in import.h. */
struct rig *gltf_import(const unsigned char *bytes, size_t size, struct error *err);

/* Imports a document with its binary chunk. */
struct rig *gltf_import_source(const struct gltf_source *source, struct error *err);
