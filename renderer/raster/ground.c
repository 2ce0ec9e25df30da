// The ground: a shadow, drawn from below and blurred, and a grid.
#include "raster/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "raster/ground_shade.h"
#include "raster/key_maps.h"

/* --- The map of a shadow --- */

struct raster_shadow {
	struct raster *raster;
	struct ground_square square;
	struct ground_falloff falloff;
	double size;
	float view_projection[16]; // from below
	int side;                  // of the map, in texels
	float (*shades)[2];        // [side][side]
	unsigned char *rgba;       // [side][side][4]
};

struct raster_shadow *raster_shadow_create(void) {
	struct raster_shadow *shadow = xcalloc(1, sizeof *shadow);
	shadow->raster = raster_create();
	return shadow;
}

void raster_shadow_choose(struct raster_shadow *shadow, const struct raster_choice *choice) {
	raster_choose(shadow->raster, choice);
}

static void free_map(struct raster_shadow *shadow) {
	free(shadow->shades);
	free(shadow->rgba);
	shadow->shades = NULL;
	shadow->rgba = NULL;
	shadow->side = 0;
}

void raster_shadow_destroy(struct raster_shadow *shadow) {
	if (shadow) {
		free_map(shadow);
		raster_destroy(shadow->raster);
		free(shadow);
	}
}

static bool use_side(struct raster_shadow *shadow, int side, struct error *err) {
	const size_t texels = (size_t)side * (size_t)side;
	if (shadow->side != side) {
		free_map(shadow);
		shadow->shades = try_calloc(texels, sizeof *shadow->shades, "a shadow", err);
		shadow->rgba = shadow->shades ? try_calloc(texels, 4, "a shadow", err) : NULL;
		shadow->side = shadow->rgba ? side : 0;
	}
	if (shadow->side == side) {
		memset(shadow->shades, 0, texels * sizeof *shadow->shades);
	}
	return shadow->side == side;
}

/* The ground's view of what stands on it. Nothing so near is cut off by near and far: depth counts
 * from the ground, to twice the height up to which shadows are cast, on both sides. */
static void look_from_below(struct raster_shadow *shadow) {
	const struct ground_square *square = &shadow->square;
	const float scale = (float)(1 / square->half);
	const double depth = 1 / (2 * GROUND_NEAR_HEIGHT * shadow->size);
	const float matrix[16] = {
		[0] = scale,
		[6] = (float)depth,
		[9] = scale,
		[12] = (float)(-square->middle[0] / square->half),
		[13] = (float)(-square->middle[2] / square->half),
		[14] = (float)(-square->middle[1] * depth),
		[15] = 1,
	};
	memcpy(shadow->view_projection, matrix, sizeof matrix);
	shadow->falloff = (struct ground_falloff){
		.height = (float)square->middle[1],
		.touch = (float)(1 / (GROUND_TOUCH_HEIGHT * shadow->size)),
		.near = (float)(1 / (GROUND_NEAR_HEIGHT * shadow->size)),
	};
}

bool raster_shadow_begin(struct raster_shadow *shadow, const struct ground_square *square,
	double size, struct error *err) {
	shadow->square = *square;
	shadow->size = size;
	look_from_below(shadow);
	return use_side(shadow, ground_shadow_side(square, size), err);
}

static bool draw_cast(struct raster_shadow *shadow, const struct rig *rig, const float *positions,
	const struct raster_surface *surfaces, struct error *err) {
	const struct raster_target target = {
		.width = shadow->side,
		.height = shadow->side,
		.samples = 1,
		.encoding = RASTER_PLAIN,
	};
	struct raster_figure figure = {
		.rig = rig,
		.surfaces = surfaces,
		.positions = positions,
		.wants_positions = true,
	};
	memcpy(figure.view_projection, shadow->view_projection, sizeof figure.view_projection);
	const struct raster_area all = {0, 0, shadow->side, shadow->side};
	if (!raster_begin(shadow->raster, &target, err) ||
		!raster_surfaces(shadow->raster, &figure, err)) {
		return false;
	}
	raster_read(shadow->raster, &all, shadow->rgba);
	return true;
}

