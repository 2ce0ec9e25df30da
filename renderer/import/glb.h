/* GLB, glTF's binary container. Source: glTF 2.0 specification, section 4.4. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct rig;

/* Whether the bytes start with GLB's magic. */
bool glb_probe(const unsigned char *bytes, size_t size);

/* Checks the container and imports the document in it; errors as in import.h. */
struct rig *glb_import(const unsigned char *bytes, size_t size, struct error *err);
