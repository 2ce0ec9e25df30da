// One pose over another.
#include "pose/blend/over.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/quat.h"
#include "pose/find.h"

/* A joint's rotations in the model's space. */
struct turns {
	double below[4], pose[4]; // as they are in the two poses
	double after[4];
};

static double weight_at(const struct over *over, int joint) {
	return over->mask ? over->weight * (double)over->mask[joint] : over->weight;
}

static void average_locals(const struct rig *rig, const struct over *over, struct pose *out) {
	float *shares = xcalloc((size_t)rig->joint_count * 2, sizeof *shares);
	float *rests = shares + rig->joint_count;
	for (int i = 0; i < rig->joint_count; i++) {
		const double weight = weight_at(over, i);
		shares[i] = (float)weight;
		rests[i] = (float)(1 - weight);
	}
	const struct average_input inputs[2] = {
		{.weight = 1, .pose = out, .mask = rests, .whole = true},
		{.weight = 1, .pose = over->pose, .mask = shares},
	};
	average_poses(rig, inputs, 2, over->rotation, out);
	free(shares);
}

/* Before the locals are averaged. */
static struct turns *find_turns(
	const struct rig *rig, const struct over *over, const struct pose *out) {
	struct turns *turns = xcalloc((size_t)rig->joint_count, sizeof *turns);
	for (int i = 0; i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		const struct turns *above = parent < 0 ? NULL : &turns[parent];
		double local[4];
		model_rotation_local(out, i, local);
		model_rotation_below(above ? above->below : NULL, local, turns[i].below);
		model_rotation_local(over->pose, i, local);
		model_rotation_below(above ? above->pose : NULL, local, turns[i].pose);
	}
	return turns;
}

static void turn_joint(const struct over *over, int joint, const struct turns *above,
	struct turns *here, struct pose *out) {
	const double weight = weight_at(over, joint);
	const bool driven = (over->pose->driven[joint] >> CHANNEL_ROTATION & 1) != 0;
	double local[4];
	if (!(weight > 0) || !driven) {
		model_rotation_local(out, joint, local);
		model_rotation_below(above ? above->after : NULL, local, here->after);
		return;
	}
	double both[2][4];
	memcpy(both[0], here->below, sizeof both[0]);
	memcpy(both[1], here->pose, sizeof both[1]);
	const double weights[2] = {1 - weight, weight};
	const int first = weight < 1 ? 0 : 1;
	average_rotations(over->rotation, (const double(*)[4])both + first, weights + first,
		2 - first, here->after);
	model_rotation_write(above ? above->after : NULL, here->after, joint, out);
}

void over_put(const struct rig *rig, const struct over *over, struct pose *out) {
	struct turns *turns = over->in_model ? find_turns(rig, over, out) : NULL;
	average_locals(rig, over, out);
	for (int i = 0; over->in_model && i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		turn_joint(over, i, parent < 0 ? NULL : &turns[parent], &turns[i], out);
	}
	free(turns);
}

/* Most levels of joints that a value may grow over. */
#define MASK_FADE_MAX 1000

/* The source of a joint's value. */
struct fade {
	double from, to; // from that of the joint above the one named
	int level;       // of this joint: 1 for the one named, levels for where it has got there
	int levels;      // 0 = no member names the joint
};

static bool refuse(const struct value *source, const char *what, struct error *err) {
	return value_error(source, err, ERROR_INVALID_VALUE,
		"a mask's value is %s, must be a number from 0 to 1, or {\"weight\": such a "
		"number, \"fade\": levels of joints}",
		what);
}

static const struct member fade_rows[] = {
	{"weight", MEMBER_NUMBER, .offset = offsetof(struct fade, to), .required = true, .most = 1},
	{"fade", MEMBER_INTEGER, .offset = offsetof(struct fade, levels), .required = true,
		.least = 1, .most = MASK_FADE_MAX},
};

const struct member_table mask_members = MEMBER_TABLE(NULL, fade_rows);

static bool read_member(
	const struct rig *rig, const struct value *member, struct fade *fades, struct error *err) {
	const int joint = pose_find_joint(rig, member, err);
	if (joint < 0) {
		return false;
	}
	fades[joint] = (struct fade){.level = 1, .levels = 1};
	if (member->kind == VALUE_OBJECT) {
		return value_read_table(member, &mask_members, &fades[joint], err);
	}
	if (member->kind != VALUE_NUMBER) {
		return refuse(member, value_kind_name(member->kind), err);
	}
	if (!(member->number >= 0 && member->number <= 1)) {
		char number[32];
		snprintf(number, sizeof number, "%.15g", member->number);
		return refuse(member, number, err);
	}
	fades[joint].to = member->number;
	return true;
}

static void inherit(const struct rig *rig, double top, struct fade *fades, float *mask) {
	for (int i = 0; i < rig->joint_count; i++) {
		const int parent = rig->joints[i].parent;
		const double above = parent < 0 ? top : (double)mask[parent];
		struct fade *fade = &fades[i];
		if (fade->levels > 0) {
			fade->from = above;
		} else if (parent < 0) {
			*fade = (struct fade){top, top, 1, 1};
		} else {
			*fade = fades[parent];
			fade->level += fade->level < fade->levels;
		}
		const double share = (double)fade->level / fade->levels;
		const double value = fade->from + (fade->to - fade->from) * share;
		mask[i] = (float)(fade->level == fade->levels ? fade->to : value);
	}
}

static bool read_members(const struct rig *rig, const struct value *value, struct fade *fades,
	float *mask, struct error *err) {
	bool only_zeros = true;
	for (size_t i = 0; value && i < value->count; i++) {
		if (!read_member(rig, &value->items[i], fades, err)) {
			return false;
		}
	}
	for (int i = 0; i < rig->joint_count; i++) {
		only_zeros = only_zeros && fades[i].to == 0;
	}
	inherit(rig, only_zeros ? 1 : 0, fades, mask);
	return true;
}

bool mask_read(const struct rig *rig, const struct value *value, float *mask, struct error *err) {
	if (value && value->kind != VALUE_OBJECT) {
		return value_error(value, err, ERROR_INVALID_VALUE,
			"\"mask\" is %s, must be an object of joints with numbers from 0 to 1",
			value_kind_name(value->kind));
	}
	struct fade *fades = xcalloc((size_t)rig->joint_count, sizeof *fades);
	const bool ok = read_members(rig, value, fades, mask, err);
	free(fades);
	return ok;
}

void model_rotation_local(const struct pose *pose, int joint, double out[static 4]) {
	for (int i = 0; i < 4; i++) {
		out[i] = pose->local[joint].rotation[i];
	}
	quat_normalize(out);
}

void model_rotation_below(const double *above, const double local[static 4], double out[static 4]) {
	if (above) {
		quat_multiply(above, local, out);
		quat_normalize(out);
	} else {
		memmove(out, local, 4 * sizeof *out);
	}
}

void model_rotation_write(
	const double *above, const double model[static 4], int joint, struct pose *pose) {
	double local[4], inverse[4];
	memcpy(local, model, sizeof local);
	if (above) {
		quat_conjugate(above, inverse);
		quat_multiply(inverse, model, local);
	}
	quat_normalize(local);
	for (int i = 0; i < 4; i++) {
		pose->local[joint].rotation[i] = (float)local[i];
	}
}
