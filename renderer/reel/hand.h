/* One of those who draw frames, with a renderer of its own. */
#pragma once

#include "picture/frame.h"
#include "reel/reel.h"
#include "skinned/prepare.h"

struct reel_hand {
	struct renderer *renderer;
	struct reel *reel;
	struct arena *arena;           // of the figure
	struct skinning_report report; // of all its frames; method NULL = there was none
	double mark;                   // the clock of the step before
	size_t still;                  // that was prepared; SIZE_MAX = none
	bool skinned;                  // it is also the figure's
	struct frame_job frame;        // of that still
	struct prepared prepared;
	struct figure figure;
};

struct reel_hand reel_hand_begin(struct renderer *renderer, struct reel *reel);
void reel_hand_end(struct reel_hand *hand);

/* Prepares a frame's still, unless it was the last. One hand at a time, and frames in their order:
 * poses may go on from those before. Fails like renderer_vertices. */
bool reel_hand_prepare(struct reel_hand *hand, size_t frame, struct error *err);

/* Draws a frame whose still was prepared into rgba, beside other hands. Fails like renderer_frame.
 */
bool reel_hand_draw(struct reel_hand *hand, size_t frame, unsigned char *rgba, struct error *err);
