// posed verify: whether the store still has what was put.
#include "verify.h"

#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "config.h"
#include "limits.h"
#include "name.h"
#include "store_files.h"
#include "store_record.h"

enum { EXIT_WELL = 0, EXIT_FAULTY = 1 };

/* A daemon may replace or delete a rig between the reading of its record and of its object. Only
 * what is wrong as often as this, a moment apart, is a fault. */
#define LOOKS 3
#define MOMENT_NS 20000000

/* An object that a record names. */
struct object {
	char hash[HASH_TEXT_BYTES]; // first: the key in verify->named
	bool sound;                 // it was read, and is what was put
};

struct verify {
	int directory, rigs, objects, temporary; // descriptors; -1 = not open
	void *named;                             // tree of tsearch(3) of struct object, by hash
	size_t rig_count, object_count, byte_count, fault_count;
};

static int compare_hashes(const void *a, const void *b) {
	return strcmp(a, b);
}

/* Whether a daemon has the directory. Its lock can only be tried: it is held for that moment. */
static bool is_in_use(const struct verify *verify) {
	const int lock = openat(verify->directory, "lock", O_RDONLY | O_CLOEXEC);
	const bool in_use = lock >= 0 && flock(lock, LOCK_SH | LOCK_NB) != 0;
	if (lock >= 0) {
		close(lock);
	}
	return in_use;
}

