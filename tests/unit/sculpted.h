/* Examples for fits: a rig, poses of it, and vertices "sculpted" by another method. */
#pragma once

#include "fit/example.h"
#include "pose/pose.h"
#include "skin/method.h"

#define SCULPTED_MAX 16

/* A displacement of a rest vertex in a pose, before the
 * truth skins it. amount is what the pose was added with. */
typedef void (*sculptor)(const struct rig *rig, int vertex, double amount, float *position);

struct sculpted {
	struct rig *rig;
	struct arena *arena;
	const struct skinning_method *base, *truth;
	sculptor sculpt; // NULL = as the truth has it
	int count;
	struct fit_example examples[SCULPTED_MAX];
	struct fit_example_report reports[SCULPTED_MAX];
	struct fit_example rest;
	struct fit_input input;
};

/* Takes the rig. base and truth are methods' ids. */
struct sculpted *sculpted_create(struct rig *rig, const char *base, const char *truth);
void sculpted_destroy(struct sculpted *s);

/* The rest pose, to be changed and added. */
struct pose sculpted_pose(struct sculpted *s);

/* Adds the pose as an example with what the truth makes of it. */
void sculpted_add(struct sculpted *s, const char *name, const struct pose *pose, double amount);

/* The pose of an example, as it was added. */
struct pose sculpted_pose_of(struct sculpted *s, int example);

/* The examples as a rig has them, for requests; one reference. Their poses tell every rotation that
 * is not the rest pose's. */
struct examples *sculpted_examples(struct sculpted *s);

/* Skins rest vertices in a pose; out_normals may be NULL. */
void sculpted_skin(struct sculpted *s, const struct skinning_method *method,
	const struct pose *pose, const float *positions, const float *normals, float *out_positions,
	float *out_normals);

/* The truth of a pose, [vertex_count][3], in the arena. */
float *sculpted_truth(
	struct sculpted *s, const struct pose *pose, double amount, float *out_normals);

/* Root of the mean square of the distances between two arrays of points. */
double sculpted_rms(const struct sculpted *s, const float *a, const float *b);
