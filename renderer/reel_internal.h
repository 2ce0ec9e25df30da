/* What the files of a sequence of pictures share. */
#pragma once

#include <pthread.h>

#include "image/sequence.h"
#include "renderer_internal.h"

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
	size_t turn_count; // places of the camera
	double rate;       // frames a second that it is shown at

	/* The camera, but for its yaw. */
	struct camera_settings camera;
	double first_yaw_deg;              // of a turntable
	float points[REEL_POINTS_MAX * 3]; // that near and far are around
	size_t point_count;
	struct footing footing; // of all stills

	/* Where it has come to. */
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

/* The camera of the i-th place, for the still that was prepared last. */
bool reel_camera(struct renderer *renderer, const struct reel *reel, size_t turn,
	const struct prepared *prepared, const struct figure *figure, struct camera *out,
	struct error *err);

/* Prepares a still: after the one before it, or after none. Whoever has skinned it finishes it with
 * prepared_finish(). */
bool reel_prepare(struct renderer *renderer, struct reel *reel, size_t still, struct arena *arena,
	struct prepared *out, struct error *err);

/* --- A thread that packs frames while others are drawn. --- */

/* Frames that are drawn ahead of it. */
#define REEL_LINE_SLOTS 2

struct reel_line {
	const struct reel *reel;
	struct buffer *out; // the thread's until the end
	pthread_t thread;
	pthread_mutex_t mutex; // guards what follows
	pthread_cond_t changed;
	unsigned char *slots[REEL_LINE_SLOTS]; // pixels; owned
	size_t drawn, packed;                  // frames so far
	size_t bytes;                          // of out
	bool ending, failed;
	struct error err; // of the thread
	double encode_s;  // that it took
};

/* Starts the thread, which appends to out. False with ERROR_OVERLOADED; then there is nothing to
 * end. */
bool reel_line_begin(
	struct reel_line *line, const struct reel *reel, struct buffer *out, struct error *err);

/* Pixels for the next frame, when there is room; NULL when packing has failed. */
unsigned char *reel_line_take(struct reel_line *line);

/* Hands them over. */
void reel_line_give(struct reel_line *line);

/* Bytes of out so far. */
size_t reel_line_bytes(struct reel_line *line);

/* Waits until all is packed, and ends the thread. False with what it failed with. */
bool reel_line_end(struct reel_line *line, struct error *err);
