// Compressed clips with all their keys.
#include "pose/sample/expand.h"

#include <string.h>

#include "model/clip_motion.h"
#include "pose/sample/sampler.h"

/* Room for the values of what has none, in an array of their own, [channel_count]. */
static float **make_room(const struct clip *clip, struct arena *arena) {
	float **values = arena_alloc(arena, (size_t)clip->channel_count + 1, sizeof *values);
	for (int i = 0; i < clip->channel_count; i++) {
		const struct channel *channel = &clip->channels[i];
		const size_t count = (size_t)channel->key_count * (size_t)channel->width;
		values[i] = channel->values ? NULL : arena_alloc(arena, count, sizeof **values);
	}
	return values;
}

static void fill(const struct rig *rig, const struct clip *clip, float **values) {
	struct arena *scratch = arena_create();
	struct pose pose = pose_rest(rig, scratch);
	for (int key = 0; key < clip->motion->sample_count; key++) {
		clip_sample(rig, clip, (double)clip->motion->times[key], &pose);
		for (int i = 0; i < clip->channel_count; i++) {
			const struct channel *channel = &clip->channels[i];
			int width;
			const float *from =
				pose_channel(rig, &pose, channel->joint, channel->path, &width);
			if (values[i]) {
				memcpy(values[i] + (size_t)key * (size_t)width, from,
					(size_t)width * sizeof *from);
			}
		}
	}
	arena_destroy(scratch);
}

const struct clip *clip_expand(
	const struct rig *rig, const struct clip *clip, struct arena *arena) {
	if (!clip->motion) {
		return clip;
	}
	struct clip *expanded = arena_alloc(arena, 1, sizeof *expanded);
	float **values = make_room(clip, arena);
	fill(rig, clip, values);
	*expanded = *clip;
	expanded->channels =
		arena_alloc(arena, (size_t)clip->channel_count + 1, sizeof *expanded->channels);
	for (int i = 0; i < clip->channel_count; i++) {
		expanded->channels[i] = clip->channels[i];
		if (values[i]) {
			expanded->channels[i].values = values[i];
		}
	}
	return expanded;
}
