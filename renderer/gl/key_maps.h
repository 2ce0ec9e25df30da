/* Maps of depth that the key light sees: see draw/key_light.h. For the thread whose context is
 * current. */
#pragma once

#include "draw/key_light.h"
#include "gl/draw.h"

struct key_maps;

/* NULL with ERROR_INTERNAL. */
struct key_maps *key_maps_create(struct error *err);
void key_maps_destroy(struct key_maps *maps); // takes NULL

/* Begins empty maps of a light; changes framebuffer and viewport, as the next two do, so that it
 * comes before the picture is begun. */
bool key_maps_begin(struct key_maps *maps, const struct key_light *key, struct error *err);

/* Adds a figure, or many. */
bool key_maps_cast(struct key_maps *maps, const struct key_light *key, const struct draw_job *job,
	struct error *err);
bool key_maps_cast_many(struct key_maps *maps, const struct key_light *key,
	const struct draw_many_job *many, struct error *err);

/* Binds the light and its maps for the shaders of key.glsl. */
void key_maps_use(const struct key_maps *maps);

/* Draws the shadow of the job's key light on the ground, over all that is there, without depth. */
bool key_maps_draw_ground(
	const struct key_maps *maps, const struct draw_job *job, struct error *err);
