/* The ground of a picture: the shadow that figures cast on it, and a grid of lines. */
#pragma once

#include "base/arena.h"
#include "draw/ground.h"
#include "raster/raster.h"

struct raster_shadow;

/* NULL never. */
struct raster_shadow *raster_shadow_create(void);
void raster_shadow_destroy(struct raster_shadow *shadow); // takes NULL

/* Has later shadows drawn by another choice. */
void raster_shadow_choose(struct raster_shadow *shadow, const struct raster_choice *choice);

/* Begins a shadow in a square, of figures of which the largest has this size. */
bool raster_shadow_begin(struct raster_shadow *shadow, const struct ground_square *square,
	double size, struct error *err);

/* Casts the shadow of all of a rig's surfaces. positions are [rig->vertex_count][3] in the world.
 * Vertices are read at once. */
bool raster_shadow_cast(struct raster_shadow *shadow, const struct rig *rig, const float *positions,
	struct error *err);

/* Ends it: what was cast is blurred. */
bool raster_shadow_end(struct raster_shadow *shadow, struct error *err);

/* Add commands that draw the shadow that was ended last, and a grid, over all that is there. What
 * they borrow lies in the arena, until the picture is read. view_projection is [16], column-major.
 */
bool raster_draw_shadow(struct raster *raster, const struct raster_shadow *shadow,
	const float *view_projection, const struct ground_square *square, struct arena *arena,
	struct error *err);
/* The same of the shadow of the job's key light, whose maps these are. */
struct draw_job;
struct raster_key_maps;
bool raster_draw_key_shadow(struct raster *raster, const struct raster_key_maps *maps,
	const struct draw_job *job, struct arena *arena, struct error *err);
bool raster_draw_grid(struct raster *raster, const float *view_projection,
	const struct ground_grid *grid, struct arena *arena, struct error *err);
