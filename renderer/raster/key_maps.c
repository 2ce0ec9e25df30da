// Maps of depth that the key light sees.
#include "raster/key_maps.h"

#include <stdlib.h>
#include <string.h>

#include "base/lanes.h"
#include "base/memory.h"
#include "raster/plain.h"

struct raster_key_maps {
	struct raster *raster;
	int side;
	float *depths; // [KEY_MAPS][side][side]
};

struct raster_key_maps *raster_key_maps_create(void) {
	struct raster_key_maps *maps = xcalloc(1, sizeof *maps);
	maps->raster = raster_create();
	return maps;
}

void raster_key_maps_destroy(struct raster_key_maps *maps) {
	if (maps) {
		raster_destroy(maps->raster);
		free(maps->depths);
		free(maps);
	}
}

void raster_key_maps_choose(struct raster_key_maps *maps, const struct raster_choice *choice) {
	raster_choose(maps->raster, choice);
}

static size_t texels_of(const struct raster_key_maps *maps) {
	return (size_t)maps->side * (size_t)maps->side;
}

bool raster_key_maps_begin(
	struct raster_key_maps *maps, const struct key_light *key, struct error *err) {
	if (maps->side != key->side) {
		free(maps->depths);
		maps->side = 0;
		maps->depths = try_calloc((size_t)key->side * (size_t)key->side,
			KEY_MAPS * sizeof *maps->depths, "a shadow", err);
		if (!maps->depths) {
			return false;
		}
		maps->side = key->side;
	}
	for (size_t i = 0; i < KEY_MAPS * texels_of(maps); i++) {
		maps->depths[i] = 1;
	}
	return true;
}

/* A rig's primitives as a map sees them. */
struct casting {
	const struct rig *rig;
	struct raster_surface *surfaces; // [primitive_count]
	struct raster_plain *plains;     // [primitive_count]
	int lanes;
};

static void finish_casting(struct casting *casting) {
	free(casting->surfaces);
	free(casting->plains);
}

static bool begin_casting(
	struct casting *casting, const struct rig *rig, struct cpu_rig *cpu, struct error *err) {
	const size_t count = (size_t)rig->primitive_count;
	const struct raster_texture *textures[TEXTURE_USE_COUNT];
	casting->rig = rig;
	casting->surfaces = xcalloc(count + 1, sizeof *casting->surfaces);
	casting->plains = xcalloc(count + 1, sizeof *casting->plains);
	for (size_t i = 0; i < count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		const struct material *material = drawn_material(rig, primitive);
		if (!cpu_rig_textures(
			    cpu, rig, material, 1U << TEXTURE_BASE_COLOR, textures, err)) {
			return false;
		}
		raster_plain_begin(&casting->plains[i], NULL, material,
			textures[TEXTURE_BASE_COLOR], primitive->unlit);
	}
	return true;
}

static void set_map(struct casting *casting, int map) {
	for (int i = 0; i < casting->rig->primitive_count; i++) {
		const struct primitive *primitive = &casting->rig->primitives[i];
		const struct key_caster caster =
			key_caster_of(primitive, drawn_material(casting->rig, primitive), map);
		casting->plains[i].hole = caster.cutoff;
		casting->surfaces[i] = (struct raster_surface){
			.kind = caster.casts ? RASTER_OPAQUE : RASTER_HIDDEN,
			.mask = caster.cutoff > 0 ? LANES_CHOICE(casting->lanes, plain_mask) : NULL,
			.context = &casting->plains[i],
		};
	}
}

static bool draw_map(struct raster_key_maps *maps, const struct key_light *key, int map,
	const struct casting *casting, const float *const *positions, size_t count,
	struct error *err) {
	const struct raster_target target = {
		.width = maps->side, .height = maps->side, .samples = 1, .encoding = RASTER_DEPTH};
	struct raster_figure figure = {.rig = casting->rig, .surfaces = casting->surfaces};
	memcpy(figure.view_projection, key->view_projections[map], sizeof figure.view_projection);
	bool ok = raster_begin(maps->raster, &target, err);
	for (size_t i = 0; ok && i < count; i++) {
		figure.positions = positions[i];
		ok = raster_surfaces(maps->raster, &figure, err);
	}
	if (ok) {
		raster_read_depths(maps->raster, maps->depths + (size_t)map * texels_of(maps));
	}
	return ok;
}

bool raster_key_maps_cast(struct raster_key_maps *maps, const struct key_light *key,
	const struct rig *rig, struct cpu_rig *cpu, const float *const *positions, size_t count,
	struct error *err) {
	struct casting casting = {.lanes = raster_lanes(maps->raster)};
	bool ok = begin_casting(&casting, rig, cpu, err);
	for (int i = 0; ok && i < KEY_MAPS; i++) {
		set_map(&casting, i);
		ok = draw_map(maps, key, i, &casting, positions, count, err);
	}
	finish_casting(&casting);
	return ok;
}

struct raster_key raster_key_maps_view(
	const struct raster_key_maps *maps, const struct key_light *key) {
	return (struct raster_key){key->block, maps->depths, maps->side};
}
