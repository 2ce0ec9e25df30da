// Packed rigs: what comes back is what was packed, and whatever else comes is refused or sound.
#include "model/rig_pack.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "avatars.h"
#include "base/buffer.h"
#include "base/memory.h"
#include "describe/describe.h"
#include "import/import.h"
#include "model/rig_pack_internal.h"
#include "pose/sample/sampler.h"
#include "renderer.h"
#include "rigs.h"
#include "skin/method.h"

#include "check.h"

static void *take(struct rig *rig, size_t count, size_t size) {
	void *array = rig_storage(rig, count, size, "a test rig", NULL);
	assert_non_null(array);
	return array;
}

static float *random_floats(struct rig *rig, size_t count, unsigned *seed) {
	float *floats = take(rig, count, sizeof *floats);
	for (size_t i = 0; i < count; i++) {
		floats[i] = (float)random_number(seed);
	}
	return floats;
}

static void add_surface(struct rig *rig, unsigned *seed) {
	rig->images = take(rig, 2, sizeof *rig->images);
	for (rig->image_count = 0; rig->image_count < 2; rig->image_count++) {
		struct image *image = &rig->images[rig->image_count];
		*image = (struct image){.width = 3 + rig->image_count, .height = 5};
		image->rgba = xcalloc((size_t)(image->width * image->height), 4);
		image->rgba[rig->image_count * 7] = 200;
	}
	rig->textures = take(rig, 2, sizeof *rig->textures);
	rig->textures[0] = (struct texture){.image = 1, .wrap_u = WRAP_MIRROR, .nearest = true};
	rig->textures[1] = (struct texture){.wrap_v = WRAP_CLAMP, .no_mipmaps = true};
	rig->texture_count = 2;
	rig->materials = take(rig, 1, sizeof *rig->materials);
	struct material *material = &rig->materials[0];
	*material = material_default;
	material->name = xstrndup("f\xc3\xa9", 3);
	material->base_color[1] = 0.5f;
	material->textures[TEXTURE_BASE_COLOR].texture = 1;
	material->textures[TEXTURE_SHEEN_COLOR] = (struct texture_slot){
		.texture = 0, .texcoords = 1, .rotation_rad = 2, .scale = {3, 4}};
	material->alpha_mode = ALPHA_MASK;
	material->alpha_cutoff = 0.25f;
	material->double_sided = true;
	rig->material_count = 1;
	rig->primitives[0].material = 0;
	for (int set = 0; set < TEXCOORD_SETS; set++) {
		rig->texcoords[set] = random_floats(rig, (size_t)rig->vertex_count * 2, seed);
	}
	rig->colors = random_floats(rig, (size_t)rig->vertex_count * 4, seed);
	rig->dqs_mix = random_floats(rig, (size_t)rig->vertex_count, seed);
	rig->tangents = random_floats(rig, (size_t)rig->vertex_count * 4, seed);
}

static void add_scene(struct rig *rig) {
	rig->lights = take(rig, 2, sizeof *rig->lights);
	rig->lights[0] = (struct light){.name = xstrndup("Sun", 3), .color = {1, 0.5f, 0}};
	rig->lights[1] = (struct light){.index = 4,
		.joint = 2,
		.kind = LIGHT_SPOT,
		.intensity = 10,
		.range = 3,
		.inner_rad = 0.25f,
		.outer_rad = 1};
	rig->light_count = 2;
	rig->cameras = take(rig, 2, sizeof *rig->cameras);
	rig->cameras[0] = (struct file_camera){
		.name = xstrndup("Front", 5), .joint = 1, .yfov_rad = 1, .near = 0.1f};
	rig->cameras[1] =
		(struct file_camera){.orthographic = true, .xmag = 2, .ymag = 1, .far = 100};
	rig->camera_count = 2;
}

