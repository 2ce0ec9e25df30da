/* {"avatar": P}: P with all that an avatar adds of itself: the gaze and the expressions that a clip
 * has brought, then constraints, then springs at rest. */
#include "pose/avatar/avatar_of.h"
#include "pose/avatar/constraints.h"
#include "pose/avatar/expressions.h"
#include "pose/avatar/gaze.h"
#include "pose/avatar/springs.h"
#include "pose/operations.h"

/* The step of springs that touch something. */
#define SPRING_STEP_S (1.0 / 60)

/* Only what a pose drives has been brought: others keep their morph weights. */
static void show_face(const struct rig *rig, struct arena *scratch, struct pose *pose) {
	const struct avatar *avatar = rig->avatar;
	const int joint = rig_face_joint(rig);
	if (joint < 0 || !(pose->driven[joint] & 1 << CHANNEL_WEIGHTS)) {
		return;
	}
	const struct avatar_face face =
		avatar_face_of(avatar, pose->weights + rig->joints[joint].first_weight);
	float *weights =
		arena_alloc(scratch, (size_t)avatar->expression_count + 1, sizeof *weights);
	const struct gaze gaze = {face.gaze[1], face.gaze[2]};
	const double share = face.gaze[0] < 1 ? face.gaze[0] : 1;
	expressions_of_pose(rig, pose, weights);
	if (avatar->has_look_at && share > 0) {
		gaze_apply(rig, &gaze, share, weights, pose);
	}
	expressions_apply(rig, weights, pose);
}

static bool settle(struct pose_context *context, const struct value *value, struct arena *scratch,
	struct pose *pose, struct error *err) {
	const struct springs_payer payer = {context->run, value};
	struct springs *springs = springs_make(context->rig, scratch);
	const bool ok = springs_settle(springs, pose, SPRING_STEP_S, &payer, err);
	if (ok) {
		springs_write(springs, pose);
	}
	return ok;
}

static const struct member rows[] = {
	{"avatar", MEMBER_ANY, .required = true},
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

static bool evaluate_avatar(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	const struct value *pose = NULL;
	if (!value_read_table(value, &members, &pose, err) ||
		!avatar_of(context->rig, value, "\"avatar\"", err) ||
		!pose_evaluate_into(context, pose, out, err)) {
		return false;
	}
	struct arena *scratch = arena_create();
	show_face(context->rig, scratch, out);
	const bool ok = constraints_apply(context->rig, context->run, value, out, err) &&
		settle(context, value, scratch, out, err);
	arena_destroy(scratch);
	return ok;
}

const struct operation operation_avatar = {"avatar",
	"a pose with what an avatar adds: face, constraints, springs at rest", evaluate_avatar,
	&members, .is_quick = false};
