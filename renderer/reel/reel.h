/* Shared by the files of a sequence of pictures. */
#pragma once

#include <pthread.h>

#include "image/sequence.h"
#include "interface/sequences.h"
#include "picture/frame.h"
#include "pose/run.h"
#include "skinned/placement.h"
#include "skinned/prepare.h"

struct figure;
struct prepared;

/* Points that a sequence's camera is made for: those of struct camera_extremes, or a box' corners.
 */
#define REEL_POINTS_MAX 20

/* A pose at a moment: what is skinned once, and may be drawn from many places. */
struct still {
	const struct value *pose; // NULL = rest
	double time_s;            // on its clock
};

struct reel {
	struct reel_job job;
	struct arena *arena;

	/* The plan: every still from the first place of the camera, then from the next. */
	struct still *stills; // [still_count] in the arena
	size_t still_count;
	size_t turn_count;        // places of the camera
	double rate;              // frames a second that it is shown at, or the mean
	const double *begins_s;   // as in sequence_settings, in the arena; NULL = evenly
	const char *rate_pointer; // to what says so, in the arena; NULL = nothing does

	/* The camera, but for its yaw. */
	struct camera_settings camera;
	double first_yaw_deg;              // of a turntable
	float points[REEL_POINTS_MAX * 3]; // that near and far are around
	size_t point_count;
	struct footing footing; // of all stills

	/* The progress of a sequence. */
	struct sequence_settings settings;
	void *sequence;      // of job.format; NULL = nothing was drawn so far
	size_t next;         // frame to be drawn
	size_t still;        // that was prepared last; SIZE_MAX = none
	struct arena *notes; // of the run and the memory
	struct pose_run run; // of the stills that were prepared so far
	struct skin_memory memory;
};

/* Fills in the plan. False with ERROR_INVALID_VALUE or ERROR_TOO_LARGE at what says too much, and
 * what evaluating the pose fails with. */
bool reel_plan(struct reel *reel, struct error *err);

/* Fills in the camera, for which all stills are looked at. Fails like renderer_vertices. */
bool reel_fit(struct renderer *renderer, struct reel *reel, struct error *err);

/* The camera of a frame, whose still was prepared and skinned. */
bool reel_camera(struct renderer *renderer, const struct reel *reel, size_t frame,
	const struct prepared *prepared, const struct figure *figure, struct camera *out,
	struct error *err);

/* Prepares a still: after the one before it, or after none. Whoever has skinned it finishes it with
 * prepared_finish(). */
bool reel_prepare(struct renderer *renderer, struct reel *reel, size_t still, struct arena *arena,
	struct prepared *out, struct error *err);

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

/* Hands that draw at once. */
#define REEL_HANDS_MAX 4

/* Each hand draws one frame, and one is packed. */
#define REEL_LINE_SLOTS (REEL_HANDS_MAX + 1)

struct reel_line {
	const struct reel *reel;
	struct buffer *out; // the thread's until the end
	pthread_t thread;
	pthread_mutex_t mutex; // guards what follows
	pthread_cond_t changed;
	struct reel_slot {
		unsigned char *rgba; // pixels; owned; NULL = was not needed so far
		bool drawn;          // and is to be packed
	} slots[REEL_LINE_SLOTS];
	size_t hands;         // at most REEL_HANDS_MAX
	size_t taken, packed; // frames so far
	size_t failed_at;     // the first frame that will not be there; SIZE_MAX = none
	struct error err;     // why not
	size_t bytes;         // of out
	bool ending;
	double encode_s; // that the thread took
};

/* Starts the thread, which appends to out, for one hand. False with ERROR_OVERLOADED; then there is
 * nothing to end. */
bool reel_line_begin(
	struct reel_line *line, const struct reel *reel, struct buffer *out, struct error *err);

/* One more hand, or one fewer. False when there are as many as there can be. */
bool reel_line_join(struct reel_line *line);
void reel_line_leave(struct reel_line *line);

/* Pixels for the next frame, when there is room: the places of frames in the line follow from the
 * order of these calls, and are 0 and up. NULL when one has failed. */
unsigned char *reel_line_take(struct reel_line *line);

/* Hands a frame over; or with *err says that there is none, so that the line ends before it. */
void reel_line_give(struct reel_line *line, size_t place, const struct error *err);

/* Bytes of out so far. */
size_t reel_line_bytes(struct reel_line *line);

/* Waits until all is packed, and ends the thread; all hands but the first have left. *packed is how
 * many frames there are. False with what the first that is not there failed with. */
bool reel_line_end(struct reel_line *line, size_t *packed, struct error *err);