static void add_targets(struct rig *rig, unsigned *seed) {
	const size_t count = (size_t)rig->vertex_count * 3;
	rig->weight_count = 2;
	rig->rest_weights = random_floats(rig, 2, seed);
	rig->joints[0].weight_count = 2;
	struct primitive *primitive = &rig->primitives[0];
	primitive->target_count = 2;
	primitive->targets = xcalloc(2, sizeof *primitive->targets);
	primitive->targets[0].positions = random_floats(rig, count, seed);
	primitive->targets[0].normals = random_floats(rig, count, seed);
	primitive->targets[1].positions = primitive->targets[0].normals; // shared, as files may
	primitive->targets[1].tangents = random_floats(rig, count, seed);
}

static void add_clips(struct rig *rig, unsigned *seed) {
	static const struct {
		enum channel_path path;
		int width;
	} paths[] = {{CHANNEL_TRANSLATION, 3}, {CHANNEL_SCALE, 3}, {CHANNEL_WEIGHTS, 2}};
	float *times = take(rig, 3, sizeof *times);
	times[1] = 0.5f;
	times[2] = 1;
	rig->clips = take(rig, 2, sizeof *rig->clips);
	for (rig->clip_count = 0; rig->clip_count < 2; rig->clip_count++) {
		struct clip *clip = &rig->clips[rig->clip_count];
		*clip = (struct clip){.name = xstrndup("Walk", 4), .duration_s = 1, .bytes = 9};
		clip->channels = xcalloc(3, sizeof *clip->channels);
		for (int c = 0; c < 3; c++) {
			clip->channels[clip->channel_count++] = (struct channel){
				.joint = 0,
				.path = paths[c].path,
				.interpolation = (enum interpolation)c,
				.key_count = 3,
				.width = paths[c].width,
				.times = times,
				.values = random_floats(rig, 27, seed),
			};
		}
	}
}

/* A rig with some of everything that a rig can have. */
static struct rig *full_rig(unsigned seed) {
	struct rig *rig = rig_random(seed, 16, 20, 4);
	for (int i = 0; i < rig->joint_count; i++) {
		set_rotation(&rig->joints[i].rest, 0, 1, 0, 20 * i);
	}
	rig->indices = take(rig, 6, sizeof *rig->indices);
	for (int i = 0; i < 6; i++) {
		rig->indices[i] = (uint32_t)(i * 3);
	}
	rig->index_count = rig->primitives[0].index_count = 6;
	add_surface(rig, &seed);
	add_scene(rig);
	add_targets(rig, &seed);
	add_clips(rig, &seed);
	rig_add_avatar(rig);
	rig_warn(rig, "something %d", 1);
	rig_warn(rig, "something else");
	rig->bounds = (struct bounds){{-1, -2, -3}, {1, 2, 3}};
	struct error err = {0};
	if (!rig_check(rig, &err)) {
		fail_msg("%s", err.text);
	}
	return rig;
}

static bool write_to_buffer(void *context, const void *bytes, size_t size) {
	buffer_append(context, bytes, size);
	return true;
}

static struct buffer pack(const struct rig *rig) {
	struct buffer block = {0};
	assert_true(rig_pack(rig, write_to_buffer, &block));
	return block;
}

static void release_block(void *block, size_t size) {
	(void)size;
	free(block);
}

/* Unpacks a copy of exact size, so that ASan detects reads past its end. */
static struct rig *unpack_copy(const void *bytes, size_t size, struct error *err) {
	unsigned char *copy = xcalloc(size ? size : 1, 1);
	memcpy(copy, bytes, size);
	copy = xrealloc(copy, size ? size : 1, 1);
	return rig_unpack(copy, size, release_block, err);
}

static void assert_same_bytes(const void *a, const void *b, size_t size) {
	assert_int_equal(!a, !b);
	if (a && size > 0) {
		assert_memory_equal(a, b, size);
	}
}

static void assert_same_primitive(const struct primitive *a, const struct primitive *b) {
	assert_memory_equal(a, b, offsetof(struct primitive, targets));
	const size_t bytes = (size_t)a->vertex_count * 12;
	for (int t = 0; t < a->target_count; t++) {
		assert_same_bytes(a->targets[t].positions, b->targets[t].positions, bytes);
		assert_same_bytes(a->targets[t].normals, b->targets[t].normals, bytes);
		assert_same_bytes(a->targets[t].tangents, b->targets[t].tangents, bytes);
	}
}

