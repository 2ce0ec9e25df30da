/* The error of motion at a skin: how far its vertices are from where they should be. */
#pragma once

#include "compress/skin_mesh.h"
#include "compress/skin_points.h"
#include "pose/pose.h"

/* The skin that errors are measured at. */
struct skin_metric {
	const struct rig *rig; // whose vertices they are: the clips', or one with the same joints
	/* Skins a pose, [rig->vertex_count][3]. False with *err. NULL = by linear blend skinning,
	 * in double precision. */
	bool (*skin)(void *context, const struct pose *pose, float *positions, struct error *err);
	void *context;
	bool free_unskinned; // nothing is promised of joints that no vertex follows
};

struct skin_probe {
	const struct skin_metric *metric;
	struct skin_mesh *mesh;
	struct skin_points *points;          // that are looked at while encoding; borrowed
	struct pose is, should;              // for the metric's own skinning
	float *positions, *should_positions; // likewise, [rig->vertex_count][3]
};

/* In the arena, from points of the same rig. */
struct skin_probe skin_probe_make(
	const struct skin_metric *metric, struct skin_points *points, struct arena *arena);

/* One of two poses: of the decoder, or of the source. */
struct skin_probe_pose {
	const struct source_transform *local; // [joint_count]; NULL = the source's
	const double (*world)[12];            // [joint_count]
	const double *weights;                // [weight_count]
};

/* The greatest distance of the vertices that are looked at while encoding, in metres, as linear
 * blend skinning has it; and which one it is. */
double skin_probe_sketch(struct skin_probe *probe, const struct skin_probe_pose *is,
	const struct skin_probe_pose *should, int *vertex);

/* The greatest of all vertices, as the metric skins them. NAN with *err. */
double skin_probe_exact(struct skin_probe *probe, const struct source *source, int moment,
	const struct skin_probe_pose *is, const struct skin_probe_pose *should, int *vertex,
	struct error *err);
