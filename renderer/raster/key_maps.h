/* Maps of depth that the key light sees: see draw/key_light.h. */
#pragma once

#include "draw/key_light.h"
#include "raster/cpu_rig.h"
#include "raster/raster.h"

/* One thread at a time. */
struct raster_key_maps;
struct raster_key_maps *raster_key_maps_create(void);
void raster_key_maps_destroy(struct raster_key_maps *maps); // takes NULL
void raster_key_maps_choose(struct raster_key_maps *maps, const struct raster_choice *choice);

/* Begins empty maps of a light. False with ERROR_TOO_LARGE, as below. */
bool raster_key_maps_begin(
	struct raster_key_maps *maps, const struct key_light *key, struct error *err);

/* Adds figures of a rig, [count] of [rig->vertex_count][3] positions in the world. cpu has the
 * textures that make holes. */
bool raster_key_maps_cast(struct raster_key_maps *maps, const struct key_light *key,
	const struct rig *rig, struct cpu_rig *cpu, const float *const *positions, size_t count,
	struct error *err);

/* The light with its maps, as kernels see it. */
struct raster_key {
	struct key_block block;
	const float *depths; // [KEY_MAPS][side][side], of the maps until they are begun again
	int side;
};
struct raster_key raster_key_maps_view(
	const struct raster_key_maps *maps, const struct key_light *key);

/* The shadow on the ground; context is struct raster_ground_key. */
struct raster_ground_key {
	struct raster_key key;
	float turn[9];   // from the world's axes to those of the light
	float origin[3]; // in the world: where lights are counted from
};
raster_shade ground_key_shade, ground_key_shade_avx2, ground_key_shade_avx512;
