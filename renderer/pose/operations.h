/* The pose language: an expression of nested operations -> a pose. Each operation is one file and
 * one row of the table in operations.c. */
#pragma once

#include "base/value.h"
#include "pose/pose.h"

/* What every operation gets. */
struct pose_context {
	const struct rig *rig;
	struct arena *arena; // for the pose and everything on the way
};

/* Evaluates one object (or the string that names the operation) into *out. The operation reads its
 * members with value_read_members, so that unknown ones are refused with their place. */
typedef bool (*operation_evaluate)(const struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err);

struct operation {
	const char *name;  // the member that tells the operation, or the string itself
	bool is_string;    // written as a string ("rest") and not as an object
	const char *title; // one line
	operation_evaluate evaluate;
};

/* Evaluates an expression; NULL is "rest". Fails with the place in the expression:
 * ERROR_UNKNOWN_OPERATION with the list of those there are, or the operation's own errors. */
bool pose_evaluate(const struct pose_context *context, const struct value *expression,
	struct pose *out, struct error *err);

/* The i-th operation of the table, NULL past the end. */
const struct operation *pose_operation(size_t i);

/* The operations, one per file. */
bool operation_rest(const struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err);
bool operation_clip(const struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err);
