/* The copy of what lies behind surfaces with transmission, on its way: a picture of opaque surfaces
 * in linear light, drawn beside that which is wanted. */
#pragma once

#include "raster/behind.h"
#include "raster/raster.h"

struct raster_copy;

struct raster_copy *raster_copy_create(void);
void raster_copy_destroy(struct raster_copy *copy); // takes NULL

/* Begins that of a picture. False with ERROR_TOO_LARGE. */
bool raster_copy_begin(
	struct raster_copy *copy, const struct raster_target *target, int lanes, struct error *err);

/* What it is drawn with; nothing with transmission is. */
struct raster *raster_copy_raster(struct raster_copy *copy);

/* Makes the texels of what was drawn since the last end, if anything was: reading the picture looks
 * at these. */
void raster_copy_end(struct raster_copy *copy);

/* Lives as long as the copy; its texels are those of the last end. */
const struct raster_behind *raster_copy_behind(const struct raster_copy *copy);
