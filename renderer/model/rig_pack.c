// A rig -> one block of bytes.
#include "model/rig_pack.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "model/rig_internal.h"
#include "model/rig_pack_internal.h"

#define ARRAY(field, count, per_count, wide, optional) \
	{ \
#field, offsetof(struct rig, field), offsetof(struct rig, count), wide, optional, \
			(per_count) * sizeof *((struct rig *)0)->field, \
			_Alignof(__typeof__(*((struct rig *)0)->field)) \
	}

const struct rig_pack_array rig_pack_arrays[] = {
	ARRAY(rest_weights, weight_count, 1, false, false),
	ARRAY(slots, slot_count, 1, false, false),
	ARRAY(positions, vertex_count, 3, false, false),
	ARRAY(normals, vertex_count, 3, false, false),
	ARRAY(tangents, vertex_count, 4, false, true),
	ARRAY(texcoords[0], vertex_count, 2, false, true),
	ARRAY(texcoords[1], vertex_count, 2, false, true),
	ARRAY(colors, vertex_count, 4, false, true),
	ARRAY(dqs_mix, vertex_count, 1, false, true),
	ARRAY(influence_slots, influence_count, 1, true, false),
	ARRAY(influence_weights, influence_count, 1, true, false),
	ARRAY(indices, index_count, 1, false, false),
	ARRAY(textures, texture_count, 1, false, false),
};
const size_t rig_pack_array_count = sizeof rig_pack_arrays / sizeof rig_pack_arrays[0];

/* Memory of the rig that is packed as it is. */
struct place {
	const unsigned char *data;
	size_t size;
	size_t at; // in the block
};

struct pack {
	struct place *places; // [place_count] by address; owned
	size_t place_count;
	size_t records_at;     // in the block
	struct buffer records; // texts and structs so far
};

static size_t align(size_t at) {
	return (at + RIG_PACK_ALIGNMENT - 1) / RIG_PACK_ALIGNMENT * RIG_PACK_ALIGNMENT;
}

static int by_address(const void *a, const void *b) {
	const uintptr_t x = (uintptr_t)((const struct place *)a)->data;
	const uintptr_t y = (uintptr_t)((const struct place *)b)->data;
	return (x > y) - (x < y);
}

static size_t image_bytes(const struct image *image) {
	return (size_t)image->width * (size_t)image->height * 4;
}

static void find_places(struct pack *pack, const struct rig *rig) {
	size_t most = (size_t)rig->image_count;
	for (const struct storage *block = rig->storage; block; block = block->next) {
		most++;
	}
	pack->places = xcalloc(most, sizeof *pack->places);
	for (const struct storage *block = rig->storage; block; block = block->next) {
		pack->places[pack->place_count++] = (struct place){block->data, block->used, 0};
	}
	for (int i = 0; i < rig->image_count; i++) {
		const struct image *image = &rig->images[i];
		if (!rig_stores(rig, image->rgba)) {
			pack->places[pack->place_count++] =
				(struct place){image->rgba, image_bytes(image), 0};
		}
	}
	qsort(pack->places, pack->place_count, sizeof *pack->places, by_address);
	pack->records_at = align(sizeof(struct rig_pack_head));
	for (size_t i = 0; i < pack->place_count; i++) {
		pack->places[i].at = pack->records_at;
		pack->records_at = align(pack->records_at + pack->places[i].size);
	}
}

/* The offset of something within the places. */
static size_t offset_of(const struct pack *pack, const void *pointer) {
	if (!pointer) {
		return 0;
	}
	const uintptr_t address = (uintptr_t)pointer;
	size_t low = 0, high = pack->place_count;
	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;
		if ((uintptr_t)pack->places[middle].data <= address) {
			low = middle;
		} else {
			high = middle;
		}
	}
	const struct place *place = &pack->places[low];
	const size_t into = (size_t)(address - (uintptr_t)place->data);
	// Every array is in the storage: whoever fills a rig otherwise is wrong.
	assert(pack->place_count > 0 && address >= (uintptr_t)place->data && into < place->size);
	return place->at + into;
}

