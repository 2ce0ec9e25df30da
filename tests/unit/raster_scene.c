// Meshes and pictures for tests of the rasteriser.
#include "raster_scene.h"

#include <stdlib.h>
#include <string.h>

#include "base/lanes.h"
#include "base/memory.h"

void scene_mesh_init(struct scene_mesh *mesh, const float *positions, int vertex_count,
	const uint32_t *indices, int index_count) {
	*mesh = (struct scene_mesh){
		.primitive = {.material = -1,
			.vertex_count = vertex_count,
			.index_count = indices ? index_count : 0},
		.rig = {.vertex_count = vertex_count,
			.primitive_count = 1,
			.positions = (float *)positions,
			.indices = (uint32_t *)indices,
			.index_count = index_count},
		.surface = {.kind = RASTER_OPAQUE, .shade = scene_flat},
	};
	mesh->rig.primitives = &mesh->primitive;
}

void scene_pixel_matrix(int width, int height, float matrix[static 16]) {
	memset(matrix, 0, 16 * sizeof *matrix);
	matrix[0] = 2.0f / (float)width;
	matrix[5] = 2.0f / (float)height;
	matrix[10] = 2;
	matrix[12] = matrix[13] = matrix[14] = -1;
	matrix[15] = 1;
}

struct raster_figure scene_figure(const struct scene_mesh *mesh, int width, int height) {
	struct raster_figure figure = {
		.rig = &mesh->rig,
		.surfaces = &mesh->surface,
		.back = {0, 0, -1},
		.positions = mesh->rig.positions,
		.normals = mesh->rig.normals,
	};
	scene_pixel_matrix(width, height, figure.view_projection);
	return figure;
}

static void set_color(struct raster_colors *out, int i, const float color[static 4]) {
	out->red[i] = color[0];
	out->green[i] = color[1];
	out->blue[i] = color[2];
	out->alpha[i] = color[3];
}

void scene_flat(
	const void *context, const struct raster_fragments *fragments, struct raster_colors *out) {
	for (int i = 0; i < fragments->count; i++) {
		set_color(out, i, context);
	}
}

void scene_by_id(
	const void *context, const struct raster_fragments *fragments, struct raster_colors *out) {
	const float(*colors)[4] = context;
	for (int i = 0; i < fragments->count; i++) {
		set_color(out, i, colors[fragments->mesh->triangles[fragments->triangle[i]].id]);
	}
}

void scene_ids(
	const void *context, const struct raster_fragments *fragments, struct raster_colors *out) {
	(void)context;
	for (int i = 0; i < fragments->count; i++) {
		const uint32_t id = fragments->mesh->triangles[fragments->triangle[i]].id;
		const float color[4] = {(float)(id >> 16) / 255, (float)(id >> 8 & 255) / 255,
			(float)(id & 255) / 255, 1};
		set_color(out, i, color);
	}
}

int32_t scene_id_of(const unsigned char rgba[static 4]) {
	return rgba[3] == 0 ? -1 : rgba[0] << 16 | rgba[1] << 8 | rgba[2];
}

unsigned char *scene_read(struct raster *raster, int width, int height) {
	unsigned char *rgba = xcalloc((size_t)width * (size_t)height, 4);
	raster_read(raster, &(struct raster_area){0, 0, width, height}, rgba);
	return rgba;
}

double scene_random(uint64_t *seed) {
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(*seed >> 11) / 9007199254740992.0;
}

bool scene_has_lanes(int count) {
	return count == 4 || (count == 8 && LANES_CPU_HAS_AVX2()) ||
		(count == 16 && LANES_CPU_HAS_AVX512());
}
