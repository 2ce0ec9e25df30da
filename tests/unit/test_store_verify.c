// Verifying: every byte of a store that is another than it was is found, and nothing else is.

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/clip_pack.h"
#include "model/rig.h"
#include "store/store_clips.h"
#include "store/store_derived.h"
#include "store_fixture.h"
#include "verification.h"

#include "check.h"

#define MOST_FILES 16

/* A file of the store as it was written. */
struct file {
	char path[400];
	char *bytes;
	size_t size;
};

struct files {
	struct file items[MOST_FILES];
	int count;
};

static void put_rig(struct fixture *fixture, const char *name, const char *node) {
	char text[256];
	const int length = snprintf(text, sizeof text,
		"{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],"
		"\"nodes\":[{\"name\":\"%s\"}]}",
		node);
	const struct store_asset asset = {.name = name,
		.bytes = text,
		.size = (size_t)length,
		.file = -1,
		.mode = PUT_REPLACE};
	struct rig_summary out;
	bool created;
	assert_true(store_put(fixture->store, &asset, fixture->arena, &out, &created, NULL));
}

static void hold(struct fixture *fixture, const char *rig, struct store_hold *out) {
	assert_true(store_hold(fixture->store, rig, HOLD_RIG, fixture->arena, out, NULL));
	assert_non_null(store_load(fixture->store, out, NULL));
}

static void put_clip(struct fixture *fixture, const char *rig, const char *name, float x) {
	const float times[] = {0}, values[] = {x, 0, 0};
	struct channel channel = {
		0, CHANNEL_TRANSLATION, INTERPOLATION_LINEAR, 1, 3, times, values};
	struct clip clip = {.channel_count = 1, .channels = &channel};
	clip_sum_up(&clip);
	struct store_hold held;
	hold(fixture, rig, &held);
	const struct store_clip params = {
		.hold = &held, .name = name, .clip = &clip, .mode = PUT_REPLACE};
	struct stored_clip stored;
	assert_true(store_put_clip(fixture->store, &params, fixture->arena, &stored, NULL));
	store_release(&held);
}

static void derive(struct fixture *fixture, const char *rig, const char *key) {
	struct store_hold held;
	hold(fixture, rig, &held);
	const struct skin_shelf shelf = store_shelf(fixture->store);
	shelf.save(shelf.context, held.rig, key, "made for it", 11);
	store_release(&held);
}

static void read_bytes(struct file *file) {
	FILE *stream = fopen(file->path, "rb");
	assert_non_null(stream);
	fseek(stream, 0, SEEK_END);
	file->size = (size_t)ftell(stream);
	rewind(stream);
	file->bytes = malloc(file->size + 1);
	assert_int_equal(fread(file->bytes, 1, file->size, stream), file->size);
	file->bytes[file->size] = 'x'; // for who makes it longer
	fclose(stream);
}

/* In place: some file systems sync a file that was truncated and rewritten. */
static void write_bytes(const char *path, const char *bytes, size_t size) {
	const int file = open(path, O_WRONLY);
	assert_true(file >= 0);
	assert_int_equal(pwrite(file, bytes, size, 0), size);
	assert_int_equal(ftruncate(file, (off_t)size), 0);
	close(file);
}

static void restore(const struct file *file) {
	write_bytes(file->path, file->bytes, file->size);
}

static void read_folder(const struct fixture *fixture, const char *folder, struct files *files) {
	char path[128];
	snprintf(path, sizeof path, "%s/%s", fixture->path, folder);
	DIR *stream = opendir(path);
	struct dirent *entry;
	while ((entry = readdir(stream))) {
		if (entry->d_name[0] != '.') {
			assert_true(files->count < MOST_FILES);
			struct file *file = &files->items[files->count++];
			snprintf(file->path, sizeof file->path, "%s/%s", path, entry->d_name);
			read_bytes(file);
		}
	}
	closedir(stream);
}

/* Two rigs, one of them under two names, with clips, and what was made for both. The store is
 * closed. */
