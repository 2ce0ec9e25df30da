// The face of a VRM animation on an avatar.
#include "animation/face.h"

#include <string.h>

#include "base/quat.h"
#include "base/utf8.h"
#include "model/avatar_face.h"
#include "model/clip_pack.h"
#include "pose/avatar/expressions.h"
#include "pose/avatar/gaze.h"
#include "pose/pose.h"
#include "pose/sample/sampler.h"

/* Bytes that the keys may take. */
#define KEYS_BYTES ((size_t)64 << 20)

struct face {
	const struct face_job *job;
	const struct avatar *ours, *theirs;
	bool *driven; // [from->joint_count] by the clip
	int *source;  // [ours->expression_count] joint of theirs; -1 = none
	bool gazes, moves;
};

/* Most names in a warning. */
#define NAMES_MAX 20

/* Finds the joints that drive our expressions. Returns the names of those that we lack. */
static const char *find_sources(struct face *face, struct arena *arena) {
	const char *lacking = NULL;
	int count = 0;
	for (int i = 0; i < face->ours->expression_count; i++) {
		face->source[i] = -1;
	}
	for (int i = 0; i < face->theirs->expression_count; i++) {
		const struct avatar_expression *theirs = &face->theirs->expressions[i];
		const int ours = expression_find(face->ours, theirs->name);
		if (!face->driven[theirs->joint]) {
			continue;
		}
		if (ours >= 0) {
			face->source[ours] = theirs->joint;
			face->moves = true;
		} else if (count++ < NAMES_MAX) {
			lacking = utf8_list_quoted(arena, lacking, theirs->name);
		}
	}
	return lacking;
}

/* Marks what the clip drives. True where that is the gaze, too. */
static bool mark_driven(struct face *face) {
	const struct clip *clip = face->job->clip;
	for (int i = 0; i < clip->channel_count; i++) {
		face->driven[clip->channels[i].joint] = true;
	}
	return face->theirs->has_look_at && face->driven[face->theirs->look_at.joint];
}

static struct gaze gaze_of(const float rotation[static 4]) {
	static const double ahead[3] = {0, 0, 1};
	double q[4], direction[3];
	for (int k = 0; k < 4; k++) {
		q[k] = (double)rotation[k];
	}
	quat_normalize(q);
	quat_rotate(q, ahead, direction);
	return gaze_along(direction);
}

static void fill(const struct face *face, const struct pose *pose, float *numbers) {
	const struct avatar_face out = avatar_face_of(face->ours, numbers);
	for (int i = 0; i < face->ours->expression_count; i++) {
		const int joint = face->source[i];
		// Clamped where they are shown: between keys that leave [0, 1] lines would differ.
		out.weights[i] = joint < 0 ? 0 : pose->local[joint].translation[0];
	}
	if (face->gazes) {
		const struct gaze gaze = gaze_of(pose->local[face->theirs->look_at.joint].rotation);
		out.gaze[0] = 1;
		out.gaze[1] = (float)gaze.yaw_deg;
		out.gaze[2] = (float)gaze.pitch_deg;
	}
}

static void bake(
	const struct face *face, int joint, size_t width, struct arena *arena, struct clip *clip) {
	const struct face_job *job = face->job;
	struct pose pose = pose_rest(job->from, arena);
	float *values = arena_alloc(arena, job->count * width, sizeof *values);
	for (size_t i = 0; i < job->count; i++) {
		clip_sample(job->from, job->clip, (double)job->times[i], &pose);
		fill(face, &pose, values + i * width);
	}
	struct channel *channels =
		arena_alloc(arena, (size_t)clip->channel_count + 1, sizeof *channels);
	memcpy(channels, clip->channels, (size_t)clip->channel_count * sizeof *channels);
	channels[clip->channel_count++] = (struct channel){
		.joint = joint,
		.path = CHANNEL_WEIGHTS,
		.interpolation = INTERPOLATION_LINEAR,
		.key_count = (int)job->count,
		.width = (int)width,
		.times = job->times,
		.values = values,
	};
	clip->channels = channels;
	clip_sum_up(clip);
}

void face_add(const struct face_job *job, struct arena *arena, struct clip *clip,
	const char **warnings, size_t *warning_count) {
	const size_t expressions = (size_t)job->to->avatar->expression_count;
	const size_t width = (size_t)avatar_face_width(job->to->avatar);
	const int joint = rig_face_joint(job->to);
	struct face face = {
		.job = job,
		.ours = job->to->avatar,
		.theirs = job->from->avatar,
		.driven = arena_alloc(arena, (size_t)job->from->joint_count, sizeof *face.driven),
		.source = arena_alloc(arena, expressions, sizeof *face.source),
	};
	const bool has_gaze = mark_driven(&face);
	const char *lacking = find_sources(&face, arena);
	face.gazes = has_gaze && face.ours->has_look_at;
	if (lacking) {
		warnings[(*warning_count)++] = arena_printf(
			arena, "the avatar lacks expressions of the file: %s", lacking);
	}
	if (has_gaze && !face.gazes) {
		warnings[(*warning_count)++] = arena_printf(
			arena, "the avatar has no gaze: \"lookAt\" of the file is left out");
	}
	if (!face.gazes && !face.moves) {
		return;
	}
	if (joint < 0 || width * sizeof(float) > KEYS_BYTES / job->count) {
		warnings[(*warning_count)++] = arena_printf(arena, "the face is left out: %s",
			joint < 0 ? "the avatar's head is a mesh that morphs"
				  : "so many keys of so many expressions are too much");
		return;
	}
	bake(&face, joint, width, arena, clip);
}
