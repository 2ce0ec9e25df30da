/* The overlays of a figure: from a picture's settings to lines and text. For the renderer's
 * thread. */
#pragma once

#include "base/stop.h"
#include "draw/back_end.h"
#include "draw/job.h"
#include "interface/pictures.h"
#include "skinned/placement.h"
#include "skinned/prepare.h"

struct drawn_rig;
struct overlays;
struct renderer;

/* A figure, as overlays draw it. */
struct drawing {
	const struct picture_settings *picture; // size, samples, background, shading
	struct draw_job job;                    // with paint that is there already, or none
	const struct rig *known;                // job.rig as clients know it
	const struct camera *camera;            // that job was made with
	const float *positions;    // [vertex_count][3] skinned; NULL = they are on the GPU only
	struct overlays *overlays; // NULL = none
	const struct stop *stop;   // NULL = never
	struct footing footing;    // of what is seen together, where the picture has a ground
};

/* Gets ready what the picture asks for, in the arena: *out is NULL where it is nothing. job,
 * prepared and drawn, the copy of its rig, stay the caller's and outlive it. Fails with
 * ERROR_UNKNOWN_JOINT, ERROR_INVALID_VALUE and the place, and like prepare(). */
bool overlays_begin(struct renderer *renderer, const struct frame_job *job,
	const struct prepared *prepared, struct drawn_rig *drawn, struct arena *arena,
	struct overlays **out, struct error *err);

/* True when figures besides that of the pose are drawn, which the camera is to see. overlays may be
 * NULL. */
bool overlays_have_figures(const struct overlays *overlays);

/* Looks at a figure's posed vertices, [vertex_count][3] of the rig that is skinned. */
typedef void overlays_look(void *context, const float *positions);

/* Shows them, one after another. Skins into the rig's copy on the GPU, where the pose of the
 * picture is left as frame_skin() does, and its positions on the CPU. */
bool overlays_see(struct overlays *overlays, overlays_look *look, void *context, struct error *err);

/* Draws what the figure hides into a picture that has been begun, before the figure: then the depth
 * is cleared. overlays may be NULL. */
bool overlays_draw_behind(
	struct overlays *overlays, const struct drawing *drawing, struct error *err);

/* Draws over the picture that is the framebuffer, whose figure has been drawn, and grows *drawn by
 * what it touches. overlays may be NULL. */
bool overlays_draw(struct overlays *overlays, const struct drawing *drawing, struct area *drawn,
	struct error *err);

/* Writes their text into the picture's pixels: straight alpha, first row on top. overlays may be
 * NULL. */
void overlays_write(const struct overlays *overlays, unsigned char *rgba);

struct overlays;
