// One block of bytes that nobody vouches for -> a rig.
#include "model/rig_pack.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "model/rig_internal.h"
#include "model/rig_pack_internal.h"
#include "model/tracks.h"

/* Bytes of arrays that may be looked at in all, and the same per byte of the block: channels share
 * their times, so that arrays overlap, but what rig_check() reads is to stay within seconds. */
#define VIEWED_FREE ((size_t)4 << 30)
#define VIEWED_PER_BYTE ((size_t)64)

struct unpack {
	const unsigned char *block;
	size_t size;
	size_t viewed_left; // bytes that may still be looked at in place
	size_t copied_left; // bytes that may still be copied: a true block has them all once
	struct rig *rig;    // being filled
	struct error *err;
};

bool rig_unpack_broken(struct unpack *unpack, const char *what, size_t index, const char *flaw) {
	return error_set(
		unpack->err, ERROR_BROKEN_ASSET, "packed rig %s[%zu]: %s", what, index, flaw);
}

/* Items in the block by their offset, in *out. NULL where the offset is 0, which is fine only for
 * no items. *left is what is charged for them. */
static bool find(struct unpack *unpack, const void *offset, size_t count, size_t item,
	size_t alignment, size_t *left, const void **out) {
	const size_t at = (size_t)offset;
	size_t bytes;
	*out = NULL;
	if (at == 0 || __builtin_mul_overflow(count, item, &bytes)) {
		return at == 0 && count == 0;
	}
	if (at > unpack->size || bytes > unpack->size - at || at % alignment != 0 ||
		bytes > *left) {
		return false;
	}
	*left -= bytes;
	*out = unpack->block + at;
	return true;
}

void *rig_unpack_records(struct unpack *unpack, const void *offset, int count, size_t item,
	const char *what, const void **out) {
	if (count < 0 ||
		!find(unpack, offset, (size_t)count, item, sizeof(void *), &unpack->copied_left,
			out)) {
		rig_unpack_broken(unpack, what, 0, "is not in the block");
		return NULL;
	}
	return rig_storage(unpack->rig, (size_t)count, item, what, unpack->err);
}

void *rig_unpack_items(
	struct unpack *unpack, const void *offset, int count, size_t item, size_t align, bool *ok) {
	const void *found = NULL;
	if (count < 0 ||
		!find(unpack, offset, (size_t)count, item, align, &unpack->viewed_left, &found)) {
		*ok = false;
	}
	return (void *)found;
}

const char *rig_unpack_text(struct unpack *unpack, const char *offset) {
	const size_t at = (size_t)offset;
	if (at == 0 || at >= unpack->size) {
		return NULL;
	}
	const char *text = (const char *)unpack->block + at;
	const size_t room = unpack->size - at;
	const size_t most = room < unpack->viewed_left ? room : unpack->viewed_left;
	const char *end = memchr(text, '\0', most);
	unpack->viewed_left -= end ? (size_t)(end - text) + 1 : 0;
	return end ? text : NULL;
}

/* Numbers that stay where they are. */
static bool find_numbers(struct unpack *unpack, const float *offset, size_t count, const char *what,
	size_t index, const float **out) {
	const void *found;
	if (!find(unpack, offset, count, sizeof *offset, _Alignof(float), &unpack->viewed_left,
		    &found)) {
		return rig_unpack_broken(
			unpack, what, index, "has numbers that are not in the block");
	}
	*out = found;
	return true;
}

/* A copy of a text. */
static bool take_text(
	struct unpack *unpack, const char *offset, const char *what, size_t index, char **out) {
	const size_t at = (size_t)offset;
	const bool inside = at > 0 && at < unpack->size;
	const size_t room = inside ? unpack->size - at : 0;
	const char *text = (const char *)unpack->block + (inside ? at : 0);
	const size_t most = room < unpack->copied_left ? room : unpack->copied_left;
	const char *end = memchr(text, '\0', most);
	if (!end || !utf8_is_valid(text, (size_t)(end - text))) {
		return rig_unpack_broken(
			unpack, what, index, "has a text that is not in the block or UTF-8");
	}
	unpack->copied_left -= (size_t)(end - text) + 1;
	*out = xstrndup(text, (size_t)(end - text));
	return true;
}

