// KHR_texture_transform: reading it, and applying it to texture coordinates.
#include "import/gltf_texture_transform.h"

#include <math.h>

bool gltf_texture_transform_read(
	const struct gltf_item *texture, struct gltf_texcoords *texcoords, struct error *err) {
	struct gltf_item extensions, transform;
	float offset[2] = {0}, scale[2] = {1, 1}, rotation = 0;
	*texcoords = (struct gltf_texcoords){0};
	if (!gltf_size(texture, "texCoord", &texcoords->set, err) ||
		!gltf_object(texture, "extensions", &extensions, err) ||
		!gltf_object(&extensions, "KHR_texture_transform", &transform, err) ||
		!gltf_numbers(&transform, "offset", 2, offset, err) ||
		!gltf_number(&transform, "rotation", &rotation, err) ||
		!gltf_numbers(&transform, "scale", 2, scale, err) ||
		!gltf_size(&transform, "texCoord", &texcoords->set, err)) {
		return false;
	}
	// The C library's sine will do: its last bit, which is not everywhere the same, is far
	// below what a picture shows.
	const double sine = sin((double)rotation), cosine = cos((double)rotation);
	// Counter-clockwise as one sees it, with v downwards: as in the registry's examples, though
	// not in its GLSL, which turns the other way; and as in every viewer.
	const double rows[6] = {cosine * (double)scale[0], sine * (double)scale[1],
		(double)offset[0], -sine * (double)scale[0], cosine * (double)scale[1],
		(double)offset[1]};
	for (int i = 0; i < 6; i++) {
		texcoords->rows[i] = rows[i];
	}
	texcoords->transformed = transform.json != NULL;
	return true;
}

void gltf_texture_transform_apply(
	const struct gltf_texcoords *texcoords, float *coordinates, size_t count) {
	const double *m = texcoords->rows;
	for (size_t i = 0; texcoords->transformed && i < count; i++) {
		const double u = (double)coordinates[i * 2], v = (double)coordinates[i * 2 + 1];
		coordinates[i * 2] = (float)(m[0] * u + m[1] * v + m[2]);
		coordinates[i * 2 + 1] = (float)(m[3] * u + m[4] * v + m[5]);
	}
}
