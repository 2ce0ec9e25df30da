// Checks every byte of a store's directory.
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "limits.h"
#include "name.h"
#include "store/store_derived.h"
#include "store/store_files.h"
#include "store/store_record.h"
#include "verification.h"

/* A daemon may replace or delete a rig between reading its record and its object. Only a fault
 * found in all of these attempts is reported. */
#define ATTEMPTS 3
#define ATTEMPT_INTERVAL_NS 20000000

/* Fates of leftovers. */
#define REMOVED "posed removes it when it starts"
#define KEPT "posed leaves it while there are damaged records"

/* An object that a record names. */
struct object {
	char hash[HASH_TEXT_BYTES]; // first: the key in verify->named
	bool sound;                 // it was read, and matches its hash
};

struct verify {
	struct verification *out;
	struct arena *arena;
	int directory, rigs, objects, derived, temporary; // descriptors; -1 = not open
	void *named;          // tree of tsearch(3) of struct object, by hash
	bool has_bad_records; // which may name any object
};

__attribute__((format(printf, 5, 6))) static void note(struct verify *verify,
	enum store_finding_kind kind, const char *place, const char *rig, const char *format, ...) {
	struct verification *out = verify->out;
	if (out->count == out->room) {
		out->room = out->room ? out->room * 2 : 16;
		out->findings = xrealloc(out->findings, out->room, sizeof *out->findings);
	}
	struct error text = {0};
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text.text, sizeof text.text, format, arguments);
	va_end(arguments);
	out->findings[out->count++] = (struct store_finding){
		.kind = kind,
		.place = arena_strndup(verify->arena, place, strlen(place)),
		.rig = rig ? arena_strndup(verify->arena, rig, strlen(rig)) : NULL,
		.says = arena_strndup(verify->arena, text.text, strlen(text.text)),
	};
	out->counts[kind]++;
}

static int compare_hashes(const void *a, const void *b) {
	return strcmp(a, b);
}

/* True if a daemon uses the directory. Trying the lock takes it for a moment. */
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
			"object %s is damaged: it has %lld bytes instead of %zu", wanted,
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
			abort(); // out of memory, as xcalloc() does
		}
	}
	return object;
}

/* Reads each object only once, even if several rigs refer to it. */
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
		verify->out->objects++;
		verify->out->bytes += bytes;
	}
	return object->sound;
}

/* Checks all items, so that each of their objects is known to be named; *why is the first fault.
 * list may be NULL: empty. */
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

/* Reports an unusable record. */
static bool refuse_record(const char *name, enum record_state state, struct error *why) {
	return state == RECORD_UNREADABLE
		? error_set(why, ERROR_STORE_DAMAGED, "rigs/%s cannot be read: %s", name,
			  strerror(errno))
		: error_set(why, ERROR_STORE_DAMAGED, "rigs/%s is damaged", name);
}

/* Checks a rig once; it may be deleted by now. */
static bool check_rig_once(
	struct verify *verify, const char *name, enum record_state *state, struct error *why) {
	struct store_record record;
	struct record_items items;
	*state = record_load(verify->rigs, name, &record, &items);
	if (!record_is_usable(*state)) {
		return *state == RECORD_ABSENT || refuse_record(name, *state, why);
	}
	bool sound = check_object(verify, record.hash, record.bytes, why);
	for (int kind = 0; kind < ITEM_KIND_COUNT; kind++) {
		const struct item_list *list = items.lists[kind];
		sound = check_items(verify, (enum item_kind)kind, list, why) && sound;
	}
	record_items_finish(&items);
	return sound;
}

/* Repeats the check beside a daemon, which may change the rig. */
static bool is_sound(
	struct verify *verify, const char *name, enum record_state *state, struct error *why) {
	const struct timespec interval = {.tv_nsec = ATTEMPT_INTERVAL_NS};
	const int attempts = is_in_use(verify) ? ATTEMPTS : 1;
	bool sound = false;
	for (int i = 0; i < attempts && !sound; i++) {
		if (i > 0) {
			nanosleep(&interval, NULL);
		}
		*why = (struct error){0};
		sound = check_rig_once(verify, name, state, why);
	}
	return sound;
}

static const char *place_of(const struct verify *verify, const char *folder, const char *name) {
	char quoted[300];
	utf8_quote(name, quoted, sizeof quoted);
	return arena_printf(verify->arena, "%s/%.*s", folder, (int)strlen(quoted) - 2, quoted + 1);
}