static bool is_there(int directory, const char *name) {
	return faccessat(directory, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static bool check_bytes(int file, const char *wanted, size_t bytes, struct error *why) {
	struct stat status;
	if (fstat(file, &status) != 0 || (size_t)status.st_size != bytes) {
		return error_set(why, ERROR_STORE_DAMAGED,
			"object %s is damaged: it has %lld bytes, and %zu were put", wanted,
			(long long)status.st_size, bytes);
	}
	char hash[HASH_TEXT_BYTES];
	struct error reason = {0};
	if (!hash_descriptor(file, hash, &reason)) {
		return error_set(why, ERROR_STORE_DAMAGED, "object %s is damaged: it %s", wanted,
			reason.text);
	}
	return strcmp(hash, wanted) == 0 ||
		error_set(why, ERROR_STORE_DAMAGED,
			"object %s is damaged: the SHA-256 of its bytes is %s", wanted, hash);
}

static struct object *find_object(const struct verify *verify, const char *hash) {
	struct object **known = tfind(hash, &verify->named, compare_hashes);
	return known ? *known : NULL;
}

static struct object *name_object(struct verify *verify, const char *hash) {
	struct object *object = find_object(verify, hash);
	if (!object) {
		object = xcalloc(1, sizeof *object);
		memcpy(object->hash, hash, sizeof object->hash);
		if (!tsearch(object, &verify->named, compare_hashes)) {
			abort(); // out of memory, as xcalloc() has it
		}
	}
	return object;
}

/* Each object is read once, however many rigs have it. */
static bool check_object(struct verify *verify, const char *hash, size_t bytes, struct error *why) {
	struct object *object = name_object(verify, hash);
	if (object->sound) {
		return true;
	}
	const int file = openat(verify->objects, hash, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (file < 0) {
		return error_set(why, ERROR_STORE_DAMAGED, "object %s is missing: %s", hash,
			strerror(errno));
	}
	object->sound = check_bytes(file, hash, bytes, why);
	close(file);
	if (object->sound) {
		verify->object_count++;
		verify->byte_count += bytes;
	}
	return object->sound;
}

/* All of them, so that each is known to be named; the first that is not sound is the reason. list
 * may be NULL: there are none. */
static bool check_items(struct verify *verify, enum item_kind kind, const struct item_list *list,
	struct error *why) {
	bool sound = true;
	for (size_t i = 0; list && i < list->count; i++) {
		const struct item_record *item = &list->items[i];
		struct error reason = {0};
		if (!check_object(verify, item->hash, item->bytes, &reason)) {
			sound = error_set(why, reason.code, "%s %s: %s", item_noun(kind),
				item->name, reason.text);
		}
	}
	return sound;
}

/* One look at a rig, which may be gone by now. */
static bool look_at_rig(struct verify *verify, const char *name, struct error *why) {
	struct store_record record;
	struct record_items items;
	if (record_load(verify->rigs, name, &record, &items)) {
		bool sound = check_object(verify, record.hash, record.bytes, why);
		for (int kind = 0; kind < ITEM_KIND_COUNT; kind++) {
			const struct item_list *list = items.lists[kind];
			sound = check_items(verify, (enum item_kind)kind, list, why) && sound;
		}
		record_items_finish(&items);
		return sound;
	}
	return !is_there(verify->rigs, name) ||
		error_set(why, ERROR_STORE_DAMAGED, "rigs/%s is no record", name);
}

static void say_fault(struct verify *verify, const char *what, const char *text) {
	verify->fault_count++;
	printf("%s: %s\n", what, text);
}

static void check_rig(void *context, const char *name) {
	struct verify *verify = context;
	char what[LIMIT_NAME_BYTES + 8];
	struct error why = {0};
	if (!name_check(name, &why)) {
		utf8_quote(name, what, sizeof what);
		say_fault(verify, what, "a file in rigs/ that is none of posed's");
		return;
	}
	verify->rig_count++;
	const struct timespec moment = {.tv_nsec = MOMENT_NS};
	const int looks = is_in_use(verify) ? LOOKS : 1;
	for (int i = 0; i < looks; i++) {
		why = (struct error){0};
		if (look_at_rig(verify, name, &why)) {
			return;
		}
		nanosleep(&moment, NULL);
	}
	snprintf(what, sizeof what, "rig %s", name);
	say_fault(verify, what, why.text);
}

/* A daemon's next record may name it: only one that is gone has left something. */
static void check_unnamed(void *context, const char *name) {
	struct verify *verify = context;
	if (!find_object(verify, name) && !is_in_use(verify) && is_there(verify->objects, name)) {
		char quoted[300];
		utf8_quote(name, quoted, sizeof quoted);
		say_fault(verify, quoted,
			"an object that no rig uses; posed removes it when it starts");
	}
}

static void check_temporary(void *context, const char *name) {
	struct verify *verify = context;
	if (!is_in_use(verify) && is_there(verify->temporary, name)) {
		char quoted[300];
		utf8_quote(name, quoted, sizeof quoted);
		say_fault(verify, quoted,
			"a file in tmp/ that was never finished; posed removes it when it starts");
	}
}

static bool open_part(int parent, const char *name, int *part, struct error *err) {
	*part = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return *part >= 0 || error_set(err, ERROR_INTERNAL, "%s: %s", name, strerror(errno));
}

static bool check_all(struct verify *verify, const char *path, struct error *err) {
	verify->directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (verify->directory < 0) {
		return error_set(err, ERROR_INTERNAL, "%s", strerror(errno));
	}
	return open_part(verify->directory, "rigs", &verify->rigs, err) &&
		open_part(verify->directory, "objects", &verify->objects, err) &&
		open_part(verify->directory, "tmp", &verify->temporary, err) &&
		files_each(verify->rigs, check_rig, verify, err) &&
		files_each(verify->objects, check_unnamed, verify, err) &&
		files_each(verify->temporary, check_temporary, verify, err);
}

static void finish(struct verify *verify) {
	const int descriptors[] = {
		verify->temporary, verify->objects, verify->rigs, verify->directory};
	for (size_t i = 0; i < sizeof descriptors / sizeof *descriptors; i++) {
		if (descriptors[i] >= 0) {
			close(descriptors[i]);
		}
	}
	tdestroy(verify->named, free);
}

static int verify_directory(const char *path) {
	struct verify verify = {.directory = -1, .rigs = -1, .objects = -1, .temporary = -1};
	struct error err = {0};
	const bool checked = check_all(&verify, path, &err);
	if (checked) {
		printf("%zu rigs, %zu sound objects, %zu bytes; faults: %zu\n", verify.rig_count,
			verify.object_count, verify.byte_count, verify.fault_count);
	} else {
		fprintf(stderr, "posed verify: %s: %s\n", path, err.text);
	}
	finish(&verify);
	return checked && verify.fault_count == 0 ? EXIT_WELL : EXIT_FAULTY;
}

int verify_main(int argument_count, char **arguments) {
	struct config config;
	int status;
	if (!config_read_or_end(argument_count, arguments, "posed verify", &config, &status)) {
		return status;
	}
	status = verify_directory(config.data);
	config_finish(&config);
	return status;
}
