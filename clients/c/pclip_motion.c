// From the numbers of samples to poses.
#include "pclip_motion.h"

#include <math.h>
#include <string.h>

#include "pclip_rotations.h"

enum { FLOATS = 10 }; // of a transform
_Static_assert(sizeof(struct pclip_transform) == FLOATS * sizeof(float), "floats without gaps");

/* All that a joint may take, the widest members first. */
static const size_t doubles_of_joint = 4 + 3 + 2 * 4 + 2 * 6, doubles_of_weight = 2;

size_t pclip_motion_memory(size_t joint_count, size_t weight_count) {
	const size_t bytes = (doubles_of_joint * joint_count + doubles_of_weight * weight_count) *
			sizeof(double) +
		3 * joint_count * sizeof(struct pclip_turning) +
		(6 * joint_count + weight_count) * sizeof(struct pclip_sliding) +
		joint_count * (sizeof(struct pclip_transform) + 4 * sizeof(float) + sizeof(int));
	return (bytes + 7) / 8 * 8;
}

static double *take_doubles(double **at, int count) {
	*at += count;
	return *at - count;
}

static void place_arrays(struct pclip_motion *motion, void *memory) {
	const int joints = motion->joint_count, slides = 6 * joints + motion->weight_count;
	double *at = memory;
	motion->bases = take_doubles(&at, 4 * joints);
	motion->vectors = take_doubles(&at, 3 * joints);
	for (int i = 0; i < 2; i++) {
		motion->rotations[i] = take_doubles(&at, 4 * joints);
		motion->slid[i] = take_doubles(&at, slides);
	}
	motion->turning = (struct pclip_turning *)at;
	motion->sliding = (struct pclip_sliding *)(motion->turning + 3 * joints);
	motion->still = (struct pclip_transform *)(motion->sliding + slides);
	motion->between = (float *)(motion->still + joints);
	motion->joints = (int *)(motion->between + 4 * (size_t)joints);
}

static void set_base(const struct pclip_track *track, const float rest[4], double base[4]) {
	const int8_t *own = track->base;
	const bool has_own = own[0] | own[1] | own[2] | own[3];
	double sum = 0;
	for (int k = 0; k < 4; k++) {
		base[k] = has_own ? own[k] : (double)rest[k];
		sum += base[k] * base[k];
	}
	const double length = sqrt(sum);
	for (int k = 0; k < 4; k++) {
		base[k] = length > 0 ? base[k] / length : k == 3;
	}
}

static void set_still_rotation(const struct pclip_track *track, float rotation[4]) {
	double base[4], vector[3], out[4];
	set_base(track, rotation, base);
	for (int axis = 0; axis < 3; axis++) {
		vector[axis] = pclip_still(track, axis);
	}
	pclip_turn(vector, base, 1, out);
	for (int k = 0; k < 4; k++) {
		rotation[k] = (float)out[k];
	}
}

/* Lists a rotation that moves as the i-th of rotation_count. */
static void add_rotation(struct pclip_motion *motion, const struct pclip_track *track, int joint,
	int i, const float rest[4], int channel) {
	const int count = motion->rotation_count;
	double base[4];
	set_base(track, rest, base);
	for (int k = 0; k < 4; k++) {
		motion->bases[k * count + i] = base[k];
	}
	motion->joints[i] = joint;
	for (int axis = 0; axis < 3; axis++) {
		const int place = axis * count + i;
		if (track->moving >> axis & 1) {
			motion->turning[motion->turning_count++] =
				(struct pclip_turning){pclip_step(track, axis), channel++, place};
		} else {
			motion->vectors[place] = pclip_still(track, axis);
		}
	}
}

static void add_slide(struct pclip_motion *motion, const struct pclip_track *track, int axis,
	double rest, int place, int channel) {
	const bool moves = track->moving >> axis & 1;
	motion->sliding[motion->sliding_count++] =
		(struct pclip_sliding){.step = moves ? pclip_step(track, axis) : 0,
			.rest = moves ? rest : pclip_still(track, axis),
			.channel = moves ? channel : -1,
			.place = place,
			.hold = track->hold};
}

/* A translation, or scale, whose first float is at a place among all of joints. */
static void add_vector(
	struct pclip_motion *motion, const struct pclip_track *track, int place, int channel) {
	float *still = (float *)motion->still + place;
	for (int axis = 0; axis < 3; axis++) {
		if (track->moving >> axis & 1) {
			add_slide(
				motion, track, axis, (double)still[axis], place + axis, channel++);
		} else if (track->class != PCLIP_REST) {
			still[axis] = (float)((double)still[axis] + pclip_still(track, axis));
		}
	}
}