static void fill(struct fixture *fixture, struct files *files) {
	put_rig(fixture, "a", "n");
	put_rig(fixture, "twin", "n");
	put_rig(fixture, "b", "m");
	put_clip(fixture, "a", "one", 1);
	put_clip(fixture, "a", "two", 2);
	put_clip(fixture, "b", "one", 3);
	derive(fixture, "a", "cor-1");
	derive(fixture, "a", "cor-2");
	derive(fixture, "b", "cor-1");
	store_close(fixture->store);
	fixture->store = NULL;
	read_folder(fixture, "rigs", files);
	read_folder(fixture, "objects", files);
	read_folder(fixture, "derived", files);
	assert_int_equal(files->count, 3 + 5 + 3);
}

static void free_files(struct files *files) {
	for (int i = 0; i < files->count; i++) {
		free(files->items[i].bytes);
	}
}

static struct verification look(const struct fixture *fixture) {
	struct verification found = {0};
	struct arena *arena = arena_create();
	assert_true(store_verify(fixture->path, arena, &found, NULL));
	arena_destroy(arena);
	free(found.findings);
	return found;
}

static void expect_sound(const struct fixture *fixture) {
	const struct verification found = look(fixture);
	assert_int_equal(found.count, 0);
	assert_int_equal(found.rigs, 3);
	assert_int_equal(found.objects, 5);
	assert_int_equal(found.derived, 3);
}

static void expect_damaged(const struct fixture *fixture, const char *path, size_t at) {
	if (look(fixture).counts[STORE_DAMAGE] == 0) {
		fail_msg("nothing is found in %s, changed at %zu", path, at);
	}
}

static void every_changed_byte_is_found(void **state) {
	struct fixture *fixture = *state;
	struct files files = {.count = 0};
	fill(fixture, &files);
	expect_sound(fixture);
	unsigned random = 20290217;
	for (int i = 0; i < files.count; i++) {
		const struct file *file = &files.items[i];
		for (size_t at = 0; at < file->size; at++) {
			random = random * 1664525 + 1013904223;
			const char was = file->bytes[at];
			file->bytes[at] ^= (char)(1 << (random >> 29));
			restore(file);
			expect_damaged(fixture, file->path, at);
			file->bytes[at] = was;
		}
		restore(file);
	}
	expect_sound(fixture);
	free_files(&files);
}

static void every_cut_and_more_at_the_end_is_found(void **state) {
	struct fixture *fixture = *state;
	struct files files = {.count = 0};
	fill(fixture, &files);
	for (int i = 0; i < files.count; i++) {
		const struct file *file = &files.items[i];
		for (size_t size = 0; size <= file->size + 1; size++) {
			write_bytes(file->path, file->bytes, size);
			if (size == file->size) {
				expect_sound(fixture);
			} else {
				expect_damaged(fixture, file->path, size);
			}
		}
		restore(file);
	}
	expect_sound(fixture);
	free_files(&files);
}

static void exchanged_and_renamed_files_are_found(void **state) {
	struct fixture *fixture = *state;
	struct files files = {.count = 0};
	fill(fixture, &files);
	for (int i = 0; i < files.count; i++) {
		const struct file *one = &files.items[i];
		for (int k = 0; k < files.count; k++) {
			const struct file *other = &files.items[k];
			if (k != i) {
				write_bytes(one->path, other->bytes, other->size);
				expect_damaged(fixture, one->path, 0);
				write_bytes(other->path, one->bytes, one->size);
				expect_damaged(fixture, one->path, 0);
				restore(one);
				restore(other);
			}
		}
		// Under another name that it might have.
		char renamed[400];
		snprintf(renamed, sizeof renamed, "%s", one->path);
		char *last = &renamed[strlen(renamed) - 1];
		*last = *last == '7' ? '8' : '7';
		assert_int_equal(rename(one->path, renamed), 0);
		expect_damaged(fixture, one->path, 0);
		assert_int_equal(rename(renamed, one->path), 0);
	}
	expect_sound(fixture);
	free_files(&files);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, store_set_up, store_tear_down)
	const struct CMUnitTest tests[] = {
		CASE(every_changed_byte_is_found),
		CASE(every_cut_and_more_at_the_end_is_found),
		CASE(exchanged_and_renamed_files_are_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
