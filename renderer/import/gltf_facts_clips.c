// Notes of a lenient import on the channels of clips.
#include <string.h>

#include "import/gltf_facts_notes.h"
#include "import/gltf_keys.h"

static struct channel_facts *at(const struct gltf_facts_list *list, size_t i) {
	return (struct channel_facts *)list->items + i;
}

void gltf_facts_begin_clip(struct gltf *gltf) {
	struct gltf_facts *facts = gltf->facts;
	facts->taken.count = facts->others.count = facts->parts.count = 0;
}

void gltf_facts_leave_channel(
	struct gltf *gltf, const struct channel_facts *channel, enum channel_fate fate) {
	struct channel_facts *other = gltf_facts_add(gltf->facts, &gltf->facts->others);
	*other = *channel;
	other->fate = fate;
}

void gltf_facts_take_channel(struct gltf *gltf, int place, const struct channel_facts *channel) {
	struct gltf_facts *facts = gltf->facts;
	if ((size_t)place < facts->taken.count) {
		gltf_facts_leave_channel(gltf, at(&facts->taken, (size_t)place), CHANNEL_REPLACED);
	} else {
		gltf_facts_add(facts, &facts->taken);
	}
	*at(&facts->taken, (size_t)place) = *channel;
}

void gltf_facts_add_part(struct gltf *gltf, int order, const struct channel_facts *channel) {
	struct gltf_facts *facts = gltf->facts;
	while (facts->parts.count <= (size_t)order) {
		gltf_facts_add(facts, &facts->parts);
	}
	*at(&facts->parts, (size_t)order) = *channel;
}

static void join_flaws(struct key_flaws *whole, const struct key_flaws *part) {
	if (whole->count == 0 && part->count > 0) {
		whole->key = part->key;
		whole->time_s = part->time_s;
	}
	whole->count += part->count;
}

struct channel_facts gltf_facts_join_parts(
	struct gltf *gltf, const struct weight_channel *parts, int count) {
	const struct gltf_facts_list *list = &gltf->facts->parts;
	struct channel_facts whole = *at(list, (size_t)parts[0].order);
	bool begun = false;
	for (int i = 0; i < count; i++) {
		const struct channel_facts *part = at(list, (size_t)parts[i].order);
		if (i + 1 < count && parts[i + 1].weight == parts[i].weight) {
			gltf_facts_leave_channel(gltf, part, CHANNEL_REPLACED);
			continue;
		}
		if (!begun) {
			whole = *part;
		}
		for (int k = 0; begun && k < KEY_FLAW_COUNT; k++) {
			join_flaws(&whole.flaws[k], &part->flaws[k]);
		}
		begun = true;
	}
	return whole;
}

bool gltf_facts_end_clip(struct gltf *gltf, struct error *err) {
	struct gltf_facts *facts = gltf->facts;
	const size_t count = facts->taken.count + facts->others.count;
	if (!gltf_facts_claim(gltf, count * sizeof(struct channel_facts), err)) {
		return false;
	}
	*(struct clip_facts *)gltf_facts_add(facts, &facts->clips) = (struct clip_facts){
		.first_channel = (int)facts->channels.count,
		.channel_count = (int)facts->taken.count,
		.other_count = (int)facts->others.count,
	};
	for (size_t i = 0; i < count; i++) {
		struct channel_facts *channel = gltf_facts_add(facts, &facts->channels);
		*channel = i < facts->taken.count ? *at(&facts->taken, i)
						  : *at(&facts->others, i - facts->taken.count);
	}
	return true;
}
