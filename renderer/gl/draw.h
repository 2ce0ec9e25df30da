/* Drawing a rig's skinned vertices. For the thread whose context is current. */
#pragma once

#include "draw/job.h"
#include "gl/gpu_copies.h"

struct draw;

/* The programs and the state that all pictures share. software says that the driver draws on the
 * CPU: there opaque surfaces are encoded to sRGB by the shader, once a pixel, where the target can
 * be kept from encoding every sample. fetches says that vertex shaders may read the vertices of
 * many figures from a storage buffer, as drivers need not let them: without it draw_many() has a
 * call for each figure. Programs are made when they are first drawn with. */
struct draw *draw_create(bool software, bool fetches);
void draw_destroy(struct draw *draw); // takes NULL

struct behind;

/* Has what follows drawn into this copy of what lies behind surfaces with transmission, too, as far
 * as it is opaque; NULL = nothing has transmission. Borrowed. */
void draw_set_behind(struct draw *draw, struct behind *behind);

/* True when opaque surfaces are drawn with the target's encoding stopped, with materials (NULL) or
 * paint: it is best cleared in the same way. */
bool draw_encodes(const struct draw *draw, const struct paint *paint);

/* Draws all primitives into the current framebuffer: opaque ones first, then those that one can see
 * through, the farthest first, and each one's triangles likewise. */
bool draw_rig(struct draw *draw, const struct draw_job *job, struct error *err);

/* Draws all primitives in the job's paint, whose light is premultiplied by alpha, over what is
 * there: each pixel once, however many of its surfaces lie there. */
bool draw_translucent(struct draw *draw, const struct draw_job *job, struct error *err);

/* Draws them into the current framebuffer: all figures of a primitive in one call, but where some
 * are mirrored, or where several blended primitives of one figure come before those of the next. */
bool draw_many(struct draw *draw, const struct draw_many_job *many, struct error *err);

/* Draws all primitives of the copies, each where it stands, with the program and the state that are
 * there; of the job only rig and gpu are looked at. */
void draw_many_call(const struct draw_many_job *many);

/* The same primitive by primitive, once the copies' vertex array is bound; it stays so. */
void draw_many_begin(const struct draw_many_job *many);
void draw_many_primitive(const struct draw_many_job *many, const struct primitive *primitive);

/* Has all that is drawn with surface.vert stand where the rig's world is. */
void draw_in_place(void);

/* The one call that draws a primitive, with programs and state as they are; the rig's vertex array
 * is bound. */
void draw_call(const struct primitive *primitive);
