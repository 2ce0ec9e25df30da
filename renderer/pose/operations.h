/* The pose language: an expression of nested operations -> a pose. Each operation is one file and
 * one row of the table in operations.c. */
#pragma once

#include "base/value.h"
#include "pose/pool.h"

/* What every operation gets. Set rig and arena; the rest is zero to begin with. */
struct pose_context {
	const struct rig *rig;
	struct arena *arena;    // for the pose and everything on the way
	struct pose_pool spare; // poses on the way, for the next one that needs some
	bool *clips;   // [rig->clip_count] set for every clip that is sampled; NULL = not wanted
	int clip;      // position in rig->clips of the one sampled last
	double time_s; // in it, on its own key axis
};

/* Evaluates one object (or the string that names the operation) into *out, which has its arrays and
 * any contents. The operation reads its members with value_read_members, so that unknown ones are
 * refused with their place, and inner poses with pose_evaluate_into. */
typedef bool (*operation_evaluate)(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err);

struct operation {
	const char *name;  // the member that tells the operation, or the string itself
	bool is_string;    // written as a string ("rest") and not as an object
	const char *title; // one line
	operation_evaluate evaluate;
};

/* Evaluates an expression (NULL is "rest") into a pose made in the arena. Fails with the place in
 * the expression: ERROR_UNKNOWN_OPERATION with the list of those there are, the operation's own
 * errors, ERROR_TOO_LARGE where the poses that are needed at once take more than POSE_POOL_BYTES.
 */
bool pose_evaluate(struct pose_context *context, const struct value *expression, struct pose *out,
	struct error *err);

/* The same into a pose that has its arrays; for operations. */
bool pose_evaluate_into(struct pose_context *context, const struct value *expression,
	struct pose *out, struct error *err);

/* The operations, one per file. */
bool operation_rest(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err);
bool operation_clip(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err);
bool operation_blend(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err);
bool operation_add(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err);
bool operation_set(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err);
