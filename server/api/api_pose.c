// POST /v1/pose: joints of one or many poses.
#include "api/api.h"
#include "api/frames.h"
#include "api/subject.h"
#include "base/clock.h"
#include "describe/describe.h"
#include "request.h"

static const char json_type[] = "application/json";
static const char *const types[] = {json_type, "application/octet-stream", NULL};

/* Bytes of one joint as JSON, its name aside: 26 numbers of up to 16 characters and the keys. */
#define JOINT_JSON_BYTES 560

/* Bytes of one joint in the binary form: a 4x4 matrix of float32. */
#define JOINT_BINARY_BYTES (16 * sizeof(float))

/* Joints times bytes of the request, which tell of the size of an expression of quick operations,
 * up to which a pose in binary form takes less time than waking a thread for it, some ten
 * microseconds. */
#define AT_ONCE_WORK 32768

struct work {
	struct frames frames;
	struct pose_request request;
	struct json_writer json;
};

static void begin(struct call *call) {
	struct work *work = call->state;
	reply_begin_poses(&work->json, work->request.subject.many);
}

static void end(struct call *call) {
	struct work *work = call->state;
	reply_end_poses(&work->json, work->request.subject.many);
}

static void write_matrices(const struct posed_joints *pose, struct buffer *out) {
	for (int i = 0; i < pose->count; i++) {
		float columns[16];
		renderer_world_columns(pose->world[i], columns);
		buffer_append(out, columns, sizeof columns);
	}
}

static void write_frame(struct call *call, const struct posed_joints *pose, struct arena *arena) {
	struct work *work = call->state;
	if (work->frames.exact) {
		write_matrices(pose, &call->answer.body);
	} else {
		const struct pose_frame *frame = describe_pose(call->hold.rig, pose, arena);
		reply_pose(&work->json, frame, work->request.space);
	}
}

/* One of many poses has memory of its own: thousands of them need not be there at once. */
static bool add(struct call *call, size_t i, struct error *err) {
	const struct work *work = call->state;
	const struct value *expression = subject_pose(&work->request.subject, i);
	double mark = clock_now_s();
	const bool lone = work->request.subject.count == 1;
	struct arena *arena = lone ? call->arena : arena_create();
	const struct pose_job job = {call->hold.rig, expression, &call->sources, &call->stop};
	struct posed_joints pose;
	const bool posed = renderer_pose(&job, arena, &pose, err);
	call->spans_s[SPAN_POSE] += clock_lap_s(&mark);
	if (posed) {
		write_frame(call, &pose, arena);
		call->spans_s[SPAN_ENCODE] += clock_lap_s(&mark);
	}
	if (!lone) {
		arena_destroy(arena);
	}
	return posed;
}

static bool check(struct call *call, size_t i, struct error *err) {
	const struct work *work = call->state;
	return frames_check_pose(
		call, call->hold.rig, subject_pose(&work->request.subject, i), err);
}

static bool answer(struct call *call, struct error *err) {
	struct work *work = call->state;
	const struct rig *rig = call_load(call, err);
	const bool as_json = call->answer.content_type == json_type;
	if (!rig) {
		return false;
	}
	const size_t joint_bytes = as_json ? JOINT_JSON_BYTES : JOINT_BINARY_BYTES;
	const size_t frame_bytes = joint_bytes * ((size_t)rig->joint_count + as_json);
	work->json.out = &call->answer.body;
	work->frames = (struct frames){
		.count = work->request.subject.count,
		.frame_bytes = frame_bytes,
		.total_bytes = (uint64_t)work->request.subject.count * frame_bytes,
		.exact = !as_json,
		.begin = as_json ? begin : NULL,
		.add = add,
		.check = check,
		.end = as_json ? end : NULL,
	};
	return frames_answer(call, err) || subject_name(&work->request.subject, err);
}

/* Where the answer is made: at once if that takes hardly more than the way to another thread. */
static enum place choose_place(const struct call *call, const struct work *work) {
	const struct rig *rig = call->hold.rig;
	const bool small = rig && work->request.subject.count == 1 && call->sources.count == 0 &&
		call->body_bytes * (size_t)rig->joint_count <= AT_ONCE_WORK &&
		renderer_pose_is_quick(subject_pose(&work->request.subject, 0));
	return small && call->answer.content_type != json_type ? PLACE_LOOP : PLACE_CPU;
}

bool api_pose(struct call *call, struct error *err) {
	struct work *work = arena_alloc(call->arena, 1, sizeof *work);
	const struct value *body = call_choose_type(call, types, err) ? call_json(call, err) : NULL;
	if (!body || !request_read_pose(body, &work->request, err) ||
		!renderer_check_skinning(&work->request.skinning, err) ||
		!subject_hold(call, &work->request.subject, err)) {
		return false;
	}
	call_continue(call, choose_place(call, work), answer, work);
	call_is_known(call, call->hold.motion);
	return true;
}
