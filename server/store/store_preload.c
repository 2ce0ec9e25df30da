// Storing the assets of a directory at startup (--load).
#include "store/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "interface/assets.h"
#include "name.h"

/* Reads a file: malloc memory; NULL with *err. */
static void *read_file(int directory, const char *file_name, size_t *size, struct error *err) {
	const int file = openat(directory, file_name, O_RDONLY | O_CLOEXEC);
	if (file < 0) {
		error_set(err, ERROR_INTERNAL, "%s", strerror(errno));
		return NULL;
	}
	void *bytes = file_read(file, size, err);
	close(file);
	return bytes;
}

static bool load_file(struct store *store, int directory, const char *file_name,
	struct arena *arena, struct error *err) {
	struct store_asset asset = {
		.name = arena_strndup(
			arena, file_name, (size_t)(strrchr(file_name, '.') - file_name)),
		.file = -1,
	};
	if (!name_check_new(asset.name, err)) {
		return false;
	}
	void *bytes = read_file(directory, file_name, &asset.size, err);
	asset.bytes = bytes;
	struct rig_summary rig;
	bool created;
	const bool stored = bytes && store_put(store, &asset, arena, &rig, &created, err);
	free(bytes);
	if (stored) {
		log_line(LOG_INFO, "loaded rig %s: %d vertices, %d joints, %d clips", rig.name,
			rig.vertices, rig.joints, rig.clips);
	}
	return stored;
}

static int is_asset(const struct dirent *entry) {
	return renderer_is_asset_name(entry->d_name);
}

bool store_preload(struct store *store, const char *path, struct error *err) {
	const int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct dirent **entries = NULL;
	const int count = directory < 0 ? -1 : scandir(path, &entries, is_asset, alphasort);
	if (count < 0) {
		error_set(err, ERROR_INVALID_VALUE, "--load %s: %s", path, strerror(errno));
	}
	for (int i = 0; i < count; i++) {
		struct arena *arena = arena_create();
		struct error reason = {0};
		if (!load_file(store, directory, entries[i]->d_name, arena, &reason)) {
			log_line(LOG_ERROR, "cannot load %s: %s", entries[i]->d_name, reason.text);
		}
		arena_destroy(arena);
		free(entries[i]);
	}
	free(entries);
	if (directory >= 0) {
		close(directory);
	}
	return count >= 0;
}
