/* A store in a folder of its own, for tests; assets are read in the test's process. */
#pragma once

#include "base/arena.h"
#include "store/store.h"

struct fixture {
	char path[64];
	struct store *store;
	struct arena *arena;
};

/* cmocka's set-up and tear-down: *state is the fixture. */
int store_set_up(void **state);
int store_tear_down(void **state);

/* Opens a store with room for so many bytes of rigs, or for a GiB. */
struct store *open_with_memory(const char *path, size_t bytes, struct error *err);
struct store *open_store(const char *path, struct error *err);

/* Calls of fsync() until one fails as on a broken disk; 0 = none does. */
extern int syncs_until_failure;

/* Simulates a restart. */
void reopen(struct fixture *fixture);

/* Files in one of the store's folders. */
size_t count_files(const struct fixture *fixture, const char *folder);

/* Writes a file there, by its path below the store's. */
void write_file(const struct fixture *fixture, const char *name, const char *text);
