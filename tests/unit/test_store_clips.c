// Clips in the store: what is refused, what outlives what, what names share, what a broken disk
// leaves.
#include "store/store_clips.h"

#include <string.h>

#include "interface/packed_clips.h"
#include "limits.h"
#include "model/clip_pack.h"
#include "store_fixture.h"

#include "check.h"

/* A rig of one node and a clip of its own, "own"; the node's name differs from rig to rig. */
static void put_rig(struct fixture *fixture, const char *name, const char *node) {
	char text[600];
	const int length = snprintf(text, sizeof text,
		"{\"asset\": {\"version\": \"2.0\"}, \"scenes\": [{\"nodes\": [0]}], \"nodes\": "
		"[{\"name\": \"%s\"}], \"animations\": [{\"name\": \"own\", \"channels\": [], "
		"\"samplers\": []}]}",
		node);
	const struct store_asset asset = {.name = name,
		.bytes = text,
		.size = (size_t)length,
		.file = -1,
		.mode = PUT_REPLACE};
	struct rig_summary out;
	struct error err = {0};
	bool created;
	if (!store_put(fixture->store, &asset, fixture->arena, &out, &created, &err)) {
		fail_msg("%s", err.text);
	}
}

static void hold(struct fixture *fixture, const char *rig, struct store_hold *out) {
	assert_true(store_hold(fixture->store, rig, HOLD_RIG, fixture->arena, out, NULL));
	assert_non_null(store_load(fixture->store, out, NULL));
}

static bool delete_clip(
	struct fixture *fixture, const char *rig, const char *name, struct error *err) {
	const struct item_name item = {rig, ITEM_CLIPS, name, NULL};
	return items_delete(fixture->store, &item, err);
}

/* Puts a clip that moves the node to x; 1 = created, 0 = was there, -1 = refused with *err. */
static int put_as(struct fixture *fixture, const char *rig, const char *name, float x,
	enum put_mode mode, struct error *err) {
	const float times[] = {0}, values[] = {x, 0, 0};
	struct channel channel = {
		0, CHANNEL_TRANSLATION, INTERPOLATION_LINEAR, 1, 3, times, values};
	struct clip clip = {.channel_count = 1, .channels = &channel};
	clip_sum_up(&clip);
	struct store_hold held;
	hold(fixture, rig, &held);
	const struct store_clip params = {.hold = &held, .name = name, .clip = &clip, .mode = mode};
	struct stored_clip stored;
	const bool ok = store_put_clip(fixture->store, &params, fixture->arena, &stored, err);
	store_release(&held);
	return ok ? stored.created : -1;
}

static int put(struct fixture *fixture, const char *rig, const char *name, float x) {
	return put_as(fixture, rig, name, x, PUT_REPLACE, NULL);
}

/* The position to which a clip of a rig moves the node; NAN = there is no such clip. */
static float place_of(struct fixture *fixture, const char *rig, const char *name) {
	struct store_hold held;
	hold(fixture, rig, &held);
	const int found = rig_find_clip(held.rig, name);
	const float x = found >= 0 ? held.rig->clips[found].channels[0].values[0] : NAN;
	store_release(&held);
	return x;
}

static struct store_stats stats_of(struct fixture *fixture) {
	struct store_stats stats;
	store_read_stats(fixture->store, &stats);
	return stats;
}

/* --- Cases --- */

static void refuses_what_does_not_fit(void **state) {
	struct fixture *fixture = *state;
	struct error err = {0};
	put_rig(fixture, "rig", "n");
	assert_int_equal(put_as(fixture, "rig", "own", 1, PUT_REPLACE, &err), -1);
	assert_int_equal(err.code, ERROR_CONFLICT);
	err = (struct error){0};
	assert_false(delete_clip(fixture, "rig", "a", &err));
	assert_int_equal(err.code, ERROR_UNKNOWN_CLIP);
	assert_int_equal(put_as(fixture, "rig", "a", 1, PUT_ONLY_NEW, NULL), 1);
	err = (struct error){0};
	assert_int_equal(put_as(fixture, "rig", "a", 2, PUT_ONLY_NEW, &err), -1);
	assert_int_equal(err.code, ERROR_PRECONDITION_FAILED);
	assert_true(place_of(fixture, "rig", "a") == 1);
}

static void refuses_what_was_put_for_a_rig_that_was_replaced(void **state) {
	struct fixture *fixture = *state;
	const float times[] = {0}, values[] = {1, 0, 0};
	struct channel channel = {
		0, CHANNEL_TRANSLATION, INTERPOLATION_LINEAR, 1, 3, times, values};
	struct clip clip = {.channel_count = 1, .channels = &channel};
	put_rig(fixture, "rig", "n");
	struct store_hold held;
	hold(fixture, "rig", &held);
	put_rig(fixture, "rig", "m");
	const struct store_clip params = {.hold = &held, .name = "a", .clip = &clip};
	struct stored_clip stored;
	struct error err = {0};
	assert_false(store_put_clip(fixture->store, &params, fixture->arena, &stored, &err));
	assert_int_equal(err.code, ERROR_CONFLICT);
	store_release(&held);
	assert_int_equal(stats_of(fixture).clips, 0);
}

