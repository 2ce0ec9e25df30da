// The facts of an asset's file: one block of memory, copied, packed, and checked when unpacked.
#include "model/asset_facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "model/rig.h"

#define MAGIC "posefact"

/* The alignment of arrays. */
#define ALIGNMENT ((size_t)8)

struct head {
	char magic[8];  // MAGIC without its NUL
	uint64_t bytes; // of the whole block
};

/* An array of struct asset_facts and its count. */
struct array {
	const char *name;
	size_t pointer_at, count_at, item;
};

#define ARRAY(field, count) \
	{ \
#field, offsetof(struct asset_facts, field), offsetof(struct asset_facts, count), \
			sizeof *((struct asset_facts *)0)->field \
	}

static const struct array arrays[] = {
	ARRAY(primitives, primitive_count),
	ARRAY(skins, skin_count),
	ARRAY(joint_names, joint_name_count),
	ARRAY(clips, clip_count),
	ARRAY(channels, channel_count),
	ARRAY(morph_targets, mesh_count),
	ARRAY(images, image_count),
	ARRAY(lods, lod_count),
	ARRAY(not_covered, not_covered_count),
	ARRAY(nonfinite, nonfinite_count),
	ARRAY(vertices, vertex_count),
	ARRAY(joints, joint_count),
	ARRAY(texts, text_bytes),
};

#define ARRAY_COUNT (sizeof arrays / sizeof arrays[0])

/* A struct that gets a member gets another size: it must then be checked here. */
_Static_assert(sizeof(struct asset_facts) == 216, "struct asset_facts: see arrays and check");
_Static_assert(sizeof(struct primitive_facts) == 248, "struct primitive_facts: see check");
_Static_assert(sizeof(struct channel_facts) == 84, "struct channel_facts: see check");
_Static_assert(sizeof(struct clip_facts) == 16, "struct clip_facts: see check");

static int count_of(const struct asset_facts *facts, const struct array *array) {
	int count;
	memcpy(&count, (const char *)facts + array->count_at, sizeof count);
	return count;
}

/* The places of the arrays behind the struct, and the size of all; false where a count is below 0
 * or there is no such size. */
static bool lay_out(const struct asset_facts *facts, size_t at[static ARRAY_COUNT], size_t *size) {
	*size = sizeof *facts;
	for (size_t i = 0; i < ARRAY_COUNT; i++) {
		const int count = count_of(facts, &arrays[i]);
		size_t bytes;
		if (count < 0 || __builtin_mul_overflow((size_t)count, arrays[i].item, &bytes) ||
			__builtin_add_overflow(bytes, *size + ALIGNMENT - 1, &bytes)) {
			return false;
		}
		at[i] = *size;
		*size = bytes / ALIGNMENT * ALIGNMENT;
	}
	return true;
}

static void set_pointer(struct asset_facts *facts, const struct array *array, void *pointer) {
	memcpy((char *)facts + array->pointer_at, &pointer, sizeof pointer);
}

static const void *pointer_of(const struct asset_facts *facts, const struct array *array) {
	const void *pointer;
	memcpy(&pointer, (const char *)facts + array->pointer_at, sizeof pointer);
	return pointer;
}

/* Zeroed memory for facts with these counts, whose arrays are in place. */
static struct asset_facts *make_block(
	const struct asset_facts *counts, size_t size, const size_t *at, struct error *err) {
	char *block = try_calloc(size, 1, "facts", err);
	struct asset_facts *facts = (struct asset_facts *)block;
	if (!facts) {
		return NULL;
	}
	// One by one: what pads the struct stays 0.
	facts->file_bytes = counts->file_bytes;
	for (size_t i = 0; i < ARRAY_COUNT; i++) {
		const int count = count_of(counts, &arrays[i]);
		memcpy(block + arrays[i].count_at, &count, sizeof count);
		set_pointer(facts, &arrays[i], block + at[i]);
	}
	return facts;
}

struct asset_facts *asset_facts_copy(const struct asset_facts *facts, struct error *err) {
	size_t at[ARRAY_COUNT], size;
	if (!lay_out(facts, at, &size)) {
		error_set(err, ERROR_TOO_LARGE, "facts of the file: too many");
		return NULL;
	}
	struct asset_facts *copy = make_block(facts, size, at, err);
	for (size_t i = 0; copy && i < ARRAY_COUNT; i++) {
		const size_t bytes = (size_t)count_of(facts, &arrays[i]) * arrays[i].item;
		if (bytes > 0) {
			memcpy((char *)copy + at[i], pointer_of(facts, &arrays[i]), bytes);
		}
	}
	return copy;
}

