// An animation as a file of its joints' motion, which are neither skinned nor drawn.
#include "export/motion.h"

#include <stdlib.h>
#include <string.h>

#include "bake_export/bake_export.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/quat.h"
#include "pose/motion/root.h"

/* The destination of the frames. */
struct frames {
	struct transform *local; // [count][joint_count]
	double (*movement)[3];   // [count]; NULL = the format does not write it
	bool has_movement;
};

/* The root motion of a pose that carries it: where it has led, beside the joints, and its turn in
 * what has no parent. */
static void take_movement(
	const struct rig *rig, const struct pose *pose, struct frames *frames, size_t i) {
	double turn[4];
	struct transform *local = frames->local + i * (size_t)rig->joint_count;
	if (!root_of_pose(rig, pose, frames->movement[i], turn)) {
		memset(frames->movement[i], 0, sizeof frames->movement[i]);
		return;
	}
	frames->has_movement = true;
	for (int k = 0; k < rig->joint_count; k++) {
		double place[3], rotation[4];
		if (rig->joints[k].parent >= 0) {
			continue;
		}
		for (int c = 0; c < 4; c++) {
			rotation[c] = (double)local[k].rotation[c];
		}
		for (int c = 0; c < 3; c++) {
			place[c] = (double)local[k].translation[c];
		}
		quat_rotate(turn, place, place);
		quat_multiply(turn, rotation, rotation);
		for (int c = 0; c < 4; c++) {
			local[k].rotation[c] = (float)rotation[c];
		}
		for (int c = 0; c < 3; c++) {
			local[k].translation[c] = (float)place[c];
		}
	}
}

/* Poses frame i of the subject. */
static bool add_frame(struct bake_export *bake, size_t i, struct arena *arena,
	struct frames *frames, struct error *err) {
	const struct bake_export_job *job = bake->job;
	const struct rig *rig = job->subject.rig;
	struct pose_context context = pose_context_make(rig, arena, &bake->run);
	struct pose pose;
	context.time.clock_s = (double)bake->times[i];
	bake->run.joints = 0; // each frame counts by itself
	if (!stop_check(job->subject.stop, err) ||
		!pose_evaluate(&context, job->subject.pose, &pose, err)) {
		return false;
	}
	const size_t count = (size_t)rig->joint_count;
	memcpy(frames->local + i * count, pose.local, count * sizeof *frames->local);
	if (frames->movement) {
		take_movement(rig, &pose, frames, i);
	}
	return true;
}

static bool add_frames(struct bake_export *bake, struct frames *frames, struct error *err) {
	struct arena *arena = arena_create();
	bool ok = true;
	for (size_t i = 0; ok && i < bake->count; i++) {
		ok = add_frame(bake, i, arena, frames, err);
		arena_reset(arena);
	}
	arena_destroy(arena);
	return ok;
}

/* Both the frames and the least that is written of them. */
static bool check_size(
	struct bake_export *bake, const struct motion_format *format, struct error *err) {
	const int joints = bake->job->subject.rig->joint_count;
	const double frames = (double)bake->count;
	const double bytes = format->frame_bytes ? (double)format->frame_bytes(joints) : 0;
	return bake_export_check_bytes(
		       bake, frames * (double)joints * sizeof(struct transform), err) &&
		bake_export_check_bytes(bake, frames * bytes, err);
}

bool bake_export_motion(struct bake_export *bake, const struct motion_format *format,
	struct buffer *out, struct error *err) {
	const struct bake_export_job *job = bake->job;
	const size_t joints = (size_t)job->subject.rig->joint_count;
	if (!check_size(bake, format, err)) {
		return false;
	}
	struct frames frames = {
		.local = try_calloc(
			bake->count * joints + 1, sizeof *frames.local, "the frames", err),
		.movement = format->moves
			? arena_alloc(bake->arena, bake->count, sizeof *frames.movement)
			: NULL,
	};
	bool ok = frames.local && add_frames(bake, &frames, err);
	bake->report->times.pose_s = clock_lap_s(&bake->mark);
	const struct motion motion = {
		.rig = job->subject.rig,
		.rig_name = job->rig_name,
		.name = job->baked.name,
		.generator = job->generator,
		.frame_count = bake->count,
		.rate = bake->rate,
		.duration_s = bake->facts->duration_s,
		.local = frames.local,
		.movement = frames.has_movement ? (const double(*)[3])frames.movement : NULL,
	};
	ok = ok && format->write(&motion, out, err);
	free(frames.local);
	return ok && bake_export_check_bytes(bake, (double)out->size, err);
}