static void assert_same_clip(const struct clip *a, const struct clip *b) {
	assert_string_equal(a->name, b->name);
	assert_int_equal(a->index, b->index);
	assert_true(a->duration_s == b->duration_s);
	assert_int_equal(a->channel_count, b->channel_count);
	assert_int_equal(a->bytes, b->bytes);
	for (int c = 0; c < a->channel_count; c++) {
		const struct channel *x = &a->channels[c], *y = &b->channels[c];
		assert_memory_equal(x, y, offsetof(struct channel, times));
		const size_t values = x->interpolation == INTERPOLATION_CUBIC_SPLINE ? 3 : 1;
		const size_t keys = (size_t)x->key_count;
		assert_memory_equal(x->times, y->times, keys * 4);
		assert_memory_equal(x->values, y->values, keys * values * (size_t)x->width * 4);
	}
}

static void assert_same_surface(const struct rig *a, const struct rig *b) {
	assert_int_equal(a->material_count, b->material_count);
	for (int i = 0; i < a->material_count; i++) {
		assert_string_equal(a->materials[i].name, b->materials[i].name);
		assert_memory_equal(&a->materials[i].base_color, &b->materials[i].base_color,
			sizeof *a->materials - offsetof(struct material, base_color));
	}
	assert_int_equal(a->texture_count, b->texture_count);
	assert_same_bytes(a->textures, b->textures, (size_t)a->texture_count * sizeof *a->textures);
	assert_int_equal(a->image_count, b->image_count);
	for (int i = 0; i < a->image_count; i++) {
		const struct image *x = &a->images[i], *y = &b->images[i];
		assert_int_equal(x->width, y->width);
		assert_int_equal(x->height, y->height);
		assert_memory_equal(x->rgba, y->rgba, (size_t)(x->width * x->height) * 4);
	}
}

static void assert_same_text(const char *a, const char *b) {
	assert_int_equal(!a, !b);
	if (a) {
		assert_string_equal(a, b);
	}
}

static void assert_same_scene(const struct rig *a, const struct rig *b) {
	assert_int_equal(a->light_count, b->light_count);
	for (int i = 0; i < a->light_count; i++) {
		assert_same_text(a->lights[i].name, b->lights[i].name);
		assert_memory_equal(&a->lights[i].index, &b->lights[i].index,
			sizeof *a->lights - offsetof(struct light, index));
	}
	assert_int_equal(a->camera_count, b->camera_count);
	for (int i = 0; i < a->camera_count; i++) {
		assert_same_text(a->cameras[i].name, b->cameras[i].name);
		assert_memory_equal(&a->cameras[i].index, &b->cameras[i].index,
			sizeof *a->cameras - offsetof(struct file_camera, index));
	}
}

static void assert_same_rig(const struct rig *a, const struct rig *b) {
	assert_int_equal(a->joint_count, b->joint_count);
	for (int i = 0; i < a->joint_count; i++) {
		assert_string_equal(a->joints[i].name, b->joints[i].name);
		assert_memory_equal(&a->joints[i].index, &b->joints[i].index,
			sizeof *a->joints - offsetof(struct joint, index));
	}
	assert_int_equal(a->primitive_count, b->primitive_count);
	for (int i = 0; i < a->primitive_count; i++) {
		assert_same_primitive(&a->primitives[i], &b->primitives[i]);
	}
	assert_same_surface(a, b);
	assert_same_scene(a, b);
	assert_int_equal(a->clip_count, b->clip_count);
	for (int i = 0; i < a->clip_count; i++) {
		assert_same_clip(&a->clips[i], &b->clips[i]);
	}
	assert_int_equal(a->warning_count, b->warning_count);
	for (int i = 0; i < a->warning_count; i++) {
		assert_string_equal(a->warnings[i], b->warnings[i]);
	}
	assert_memory_equal(&a->bounds, &b->bounds, sizeof a->bounds);
	assert_int_equal(!a->avatar, !b->avatar);
	if (a->avatar) {
		assert_same_avatar(a, b);
	}
	for (size_t i = 0; i < rig_pack_array_count; i++) {
		const struct rig_pack_array *row = &rig_pack_arrays[i];
		const char *x = (const char *)a, *y = (const char *)b;
		size_t count = 0;
		memcpy(&count, x + row->count_at, row->wide ? sizeof count : sizeof(int));
		assert_memory_equal(
			x + row->count_at, y + row->count_at, row->wide ? sizeof count : 4);
		assert_same_bytes(*(void *const *)(x + row->pointer_at),
			*(void *const *)(y + row->pointer_at), count * row->item);
	}
}