/* Copies of a list of texts, which are counted as they come. */
static bool take_texts(struct unpack *unpack, char *const *offset, int count, const char *what,
	char **out, int *taken) {
	const void *found;
	if (!find(unpack, offset, (size_t)count, sizeof(char *), sizeof(char *),
		    &unpack->copied_left, &found)) {
		return rig_unpack_broken(unpack, what, 0, "are not in the block");
	}
	const char *const *texts = found;
	for (int i = 0; i < count; i++) {
		out[*taken] = NULL;
		if (!take_text(unpack, texts[i], what, (size_t)i, &out[(*taken)++])) {
			return false;
		}
	}
	return true;
}

static bool take_variants(struct unpack *unpack, const struct rig *packed) {
	struct rig *rig = unpack->rig;
	if (packed->variant_count < 0 || packed->variant_count > RIG_VARIANTS_MAX) {
		return rig_unpack_broken(unpack, "variants", 0, "are too many");
	}
	rig->variants = rig_storage(
		rig, (size_t)packed->variant_count, sizeof *rig->variants, "variants", unpack->err);
	return rig->variants &&
		take_texts(unpack, packed->variants, packed->variant_count, "variants",
			rig->variants, &rig->variant_count);
}

/* In all of these a copy counts as the rig's before it is complete, so that whatever it owns
 * already is freed with the rig. */

static bool take_joints(struct unpack *unpack, const struct rig *packed) {
	struct rig *rig = unpack->rig;
	const void *found;
	rig->joints = rig_unpack_records(
		unpack, packed->joints, packed->joint_count, sizeof *rig->joints, "joints", &found);
	const struct joint *joints = found;
	for (int i = 0; rig->joints && i < packed->joint_count; i++) {
		if (!rig_unpack_is_bool(&joints[i].in_skin)) {
			return rig_unpack_broken(
				unpack, "joints", (size_t)i, "has no bool for in_skin");
		}
		struct joint *joint = &rig->joints[rig->joint_count++];
		*joint = joints[i];
		joint->name = NULL;
		if (!take_text(unpack, joints[i].name, "joints", (size_t)i, &joint->name)) {
			return false;
		}
	}
	return rig->joints;
}

static bool take_targets(struct unpack *unpack, const struct morph_target *offset,
	struct primitive *primitive, size_t index) {
	const void *found;
	if (primitive->target_count < 0 || primitive->vertex_count < 0 ||
		!find(unpack, offset, (size_t)primitive->target_count, sizeof *offset,
			sizeof(void *), &unpack->copied_left, &found)) {
		return rig_unpack_broken(
			unpack, "primitives", index, "has targets that are not in the block");
	}
	const size_t count = (size_t)primitive->target_count;
	const size_t numbers = (size_t)primitive->vertex_count * 3;
	const struct morph_target *packed = found;
	primitive->targets = xcalloc(count, sizeof *primitive->targets);
	for (size_t t = 0; t < count; t++) {
		struct morph_target *target = &primitive->targets[t];
		const struct {
			const float *offset, **out;
		} arrays[] = {
			{packed[t].positions, &target->positions},
			{packed[t].normals, &target->normals},
			{packed[t].tangents, &target->tangents},
		};
		for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; a++) {
			if (arrays[a].offset &&
				!find_numbers(unpack, arrays[a].offset, numbers, "primitives",
					index, arrays[a].out)) {
				return false;
			}
		}
	}
	return true;
}

/* The rig has its variants already. */
static bool take_variant_materials(
	struct unpack *unpack, const int *offset, struct primitive *primitive, size_t index) {
	bool ok = true;
	if (offset) {
		primitive->variant_materials = rig_unpack_items(unpack, offset,
			unpack->rig->variant_count, sizeof *offset, _Alignof(int), &ok);
	}
	return ok ||
		rig_unpack_broken(unpack, "primitives", index,
			"has materials of variants that are not in the block");
}

