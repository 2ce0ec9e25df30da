// The store: what it refuses, and what is still there after it was closed or cut off.
#include "store/store.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/rig.h"
#include "store/store_record.h"
#include "store_fixture.h"

#include "check.h"

static const char asset[] = "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],"
			    "\"nodes\":[{\"name\":\"a\"}]}";
static const char other[] = "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],"
			    "\"nodes\":[{\"name\":\"b\"}]}";

/* Puts; 1 = created, 0 = was there, -1 = refused with *err. */
static int put(struct fixture *fixture, const char *name, const char *text, enum put_mode mode,
	struct error *err) {
	const struct store_asset put = {
		.name = name, .bytes = text, .size = strlen(text), .file = -1, .mode = mode};
	struct rig_summary summary;
	bool created;
	if (!store_put(fixture->store, &put, fixture->arena, &summary, &created, err)) {
		return -1;
	}
	assert_string_equal(summary.name, name);
	assert_int_equal(summary.joints, 1);
	return created;
}

static size_t count_rigs(struct fixture *fixture) {
	size_t count;
	store_list(fixture->store, fixture->arena, &count);
	return count;
}

static void refuses_broken_assets_and_stores_nothing(void **state) {
	struct fixture *fixture = *state;
	static const char *const cases[] = {"", "no asset", "{\"asset\":{\"version\":\"2.0\"}"};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct error err = {0};
		assert_int_equal(put(fixture, "fox", cases[i], PUT_REPLACE, &err), -1);
		assert_true(
			err.code == ERROR_UNSUPPORTED_MEDIA_TYPE || err.code == ERROR_BROKEN_ASSET);
	}
	assert_int_equal(count_rigs(fixture), 0);
	assert_int_equal(count_files(fixture, "objects"), 0);
	assert_int_equal(count_files(fixture, "rigs"), 0);
}

static void refuses_unknown_rigs_with_those_there_are(void **state) {
	struct fixture *fixture = *state;
	struct store_hold hold;
	struct error err = {0};
	assert_false(store_hold(fixture->store, "fxo", HOLD_RIG, fixture->arena, &hold, &err));
	assert_string_equal(err.text, "no rig \"fxo\"; there are none");
	assert_int_equal(put(fixture, "fox", asset, PUT_REPLACE, NULL), 1);
	err = (struct error){0};
	assert_false(store_delete(fixture->store, "fxo", &err));
	assert_int_equal(err.code, ERROR_UNKNOWN_RIG);
	assert_string_equal(err.text, "no rig \"fxo\"; there are fox");
}

static void refuses_to_replace_when_asked_not_to(void **state) {
	struct fixture *fixture = *state;
	struct error err = {0};
	assert_int_equal(put(fixture, "fox", asset, PUT_ONLY_NEW, &err), 1);
	assert_int_equal(put(fixture, "fox", other, PUT_ONLY_NEW, &err), -1);
	assert_int_equal(err.code, ERROR_PRECONDITION_FAILED);
	assert_int_equal(put(fixture, "fox", asset, PUT_ONLY_NEW, NULL), -1);
}

static void refuses_a_directory_in_use(void **state) {
	struct fixture *fixture = *state;
	struct error err = {0};
	assert_null(open_store(fixture->path, &err));
	assert_int_equal(err.code, ERROR_CONFLICT);
	assert_null(open_store("/proc/nothing/here", NULL));
}

