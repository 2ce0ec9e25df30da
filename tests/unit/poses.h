/* Pose expressions for tests, written as JSON with ' for ". */
#pragma once

#include "pose/operations.h"

/* Evaluates an expression into a pose in the arena; fails the test when it is refused. */
struct pose pose_of(const struct rig *rig, struct arena *arena, const char *expression);

struct pose_refusal {
	const char *expression;
	enum error_code code;
	const char *pointer, *piece;
};

/* Fails the test unless every expression is refused as its row says. */
void expect_pose_refusals(const struct rig *rig, const struct pose_refusal *rows, size_t count);

/* Fails the test unless two poses of the rig are the same in every bit. */
void expect_same_pose(const struct pose *a, const struct pose *b);

/* Fails the test unless every number of the two poses is within the tolerance; rotations may differ
 * in sign. */
void expect_near_pose(const struct pose *a, const struct pose *b, double tolerance);

/* An expression that sets every joint of a rig to random transforms, in the arena: translations and
 * scales in [-1, 1], rotations unit and spelled with either sign. */
const char *random_pose(struct arena *arena, const struct rig *rig, unsigned *seed);
