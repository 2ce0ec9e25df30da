/* What the files of a sequence of pictures share. */
#pragma once

#include "image/sequence.h"
#include "interface/sequences.h"
#include "pose/run.h"
#include "skinned/footing.h"

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

/* The camera of a frame, whose still was prepared and skinned. */
bool reel_camera(struct renderer *renderer, const struct reel *reel, size_t frame,
	const struct prepared *prepared, const struct figure *figure, struct camera *out,
	struct error *err);

/* Prepares a still: after the one before it, or after none. Whoever has skinned it finishes it with
 * prepared_finish(). */
bool reel_prepare(struct renderer *renderer, struct reel *reel, size_t still, struct arena *arena,
	struct prepared *out, struct error *err);
