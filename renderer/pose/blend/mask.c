// Masks: how much say a pose has at each joint.
#include "pose/blend/mask.h"

#include <stdlib.h>

#include "base/memory.h"
#include "pose/find.h"

/* Most levels of joints that a value may grow over. */
#define MASK_FADE_MAX 1000

/* How the value of a joint comes about. */
struct fade {
	double from, to; // from that of the joint above the one named
	int level;       // of this joint: 1 for the one named, levels for where it has got there
	int levels;      // 0 = no member names the joint
};

static bool refuse(const struct value *place, const char *what, struct error *err) {
	return value_error(place, err, ERROR_INVALID_VALUE,
		"a mask's value is %s, must be a number from 0 to 1, or {\"weight\": such a "
		"number, \"fade\": levels of joints}",
		what);
}

static bool read_fade(const struct value *member, struct fade *fade, struct error *err) {
	const struct member members[] = {
		{"weight", MEMBER_NUMBER, &fade->to, .required = true, .least = 0, .most = 1},
		{"fade", MEMBER_INTEGER, &fade->levels, .required = true, .least = 1,
			.most = MASK_FADE_MAX},
	};
	return value_read_members(member, members, sizeof members / sizeof *members, err);
}

static bool read_member(
	const struct rig *rig, const struct value *member, struct fade *fades, struct error *err) {
	const int joint = pose_find_joint(rig, member, err);
	if (joint < 0) {
		return false;
	}
	fades[joint] = (struct fade){.level = 1, .levels = 1};
	if (member->kind == VALUE_OBJECT) {
		return read_fade(member, &fades[joint], err);
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
	const bool fine = read_members(rig, value, fades, mask, err);
	free(fades);
	return fine;
}
