// Derived data of the store's rigs: found again by content and key, deleted with the content, and
// rejected when it is damaged.
#include "store/store_derived.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store_fixture.h"

#include "check.h"

static const char *const assets[] = {
	"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"a\"}]}",
	"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"b\"}]}"};

static void put(struct fixture *fixture, const char *name, int which) {
	const struct store_asset asset = {.name = name,
		.bytes = assets[which],
		.size = strlen(assets[which]),
		.file = -1,
		.mode = PUT_REPLACE};
	struct rig_summary rig;
	bool created;
	assert_true(store_put(fixture->store, &asset, fixture->arena, &rig, &created, NULL));
}

static struct rig *load_rig(struct fixture *fixture, const char *name, struct store_hold *hold) {
	assert_true(store_hold(fixture->store, name, HOLD_RIG, fixture->arena, hold, NULL));
	return store_load(fixture->store, hold, NULL);
}

static void save(
	struct fixture *fixture, const struct rig *rig, const char *key, char filler, size_t size) {
	const struct skin_shelf shelf = store_shelf(fixture->store);
	char *bytes = malloc(size);
	memset(bytes, filler, size);
	shelf.save(shelf.context, rig, key, bytes, size);
	free(bytes);
}

/* True if so many bytes of this filler are stored. */
static bool has(struct fixture *fixture, const struct rig *rig, const char *key, char filler,
	size_t wanted) {
	const struct skin_shelf shelf = store_shelf(fixture->store);
	size_t size;
	unsigned char *bytes = shelf.load(shelf.context, rig, key, &size);
	if (!bytes) {
		return false;
	}
	assert_int_equal(size, wanted);
	for (size_t i = 0; i < size; i++) {
		assert_int_equal(bytes[i], filler);
	}
	free(bytes);
	return true;
}

static void found_again_by_content_and_key(void **state) {
	struct fixture *fixture = *state;
	put(fixture, "a", 0);
	put(fixture, "b", 1);
	struct store_hold a, b;
	save(fixture, load_rig(fixture, "a", &a), "cor-1", 'x', 1000);
	store_release(&a);
	for (int again = 0; again < 2; again++) {
		const struct rig *rig = load_rig(fixture, "a", &a);
		assert_true(has(fixture, rig, "cor-1", 'x', 1000));
		assert_false(has(fixture, rig, "cor-2", 'x', 1000));
		assert_false(has(fixture, rig, "", 'x', 1000));
		assert_false(has(fixture, load_rig(fixture, "b", &b), "cor-1", 'x', 1000));
		store_release(&a);
		store_release(&b);
		reopen(fixture); // reads the rigs anew, with other ids
	}
	put(fixture, "same", 0);
	assert_true(has(fixture, load_rig(fixture, "same", &a), "cor-1", 'x', 1000));
	save(fixture, a.rig, "cor-1", 'y', 10);
	assert_true(has(fixture, a.rig, "cor-1", 'y', 10));
	save(fixture, a.rig, "empty", 0, 0);
	assert_true(has(fixture, a.rig, "empty", 0, 0));
	store_release(&a);
}

/* Such as one that a method has made to be skinned in another's place. */
static void nothing_is_kept_of_a_rig_from_nowhere(void **state) {
	struct fixture *fixture = *state;
	struct rig *rig = rig_create();
	save(fixture, rig, "cor-1", 'x', 10);
	assert_false(has(fixture, rig, "cor-1", 'x', 10));
	assert_int_equal(count_files(fixture, "derived"), 0);
	rig_release(rig);
}

static void gone_with_the_last_of_its_content(void **state) {
	struct fixture *fixture = *state;
	struct store_hold held;
	put(fixture, "a", 0);
	put(fixture, "twin", 0);
	put(fixture, "b", 1);
	const struct rig *rig = load_rig(fixture, "a", &held);
	save(fixture, rig, "cor-1", 'x', 10);
	assert_true(store_delete(fixture->store, "twin", NULL));
	assert_int_equal(count_files(fixture, "derived"), 1);
	put(fixture, "a", 1); // which "b" is, too
	assert_int_equal(count_files(fixture, "derived"), 0);
	// A reader that holds the rig when it is removed.
	save(fixture, rig, "cor-1", 'x', 10);
	assert_int_equal(count_files(fixture, "derived"), 0);
	store_release(&held);
}

static void leftovers_are_cleared_at_the_start(void **state) {
	struct fixture *fixture = *state;
	put(fixture, "a", 0);
	write_file(fixture, "derived/0123", "of nobody");
	write_file(fixture, "tmp/deriving", "half");
	reopen(fixture);
	assert_int_equal(count_files(fixture, "derived"), 0);
	assert_int_equal(count_files(fixture, "tmp"), 0);
}

