// POST /v1/pose: joints of one or many poses.
#include "api.h"
#include "describe.h"
#include "limits.h"
#include "request.h"
#include "store.h"
#include "subject.h"

static const char json_type[] = "application/json";
static const char *const types[] = {json_type, "application/octet-stream", NULL};

/* Bytes of one joint as JSON, its name aside: 26 numbers of up to 16 characters and the keys. */
#define JOINT_JSON_BYTES 560

/* Bytes of one joint in the binary form: a 4x4 matrix of float32. */
#define JOINT_BINARY_BYTES (16 * sizeof(float))

struct work {
	struct call *call;
	const struct pose_request *request;
	const struct rig *rig;
	bool as_json;
	struct json_writer json;
};

static bool check_size(const struct work *work, struct error *err) {
	const size_t joint = work->as_json ? JOINT_JSON_BYTES : JOINT_BINARY_BYTES;
	const size_t joints = (size_t)work->rig->joint_count;
	const size_t frames = work->request->subject.count;
	return frames <= LIMIT_REPLY_BYTES / joint / (joints + 1) ||
		error_set(err, ERROR_TOO_LARGE,
			"%zu poses of %zu joints may not fit in an answer of %zu bytes; ask for "
			"fewer "
			"poses at a time",
			frames, joints, LIMIT_REPLY_BYTES);
}

static void write_binary(const struct joint_pose *joints, int count, struct buffer *out) {
	for (int i = 0; i < count; i++) {
		buffer_append(out, joints[i].world, sizeof joints[i].world);
	}
}

/* One pose, with memory of its own: thousands of them need not be there at once. */
static bool write_frame(struct work *work, size_t i, struct error *err) {
	struct arena *arena = arena_create();
	struct posed_joints pose;
	const struct value *expression = subject_pose(&work->request->subject, i);
	const bool posed = renderer_pose(work->rig, expression, arena, &pose, err);
	if (posed) {
		const struct joint_pose *joints = describe_pose(work->rig, &pose, arena);
		if (work->as_json) {
			reply_pose(&work->json, joints, pose.count, work->request->space);
		} else {
			write_binary(joints, pose.count, &work->call->answer.body);
		}
	}
	arena_destroy(arena);
	return posed;
}

static bool write_frames(struct work *work, struct error *err) {
	const struct subject *subject = &work->request->subject;
	if (work->as_json) {
		reply_begin_poses(&work->json, subject->many);
	}
	for (size_t i = 0; i < subject->count; i++) {
		if (!write_frame(work, i, err)) {
			return false;
		}
	}
	if (work->as_json) {
		reply_end_poses(&work->json, subject->many);
	}
	return true;
}

static bool answer(struct call *call, const struct pose_request *request, struct store_hold *hold,
	struct error *err) {
	if (call_is_known(call, hold->summary.content)) {
		return true;
	}
	struct work work = {
		.call = call,
		.request = request,
		.rig = store_load(call->service->store, hold, err),
		.as_json = call->answer.content_type == json_type,
		.json = {.out = &call->answer.body},
	};
	return work.rig && check_size(&work, err) && write_frames(&work, err);
}

bool api_pose(struct call *call, struct error *err) {
	struct pose_request request;
	struct store_hold hold;
	const struct value *body = call_choose_type(call, types, err) ? call_json(call, err) : NULL;
	if (!body || !request_read_pose(body, &request, err) ||
		!renderer_check_skinning(&request.skinning, err) ||
		!subject_hold(call, &request.subject, &hold, err)) {
		return false;
	}
	const bool answered =
		answer(call, &request, &hold, err) || subject_name(&request.subject, err);
	store_release(&hold);
	return answered;
}
