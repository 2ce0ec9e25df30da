// A store in a folder of its own, for tests.
#include "store_fixture.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

int syncs_until_failure;

/* Takes the place of the C library's. */
int fsync(int file) {
	if (syncs_until_failure > 0 && --syncs_until_failure == 0) {
		errno = EIO;
		return -1;
	}
	return (int)syscall(SYS_fsync, file);
}

struct store *open_with_memory(const char *path, size_t bytes, struct error *err) {
	const struct store_options options = {.memory_bytes = bytes};
	return store_open(path, &options, err);
}

struct store *open_store(const char *path, struct error *err) {
	return open_with_memory(path, (size_t)1 << 30, err);
}

int store_set_up(void **state) {
	struct fixture *fixture = calloc(1, sizeof *fixture);
	strcpy(fixture->path, "/tmp/posed-store-XXXXXX");
	assert_non_null(mkdtemp(fixture->path));
	fixture->arena = arena_create();
	fixture->store = open_store(fixture->path, NULL);
	assert_non_null(fixture->store);
	*state = fixture;
	return 0;
}

static void remove_tree(const char *path) {
	char command[128];
	snprintf(command, sizeof command, "rm -r %s", path);
	assert_int_equal(system(command), 0);
}

int store_tear_down(void **state) {
	struct fixture *fixture = *state;
	store_close(fixture->store);
	arena_destroy(fixture->arena);
	remove_tree(fixture->path);
	free(fixture);
	return 0;
}

void reopen(struct fixture *fixture) {
	store_close(fixture->store);
	fixture->store = open_store(fixture->path, NULL);
	assert_non_null(fixture->store);
}

size_t count_files(const struct fixture *fixture, const char *folder) {
	char path[128];
	snprintf(path, sizeof path, "%s/%s", fixture->path, folder);
	DIR *stream = opendir(path);
	assert_non_null(stream);
	size_t count = 0;
	while (readdir(stream)) {
		count++;
	}
	closedir(stream);
	return count - 2;
}

void write_file(const struct fixture *fixture, const char *name, const char *text) {
	char path[192];
	snprintf(path, sizeof path, "%s/%s", fixture->path, name);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}
