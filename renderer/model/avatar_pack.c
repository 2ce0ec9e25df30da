// An avatar -> records of a packed rig.
#include <stddef.h>

#include "model/rig_pack_internal.h"

static struct avatar_expression *pack_expressions(struct pack *pack, const struct avatar *avatar) {
	const size_t count = (size_t)avatar->expression_count;
	struct avatar_expression *copy = rig_pack_copy(avatar->expressions, count, sizeof *copy);
	for (size_t i = 0; i < count; i++) {
		copy[i].name = rig_pack_moved(pack, copy[i].name);
		copy[i].morphs = rig_pack_moved(pack, copy[i].morphs);
		copy[i].tints = rig_pack_moved(pack, copy[i].tints);
		copy[i].shifts = rig_pack_moved(pack, copy[i].shifts);
	}
	return rig_pack_append(pack, copy, count, sizeof *copy);
}

static struct avatar_spring *pack_springs(struct pack *pack, const struct avatar *avatar) {
	const size_t count = (size_t)avatar->spring_count;
	struct avatar_spring *copy = rig_pack_copy(avatar->springs, count, sizeof *copy);
	for (size_t i = 0; i < count; i++) {
		copy[i].name = rig_pack_moved(pack, copy[i].name);
		copy[i].joints = rig_pack_moved(pack, copy[i].joints);
		copy[i].colliders = rig_pack_moved(pack, copy[i].colliders);
	}
	return rig_pack_append(pack, copy, count, sizeof *copy);
}

static struct avatar_fact *pack_facts(struct pack *pack, const struct avatar *avatar) {
	const size_t count = (size_t)avatar->fact_count;
	struct avatar_fact *copy = rig_pack_copy(avatar->facts, count, sizeof *copy);
	for (size_t i = 0; i < count; i++) {
		copy[i].key = rig_pack_moved(pack, copy[i].key);
		copy[i].text = rig_pack_moved(pack, copy[i].text);
	}
	return rig_pack_append(pack, copy, count, sizeof *copy);
}

struct avatar *avatar_pack(struct pack *pack, const struct avatar *avatar) {
	struct avatar *copy = rig_pack_copy(avatar, 1, sizeof *copy);
	copy->version = rig_pack_moved(pack, avatar->version);
	copy->expressions = pack_expressions(pack, avatar);
	copy->constraints = rig_pack_moved(pack, avatar->constraints);
	copy->colliders = rig_pack_moved(pack, avatar->colliders);
	copy->springs = pack_springs(pack, avatar);
	copy->views = rig_pack_moved(pack, avatar->views);
	copy->facts = pack_facts(pack, avatar);
	return rig_pack_append(pack, copy, 1, sizeof *copy);
}
