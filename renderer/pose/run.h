/* The common state of all evaluations for one piece of work: the frames of one answer or of a clip
 * that is baked, whatever rigs they pose on the way. */
#pragma once

#include "base/arena.h"
#include "base/stop.h"
#include "model/pose_sources.h"
#include "pose/pose.h"

/* Joints that may be posed for one run, an operation at a time: some seconds of work. Expressions
 * nest, and operations that look at motion evaluate what is in them many times. */
#define POSE_RUN_JOINTS ((size_t)1 << 26)

/* Most bytes of what an evaluation holds: poses on the way of all its rigs, and the run's notes.
 * Several evaluate at the same time. */
#define POSE_RUN_BYTES ((size_t)256 << 20)

/* The state of an operation at one position in the expression. */
struct pose_note {
	const struct value *source;
	void *memory;
	struct pose_note *next;
};

/* The number of times that clips have started over. A caller that wants to know it of a part sets
 * it to zero before, and adds what was there after. */
struct pose_loops {
	bool known;   // a clip was sampled
	bool differ;  // clips have different numbers
	double count; // of the last one; below 0 where time goes backwards
};

#define POSE_NOTE_LISTS 64

/* Set arena, and the others where there are any; the rest is zero to begin with. */
struct pose_run {
	struct arena *arena;                // for notes; lives as long as the run
	const struct pose_sources *sources; // NULL = the expression can name no other rigs
	const struct stop *stop;            // NULL = never
	size_t joints;                      // posed so far
	bool sampled;                       // a clip was that has a length, which may be 0
	double clip_s;       // the longest clip sampled so far, of any rig, at its speed
	double clip_start_s; // when that one begins, by the clock; of what repeats, this time
	struct pose_loops loops;
	struct pose_note *notes[POSE_NOTE_LISTS];
};

/* Counts an operation on so many joints. False with ERROR_TOO_LARGE at the place when the run has
 * had its share, or with the stop's error. */
bool pose_run_spend(
	struct pose_run *run, const struct value *source, int joint_count, struct error *err);

/* The same for work that takes as long as posing so many joints. */
bool pose_run_spend_work(
	struct pose_run *run, const struct value *source, size_t joints, struct error *err);

/* The memory that an operation has for one place in the expression, zeroed when it is asked for the
 * first time and there until the run's arena ends: what takes long to find out, or goes on from
 * frame to frame. Whoever puts there what owns more leaves that to arena_defer(run->arena). bytes
 * are the same each time. */
void *pose_run_recall(struct pose_run *run, const struct value *source, size_t bytes);

void pose_loops_add(struct pose_loops *loops, const struct pose_loops *more);

/* Most bytes of poses of one evaluation, all nesting together: some thousand poses of a usual rig.
 * Render threads evaluate at the same time. */
#define POSE_POOL_BYTES ((size_t)64 << 20)

struct pose_slot {
	struct pose pose;       // with its arrays; contents of no meaning
	float *mask;            // [joint_count] for whoever blends the pose
	struct pose_slot *next; // in the pool
};

/* Zero is empty. */
struct pose_pool {
	struct pose_slot *free;
	size_t bytes; // of all slots made, free or not
};

/* A slot for poses of a rig, always the same one with a pool; its memory is in the arena. NULL with
 * ERROR_TOO_LARGE. */
struct pose_slot *pose_pool_take(
	struct pose_pool *pool, const struct rig *rig, struct arena *arena, struct error *err);

/* Gives a slot back; takes NULL. */
void pose_pool_give(struct pose_pool *pool, struct pose_slot *slot);
