// A rig's life: counted references, the memory behind its arrays, warnings, look-ups by name.
#include "model/rig.h"

#include <malloc.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mat.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "model/clip_motion.h"
#include "model/clip_pack.h"
#include "model/rig_internal.h"
#include "model/tracks.h"

/* Requests below this share blocks: a file of many clips asks for thousands of small arrays. */
#define STORAGE_BLOCK_BYTES ((size_t)64 << 10)

/* Arrays that fill cache lines start with one. Keys of animations are mostly shorter, and there are
 * thousands of them: those lie side by side. */
#define STORAGE_ALIGNMENT ((size_t)64)
#define STORAGE_ALIGNMENT_SMALL ((size_t)16)

static uint64_t next_id(void) {
	static uint64_t last_id;
	return __atomic_add_fetch(&last_id, 1, __ATOMIC_RELAXED);
}

struct rig *rig_create(void) {
	struct rig *rig = xcalloc(1, sizeof *rig);
	rig->id = rig->clips_id = next_id();
	rig->references = 1;
	return rig;
}

static struct storage *add_block(
	struct rig *rig, size_t size, const char *what, struct error *err) {
	unsigned char *data = try_calloc(size, 1, what, err);
	if (!data) {
		return NULL;
	}
	struct storage *block = xcalloc(1, sizeof *block);
	*block = (struct storage){.data = data, .size = size};
	// A block for one big array goes second, so that the open one stays in front.
	if (rig->storage && size > STORAGE_BLOCK_BYTES) {
		block->next = rig->storage->next;
		rig->storage->next = block;
	} else {
		block->next = rig->storage;
		rig->storage = block;
	}
	return block;
}

static size_t round_up(size_t bytes, size_t alignment) {
	return (bytes + alignment - 1) / alignment * alignment;
}

void *rig_storage(struct rig *rig, size_t count, size_t size, const char *what, struct error *err) {
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2) {
		error_set(err, ERROR_TOO_LARGE, "%s: %zu x %zu bytes do not fit in memory", what,
			count, size);
		return NULL;
	}
	const size_t taken = bytes ? bytes : 1;
	const size_t alignment =
		taken < STORAGE_ALIGNMENT ? STORAGE_ALIGNMENT_SMALL : STORAGE_ALIGNMENT;
	struct storage *block = rig->storage;
	size_t start = block ? round_up(block->used, alignment) : 0;
	if (!block || start > block->size || block->size - start < taken) {
		const bool small = taken < STORAGE_BLOCK_BYTES / 4;
		block = add_block(rig, small ? STORAGE_BLOCK_BYTES : taken, what, err);
		if (!block) {
			return NULL;
		}
		start = 0;
	}
	block->used = start + taken;
	return block->data + start;
}

void rig_adopt(
	struct rig *rig, void *take_data, size_t size, void (*release)(void *data, size_t size)) {
	struct storage *block = xcalloc(1, sizeof *block);
	*block = (struct storage){
		.next = rig->storage,
		.data = take_data,
		.size = size,
		.used = size,
		.release = release,
	};
	rig->storage = block;
}

bool rig_stores(const struct rig *rig, const void *pointer) {
	const uintptr_t at = (uintptr_t)pointer;
	for (const struct storage *block = rig->storage; block; block = block->next) {
		const uintptr_t start = (uintptr_t)block->data;
		if (at >= start && at - start < block->size) {
			return true;
		}
	}
	return false;
}

__attribute__((format(printf, 3, 0))) static void warn(
	struct rig *rig, int most, const char *format, va_list arguments) {
	if (rig->warning_count >= most) {
		return;
	}
	if (!rig->warnings) {
		rig->warnings = xcalloc(RIG_WARNINGS_MAX, sizeof *rig->warnings);
	}
	char text[512];
	vsnprintf(text, sizeof text, format, arguments);
	utf8_trim(text);
	rig->warnings[rig->warning_count++] = xstrndup(text, strlen(text));
}

void rig_warn(struct rig *rig, const char *format, ...) {
	va_list arguments;
	va_start(arguments, format);
	warn(rig, RIG_WARNINGS_MAX / 2, format, arguments);
	va_end(arguments);
}

void rig_warn_besides(struct rig *rig, const char *format, ...) {
	va_list arguments;
	va_start(arguments, format);
	warn(rig, RIG_WARNINGS_MAX, format, arguments);
	va_end(arguments);
}

const char *rig_empty_warning(const struct rig *rig) {
	for (int i = 0; i < rig->primitive_count; i++) {
		if (rig->primitives[i].index_count > 0) {
			return NULL;
		}
	}
	return rig_empty_words(rig->joint_count);
}

const char *rig_empty_words(int joint_count) {
	return joint_count > 0 ? "the file draws nothing: pictures show its skeleton"
			       : "the file draws nothing and has no joints: pictures are empty";
}

struct rig *rig_retain(struct rig *rig) {
	__atomic_add_fetch(&rig->references, 1, __ATOMIC_RELAXED);
	return rig;
}

