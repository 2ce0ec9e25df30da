/* {"look_at": P, "joint", "target", ...}: a joint whose axis is aimed at a point; or, of avatars,
 * {"look_at": [x, y, z], "to": P}. */
#include "pose/ik/look_at.h"

#include "base/utf8.h"
#include "pose/find.h"
#include "pose/operations.h"
#include "pose/operations/look_at_avatar.h"
#include "pose/read.h"

#define DEGREE (3.14159265358979323846 / 180)

struct request {
	const struct value *pose, *to, *joint, *chain, *limits;
	const struct value *target_source, *axis_source, *up_source, *world_up_source;
	struct look_at look;
	double max_deg, weight;
	int aiming;          // position in rig->joints
	int top;             // the same, of the chain's first
	const double *share; // [rig->joint_count] by joint, in the scratch arena; sum 1
};

static bool check(const struct value *value, struct request *r, struct error *err) {
	if (!r->joint || !r->target_source) {
		return value_error(value, err, ERROR_INVALID_VALUE, "member \"%s\" is missing",
			r->joint ? "target" : "joint");
	}
	if (r->to) {
		return value_error(r->to, err, ERROR_UNKNOWN_MEMBER,
			"\"to\" is for an avatar's gaze, which has no \"joint\" and no "
			"\"target\"");
	}
	if (r->world_up_source && !r->up_source) {
		return value_error(r->world_up_source, err, ERROR_INVALID_VALUE,
			"\"world_up\" needs \"up\", the joint's own axis that is to point there");
	}
	r->look.has_up = r->up_source != NULL;
	r->look.max_rad = r->max_deg * DEGREE;
	return read_point(r->target_source, r->look.target, err) &&
		read_direction(r->axis_source, r->look.axis, err) &&
		read_direction(r->up_source, r->look.up, err) &&
		read_direction(r->world_up_source, r->look.world_up, err);
}

/* One joint's share. Marks in above[] are those at and above the joint that aims. */
static bool read_part(const struct rig *rig, const struct value *member, const bool *above,
	double *share, struct error *err) {
	const int joint = pose_find_joint(rig, member, err);
	if (joint < 0) {
		return false;
	}
	if (!above[joint]) {
		return value_error(member, err, ERROR_INVALID_VALUE,
			"joint \"%s\" is neither the one that looks nor above it", member->key);
	}
	if (member->kind != VALUE_NUMBER || !(member->number >= 0)) {
		return value_error(member, err, ERROR_INVALID_VALUE,
			"a joint's share must be a number, 0 or more");
	}
	share[joint] = member->number;
	return true;
}

static bool read_chain(const struct rig *rig, const struct value *chain, const bool *above,
	double *share, struct error *err) {
	double greatest = 0, sum = 0;
	if (chain->kind != VALUE_OBJECT) {
		return value_error(chain, err, ERROR_INVALID_VALUE,
			"\"chain\" is %s, must be an object whose members are joints",
			value_kind_name(chain->kind));
	}
	for (size_t i = 0; i < chain->count; i++) {
		if (!read_part(rig, &chain->items[i], above, share, err)) {
			return false;
		}
		greatest = chain->items[i].number > greatest ? chain->items[i].number : greatest;
	}
	if (!(greatest > 0)) {
		return value_error(chain, err, ERROR_INVALID_VALUE,
			"no joint in \"chain\" has a share above 0");
	}
	for (int i = 0; i < rig->joint_count; i++) {
		share[i] /= greatest; // first, so that no sum overflows
		sum += share[i];
	}
	for (int i = 0; i < rig->joint_count; i++) {
		share[i] /= sum;
	}
	return true;
}

static bool read_shares(
	const struct rig *rig, struct request *r, struct arena *scratch, struct error *err) {
	r->aiming = pose_read_joint(rig, r->joint, err);
	if (r->aiming < 0) {
		return false;
	}
	bool *above = arena_alloc(scratch, (size_t)rig->joint_count, sizeof *above);
	double *share = arena_alloc(scratch, (size_t)rig->joint_count, sizeof *share);
	for (int i = r->aiming; i >= 0; i = rig->joints[i].parent) {
		above[i] = true;
	}
	if (!r->chain) {
		share[r->aiming] = 1;
	} else if (!read_chain(rig, r->chain, above, share, err)) {
		return false;
	}
	for (r->top = 0; !(share[r->top] > 0); r->top++) {
	}
	r->share = share;
	return true;
}

static bool solve(struct pose_context *context, struct request *r,
	const struct joint_limits *limits, struct arena *scratch, struct pose *out,
	struct error *err) {
	const struct ik_chain chain = {r->top, r->aiming};
	struct ik_tree tree;
	if (!ik_tree_make(&tree, context->rig, out, limits, &chain, 1, r->pose, scratch, err)) {
		return false;
	}
	int *nodes = arena_alloc(scratch, (size_t)tree.count, sizeof *nodes);
	double *share = arena_alloc(scratch, (size_t)tree.count, sizeof *share);
	for (int i = 0; i < tree.count; i++) {
		const double part = r->share[tree.nodes[i].joint];
		if (part > 0) {
			nodes[r->look.count] = i;
			share[r->look.count++] = part;
		}
	}
	r->look.joint = ik_tree_find(&tree, r->aiming);
	r->look.chain = nodes;
	r->look.share = share;
	look_at_solve(&tree, &r->look);
	ik_tree_write(&tree, r->weight, out);
	return true;
}

#define AT(field) offsetof(struct request, field)

static const double y_axis[] = {0, 1, 0}, z_axis[] = {0, 0, 1};

static const struct member rows[] = {
	{"look_at", MEMBER_ANY, .offset = AT(pose), .required = true, .members = &gaze_members},
	{"to", MEMBER_ANY, .offset = AT(to)}, // only of avatars
	{"joint", MEMBER_ANY, .offset = AT(joint)},
	{"target", MEMBER_VECTOR, .offset = AT(look.target), .count = 3,
		.source_offset = AT(target_source)},
	{"axis", MEMBER_VECTOR, .offset = AT(look.axis), .count = 3, .standards = z_axis,
		.source_offset = AT(axis_source)},
	{"up", MEMBER_VECTOR, .offset = AT(look.up), .count = 3, .source_offset = AT(up_source)},
	{"world_up", MEMBER_VECTOR, .offset = AT(look.world_up), .count = 3, .standards = y_axis,
		.source_offset = AT(world_up_source)},
	{"max_angle", MEMBER_NUMBER, .offset = AT(max_deg), .most = 180, .standard = 180},
	{"chain", MEMBER_ANY, .offset = AT(chain)},
	{"weight", MEMBER_NUMBER, .offset = AT(weight), .most = 1, .standard = 1},
	{"limits", MEMBER_ANY, .offset = AT(limits), .members = &limit_members},
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

static bool evaluate_look_at(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	struct request r = {0};
	if (look_at_is_avatar_s(value)) {
		return look_at_as_avatar(context, value, out, err);
	}
	if (!value_read_table(value, &members, &r, err) || !check(value, &r, err)) {
		return false;
	}
	const struct joint_limits *limits = limits_read(context->run, context->rig, r.limits, err);
	if (!limits || !pose_evaluate_into(context, r.pose, out, err)) {
		return false;
	}
	struct arena *scratch = arena_create();
	const bool solved = read_shares(context->rig, &r, scratch, err) &&
		solve(context, &r, limits, scratch, out, err);
	arena_destroy(scratch);
	return solved;
}

const struct operation operation_look_at = {"look_at", "a joint whose axis is aimed at a point",
	evaluate_look_at, &members, .is_quick = false};
