/* The placement of skinned vertices. */
#pragma once

#include "draw/job.h"
#include "skinned/streams.h"
#include "view/camera.h"

/* A placement: a map from a rig's world to another. */
struct placement {
	double map[12];       // rows
	double normal_map[9]; // rows, up to a factor: the cofactor matrix of its linear part
	bool mirrored;        // it turns things inside out
	bool is_identity;
};

/* rows as in base/mat.h. */
struct placement placement_make(const double rows[static 12]);

/* Maps skinned streams of so many vertices in place; NULL ones are left out. Normals and tangents
 * stay unit. The identity leaves every bit as it is. */
void placement_apply(
	const struct placement *placement, const struct streams *streams, size_t count);

/* The same for positions alone, [count][3]. */
void placement_apply_points(const struct placement *placement, float *points, size_t count);

/* True when what skin_plan_keeps_near() says of vertices holds where they are put, too. */
bool placement_keeps_near(const struct placement *placement);

/* The same for the GPU, which draws a copy of this number. */
struct drawn_figure placement_figure(const struct placement *placement, size_t copy);

/* The height of the ground, which is at the lowest point: in the same place for all that is
 * to be seen together. */
struct footing {
	struct bounds box; // of all that was added
	double size;       // the greatest diagonal of any one
};

#define FOOTING_NONE ((struct footing){.box = BOUNDS_NONE})

/* Adds posed vertices, [count][3]. */
void footing_add(struct footing *footing, const float *positions, size_t count);
