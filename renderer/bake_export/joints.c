// An animation as a GLB with the rig's joints, its skins and their animation.
#include <math.h>
#include <string.h>

#include "bake_export/bake_export.h"
#include "base/clock.h"
#include "interface/clips.h"
#include "interface/vertices.h"
#include "model/prune.h"

static bool bake_joints(struct bake_export *bake, struct clip *clip, struct error *err) {
	const struct bake_export_job *job = bake->job;
	const struct bake_job baking = {
		.subject = job->subject,
		.duration_s = bake->facts->duration_s,
		.rate = bake->rate,
		.max_frames = job->max_frames,
		.source = job->baked.source,
	};
	return renderer_bake_clip(&baking, bake->arena, clip, err);
}

static double greatest(const float *numbers, size_t count) {
	double most = 0;
	for (size_t i = 0; i < count; i++) {
		most = fmax(most, fabs((double)numbers[i]));
	}
	return most;
}

/* Joints without effect, since their mesh follows a skin: [joint_count] in the arena. */
static const bool *find_idle(const struct rig *rig, struct arena *arena) {
	bool *idle = arena_alloc(arena, (size_t)rig->joint_count, sizeof *idle);
	for (int i = 0; i < rig->primitive_count; i++) {
		idle[rig->primitives[i].joint] |= rig->primitives[i].skinned;
	}
	for (int i = 0; i < rig->slot_count; i++) {
		idle[rig->slots[i].joint] = false;
	}
	for (int i = 0; i < rig->joint_count; i++) {
		if (rig->joints[i].parent >= 0) {
			idle[rig->joints[i].parent] = false;
		}
	}
	return idle;
}

/* glTF ignores the transforms of such nodes, but not their morph weights. */
static void leave_out_idle(const struct rig *rig, struct arena *arena, struct clip *clip) {
	const bool *idle = find_idle(rig, arena);
	int count = 0;
	for (int i = 0; i < clip->channel_count; i++) {
		const struct channel *channel = &clip->channels[i];
		if (channel->path == CHANNEL_WEIGHTS || !idle[channel->joint]) {
			clip->channels[count++] = *channel;
		}
	}
	clip->channel_count = count;
}

static bool write(struct bake_export *bake, const struct rig *rig, struct clip *clip,
	struct buffer *out, struct error *err) {
	leave_out_idle(rig, bake->arena, clip);
	const struct export_rigging rigging = {.clips = clip, .clip_count = 1};
	struct export_job export = bake_export_glb_job(bake, rig);
	export.tangents = rig->tangents;
	export.rigging = &rigging;
	return bake_export_glb(bake, &export, out, err);
}

static bool write_pruned(
	struct bake_export *bake, const struct clip *clip, struct buffer *out, struct error *err) {
	struct clip pruned;
	struct rig *rig = prune_rig(bake->job->subject.rig, clip, &pruned, bake->arena, err);
	const bool written = rig && write(bake, rig, &pruned, out, err);
	rig_release(rig);
	return written;
}

/* The farthest that morph targets can move a vertex, with no weight above this one. */
static double morph_reach(const struct rig *rig, double weight) {
	double reach = 0;
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		for (int k = 0; k < primitive->target_count; k++) {
			const float *moves = primitive->targets[k].positions;
			reach += moves ? weight * (double)rig_reach(moves, primitive->vertex_count)
				       : 0;
		}
	}
	return reach;
}

/* True if no chain of joints scales so much that a vertex can exceed float32. */
static bool keeps_near(const struct bake_export *bake, const struct clip *clip) {
	const struct rig *rig = bake->job->subject.rig;
	double *sizes = arena_alloc(bake->arena, (size_t)rig->joint_count, sizeof *sizes);
	double *ways = arena_alloc(bake->arena, (size_t)rig->joint_count, sizeof *ways);
	double weight = greatest(rig->rest_weights, (size_t)rig->weight_count);
	for (int i = 0; i < rig->joint_count; i++) {
		sizes[i] = greatest(rig->joints[i].rest.scale, 3);
		ways[i] = greatest(rig->joints[i].rest.translation, 3);
	}
	for (int i = 0; i < clip->channel_count; i++) {
		const struct channel *channel = &clip->channels[i];
		double *to = channel->path == CHANNEL_SCALE    ? sizes
			: channel->path == CHANNEL_TRANSLATION ? ways
							       : NULL;
		if (to) {
			to[channel->joint] = fmax(to[channel->joint],
				greatest(channel->values, (size_t)channel->key_count * 3));
		} else if (channel->path == CHANNEL_WEIGHTS) {
			weight = fmax(weight,
				greatest(channel->values,
					(size_t)channel->key_count * (size_t)channel->width));
		}
	}
	double size = 1, way = 0, bind = 1;
	for (int i = 0; i < rig->joint_count; i++) {
		size *= fmax(sizes[i], 1);
		way += ways[i];
	}
	for (int i = 0; i < rig->slot_count * 12; i++) {
		bind = fmax(bind, fabs(rig->slots[i / 12].inverse_bind[i % 12]));
	}
	const double reach = 1 + (double)bake->reach + morph_reach(rig, weight);
	return size * (way + bind * reach) < 1e30;
}

/* Checks what a player makes of the file, frame by frame. */
static bool check_frames(struct bake_export *bake, struct error *err) {
	struct arena *arena = arena_create();
	bool ok = true;
	for (size_t i = 0; ok && i < bake->count; i++) {
		struct prepared prepared;
		ok = bake_export_prepare(bake, i, arena, &prepared, err);
		if (ok) {
			ok = bake_export_check_frame(bake, &prepared, err);
			prepared_finish(&prepared);
		}
		arena_reset(arena);
	}
	arena_destroy(arena);
	return ok;
}

bool bake_export_joints(struct bake_export *bake, struct buffer *out, struct error *err) {
	const struct bake_export_job *job = bake->job;
	struct clip clip;
	if (!bake_export_check_linear(bake, err) || !bake_joints(bake, &clip, err) ||
		(!keeps_near(bake, &clip) && !check_frames(bake, err))) {
		return false;
	}
	bake->report->times.pose_s = clock_lap_s(&bake->mark);
	bake->report->method = "lbs";
	bake->report->device = "cpu";
	bake->facts->vertices = (size_t)job->subject.rig->vertex_count;
	clip.name = arena_strndup(bake->arena, job->baked.name, strlen(job->baked.name));
	return job->baked.prune ? write_pruned(bake, &clip, out, err)
				: write(bake, job->subject.rig, &clip, out, err);
}