void asset_facts_destroy(struct asset_facts *facts) {
	free(facts);
}

bool asset_facts_pack(const struct asset_facts *facts, struct buffer *out, struct error *err) {
	size_t at[ARRAY_COUNT], size;
	struct head head;
	if (!lay_out(facts, at, &size)) {
		return error_set(err, ERROR_TOO_LARGE, "facts of the file: too many");
	}
	memcpy(head.magic, MAGIC, sizeof head.magic);
	head.bytes = sizeof head + size;
	struct asset_facts *copy = asset_facts_copy(facts, err);
	if (!copy) {
		return false;
	}
	for (size_t i = 0; i < ARRAY_COUNT; i++) {
		set_pointer(copy, &arrays[i], NULL);
	}
	const bool packed = buffer_try_append(out, &head, sizeof head, "facts", err) &&
		buffer_try_append(out, copy, size, "facts", err);
	free(copy);
	return packed;
}

/* --- Checks of facts that somebody else has packed --- */

/* The facts that are being checked, and their rig. */
struct check {
	const struct asset_facts *facts;
	const struct rig *rig;
};

static bool inside(int value, int count) {
	return value >= 0 && value < count;
}

/* The same, or -1. */
static bool inside_or_none(int value, int count) {
	return value >= -1 && value < count;
}

/* True where a range lies in an array. */
static bool is_range(int first, int count, int whole) {
	return first >= 0 && count >= 0 && first <= whole && count <= whole - first;
}

/* A bool of another value than 0 and 1 must not even be looked at as one. */
static bool is_bool(const bool *flag) {
	return *(const unsigned char *)flag <= 1;
}

/* True where a text begins. */
static bool is_text(const struct asset_facts *facts, int at) {
	return inside(at, facts->text_bytes) && (at == 0 || facts->texts[at - 1] == '\0');
}

static bool check_flaws(const struct check *check, const struct vertex_flaws *flaws, int vertices) {
	const struct asset_facts *facts = check->facts;
	if (!is_range(0, flaws->count, vertices) || !is_range(0, flaws->listed, flaws->count) ||
		flaws->listed > ASSET_FACTS_VERTICES_MAX ||
		!is_range(flaws->first, flaws->listed, facts->vertex_count) ||
		!(flaws->worst >= 0 && isfinite(flaws->worst))) {
		return false;
	}
	for (int i = 0; i < flaws->listed; i++) {
		if (!inside(facts->vertices[flaws->first + i], vertices)) {
			return false;
		}
	}
	return true;
}

static bool check_primitives(const struct check *check) {
	const struct asset_facts *facts = check->facts;
	if (facts->primitive_count != check->rig->primitive_count) {
		return false;
	}
	for (int i = 0; i < facts->primitive_count; i++) {
		const struct primitive_facts *primitive = &facts->primitives[i];
		bool sound = inside_or_none(primitive->skin, facts->skin_count) &&
			is_bool(&primitive->indexed) && is_bool(&primitive->has_normals) &&
			is_bool(&primitive->has_tangents) && is_bool(&primitive->float_weights);
		for (int k = 0; sound && k < VERTEX_FLAW_COUNT; k++) {
			sound = check_flaws(check, &primitive->flaws[k],
				check->rig->primitives[i].vertex_count);
		}
		if (!sound) {
			return false;
		}
	}
	return true;
}

static bool check_skins(const struct check *check) {
	const struct asset_facts *facts = check->facts;
	for (int i = 0; i < facts->skin_count; i++) {
		const struct skin_facts *skin = &facts->skins[i];
		if (!is_range(skin->first_joint, skin->joint_count, facts->joint_count) ||
			(skin->first_slot != -1 &&
				!is_range(skin->first_slot, skin->joint_count,
					check->rig->slot_count))) {
			return false;
		}
	}
	return true;
}

static bool check_key_flaws(const struct key_flaws flaws[static KEY_FLAW_COUNT]) {
	for (int i = 0; i < KEY_FLAW_COUNT; i++) {
		if (flaws[i].count < 0 || flaws[i].key < -1 || !isfinite(flaws[i].time_s) ||
			!(flaws[i].worst >= 0 && isfinite(flaws[i].worst))) {
			return false;
		}
	}
	return true;
}

static bool check_channel(
	const struct check *check, const struct channel_facts *channel, bool taken) {
	return channel->channel >= 0 && inside_or_none(channel->joint, check->rig->joint_count) &&
		(unsigned)channel->path <= CHANNEL_WEIGHTS &&
		(unsigned)channel->interpolation <= INTERPOLATION_CUBIC_SPLINE &&
		(unsigned)channel->fate <= CHANNEL_WITHOUT_KEYS &&
		(channel->fate == CHANNEL_TAKEN) == taken && (!taken || channel->joint >= 0) &&
		check_key_flaws(channel->flaws);
}

