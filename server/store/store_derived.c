// The disk cache of derived data.
#include "store/store_derived.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "store/store_files.h"
#include "store/store_internal.h"

/* Default budget: some hundred rigs with a few methods each. */
#define BUDGET_BYTES ((uint64_t)1 << 30)

/* One name is enough for one writer at a time; it differs from the one of store_files.c. */
#define TEMPORARY_NAME "deriving"

/* A file's name: the rig's content, and enough of the key's hash to distinguish keys. */
#define KEY_DIGITS 32
#define NAME_BYTES (HASH_TEXT_BYTES + 1 + KEY_DIGITS)

/* Precedes the key and the bytes. */
struct head {
	char magic[16];
	/* Of the file's name, this head without the hash, the key and the bytes; in files of the
	 * older version only of the bytes. */
	char hash[HASH_TEXT_BYTES];
	char pad[7];
	uint64_t key_bytes, size;
};

static const char magic[] = "posed derived 2\n", older_magic[] = "posed derived 1\n";

/* Writes a file's name; false for a rig without a content hash. */
static bool write_name(const struct rig *rig, const char *key, char name[static NAME_BYTES]) {
	static const unsigned char unknown[sizeof rig->content];
	if (memcmp(rig->content, unknown, sizeof unknown) == 0) {
		return false;
	}
	char key_hash[HASH_TEXT_BYTES];
	hash_bytes(key, strlen(key), key_hash);
	for (size_t i = 0; i < sizeof rig->content; i++) {
		snprintf(name + 2 * i, 3, "%02x", rig->content[i]);
	}
	snprintf(name + HASH_TEXT_BYTES - 1, NAME_BYTES - HASH_TEXT_BYTES + 1, "-%.*s", KEY_DIGITS,
		key_hash);
	return true;
}

static void hash_file_parts(const char *name, const struct head *head, const void *key,
	const void *bytes, char hash[static HASH_TEXT_BYTES]) {
	struct head plain = *head;
	memset(plain.hash, 0, sizeof plain.hash);
	const struct hash_part parts[] = {{name, strlen(name)}, {&plain, sizeof plain},
		{key, head->key_bytes}, {bytes, head->size}};
	hash_parts(parts, 4, hash);
}

/* The contents of a file, within its bytes. */
struct derived_file {
	const unsigned char *key, *bytes;
	size_t key_bytes, size;
	bool older;
};

/* False when the file is damaged or has the wrong name. */
static bool parse_file(const char *name, const unsigned char *file, size_t file_bytes,
	struct derived_file *found) {
	struct head head;
	if (file_bytes < sizeof head) {
		return false;
	}
	memcpy(&head, file, sizeof head);
	const size_t rest = file_bytes - sizeof head;
	found->older = memcmp(head.magic, older_magic, sizeof head.magic) == 0;
	if ((!found->older && memcmp(head.magic, magic, sizeof head.magic) != 0) ||
		head.key_bytes > rest || head.size != rest - head.key_bytes) {
		return false;
	}
	found->key = file + sizeof head;
	found->key_bytes = head.key_bytes;
	found->bytes = found->key + head.key_bytes;
	found->size = head.size;
	char hash[HASH_TEXT_BYTES];
	if (found->older) {
		hash_bytes(found->bytes, found->size, hash);
	} else {
		hash_file_parts(name, &head, found->key, found->bytes, hash);
	}
	return memcmp(hash, head.hash, sizeof hash) == 0;
}

/* Moves the bytes in a file to its start; false when it is damaged, or has another key. */
static bool extract(const char *name, unsigned char *file, size_t file_bytes, const char *key,
	size_t *size, bool *older) {
	struct derived_file found;
	if (!parse_file(name, file, file_bytes, &found) || found.key_bytes != strlen(key) ||
		memcmp(found.key, key, found.key_bytes) != 0) {
		return false;
	}
	*older = found.older;
	*size = found.size;
	memmove(file, found.bytes, *size);
	return true;
}

/* A file of the directory. */
struct file {
	char name[NAME_BYTES];
	uint64_t bytes;
	struct timespec used;
};

struct files {
	int directory;
	struct file *items; // [count]
	size_t count, room;
	uint64_t bytes; // of all
};

