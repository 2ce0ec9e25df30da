// Clips: made of poses, moved from rig to rig, and written to files.

#include "interface/clips.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "export/clip.h"
#include "interface/assets.h"
#include "model/clip_pack.h"
#include "model/prune.h"
#include "pose/find.h"
#include "pose/motion/bake_clip.h"
#include "pose/retarget/joint_map.h"

void renderer_suggest_clips(const struct rig *rig, const char *requested, struct error *err) {
	pose_suggest_clips(rig, requested, err);
}

bool renderer_bake_clip(
	const struct bake_job *job, struct arena *arena, struct clip *out, struct error *err) {
	return bake_clip(job, arena, out, err);
}

/* Notes once that a joint was left out; its channels mostly follow each other. */
static void drop(struct moved_clip *moved, const char *name) {
	for (size_t i = 0; i < moved->dropped_count; i++) {
		if (moved->dropped[i] == name) {
			return;
		}
	}
	moved->dropped[moved->dropped_count++] = name;
}

static bool refuse_all(const struct rig *to, const struct moved_clip *moved, struct error *err) {
	if (moved->dropped_count == 0) {
		return error_set(err, ERROR_INVALID_VALUE, "the clip drives no joint");
	}
	char name[160];
	utf8_quote(moved->dropped[0], name, sizeof name);
	return error_set(err, ERROR_INVALID_VALUE,
		"none of the %zu joints that the clip drives, such as %s, is one of the rig's %d",
		moved->dropped_count, name, to->joint_count);
}

bool renderer_move_clip(const struct rig *from, const struct clip *clip, const struct rig *to,
	struct arena *arena, struct moved_clip *out, struct error *err) {
	const size_t count = (size_t)clip->channel_count;
	*out = (struct moved_clip){
		.clip.channels = arena_alloc(arena, count, sizeof *out->clip.channels),
		.dropped = arena_alloc(arena, count, sizeof *out->dropped),
	};
	int last = -1, joint = -1;
	for (size_t i = 0; i < count; i++) {
		struct channel channel = clip->channels[i];
		const char *name = from->joints[channel.joint].name;
		if (channel.joint != last) {
			last = channel.joint;
			joint = rig_find_joint(to, name);
		}
		const bool fits = joint >= 0 &&
			(channel.path != CHANNEL_WEIGHTS ||
				to->joints[joint].weight_count == channel.width);
		if (fits) {
			channel.joint = joint;
			out->clip.channels[out->clip.channel_count++] = channel;
		} else {
			drop(out, name);
		}
	}
	clip_sum_up(&out->clip);
	return out->clip.channel_count > 0 || refuse_all(to, out, err);
}

/* {"retarget": {"clip": position}, "rig": name} */
static const struct value *retarget_expression(
	struct arena *arena, const struct retarget_job *job, const char *name) {
	struct value *values = arena_alloc(arena, 4, sizeof *values);
	struct value *outer = &values[0], *members = &values[1], *inner = &values[3];
	*inner = (struct value){.kind = VALUE_NUMBER,
		.number = (double)(job->clip - job->from->clips),
		.parent = &members[0],
		.key = "clip"};
	members[0] = (struct value){.kind = VALUE_OBJECT,
		.count = 1,
		.items = inner,
		.parent = outer,
		.key = "retarget"};
	members[1] =
		(struct value){.kind = VALUE_STRING, .string = name, .parent = outer, .key = "rig"};
	*outer = (struct value){.kind = VALUE_OBJECT, .count = 2, .items = members};
	return outer;
}

/* Notes the joints that a clip drives and that have no partner. */
static void drop_unpaired(
	const struct retarget_job *job, struct arena *arena, struct moved_clip *out) {
	struct joint_map map;
	joint_map_find(JOINT_MAP_AUTO, job->to, job->from, arena, &map);
	out->dropped = arena_alloc(arena, (size_t)job->clip->channel_count, sizeof *out->dropped);
	for (int i = 0; i < job->clip->channel_count; i++) {
		const int joint = job->clip->channels[i].joint;
		if (map.follower[joint] < 0) {
			drop(out, job->from->joints[joint].name);
		}
	}
}