void *rig_pack_moved(const struct pack *pack, const void *pointer) {
	return (void *)offset_of(pack, pointer);
}

/* Appends to the records; returns the offset as the pointer that it stands for. */
static void *append(struct pack *pack, const void *bytes, size_t size) {
	static const unsigned char zeros[RIG_PACK_ALIGNMENT];
	const size_t at = pack->records.size;
	buffer_append(&pack->records, bytes, size);
	buffer_append(&pack->records, zeros, align(at + size) - (at + size));
	return (void *)(pack->records_at + at);
}

static char *append_text(struct pack *pack, const char *text) {
	return text ? append(pack, text, strlen(text) + 1) : NULL;
}

void *rig_pack_append(struct pack *pack, void *take_copy, size_t count, size_t size) {
	void *offset = append(pack, take_copy, count * size);
	free(take_copy);
	return offset;
}

void *rig_pack_copy(const void *items, size_t count, size_t size) {
	void *copy = xcalloc(count, size);
	if (count > 0) {
		memcpy(copy, items, count * size);
	}
	return copy;
}

static struct joint *pack_joints(struct pack *pack, const struct rig *rig) {
	const size_t count = (size_t)rig->joint_count;
	struct joint *joints = rig_pack_copy(rig->joints, count, sizeof *joints);
	for (size_t i = 0; i < count; i++) {
		joints[i].name = append_text(pack, joints[i].name);
	}
	return rig_pack_append(pack, joints, count, sizeof *joints);
}

static struct primitive *pack_primitives(struct pack *pack, const struct rig *rig) {
	const size_t count = (size_t)rig->primitive_count;
	struct primitive *primitives = rig_pack_copy(rig->primitives, count, sizeof *primitives);
	for (size_t i = 0; i < count; i++) {
		const size_t target_count = (size_t)primitives[i].target_count;
		struct morph_target *targets =
			rig_pack_copy(primitives[i].targets, target_count, sizeof *targets);
		for (size_t t = 0; t < target_count; t++) {
			targets[t].positions = rig_pack_moved(pack, targets[t].positions);
			targets[t].normals = rig_pack_moved(pack, targets[t].normals);
			targets[t].tangents = rig_pack_moved(pack, targets[t].tangents);
		}
		primitives[i].targets =
			rig_pack_append(pack, targets, target_count, sizeof *targets);
		primitives[i].variant_materials =
			rig_pack_moved(pack, primitives[i].variant_materials);
	}
	return rig_pack_append(pack, primitives, count, sizeof *primitives);
}

static struct material *pack_materials(struct pack *pack, const struct rig *rig) {
	const size_t count = (size_t)rig->material_count;
	struct material *materials = rig_pack_copy(rig->materials, count, sizeof *materials);
	for (size_t i = 0; i < count; i++) {
		materials[i].name = append_text(pack, materials[i].name);
	}
	return rig_pack_append(pack, materials, count, sizeof *materials);
}

static struct image *pack_images(struct pack *pack, const struct rig *rig) {
	const size_t count = (size_t)rig->image_count;
	struct image *images = rig_pack_copy(rig->images, count, sizeof *images);
	for (size_t i = 0; i < count; i++) {
		images[i].rgba = rig_pack_moved(pack, images[i].rgba);
		images[i].encoded = rig_pack_moved(pack, images[i].encoded);
	}
	return rig_pack_append(pack, images, count, sizeof *images);
}

static struct light *pack_lights(struct pack *pack, const struct rig *rig) {
	const size_t count = (size_t)rig->light_count;
	struct light *lights = rig_pack_copy(rig->lights, count, sizeof *lights);
	for (size_t i = 0; i < count; i++) {
		lights[i].name = append_text(pack, lights[i].name);
	}
	return rig_pack_append(pack, lights, count, sizeof *lights);
}

