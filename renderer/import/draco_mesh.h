/* Draco's decoder behind a C interface: one compressed mesh -> corners and attributes. Nothing of
 * C++, not even an exception, gets out. Source: Google, Draco bitstream 2.2. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "base/error.h"

struct draco_mesh;

/* The limits of a stream; its head is checked against them before memory is taken for it. */
struct draco_limits {
	size_t faces, points;
	size_t bytes; // of all that decoding takes, roughly
};

/* One attribute as it is wanted. */
struct draco_attribute {
	uint32_t id;       // Draco's unique id
	int component;     // as glTF numbers them: 5120 to 5123, 5125, 5126
	size_t components; // numbers for each point, 1 to 4
};

/* Decodes a triangle mesh. NULL with ERROR_BROKEN_ASSET (Draco's own words),
 * ERROR_UNSUPPORTED_ASSET (another bitstream) or ERROR_TOO_LARGE. Any thread. */
struct draco_mesh *draco_mesh_decode(const unsigned char *bytes, size_t size,
	const struct draco_limits *limits, struct error *err);
void draco_mesh_destroy(struct draco_mesh *mesh); // takes NULL

size_t draco_mesh_faces(const struct draco_mesh *mesh);
size_t draco_mesh_points(const struct draco_mesh *mesh);

/* Writes the corners of all triangles, [faces][3], each below draco_mesh_points. */
void draco_mesh_indices(const struct draco_mesh *mesh, uint32_t *out);

/* Writes an attribute's numbers for each point, tightly packed. False with ERROR_BROKEN_ASSET when
 * there is no such attribute, it has other than that many numbers, or one does not fit. */
bool draco_mesh_read(const struct draco_mesh *mesh, const struct draco_attribute *attribute,
	void *out, struct error *err);

#ifdef __cplusplus
}
#endif
