// The store's directory: reading it at startup, and changing it.
#include "store/store_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "name.h"
#include "store/store_derived.h"
#include "store/store_files.h"

/* posed verify tries the lock for a moment, which must not keep a daemon from starting. */
#define LOCK_ATTEMPTS 10
#define LOCK_WAIT_NS 20000000

/* Readers share the directory with one another, but not with a writer. A directory without a lock
 * file was never opened by a writer. */
static bool lock_to_read(struct store *store, struct error *err) {
	store->lock = openat(store->directory, "lock", O_RDONLY | O_CLOEXEC);
	return store->lock < 0 || flock(store->lock, LOCK_SH | LOCK_NB) == 0 ||
		errno != EWOULDBLOCK ||
		error_set(err, ERROR_CONFLICT, "another posed writes to this directory");
}

static bool open_lock(struct store *store, int access, struct error *err) {
	store->lock = openat(store->directory, "lock", access | O_CREAT | O_CLOEXEC, 0666);
	return store->lock >= 0 || error_set(err, ERROR_INTERNAL, "lock: %s", strerror(errno));
}

/* Two daemons on one directory would remove each other's objects. The kernel releases the lock when
 * the process ends. */
static bool lock_directory(struct store *store, struct error *err) {
	// Read-only: a file open for writing would prevent remounting the disk read-only.
	if (!open_lock(store, O_RDONLY, err)) {
		return false;
	}
	const struct timespec wait = {.tv_nsec = LOCK_WAIT_NS};
	for (int i = 0; i < LOCK_ATTEMPTS; i++) {
		if (flock(store->lock, LOCK_EX | LOCK_NB) == 0) {
			return true;
		}
		if (errno == EBADF) { // NFS requires write access
			close(store->lock);
			if (!open_lock(store, O_RDWR, err)) {
				return false;
			}
		} else if (errno != EWOULDBLOCK) {
			return error_set(err, ERROR_INTERNAL, "lock: %s", strerror(errno));
		} else {
			nanosleep(&wait, NULL);
		}
	}
	return error_set(err, ERROR_CONFLICT, "another posed uses this directory");
}

static void remove_temporary(void *context, const char *name) {
	const struct store *store = context;
	log_line(LOG_WARNING, "store: removing the incomplete file %s", name);
	unlinkat(store->temporary, name, 0);
}