static bool take_primitives(struct unpack *unpack, const struct rig *packed) {
	struct rig *rig = unpack->rig;
	const void *found;
	rig->primitives = rig_unpack_records(unpack, packed->primitives, packed->primitive_count,
		sizeof *rig->primitives, "primitives", &found);
	const struct primitive *primitives = found;
	for (int i = 0; rig->primitives && i < packed->primitive_count; i++) {
		if (!rig_unpack_is_bool(&primitives[i].skinned) ||
			!rig_unpack_is_bool(&primitives[i].unlit)) {
			return rig_unpack_broken(unpack, "primitives", (size_t)i,
				"has no bool for skinned or unlit");
		}
		struct primitive *primitive = &rig->primitives[rig->primitive_count++];
		*primitive = primitives[i];
		primitive->targets = NULL;
		primitive->variant_materials = NULL;
		if (!take_targets(unpack, primitives[i].targets, primitive, (size_t)i) ||
			!take_variant_materials(
				unpack, primitives[i].variant_materials, primitive, (size_t)i)) {
			return false;
		}
	}
	return rig->primitives;
}

static bool take_materials(struct unpack *unpack, const struct rig *packed) {
	struct rig *rig = unpack->rig;
	const void *found;
	rig->materials = rig_unpack_records(unpack, packed->materials, packed->material_count,
		sizeof *rig->materials, "materials", &found);
	const struct material *materials = found;
	for (int i = 0; rig->materials && i < packed->material_count; i++) {
		if (!rig_unpack_is_bool(&materials[i].unlit) ||
			!rig_unpack_is_bool(&materials[i].double_sided) ||
			!rig_unpack_is_bool(&materials[i].mtoon) ||
			!rig_unpack_is_bool(&materials[i].transparent_with_z_write)) {
			return rig_unpack_broken(
				unpack, "materials", (size_t)i, "has no bool where one is");
		}
		struct material *material = &rig->materials[rig->material_count++];
		*material = materials[i];
		material->name = NULL;
		if (materials[i].name &&
			!take_text(unpack, materials[i].name, "materials", (size_t)i,
				&material->name)) {
			return false;
		}
	}
	return rig->materials;
}

static bool check_textures(struct unpack *unpack) {
	const struct texture *textures = unpack->rig->textures;
	for (int i = 0; i < unpack->rig->texture_count; i++) {
		if (!rig_unpack_is_bool(&textures[i].nearest) ||
			!rig_unpack_is_bool(&textures[i].no_mipmaps)) {
			return rig_unpack_broken(
				unpack, "textures", (size_t)i, "has no bool where one is");
		}
	}
	return true;
}

static bool take_images(struct unpack *unpack, const struct rig *packed) {
	struct rig *rig = unpack->rig;
	const void *found;
	rig->images = rig_unpack_records(
		unpack, packed->images, packed->image_count, sizeof *rig->images, "images", &found);
	const struct image *images = found;
	for (int i = 0; rig->images && i < packed->image_count; i++) {
		const struct image *image = &images[i];
		const void *rgba = NULL, *encoded = NULL;
		if (image->width < 1 || image->height < 1 ||
			!find(unpack, image->rgba, (size_t)image->width * (size_t)image->height, 4,
				1, &unpack->viewed_left, &rgba) ||
			!find(unpack, image->encoded, image->encoded_bytes, 1, 1,
				&unpack->viewed_left, &encoded)) {
			return rig_unpack_broken(
				unpack, "images", (size_t)i, "is not in the block");
		}
		rig->images[rig->image_count++] = (struct image){
			.width = image->width,
			.height = image->height,
			.rgba = (unsigned char *)rgba,
			.kind = image->kind,
			.encoded = encoded,
			.encoded_bytes = image->encoded_bytes,
		};
	}
	return rig->images;
}

static bool take_lights(struct unpack *unpack, const struct rig *packed) {
	struct rig *rig = unpack->rig;
	const void *found;
	rig->lights = rig_unpack_records(
		unpack, packed->lights, packed->light_count, sizeof *rig->lights, "lights", &found);
	const struct light *lights = found;
	for (int i = 0; rig->lights && i < packed->light_count; i++) {
		struct light *light = &rig->lights[rig->light_count++];
		*light = lights[i];
		light->name = NULL;
		if (lights[i].name &&
			!take_text(unpack, lights[i].name, "lights", (size_t)i, &light->name)) {
			return false;
		}
	}
	return rig->lights;
}

