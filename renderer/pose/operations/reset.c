/* {"reset": P, "joints": [...] | "mask": M, "channels": [...], "weight": w}: P with joints back at
 * rest. */
#include <string.h>

#include "base/quat.h"
#include "pose/blend/over.h"
#include "pose/find.h"
#include "pose/operations.h"

/* In the order of enum channel_path. */
static const char *const path_names[] = {"translation", "rotation", "scale", "weights", NULL};

#define PATH_COUNT 4

/* Exactly these joints: 1 in the mask, the others 0. */
static bool read_joints(
	const struct rig *rig, const struct value *list, float *mask, struct error *err) {
	if (list->kind != VALUE_LIST) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"\"joints\" is %s, must be a list of joints", value_kind_name(list->kind));
	}
	for (int i = 0; i < rig->joint_count; i++) {
		mask[i] = 0;
	}
	for (size_t i = 0; i < list->count; i++) {
		const int joint = pose_read_joint(rig, &list->items[i], err);
		if (joint < 0) {
			return false;
		}
		mask[joint] = 1;
	}
	return true;
}

static bool read_path(const struct value *item, unsigned *paths, struct error *err) {
	for (int i = 0; item->kind == VALUE_STRING && i < PATH_COUNT; i++) {
		if (strcmp(item->string, path_names[i]) == 0) {
			*paths |= 1u << i;
			return true;
		}
	}
	char known[80];
	value_list_names(path_names, known, sizeof known);
	return value_error(item, err, ERROR_INVALID_VALUE, "a channel must be one of %s", known);
}

/* Bits 1 << enum channel_path; all of them where there is no list. */
static bool read_paths(const struct value *list, unsigned *paths, struct error *err) {
	*paths = list ? 0 : DRIVEN_ALL;
	if (list && list->kind != VALUE_LIST) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"\"channels\" is %s, must be a list of channels",
			value_kind_name(list->kind));
	}
	for (size_t i = 0; list && i < list->count; i++) {
		if (!read_path(&list->items[i], paths, err)) {
			return false;
		}
	}
	return true;
}

static void turn_back(const float *rest, double weight, float *out) {
	double from[4], to[4];
	for (int i = 0; i < 4; i++) {
		from[i] = out[i];
		to[i] = rest[i];
	}
	quat_normalize(from);
	quat_normalize(to);
	quat_slerp(from, to, weight, from);
	for (int i = 0; i < 4; i++) {
		out[i] = (float)from[i];
	}
}

/* weight is above 0 and at most 1. */
static void reset_channel(
	const float *rest, int width, enum channel_path path, double weight, float *out) {
	if (weight == 1) {
		memcpy(out, rest, (size_t)width * sizeof *out);
	} else if (path == CHANNEL_ROTATION) {
		turn_back(rest, weight, out);
	} else {
		for (int i = 0; i < width; i++) {
			out[i] = (float)((1 - weight) * out[i] + weight * rest[i]);
		}
	}
}

static void reset(const struct rig *rig, const struct pose *rest, const float *mask, unsigned paths,
	double weight, struct pose *out) {
	for (int joint = 0; joint < rig->joint_count; joint++) {
		const double share = weight * (double)mask[joint];
		for (int path = 0; share > 0 && path < PATH_COUNT; path++) {
			if ((paths >> path & 1) == 0) {
				continue;
			}
			int width;
			const float *from =
				pose_channel(rig, rest, joint, (enum channel_path)path, &width);
			float *to = pose_channel(rig, out, joint, (enum channel_path)path, &width);
			reset_channel(from, width, (enum channel_path)path, share, to);
			out->driven[joint] |= (unsigned char)(1 << path);
		}
	}
}

struct request {
	const struct value *pose, *joints, *mask, *channels;
	double weight;
};

#define AT(field) offsetof(struct request, field)

static const struct member rows[] = {
	{"reset", MEMBER_ANY, .offset = AT(pose), .required = true},
	{"joints", MEMBER_ANY, .offset = AT(joints)},
	{"mask", MEMBER_ANY, .offset = AT(mask), .members = &mask_members},
	{"channels", MEMBER_ANY, .offset = AT(channels), .choices = path_names, .text = TEXT_NAMES},
	{"weight", MEMBER_NUMBER, .offset = AT(weight), .most = 1, .standard = 1},
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

static bool evaluate_reset(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	struct request request = {0};
	unsigned paths;
	if (!value_read_table(value, &members, &request, err) ||
		!read_paths(request.channels, &paths, err) ||
		!pose_evaluate_into(context, request.pose, out, err)) {
		return false;
	}
	if (request.joints && request.mask) {
		return value_error(request.mask, err, ERROR_INVALID_VALUE,
			"\"joints\" and \"mask\" say the same thing; give one of them");
	}
	const struct rig *rig = context->rig;
	struct pose_slot *slot = pose_pool_take(&context->spare, rig, context->arena, err);
	if (!slot ||
		!(request.joints ? read_joints(rig, request.joints, slot->mask, err)
				 : mask_read(rig, request.mask, slot->mask, err))) {
		return false;
	}
	pose_set_rest(rig, 0, &slot->pose);
	reset(rig, &slot->pose, slot->mask, paths, request.weight, out);
	pose_pool_give(&context->spare, slot);
	return true;
}

const struct operation operation_reset = {
	"reset", "a pose with joints back at rest", evaluate_reset, &members, .is_quick = true};
