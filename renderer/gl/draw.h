/* Drawing a rig's skinned vertices. For the thread whose context is current. */
#pragma once

#include "gl/gpu_copies.h"
#include "gl/paint.h"
#include "gl/shaded.h"

struct draw;

/* The programs and the state that all pictures share. software says that the driver draws on the
 * CPU: there opaque surfaces are encoded to sRGB by the shader, once a pixel, where the target can
 * be kept from encoding every sample. fetches says that vertex shaders may read the vertices of
 * many figures from a storage buffer, as drivers need not let them: without it draw_many() has a
 * call for each figure. Programs are made when they are first drawn with. */
struct draw *draw_create(bool software, bool fetches);
void draw_destroy(struct draw *draw); // takes NULL

/* True when opaque surfaces are drawn with the target's encoding stopped, with materials (NULL) or
 * paint: it is best cleared in the same way. */
bool draw_encodes(const struct draw *draw, const struct paint *paint);

struct draw_job {
	const struct rig *rig;
	const struct gpu_rig *gpu; // with skinned vertices
	const bool *mirrored;      // [rig->primitive_count] whether its pose turns it inside out
	bool tangents;             // skinned, too; else normal maps lie as textures do
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

/* Draws all primitives into the current framebuffer: opaque ones first, then those that one can see
 * through, the farthest first, and each one's triangles likewise. */
bool draw_rig(struct draw *draw, const struct draw_job *job, struct error *err);

/* Draws all primitives in the job's paint, whose light is premultiplied by alpha, over what is
 * there: each pixel once, however many of its surfaces lie there. */
bool draw_translucent(struct draw *draw, const struct draw_job *job, struct error *err);

/* Copies of a rig that stand anywhere. */
struct draw_many_job {
	struct draw_job job; // gpu: of the materials; mirrored is not looked at
	const struct gpu_copies *copies;
	const struct gpu_figure *figures; // [count]
	const bool *const *mirrored;      // [count][rig->primitive_count] pose and place together
	int count;
	bool blended; // only blended primitives are drawn, figure by figure; else only the others
};

/* Draws them into the current framebuffer: all figures of a primitive in one call, but where some
 * are mirrored, or where several blended primitives of one figure come before those of the next. */
bool draw_many(struct draw *draw, const struct draw_many_job *many, struct error *err);

/* Draws all primitives of the copies, each where it stands, with the program and the state that are
 * there; of the job only rig and gpu are looked at. */
void draw_many_call(const struct draw_many_job *many);

/* True when one can see through any primitive of the rig. */
bool draw_has_blended(const struct rig *rig);

/* True when normal maps of the rig's materials go by its tangents. */
bool draw_takes_tangents(const struct rig *rig);

/* Has all that is drawn with surface.vert stand where the rig's world is. */
void draw_in_place(void);

/* The one call that draws a primitive, with programs and state as they are; the rig's vertex array
 * is bound. */
void draw_call(const struct primitive *primitive);