static int moving_axes(const struct pclip_track *track) {
	return (track->moving & 1) + (track->moving >> 1 & 1) + (track->moving >> 2 & 1);
}

static void count_rotations(struct pclip_motion *motion, const struct pclip_track *tracks) {
	for (int i = 0; i < motion->joint_count; i++) {
		const struct pclip_track *track = &tracks[PCLIP_KINDS * i];
		motion->rotation_count += track->moving != 0;
		motion->slerped_count += track->moving != 0 && !track->hold;
	}
}

void pclip_motion_start(struct pclip_motion *motion, const struct pclip_track *tracks,
	int joint_count, int weight_count, const struct pclip_transform *rest, void *memory) {
	*motion = (struct pclip_motion){.joint_count = joint_count, .weight_count = weight_count};
	place_arrays(motion, memory);
	count_rotations(motion, tracks);
	memcpy(motion->still, rest, (size_t)joint_count * sizeof *rest);
	int channel = 0, slerped = 0, held = motion->slerped_count;
	for (int i = 0; i < joint_count; i++) {
		const struct pclip_track *own = &tracks[PCLIP_KINDS * i];
		if (own[0].moving) {
			add_rotation(motion, &own[0], i, own[0].hold ? held++ : slerped++,
				rest[i].rotation, channel);
		} else if (own[0].class != PCLIP_REST) {
			set_still_rotation(&own[0], motion->still[i].rotation);
		}
		channel += moving_axes(&own[0]);
		add_vector(motion, &own[1], FLOATS * i, channel);
		channel += moving_axes(&own[1]);
		add_vector(motion, &own[2], FLOATS * i + 7, channel);
		channel += moving_axes(&own[2]);
	}
	motion->sliding_joints = motion->sliding_count;
	for (int i = 0; i < weight_count; i++) {
		const struct pclip_track *track = &tracks[PCLIP_KINDS * joint_count + i];
		if (track->class != PCLIP_REST) {
			add_slide(motion, track, 0, 0, i, channel);
		}
		channel += moving_axes(track);
	}
	for (int i = 0; i < 2; i++) {
		memset(motion->slid[i], 0, (size_t)motion->sliding_count * sizeof(double));
	}
}

void pclip_motion_load(struct pclip_motion *motion, const double *numbers, int sample) {
	for (int i = 0; i < motion->turning_count; i++) {
		const struct pclip_turning *turning = &motion->turning[i];
		motion->vectors[turning->place] = numbers[turning->channel] * turning->step;
	}
	for (int i = 0; i < motion->sliding_count; i++) {
		const struct pclip_sliding *sliding = &motion->sliding[i];
		if (sliding->channel >= 0) {
			motion->slid[sample][i] = numbers[sliding->channel] * sliding->step;
		}
	}
	pclip_turn(
		motion->vectors, motion->bases, motion->rotation_count, motion->rotations[sample]);
}

static void pose_rotations(
	struct pclip_motion *motion, int sample, double share, struct pclip_transform *joints) {
	const int count = motion->rotation_count;
	const int slerped = share > 0 ? motion->slerped_count : 0;
	const double *from = motion->rotations[sample];
	if (slerped > 0) {
		pclip_slerp(from, motion->rotations[!sample], share, count, motion->between);
	}
	for (int i = 0; i < count; i++) {
		float *rotation = joints[motion->joints[i]].rotation;
		for (int k = 0; k < 4; k++) {
			rotation[k] = i < slerped ? motion->between[k * count + i]
						  : (float)from[k * count + i];
		}
	}
}

void pclip_motion_pose(struct pclip_motion *motion, int sample, double share,
	struct pclip_transform *joints, float *weights) {
	memcpy(joints, motion->still, (size_t)motion->joint_count * sizeof *joints);
	pose_rotations(motion, sample, share, joints);
	const double *from = motion->slid[sample], *to = motion->slid[share > 0 ? !sample : sample];
	for (int i = 0; i < motion->sliding_count; i++) {
		const struct pclip_sliding *sliding = &motion->sliding[i];
		const double way = sliding->hold ? 0 : share;
		float *out = i < motion->sliding_joints ? (float *)joints : weights;
		out[sliding->place] = (float)(sliding->rest + from[i] + way * (to[i] - from[i]));
	}
}