static bool take_cameras(struct unpack *unpack, const struct rig *packed) {
	struct rig *rig = unpack->rig;
	const void *found;
	rig->cameras = rig_unpack_records(unpack, packed->cameras, packed->camera_count,
		sizeof *rig->cameras, "cameras", &found);
	const struct file_camera *cameras = found;
	for (int i = 0; rig->cameras && i < packed->camera_count; i++) {
		if (!rig_unpack_is_bool(&cameras[i].orthographic)) {
			return rig_unpack_broken(
				unpack, "cameras", (size_t)i, "has no bool where one is");
		}
		struct file_camera *camera = &rig->cameras[rig->camera_count++];
		*camera = cameras[i];
		camera->name = NULL;
		if (cameras[i].name &&
			!take_text(unpack, cameras[i].name, "cameras", (size_t)i, &camera->name)) {
			return false;
		}
	}
	return rig->cameras;
}

static bool take_channel(
	struct unpack *unpack, const struct channel *packed, size_t clip, struct channel *channel) {
	*channel = *packed;
	const bool cubic = channel->interpolation == INTERPOLATION_CUBIC_SPLINE;
	size_t numbers;
	if (channel->key_count < 1 || channel->width < 1 ||
		__builtin_mul_overflow((size_t)channel->key_count * (cubic ? 3 : 1),
			(size_t)channel->width, &numbers)) {
		return rig_unpack_broken(unpack, "clips", clip, "has a channel without keys");
	}
	return find_numbers(unpack, packed->times, (size_t)channel->key_count, "clips", clip,
		       &channel->times) &&
		find_numbers(unpack, packed->values, numbers, "clips", clip, &channel->values);
}

static bool take_channels(
	struct unpack *unpack, const struct channel *offset, struct clip *clip, size_t index) {
	const void *found;
	if (clip->channel_count < 0 ||
		!find(unpack, offset, (size_t)clip->channel_count, sizeof *offset, sizeof(void *),
			&unpack->copied_left, &found)) {
		return rig_unpack_broken(
			unpack, "clips", index, "has channels that are not in the block");
	}
	const struct channel *packed = found;
	const size_t count = (size_t)clip->channel_count;
	clip->channels = xcalloc(count, sizeof *clip->channels);
	for (size_t c = 0; c < count; c++) {
		if (!take_channel(unpack, &packed[c], index, &clip->channels[c])) {
			return false;
		}
	}
	return true;
}

static bool take_clips(struct unpack *unpack, const struct rig *packed) {
	struct rig *rig = unpack->rig;
	const void *found;
	rig->clips = rig_unpack_records(
		unpack, packed->clips, packed->clip_count, sizeof *rig->clips, "clips", &found);
	const struct clip *clips = found;
	for (int i = 0; rig->clips && i < packed->clip_count; i++) {
		struct clip *clip = &rig->clips[rig->clip_count++];
		*clip = clips[i];
		clip->name = NULL;
		clip->channels = NULL;
		clip->tracks = NULL;
		clip->motion = NULL;
		if (!take_text(unpack, clips[i].name, "clips", (size_t)i, &clip->name) ||
			!take_channels(unpack, clips[i].channels, clip, (size_t)i)) {
			return false;
		}
	}
	return rig->clips;
}

static bool take_warnings(struct unpack *unpack, const struct rig *packed) {
	struct rig *rig = unpack->rig;
	if (packed->warning_count < 0 || packed->warning_count > RIG_WARNINGS_MAX) {
		return rig_unpack_broken(unpack, "warnings", 0, "are too many");
	}
	rig->warnings = xcalloc(RIG_WARNINGS_MAX, sizeof *rig->warnings);
	return take_texts(unpack, packed->warnings, packed->warning_count, "warnings",
		rig->warnings, &rig->warning_count);
}