bool raster_shadow_cast(struct raster_shadow *shadow, const struct rig *rig, const float *positions,
	struct error *err) {
	struct raster_surface *surfaces =
		try_calloc((size_t)rig->primitive_count + 1, sizeof *surfaces, "a shadow", err);
	if (!surfaces) {
		return false;
	}
	for (int i = 0; i < rig->primitive_count; i++) {
		surfaces[i] = (struct raster_surface){
			.kind = RASTER_OPAQUE,
			.shade = LANES_CHOICE(raster_lanes(shadow->raster), ground_cast_shade),
			.context = &shadow->falloff,
		};
	}
	const bool ok = draw_cast(shadow, rig, positions, surfaces, err);
	free(surfaces);
	const size_t texels = (size_t)shadow->side * (size_t)shadow->side;
	for (size_t i = 0; ok && i < texels; i++) {
		for (size_t k = 0; k < 2; k++) {
			const float shade = (float)shadow->rgba[i * 4 + k] / 255;
			float *there = &shadow->shades[i][k];
			*there = shade > *there ? shade : *there;
		}
	}
	return ok;
}

/* --- The blur --- */

/* Weights of a Gaussian up to a distance, both kinds. */
struct blur {
	int reach;
	float (*weights)[2]; // [reach + 1]
	float total[2];
};

static void add_weights(struct blur *blur, int k, double sigma) {
	blur->total[k] = 0;
	for (int i = 0; i <= blur->reach; i++) {
		const double ratio = i / sigma;
		blur->weights[i][k] = (float)decay_exp(0.5 * ratio * ratio);
		blur->total[k] += (i == 0 ? 1 : 2) * blur->weights[i][k];
	}
}

/* One direction: from texel to texel step numbers, from line to line the other. Nothing stands at
 * the edge, so that what lies beyond it counts as nothing. */
static void blur_along(const struct blur *blur, int side, const float (*from)[2], float (*to)[2],
	size_t step, size_t line) {
	for (int y = 0; y < side; y++) {
		for (int x = 0; x < side; x++) {
			const size_t at = (size_t)x * step + (size_t)y * line;
			float sum[2] = {from[at][0], from[at][1]};
			for (int i = 1; i <= blur->reach; i++) {
				const size_t away = (size_t)i * step;
				for (int k = 0; k < 2; k++) {
					const float before = x >= i ? from[at - away][k] : 0;
					const float after = x + i < side ? from[at + away][k] : 0;
					sum[k] += blur->weights[i][k] * (before + after);
				}
			}
			to[at][0] = sum[0] / blur->total[0];
			to[at][1] = sum[1] / blur->total[1];
		}
	}
}

bool raster_shadow_end(struct raster_shadow *shadow, struct error *err) {
	const size_t side = (size_t)shadow->side;
	const double texel = 2 * shadow->square.half / shadow->side;
	const double sigmas[2] = {
		GROUND_TOUCH_BLUR * shadow->size / texel, GROUND_NEAR_BLUR * shadow->size / texel};
	struct blur blur = {.reach = (int)ceil(3 * sigmas[1])};
	float(*half)[2] = try_calloc(side * side, sizeof *half, "a shadow", err);
	blur.weights = try_calloc((size_t)blur.reach + 1, sizeof *blur.weights, "a shadow", err);
	const bool ok = half && blur.weights;
	if (ok) {
		add_weights(&blur, 0, sigmas[0]);
		add_weights(&blur, 1, sigmas[1]);
		blur_along(&blur, shadow->side, (const float(*)[2])shadow->shades, half, 1, side);
		blur_along(&blur, shadow->side, (const float(*)[2])half, shadow->shades, side, 1);
	}
	free(blur.weights);
	free(half);
	return ok;
}

/* --- What is seen --- */

/* The transform from places on a square to its map. */
struct map {
	double scale, x, z; // of lengths; where its middle is
};

/* A square of the ground as a rig, with places on the map and on the square as texture coordinates.
 */
struct square_mesh {
	struct rig rig;
	struct primitive primitive;
	float positions[4][3], places[4][2], corners[4][2];
	uint32_t indices[6];
	struct raster_surface surface;
};

