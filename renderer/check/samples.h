/* A clip at its native rate. */
#pragma once

#include "base/arena.h"
#include "check/asset.h"
#include "check/surface_sums.h"
#include "pose/pose.h"

/* Samples of a clip that motion is looked at with; a longer clip's motion is not checked. */
#define CHECK_SAMPLES_MAX 1048576

struct check_transform {
	double q[4], t[3], s[3];
};

struct check_clip {
	int index; // position in rig->clips
	const struct clip *clip;
	const char *name;
	double rate;
	bool irregular;
	double start_s, end_s; // first and last key time
	int count;             // samples; at least 1
	bool too_long; // more than CHECK_SAMPLES_MAX: count is that, and samples are spread evenly
	int surface_stride; // every so many samples the surface is looked at; at least 1
	bool loop, likely_loop, airborne, still;
	bool meant_still;   // its name or the profile says so
	double seam, range; // pose distances of last and first pose, of any and the first; lengths
	const unsigned char *stepped; // [joint_count] bits 1 << enum channel_path of STEP channels
	const unsigned char *driven;  // [joint_count] the same of all channels
	const int *channel_of;        // [joint_count * 4] position in clip->channels; -1 = none
};

/* Finds rate, samples and kind of a clip. In the arena. */
struct check_clip *check_clip_create(
	const struct check_asset *asset, int clip, struct arena *arena);

/* The time of a sample. */
double check_clip_time(const struct check_clip *clip, int sample);

/* The local transform of a joint at a time. */
void check_clip_sample(const struct check_asset *asset, const struct check_clip *clip, int joint,
	double time_s, struct check_transform *out);

/* One joint over all samples. Steps and excursions are lengths in the asset's unit; those of STEP
 * channels are 0. */
struct check_track {
	const struct check_asset *asset;
	const struct check_clip *clip;
	int joint;
	double reach, scale; // rho and sigma
	int count;
	const struct check_transform *local; // [count]
	const double *step_r, *step_t;       // [count - 1]; of rotation; of translation and scale
	const double *excursion_r, *excursion_t; // [count]; 0 at the ends
	const double *chord_r, *chord_t;         // [count]; 0 at the ends
	const double (*deviation)[3];            // [count] log(mid^-1 q) * rho; 0 at the ends
};

/* All joints at one sample. */
struct check_pose {
	const struct check_asset *asset;
	const struct check_clip *clip;
	int sample;
	double time_s;
	const struct pose *pose;
	const double (*world)[12]; // [joint_count]
};

/* All vertices at one sample. */
struct check_surface_sample {
	struct check_pose at;
	const float *positions;       // [vertex_count][3] in the world
	const float *normals;         // [vertex_count][3] unit; there is a number behind the last
	const check_point *points;    // [vertex_count] the positions; of passes' samples alone
	const double (*matrices)[12]; // [slot_count]
	/* Bind positions with the morph targets of this sample, in the primitive's space. */
	const float *morphed; // [vertex_count][3]; rig->positions where nothing is morphed
	bool is_morphed;
};

/* --- Lengths of rotations and poses --- */

/* Degrees of a radian. */
#define CHECK_DEGREES (180 / 3.14159265358979323846)

/* A joint's origin among world matrices. */
static inline void check_origin(const double (*world)[12], int joint, double out[static 3]) {
	for (int k = 0; k < 3; k++) {
		out[k] = world[joint][k * 4 + 3];
	}
}

/* 2 sin(angle / 2) of the rotation between two unit quaternions. */
double check_chord(const double a[static 4], const double b[static 4]);

/* Angle between two unit quaternions, [0, pi]. */
double check_angle(const double a[static 4], const double b[static 4]);

/* log(a^-1 b), the shorter way: axis times angle. */
void check_log(const double a[static 4], const double b[static 4], double out[static 3]);

/* Distance of two transforms of a joint: rotation, translation and scale, in the asset's unit; for
 * the root set the caller counts heights instead. */
double check_joint_distance_of(const struct check_asset *asset, int joint,
	const struct check_transform *a, const struct check_transform *b);

/* Distance of two poses: the greatest over active joints, of which those of the root set count
 * their heights in the world alone. *joint is the joint; NULL = not wanted. In the asset's unit. */
double check_pose_distance(
	const struct check_asset *asset, const struct pose *a, const struct pose *b, int *joint);

/* The numbers that such distances are of, by joint: for one pose and many others. */
struct check_posture {
	struct check_transform local;
	double height; // of joints of the root set, in their place
};

struct check_posture *check_posture_make(
	const struct check_asset *asset, const struct pose *pose, struct arena *arena);

/* Their distance, or some part of it that is enough. */
double check_posture_distance(const struct check_asset *asset, const struct check_posture *a,
	const struct check_posture *b, double enough, int *joint);

/* The pose of a clip at a time, in the arena. */
struct pose check_clip_pose(const struct check_asset *asset, const struct check_clip *clip,
	double time_s, struct arena *arena);
