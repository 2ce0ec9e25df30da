/* From a draw job to a figure for the rasteriser: skinned vertices where they stand, and the way in
 * which each primitive is drawn. */
#pragma once

#include "base/arena.h"
#include "draw/job.h"
#include "raster/cpu_rig.h"
#include "raster/raster.h"
#include "raster/scene.h"

/* Skinned vertices: [vertex_count][3], [3], [4]; tangents NULL = none. */
struct surface_streams {
	const float *positions, *normals, *tangents;
};

/* Those of a rig as cpu_rig.h has them. */
struct surface_streams surface_streams_of(const struct rig *rig, const float *streams);

/* Those of one of several copies, placed as a figure; in the arena. */
struct surface_streams surface_streams_placed(const struct rig *rig, const float *copies,
	const struct drawn_figure *figure, struct arena *arena);

/* The materials of a picture, made once for all figures. */
struct surface_cache;

struct surface_job {
	const struct draw_job *draw;
	struct cpu_rig *cpu; // of draw->rig
	struct raster_skies *skies;
	const struct raster_key_maps *key_maps; // of draw->look.key; not looked at without it
	int width, height;                      // of the picture
	bool plain;                             // its pixels are numbers
	bool unmapped; // of the copy of what lies behind: light, of opaque surfaces
	const struct raster_behind *behind; // the copy; NULL = nothing was copied
	int lanes;                          // of the kernels that shade
	struct surface_cache **cache;       // of the picture, in the arena; NULL at its beginning
	struct arena *arena;                // that lives until the picture is read
};

/* The way in which each primitive of a rig is drawn; all of it lies in the arena. */
struct surface_set {
	const struct draw_job *draw;
	const struct rig *rig;                 // draw->rig, with other indices where the paint has
	const struct raster_surface *surfaces; // [rig->primitive_count]
	const float *colors; // [vertex_count][4] in the place of the rig's; or NULL
	bool wants_positions;
	const struct raster_surface *outlines;     // as surfaces; NULL = there are none
	const struct raster_surface *transmissive; // as opaque surfaces; NULL = there are none
};

/* Fills *out for what is drawn by this job. False with ERROR_TOO_LARGE. */
bool surface_set_make(const struct surface_job *job, struct surface_set *out, struct error *err);

/* Fills *out with the outlines of a figure, if it has any; in the arena. */
bool surface_set_outlines(const struct surface_set *set, const struct raster_figure *figure,
	struct arena *arena, struct raster_figure *out);

/* Fills *out with those surfaces of a figure that show what lies behind, if it has any. */
bool surface_set_transmissive(const struct surface_set *set, const struct raster_figure *figure,
	struct raster_figure *out);

/* A figure of it; mirrored, [rig->primitive_count], and streams are read when it is drawn. */
struct raster_figure surface_set_figure(
	const struct surface_set *set, const struct surface_streams *streams, const bool *mirrored);