static void outlives_a_restart(void **state) {
	struct fixture *fixture = *state;
	put_rig(fixture, "rig", "n");
	assert_int_equal(put(fixture, "rig", "b", 2), 1);
	assert_int_equal(put(fixture, "rig", "a", 1), 1);
	assert_int_equal(put(fixture, "rig", "b", 3), 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(stats_of(fixture).clips, 2);
		assert_int_equal(count_files(fixture, "objects"), 3);
		assert_true(place_of(fixture, "rig", "a") == 1);
		assert_true(place_of(fixture, "rig", "b") == 3);
		reopen(fixture);
	}
}

static void holds_keep_what_they_had(void **state) {
	struct fixture *fixture = *state;
	put_rig(fixture, "rig", "n");
	put(fixture, "rig", "a", 1);
	struct store_hold early, late;
	hold(fixture, "rig", &early);
	assert_true(store_hold(fixture->store, "rig", HOLD_RIG, fixture->arena, &late, NULL));
	put(fixture, "rig", "a", 2);
	assert_true(delete_clip(fixture, "rig", "a", NULL));
	assert_non_null(store_load(fixture->store, &late, NULL)); // read only now, if need be
	const struct rig *const rigs[] = {early.rig, late.rig};
	for (int i = 0; i < 2; i++) {
		assert_int_equal(rigs[i]->clip_count, 2);
		assert_true(rigs[i]->clips[1].channels[0].values[0] == 1);
	}
	assert_string_equal(early.motion, late.motion);
	store_release(&early);
	store_release(&late);
	hold(fixture, "rig", &late);
	assert_int_equal(late.rig->clip_count, 1);
	assert_string_equal(late.motion, late.summary.content);
	store_release(&late);
}

static void tags_tell_what_they_should(void **state) {
	struct fixture *fixture = *state;
	struct store_hold before, after;
	put_rig(fixture, "rig", "n");
	hold(fixture, "rig", &before);
	put(fixture, "rig", "a", 1);
	hold(fixture, "rig", &after);
	assert_string_not_equal(before.state, after.state);
	assert_string_not_equal(before.motion, after.motion);
	assert_string_equal(before.basis, after.basis); // what is made of the mesh stays
	assert_true(before.rig->id == after.rig->id);
	assert_true(before.rig->clips_id != after.rig->clips_id);
	store_release(&before);
	store_release(&after);
}

/* A clip that moves the node about, of so many keys; its arrays are in the arena. */
static struct clip make_swinging(struct fixture *fixture, int keys) {
	const size_t count = (size_t)keys;
	float *times = arena_alloc(fixture->arena, count, sizeof *times);
	float *values = arena_alloc(fixture->arena, count, 3 * sizeof *values);
	for (int i = 0; i < keys; i++) {
		times[i] = (float)(i / 30.0);
		values[3 * i] = (float)sin(i * 0.1);
	}
	struct clip clip = {.channel_count = 1,
		.channels = arena_alloc(fixture->arena, 1, sizeof *clip.channels)};
	clip.channels[0] = (struct channel){
		0, CHANNEL_TRANSLATION, INTERPOLATION_LINEAR, keys, 3, times, values};
	clip_sum_up(&clip);
	return clip;
}

/* Puts it packed as a client asks for it; the bytes, 0 = refused with *err. */
static size_t put_packed(struct fixture *fixture, const char *name, const struct clip *clip,
	enum pack_tolerance kind, struct error *err) {
	struct store_hold held;
	hold(fixture, "rig", &held);
	struct buffer packed = {0};
	struct packed_clip report;
	const struct pack_job job = {.rig = held.rig,
		.clip = clip,
		.name = name,
		.rate = 30,
		.kind = kind,
		.tolerance = 1e-3};
	assert_true(renderer_pack_clip(&job, fixture->arena, &packed, &report, NULL));
	assert_int_equal(report.is_compressed, kind != PACK_RAW);
	const struct store_clip params = {.hold = &held, .name = name, .object = &packed};
	struct stored_clip stored;
	const bool ok = store_put_clip(fixture->store, &params, fixture->arena, &stored, err);
	const size_t bytes = packed.size;
	buffer_finish(&packed);
	store_release(&held);
	return ok ? bytes : 0;
}

/* Room is counted in stored bytes: where a clip with its keys has none, the same one has some when
 * it is compressed. */
