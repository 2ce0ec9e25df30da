/* The pose language: an expression of nested operations -> a pose. Each operation is one file,
 * pose/operations/NAME.c, and one row of the list below. */
#pragma once

#include "base/loop.h"
#include "base/value.h"
#include "pose/run.h"

/* Every operation, by the name of its struct, operation_NAME. */
#define POSE_OPERATIONS(X) \
	X(rest), X(clip), X(blend), X(crossfade), X(playlist), X(sync), X(transition), \
		X(blend_space), X(layers), X(inertialize), X(add), X(mirror), X(limit), \
		X(root_motion), X(reset), X(scale_time), X(reverse), X(retarget), X(copy), \
		X(attach), X(two_bone), X(look_at), X(ccd), X(fabrik), X(jacobian), \
		X(jacobian_transpose), X(foot_lock), X(ragdoll), X(expression), X(constraints), \
		X(springs), X(avatar), X(set)

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
	/* An earlier moment is asked for by who is at now_s by the clock: of a clip that began
	 * since it shows the start, also of one that repeats. */
	bool looks_back;
	double now_s;
};

/* From the time that is asked for of something that lasts duration_s to the time that it shows,
 * before any looping. False with ERROR_INVALID_VALUE at the place where there is no such number. */
bool pose_time_pass(const struct pose_time *time, const struct value *source, double duration_s,
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
 * any contents. The operation reads its members with value_read_table, so that unknown ones are
 * refused with their place, and inner poses with pose_evaluate_into. */
typedef bool operation_evaluate(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err);

struct operation {
	const char *name;  // the member that tells it, which no other operation has
	const char *title; // one line
	operation_evaluate *evaluate;
	const struct member_table *members; // NULL = it has none
	/* Takes about as long as a few poses of what is in it; others may look at many moments, or
	 * go on in steps. */
	bool is_quick;
	bool is_string; // written as a string ("rest") and not as an object
};

#define POSE_OPERATION_NAME(name) operation_##name
extern const struct operation POSE_OPERATIONS(POSE_OPERATION_NAME);
#undef POSE_OPERATION_NAME

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
