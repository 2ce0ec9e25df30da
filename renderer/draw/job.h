/* The drawing of skinned rigs, as pictures ask a back end for it. */
#pragma once

#include "base/settings.h"
#include "bindings.glsl"
#include "draw/paint.h"
#include "model/rig.h"

/* A rig as a back end has it: see back_end.h. */
struct drawn_rig;
struct drawn_copies;
struct key_light;

/* A light in the axes of the light from all around (struct Light in shaders/include/shaded.glsl).
 */
struct shaded_light {
	float place[4]; // from the eye, or of no eye's place from the origin; w = 0: direction to
			// it
	float direction[4]; // that it shines in; w: what the cosine to it is multiplied by
	float color[4];     // times its strength; w: what is added to that cosine
	float range[4];     // x: one over it, to the fourth power; 0 = it has none
};

/* The light of a picture. */
struct shaded_look {
	enum environment environment;
	enum tone_mapping tone_mapping;
	float exposure;                    // that light is multiplied by
	double time_s;                     // of what moves by itself on surfaces
	float turn[9];                     // column-major: the world's axes to those of the light
	const struct shaded_light *lights; // [light_count], at most SHADED_LIGHTS_MAX
	int light_count;
	const struct key_light *key; // whose shadows fall on surfaces; NULL = none do
};

/* What is drawn of many figures at a time, in this order. */
enum draw_pass {
	DRAW_OPAQUE,
	DRAW_TRANSMISSIVE, // hides what lies behind, and shows a copy of it
	DRAW_BLENDED,
};

struct draw_job {
	const struct rig *rig;
	const struct drawn_rig *drawn; // with skinned vertices
	const bool *mirrored; // [rig->primitive_count] whether its pose turns it inside out
	const float *scales;  // [rig->primitive_count] by which its pose scales it; NULL = by 1
	bool tangents;        // skinned, too; else normal maps lie as textures do
	float view_projection[16]; // world to clip space, column-major
	float eye[4];              // in the world, 1; or 0 behind the direction towards the viewer
	float back[3];             // against the view: what has more along it is nearer
	float key_direction[3];    // unit, towards the key light
	bool flipped;              // view_projection mirrors the picture, as for readback
	const struct paint *paint; // in the place of materials, all opaque; NULL = materials
	bool plain;                // these in base colours under the key light only
	struct shaded_look look;   // else
	const float *positions;    // [vertex_count][3] skinned, by which what one sees through is
				   // sorted; NULL = it is drawn in the file's order
};

/* The placement of a copy; both are three rows of four. */
struct drawn_figure {
	float placement[12];  // from the rig's world to the picture's
	float normal_map[12]; // the same for normals up to a factor; the fourth column is 0, but
			      // for the first row's, which is the copy's number
};

/* Copies of a rig that stand anywhere. */
struct draw_many_job {
	struct draw_job job; // drawn: of the materials; mirrored is not looked at
	const struct drawn_copies *copies;
	const struct drawn_figure *figures; // [count]
	const bool *const *mirrored;        // [count][rig->primitive_count] pose and place together
	int count;
	enum draw_pass pass; // blended primitives are drawn figure by figure
};
