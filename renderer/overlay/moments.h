/* The pose of a picture at other times by the clock. */
#pragma once

#include "interface/pictures.h"
#include "pose/run.h"
#include "skinned/prepare.h"

struct moments {
	const struct frame_job *job;
	const struct value *expression; // of the pose; NULL = rest
	struct pose_run run;            // of all of them
	struct arena *spare;            // for one after another; the caller's
};

/* The length of the pose's clips, and the picture's moment in them. */
struct moments_length {
	double length_s; // of the longest; 0 = none is sampled
	double start_s;  // when that one starts, counted from the picture's moment: at most 0
};

/* Begins, with two arenas that outlive it. */
void moments_begin(struct moments *moments, const struct frame_job *job,
	const struct prepared *prepared, struct arena *arena, struct arena *spare);

/* Evaluates the pose so much later than the picture's. The pose is in the spare arena, until the
 * next. *clip and *clip_s, which may be NULL: the clip sampled last, and the moment in it. Fails
 * like pose_evaluate(). */
bool moments_pose(struct moments *moments, double later_s, struct pose *pose, int *clip,
	double *clip_s, struct error *err);

/* The joints in the world then, [joint_count], the caller's. Fails in the same ways, and with
 * ERROR_INVALID_VALUE where a joint is beyond float32. */
bool moments_world(struct moments *moments, double later_s, double (*world)[12], struct error *err);

/* Fails like moments_pose(). */
bool moments_length(struct moments *moments, struct moments_length *out, struct error *err);