static bool object_is_whole(const struct store *store, const char *hash, size_t bytes) {
	struct stat status;
	return fstatat(store->objects, hash, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
		S_ISREG(status.st_mode) && (size_t)status.st_size == bytes;
}

struct scan {
	struct store *store;
	bool damaged; // an unusable record may name any object
};

/* Only logs: requests for a missing object detect it again. */
static void check_items(
	const struct store *store, const char *name, const struct record_items *items) {
	for (int kind = 0; kind < ITEM_KIND_COUNT; kind++) {
		const struct item_list *list = items->lists[kind];
		for (size_t i = 0; list && i < list->count; i++) {
			const struct item_record *item = &list->items[i];
			if (!object_is_whole(store, item->hash, item->bytes)) {
				log_line(LOG_ERROR,
					"store: the object of rig %s's %s %s is missing or damaged",
					name, item_noun((enum item_kind)kind), item->name);
			}
		}
	}
}

static void add_entry(void *context, const char *name) {
	struct scan *scan = context;
	struct store_record record;
	struct record_items items = {0};
	struct error reason = {0};
	if (!name_check(name, &reason)) {
		log_line(LOG_ERROR, "store: ignoring a foreign file in rigs/: %s", reason.text);
		scan->damaged = true;
		return;
	}
	const enum record_state state = record_load(scan->store->rigs, name, &record, &items);
	if (!record_is_usable(state)) {
		log_line(LOG_ERROR, "store: the record of rig %s is damaged%s%s", name,
			state == RECORD_UNREADABLE ? ": " : "",
			state == RECORD_UNREADABLE ? strerror(errno) : "");
		index_append_damaged(scan->store, name);
		scan->damaged = true;
		return;
	}
	struct index_entry *entry = index_append(scan->store, name, &record, &items);
	entry->older = state == RECORD_OLDER;
	if (!object_is_whole(scan->store, record.hash, record.bytes)) {
		log_line(LOG_ERROR, "store: the object of rig %s is missing or damaged", name);
		entry->content->damaged = true;
	}
	check_items(scan->store, name, &items);
	record_items_finish(&items);
}

/* A crash between writing an object and its record leaves an unused object. */
static void sweep_object(void *context, const char *name) {
	const struct scan *scan = context;
	if (!scan->damaged && !index_content(scan->store, name)) {
		log_line(LOG_INFO, "store: removing object %s, which no rig uses", name);
		unlinkat(scan->store->objects, name, 0);
	}
}

static bool open_parts(struct store *store, struct error *err) {
	const int directory = store->directory;
	return lock_directory(store, err) &&
		(store->objects = files_open_directory(directory, "objects", err)) >= 0 &&
		(store->rigs = files_open_directory(directory, "rigs", err)) >= 0 &&
		(store->derived = files_open_directory(directory, "derived", err)) >= 0 &&
		(store->temporary = files_open_directory(directory, "tmp", err)) >= 0;
}

static bool open_to_read(int parent, const char *name, int *part, struct error *err) {
	*part = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return *part >= 0 || error_set(err, ERROR_INTERNAL, "%s: %s", name, strerror(errno));
}

/* A copy may lack derived/ and tmp/. */
static bool open_all_to_read(struct store *store, const char *path, struct error *err) {
	if (!open_to_read(AT_FDCWD, path, &store->directory, err) || !lock_to_read(store, err) ||
		!open_to_read(store->directory, "objects", &store->objects, err) ||
		!open_to_read(store->directory, "rigs", &store->rigs, err)) {
		return false;
	}
	struct error ignored = {0};
	open_to_read(store->directory, "derived", &store->derived, &ignored);
	return true;
}

static bool open_all(struct store *store, const char *path, struct error *err) {
	return files_make_path(path, err) &&
		(store->directory = files_open_directory(AT_FDCWD, path, err)) >= 0 &&
		open_parts(store, err);
}

/* True if there are rigs, which a read-only daemon could serve. */
static bool has_rigs(const char *path) {
	const int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const bool has = directory >= 0 && faccessat(directory, "rigs", R_OK | X_OK, 0) == 0;
	if (directory >= 0) {
		close(directory);
	}
	return has;
}

#define TEMPORARY_BYTES 32

static void temporary_name(size_t number, char name[static TEMPORARY_BYTES]) {
	snprintf(name, TEMPORARY_BYTES, "record-%zu", number);
}

static bool write_unsynced(const struct store *store, size_t number, const struct buffer *text) {
	char name[TEMPORARY_BYTES];
	temporary_name(number, name);
	const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
	const int file = openat(store->temporary, name, flags, 0666);
	if (file < 0) {
		return false;
	}
	const bool written = files_append(file, text->data, text->size);
	const int reason = errno;
	const bool closed = close(file) == 0;
	errno = written ? errno : reason;
	return written && closed;
}

static bool write_upgraded(const struct store *store) {
	bool written = true;
	for (size_t i = 0; written && i < store->count; i++) {
		const struct index_entry *entry = store->entries[i];
		if (entry->older) {
			const struct record_items items = index_items(entry);
			struct buffer text = {0};
			record_write(entry->name, &entry->record, &items, &text);
			written = write_unsynced(store, i, &text);
			buffer_finish(&text);
		}
	}
	return written;
}

static bool rename_upgraded(struct store *store, size_t *count) {
	for (size_t i = 0; i < store->count; i++) {
		struct index_entry *entry = store->entries[i];
		char name[TEMPORARY_BYTES];
		temporary_name(i, name);
		if (!entry->older) {
			continue;
		}
		if (renameat(store->temporary, name, store->rigs, entry->name) != 0) {
			return false;
		}
		entry->older = false;
		++*count;
	}
	return true;
}

static void remove_upgraded(const struct store *store) {
	for (size_t i = 0; i < store->count; i++) {
		char name[TEMPORARY_BYTES];
		temporary_name(i, name);
		if (store->entries[i]->older) {
			unlinkat(store->temporary, name, 0);
		}
	}
}

static bool has_older(const struct store *store) {
	bool older = false;
	for (size_t i = 0; i < store->count; i++) {
		older = older || store->entries[i]->older;
	}
	return older;
}

/* Gives the records of older stores their checksums, all at once, before the store is used. A crash
 * leaves each record either old or new. On a failure, which is logged, they stay old until the next
 * start. */
static void upgrade_records(struct store *store) {
	if (!has_older(store)) {
		return;
	}
	size_t count = 0;
	// One sync for all, because each takes milliseconds.
	if (write_upgraded(store) && syncfs(store->temporary) == 0 &&
		rename_upgraded(store, &count)) {
		log_line(LOG_INFO, "store: added checksums to %zu records of an older version",
			count);
	} else {
		log_line(LOG_WARNING,
			"store: cannot add checksums to records of an older version: %s",
			strerror(errno));
		remove_upgraded(store);
	}
}

static bool read_parts(struct store *store, struct error *err) {
	struct scan scan = {.store = store};
	if ((!store->read_only && !files_each(store->temporary, remove_temporary, store, err)) ||
		!files_each(store->rigs, add_entry, &scan, err)) {
		return false;
	}
	index_sort(store);
	if (store->read_only) {
		return true;
	}
	upgrade_records(store);
	if (!scan.damaged) {
		derived_sweep(store);
	}
	// Makes renames durable that a killed daemon had not synced.
	return files_each(store->objects, sweep_object, &scan, err) &&
		files_sync(store->objects, "objects", err) && files_sync(store->rigs, "rigs", err);
}

bool disk_open(struct store *store, const char *path, struct error *err) {
	struct error why = {0};
	const bool opened = store->read_only ? open_all_to_read(store, path, &why)
					     : open_all(store, path, &why);
	if (opened && read_parts(store, &why)) {
		return true;
	}
	const bool servable = why.code == ERROR_STORE_UNWRITABLE && has_rigs(path);
	return error_set(err, why.code, "%s: %s%s", path, why.text,
		servable ? "; --read-only serves the stored rigs" : "");
}

void disk_close(struct store *store) {
	const int descriptors[] = {store->temporary, store->derived, store->rigs, store->objects,
		store->lock, store->directory};
	for (size_t i = 0; i < sizeof descriptors / sizeof *descriptors; i++) {
		if (descriptors[i] >= 0) {
			close(descriptors[i]);
		}
	}
}

int disk_open_object(const struct store *store, const char *hash) {
	return openat(store->objects, hash, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
}

static bool file_is(int file, const unsigned char *bytes, size_t size) {
	struct stat status;
	if (fstat(file, &status) != 0 || (size_t)status.st_size != size) {
		return false;
	}
	unsigned char block[65536];
	size_t same = 0;
	while (same < size) {
		const size_t wanted = size - same < sizeof block ? size - same : sizeof block;
		const ssize_t count = pread(file, block, wanted, (off_t)same);
		if (count < 0 && errno == EINTR) {
			continue;
		}
		if (count <= 0 || memcmp(block, bytes + same, (size_t)count) != 0) {
			return false;
		}
		same += (size_t)count;
	}
	return true;
}

bool disk_holds(const struct store *store, const char *hash, const void *bytes, size_t size) {
	const int object = disk_open_object(store, hash);
	const bool holds = object >= 0 && file_is(object, bytes, size);
	if (object >= 0) {
		close(object);
	}
	return holds;
}

bool disk_names(const struct store *store, const char *name, const char *hash) {
	struct store_record record;
	struct record_items items;
	const enum record_state state = record_load(store->rigs, name, &record, &items);
	bool names = state == RECORD_UNREADABLE ||
		(record_is_usable(state) && strcmp(record.hash, hash) == 0);
	for (int kind = 0; kind < ITEM_KIND_COUNT; kind++) {
		const struct item_list *list = items.lists[kind];
		for (size_t i = 0; list && i < list->count; i++) {
			names = names || strcmp(list->items[i].hash, hash) == 0;
		}
	}
	record_items_finish(&items);
	return names;
}

bool disk_has_record(const struct store *store, const char *name) {
	return faccessat(store->rigs, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT;
}

bool disk_agrees(const struct store *store, const struct index_entry *entry) {
	struct store_record record;
	struct record_items items;
	const struct record_items wanted_items = index_items(entry);
	struct buffer there = {0}, wanted = {0};
	if (record_is_usable(record_load(store->rigs, entry->name, &record, &items))) {
		record_write(entry->name, &record, &items, &there);
	}
	record_write(entry->name, &entry->record, &wanted_items, &wanted);
	const bool agrees =
		there.size == wanted.size && memcmp(there.data, wanted.data, wanted.size) == 0;
	buffer_finish(&there);
	buffer_finish(&wanted);
	record_items_finish(&items);
	return agrees;
}

/* files_write(), which removes derived data when the disk is full. */
static bool write_file(struct store *store, int directory, const char *name, const void *bytes,
	size_t size, struct error *err) {
	struct error why = {0};
	if (files_write(store->temporary, directory, name, bytes, size, &why)) {
		return true;
	}
	return why.code == ERROR_STORE_FULL && derived_clear(store)
		? files_write(store->temporary, directory, name, bytes, size, err)
		: error_set(err, why.code, "%s", why.text);
}

bool disk_write_object(
	struct store *store, const char *hash, const void *bytes, size_t size, struct error *err) {
	// It may exist in a directory that was not synced.
	return disk_holds(store, hash, bytes, size)
		? files_sync(store->objects, "objects", err)
		: write_file(store, store->objects, hash, bytes, size, err);
}

bool disk_write_record(struct store *store, const char *name, const struct store_record *record,
	const struct record_items *items, struct error *err) {
	struct buffer text = {0};
	record_write(name, record, items, &text);
	const bool written = write_file(store, store->rigs, name, text.data, text.size, err);
	buffer_finish(&text);
	return written;
}

void disk_drop_object(struct store *store, const char *hash) {
	// On a read-only disk unlinking fails even for missing files.
	if (faccessat(store->objects, hash, F_OK, AT_SYMLINK_NOFOLLOW) == 0 &&
		unlinkat(store->objects, hash, 0) != 0) {
		log_line(LOG_WARNING, "store: cannot remove object %s: %s", hash, strerror(errno));
	}
}
