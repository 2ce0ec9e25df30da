// The compatibility of two rigs -> the plain structs that protocol/ writes.
#include "describe/describe.h"

static const char *name_of(const struct rig *rig, int joint) {
	return joint >= 0 ? rig->joints[joint].name : NULL;
}

/* Names of the joints that are in no pair. */
static const char *const *describe_alone(
	const struct rig *rig, const bool *paired, struct arena *arena, size_t *count) {
	const char **names = arena_alloc(arena, (size_t)rig->joint_count, sizeof *names);
	*count = 0;
	for (int i = 0; i < rig->joint_count; i++) {
		if (!paired[i]) {
			names[(*count)++] = rig->joints[i].name;
		}
	}
	return names;
}

static void describe_pairs(const struct rig *rig, const struct rig *other,
	const struct compatibility *found, struct arena *arena,
	struct compatibility_description *out) {
	struct pair_description *pairs =
		arena_alloc(arena, (size_t)found->pair_count, sizeof *pairs);
	bool *ours = arena_alloc(arena, (size_t)rig->joint_count, sizeof *ours);
	bool *theirs = arena_alloc(arena, (size_t)other->joint_count, sizeof *theirs);
	for (int i = 0; i < found->pair_count; i++) {
		const struct compatible_pair *pair = &found->pairs[i];
		pairs[i] = (struct pair_description){
			.ours = name_of(rig, pair->ours),
			.theirs = name_of(other, pair->theirs),
			.how = pair->how,
			.role = pair->role,
			.turn_deg = pair->turn_deg,
			.confidence = pair->confidence,
		};
		ours[pair->ours] = true;
		theirs[pair->theirs] = true;
	}
	out->pairs = pairs;
	out->pair_count = (size_t)found->pair_count;
	out->ours_alone = describe_alone(rig, ours, arena, &out->ours_alone_count);
	out->theirs_alone = describe_alone(other, theirs, arena, &out->theirs_alone_count);
}

void describe_compatibility(const struct rig *rig, const struct rig *other,
	const struct compatibility *found, struct arena *arena,
	struct compatibility_description *out) {
	*out = (struct compatibility_description){
		.confidence = found->confidence,
		.share = found->share,
		.our_height = found->our_height,
		.their_height = found->their_height,
		.scale = found->scale,
		.role_count = (size_t)found->role_count,
		.clip_count = (size_t)other->clip_count,
	};
	describe_pairs(rig, other, found, arena, out);
	struct role_description *roles = arena_alloc(arena, out->role_count, sizeof *roles);
	for (size_t i = 0; i < out->role_count; i++) {
		const struct compatible_role *role = &found->roles[i];
		roles[i] = (struct role_description){
			role->name, name_of(rig, role->ours), name_of(other, role->theirs)};
	}
	struct clip_use_description *clips = arena_alloc(arena, out->clip_count, sizeof *clips);
	for (size_t i = 0; i < out->clip_count; i++) {
		clips[i] = (struct clip_use_description){.name = other->clips[i].name,
			.bound = found->clips[i].bound,
			.folded = found->clips[i].folded,
			.dropped = found->clips[i].dropped};
	}
	out->roles = roles;
	out->clips = clips;
}
