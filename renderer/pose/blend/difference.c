// Additive poses.
#include "pose/blend/difference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/quat.h"
#include "pose/blend/over.h"

/* One channel of one joint in the three poses. out holds Q and gets the sum. */
struct sum {
	const float *pose, *reference;
	float *out;
	int width;
	double weight;
	enum difference_form form;
};

static void add_numbers(const struct sum *sum) {
	for (int i = 0; i < sum->width; i++) {
		const double difference = (double)sum->pose[i] - sum->reference[i];
		sum->out[i] = (float)(sum->out[i] + sum->weight * difference);
	}
}

/* Scales differ by their ratio. A reference of 0 has none, and changes nothing. */
static void add_scale(const struct sum *sum) {
	for (int i = 0; i < sum->width; i++) {
		const double reference = sum->reference[i];
		const double ratio = reference != 0 ? sum->pose[i] / reference : 1;
		sum->out[i] = (float)(sum->out[i] * (1 + sum->weight * (ratio - 1)));
	}
}

static void to_unit(const float *from, double out[static 4]) {
	for (int i = 0; i < 4; i++) {
		out[i] = from[i];
	}
	quat_normalize(out);
}

/* METHODS C.9: local_post and local_pre. */
static void add_rotation(const struct sum *sum) {
	double pose[4], reference[4], base[4], difference[4];
	to_unit(sum->pose, pose);
	to_unit(sum->reference, reference);
	to_unit(sum->out, base);
	quat_conjugate(reference, reference);
	if (sum->form == DIFFERENCE_PRE) {
		quat_multiply(pose, reference, difference);
		quat_power(difference, sum->weight, difference);
		quat_multiply(difference, base, base);
	} else {
		quat_multiply(reference, pose, difference);
		quat_power(difference, sum->weight, difference);
		quat_multiply(base, difference, base);
	}
	quat_normalize(base);
	for (int i = 0; i < 4; i++) {
		sum->out[i] = (float)base[i];
	}
}

static bool differs(const struct sum *sum) {
	for (int i = 0; i < sum->width; i++) {
		if (sum->pose[i] != sum->reference[i]) {
			return true;
		}
	}
	return false;
}

static bool fits(const struct sum *sum) {
	for (int i = 0; i < sum->width; i++) {
		if (!isfinite(sum->out[i])) {
			return false;
		}
	}
	return true;
}

/* False where the result leaves float32. */
static bool add_channel(const struct sum *sum, enum channel_path path) {
	if (!differs(sum)) {
		return true;
	}
	switch (path) {
	case CHANNEL_ROTATION:
		if (sum->form != DIFFERENCE_MODEL) {
			add_rotation(sum);
		}
		break;
	case CHANNEL_SCALE:
		add_scale(sum);
		break;
	case CHANNEL_TRANSLATION:
	case CHANNEL_WEIGHTS:
		add_numbers(sum);
		break;
	}
	return fits(sum);
}

static double weight_at(const struct difference *difference, int joint) {
	const double mask = difference->mask ? (double)difference->mask[joint] : 1;
	return difference->weight * mask;
}

/* All but the rotation where that is one in the model's space. */
static bool add_joint(
	const struct rig *rig, const struct difference *difference, int joint, struct pose *out) {
	static const enum channel_path paths[] = {
		CHANNEL_TRANSLATION, CHANNEL_ROTATION, CHANNEL_SCALE, CHANNEL_WEIGHTS};
	bool ok = true;
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		struct sum sum = {.weight = weight_at(difference, joint), .form = difference->form};
		sum.pose = pose_channel(rig, difference->pose, joint, paths[i], &sum.width);
		sum.reference =
			pose_channel(rig, difference->reference, joint, paths[i], &sum.width);
		sum.out = pose_channel(rig, out, joint, paths[i], &sum.width);
		ok = add_channel(&sum, paths[i]) && ok;
	}
	out->driven[joint] |= difference->pose->driven[joint];
	return ok;
}

/* A joint's rotations in the model's space. */
struct turns {
	double pose[4], reference[4];
	double before[4], after[4]; // of what it is put on
	bool same;                  // pose and reference are, here and above
	bool moved;                 // after is not before
};

static void turn_joint(const struct difference *difference, int joint, const struct turns *above,
	struct turns *here, struct pose *out) {
	double pose[4], reference[4], base[4], turn[4];
	model_rotation_local(difference->pose, joint, pose);
	model_rotation_local(difference->reference, joint, reference);
	model_rotation_local(out, joint, base);
	model_rotation_below(above ? above->pose : NULL, pose, here->pose);
	model_rotation_below(above ? above->reference : NULL, reference, here->reference);
	model_rotation_below(above ? above->before : NULL, base, here->before);
	here->same = (!above || above->same) &&
		memcmp(difference->pose->local[joint].rotation,
			difference->reference->local[joint].rotation, sizeof(float[4])) == 0;
	const bool led = above && above->moved;
	const double weight = weight_at(difference, joint);
	if (!(weight > 0)) {
		model_rotation_below(above ? above->after : NULL, base, here->after);
		here->moved = led;
		return;
	}
	here->moved = !here->same;
	memcpy(here->after, here->before, sizeof here->after);
	if (here->moved) {
		quat_conjugate(here->reference, reference);
		quat_multiply(here->pose, reference, turn);
		quat_power(turn, weight, turn);
		quat_multiply(turn, here->before, here->after);
		quat_normalize(here->after);
	}
	if (here->moved || led) {
		model_rotation_write(above ? above->after : NULL, here->after, joint, out);
	}
}

static void turn_in_model(
	const struct rig *rig, const struct difference *difference, struct pose *out) {
	struct turns *turns = xcalloc((size_t)rig->joint_count, sizeof *turns);
	for (int i = 0; i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		turn_joint(difference, i, parent < 0 ? NULL : &turns[parent], &turns[i], out);
	}
	free(turns);
}

bool difference_add(
	const struct rig *rig, const struct difference *difference, struct pose *out, int *joint) {
	for (int i = 0; i < rig->joint_count; i++) {
		if (weight_at(difference, i) > 0 && !add_joint(rig, difference, i, out)) {
			*joint = i;
			return false;
		}
	}
	if (difference->form == DIFFERENCE_MODEL) {
		turn_in_model(rig, difference, out);
	}
	return true;
}
