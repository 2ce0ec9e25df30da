// The part of one rig's clips that another rig can use.

#include "interface/clips.h"
#include "pose/pose.h"
#include "pose/retarget/retarget.h"

static const char *role_of(const struct joint_map *map, int joint) {
	for (int i = 0; i < HUMANOID_ROLE_COUNT; i++) {
		if (map->our_roles.joints[i] == joint) {
			return humanoid_role_name((enum humanoid_role)i);
		}
	}
	return NULL;
}

static void tell_pairs(const struct joint_map *map, const struct retarget *retarget,
	struct arena *arena, struct compatibility *out) {
	struct compatible_pair *pairs = arena_alloc(arena, (size_t)map->bound, sizeof *pairs);
	for (int i = 0; i < map->ours->joint_count; i++) {
		if (map->partner[i] >= 0) {
			pairs[out->pair_count++] = (struct compatible_pair){
				.ours = i,
				.theirs = map->partner[i],
				.how = joint_match_name(map->match[i]),
				.role = role_of(map, i),
				.turn_deg = retarget_turn_deg(retarget, i),
				.confidence = map->confidence[i],
			};
		}
	}
	out->pairs = pairs;
}

static void tell_roles(
	const struct joint_map *map, struct arena *arena, struct compatibility *out) {
	struct compatible_role *roles = arena_alloc(arena, HUMANOID_ROLE_COUNT, sizeof *roles);
	for (int i = 0; i < HUMANOID_ROLE_COUNT; i++) {
		const int ours = map->our_roles.joints[i], theirs = map->their_roles.joints[i];
		if (ours >= 0 || theirs >= 0) {
			roles[out->role_count++] = (struct compatible_role){
				humanoid_role_name((enum humanoid_role)i), ours, theirs};
		}
	}
	out->roles = roles;
}

/* Counts the joints that move vertices and have a partner. */
static double share_of(const struct joint_map *map, struct arena *arena) {
	const size_t count = (size_t)map->ours->joint_count;
	bool *skinned = arena_alloc(arena, count, sizeof *skinned);
	skeleton_mark_skinned(map->ours, skinned);
	int all = 0, bound = 0;
	for (int i = 0; i < map->ours->joint_count; i++) {
		all += skinned[i];
		bound += skinned[i] && map->partner[i] >= 0;
	}
	return all > 0 ? (double)bound / all : 0;
}

/* Marks the joints that turn a partner below them. */
static bool *mark_folded(const struct joint_map *map, struct arena *arena) {
	const struct rig *rig = map->theirs;
	bool *folded = arena_alloc(arena, (size_t)rig->joint_count, sizeof *folded);
	for (int i = rig->joint_count - 1; i >= 0; i--) {
		const int parent = rig->joints[i].parent;
		if (parent >= 0 && (folded[i] || map->follower[i] >= 0)) {
			folded[parent] = true;
		}
	}
	return folded;
}

/* True when a channel of a joint with a partner has something to drive. */
static bool is_used(const struct retarget *retarget, const struct channel *channel) {
	const int ours = retarget->map->follower[channel->joint];
	switch (channel->path) {
	case CHANNEL_TRANSLATION:
		return retarget_moves(retarget, ours);
	case CHANNEL_WEIGHTS:
		return retarget->map->ours->joints[ours].weight_count == channel->width;
	case CHANNEL_ROTATION:
	case CHANNEL_SCALE:
		break;
	}
	return true;
}

static void tell_clips(
	const struct retarget *retarget, struct arena *arena, struct compatibility *out) {
	const struct joint_map *map = retarget->map;
	const struct rig *rig = map->theirs;
	const bool *folded = mark_folded(map, arena);
	struct compatible_clip *clips = arena_alloc(arena, (size_t)rig->clip_count, sizeof *clips);
	for (int i = 0; i < rig->clip_count; i++) {
		for (int k = 0; k < rig->clips[i].channel_count; k++) {
			const struct channel *channel = &rig->clips[i].channels[k];
			if (map->follower[channel->joint] < 0) {
				const bool turns =
					folded[channel->joint] && channel->path != CHANNEL_WEIGHTS;
				clips[i].folded += turns;
				clips[i].dropped += !turns;
			} else if (is_used(retarget, channel)) {
				clips[i].bound++;
			} else {
				clips[i].dropped++;
			}
		}
	}
	out->clips = clips;
}

void renderer_compatibility(const struct rig *ours, const struct rig *theirs, bool by_name,
	struct arena *arena, struct compatibility *out) {
	const struct retarget_settings settings = {.align = RETARGET_ALIGN_REST};
	struct joint_map map;
	struct retarget retarget;
	joint_map_find(by_name ? JOINT_MAP_NAME : JOINT_MAP_AUTO, ours, theirs, arena, &map);
	retarget_make(&map, &settings, arena, &retarget);
	*out = (struct compatibility){
		.confidence = map.whole,
		.is_enough = map.whole >= JOINT_MAP_MIN,
		.share = share_of(&map, arena),
		.our_height = retarget.our_height,
		.their_height = retarget.their_height,
		.scale = retarget.scale,
	};
	tell_pairs(&map, &retarget, arena, out);
	tell_roles(&map, arena, out);
	tell_clips(&retarget, arena, out);
}