/* The expression is ours: its places would tell nobody anything. Always false. */
static bool without_place(struct error *err) {
	err->has_pointer = false;
	return false;
}

bool renderer_retarget_clip(const struct retarget_job *job, struct arena *arena,
	struct moved_clip *out, struct error *err) {
	static const char name[] = "the file";
	const struct pose_source source = {name, job->from};
	const struct pose_sources sources = {&source, 1};
	const struct bake_job baking = {
		.subject = {.rig = job->to,
			.pose = retarget_expression(arena, job, name),
			.sources = &sources,
			.stop = job->stop},
		.duration_s = job->clip->duration_s,
		.rate = job->rate,
		.max_frames = job->max_frames,
	};
	*out = (struct moved_clip){0};
	if (!bake_clip(&baking, arena, &out->clip, err)) {
		return without_place(err);
	}
	drop_unpaired(job, arena, out);
	return true;
}

static bool write_pruned(const struct clip_file_job *job, struct buffer *glb, struct error *err) {
	struct arena *arena = arena_create();
	struct clip pruned;
	struct rig *rig = prune_rig(job->rig, job->clip, &pruned, arena, err);
	const bool written =
		rig && export_clip(rig, &pruned, job->generator, job->max_bytes, glb, err);
	rig_release(rig);
	arena_destroy(arena);
	return written;
}

bool renderer_clip_glb(const struct clip_file_job *job, struct buffer *glb, struct error *err) {
	return job->prune
		? write_pruned(job, glb, err)
		: export_clip(job->rig, job->clip, job->generator, job->max_bytes, glb, err);
}

/* --- Clips of files --- */

/* A clip without channels has no animation in its file. */
static bool take_clip(const struct rig *file, const struct rig *to, struct arena *arena,
	struct clip *out, struct error *err) {
	struct moved_clip moved;
	*out = (struct clip){0};
	if (file->clip_count == 0) {
		return true;
	}
	if (!renderer_move_clip(file, &file->clips[0], to, arena, &moved, err)) {
		return false;
	}
	*out = moved.clip;
	return moved.dropped_count == 0 ||
		error_set(err, ERROR_BROKEN_ASSET,
			"it drives %zu joints that the rig does not have", moved.dropped_count);
}

static bool pack_file(const struct rig *base, const struct clip_file *file, struct rig_clip *out,
	struct error *err) {
	struct arena *arena = arena_create();
	struct buffer packed = {0};
	struct clip clip;
	struct rig *rig = renderer_import(file->bytes, file->size, err);
	const bool ok = rig && take_clip(rig, base, arena, &clip, err) &&
		clip_pack(base, &clip, &packed, err);
	rig_release(rig);
	arena_destroy(arena);
	out->name = file->name;
	out->take_bytes = buffer_steal(&packed, &out->size);
	return ok;
}

/* Always NULL: with the reason, and the clip that it is about. */
static struct rig *refuse_file(
	const struct clip_file *file, const struct error *why, struct error *err) {
	char name[160];
	utf8_quote(file->name, name, sizeof name);
	error_set(err, why->code, "clip %s: %s", name, why->text);
	return NULL;
}

struct rig *renderer_add_clips(
	const struct rig *base, const struct clip_file *files, size_t count, struct error *err) {
	struct rig_clip *clips = xcalloc(count, sizeof *clips);
	struct rig *rig = NULL;
	struct error why = {0};
	size_t packed = 0;
	int failed;
	while (packed < count && pack_file(base, &files[packed], &clips[packed], &why)) {
		packed++;
	}
	if (packed == count) {
		rig = rig_create_with_clips(base, clips, (int)count, &failed, &why);
		packed = (size_t)failed;
	} else {
		for (size_t i = 0; i <= packed; i++) {
			free(clips[i].take_bytes);
		}
	}
	free(clips);
	return rig ? rig : refuse_file(&files[packed], &why, err);
}