/* An array without pointers, and its count. */
static bool take_array(
	struct unpack *unpack, const struct rig *packed, const struct rig_pack_array *array) {
	size_t count;
	if (array->wide) {
		memcpy(&count, (const char *)packed + array->count_at, sizeof count);
		memcpy((char *)unpack->rig + array->count_at, &count, sizeof count);
	} else {
		int narrow;
		memcpy(&narrow, (const char *)packed + array->count_at, sizeof narrow);
		memcpy((char *)unpack->rig + array->count_at, &narrow, sizeof narrow);
		count = narrow < 0 ? SIZE_MAX : (size_t)narrow;
	}
	const void *offset, *found;
	memcpy(&offset, (const char *)packed + array->pointer_at, sizeof offset);
	if (!offset && array->optional) {
		return true;
	}
	if (!find(unpack, offset, count, array->item, array->align, &unpack->viewed_left, &found)) {
		return rig_unpack_broken(unpack, array->name, 0, "is not in the block");
	}
	memcpy((char *)unpack->rig + array->pointer_at, &found, sizeof found);
	return true;
}

static bool take_arrays(struct unpack *unpack, const struct rig *packed) {
	for (size_t i = 0; i < rig_pack_array_count; i++) {
		if (!take_array(unpack, packed, &rig_pack_arrays[i])) {
			return false;
		}
	}
	return true;
}

static bool take_look(struct unpack *unpack, const struct rig *packed) {
	const char *text = packed->look_requires;
	const size_t length = strnlen(text, sizeof packed->look_requires);
	if (length == sizeof packed->look_requires || !utf8_is_valid(text, length)) {
		return rig_unpack_broken(unpack, "look_requires", 0, "is no text in UTF-8");
	}
	memcpy(unpack->rig->look_requires, text, length + 1);
	return true;
}

static bool take_avatar(struct unpack *unpack, const struct rig *packed) {
	struct rig *rig = unpack->rig;
	if (!packed->avatar) {
		return true;
	}
	rig->avatar = avatar_unpack(unpack, packed->avatar, rig->joint_count);
	return rig->avatar;
}

static bool take_rig(struct unpack *unpack) {
	struct rig_pack_head head;
	if (unpack->size < sizeof head) {
		return error_set(unpack->err, ERROR_BROKEN_ASSET, "packed rig: %zu bytes, no head",
			unpack->size);
	}
	memcpy(&head, unpack->block, sizeof head);
	if (memcmp(head.magic, RIG_PACK_MAGIC, sizeof head.magic) != 0 ||
		head.bytes != unpack->size) {
		return error_set(unpack->err, ERROR_BROKEN_ASSET,
			"packed rig: the head does not fit its %zu bytes", unpack->size);
	}
	unpack->rig->bounds = head.rig.bounds;
	unpack->rig->dual_quaternions = head.rig.dual_quaternions != 0;
	return take_arrays(unpack, &head.rig) && check_textures(unpack) &&
		take_joints(unpack, &head.rig) && take_variants(unpack, &head.rig) &&
		take_primitives(unpack, &head.rig) && take_materials(unpack, &head.rig) &&
		take_images(unpack, &head.rig) && take_lights(unpack, &head.rig) &&
		take_cameras(unpack, &head.rig) && take_clips(unpack, &head.rig) &&
		take_warnings(unpack, &head.rig) && take_look(unpack, &head.rig) &&
		take_avatar(unpack, &head.rig) && rig_check(unpack->rig, unpack->err) &&
		rig_make_tracks(unpack->rig, unpack->err) &&
		rig_find_moving(unpack->rig, unpack->err);
}

struct rig *rig_unpack(void *take_block, size_t size, void (*release)(void *block, size_t size),
	struct error *err) {
	assert((uintptr_t)take_block % 16 == 0);
	struct unpack unpack = {
		.block = take_block,
		.size = size,
		.copied_left = size,
		.rig = rig_create(),
		.err = err,
	};
	if (__builtin_mul_overflow(size, VIEWED_PER_BYTE, &unpack.viewed_left) ||
		__builtin_add_overflow(unpack.viewed_left, VIEWED_FREE, &unpack.viewed_left)) {
		unpack.viewed_left = SIZE_MAX;
	}
	rig_adopt(unpack.rig, take_block, size, release);
	if (!take_rig(&unpack)) {
		rig_release(unpack.rig);
		return NULL;
	}
	return unpack.rig;
}