static struct file_camera *pack_cameras(struct pack *pack, const struct rig *rig) {
	const size_t count = (size_t)rig->camera_count;
	struct file_camera *cameras = rig_pack_copy(rig->cameras, count, sizeof *cameras);
	for (size_t i = 0; i < count; i++) {
		cameras[i].name = append_text(pack, cameras[i].name);
	}
	return rig_pack_append(pack, cameras, count, sizeof *cameras);
}

static struct clip *pack_clips(struct pack *pack, const struct rig *rig) {
	const size_t count = (size_t)rig->clip_count;
	struct clip *clips = rig_pack_copy(rig->clips, count, sizeof *clips);
	for (size_t i = 0; i < count; i++) {
		const size_t channel_count = (size_t)clips[i].channel_count;
		struct channel *channels =
			rig_pack_copy(clips[i].channels, channel_count, sizeof *channels);
		for (size_t c = 0; c < channel_count; c++) {
			channels[c].times = rig_pack_moved(pack, channels[c].times);
			channels[c].values = rig_pack_moved(pack, channels[c].values);
		}
		clips[i].name = append_text(pack, clips[i].name);
		clips[i].tracks = NULL;
		clips[i].channels =
			rig_pack_append(pack, channels, channel_count, sizeof *channels);
	}
	return rig_pack_append(pack, clips, count, sizeof *clips);
}

static char **pack_texts(struct pack *pack, char *const *texts, int text_count) {
	const size_t count = (size_t)text_count;
	char **copies = rig_pack_copy(texts, count, sizeof *copies);
	for (size_t i = 0; i < count; i++) {
		copies[i] = append_text(pack, texts[i]);
	}
	return rig_pack_append(pack, copies, count, sizeof *copies);
}

/* The head; everything else has its offset by then. */
static struct rig_pack_head make_head(struct pack *pack, const struct rig *rig) {
	struct rig_pack_head head;
	memset(&head, 0, sizeof head);
	memcpy(head.magic, RIG_PACK_MAGIC, sizeof head.magic);
	head.rig = *rig;
	head.rig.moving_joints = NULL;
	head.rig.space = (struct file_space){0};
	head.rig.joints = pack_joints(pack, rig);
	head.rig.primitives = pack_primitives(pack, rig);
	head.rig.materials = pack_materials(pack, rig);
	head.rig.images = pack_images(pack, rig);
	head.rig.lights = pack_lights(pack, rig);
	head.rig.cameras = pack_cameras(pack, rig);
	head.rig.clips = pack_clips(pack, rig);
	head.rig.variants = pack_texts(pack, rig->variants, rig->variant_count);
	head.rig.warnings = pack_texts(pack, rig->warnings, rig->warning_count);
	head.rig.avatar = rig->avatar ? avatar_pack(pack, rig->avatar) : NULL;
	for (size_t i = 0; i < rig_pack_array_count; i++) {
		void **field = (void **)((char *)&head.rig + rig_pack_arrays[i].pointer_at);
		*field = rig_pack_moved(pack, *field);
	}
	head.bytes = pack->records_at + pack->records.size;
	return head;
}

/* Writes bytes, and zeros up to where the next ones begin. */
static bool write_aligned(rig_pack_write write, void *context, const void *bytes, size_t size) {
	static const unsigned char zeros[RIG_PACK_ALIGNMENT];
	const size_t gap = align(size) - size;
	return (size == 0 || write(context, bytes, size)) &&
		(gap == 0 || write(context, zeros, gap));
}

bool rig_pack(const struct rig *rig, rig_pack_write write, void *context) {
	struct pack pack = {0};
	assert(!rig->base);
	find_places(&pack, rig);
	const struct rig_pack_head head = make_head(&pack, rig);
	bool ok = write_aligned(write, context, &head, sizeof head);
	for (size_t i = 0; ok && i < pack.place_count; i++) {
		ok = write_aligned(write, context, pack.places[i].data, pack.places[i].size);
	}
	ok = ok && write_aligned(write, context, pack.records.data, pack.records.size);
	buffer_finish(&pack.records);
	free(pack.places);
	return ok;
}
