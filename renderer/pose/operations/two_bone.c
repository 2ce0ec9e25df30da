// {"two_bone": P, "end", "target", "pole", ...}: a limb of two bones whose end is brought to a
// target.
#include <stdlib.h>

#include "base/utf8.h"
#include "pose/find.h"
#include "pose/ik/two_bone.h"
#include "pose/operations.h"
#include "pose/read.h"

struct request {
	const struct value *pose, *end, *chain, *limits;
	const struct value *target_source, *pole_source, *rotation_source;
	bool keep_rotation;
	struct two_bone limb;
	double weight;
	int joints[3]; // positions in rig->joints of root, middle and end
};

static bool read_chain(
	const struct rig *rig, const struct value *chain, int joints[static 3], struct error *err) {
	if (chain->kind != VALUE_LIST || chain->count != 3) {
		return value_error(chain, err, ERROR_INVALID_VALUE,
			"\"chain\" must be a list of three joints: where the limb begins, where it "
			"bends, and its end");
	}
	for (int i = 0; i < 3; i++) {
		joints[i] = pose_read_joint(rig, &chain->items[i], err);
		if (joints[i] < 0) {
			return false;
		}
		if (i > 0 &&
			(joints[i] == joints[i - 1] ||
				!rig_is_below(rig, joints[i], joints[i - 1]))) {
			char name[160];
			utf8_quote(rig->joints[joints[i - 1]].name, name, sizeof name);
			return value_error(&chain->items[i], err, ERROR_INVALID_VALUE,
				"the joint must be below the one before it, %s", name);
		}
	}
	return true;
}

static bool read_end(
	const struct rig *rig, const struct value *end, int joints[static 3], struct error *err) {
	joints[2] = pose_read_joint(rig, end, err);
	if (joints[2] < 0) {
		return false;
	}
	for (int i = 1; i >= 0; i--) {
		joints[i] = rig->joints[joints[i + 1]].parent;
		if (joints[i] < 0) {
			return value_error(end, err, ERROR_INVALID_VALUE,
				"the joint has no two joints above it that could be a limb");
		}
	}
	return true;
}

static bool read_joints(
	const struct rig *rig, const struct value *value, struct request *r, struct error *err) {
	if ((r->end == NULL) == (r->chain == NULL)) {
		return value_error(r->end ? r->chain : value, err, ERROR_INVALID_VALUE,
			"give \"end\", the joint that is brought to the target, or \"chain\", the "
			"limb's three joints%s",
			r->end ? ", but not both" : "");
	}
	return r->end ? read_end(rig, r->end, r->joints, err)
		      : read_chain(rig, r->chain, r->joints, err);
}

static bool check(struct request *r, struct error *err) {
	if (r->keep_rotation && r->rotation_source) {
		return value_error(r->rotation_source, err, ERROR_INVALID_VALUE,
			"\"rotation\" and \"keep_rotation\" contradict each other; give one of "
			"them");
	}
	r->limb.has_pole = r->pole_source != NULL;
	r->limb.has_rotation = r->rotation_source || r->keep_rotation;
	return read_point(r->target_source, r->limb.target, err) &&
		read_point(r->pole_source, r->limb.pole, err) &&
		read_rotation(r->rotation_source, r->limb.rotation, err);
}

static bool solve(struct pose_context *context, struct request *r,
	const struct joint_limits *limits, struct arena *scratch, struct pose *out,
	struct error *err) {
	const struct ik_chain chain = {r->joints[0], r->joints[2]};
	struct ik_tree tree;
	if (!ik_tree_make(&tree, context->rig, out, limits, &chain, 1, r->pose, scratch, err)) {
		return false;
	}
	r->limb.root = ik_tree_find(&tree, r->joints[0]);
	r->limb.middle = ik_tree_find(&tree, r->joints[1]);
	r->limb.end = ik_tree_find(&tree, r->joints[2]);
	if (r->limb.has_rotation && !r->rotation_source) {
		ik_world_rotation(&tree, r->limb.end, r->limb.rotation);
	}
	two_bone_solve(&tree, context->rig, &r->limb);
	ik_tree_write(&tree, r->weight, out);
	return true;
}

#define AT(field) offsetof(struct request, field)

static const struct member rows[] = {
	{"two_bone", MEMBER_ANY, .offset = AT(pose), .required = true},
	{"end", MEMBER_ANY, .offset = AT(end)},
	{"chain", MEMBER_ANY, .offset = AT(chain)},
	{"target", MEMBER_VECTOR, .offset = AT(limb.target), .required = true, .count = 3,
		.source_offset = AT(target_source)},
	{"pole", MEMBER_VECTOR, .offset = AT(limb.pole), .count = 3,
		.source_offset = AT(pole_source)},
	{"soft", MEMBER_NUMBER, .offset = AT(limb.soft), .most = 1, .above_min = true,
		.standard = 1},
	{"keep_rotation", MEMBER_BOOL, .offset = AT(keep_rotation)},
	{"rotation", MEMBER_VECTOR, .offset = AT(limb.rotation), .count = 4,
		.source_offset = AT(rotation_source)},
	{"weight", MEMBER_NUMBER, .offset = AT(weight), .most = 1, .standard = 1},
	{"limits", MEMBER_ANY, .offset = AT(limits), .members = &limit_members},
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

static bool evaluate_two_bone(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	struct request r = {0};
	if (!value_read_table(value, &members, &r, err) ||
		!read_joints(context->rig, value, &r, err) || !check(&r, err)) {
		return false;
	}
	const struct joint_limits *limits = limits_read(context->run, context->rig, r.limits, err);
	if (!limits || !pose_evaluate_into(context, r.pose, out, err)) {
		return false;
	}
	struct arena *scratch = arena_create();
	const bool solved = solve(context, &r, limits, scratch, out, err);
	arena_destroy(scratch);
	return solved;
}

const struct operation operation_two_bone = {"two_bone",
	"a limb of two bones whose end is brought to a target", evaluate_two_bone, &members,
	.is_quick = false};