/* Does with a rig what the daemon does, so that the sanitizers see what rig_check let through. */
static void use_rig(const struct rig *rig) {
	struct arena *arena = arena_create();
	struct rig_description description;
	const struct rig_summary summary = {.name = "x", .content = "y"};
	const struct beside_rig beside = {0};
	describe_rig(rig, &summary, &beside, arena, &description);
	struct buffer text = {0};
	reply_write_description(&description, &text);
	buffer_finish(&text);
	struct pose pose = pose_rest(rig, arena);
	for (int i = 0; i < rig->clip_count; i++) {
		clip_sample(rig, &rig->clips[i], rig->clips[i].duration_s / 3, &pose);
	}
	float *positions = xcalloc((size_t)rig->vertex_count * 3, sizeof *positions);
	float *normals = xcalloc((size_t)rig->vertex_count * 3, sizeof *normals);
	skin_pose(rig, skin_method(0), &pose, false, positions, normals);
	free(normals);
	free(positions);
	arena_destroy(arena);
}

static void refuses_blocks_that_are_none(void **state) {
	(void)state;
	static const unsigned char zeros[4096];
	for (size_t size = 0; size <= sizeof zeros; size += 64) {
		struct error err = {0};
		assert_null(unpack_copy(zeros, size, &err));
		assert_int_equal(err.code, ERROR_BROKEN_ASSET);
	}
}

/* Also with a head that says the shorter size. */
static void refuses_every_truncation_or_stays_sound(void **state) {
	(void)state;
	struct rig *rig = full_rig(1);
	struct buffer block = pack(rig);
	for (size_t size = 0; size < block.size; size++) {
		struct rig_pack_head head;
		assert_null(unpack_copy(block.data, size, NULL));
		if (size >= sizeof head) {
			unsigned char *cut = xcalloc(size, 1);
			memcpy(cut, block.data, size);
			memcpy(&head, cut, sizeof head);
			head.bytes = size;
			memcpy(cut, &head, sizeof head);
			struct rig *back = rig_unpack(cut, size, release_block, NULL);
			// Only the zeros after the last record can be missed.
			assert_true(!back || size + RIG_PACK_ALIGNMENT >= block.size);
			rig_release(back);
		}
	}
	buffer_finish(&block);
	rig_release(rig);
}