static struct square_mesh *make_square(
	const struct ground_square *square, const struct map *map, struct arena *arena) {
	static const uint32_t indices[6] = {0, 1, 2, 2, 1, 3};
	struct square_mesh *mesh = arena_alloc(arena, 1, sizeof *mesh);
	for (int i = 0; i < 4; i++) {
		const double x = i % 2 == 0 ? -1 : 1, z = i < 2 ? -1 : 1;
		mesh->positions[i][0] = (float)(square->middle[0] + x * square->half);
		mesh->positions[i][1] = (float)square->middle[1];
		mesh->positions[i][2] = (float)(square->middle[2] + z * square->half);
		mesh->places[i][0] = (float)(x * square->half * map->scale + map->x);
		mesh->places[i][1] = (float)(z * square->half * map->scale + map->z);
		mesh->corners[i][0] = (float)x;
		mesh->corners[i][1] = (float)z;
	}
	memcpy(mesh->indices, indices, sizeof indices);
	mesh->primitive = (struct primitive){.material = -1,
		.topology = TOPOLOGY_TRIANGLES,
		.vertex_count = 4,
		.index_count = 6};
	mesh->rig.primitive_count = 1;
	mesh->rig.primitives = &mesh->primitive;
	mesh->rig.vertex_count = 4;
	mesh->rig.texcoords[0] = mesh->places[0];
	mesh->rig.texcoords[1] = mesh->corners[0];
	mesh->rig.index_count = 6;
	mesh->rig.indices = mesh->indices;
	return mesh;
}

/* Blends a square over what is there. It is drawn before all else and knows no depth, so that near
 * and far do not cut it; only what is behind the eye is cut off. */
static bool draw_square(struct raster *raster, struct square_mesh *mesh, raster_shade *shade,
	const void *context, const float *view_projection, struct error *err) {
	mesh->surface =
		(struct raster_surface){.kind = RASTER_BLENDED, .shade = shade, .context = context};
	struct raster_figure figure = {
		.rig = &mesh->rig,
		.surfaces = &mesh->surface,
		.positions = mesh->positions[0],
		.wants_positions = true,
	};
	memcpy(figure.view_projection, view_projection, sizeof figure.view_projection);
	for (int i = 0; i < 4; i++) {
		figure.view_projection[i * 4 + 2] = 0;
	}
	return raster_blended(raster, &figure, err);
}

bool raster_draw_shadow(struct raster *raster, const struct raster_shadow *shadow,
	const float *view_projection, const struct ground_square *square, struct arena *arena,
	struct error *err) {
	const struct map map = {0.5 / square->half, 0.5, 0.5};
	struct ground_map *shades = arena_alloc(arena, 1, sizeof *shades);
	*shades = (struct ground_map){shadow->side, (const float(*)[2])shadow->shades};
	return draw_square(raster, make_square(square, &map, arena),
		LANES_CHOICE(raster_lanes(raster), ground_shadow_shade), shades, view_projection,
		err);
}

bool raster_draw_key_shadow(struct raster *raster, const struct raster_key_maps *maps,
	const struct draw_job *job, struct arena *arena, struct error *err) {
	const struct key_light *key = job->look.key;
	const struct map map = {0.5 / key->square.half, 0.5, 0.5};
	struct raster_ground_key *ground = arena_alloc(arena, 1, sizeof *ground);
	ground->key = raster_key_maps_view(maps, key);
	memcpy(ground->turn, job->look.turn, sizeof ground->turn);
	for (int k = 0; k < 3; k++) {
		ground->origin[k] = job->eye[3] * job->eye[k];
	}
	return draw_square(raster, make_square(&key->square, &map, arena),
		LANES_CHOICE(raster_lanes(raster), ground_key_shade), ground, job->view_projection,
		err);
}

/* A multiple of ten units nearby, from which the map's numbers are counted: they are small however
 * far the square is away. */
static double origin_near(double place, double unit) {
	return round(place / (10 * unit)) * 10 * unit;
}

bool raster_draw_grid(struct raster *raster, const float *view_projection,
	const struct ground_grid *grid, struct arena *arena, struct error *err) {
	const double unit = grid->unit;
	const double x = origin_near(grid->square.middle[0], unit);
	const double z = origin_near(grid->square.middle[2], unit);
	const struct map map = {
		1 / unit, (grid->square.middle[0] - x) / unit, (grid->square.middle[2] - z) / unit};
	struct ground_lines *lines = arena_alloc(arena, 1, sizeof *lines);
	*lines = (struct ground_lines){
		.lightness = (float)grid->lightness,
		.strength = (float)grid->strength,
		.middle = {(float)(-x / unit), (float)(-z / unit)},
	};
	return draw_square(raster, make_square(&grid->square, &map, arena),
		LANES_CHOICE(raster_lanes(raster), ground_grid_shade), lines, view_projection, err);
}
