// Rigs with more clips than their files have.
#include "model/rig_clips.h"

#include <stdlib.h>
#include <string.h>

#include "model/clip_pack.h"
#include "model/rig_internal.h"
#include "model/tracks.h"

/* Everything of a variant lies in its storage, names and channels of clips, too. */
static bool keep(struct rig *rig, const char *name, const struct clip *from, struct clip *clip,
	struct error *err) {
	const size_t channels = (size_t)from->channel_count;
	*clip = *from;
	clip->channels = rig_storage(rig, channels, sizeof *clip->channels, "a clip", err);
	clip->name = rig_storage(rig, strlen(name) + 1, 1, "a clip's name", err);
	if (!clip->channels || !clip->name) {
		return false;
	}
	for (size_t i = 0; i < channels; i++) {
		clip->channels[i] = from->channels[i];
	}
	strcpy(clip->name, name);
	return true;
}

static bool add(struct rig *rig, const struct rig_clip *added, struct error *err) {
	struct arena *arena = arena_create();
	struct clip clip;
	bool fine = clip_unpack(rig, added->take_bytes, added->size, arena, &clip, err);
	clip.index = rig->clip_count;
	fine = fine && keep(rig, added->name, &clip, &rig->clips[rig->clip_count], err);
	rig->clip_count += fine;
	arena_destroy(arena);
	return fine && rig_make_clip_tracks(rig, rig->clip_count - 1, err);
}

static bool add_all(
	struct rig *rig, const struct rig_clip *clips, int count, int *failed, struct error *err) {
	const struct clip *own = rig->clips;
	const size_t room = (size_t)rig->clip_count + (size_t)count;
	rig->clips = rig_storage(rig, room, sizeof *rig->clips, "clips", err);
	if (!rig->clips) {
		return false;
	}
	for (int i = 0; i < rig->clip_count; i++) {
		rig->clips[i] = own[i];
	}
	for (int i = 0; i < count; i++) {
		*failed = i;
		if (!add(rig, &clips[i], err)) {
			return false;
		}
	}
	return true;
}

struct rig *rig_create_with_clips(const struct rig *base, const struct rig_clip *clips, int count,
	int *failed, struct error *err) {
	struct rig *rig = rig_create_variant(base, err);
	for (int i = 0; i < count; i++) {
		if (rig) {
			rig_adopt(rig, clips[i].take_bytes, clips[i].size, NULL);
		} else {
			free(clips[i].take_bytes);
		}
	}
	*failed = 0;
	if (!rig || !add_all(rig, clips, count, failed, err)) {
		rig_release(rig);
		return NULL;
	}
	rig->id = base->id;
	memcpy(rig->content, base->content, sizeof rig->content);
	return rig;
}
