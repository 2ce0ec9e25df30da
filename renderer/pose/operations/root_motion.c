/* {"root_motion": P, "mode": way, "joint": J, "vertical": bool, "turn": bool}: P without its way
 * over the ground, or with all of it. */
#include "base/utf8.h"
#include "pose/find.h"
#include "pose/humanoid/humanoid.h"
#include "pose/motion/root.h"
#include "pose/operations.h"

enum mode {
	MODE_KEEP,
	MODE_EXTRACT,
	MODE_ZERO,
	MODE_ACCUMULATE,
};

static const char *const mode_names[] = {
	[MODE_KEEP] = "keep",
	[MODE_EXTRACT] = "extract",
	[MODE_ZERO] = "zero",
	[MODE_ACCUMULATE] = "accumulate",
	NULL,
};

/* The most loops whose way is still a way. */
#define LOOPS_MAX 1e9

struct request {
	const struct value *source, *pose, *joint_source;
	int mode;
	struct root_axes axes; // the joint is found later
};

/* Kept for a place in the expression. */
struct note {
	bool found;
	int joint;
};

/* The hips of a humanoid, else the first joint that the pose drives. */
static int default_joint(struct pose_context *context, const struct pose *pose) {
	const struct rig *rig = context->rig;
	struct humanoid humanoid;
	struct arena *scratch = arena_create();
	humanoid_find(rig, scratch, &humanoid);
	arena_destroy(scratch);
	if (humanoid.joints[HUMANOID_HIPS] >= 0) {
		return humanoid.joints[HUMANOID_HIPS];
	}
	const unsigned moves = 1 << CHANNEL_TRANSLATION | 1 << CHANNEL_ROTATION;
	for (int i = 0; i < rig->joint_count; i++) {
		if (pose->driven[i] & moves) {
			return i;
		}
	}
	return 0;
}

/* -1 with *err. */
static int find_joint(struct pose_context *context, const struct request *request,
	const struct pose *pose, struct error *err) {
	if (context->rig->joint_count == 0) {
		value_error(request->source, err, ERROR_INVALID_VALUE,
			"the rig has no joint that could move over the ground");
		return -1;
	}
	struct note *note = pose_run_recall(context->run, request->source, sizeof *note);
	if (!note->found) {
		note->joint = request->joint_source
			? pose_read_joint(context->rig, request->joint_source, err)
			: default_joint(context, pose);
		note->found = note->joint >= 0;
	}
	return note->joint;
}

/* The joint's frame with all clips at one end. */
static bool find_frame(struct pose_context *context, const struct request *request,
	enum clips_at at, struct root_motion *out, struct error *err) {
	struct pose_slot *slot = pose_pool_take(&context->spare, context->rig, context->arena, err);
	if (!slot) {
		return false;
	}
	const enum clips_at before = context->time.at;
	context->time.at = at;
	const bool ok = pose_evaluate_into(context, request->pose, &slot->pose, err);
	context->time.at = before;
	if (ok) {
		root_frame(context->rig, &slot->pose, &request->axes, out);
	}
	pose_pool_give(&context->spare, slot);
	return ok;
}

static bool check_loops(
	const struct request *request, const struct pose_loops *loops, struct error *err) {
	if (loops->differ) {
		return value_error(request->pose, err, ERROR_INVALID_VALUE,
			"the clips in \"root_motion\" have passed different numbers of loops; give "
			"each of them its own, with \"extract\"");
	}
	return (loops->count >= -LOOPS_MAX && loops->count <= LOOPS_MAX) ||
		value_error(request->pose, err, ERROR_INVALID_VALUE,
			"the clip has passed %g loops, of at most %g", loops->count, LOOPS_MAX);
}

/* The motion of the pose since its clips' start, in this loop and in all loops. */
struct way {
	struct root_motion start; // the frame there
	struct root_motion loop, all;
};

