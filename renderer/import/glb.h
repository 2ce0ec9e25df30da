/* GLB, glTF's binary container. Source: glTF 2.0 specification, section 4.4. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct gltf_source;
struct rig;

/* Whether the bytes start with GLB's magic. */
bool glb_probe(const unsigned char *bytes, size_t size);

/* Checks the container and fills json and bin of the source; false with *err. */
bool glb_split(
	const unsigned char *bytes, size_t size, struct gltf_source *source, struct error *err);

/* Checks the container and imports the document in it; errors as in import.h. */
struct rig *glb_import(const unsigned char *bytes, size_t size, struct error *err);