static void note_file(void *context, const char *name) {
	struct files *files = context;
	struct stat status;
	if (strlen(name) >= NAME_BYTES ||
		fstatat(files->directory, name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
		return;
	}
	if (files->count == files->room) {
		files->room = files->room ? files->room * 2 : 64;
		files->items = xrealloc(files->items, files->room, sizeof *files->items);
	}
	struct file *file = &files->items[files->count++];
	strcpy(file->name, name);
	file->bytes = (uint64_t)status.st_size;
	file->used = status.st_mtim;
	files->bytes += file->bytes;
}

static int compare_ages(const void *a, const void *b) {
	const struct timespec *x = &((const struct file *)a)->used;
	const struct timespec *y = &((const struct file *)b)->used;
	return x->tv_sec != y->tv_sec ? (x->tv_sec < y->tv_sec ? -1 : 1)
				      : (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* Removes files, least recently used first, down to the budget. Returns their number. */
static size_t trim(const struct store *store, uint64_t budget) {
	struct files files = {.directory = store->derived};
	size_t removed = 0;
	if (!files_each(store->derived, note_file, &files, NULL)) {
		return 0;
	}
	if (files.count > 0) {
		qsort(files.items, files.count, sizeof *files.items, compare_ages);
	}
	for (size_t i = 0; i < files.count && files.bytes > budget; i++) {
		removed += unlinkat(store->derived, files.items[i].name, 0) == 0;
		files.bytes -= files.items[i].bytes;
	}
	free(files.items);
	return removed;
}

static bool write_parts(int file, const struct hash_part *parts, size_t count) {
	bool written = true;
	for (size_t i = 0; written && i < count; i++) {
		written = files_append(file, parts[i].bytes, parts[i].size);
	}
	return written;
}

/* Under store->deriving. False with errno. */
static bool write_file(
	const struct store *store, const char *name, const struct hash_part *parts, size_t count) {
	const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
	const int file = openat(store->temporary, TEMPORARY_NAME, flags, 0666);
	if (file < 0) {
		return false;
	}
	bool written = write_parts(file, parts, count);
	written = close(file) == 0 && written;
	written = written && renameat(store->temporary, TEMPORARY_NAME, store->derived, name) == 0;
	if (!written) {
		const int number = errno;
		unlinkat(store->temporary, TEMPORARY_NAME, 0);
		errno = number;
	}
	return written;
}

static bool is_used(struct store *store, const char *name) {
	char hash[HASH_TEXT_BYTES];
	snprintf(hash, sizeof hash, "%.*s", HASH_TEXT_BYTES - 1, name);
	pthread_mutex_lock(&store->mutex);
	const bool used = index_content(store, hash);
	pthread_mutex_unlock(&store->mutex);
	return used;
}

static void save(
	void *context, const struct rig *rig, const char *key, const void *bytes, size_t size) {
	struct store *store = context;
	char name[NAME_BYTES];
	if (store->read_only || size > store->derived_budget || !write_name(rig, key, name)) {
		return;
	}
	struct head head = {.key_bytes = strlen(key), .size = size};
	memcpy(head.magic, magic, sizeof head.magic);
	hash_file_parts(name, &head, key, bytes, head.hash);
	const struct hash_part parts[] = {{&head, sizeof head}, {key, strlen(key)}, {bytes, size}};
	pthread_mutex_lock(&store->deriving);
	if (!write_file(store, name, parts, 3)) {
		log_line(LOG_WARNING, "store: cannot store derived data of a rig: %s",
			strerror(errno));
	} else if (!is_used(store, name)) {
		unlinkat(store->derived, name, 0); // the rig was deleted meanwhile
	} else {
		trim(store, store->derived_budget);
	}
	pthread_mutex_unlock(&store->deriving);
}

static unsigned char *load(void *context, const struct rig *rig, const char *key, size_t *size) {
	const struct store *store = context;
	char name[NAME_BYTES];
	const int file = write_name(rig, key, name)
		? openat(store->derived, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
		: -1;
	if (file < 0) {
		return NULL;
	}
	size_t file_bytes;
	unsigned char *bytes = file_read(file, &file_bytes, NULL);
	if (!store->read_only) {
		futimens(file, NULL); // for the order of removal
	}
	close(file);
	bool older = false;
	if (bytes && !extract(name, bytes, file_bytes, key, size, &older)) {
		log_line(LOG_WARNING, "store: derived/%s is damaged, and computed again", name);
		if (!store->read_only) {
			unlinkat(store->derived, name, 0);
		}
		free(bytes);
		return NULL;
	}
	if (bytes && older) {
		save(context, rig, key, bytes, *size);
	}
	return bytes;
}

struct skin_shelf store_shelf(struct store *store) {
	return (struct skin_shelf){.context = store, .load = load, .save = save};
}

static enum derived_state state_of(int file, const char *name) {
	struct error why = {0};
	struct derived_file found;
	size_t file_bytes;
	unsigned char *bytes = file_read(file, &file_bytes, &why);
	enum derived_state state = DERIVED_DAMAGED;
	if (bytes && parse_file(name, bytes, file_bytes, &found)) {
		char key_hash[HASH_TEXT_BYTES];
		hash_bytes(found.key, found.key_bytes, key_hash);
		const bool own = strlen(name) == NAME_BYTES - 1 &&
			name[HASH_TEXT_BYTES - 1] == '-' &&
			memcmp(name + HASH_TEXT_BYTES, key_hash, KEY_DIGITS) == 0;
		state = !own ? DERIVED_DAMAGED : found.older ? DERIVED_OLDER : DERIVED_SOUND;
	}
	free(bytes);
	return state;
}

enum derived_state derived_check(int directory, const char *name) {
	const int file = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (file < 0) {
		return errno == ENOENT ? DERIVED_ABSENT : DERIVED_DAMAGED;
	}
	const enum derived_state state = state_of(file, name);
	close(file);
	return state;
}

uint64_t derived_budget(const struct store_options *options) {
	return options->derived_bytes ? options->derived_bytes : BUDGET_BYTES;
}

bool derived_clear(struct store *store) {
	pthread_mutex_lock(&store->deriving);
	const bool cleared = trim(store, 0) > 0;
	pthread_mutex_unlock(&store->deriving);
	return cleared;
}

static void drop_unused(void *context, const char *name) {
	struct store *store = context;
	if (!is_used(store, name)) {
		unlinkat(store->derived, name, 0);
	}
}

void derived_sweep(struct store *store) {
	pthread_mutex_lock(&store->deriving);
	files_each(store->derived, drop_unused, store, NULL);
	pthread_mutex_unlock(&store->deriving);
}
