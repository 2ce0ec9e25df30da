/* Poses of rigs, and the language that they are told in. Any thread. */
#pragma once

#include "base/arena.h"
#include "model/posed_subject.h"

/* A pose of a rig, made in an arena. */
struct posed_joints {
	int count;                     // rig->joint_count
	const struct transform *local; // [count] relative to the parent
	const double (*world)[12];     // [count] rows of 3x4 matrices
	/* The way over the ground that was taken out of the pose: moved by it, a turn about +Y and
	 * then a translation, the whole is where it has gone. */
	bool has_root_motion;
	double root_translation[3], root_rotation[4];
};

/* Evaluates a subject's pose at its own moment into joints in the arena; clock_s, skinning and
 * examples are ignored. Fails with the place in the expression:
 * ERROR_UNKNOWN_OPERATION, ERROR_UNKNOWN_CLIP, ERROR_UNKNOWN_JOINT, ERROR_UNKNOWN_RIG,
 * ERROR_UNKNOWN_MEMBER, ERROR_INVALID_VALUE, ERROR_TOO_LARGE; or with the stop's error. */
bool renderer_pose(const struct posed_subject *subject, struct arena *arena,
	struct posed_joints *out, struct error *err);

/* A world matrix (rows) as the API's sixteen column-major float32. */
void renderer_world_columns(const double world[static 12], float columns[static 16]);

/* The number that renderer_influences() gives for a joint. */
enum influence_kind {
	INFLUENCE_WEIGHT,  // the sum of the vertex' weights on it
	INFLUENCE_SUPPORT, // 1 where examples that turn it may move the vertex (METHODS A8), else 0
};

/* Writes a number for each vertex: out is [rig->vertex_count], the caller's. joint is a name, or an
 * index in decimal. Fails with ERROR_UNKNOWN_JOINT. */
bool renderer_influences(const struct rig *rig, const char *joint, enum influence_kind kind,
	float *out, struct error *err);

/* The colour of each vertex as the shading "weights" of pictures has it without a joint: the
 * colours of all joints mixed by its weights, in linear light. out is [rig->vertex_count], the
 * caller's. */
void renderer_joint_colors(const struct rig *rig, float (*out)[3]);

/* How many joints move each vertex, [rig->vertex_count], the caller's. */
void renderer_influence_counts(const struct rig *rig, float *out);

/* One operation of it. */
struct renderer_operation {
	const char *name;  // the member that tells it: "blend"
	const char *title; // one line
};

/* Fills *out with the i-th operation; false past the end. */
bool renderer_operation(size_t i, struct renderer_operation *out);

/* True if an expression (NULL = the rest pose) is as quick as its text is short: it has no
 * operation that looks at many moments or goes on in steps. */
bool renderer_pose_is_quick(const struct value *expression);
