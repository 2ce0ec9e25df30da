/* The primitives that a pass over a rig draws, and their order. A pass is 0 for all surfaces, or
 * SHADED_OUTLINE for the outlines of those that have one. */
#pragma once

#include "draw/back_to_front.h"
#include "draw/job.h"

/* The pass of a primitive. */
enum draw_pass pass_of(const struct draw_job *job, int i);

/* True for what a pass draws. */
bool pass_draws(const struct draw_job *job, int i, unsigned pass);

/* True when a blended primitive hides what is drawn later behind it. */
bool pass_writes_depth(const struct draw_job *job, const struct primitive *primitive);

int pass_count(const struct draw_job *job, enum draw_pass pass);

/* A primitive that one can see through. */
struct pass_layer {
	int order; // of its material
	double depth;
	int primitive;
};

/* Lists what is blended in its order; [rig->primitive_count] has room for all. view: NULL = in the
 * file's order. Returns how many there are. */
int pass_list_layers(const struct draw_job *job, const struct back_to_front_view *view,
	unsigned pass, struct pass_layer *layers);
