/* A crowd on its way to a picture: each figure's pose evaluated, and nothing else of it kept. */
#pragma once

#include "interface/pictures.h"
#include "picture/look.h"
#include "skinned/placement.h"
#include "skinned/prepare.h"

/* One figure; its arrays lie in the crowd's arena. */
struct crowd_member {
	size_t instance; // position in the job
	size_t plan;     // position in crowd.plans
	struct skin_palette palette;
	const float *weights; // [rig->weight_count] morph weights; NULL = no target is active
	const bool *mirrored; // [rig->primitive_count] pose and placement together
	struct placement placement;
	/* [rig->material_count] as its expressions change them; NULL = the rig's own. */
	const struct material *materials;
	double time_s; // of what moves by itself on its surfaces; 0 where nothing does
	double depth;  // towards the viewer
};

/* The skinning of some of the figures. */
struct crowd_plan {
	struct skin_plan plan;
	uint64_t signature;
	bool on_gpu;
	bool at_once;              // several poses can be skinned at once
	const struct rig *shown;   // plan.rig with the meshes that the picture's view shows
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

/* The input of skinning; borrows from the crowd. */
struct prepared crowd_prepared(const struct crowd *crowd, const struct crowd_member *member);