/* In a process of its own, whose files may not grow: what a full disk is to write(). */
static void expect_full(struct fixture *fixture, rlim_t bytes) {
	const pid_t child = fork();
	if (child == 0) {
		signal(SIGXFSZ, SIG_IGN);
		const struct rlimit limit = {bytes, bytes};
		setrlimit(RLIMIT_FSIZE, &limit);
		struct error err = {0};
		const bool refused = put(fixture, "fox", asset, PUT_REPLACE, &err) == -1;
		const bool clean = count_files(fixture, "tmp") == 0 &&
			count_files(fixture, "objects") == 1 && count_rigs(fixture) == 1;
		_exit(refused && err.code == ERROR_STORE_FULL && clean ? 0 : 1);
	}
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void says_when_the_disk_is_full(void **state) {
	struct fixture *fixture = *state;
	assert_int_equal(put(fixture, "kept", other, PUT_REPLACE, NULL), 1);
	expect_full(fixture, 10); // no room for the object
	struct store_record record = {.bytes = strlen(asset), .vertices = 0, .joints = 1};
	hash_bytes(asset, strlen(asset), record.hash);
	const struct record_items none = {0};
	struct buffer text = {0};
	record_write("fox", &record, &none, &text);
	assert_true(strlen(asset) < text.size);
	expect_full(fixture, text.size - 1); // room for the object, but not for its record
	buffer_finish(&text);
}

static struct rig *hold_rig(struct fixture *fixture, const char *name, struct store_hold *hold) {
	assert_true(store_hold(fixture->store, name, HOLD_RIG, fixture->arena, hold, NULL));
	struct rig *rig = store_load(fixture->store, hold, NULL);
	assert_non_null(rig);
	return rig;
}

static void use(struct fixture *fixture, const char *name) {
	struct store_hold hold;
	hold_rig(fixture, name, &hold);
	store_release(&hold);
}

static void expect_after_start(struct fixture *fixture, const char *text) {
	char content[80] = "sha256:";
	hash_bytes(text, strlen(text), content + strlen(content));
	reopen(fixture);
	size_t count;
	const struct rig_summary *list = store_list(fixture->store, fixture->arena, &count);
	assert_int_equal(count, 1);
	assert_string_equal(list[0].content, content);
	use(fixture, "fox");
}

/* A change that fails may have happened on the disk or not. What is answered after it must hold
 * all the same. The syncs are those of the object, its directory, the record and its directory. */
static void promises_after_a_failed_put_are_kept(void **state) {
	struct fixture *fixture = *state;
	for (int sync = 1; sync <= 4; sync++) {
		for (int again = 0; again < 2; again++) {
			struct error err = {0};
			assert_true(put(fixture, "fox", asset, PUT_REPLACE, NULL) >= 0);
			syncs_until_failure = sync;
			assert_int_equal(put(fixture, "fox", other, PUT_REPLACE, &err), -1);
			assert_int_equal(syncs_until_failure, 0);
			assert_int_equal(err.code, ERROR_STORE_UNWRITABLE);
			use(fixture, "fox");
			const char *text = again ? other : asset;
			assert_int_equal(put(fixture, "fox", text, PUT_REPLACE, NULL), 0);
			expect_after_start(fixture, text);
			assert_int_equal(count_files(fixture, "objects"), 1);
		}
	}
}

static void promises_after_a_failed_delete_are_kept(void **state) {
	struct fixture *fixture = *state;
	put(fixture, "fox", asset, PUT_REPLACE, NULL);
	struct error err = {0};
	syncs_until_failure = 1;
	assert_false(store_delete(fixture->store, "fox", &err));
	assert_int_equal(err.code, ERROR_STORE_UNWRITABLE);
	use(fixture, "fox");
	assert_int_equal(put(fixture, "fox", asset, PUT_REPLACE, NULL), 0);
	expect_after_start(fixture, asset);
	syncs_until_failure = 1;
	assert_false(store_delete(fixture->store, "fox", NULL));
	assert_true(store_delete(fixture->store, "fox", NULL));
	reopen(fixture);
	assert_int_equal(count_rigs(fixture), 0);
}

static void rigs_are_found_again(void **state) {
	struct fixture *fixture = *state;
	const char *const name = "f%\xe2\x82\xac .x";
	assert_int_equal(put(fixture, name, asset, PUT_REPLACE, NULL), 1);
	assert_int_equal(put(fixture, ".hidden", other, PUT_REPLACE, NULL), 1);
	reopen(fixture);
	size_t count;
	const struct rig_summary *list = store_list(fixture->store, fixture->arena, &count);
	assert_int_equal(count, 2);
	assert_string_equal(list[0].name, ".hidden");
	assert_string_equal(list[1].name, name);
	assert_int_equal(list[1].bytes, strlen(asset));
	struct store_hold hold;
	assert_true(store_hold(fixture->store, name, HOLD_RIG, fixture->arena, &hold, NULL));
	assert_null(hold.rig);
	const struct rig *rig = store_load(fixture->store, &hold, NULL);
	assert_string_equal(rig->joints[0].name, "a");
	struct store_hold again;
	assert_true(store_hold(fixture->store, name, HOLD_RIG, fixture->arena, &again, NULL));
	assert_ptr_equal(again.rig, rig);
	store_release(&again);
	store_release(&hold);
}

static void same_bytes_are_kept_once_until_nobody_uses_them(void **state) {
	struct fixture *fixture = *state;
	assert_int_equal(put(fixture, "a", asset, PUT_REPLACE, NULL), 1);
	assert_int_equal(put(fixture, "a", asset, PUT_REPLACE, NULL), 0);
	assert_int_equal(put(fixture, "b", asset, PUT_REPLACE, NULL), 1);
	assert_int_equal(count_files(fixture, "objects"), 1);
	assert_int_equal(put(fixture, "a", other, PUT_REPLACE, NULL), 0);
	assert_int_equal(count_files(fixture, "objects"), 2);
	assert_true(store_delete(fixture->store, "b", NULL));
	assert_int_equal(count_files(fixture, "objects"), 1);
	assert_true(store_delete(fixture->store, "a", NULL));
	assert_int_equal(count_files(fixture, "objects"), 0);
	assert_int_equal(count_files(fixture, "rigs"), 0);
}

static void what_is_held_survives_its_end(void **state) {
	struct fixture *fixture = *state;
	put(fixture, "fox", asset, PUT_REPLACE, NULL);
	reopen(fixture);
	struct store_hold rig, source;
	assert_true(store_hold(fixture->store, "fox", HOLD_RIG, fixture->arena, &rig, NULL));
	assert_true(store_hold(fixture->store, "fox", HOLD_SOURCE, fixture->arena, &source, NULL));
	put(fixture, "fox", other, PUT_REPLACE, NULL);
	assert_true(store_delete(fixture->store, "fox", NULL));
	assert_string_equal(store_load(fixture->store, &rig, NULL)->joints[0].name, "a");
	char bytes[sizeof asset];
	assert_int_equal(pread(source.source, bytes, sizeof bytes, 0), strlen(asset));
	assert_memory_equal(bytes, asset, strlen(asset));
	store_release(&rig);
	store_release(&source);
}

static void leftovers_of_a_crash_are_cleared(void **state) {
	struct fixture *fixture = *state;
	put(fixture, "fox", asset, PUT_REPLACE, NULL);
	write_file(fixture, "tmp/writing", "half");
	write_file(fixture, "objects/0123", "nobody's");
	reopen(fixture);
	assert_int_equal(count_files(fixture, "tmp"), 0);
	assert_int_equal(count_files(fixture, "objects"), 1);
	assert_int_equal(count_rigs(fixture), 1);
}

/* A damaged record may be all that names an object: nothing is thrown away then. */
static void damage_is_left_alone(void **state) {
	struct fixture *fixture = *state;
	put(fixture, "fox", asset, PUT_REPLACE, NULL);
	put(fixture, "cat", other, PUT_REPLACE, NULL);
	write_file(fixture, "rigs/fox", "posed rig 1\nsha256 00\n");
	reopen(fixture);
	assert_int_equal(count_rigs(fixture), 2);
	assert_int_equal(count_files(fixture, "objects"), 2);
	struct store_hold hold;
	struct error err = {0};
	assert_false(store_hold(fixture->store, "fox", HOLD_RIG, fixture->arena, &hold, &err));
	assert_int_equal(err.code, ERROR_STORE_DAMAGED);
	assert_int_equal(put(fixture, "fox", asset, PUT_ONLY_NEW, NULL), -1);
	assert_int_equal(put(fixture, "fox", asset, PUT_REPLACE, NULL), 0);
	reopen(fixture);
	assert_int_equal(count_rigs(fixture), 2);
}

static void overwrite_object(const struct fixture *fixture, const char *text, const char *instead) {
	char hash[HASH_TEXT_BYTES], path[128];
	hash_bytes(text, strlen(text), hash);
	snprintf(path, sizeof path, "objects/%s", hash);
	write_file(fixture, path, instead);
}

static enum error_code load_error(struct fixture *fixture, const char *name) {
	struct store_hold hold;
	struct error err = {0};
	assert_true(store_hold(fixture->store, name, HOLD_RIG, fixture->arena, &hold, &err));
	const bool loaded = store_load(fixture->store, &hold, &err);
	assert_int_equal(loaded, err.code == ERROR_NONE);
	store_release(&hold);
	return err.code;
}

static enum error_code source_error(struct fixture *fixture, const char *name) {
	struct store_hold hold;
	struct error err = {0};
	assert_true(store_hold(fixture->store, name, HOLD_SOURCE, fixture->arena, &hold, &err));
	const bool checked = store_check_source(&hold, &err);
	assert_int_equal(checked, err.code == ERROR_NONE);
	store_release(&hold);
	return err.code;
}

/* The other asset has the same length, and is a fine asset, too: only the hash can tell. */
static void damaged_bytes_are_noticed_and_mended_by_putting_them_again(void **state) {
	struct fixture *fixture = *state;
	assert_int_equal(strlen(asset), strlen(other));
	put(fixture, "fox", asset, PUT_REPLACE, NULL);
	overwrite_object(fixture, asset, other);
	reopen(fixture);
	assert_int_equal(load_error(fixture, "fox"), ERROR_STORE_DAMAGED);
	assert_int_equal(source_error(fixture, "fox"), ERROR_STORE_DAMAGED);
	assert_int_equal(put(fixture, "fox", asset, PUT_REPLACE, NULL), 0);
	assert_int_equal(source_error(fixture, "fox"), ERROR_NONE);
	reopen(fixture);
	assert_int_equal(load_error(fixture, "fox"), ERROR_NONE);
}

static bool in_memory(struct fixture *fixture, const char *name) {
	struct store_hold hold;
	assert_true(store_hold(fixture->store, name, HOLD_RIG, fixture->arena, &hold, NULL));
	const bool there = hold.rig;
	store_release(&hold);
	return there;
}

static struct store_stats stats_of(struct fixture *fixture) {
	struct store_stats stats;
	store_read_stats(fixture->store, &stats);
	return stats;
}

static void names_of_the_same_bytes_share_a_rig(void **state) {
	struct fixture *fixture = *state;
	put(fixture, "a", asset, PUT_REPLACE, NULL);
	put(fixture, "b", asset, PUT_REPLACE, NULL);
	struct store_hold a, b;
	assert_ptr_equal(hold_rig(fixture, "a", &a), hold_rig(fixture, "b", &b));
	store_release(&a);
	store_release(&b);
	const struct store_stats stats = stats_of(fixture);
	assert_int_equal(stats.rigs, 2);
	assert_int_equal(stats.loaded_rigs, 1);
}

static void the_least_recently_used_rig_leaves_memory_first(void **state) {
	struct fixture *fixture = *state;
	static const char third[] = "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],"
				    "\"nodes\":[{\"name\":\"c\"}]}";
	put(fixture, "a", asset, PUT_REPLACE, NULL);
	const size_t one = stats_of(fixture).loaded_bytes;
	assert_true(one > sizeof(struct rig));
	store_close(fixture->store);
	fixture->store = open_with_memory(fixture->path, one * 5 / 2, NULL);
	put(fixture, "b", other, PUT_REPLACE, NULL);
	use(fixture, "a");
	use(fixture, "b");
	use(fixture, "a");
	assert_int_equal(stats_of(fixture).evictions, 0);
	put(fixture, "c", third, PUT_REPLACE, NULL);
	assert_true(in_memory(fixture, "a"));
	assert_false(in_memory(fixture, "b"));
	assert_true(in_memory(fixture, "c"));
	use(fixture, "b");
	const struct store_stats stats = stats_of(fixture);
	assert_int_equal(stats.loaded_rigs, 2);
	assert_true(stats.loaded_bytes <= stats.budget_bytes);
	assert_int_equal(stats.evictions, 2);
	assert_int_equal(stats.loads, 2); // a after the start, b after its eviction
}

static void what_is_held_stays_in_memory_beyond_the_budget(void **state) {
	struct fixture *fixture = *state;
	store_close(fixture->store);
	fixture->store = open_with_memory(fixture->path, 1, NULL);
	put(fixture, "a", asset, PUT_REPLACE, NULL);
	put(fixture, "b", other, PUT_REPLACE, NULL);
	assert_int_equal(stats_of(fixture).loaded_rigs, 0);
	struct store_hold a, again;
	struct rig *rig = hold_rig(fixture, "a", &a);
	use(fixture, "b");
	assert_ptr_equal(hold_rig(fixture, "a", &again), rig);
	store_release(&again);
	assert_string_equal(rig->joints[0].name, "a");
	assert_int_equal(stats_of(fixture).loaded_rigs, 1);
	store_release(&a);
	assert_int_equal(stats_of(fixture).loaded_rigs, 0);
	assert_int_equal(stats_of(fixture).loaded_bytes, 0);
}

static void a_thousand_rigs_are_found_again_in_order(void **state) {
	struct fixture *fixture = *state;
	put(fixture, "first", asset, PUT_REPLACE, NULL);
	struct store_record record = {.bytes = strlen(asset), .vertices = 0, .joints = 1};
	hash_bytes(asset, strlen(asset), record.hash);
	for (int i = 0; i < 999; i++) {
		const struct record_items none = {0};
		struct buffer text = {0};
		char name[32];
		snprintf(name, sizeof name, "rigs/%d", i * 7919 % 1000);
		record_write(strchr(name, '/') + 1, &record, &none, &text);
		buffer_append(&text, "", 1);
		write_file(fixture, name, (const char *)text.data);
		buffer_finish(&text);
	}
	reopen(fixture);
	size_t count;
	const struct rig_summary *list = store_list(fixture->store, fixture->arena, &count);
	assert_int_equal(count, 1000);
	for (size_t i = 1; i < count; i++) {
		assert_true(strcmp(list[i - 1].name, list[i].name) < 0);
	}
	assert_int_equal(stats_of(fixture).loaded_bytes, 0);
	for (size_t i = 0; i < count; i++) {
		assert_true(store_delete(fixture->store, list[i].name, NULL));
	}
	assert_int_equal(count_files(fixture, "objects"), 0);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, store_set_up, store_tear_down)
	const struct CMUnitTest tests[] = {
		CASE(refuses_broken_assets_and_stores_nothing),
		CASE(refuses_unknown_rigs_with_those_there_are),
		CASE(refuses_to_replace_when_asked_not_to),
		CASE(refuses_a_directory_in_use),
		CASE(says_when_the_disk_is_full),
		CASE(promises_after_a_failed_put_are_kept),
		CASE(promises_after_a_failed_delete_are_kept),
		CASE(rigs_are_found_again),
		CASE(same_bytes_are_kept_once_until_nobody_uses_them),
		CASE(what_is_held_survives_its_end),
		CASE(leftovers_of_a_crash_are_cleared),
		CASE(damage_is_left_alone),
		CASE(damaged_bytes_are_noticed_and_mended_by_putting_them_again),
		CASE(names_of_the_same_bytes_share_a_rig),
		CASE(the_least_recently_used_rig_leaves_memory_first),
		CASE(what_is_held_stays_in_memory_beyond_the_budget),
		CASE(a_thousand_rigs_are_found_again_in_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
