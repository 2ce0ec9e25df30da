// Packed clips and rigs that get them: what comes back is what was packed, and whatever else comes
// is refused or sound.
#include "model/clip_pack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "interface/clips.h"
#include "model/rig.h"
#include "pose/sample/sampler.h"
#include "rigs.h"
#include "shared_files.h"

#include "check.h"

static const float times[] = {0, 0.5f, 2};

/* Two joints, four channels, of which two share their times. */
static struct clip make_clip(struct channel channels[static 4]) {
	static const float vectors[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
	static const float turns[12] = {0, 0, 0, 1, 1, 0, 0, 0, 0, 0.6f, 0, 0.8f};
	static const float curve[27] = {[4] = 1, [13] = -2, [22] = 0.5f};
	channels[0] = (struct channel){
		0, CHANNEL_TRANSLATION, INTERPOLATION_LINEAR, 3, 3, times, vectors};
	channels[1] =
		(struct channel){1, CHANNEL_ROTATION, INTERPOLATION_LINEAR, 3, 4, times, turns};
	channels[2] = (struct channel){1, CHANNEL_SCALE, INTERPOLATION_STEP, 1, 3, times, vectors};
	channels[3] = (struct channel){
		1, CHANNEL_TRANSLATION, INTERPOLATION_CUBIC_SPLINE, 3, 3, times, curve};
	struct clip clip = {.channel_count = 4, .channels = channels};
	clip_sum_up(&clip);
	return clip;
}

static void pack(const struct rig *rig, struct buffer *out) {
	struct channel channels[4];
	const struct clip clip = make_clip(channels);
	assert_true(clip_pack(rig, &clip, out, NULL));
}

/* True if the bytes are a clip, which can then be sampled safely. */
static bool is_clip(const struct rig *rig, const void *bytes, size_t size, struct error *err) {
	// Memory of its own, so that reading beyond is seen.
	void *copy = malloc(size ? size : 1);
	memcpy(copy, bytes, size);
	struct arena *arena = arena_create();
	struct clip clip;
	const bool ok = clip_unpack(rig, copy, size, arena, &clip, err);
	if (ok) {
		struct pose pose = pose_rest(rig, arena);
		clip_sample(rig, &clip, 0.7, &pose);
		for (int i = 0; i < rig->joint_count; i++) {
			for (int k = 0; k < 3; k++) {
				assert_true(isfinite(pose.local[i].translation[k]));
			}
		}
	}
	arena_destroy(arena);
	free(copy);
	return ok;
}

static void refuses_what_is_no_clip_of_the_rig(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct buffer packed = {0};
	struct error err = {0};
	pack(rig, &packed);
	for (size_t size = 0; size < packed.size; size++) {
		assert_false(is_clip(rig, packed.data, size, NULL));
	}
	rig->joints[1].name[0] ^= 1;
	assert_false(is_clip(rig, packed.data, packed.size, &err));
	assert_int_equal(err.code, ERROR_BROKEN_ASSET);
	assert_non_null(strstr(err.text, "which the rig does not have"));
	rig->joints[1].name[0] ^= 1;
	assert_true(is_clip(rig, packed.data, packed.size, NULL));
	buffer_finish(&packed);
	rig_release(rig);
}

static void is_sound_whatever_the_bytes(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct buffer packed = {0};
	pack(rig, &packed);
	unsigned seed = 1, kept = 0;
	for (int round = 0; round < 20000; round++) {
		unsigned char bytes[1024];
		assert_true(packed.size <= sizeof bytes);
		memcpy(bytes, packed.data, packed.size);
		for (int hit = 0; hit < 1 + round % 3; hit++) {
			const double place = (random_number(&seed) + 1) / 2;
			bytes[(size_t)(place * (double)(packed.size - 1))] =
				(unsigned char)(255 * (random_number(&seed) + 1) / 2);
		}
		kept += is_clip(rig, bytes, packed.size, NULL);
	}
	assert_true(kept > 0);
	buffer_finish(&packed);
	rig_release(rig);
}

static void comes_back_to_the_bit(void **state) {
	(void)state;
	struct rig *rig = rig_cyl2();
	struct channel channels[4];
	const struct clip clip = make_clip(channels);
	struct buffer packed = {0};
	assert_true(clip_pack(rig, &clip, &packed, NULL));
	struct arena *arena = arena_create();
	struct clip back;
	assert_true(clip_unpack(rig, packed.data, packed.size, arena, &back, NULL));
	assert_int_equal(back.channel_count, clip.channel_count);
	assert_true(back.duration_s == 2);
	assert_int_equal(back.bytes, clip.bytes);
	assert_ptr_equal(back.channels[0].times, back.channels[1].times);
	for (int i = 0; i < clip.channel_count; i++) {
		const struct channel *a = &clip.channels[i], *b = &back.channels[i];
		const size_t values = a->interpolation == INTERPOLATION_CUBIC_SPLINE ? 3 : 1;
		assert_int_equal(a->joint, b->joint);
		assert_int_equal(a->path, b->path);
		assert_int_equal(a->interpolation, b->interpolation);
		assert_int_equal(a->key_count, b->key_count);
		assert_memory_equal(a->times, b->times, (size_t)a->key_count * sizeof(float));
		assert_memory_equal(a->values, b->values,
			(size_t)a->key_count * values * (size_t)a->width * sizeof(float));
	}
	arena_destroy(arena);
	buffer_finish(&packed);
	rig_release(rig);
}

static struct rig_clip packed_clip(const struct rig *rig, const char *name) {
	struct buffer packed = {0};
	pack(rig, &packed);
	struct rig_clip clip = {.name = name};
	clip.take_bytes = buffer_steal(&packed, &clip.size);
	return clip;
}

static void rigs_get_clips_and_share_the_rest(void **state) {
	(void)state;
	struct rig *base = rig_cyl2();
	rig_add_clip(base, "own", 0, NULL);
	const struct rig_clip added[] = {packed_clip(base, "a"), packed_clip(base, "b")};
	int failed;
	struct rig *rig = rig_create_with_clips(base, added, 2, &failed, NULL);
	assert_non_null(rig);
	assert_int_equal(base->clip_count, 1);
	assert_int_equal(rig->clip_count, 3);
	assert_string_equal(rig->clips[0].name, "own");
	assert_string_equal(rig->clips[2].name, "b");
	assert_int_equal(rig->clips[2].index, 2);
	assert_true(rig->clips[2].duration_s == 2);
	assert_true(rig->id == base->id && rig->clips_id != base->clips_id);
	assert_ptr_equal(rig->positions, base->positions);
	assert_non_null(rig->clips[2].tracks);
	assert_true(rig_check_clip(rig, &rig->clips[2], NULL));
	// The cost of a clip: its bytes, and no copy of a vertex.
	assert_true(rig_own_bytes(rig) < 150000);
	assert_int_equal(rig_bytes(rig), rig_own_bytes(rig) + rig_bytes(base));
	rig_release(base);
	assert_true(rig_check_clip(rig, &rig->clips[1], NULL));
	rig_release(rig);
}

static void names_the_clip_that_does_not_fit(void **state) {
	(void)state;
	struct rig *base = rig_cyl2();
	struct rig_clip added[] = {packed_clip(base, "a"), packed_clip(base, "b")};
	((char *)added[1].take_bytes)[0] = 'P';
	int failed = -1;
	struct error err = {0};
	assert_null(rig_create_with_clips(base, added, 2, &failed, &err));
	assert_int_equal(failed, 1);
	assert_int_equal(err.code, ERROR_BROKEN_ASSET);
	rig_release(base);
}

/* A clip of a rig in a file of its own; the bytes are the caller's. */
static struct buffer file_of(const struct rig *rig, int clip) {
	struct buffer out = {0};
	const struct clip_file_job job = {
		.rig = rig, .clip = &rig->clips[clip], .generator = "", .max_bytes = 1 << 24};
	assert_true(renderer_clip_glb(&job, &out, NULL));
	return out;
}

static void files_bring_clips_key_by_key(void **state) {
	(void)state;
	static const char *const rigs[] = {"assets/demo/humanoid.glb", "assets/demo/head.glb"};
	for (int r = 0; r < 2; r++) {
		struct rig *base = own_rig(rigs[r]);
		struct buffer bytes = file_of(base, 0), want = {0}, got = {0};
		const struct clip_file file = {"again", bytes.data, bytes.size};
		struct rig *rig = renderer_add_clips(base, &file, 1, NULL);
		assert_non_null(rig);
		assert_int_equal(rig->clip_count, base->clip_count + 1);
		assert_string_equal(rig->clips[base->clip_count].name, "again");
		assert_true(clip_pack(base, &base->clips[0], &want, NULL));
		assert_true(clip_pack(rig, &rig->clips[base->clip_count], &got, NULL));
		assert_int_equal(got.size, want.size);
		assert_memory_equal(got.data, want.data, want.size);
		buffer_finish(&bytes);
		buffer_finish(&want);
		buffer_finish(&got);
		rig_release(rig);
		rig_release(base);
	}
}

static void files_of_other_rigs_bring_none(void **state) {
	(void)state;
	struct rig *base = own_rig("assets/demo/humanoid.glb");
	struct rig *other = own_rig("assets/demo/cyl2.glb");
	struct buffer fits = file_of(base, 0), strange = file_of(other, 0);
	const struct clip_file files[] = {
		{"fits", fits.data, fits.size}, {"strange", strange.data, strange.size}};
	struct error err = {0};
	assert_null(renderer_add_clips(base, files, 2, &err));
	assert_non_null(strstr(err.text, "clip \"strange\": "));
	struct error broken = {0};
	const struct clip_file cut = {"cut", fits.data, 100};
	assert_null(renderer_add_clips(base, &cut, 1, &broken));
	assert_int_equal(broken.code, ERROR_BROKEN_ASSET);
	buffer_finish(&fits);
	buffer_finish(&strange);
	rig_release(other);
	rig_release(base);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_what_is_no_clip_of_the_rig),
		cmocka_unit_test(is_sound_whatever_the_bytes),
		cmocka_unit_test(comes_back_to_the_bit),
		cmocka_unit_test(rigs_get_clips_and_share_the_rest),
		cmocka_unit_test(names_the_clip_that_does_not_fit),
		cmocka_unit_test(files_bring_clips_key_by_key),
		cmocka_unit_test(files_of_other_rigs_bring_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
