/* Normals for vertices that have none. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct normals_job {
	const float *positions;  // [vertex_count][3]
	const uint32_t *indices; // [index_count] triangles; values below vertex_count
	size_t index_count;      // a multiple of 3; 0 = no faces
	float *normals;          // [vertex_count][3] in and out
	size_t vertex_count;
};

/* Makes every normal unit length. One that is zero or not finite becomes the area-weighted mean of
 * the faces around its vertex (a vertex of one face gets that face's: flat shading), or +Y where
 * there is no face with an area. *replaced counts them. Fails only with ERROR_TOO_LARGE. */
bool normals_complete(const struct normals_job *job, size_t *replaced, struct error *err);
