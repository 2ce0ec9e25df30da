// A motion as a GLB with the rig's joints, skins and an animation of them.
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "interface/clips.h"
#include "interface/vertices.h"
#include "model/prune.h"
#include "portable/portable.h"

static bool bake(struct portable *portable, struct clip *clip, struct error *err) {
	const struct portable_job *job = portable->job;
	const struct bake_job baking = {
		.subject = job->subject,
		.duration_s = portable->facts->duration_s,
		.rate = portable->rate,
		.most_frames = job->most_frames,
		.place = job->baked.place,
	};
	return renderer_bake_clip(&baking, portable->arena, clip, err);
}

static double greatest(const float *numbers, size_t count) {
	double most = 0;
	for (size_t i = 0; i < count; i++) {
		most = fmax(most, fabs((double)numbers[i]));
	}
	return most;
}

/* The joints that nothing follows, since their mesh follows a skin: [joint_count] in the arena. */
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

/* glTF has such nodes not animated, but for their morph weights. */
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

static bool write(struct portable *portable, const struct rig *rig, struct clip *clip,
	struct buffer *out, struct error *err) {
	leave_out_idle(rig, portable->arena, clip);
	const struct export_rigging rigging = {.clip = clip};
	struct export_job export = portable_export_job(portable, rig);
	export.tangents = rig->tangents;
	export.rigging = &rigging;
	return portable_export(portable, &export, out, err);
}

static bool write_pruned(
	struct portable *portable, const struct clip *clip, struct buffer *out, struct error *err) {
	struct clip pruned;
	struct rig *rig =
		prune_rig(portable->job->subject.rig, clip, &pruned, portable->arena, err);
	const bool written = rig && write(portable, rig, &pruned, out, err);
	rig_release(rig);
	return written;
}

/* How far morph targets can take a vertex, with no weight greater than this. */
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

/* True when no chain of joints can be so large that a vertex leaves float32. */
static bool keeps_near(const struct portable *portable, const struct clip *clip) {
	const struct rig *rig = portable->job->subject.rig;
	double *sizes = arena_alloc(portable->arena, (size_t)rig->joint_count, sizeof *sizes);
	double *ways = arena_alloc(portable->arena, (size_t)rig->joint_count, sizeof *ways);
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
	const double reach = 1 + (double)portable->reach + morph_reach(rig, weight);
	return size * (way + bind * reach) < 1e30;
}

/* What whoever shows the file makes of it, frame by frame. */
static bool check_frames(struct portable *portable, struct error *err) {
	struct arena *arena = arena_create();
	bool fine = true;
	for (size_t i = 0; fine && i < portable->count; i++) {
		struct prepared prepared;
		fine = portable_prepare(portable, i, arena, &prepared, err);
		if (fine) {
			fine = portable_check_frame(portable, &prepared, err);
			prepared_finish(&prepared);
		}
		arena_reset(arena);
	}
	arena_destroy(arena);
	return fine;
}

bool portable_joints(struct portable *portable, struct buffer *out, struct error *err) {
	const struct portable_job *job = portable->job;
	struct clip clip;
	if (!portable_check_linear(portable, err) || !bake(portable, &clip, err) ||
		(!keeps_near(portable, &clip) && !check_frames(portable, err))) {
		return false;
	}
	portable->report->times.pose_s = clock_lap_s(&portable->mark);
	portable->report->method = "lbs";
	portable->report->device = "cpu";
	portable->facts->vertices = (size_t)job->subject.rig->vertex_count;
	clip.name = arena_strndup(portable->arena, job->baked.name, strlen(job->baked.name));
	return job->baked.prune ? write_pruned(portable, &clip, out, err)
				: write(portable, job->subject.rig, &clip, out, err);
}
