/* The pose language: an expression of nested operations -> a pose. Each operation is one file,
 * pose/operations/NAME.c, and one row of the list below. */
#pragma once

#include "base/loop.h"
#include "base/value.h"
#include "pose/run.h"

/* Every operation: the member that tells it (no other operation has a member of that name; it is
 * also that of its function and file), whether it is written as a string ("rest") and not as an
 * object, whether it takes about as long as a few poses of what is in it (others may look at many
 * moments, or go on in steps), and one line about it. */
#define POSE_OPERATIONS(X) \
	X(rest, true, true, "the node transforms in the file") \
	X(clip, false, true, "a clip sampled at a time") \
	X(blend, false, true, "the weighted average of poses") \
	X(crossfade, false, true, "from one pose to another, eased") \
	X(playlist, false, true, "poses that begin one after another") \
	X(sync, false, false, "clips in step with one another") \
	X(transition, false, false, "from one clip to another where both pass through a pose") \
	X(blend_space, false, false, "samples on a line or in a plane, by distance") \
	X(layers, false, true, "poses laid over one another, each with a mask") \
	X(inertialize, false, false, "a jump to a pose, smoothed out") \
	X(add, false, true, "the difference of two poses put on top of a third") \
	X(mirror, false, true, "a pose with left and right changed") \
	X(limit, false, false, "a pose with its joints turned back into their limits") \
	X(root_motion, false, false, "a pose without its way over the ground, or with all of it") \
	X(reset, false, true, "a pose with joints back at rest") \
	X(scale_time, false, true, "a pose whose clips run faster or slower") \
	X(reverse, false, true, "a pose whose clips run backwards") \
	X(retarget, false, false, "a pose of another rig") \
	X(copy, false, false, "a pose of another rig with the same joints, as it is") \
	X(attach, false, false, "a pose that goes with a joint of another rig") \
	X(two_bone, false, false, "a limb of two bones whose end is brought to a target") \
	X(look_at, false, false, "a joint whose axis is aimed at a point") \
	X(ccd, false, false, "chains brought to their goals joint by joint") \
	X(fabrik, false, false, "chains brought to their goals by reaching back and forth") \
	X(jacobian, false, false, "chains brought to their goals by damped least squares") \
	X(jacobian_transpose, false, false, \
		"chains brought to their goals down the steepest slope") \
	X(foot_lock, false, false, "feet that stand still on the ground where they touch it") \
	X(ragdoll, false, false, "a pose let go: its joints fall as rigid bodies") \
	X(set, false, true, "a pose with some transforms and morph weights replaced")

/* The phases of an expression's clips. */
enum clips_at {
	CLIPS_AT_TIME,
	CLIPS_AT_START, // each at its start, whatever time it is asked for
	CLIPS_AT_END,   // each at its end
};

/* The passing of time for the clips of an expression. A clip that is asked for at t shows what it
 * has at speed * (t + clock_s), counted from its end where time is reversed, and then by its loop
 * mode.
 */
struct pose_time {
	double clock_s; // since the moment that the expression names; 0 = that moment
	double speed;   // 1 = as the clips have it
	bool reversed;
	enum clips_at at;
};

/* From the time that is asked for of something that lasts duration_s to the time that it shows,
 * before any looping. False with ERROR_INVALID_VALUE at the place where there is no such number. */
bool pose_time_pass(const struct pose_time *time, const struct value *place, double duration_s,
	double *time_s, struct error *err);

/* The spaces in which operations mix rotations: in each joint's own space, or with the rotations
 * that joints have in the whole model. */
enum pose_space { POSE_SPACE_LOCAL, POSE_SPACE_MODEL, POSE_SPACE_COUNT };

/* The spaces' names in requests, in the order of the enum, ended by NULL. */
extern const char *const pose_space_names[POSE_SPACE_COUNT + 1];

/* The input of every operation; pose_context_make() makes one. */
struct pose_context {
	const struct rig *rig;
	struct arena *arena;    // for the pose and everything on the way
	struct pose_run *run;   // shared with the contexts of other rigs
	size_t bytes_before;    // that the arena had when the first context in it was made
	struct pose_pool spare; // poses on the way, for the next one that needs some
	struct pose_time time;
	int clip;      // position in rig->clips of the one sampled last
	double time_s; // in it, on its own key axis
	/* Contexts of the rigs that the expression poses beside this one, and the next of such a
	 * list. */
	struct pose_context *others, *next;
};

/* The moment on the key axis of what lasts duration_s that is shown at a time on which
 * pose_time_pass() has been: looped, or the end that the context asks for. Counts the loops for who
 * wants to know them. loops: that have passed before this time. */
double pose_find_moment(struct pose_context *context, enum loop loop, double loops, double time_s,
	double duration_s);

/* Tells those who ask how long an expression is of something in it that lasts so long, and is at a
 * moment on its own key axis: beyond its ends where it has yet to begin, or is over. */
void pose_note_length(struct pose_context *context, double duration_s, double moment_s);

/* A context for the moment that an expression names. run NULL: one of its own, in the arena, that
 * names no other rigs. */
struct pose_context pose_context_make(
	const struct rig *rig, struct arena *arena, struct pose_run *run);

/* The context of another rig that poses for this one, at the same moment; the same each time. */
struct pose_context *pose_context_other(struct pose_context *context, const struct rig *rig);

/* Evaluates one object (or the string that names the operation) into *out, which has its arrays and
 * any contents. The operation reads its members with value_read_members, so that unknown ones are
 * refused with their place, and inner poses with pose_evaluate_into. */
typedef bool operation_evaluate(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err);

#define POSE_OPERATION_DECLARE(name, is_string, is_quick, title) \
	operation_evaluate operation_##name;
POSE_OPERATIONS(POSE_OPERATION_DECLARE)
#undef POSE_OPERATION_DECLARE

struct operation {
	const char *name;
	bool is_string;
	bool is_quick;     // takes about as long as a few poses of what is in it
	const char *title; // one line
	operation_evaluate *evaluate;
};

/* The i-th operation; NULL past the end. */
const struct operation *operation_at(size_t i);

/* True when all operations in an expression (NULL is "rest") are such that its text tells how long
 * it takes. Whatever is wrong in it is quickly found. */
bool pose_is_quick(const struct value *expression);

/* Evaluates an expression (NULL is "rest") into a pose made in the arena. Fails with the place in
 * the expression: ERROR_UNKNOWN_OPERATION with the list of those there are, the operation's own
 * errors, ERROR_TOO_LARGE where the poses that are needed at once take more than POSE_POOL_BYTES,
 * all together more than POSE_RUN_JOINTS, or they and the notes of the run POSE_RUN_BYTES. */
bool pose_evaluate(struct pose_context *context, const struct value *expression, struct pose *out,
	struct error *err);

/* The same into a pose that has its arrays; for operations. */
bool pose_evaluate_into(struct pose_context *context, const struct value *expression,
	struct pose *out, struct error *err);

/* The same at another moment: so much later by the clock, or earlier where it is negative. */
bool pose_evaluate_later(struct pose_context *context, const struct value *expression,
	double later_s, struct pose *out, struct error *err);
