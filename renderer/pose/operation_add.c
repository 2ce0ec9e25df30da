// {"add": P, "to": Q, "reference": R, "weight": w}: the difference from R to P put on top of Q.
#include <math.h>

#include "base/quat.h"
#include "base/utf8.h"
#include "pose/operations.h"

/* One channel of one joint in the three poses. out holds Q and gets the sum. */
struct sum {
	const float *pose, *reference;
	float *out;
	int width;
	double weight;
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

/* q = q_Q * (q_R^-1 q_P)^w: METHODS C.9, local_post. */
static void add_rotation(const struct sum *sum) {
	double pose[4], reference[4], base[4], difference[4];
	to_unit(sum->pose, pose);
	to_unit(sum->reference, reference);
	to_unit(sum->out, base);
	quat_conjugate(reference, difference);
	quat_multiply(difference, pose, difference);
	quat_power(difference, sum->weight, difference);
	quat_multiply(base, difference, base);
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

/* False where the result leaves float32. Where there is no difference, Q stays to the bit. */
static bool add_channel(const struct sum *sum, enum channel_path path) {
	if (!differs(sum)) {
		return true;
	}
	switch (path) {
	case CHANNEL_ROTATION:
		add_rotation(sum);
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

static bool add_joint(const struct rig *rig, const struct pose *pose, const struct pose *reference,
	double weight, int joint, struct pose *out) {
	static const enum channel_path paths[] = {
		CHANNEL_TRANSLATION, CHANNEL_ROTATION, CHANNEL_SCALE, CHANNEL_WEIGHTS};
	bool fine = true;
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		struct sum sum = {.weight = weight};
		sum.pose = pose_channel(rig, pose, joint, paths[i], &sum.width);
		sum.reference = pose_channel(rig, reference, joint, paths[i], &sum.width);
		sum.out = pose_channel(rig, out, joint, paths[i], &sum.width);
		fine = add_channel(&sum, paths[i]) && fine;
	}
	out->driven[joint] |= pose->driven[joint];
	return fine;
}

/* The poses that are added, evaluated in slots that are given back in any case. */
static bool add(struct pose_context *context, const struct value *const places[static 2],
	struct pose_slot *const slots[static 2], double weight, const struct value *weight_place,
	struct pose *out, struct error *err) {
	for (int i = 0; i < 2; i++) {
		if (!slots[i] || !pose_evaluate_into(context, places[i], &slots[i]->pose, err)) {
			return false;
		}
	}
	for (int i = 0; weight > 0 && i < context->rig->joint_count; i++) {
		if (!add_joint(context->rig, &slots[0]->pose, &slots[1]->pose, weight, i, out)) {
			char name[160];
			utf8_quote(context->rig->joints[i].name, name, sizeof name);
			return value_error(weight_place ? weight_place : places[0]->parent, err,
				ERROR_INVALID_VALUE,
				"the difference takes joint %s farther than float32 reaches", name);
		}
	}
	return true;
}

bool operation_add(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err) {
	const struct value *places[2] = {NULL, NULL}, *to = NULL, *weight_place = NULL;
	double weight = 1;
	const struct member members[] = {
		{"add", MEMBER_ANY, &places[0], .required = true},
		{"to", MEMBER_ANY, &to, .required = true},
		{"reference", MEMBER_ANY, &places[1], .required = false},
		{"weight", MEMBER_NUMBER, &weight, .place = &weight_place},
	};
	if (!value_read_members(value, members, sizeof members / sizeof *members, err)) {
		return false;
	}
	if (!(weight >= 0)) {
		return value_error(weight_place, err, ERROR_INVALID_VALUE,
			"\"weight\" is %.15g, must be 0 or more", weight);
	}
	if (!pose_evaluate_into(context, to, out, err)) {
		return false;
	}
	struct pose_slot *slots[2];
	for (int i = 0; i < 2; i++) {
		slots[i] = pose_pool_take(&context->spare, context->rig, context->arena, err);
	}
	const bool fine = add(context, places, slots, weight, weight_place, out, err);
	pose_pool_give(&context->spare, slots[0]);
	pose_pool_give(&context->spare, slots[1]);
	return fine;
}
