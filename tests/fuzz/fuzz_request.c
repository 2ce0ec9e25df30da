// Bodies of requests: read as JSON and as each kind of request, the poses evaluated on a rig and
// clips baked of them.
#include <assert.h>
#include <math.h>

#include "../unit/rigs.h"
#include "bake.h"
#include "clip.h"
#include "compare.h"
#include "crowd.h"
#include "example.h"
#include "fuzz.h"
#include "json_text.h"
#include "model/clip_pack.h"
#include "pose/motion/bake_clip.h"
#include "renderer.h"
#include "request.h"
#include "sequence.h"
#include "stream.h"

#define SIZE_MAX_BYTES ((size_t)1 << 16)
#define POSES_MAX 64
#define FRAMES_MAX 64

static struct rig *rig;

static const float times[] = {0, 2};
static const float turns[] = {0, 0, 0, 1, 0, 0.6f, 0, 0.8f};
static const float moves[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 9, 1, 2, 3, 4, 0, 0};
static struct channel turn[] = {{.joint = 1,
	.path = CHANNEL_ROTATION,
	.interpolation = INTERPOLATION_LINEAR,
	.key_count = 2,
	.width = 4,
	.times = times,
	.values = turns}};
static struct channel move[] = {{.joint = 0,
	.path = CHANNEL_TRANSLATION,
	.interpolation = INTERPOLATION_CUBIC_SPLINE,
	.key_count = 2,
	.width = 3,
	.times = times,
	.values = moves}};
static struct clip clips[] = {
	{.name = "Turn", .duration_s = 2, .channel_count = 1, .channels = turn},
	{.name = "Move", .index = 1, .duration_s = 2, .channel_count = 1, .channels = move},
};

/* cyl2 with two clips; joint 1 is called "K". It lives as long as the process. */
static struct rig *fixed_rig(void) {
	struct rig *made = rig_cyl2();
	made->joints[1].name[0] = 'K';
	made->clips = clips;
	made->clip_count = 2;
	return made;
}

static void evaluate_one(const struct value *pose, struct arena *arena) {
	struct posed_joints joints;
	struct error err = {0};
	const struct posed_subject job = {.rig = rig, .pose = pose};
	if (!renderer_pose(&job, arena, &joints, &err)) {
		assert(err.code != ERROR_NONE && err.code != ERROR_INTERNAL);
		return;
	}
	for (int k = 0; k < joints.count * 12; k++) {
		assert(isfinite(joints.world[k / 12][k % 12]));
	}
}

static void evaluate(const struct subject *subject, struct arena *arena) {
	for (size_t i = 0; i < subject->count && i < POSES_MAX; i++) {
		evaluate_one(subject_pose(subject, i), arena);
	}
}

static void take_crowd(const struct crowd_request *crowd, struct arena *arena) {
	for (size_t i = 0; i < crowd->count && i < POSES_MAX; i++) {
		const struct crowd_figure *figure = &crowd->figures[i];
		assert(figure->which < crowd->rig_count);
		for (int k = 0; k < 12; k++) {
			assert(isfinite(figure->placement[k]));
		}
		evaluate_one(figure->pose, arena);
	}
}

/* Whatever can be baked can be stored, and read again. */
static void take_clip(const struct clip_request *request, struct arena *arena) {
	const struct bake_job job = {
		.subject = {.rig = rig, .pose = request->pose},
		.duration_s = request->duration_s,
		.rate = request->rate,
		.max_frames = FRAMES_MAX,
		.source = request->source,
	};
	struct clip clip, back;
	struct buffer stored = {0};
	struct error err = {0};
	if (!bake_clip(&job, arena, &clip, &err)) {
		assert(err.code != ERROR_NONE && err.code != ERROR_INTERNAL);
		return;
	}
	assert(clip_pack(rig, &clip, &stored, NULL));
	assert(clip_unpack(rig, stored.data, stored.size, arena, &back, NULL));
	assert(back.channel_count == clip.channel_count);
	buffer_finish(&stored);
}

/* The stored example reads back, with the same pose as text. */
static void take_example(const struct example_request *example, struct arena *arena) {
	struct buffer pose = {0}, stored = {0};
	struct json_writer json = {.out = &pose};
	float *numbers = example->numbers;
	value_text(example->pose, &json);
	assert(json_read(arena, pose.data, pose.size, NULL));
	float *normals = numbers && example->normals ? numbers + example->vertices * 3 : NULL;
	if (numbers && example_check(numbers, normals, example->vertices, NULL)) {
		const struct example_form form = {
			(const char *)pose.data, pose.size, example->vertices, numbers, normals};
		struct example_form back;
		assert(example_pack(&form, &stored, NULL));
		assert(example_unpack(stored.data, stored.size, &back));
		assert(back.vertices == form.vertices && back.pose_bytes == form.pose_bytes);
	}
	buffer_finish(&stored);
	buffer_finish(&pose);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct error err[12] = {0};
	struct pose_request pose;
	struct vertices_request vertices;
	struct frame_request frame;
	struct compare_request compare;
	struct example_request example;
	struct crowd_request crowd;
	struct clip_request clip;
	struct bake_request bake;
	struct stream_request stream;
	struct stream_patch patch;
	struct frames_request frames;
	if (size > SIZE_MAX_BYTES) {
		return 0;
	}
	rig = rig ? rig : fixed_rig();
	struct arena *arena = arena_create();
	const struct value *body = json_read(arena, data, size, &err[0]);
	assert(body || err[0].code != ERROR_NONE);
	if (body && request_read_pose(body, &pose, &err[1])) {
		evaluate(&pose.subject, arena);
	}
	if (body && request_read_vertices(body, &vertices, &err[2])) {
		evaluate(&vertices.subject, arena);
	}
	if (body && request_read_frame(body, &frame, &err[3])) {
		evaluate(&frame.subject, arena);
	}
	if (body && request_read_compare(body, &compare, &err[4])) {
		for (size_t i = 0; i < compare.method_count; i++) {
			assert(compare_label(arena, compare.places[i], "lbs"));
		}
	}
	if (body && example_read(arena, body, &example, &err[5])) {
		take_example(&example, arena);
	}
	if (body && request_read_crowd(body, arena, &crowd, &err[6])) {
		take_crowd(&crowd, arena);
	}
	if (body && clip_read(body, &clip, &err[7])) {
		take_clip(&clip, arena);
	}
	if (body && stream_read(body, &stream, &err[8])) {
		evaluate(&stream.vertices.subject, arena);
	}
	if (body && stream_read_patch(body, &patch, &err[9])) {
		const struct subject subject = {.count = 1, .poses = patch.pose};
		evaluate(&subject, arena);
	}
	if (body && bake_read(body, &bake, &err[10])) {
		assert(bake.baked.form < BAKED_FORM_COUNT && bake.baked.rate > 0);
		evaluate(&bake.subject, arena);
	}
	if (body && request_read_frames(body, arena, &frames, &err[11])) {
		evaluate(&frames.subject, arena);
	}
	arena_destroy(arena);
	return 0;
}
