/* A crowd on its way to a picture: each figure's pose evaluated, and nothing else of it kept. */
#pragma once

#include "renderer_internal.h"
#include "view/extremes.h"

/* What is kept of a figure; its arrays lie in the crowd's arena. */
struct crowd_member {
	size_t instance; // position in the job
	size_t plan;     // position in crowd.plans
	struct skin_palette palette;
	const float *weights; // [rig->weight_count] morph weights; NULL = no target is active
	const bool *mirrored; // [rig->primitive_count] pose and placement together
	struct placement placement;
	double depth; // towards the viewer
};

/* How some of the figures are skinned. */
struct crowd_plan {
	struct skin_plan plan;
	uint64_t signature;
	bool on_gpu;
	bool at_once;              // several poses can be skinned at once
	const float *rest_weights; // [plan.rig->weight_count] under which no morph target is active
};

struct crowd {
	struct renderer *renderer;
	const struct crowd_job *job;
	struct arena *arena;
	struct crowd_plan *plans; // [plan_count]
	size_t plan_count, plan_room;
	struct crowd_member *members; // [job->count]
	size_t member_bytes;          // of members with their arrays
	size_t vertex_count;          // of all
	struct world_light *lights;   // [light_room] of all instances, where they stand
	int light_count, light_room;  // as many as there are; those that there is room for
};

/* Evaluates all poses: zero the crowd and set renderer and job. On failure crowd_finish() is due
 * all the same, and *culprit is the instance. */
bool crowd_prepare(struct crowd *crowd, size_t *culprit, struct error *err);
void crowd_finish(struct crowd *crowd);

/* What skinning takes; borrows from the crowd. */
struct prepared crowd_prepared(const struct crowd *crowd, const struct crowd_member *member);

/* --- Batches of figures, whose vertices are in one buffer. --- */

/* Figures that are skinned and drawn together: of one plan. */
struct crowd_batch {
	const struct crowd_member *const *members; // [count]
	size_t count;
};

/* Who wants to see posed vertices; either may be NULL. */
struct crowd_sight {
	struct camera_extremes *extremes;
	struct footing *footing;
};

struct crowd_batches {
	const struct crowd *crowd; // borrowed
	struct gpu_copies copies;
	struct crowd_batch there; // what is in them; count 0 = nothing
};

/* Makes room for the largest batch of members in this order; crowd_batches_finish() is due all the
 * same where that fails. */
bool crowd_batches_begin(struct crowd_batches *batches, const struct crowd *crowd,
	const struct crowd_member *const *members, size_t count, struct error *err);
void crowd_batches_finish(struct crowd_batches *batches);

/* The members from the first on that make one batch, of those left: at least one. */
struct crowd_batch crowd_next_batch(const struct crowd_batches *batches,
	const struct crowd_member *const *members, size_t left);

/* Brings a batch's vertices into the copies, unless they are there. sight may be NULL. Returns the
 * rig on the GPU, borrowed until the next call. */
struct gpu_rig *crowd_skin_batch(struct crowd_batches *batches, const struct crowd_batch *batch,
	const struct crowd_sight *sight, struct error *err);

/* Has a member's posed positions be seen, [count][3], which are placed here. False where any is
 * beyond float32. */
bool crowd_see(const struct crowd_member *member, float *positions, size_t count,
	const struct crowd_sight *sight, struct error *err);

/* --- The ground under a crowd. --- */

/* What is drawn on it. */
struct crowd_ground {
	const struct picture_settings *picture;
	const struct footing *footing; // of all figures
	bool casts;                    // whether there is a shadow, which all are to be cast into
	struct ground_square square;   // that it is in
};

/* Prepares it, before the picture is started; then ground_cast_many() for all figures and
 * ground_end_cast(), if it casts. picture and footing are borrowed. */
bool picture_begin_crowd_ground(struct renderer *renderer, const struct picture_settings *picture,
	const struct footing *footing, struct crowd_ground *out, struct error *err);

/* Draws it, before the figures. view_projection is world to clip space, [16]. */
bool picture_draw_crowd_ground(struct renderer *renderer, const struct crowd_ground *ground,
	const float *view_projection, struct error *err);