static void check_rig(void *context, const char *name) {
	struct verify *verify = context;
	const char *place = place_of(verify, "rigs", name);
	struct error why = {0};
	if (!name_check(name, &why)) {
		note(verify, STORE_DAMAGE, place, NULL, "a foreign file");
		verify->has_bad_records = true;
		return;
	}
	verify->out->rigs++;
	enum record_state state;
	if (!is_sound(verify, name, &state, &why)) {
		note(verify, STORE_DAMAGE, place, name, "%s", why.text);
		verify->has_bad_records |= !record_is_usable(state);
	} else if (state == RECORD_OLDER) {
		note(verify, STORE_OLDER, place, name,
			"its record has no checksum; posed adds one when it starts");
	}
}

/* Beside a daemon an unnamed object is no leftover: its next record may name it. */
static void check_unnamed(void *context, const char *name) {
	struct verify *verify = context;
	if (!find_object(verify, name) && !is_in_use(verify) && is_there(verify->objects, name)) {
		note(verify, STORE_LEFTOVER, place_of(verify, "objects", name), NULL, "%s",
			verify->has_bad_records ? "an object that no sound record names; " KEPT
						: "an object that no rig uses; " REMOVED);
	}
}

static void check_temporary(void *context, const char *name) {
	struct verify *verify = context;
	if (!is_in_use(verify) && is_there(verify->temporary, name)) {
		note(verify, STORE_LEFTOVER, place_of(verify, "tmp", name), NULL,
			"an incomplete file; " REMOVED);
	}
}

static bool is_of_a_rig(const struct verify *verify, const char *name) {
	char hash[HASH_TEXT_BYTES];
	snprintf(hash, sizeof hash, "%.*s", HASH_TEXT_BYTES - 1, name);
	return find_object(verify, hash);
}

static void check_derived(void *context, const char *name) {
	struct verify *verify = context;
	const char *place = place_of(verify, "derived", name);
	if (!is_of_a_rig(verify, name)) {
		if (!is_in_use(verify) && is_there(verify->derived, name)) {
			note(verify, STORE_LEFTOVER, place, NULL, "%s",
				verify->has_bad_records
					? "derived from a rig that no sound record names; " KEPT
					: "derived from a rig that does not exist; " REMOVED);
		}
		return;
	}
	switch (derived_check(verify->derived, name)) {
	case DERIVED_ABSENT:
		break;
	case DERIVED_DAMAGED:
		note(verify, STORE_DAMAGE, place, NULL,
			"is damaged; posed computes it again when it is needed");
		break;
	case DERIVED_OLDER:
		note(verify, STORE_OLDER, place, NULL,
			"its checksum omits its rig; posed replaces it when it is used");
		break;
	case DERIVED_SOUND:
		verify->out->derived++;
		break;
	}
}

static bool open_part(int parent, const char *name, int *part, struct error *err) {
	*part = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return *part >= 0 || error_set(err, ERROR_INTERNAL, "%s: %s", name, strerror(errno));
}

/* Visits the files of a part that may be missing, such as in a backup. */
static bool visit_part(struct verify *verify, const char *name, int *part,
	void (*visit)(void *context, const char *name), struct error *err) {
	struct error why = {0};
	return open_part(verify->directory, name, part, &why)
		? files_each(*part, visit, verify, err)
		: errno == ENOENT || error_set(err, why.code, "%s", why.text);
}

static bool check_all(struct verify *verify, const char *path, struct error *err) {
	verify->directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (verify->directory < 0) {
		return error_set(err, ERROR_INTERNAL, "%s", strerror(errno));
	}
	return open_part(verify->directory, "rigs", &verify->rigs, err) &&
		open_part(verify->directory, "objects", &verify->objects, err) &&
		files_each(verify->rigs, check_rig, verify, err) &&
		files_each(verify->objects, check_unnamed, verify, err) &&
		visit_part(verify, "derived", &verify->derived, check_derived, err) &&
		visit_part(verify, "tmp", &verify->temporary, check_temporary, err);
}

static void finish(struct verify *verify) {
	const int descriptors[] = {verify->temporary, verify->derived, verify->objects,
		verify->rigs, verify->directory};
	for (size_t i = 0; i < sizeof descriptors / sizeof *descriptors; i++) {
		if (descriptors[i] >= 0) {
			close(descriptors[i]);
		}
	}
	tdestroy(verify->named, free);
}

bool store_verify(
	const char *path, struct arena *arena, struct verification *out, struct error *err) {
	struct verify verify = {.out = out,
		.arena = arena,
		.directory = -1,
		.rigs = -1,
		.objects = -1,
		.derived = -1,
		.temporary = -1};
	const bool checked = check_all(&verify, path, err);
	finish(&verify);
	return checked;
}
