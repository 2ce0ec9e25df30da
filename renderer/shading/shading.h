/* The shading modes of surfaces: one file here and one row of SHADINGS (base/settings.h) for each
 * mode but those that draw materials. */
#pragma once

#include "base/arena.h"
#include "base/settings.h"
#include "base/stop.h"
#include "draw/paint.h"
#include "image/layout.h"
#include "model/rig.h"
#include "view/camera.h"

struct renderer;

/* The meaning of a mode's pixels. */
enum shading_pixels {
	PIXELS_COLORS,  // a picture like any other
	PIXELS_NUMBERS, // bytes that must not be mixed: one sample a pixel
	PIXELS_DEPTH,   // likewise: the bits of a float, lowest first; all set = nothing is there
};

/* The input of a mode. */
struct shading_job {
	struct renderer *renderer;
	const struct rig *rig;   // that is drawn: it may be one that a skinning method has made
	const struct rig *known; // of the same joints, as clients know it
	const struct camera *camera;
	const struct shading_settings *settings;
	const struct stop *stop; // asked by what takes long; NULL = never
	struct arena *arena;     // for what the paint borrows
};

/* The legend of the colours: a scale, or a list. */
struct shading_legend {
	const char *caption;             // of the heat scale from 0 to 1; NULL = there is a list
	const struct list_entry *colors; // [count] what matters most first
	size_t count;
};

struct shading_mode {
	enum shading_pixels pixels;
	/* Fills *out, zeroed, with what surfaces are painted with. Fails with the place. NULL =
	 * they show their materials. */
	bool (*paint)(const struct shading_job *job, struct paint *out, struct error *err);
	/* Fills *out for job->known; rig, renderer and camera are not looked at. NULL = there is
	 * nothing to say. */
	bool (*explain)(
		const struct shading_job *job, struct shading_legend *out, struct error *err);
};

/* The row of a mode. */
const struct shading_mode *shading_mode(enum shading mode);

/* Paint for a number in [0, 1] at each vertex, borrowed, on the heat scale. */
void shading_heat(const float *shares, struct arena *arena, struct paint *out);

/* The colour of each vertex by the weights of all joints: out is [rig->vertex_count], in linear
 * light. */
void shading_joint_colors(const struct rig *rig, struct arena *arena, float (*out)[3]);

/* The modes, one per file. */
extern const struct shading_mode shading_matcap, shading_cg4m, shading_checker, shading_silhouette,
	shading_normals, shading_weights, shading_influences, shading_batches, shading_depth,
	shading_joint_id, shading_primitive_id;