static void free_storage(struct storage *block) {
	while (block) {
		struct storage *next = block->next;
		if (block->release) {
			block->release(block->data, block->size);
		} else {
			free(block->data);
		}
		free(block);
		block = next;
	}
}

/* Frees the rig's own allocations; a variant leaves the others to its base. */
static void free_owned(struct rig *rig) {
	for (int i = 0; i < rig->joint_count; i++) {
		free(rig->joints[i].name);
	}
	for (int i = 0; i < rig->material_count; i++) {
		free(rig->materials[i].name);
	}
	for (int i = 0; i < rig->variant_count; i++) {
		free(rig->variants[i]);
	}
	for (int i = 0; i < rig->image_count; i++) {
		if (!rig_stores(rig, rig->images[i].rgba)) {
			free(rig->images[i].rgba);
		}
	}
	for (int i = 0; i < rig->light_count; i++) {
		free(rig->lights[i].name);
	}
	for (int i = 0; i < rig->camera_count; i++) {
		free(rig->cameras[i].name);
	}
	for (int i = 0; i < rig->clip_count; i++) {
		free(rig->clips[i].name);
		free(rig->clips[i].channels);
	}
	for (int i = 0; i < rig->warning_count; i++) {
		free(rig->warnings[i]);
	}
	free(rig->warnings);
}

static void free_targets(struct rig *rig) {
	for (int i = 0; i < rig->primitive_count; i++) {
		free(rig->primitives[i].targets);
	}
}

static void rig_destroy(struct rig *rig) {
	free_targets(rig);
	if (rig->base) {
		rig_release(rig->base);
	} else {
		free_owned(rig);
	}
	free_storage(rig->storage);
	free(rig);
}

bool rig_clear_primitives(struct rig *variant, int room, struct error *err) {
	free_targets(variant);
	variant->primitive_count = 0;
	variant->primitives =
		rig_storage(variant, (size_t)room, sizeof *variant->primitives, "primitives", err);
	return variant->primitives != NULL;
}

struct rig *rig_create_variant(const struct rig *base, struct error *err) {
	struct rig *rig = rig_create();
	// Others may be counting references to the base: that is among what each rig has of its
	// own.
	memcpy(rig, base, offsetof(struct rig, content));
	rig->base = rig_retain((struct rig *)base);
	rig->primitive_count = 0;
	if (!rig_clear_primitives(rig, base->primitive_count, err)) {
		rig_release(rig);
		return NULL;
	}
	for (; rig->primitive_count < base->primitive_count; rig->primitive_count++) {
		struct primitive *copy = &rig->primitives[rig->primitive_count];
		*copy = base->primitives[rig->primitive_count];
		const size_t count = (size_t)copy->target_count;
		const struct morph_target *targets = copy->targets;
		copy->targets = count > 0 ? xcalloc(count, sizeof *copy->targets) : NULL;
		for (size_t t = 0; t < count; t++) {
			copy->targets[t] = targets[t];
		}
	}
	return rig;
}

void rig_release(struct rig *rig) {
	if (rig && __atomic_sub_fetch(&rig->references, 1, __ATOMIC_ACQ_REL) == 0) {
		rig_destroy(rig);
	}
}

bool rig_is_shared(const struct rig *rig) {
	return __atomic_load_n(&rig->references, __ATOMIC_ACQUIRE) > 1;
}

/* Bytes of a block that was allocated on its own; of NULL 0. */
static size_t owned_bytes(const void *block) {
	return malloc_usable_size((void *)block);
}

size_t rig_own_bytes(const struct rig *rig) {
	size_t bytes = sizeof *rig;
	for (const struct storage *block = rig->storage; block; block = block->next) {
		bytes += sizeof *block + block->size;
	}
	if (rig->base) {
		return bytes;
	}
	bytes += owned_bytes(rig->warnings);
	for (int i = 0; i < rig->joint_count; i++) {
		bytes += owned_bytes(rig->joints[i].name);
	}
	for (int i = 0; i < rig->primitive_count; i++) {
		bytes += owned_bytes(rig->primitives[i].targets);
	}
	for (int i = 0; i < rig->material_count; i++) {
		bytes += owned_bytes(rig->materials[i].name);
	}
	for (int i = 0; i < rig->variant_count; i++) {
		bytes += owned_bytes(rig->variants[i]);
	}
	for (int i = 0; i < rig->image_count; i++) {
		const unsigned char *rgba = rig->images[i].rgba;
		bytes += rig_stores(rig, rgba) ? 0 : owned_bytes(rgba);
	}
	for (int i = 0; i < rig->light_count; i++) {
		bytes += owned_bytes(rig->lights[i].name);
	}
	for (int i = 0; i < rig->camera_count; i++) {
		bytes += owned_bytes(rig->cameras[i].name);
	}
	for (int i = 0; i < rig->clip_count; i++) {
		bytes += owned_bytes(rig->clips[i].name) + owned_bytes(rig->clips[i].channels);
	}
	for (int i = 0; i < rig->warning_count; i++) {
		bytes += owned_bytes(rig->warnings[i]);
	}
	return bytes;
}

