/* The moving part of a clip: from numbers of two samples to poses between them. Internal to the
 * decoder. Whatever is still is computed once, and everything else in lists, so that a pose takes
 * few branches. */
#pragma once

#include "pclip.h"
#include "pclip_model.h"

/* A moving axis of a rotation. */
struct pclip_turning {
	double step;
	int channel, place; // place: in vectors
};

/* A moving axis of a translation or scale, or a weight. */
struct pclip_sliding {
	double step, rest;
	int channel; // -1 = the weight is still, at rest
	int place;   // of the float among all of joints, or among weights
	bool hold;
};

struct pclip_motion {
	int joint_count, weight_count;
	struct pclip_transform *still; // [joint_count] with everything that does not move
	/* Rotations that move: the first slerped_count are slerped, the others hold. */
	int rotation_count, slerped_count;
	int *joints;          // [rotation_count] whose they are
	double *bases;        // [4][rotation_count] that they are about
	double *vectors;      // [3][rotation_count] of the sample that is being loaded
	double *rotations[2]; // [4][rotation_count] of two samples
	float *between;       // [4][rotation_count]
	int turning_count, sliding_count, sliding_joints; // the latter: those of joints come first
	struct pclip_turning *turning;
	struct pclip_sliding *sliding;
	double *slid[2]; // [sliding_count] beside rest, of two samples
};

/* Bytes for any clip of so many joints and weights. A multiple of 8. */
size_t pclip_motion_memory(size_t joint_count, size_t weight_count);

/* Lists what moves, in so many bytes of memory, aligned for doubles. */
void pclip_motion_start(struct pclip_motion *motion, const struct pclip_track *tracks,
	int joint_count, int weight_count, const struct pclip_transform *rest, void *memory);

/* Turns the channels' numbers into transforms, as sample 0 or 1. */
void pclip_motion_load(struct pclip_motion *motion, const double *numbers, int sample);

/* Writes the pose at a share of the way from a loaded sample to the other one, which nothing is
 * read of where the share is 0. */
void pclip_motion_pose(struct pclip_motion *motion, int sample, double share,
	struct pclip_transform *joints, float *weights);
