/* Strokes as triangles of one colour on the screen, as shaders/stroke.vert makes them. */
#pragma once

#include "draw/strokes.h"
#include "raster/raster.h"

/* Adds a command that draws strokes with round ends, or with straight ones, which are made of fewer
 * triangles. False with ERROR_TOO_LARGE. */
bool raster_strokes(struct raster *raster, const struct strokes_job *job,
	const struct stroke *strokes, size_t count, bool round, struct error *err);

/* Strokes from a rig's skinned vertices, [vertex_count][3] each; count is of edges, or of
 * vertices. */
bool raster_edges(struct raster *raster, const struct strokes_job *job, const float *positions,
	const uint32_t (*edges)[2], size_t count, const struct stroke_style *style,
	struct error *err);
bool raster_normals(struct raster *raster, const struct strokes_job *job, const float *positions,
	const float *normals, size_t count, double length, const struct stroke_style *style,
	struct error *err);
