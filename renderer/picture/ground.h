/* The ground of pictures: the figure's shadow, and a grid. */
#pragma once

#include "draw/back_end.h"
#include "draw/ground.h"
#include "overlay/overlays.h"

struct figure;
struct renderer;

/* True when the picture shows anything on the ground, for which posed vertices are wanted. */
bool picture_has_ground(const struct picture_settings *picture);

/* True when anything has a shadow: a point has none. */
bool footing_has_shadow(const struct footing *footing);

/* Prepares what is to be drawn on the ground, before the picture is started; positions are known
 * where it has a ground. Has the job be drawn with the shadows of its key light, in room, if the
 * picture asks for them; fails like picture_begin_key(). */
bool picture_begin_ground(struct renderer *renderer, const struct drawing *drawing,
	struct draw_job *job, struct key_light *room, struct error *err);

/* Draws it as the job sees it, and adds to the pixels that may differ from the background. */
bool picture_draw_ground(struct renderer *renderer, const struct drawing *drawing,
	const struct draw_job *job, struct area *drawn, struct error *err);

/* Adds the figure, and those that overlays show, where the picture has a ground. Fails like
 * overlays_see(). */
bool figure_add_footing(const struct figure *figure, const struct picture_settings *picture,
	struct footing *footing, struct error *err);

/* The ground under a crowd. */
struct crowd_ground {
	const struct picture_settings *picture;
	const struct footing *footing; // of all figures
	bool casts;                    // whether there is a shadow, which all are to be cast into
	struct ground_square square;   // that it is in
};

/* Prepares it, before the picture is started; then ground_cast_many() for all figures and
 * ground_end_cast(), if it casts. picture and footing are borrowed. */
bool picture_begin_crowd_ground(struct renderer *renderer, const struct picture_settings *picture,
	const struct footing *footing, struct crowd_ground *out, struct error *err);

/* Draws it as a job of the picture sees it, before the figures. */
bool picture_draw_crowd_ground(struct renderer *renderer, const struct crowd_ground *ground,
	const struct draw_job *job, struct error *err);
