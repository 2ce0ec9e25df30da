// The store's directory: what is in it at the start, and how it changes.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "name.h"
#include "store_files.h"
#include "store_internal.h"

/* Two daemons on one directory would remove each other's objects. The lock goes with the process,
 * however it ends. */
static bool lock_directory(struct store *store, const char *path, struct error *err) {
	store->lock = openat(store->directory, "lock", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (store->lock < 0) {
		return error_set(err, ERROR_INTERNAL, "%s/lock: %s", path, strerror(errno));
	}
	if (flock(store->lock, LOCK_EX | LOCK_NB) != 0) {
		return error_set(
			err, ERROR_CONFLICT, "%s: another posed uses this directory", path);
	}
	return true;
}

static void remove_temporary(void *context, const char *name) {
	const struct store *store = context;
	log_line(LOG_WARNING, "store: removing %s, which was never finished", name);
	unlinkat(store->temporary, name, 0);
}

static bool object_is_whole(const struct store *store, const struct store_record *record) {
	struct stat status;
	return fstatat(store->objects, record->hash, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
		S_ISREG(status.st_mode) && (size_t)status.st_size == record->bytes;
}

static bool read_record(const struct store *store, const char *name, struct store_record *record) {
	const int file = openat(store->rigs, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (file < 0) {
		return false;
	}
	char text[RECORD_TEXT_BYTES] = "";
	const ssize_t length = read(file, text, sizeof text - 1);
	close(file);
	return length > 0 && record_read(text, record);
}

/* What the two visits below share. */
struct scan {
	struct store *store;
	bool damaged; // a record could not be used, and may be all that names an object
};

static void add_entry(void *context, const char *name) {
	struct scan *scan = context;
	struct store_record record;
	struct error reason = {0};
	if (!name_check(name, &reason) || !read_record(scan->store, name, &record)) {
		log_line(LOG_ERROR, "store: rigs/%s is no record, left alone", name);
		scan->damaged = true;
	} else if (!object_is_whole(scan->store, &record)) {
		log_line(LOG_ERROR, "store: the object of rig %s is missing or damaged", name);
		scan->damaged = true;
	} else {
		entry_put(scan->store, name, &record, NULL);
	}
}

/* A crash between an object's and its record's writing leaves an object that nobody uses. */
static void sweep_object(void *context, const char *name) {
	const struct scan *scan = context;
	if (!scan->damaged && !entry_uses(scan->store, name)) {
		log_line(LOG_INFO, "store: removing object %s, which no rig uses", name);
		unlinkat(scan->store->objects, name, 0);
	}
}

bool disk_open(struct store *store, const char *path, struct error *err) {
	struct scan scan = {.store = store};
	return files_make_path(path, err) &&
		(store->directory = files_open_directory(AT_FDCWD, path, err)) >= 0 &&
		lock_directory(store, path, err) &&
		(store->objects = files_open_directory(store->directory, "objects", err)) >= 0 &&
		(store->rigs = files_open_directory(store->directory, "rigs", err)) >= 0 &&
		(store->temporary = files_open_directory(store->directory, "tmp", err)) >= 0 &&
		files_each(store->temporary, remove_temporary, store, err) &&
		files_each(store->rigs, add_entry, &scan, err) &&
		files_each(store->objects, sweep_object, &scan, err);
}

void disk_close(struct store *store) {
	const int descriptors[] = {
		store->temporary, store->rigs, store->objects, store->lock, store->directory};
	for (size_t i = 0; i < sizeof descriptors / sizeof *descriptors; i++) {
		if (descriptors[i] >= 0) {
			close(descriptors[i]);
		}
	}
}

bool disk_write(struct store *store, const struct store_asset *asset,
	const struct store_record *record, struct error *err) {
	if (!object_is_whole(store, record) &&
		!files_write(store->temporary, store->objects, record->hash, asset->bytes,
			asset->size, err)) {
		return false;
	}
	char text[RECORD_TEXT_BYTES];
	const size_t length = record_write(record, text);
	return files_write(store->temporary, store->rigs, asset->name, text, length, err);
}

void disk_drop_object(struct store *store, const char *hash) {
	struct error err = {0};
	if (!files_remove(store->objects, hash, &err)) {
		log_line(LOG_WARNING, "store: %s", err.text);
	}
}