static uint32_t next(uint32_t *seed) {
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

/* Writes a value that a broken or hostile writer may put into a word. */
static void damage(unsigned char *block, size_t size, uint32_t *seed) {
	static const uint64_t nasty[] = {0, 1, 2, 0xff, 0x7fffffff, 0x80000000, 0xffffffff,
		0x7fffffffffffffff, 0xffffffffffffffff, 0xfffffffffffffff8, 0x7ff8000000000000,
		0x7f800000, 64, 424, 448};
	const size_t at = next(seed) % (size / 4) * 4;
	const size_t room = size - at < 8 ? 4 : 8;
	uint64_t word = nasty[next(seed) % (sizeof nasty / sizeof nasty[0])];
	if (next(seed) % 4 == 0) {
		word = next(seed) % size / 8 * 8; // an offset that is in the block
	}
	if (next(seed) % 4 == 0) {
		block[next(seed) % size] = (unsigned char)next(seed);
	}
	memcpy(block + at, &word, next(seed) % 2 ? room : 4);
}

static void mutations_are_refused_or_sound(void **state) {
	(void)state;
	struct rig *rig = full_rig(2);
	const struct buffer block = pack(rig);
	uint32_t seed = 20260131;
	int refused = 0, taken = 0;
	for (int round = 0; round < 60000; round++) {
		unsigned char *copy = xcalloc(block.size, 1);
		memcpy(copy, block.data, block.size);
		// The head and the records, which end the block, count for more than the numbers.
		const size_t part = round % 3;
		const size_t head = sizeof(struct rig_pack_head);
		const size_t records = block.size > 4096 ? block.size - 4096 : 0;
		for (int k = round % 4; k >= 0; k--) {
			unsigned char *start = part == 1 ? copy + records : copy;
			damage(start,
				part == 0           ? head
					: part == 1 ? block.size - records
						    : block.size,
				&seed);
		}
		struct error err = {0};
		struct rig *back = rig_unpack(copy, block.size, release_block, &err);
		if (back) {
			assert_true(rig_check(back, NULL));
			use_rig(back);
			rig_release(back);
			taken++;
		} else {
			assert_int_not_equal(err.code, ERROR_NONE);
			refused++;
		}
	}
	// Both happen a lot, or this tests nothing.
	assert_in_range(refused, 10000, 59000);
	assert_in_range(taken, 1000, 50000);
	buffer_finish((struct buffer *)&block);
	rig_release(rig);
}

static void expect_round_trip(struct rig *take_rig) {
	struct buffer block = pack(take_rig);
	struct error err = {0};
	struct rig *back = unpack_copy(block.data, block.size, &err);
	if (!back) {
		fail_msg("%s", err.text);
	}
	assert_same_rig(take_rig, back);
	assert_int_not_equal(take_rig->id, back->id);
	// A rig that lies in a block can be packed like any other.
	struct buffer again = pack(back);
	struct rig *twice = unpack_copy(again.data, again.size, &err);
	assert_non_null(twice);
	rig_release(back);
	assert_same_rig(take_rig, twice);
	rig_release(twice);
	rig_release(take_rig);
	buffer_finish(&again);
	buffer_finish(&block);
}

static void what_was_packed_comes_back(void **state) {
	(void)state;
	expect_round_trip(rig_create());
	for (unsigned seed = 0; seed < 20; seed++) {
		expect_round_trip(full_rig(seed));
	}
}

static struct rig *import_file(const char *path) {
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	static unsigned char bytes[1 << 20];
	const size_t size = fread(bytes, 1, sizeof bytes, file);
	fclose(file);
	struct rig *rig = renderer_import(bytes, size, NULL);
	assert_non_null(rig);
	return rig;
}

static void imported_rigs_come_back(void **state) {
	(void)state;
	static const char *const paths[] = {"assets/demo/cyl2.glb", "assets/demo/head.glb",
		"assets/demo/humanoid.glb", "assets/demo/tube23.glb"};
	for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
		expect_round_trip(import_file(paths[i]));
	}
}

static bool refuse_third(void *context, const void *bytes, size_t size) {
	(void)bytes;
	(void)size;
	return ++*(int *)context < 3;
}

static void a_writer_may_give_up(void **state) {
	(void)state;
	struct rig *rig = full_rig(3);
	int calls = 0;
	assert_false(rig_pack(rig, refuse_third, &calls));
	assert_int_equal(calls, 3);
	rig_release(rig);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_blocks_that_are_none),
		cmocka_unit_test(refuses_every_truncation_or_stays_sound),
		cmocka_unit_test(mutations_are_refused_or_sound),
		cmocka_unit_test(what_was_packed_comes_back),
		cmocka_unit_test(imported_rigs_come_back),
		cmocka_unit_test(a_writer_may_give_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