size_t rig_bytes(const struct rig *rig) {
	size_t bytes = 0;
	for (; rig; rig = rig->base) {
		bytes += rig_own_bytes(rig);
	}
	return bytes;
}

bool rig_find_moving(struct rig *rig, struct error *err) {
	const size_t joint_count = (size_t)rig->joint_count;
	int *moving = rig_storage(rig, joint_count, sizeof *moving, "moving joints", err);
	if (!moving) {
		return false;
	}
	bool *moves = xcalloc(joint_count, sizeof *moves);
	for (int i = 0; i < rig->slot_count; i++) {
		moves[rig->slots[i].joint] = true;
	}
	for (int i = rig->joint_count - 1; i >= 0; i--) {
		if (moves[i] && rig->joints[i].parent >= 0) {
			moves[rig->joints[i].parent] = true;
		}
	}
	rig->moving_count = 0;
	for (int i = 0; i < rig->joint_count; i++) {
		moving[rig->moving_count] = i;
		rig->moving_count += moves[i];
	}
	rig->moving_joints = moving;
	free(moves);
	return true;
}

int rig_find_joint(const struct rig *rig, const char *name) {
	for (int i = 0; i < rig->joint_count; i++) {
		if (strcmp(rig->joints[i].name, name) == 0) {
			return i;
		}
	}
	return -1;
}

bool rig_is_below(const struct rig *rig, int joint, int above) {
	// Joints come behind their parents.
	while (joint > above) {
		joint = rig->joints[joint].parent;
	}
	return joint == above;
}

bool rig_has_tangents(const struct rig *rig, const struct primitive *primitive) {
	return rig->tangents && primitive->vertex_count > 0 &&
		rig->tangents[(size_t)primitive->first_vertex * 4 + 3] != 0;
}

const double *rig_place_within_joint(const struct rig *rig, const struct primitive *primitive) {
	static const double joint[12] = MAT_IDENTITY;
	const double *place = rig->slots[primitive->first_slot].inverse_bind;
	return primitive->skinned || memcmp(place, joint, sizeof joint) == 0 ? NULL : place;
}

int rig_find_joint_by_index(const struct rig *rig, int index) {
	for (int i = 0; i < rig->joint_count; i++) {
		if (rig->joints[i].index == index) {
			return i;
		}
	}
	return -1;
}

int rig_find_clip(const struct rig *rig, const char *name) {
	for (int i = 0; i < rig->clip_count; i++) {
		if (strcmp(rig->clips[i].name, name) == 0) {
			return i;
		}
	}
	return -1;
}

int rig_find_variant(const struct rig *rig, const char *name) {
	for (int i = 0; i < rig->variant_count; i++) {
		if (strcmp(rig->variants[i], name) == 0) {
			return i;
		}
	}
	return -1;
}

float rig_reach(const float *positions, int vertex_count) {
	float reach = 0;
	for (size_t i = 0; i < (size_t)vertex_count * 3; i++) {
		const float size = fabsf(positions[i]);
		reach = size > reach ? size : reach;
	}
	return reach;
}

/* Compressed keys, and how they are found in the cache. */
static bool keep_motion(
	struct rig *rig, const struct rig_clip *added, struct clip *clip, struct error *err) {
	struct clip_motion *motion = clip_motion_copy(rig, clip->motion, err);
	if (!motion) {
		return false;
	}
	memcpy(motion->key.content, added->content, sizeof motion->key.content);
	motion->key.rig = rig->base->id;
	motion->segments = added->segments;
	clip->motion = motion;
	for (int i = 0; i < clip->channel_count; i++) {
		if (!clip->channels[i].values) {
			clip->channels[i].times = motion->times;
		}
	}
	return true;
}

/* Everything of a variant lies in its storage, names and channels of clips, too. */
static bool keep(struct rig *rig, const struct rig_clip *added, const struct clip *from,
	struct clip *clip, struct error *err) {
	const size_t channels = (size_t)from->channel_count;
	*clip = *from;
	clip->channels = rig_storage(rig, channels, sizeof *clip->channels, "a clip", err);
	clip->name = rig_storage(rig, strlen(added->name) + 1, 1, "a clip's name", err);
	if (!clip->channels || !clip->name) {
		return false;
	}
	for (size_t i = 0; i < channels; i++) {
		clip->channels[i] = from->channels[i];
	}
	strcpy(clip->name, added->name);
	return !clip->motion || keep_motion(rig, added, clip, err);
}

static bool add(struct rig *rig, const struct rig_clip *added, struct error *err) {
	struct arena *arena = arena_create();
	struct clip clip;
	bool ok = clip_unpack(rig, added->take_bytes, added->size, arena, &clip, err);
	clip.index = rig->clip_count;
	ok = ok && keep(rig, added, &clip, &rig->clips[rig->clip_count], err);
	rig->clip_count += ok;
	arena_destroy(arena);
	return ok && rig_make_clip_tracks(rig, rig->clip_count - 1, err);
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