static bool find_way(struct pose_context *context, const struct request *request,
	const struct pose_loops *loops, const struct pose *pose, struct way *way,
	struct error *err) {
	struct root_motion now, end, whole;
	if (!find_frame(context, request, CLIPS_AT_START, &way->start, err)) {
		return false;
	}
	root_frame(context->rig, pose, &request->axes, &now);
	root_between(&way->start, &now, &way->loop);
	way->all = way->loop;
	if (request->mode == MODE_ZERO || (loops->count == 0 && !loops->differ)) {
		return true;
	}
	if (!check_loops(request, loops, err) ||
		!find_frame(context, request, CLIPS_AT_END, &end, err)) {
		return false;
	}
	root_between(&way->start, &end, &whole);
	root_repeat(&whole, loops->count, &whole);
	root_multiply(&whole, &way->loop, &way->all);
	return true;
}

static bool move(const struct pose_context *context, const struct request *request,
	const struct root_axes *axes, const struct root_motion *motion, struct pose *out,
	struct error *err) {
	if (root_move(context->rig, motion, axes, out)) {
		return true;
	}
	char name[160];
	utf8_quote(context->rig->joints[axes->joint].name, name, sizeof name);
	return value_error(request->pose, err, ERROR_INVALID_VALUE,
		"joint %s cannot be moved over the ground: something gets farther than float32 "
		"reaches",
		name);
}

/* Takes out what this loop has moved; what was found stays with the pose, or is put back. */
static bool take_out(struct pose_context *context, const struct request *request,
	const struct way *way, struct pose *out, struct error *err) {
	struct root_motion loop, all;
	root_to_world(&way->start, &way->loop, &loop);
	root_invert(&loop, &loop);
	if (request->mode == MODE_ACCUMULATE) {
		root_to_world(&way->start, &way->all, &all);
		root_multiply(&all, &loop, &loop);
	}
	if (request->mode == MODE_EXTRACT) {
		out->root = (struct pose_root){
			true, request->axes.turns, request->axes.joint, way->all};
	}
	return move(context, request, &request->axes, &loop, out, err);
}

/* For a pose that has been relieved of its way already. */
static bool use_carried(const struct pose_context *context, const struct request *request,
	struct pose *out, struct error *err) {
	const struct pose_root root = out->root;
	if (request->mode == MODE_KEEP || request->mode == MODE_EXTRACT) {
		return true;
	}
	out->root.carried = false;
	struct root_motion frame, motion;
	const struct root_axes axes = {root.joint, true, root.turns};
	root_frame(context->rig, out, &axes, &frame);
	root_to_world(&frame, &root.motion, &motion);
	return request->mode == MODE_ZERO || move(context, request, &axes, &motion, out, err);
}

#define AT(field) offsetof(struct request, field)

static const struct member rows[] = {
	{"root_motion", MEMBER_ANY, .offset = AT(pose), .required = true},
	{"mode", MEMBER_CHOICE, .offset = AT(mode), .choices = mode_names, .required = true},
	{"joint", MEMBER_ANY, .offset = AT(joint_source)},
	{"vertical", MEMBER_BOOL, .offset = AT(axes.vertical)},
	{"turn", MEMBER_BOOL, .offset = AT(axes.turns), .standard = true},
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

/* The pose as it is, and how many loops its clips have passed. */
static bool evaluate(struct pose_context *context, const struct request *request,
	struct pose_loops *loops, struct pose *out, struct error *err) {
	struct pose_loops around = context->run->loops;
	context->run->loops = (struct pose_loops){0};
	const bool ok = pose_evaluate_into(context, request->pose, out, err);
	*loops = context->run->loops;
	pose_loops_add(&around, loops);
	context->run->loops = around;
	return ok;
}

static bool evaluate_root_motion(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	struct request request = {.source = value};
	struct pose_loops loops;
	if (!value_read_table(value, &members, &request, err) ||
		!evaluate(context, &request, &loops, out, err)) {
		return false;
	}
	request.axes.joint = find_joint(context, &request, out, err);
	if (request.axes.joint < 0) {
		return false;
	}
	if (out->root.carried) {
		return use_carried(context, &request, out, err);
	}
	struct way way;
	return request.mode == MODE_KEEP ||
		(find_way(context, &request, &loops, out, &way, err) &&
			take_out(context, &request, &way, out, err));
}

const struct operation operation_root_motion = {"root_motion",
	"a pose without its way over the ground, or with all of it", evaluate_root_motion, &members,
	.is_quick = false};
