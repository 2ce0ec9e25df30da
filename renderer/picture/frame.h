/* A figure in a picture: skinned once, drawn from any side. */
#pragma once

#include "interface/pictures.h"
#include "picture/look.h"
#include "skinned/placement.h"

struct drawn_rig;
struct overlays;
struct renderer;

/* A pose that is skinned and can be drawn, from any side and as often as one likes. */
struct figure {
	const struct rig *rig;   // prepared.rig
	const struct rig *shown; // the same, with its materials as the pose's expressions have
				 // them, and the primitives that the view shows
	struct drawn_rig *drawn; // with the skinned vertices; until the next drawn_rigs_get()
	const bool *mirrored;    // [rig->primitive_count]
	const float *scales;     // likewise; NULL = no surface looks at its own
	const float *positions; // [vertex_count][3] skinned, until the next figure; NULL = they are
				// on the GPU, and neither camera nor drawing wants them
	struct overlays *overlays;        // in frame_skin()'s arena; NULL = none
	const struct world_light *lights; // [light_count]
	int light_count;
	double time_s;          // of what moves by itself on surfaces
	struct footing footing; // as in struct drawing; of none, until someone fills it in
};

/* Skins a prepared pose of the job for drawing. What it takes besides is in the arena. */
bool frame_skin(struct renderer *renderer, const struct frame_job *job,
	const struct prepared *prepared, struct arena *arena, struct figure *figure,
	struct error *err);

/* Draws it into rgba, [height][width][4], as picture_pixels() leaves it. mark is the clock of the
 * step before; what it took is added to the report. */
bool frame_draw(struct renderer *renderer, const struct frame_job *job, const struct figure *figure,
	const struct camera *camera, double *mark, unsigned char *rgba,
	struct skinning_report *report, struct error *err);
