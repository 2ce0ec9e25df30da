/* The parts of a picture that all its surfaces share: the eye and the light. */
#pragma once

#include "draw/job.h"
#include "raster/behind.h"
#include "raster/tables.h"

struct raster_key;

#define SCENE_LIGHT_TEXELS (TABLES_LIGHT_SIZE * TABLES_LIGHT_SIZE)

/* The tables of tables.h as floats, three numbers, and the share of the key in light. */
struct raster_sky {
	float light[TABLES_LIGHT_LAYERS][SCENE_LIGHT_TEXELS][4];
	float irradiance[TABLES_HARMONICS][3];
	float key_irradiance[TABLES_HARMONICS]; // 0 where there is no key
};

/* Skies, each made when it is first asked for. Any thread. */
struct raster_skies;
struct raster_skies *raster_skies_create(void);
void raster_skies_destroy(struct raster_skies *skies); // takes NULL
/* NULL for ENVIRONMENT_NONE. */
const struct raster_sky *raster_skies_get(struct raster_skies *skies, enum environment environment);
const float (*raster_skies_reflection(const struct raster_skies *skies))[TABLES_REFLECTION_SIZE][4];

struct raster_view {
	float view_projection[16]; // column-major, upside down: y = -1 is the first row
	float eye[4];              // in the world, 1; or 0 behind the direction towards the viewer
	float key_direction[3];    // unit, towards the key light of plain shading
	int width, height;         // of the picture, in pixels
};

/* The direction to the eye is linear in the place on the picture, where corner is the upper left
 * one and right and down are for 1/256 pixel. Not unit. */
struct raster_sight {
	float corner[3], right[3], down[3];
};

struct raster_scene {
	struct raster_sight world, sight; // in the axes of the world, and in those of the light
	float turn[9];
	float eye[4];    // as in struct raster_view
	float origin[3]; // in the world: where single lights are counted from
	float view_projection[16];
	const struct raster_behind *behind; // never NULL; borrowed
	float key_direction[3];
	float exposure;
	enum tone_mapping tone_mapping;
	const struct raster_sky *sky; // NULL = none
	const float (*reflection)[TABLES_REFLECTION_SIZE][4];
	const struct shaded_light *lights;
	int light_count;
	const struct raster_key *key; // the key light that casts; NULL = none does
};

/* Everything that scene points at is borrowed from look and skies. */
void raster_scene_begin(struct raster_scene *scene, const struct raster_view *view,
	const struct shaded_look *look, struct raster_skies *skies);
