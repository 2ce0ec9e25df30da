/* Draco's encoder, for tests. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One attribute to pack; its id is its position in the list. */
struct draco_pack_attribute {
	int kind;       // 0 position, 1 normal, 2 colour, 3 texture coordinate, 4 generic
	int component;  // as glTF numbers them
	int components; // numbers for each point
	int normalized;
	const void *numbers; // [point_count][components]
};

struct draco_pack_job {
	size_t point_count;
	size_t face_count;
	const uint32_t *indices; // [face_count][3]
	size_t attribute_count;
	const struct draco_pack_attribute *attributes;
	int sequential; // else edgebreaker
};

/* Packs a mesh; returns malloc memory, or NULL. Edgebreaker may number the points in another
 * order. */
unsigned char *draco_pack(const struct draco_pack_job *job, size_t *size);

#ifdef __cplusplus
}
#endif