static void compressed_clips_take_the_room_that_they_need(void **state) {
	struct fixture *fixture = *state;
	put_rig(fixture, "rig", "n");
	const struct clip small = make_swinging(fixture, 2000);
	const size_t key_bytes = 4 * sizeof(float), left = small.bytes / 10;
	const struct clip large =
		make_swinging(fixture, (int)((LIMIT_CLIPS_BYTES - left) / key_bytes));
	struct error err = {0};
	const size_t rig_bytes = stats_of(fixture).object_bytes;
	const size_t large_bytes = put_packed(fixture, "large", &large, PACK_RAW, &err);
	assert_true(large_bytes > 0);
	assert_int_equal(put_packed(fixture, "small", &small, PACK_RAW, &err), 0);
	assert_int_equal(err.code, ERROR_TOO_LARGE);
	assert_int_equal(stats_of(fixture).clips, 1);
	size_t clips = 1, bytes = rig_bytes + large_bytes;
	for (size_t added = 1; added > 0; clips += added > 0, bytes += added) {
		char name[16];
		snprintf(name, sizeof name, "small %zu", clips);
		err = (struct error){0};
		added = put_packed(fixture, name, &small, PACK_METRES, &err);
		assert_true(added < small.bytes / 20);
	}
	assert_int_equal(err.code, ERROR_TOO_LARGE);
	assert_true(clips > 2 && bytes - rig_bytes <= LIMIT_CLIPS_BYTES);
	assert_true(bytes - rig_bytes > LIMIT_CLIPS_BYTES - small.bytes / 20);
	// Without the large one the keys have room, too.
	reopen(fixture);
	assert_int_equal(stats_of(fixture).clips, clips);
	assert_true(delete_clip(fixture, "rig", "large", NULL));
	assert_true(put_packed(fixture, "small", &small, PACK_RAW, NULL) > small.bytes);
}

static void names_of_the_same_content_and_clips_share_a_rig(void **state) {
	struct fixture *fixture = *state;
	struct store_hold one, two;
	put_rig(fixture, "one", "n");
	put_rig(fixture, "two", "n");
	put(fixture, "one", "a", 1);
	hold(fixture, "one", &one);
	hold(fixture, "two", &two);
	assert_int_equal(two.rig->clip_count, 1);
	store_release(&two);
	put(fixture, "two", "a", 1);
	hold(fixture, "two", &two);
	assert_ptr_equal(one.rig, two.rig);
	assert_int_equal(count_files(fixture, "objects"), 2);
	assert_int_equal(stats_of(fixture).loaded_rigs, 1);
	store_release(&one);
	store_release(&two);
	assert_true(store_delete(fixture->store, "one", NULL));
	assert_true(place_of(fixture, "two", "a") == 1);
	assert_true(store_delete(fixture->store, "two", NULL));
	assert_int_equal(count_files(fixture, "objects"), 0);
	assert_int_equal(stats_of(fixture).loaded_bytes, 0);
}

static void memory_counts_a_file_once(void **state) {
	struct fixture *fixture = *state;
	put_rig(fixture, "rig", "n");
	const size_t without = stats_of(fixture).loaded_bytes;
	put(fixture, "rig", "a", 1);
	place_of(fixture, "rig", "a");
	struct store_hold held;
	hold(fixture, "rig", &held);
	assert_int_equal(stats_of(fixture).loaded_bytes, without + rig_own_bytes(held.rig));
	store_release(&held);
}

static void a_failed_write_leaves_what_was_there(void **state) {
	struct fixture *fixture = *state;
	put_rig(fixture, "rig", "n");
	for (int sync = 1; sync <= 4; sync++) {
		struct error err = {0};
		assert_true(put(fixture, "rig", "a", 1) >= 0);
		syncs_until_failure = sync;
		assert_int_equal(put_as(fixture, "rig", "a", 2, PUT_REPLACE, &err), -1);
		assert_int_equal(syncs_until_failure, 0);
		assert_int_equal(err.code, ERROR_STORE_UNWRITABLE);
		assert_true(place_of(fixture, "rig", "a") == 1);
		assert_int_equal(put(fixture, "rig", "a", 1), 0);
		reopen(fixture);
		assert_true(place_of(fixture, "rig", "a") == 1);
		assert_int_equal(count_files(fixture, "objects"), 2);
	}
}

static void stays_as_long_as_it_fits(void **state) {
	struct fixture *fixture = *state;
	put_rig(fixture, "rig", "n");
	put(fixture, "rig", "a", 1);
	put_rig(fixture, "rig", "other");
	assert_int_equal(stats_of(fixture).clips, 0);
	assert_int_equal(count_files(fixture, "objects"), 1);
	assert_true(isnan(place_of(fixture, "rig", "a")));
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, store_set_up, store_tear_down)
	const struct CMUnitTest tests[] = {
		CASE(refuses_what_does_not_fit),
		CASE(refuses_what_was_put_for_a_rig_that_was_replaced),
		CASE(outlives_a_restart),
		CASE(holds_keep_what_they_had),
		CASE(tags_tell_what_they_should),
		CASE(compressed_clips_take_the_room_that_they_need),
		CASE(names_of_the_same_content_and_clips_share_a_rig),
		CASE(memory_counts_a_file_once),
		CASE(a_failed_write_leaves_what_was_there),
		CASE(stays_as_long_as_it_fits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