static void damage_is_noticed(void **state) {
	struct fixture *fixture = *state;
	put(fixture, "a", 0);
	struct store_hold held;
	const struct rig *rig = load_rig(fixture, "a", &held);
	for (int way = 0; way < 3; way++) {
		save(fixture, rig, "cor-1", 'x', 1000);
		char command[256];
		static const char *const damages[] = {
			"printf y | dd of=$f bs=1 seek=500 conv=notrunc status=none",
			"truncate -s 1100 $f", "truncate -s 0 $f"};
		snprintf(command, sizeof command, "for f in %s/derived/*; do %s; done",
			fixture->path, damages[way]);
		assert_int_equal(system(command), 0);
		assert_false(has(fixture, rig, "cor-1", 'x', 1000));
		assert_int_equal(count_files(fixture, "derived"), 0);
	}
	store_release(&held);
}

/* As daemons wrote them whose checksums were of the bytes alone. */
static void write_older(const char *path, const char *key, const char *bytes, size_t size) {
	struct {
		char magic[16], hash[HASH_TEXT_BYTES], pad[7];
		uint64_t key_bytes, size;
	} head = {.magic = "posed derived 1", .key_bytes = strlen(key), .size = size};
	head.magic[15] = '\n';
	hash_bytes(bytes, size, head.hash);
	FILE *file = fopen(path, "wb");
	fwrite(&head, 1, sizeof head, file);
	fwrite(key, 1, strlen(key), file);
	fwrite(bytes, 1, size, file);
	fclose(file);
}

static void older_files_are_read_and_replaced(void **state) {
	struct fixture *fixture = *state;
	put(fixture, "a", 0);
	struct store_hold held;
	const struct rig *rig = load_rig(fixture, "a", &held);
	save(fixture, rig, "cor-1", 'x', 3);
	char folder[96], path[512];
	snprintf(folder, sizeof folder, "%s/derived", fixture->path);
	DIR *stream = opendir(folder);
	struct dirent *entry;
	while ((entry = readdir(stream)) && entry->d_name[0] == '.') {
	}
	snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
	const char *name = strrchr(path, '/') + 1;
	const int directory = dirfd(stream);
	write_older(path, "cor-1", "yyy", 3);
	assert_int_equal(derived_check(directory, name), DERIVED_OLDER);
	assert_true(has(fixture, rig, "cor-1", 'y', 3));
	assert_int_equal(derived_check(directory, name), DERIVED_SOUND);
	assert_true(has(fixture, rig, "cor-1", 'y', 3));
	write_older(path, "cor-2", "yyy", 3); // of another key
	assert_int_equal(derived_check(directory, name), DERIVED_DAMAGED);
	assert_false(has(fixture, rig, "cor-1", 'y', 3));
	assert_int_equal(derived_check(directory, name), DERIVED_ABSENT);
	closedir(stream);
	store_release(&held);
}

static void what_was_used_least_recently_makes_room(void **state) {
	struct fixture *fixture = *state;
	put(fixture, "a", 0);
	store_close(fixture->store);
	const struct store_options options = {.memory_bytes = 1 << 20, .derived_bytes = 5000};
	fixture->store = store_open(fixture->path, &options, NULL);
	struct store_hold held;
	const struct rig *rig = load_rig(fixture, "a", &held);
	save(fixture, rig, "k1", '1', 2000);
	usleep(20000); // file systems count time in steps of some milliseconds
	save(fixture, rig, "k2", '2', 2000);
	usleep(20000);
	assert_true(has(fixture, rig, "k1", '1', 2000));
	usleep(20000);
	save(fixture, rig, "k3", '3', 2000);
	assert_true(has(fixture, rig, "k1", '1', 2000));
	assert_false(has(fixture, rig, "k2", '2', 2000));
	assert_true(has(fixture, rig, "k3", '3', 2000));
	save(fixture, rig, "k4", '4', 6000); // more than there is room for at all
	assert_false(has(fixture, rig, "k4", '4', 6000));
	assert_int_equal(count_files(fixture, "derived"), 2);
	store_release(&held);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, store_set_up, store_tear_down)
	const struct CMUnitTest tests[] = {
		CASE(found_again_by_content_and_key),
		CASE(nothing_is_kept_of_a_rig_from_nowhere),
		CASE(gone_with_the_last_of_its_content),
		CASE(leftovers_are_cleared_at_the_start),
		CASE(damage_is_noticed),
		CASE(older_files_are_read_and_replaced),
		CASE(what_was_used_least_recently_makes_room),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