static bool check_clips(const struct check *check) {
	const struct asset_facts *facts = check->facts;
	int first = 0;
	if (facts->clip_count != check->rig->clip_count) {
		return false;
	}
	for (int i = 0; i < facts->clip_count; i++) {
		const struct clip_facts *clip = &facts->clips[i];
		if (!is_text(facts, clip->name) || clip->first_channel != first ||
			clip->channel_count != check->rig->clips[i].channel_count ||
			!is_range(first, clip->channel_count, facts->channel_count) ||
			!is_range(first + clip->channel_count, clip->other_count,
				facts->channel_count)) {
			return false;
		}
		const int count = clip->channel_count + clip->other_count;
		for (int k = 0; k < count; k++) {
			if (!check_channel(
				    check, &facts->channels[first + k], k < clip->channel_count)) {
				return false;
			}
		}
		first += count;
	}
	return first == facts->channel_count;
}

static bool check_lods(const struct check *check) {
	const struct asset_facts *facts = check->facts;
	for (int i = 0; i < facts->lod_count; i++) {
		const struct lod_facts *lod = &facts->lods[i];
		if (!inside(lod->joint, check->rig->joint_count) ||
			!is_range(lod->first_joint, lod->joint_count, facts->joint_count)) {
			return false;
		}
	}
	for (int i = 0; i < facts->joint_count; i++) {
		if (!inside(facts->joints[i], check->rig->joint_count)) {
			return false;
		}
	}
	return true;
}

static bool check_lists(const struct check *check) {
	const struct asset_facts *facts = check->facts;
	const int words = (check->rig->vertex_count + 31) / 32;
	for (int i = 0; i < facts->mesh_count; i++) {
		if (facts->morph_targets[i] < 0) {
			return false;
		}
	}
	for (int i = 0; i < facts->image_count; i++) {
		const struct image_facts *image = &facts->images[i];
		if (image->image < 0 || image->width < 1 || image->height < 1) {
			return false;
		}
	}
	return facts->nonfinite_count == 0 || facts->nonfinite_count == words;
}

static bool check_texts(const struct check *check) {
	const struct asset_facts *facts = check->facts;
	const size_t size = (size_t)facts->text_bytes;
	if (size == 0 || facts->texts[0] != '\0' || facts->texts[size - 1] != '\0' ||
		!utf8_is_valid(facts->texts, size) ||
		facts->joint_name_count != check->rig->joint_count) {
		return false;
	}
	for (int i = 0; i < facts->joint_name_count; i++) {
		if (!is_text(facts, facts->joint_names[i])) {
			return false;
		}
	}
	for (int i = 0; i < facts->not_covered_count; i++) {
		if (!is_text(facts, facts->not_covered[i])) {
			return false;
		}
	}
	return true;
}

static bool check_all(const struct check *check) {
	return check_texts(check) && check_primitives(check) && check_skins(check) &&
		check_clips(check) && check_lods(check) && check_lists(check);
}

/* Facts with the counts of a block; NULL where their arrays are not just what it holds. */
static struct asset_facts *take_block(const void *bytes, size_t size, struct error *err) {
	struct head head;
	struct asset_facts counts;
	size_t at[ARRAY_COUNT], behind;
	if (size >= sizeof head + sizeof counts) {
		memcpy(&head, bytes, sizeof head);
		memcpy(&counts, (const char *)bytes + sizeof head, sizeof counts);
	}
	if (size < sizeof head + sizeof counts ||
		memcmp(head.magic, MAGIC, sizeof head.magic) != 0 || head.bytes != size ||
		!lay_out(&counts, at, &behind) || behind != size - sizeof head) {
		error_set(err, ERROR_BROKEN_ASSET, "packed facts: %zu bytes that are none", size);
		return NULL;
	}
	struct asset_facts *facts = make_block(&counts, behind, at, err);
	if (facts) {
		memcpy(facts + 1, (const char *)bytes + sizeof head + sizeof counts,
			behind - sizeof counts);
	}
	return facts;
}

struct asset_facts *asset_facts_unpack(
	const struct rig *rig, const void *bytes, size_t size, struct error *err) {
	struct asset_facts *facts = take_block(bytes, size, err);
	const struct check check = {facts, rig};
	if (facts && !check_all(&check)) {
		error_set(err, ERROR_BROKEN_ASSET, "packed facts: do not fit the rig");
		free(facts);
		return NULL;
	}
	return facts;
}
