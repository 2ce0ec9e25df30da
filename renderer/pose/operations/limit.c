// {"limit": P, "limits": {...}}: P with its joints turned back into their limits.
#include "base/quat.h"
#include "pose/ik/limits.h"
#include "pose/operations.h"

static void limit_joint(const struct limited_joint *limited, struct pose *pose) {
	float *rotation = pose->local[limited->joint].rotation;
	double q[4] = {rotation[0], rotation[1], rotation[2], rotation[3]};
	quat_normalize(q);
	if (limit_apply(&limited->limit, q)) {
		for (int k = 0; k < 4; k++) {
			rotation[k] = (float)q[k];
		}
		pose->driven[limited->joint] |= 1 << CHANNEL_ROTATION;
	}
}

struct request {
	const struct value *pose, *limits;
};

static const struct member rows[] = {
	{"limit", MEMBER_ANY, .offset = offsetof(struct request, pose), .required = true},
	{"limits", MEMBER_ANY, .offset = offsetof(struct request, limits), .required = true,
		.members = &limit_members},
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

static bool evaluate_limit(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	struct request request = {0};
	if (!value_read_table(value, &members, &request, err)) {
		return false;
	}
	const struct joint_limits *limits =
		limits_read(context->run, context->rig, request.limits, err);
	if (!limits || !pose_evaluate_into(context, request.pose, out, err)) {
		return false;
	}
	for (size_t i = 0; i < limits->count; i++) {
		limit_joint(&limits->items[i], out);
	}
	return true;
}

const struct operation operation_limit = {"limit",
	"a pose with its joints turned back into their limits", evaluate_limit, &members,
	.is_quick = false};
