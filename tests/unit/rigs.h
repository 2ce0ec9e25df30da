/* Rigs for tests, made in memory without any importer. */
#pragma once

#include "model/rig.h"
#include "pose/pose.h"
#include "skin/plan.h"

/* METHODS' cyl2: a closed cylinder of radius 0.1 along +Y from 0 to 2 with 16 segments, 41 rings
 * and two cap centres; joint 0 at the origin, joint 1 at y = 1. Its volume is 0.061229349. */
struct rig *rig_cyl2(void);

/* cyl2's joints with vertices of one's own: [count] positions (normals +X), weight on joint 1. */
struct rig *rig_cyl2_vertices(int count, const float (*positions)[3], const float *weights);

/* A chain of joints with random rest rotations, and vertices with random positions, normals and
 * influences; influence_count is at least 1. The same seed gives the same rig. */
struct rig *rig_random(unsigned seed, int joint_count, int vertex_count, int influence_count);

/* The same but for its joints: all but the first are the first's children and begin in one point.
 */
struct rig *rig_hub(unsigned seed, int joint_count, int vertex_count, int influence_count);

/* Binds every slot to the joint of its number where that rests. */
void rig_bind(struct rig *rig);

/* A number in [-1, 1] from *seed, which moves on. */
double random_number(unsigned *seed);

/* Unit quaternion about an axis (unit). */
void set_rotation(struct transform *transform, double x, double y, double z, double degrees);

/* The plan of a method with its standard options, whose data is the library's; ends the process
 * where the method lacks something. */
struct skin_plan plan_of(
	const struct skinning_method *method, const struct rig *rig, struct skin_library *library);

/* The palette of a plan for joint matrices, [slot_count] rows of 3x4. */
struct skin_palette palette_of(
	const struct skin_plan *plan, const double (*matrices)[12], struct arena *arena);

/* Skins a pose on the CPU into [vertex_count][3] arrays. plain as skin_plan_run() has it. */
void skin_pose(const struct rig *rig, const struct skinning_method *method, const struct pose *pose,
	bool plain, float *positions, float *normals);

/* The same from palette matrices, [slot_count] rows of 3x4. */
void skin_matrices(const struct rig *rig, const struct skinning_method *method,
	const double (*matrices)[12], bool plain, float *positions, float *normals);

/* Volume enclosed by the rig's one primitive with these positions. */
double mesh_volume(const struct rig *rig, const float *positions);

/* The volume of cyl2, skinned with joint 1 turned about an axis (unit). */
double cylinder_volume(
	const struct skinning_method *method, double x, double y, double z, double degrees);

#define TEST_CLIPS_MAX 8

/* A channel that holds one value. */
struct constant_channel {
	int joint;
	enum channel_path path;
	float values[4]; // as many as the path has
};

/* Gives the rig one more clip, of no duration. At most TEST_CLIPS_MAX. */
void rig_add_clip(struct rig *rig, const char *name, int channel_count,
	const struct constant_channel *constants);
