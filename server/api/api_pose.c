// POST /v1/pose: joints of one or many poses.
#include "api/api.h"
#include "api/frame_response.h"
#include "api/results.h"
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

static void begin(struct request_context *context) {
	struct work *work = context->state;
	reply_begin_poses(&work->json, work->request.subject.many);
}

static void end(struct request_context *context) {
	struct work *work = context->state;
	reply_end_poses(&work->json, work->request.subject.many);
}

static void write_matrices(const struct posed_joints *pose, struct buffer *out) {
	for (int i = 0; i < pose->count; i++) {
		float columns[16];
		renderer_world_columns(pose->world[i], columns);
		buffer_append(out, columns, sizeof columns);
	}
}

static void write_frame(
	struct request_context *context, const struct posed_joints *pose, struct arena *arena) {
	struct work *work = context->state;
	if (work->frames.exact) {
		write_matrices(pose, &context->response.body);
	} else {
		const struct pose_frame *frame = describe_pose(context->hold.rig, pose, arena);
		reply_pose(&work->json, frame, work->request.space);
	}
}

/* One of many poses has memory of its own: thousands of them need not be there at once. */
static bool add(struct request_context *context, size_t i, struct error *err) {
	const struct work *work = context->state;
	const struct value *expression = subject_pose(&work->request.subject, i);
	double mark = clock_now_s();
	const bool lone = work->request.subject.count == 1;
	struct arena *arena = lone ? context->arena : arena_create();
	const struct posed_subject subject = subject_posed(context, expression, NULL);
	struct posed_joints pose;
	const bool posed = renderer_pose(&subject, arena, &pose, err);
	context->spans_s[SPAN_POSE] += clock_lap_s(&mark);
	if (posed) {
		write_frame(context, &pose, arena);
		context->spans_s[SPAN_ENCODE] += clock_lap_s(&mark);
	}
	if (!lone) {
		arena_destroy(arena);
	}
	return posed;
}

static bool check(struct request_context *context, size_t i, struct error *err) {
	const struct work *work = context->state;
	return frames_check_pose(
		context, context->hold.rig, subject_pose(&work->request.subject, i), err);
}

static bool respond(struct request_context *context, struct error *err) {
	struct work *work = context->state;
	const struct rig *rig = context_load(context, err);
	const bool as_json = context->response.content_type == json_type;
	if (!rig) {
		return false;
	}
	const size_t joint_bytes = as_json ? JOINT_JSON_BYTES : JOINT_BINARY_BYTES;
	const size_t frame_bytes = joint_bytes * ((size_t)rig->joint_count + as_json);
	work->json.out = &context->response.body;
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
	return frames_respond(context, err) || subject_name(&work->request.subject, err);
}

/* On the loop's thread if that takes hardly more than waking another. */
static enum executor choose_source(const struct request_context *context, const struct work *work) {
	const struct rig *rig = context->hold.rig;
	const bool small = rig && work->request.subject.count == 1 && context->sources.count == 0 &&
		context->body_bytes * (size_t)rig->joint_count <= AT_ONCE_WORK &&
		renderer_pose_is_quick(subject_pose(&work->request.subject, 0));
	return small && context->response.content_type != json_type ? EXECUTOR_LOOP : EXECUTOR_CPU;
}

bool api_pose(struct request_context *context, struct error *err) {
	struct work *work = arena_alloc(context->arena, 1, sizeof *work);
	const struct value *body =
		context_choose_type(context, types, err) ? context_json(context, err) : NULL;
	if (!body || !request_read_pose(body, &work->request, err) ||
		!renderer_check_skinning(&work->request.skinning, err) ||
		!subject_hold(context, &work->request.subject, err)) {
		return false;
	}
	context_continue(context, choose_source(context, work), respond, work);
	context_is_known(context, context->hold.motion);
	return true;
}
