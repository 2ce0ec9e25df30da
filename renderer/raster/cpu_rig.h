/* A rig as the rasteriser has it: skinned vertices, and textures once they are drawn. */
#pragma once

#include "draw/back_end.h"
#include "draw/material.h"
#include "raster/texture.h"

struct cpu_rig {
	struct drawn_rig drawn;
	float *streams; // [gpu_rig_stream_floats] positions, normals, tangents
	uint32_t (*edges)[2];
	size_t edge_count;
	/* [texture_count] each: as numbers, and as sRGB where RGB are; NULL = was not needed so
	 * far.
	 */
	struct raster_texture **textures[2];
	int texture_count;
};

static inline struct cpu_rig *cpu_rig_of(struct drawn_rig *drawn) {
	return (struct cpu_rig *)drawn;
}

/* NULL with ERROR_TOO_LARGE. */
struct cpu_rig *cpu_rig_create(const struct rig *rig, size_t *bytes, struct error *err);
void cpu_rig_destroy(struct cpu_rig *cpu); // takes NULL

/* Writes a copy of skinned vertices; tangents may be NULL. */
void cpu_streams_put(float *streams, const struct rig *rig, const float *positions,
	const float *normals, const float *tangents);

/* Fills out with the textures that a material looks up, made if need be; the others are NULL. rig
 * is the one that cpu was created for. False with ERROR_TOO_LARGE. */
bool cpu_rig_textures(struct cpu_rig *cpu, const struct rig *rig, const struct material *material,
	unsigned maps, const struct raster_texture *out[static TEXTURE_USE_COUNT],
	struct error *err);
