// Clips: made of poses, and written to files and read from them.

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
#include "pose/sample/expand.h"

void renderer_suggest_clips(const struct rig *rig, const char *requested, struct error *err) {
	pose_suggest_clips(rig, requested, err);
}

bool renderer_bake_clip(
	const struct bake_job *job, struct arena *arena, struct clip *out, struct error *err) {
	return bake_clip(job, arena, out, err);
}

static bool write_pruned(const struct clip_file_job *job, const struct clip *clip,
	struct arena *arena, struct buffer *glb, struct error *err) {
	struct clip pruned;
	struct rig *rig = prune_rig(job->rig, clip, &pruned, arena, err);
	const bool written =
		rig && export_clips(rig, &pruned, 1, job->generator, job->max_bytes, glb, err);
	rig_release(rig);
	return written;
}

bool renderer_clip_glb(const struct clip_file_job *job, struct buffer *glb, struct error *err) {
	struct arena *arena = arena_create();
	const struct clip *clip = clip_expand(job->rig, job->clip, arena);
	const bool written = job->prune
		? write_pruned(job, clip, arena, glb, err)
		: export_clips(job->rig, clip, 1, job->generator, job->max_bytes, glb, err);
	arena_destroy(arena);
	return written;
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
	const struct move_job job = {
		.from = file, .clip = &file->clips[0], .to = to, .by_names = true};
	if (!renderer_move_clip(&job, arena, &moved, err)) {
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
