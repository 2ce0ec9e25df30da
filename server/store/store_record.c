// Records of rigs.
#include "store/store_record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "name.h"

/* Longest line of an item: hash, bytes, normals, name. */
#define ITEM_LINE_BYTES (HASH_TEXT_BYTES + 32 + LIMIT_NAME_BYTES)

/* Longest text of a section without its items. */
#define SECTION_BYTES 256

/* Longest file: a record with the maximum number of examples and clips. */
#define RECORD_FILE_BYTES (4 * SECTION_BYTES + ITEM_KIND_COUNT * LIMIT_ITEMS * ITEM_LINE_BYTES)

/* Bytes to read at once: records with few items are shorter. */
#define BLOCK_BYTES 1024

/* Version of new records. 1 has neither examples nor clips, 2 no clips, and 1 to 3 no checksum. */
#define VERSION 4

#define CHECKSUM_WORD "checksum "

/* The lines of a record after its first. */
#define RECORD_LINES "sha256 %s\nbytes %zu\nvertices %d\njoints %d\nclips %d\n"
#define RECORD_FIELDS "sha256 %64[0-9a-f]\nbytes %zu\nvertices %d\njoints %d\nclips %d%n"

const char *item_noun(enum item_kind kind) {
	static const char *const nouns[ITEM_KIND_COUNT] = {
		[ITEM_EXAMPLES] = "example",
		[ITEM_CLIPS] = "clip",
	};
	return nouns[kind];
}

struct item_list *item_list_create(size_t count) {
	return xcalloc(1, sizeof(struct item_list) + count * sizeof(struct item_record));
}

struct item_list *item_list_copy(const struct item_list *list) {
	struct item_list *copy = list ? item_list_create(list->count) : NULL;
	if (copy) {
		memcpy(copy, list, sizeof *list + list->count * sizeof *list->items);
	}
	return copy;
}

size_t item_list_find(const struct item_list *list, const char *name, bool *found) {
	size_t i = 0;
	const size_t count = list ? list->count : 0;
	while (i < count && strcmp(list->items[i].name, name) < 0) {
		i++;
	}
	*found = i < count && strcmp(list->items[i].name, name) == 0;
	return i;
}

void record_items_finish(struct record_items *items) {
	for (int kind = 0; kind < ITEM_KIND_COUNT; kind++) {
		free(items->lists[kind]);
		items->lists[kind] = NULL;
	}
}

static void write_items(const struct item_list *list, struct buffer *out) {
	for (size_t i = 0; i < list->count; i++) {
		char text[ITEM_LINE_BYTES];
		const struct item_record *item = &list->items[i];
		const int length = snprintf(text, sizeof text, "%s %zu %d %s\n", item->hash,
			item->bytes, item->normals, item->name);
		buffer_append(out, text, (size_t)length);
	}
}

/* Hashes a record's lines together with its name. */
static void seal(
	const char *name, const void *lines, size_t size, char hash[static HASH_TEXT_BYTES]) {
	const struct hash_part parts[] = {{name, strlen(name)}, {lines, size}};
	hash_parts(parts, 2, hash);
}

void record_write(const char *name, const struct store_record *record,
	const struct record_items *items, struct buffer *out) {
	const struct item_list *examples = items->lists[ITEM_EXAMPLES];
	const struct item_list *clips = items->lists[ITEM_CLIPS];
	const size_t start = out->size;
	char text[SECTION_BYTES];
	int length = snprintf(text, sizeof text, "posed rig %d\n" RECORD_LINES, VERSION,
		record->hash, record->bytes, record->vertices, record->joints, record->clips);
	buffer_append(out, text, (size_t)length);
	if (examples) {
		length = snprintf(text, sizeof text, "shape %s\ntriangles %s\nexamples %zu\n",
			examples->topology.joints, examples->topology.triangles, examples->count);
		buffer_append(out, text, (size_t)length);
		write_items(examples, out);
	}
	if (clips) {
		length = snprintf(text, sizeof text, "stored clips %zu\n", clips->count);
		buffer_append(out, text, (size_t)length);
		write_items(clips, out);
	}
	char hash[HASH_TEXT_BYTES];
	seal(name, out->data + start, out->size - start, hash);
	length = snprintf(text, sizeof text, CHECKSUM_WORD "%s\n", hash);
	buffer_append(out, text, (size_t)length);
}

static bool is_hash(const char *text) {
	return strlen(text) == HASH_TEXT_BYTES - 1;
}

/* Reads one line and moves past it. Names are in order, which excludes duplicates. */
static bool read_item(
	const char **text, const struct item_record *before, struct item_record *out) {
	int normals, at = 0;
	const int fields =
		sscanf(*text, "%64[0-9a-f] %zu %d%n", out->hash, &out->bytes, &normals, &at);
	if (fields != 3 || !is_hash(out->hash) || normals < 0 || normals > 1 ||
		(*text)[at] != ' ') {
		return false;
	}
	const char *name = *text + at + 1; // which may begin with a space
	const size_t length = strcspn(name, "\n");
	if (length > LIMIT_NAME_BYTES || name[length] != '\n') {
		return false;
	}
	memcpy(out->name, name, length);
	out->normals = normals;
	*text = name + length + 1;
	return name_check(out->name, NULL) && (!before || strcmp(before->name, out->name) < 0);
}

/* Reads the lines after a section's head of head_length characters, and moves past them. */
static struct item_list *read_items(const char **text, int head_length, size_t count) {
	if ((*text)[head_length] != '\n' || count < 1 || count > LIMIT_ITEMS) {
		return NULL;
	}
	struct item_list *list = item_list_create(count);
	*text += head_length + 1;
	bool ok = true;
	while (ok && list->count < count) {
		const struct item_record *before =
			list->count > 0 ? &list->items[list->count - 1] : NULL;
		ok = read_item(text, before, &list->items[list->count]);
		list->count += ok;
	}
	if (!ok) {
		free(list);
		return NULL;
	}
	return list;
}

static struct item_list *read_examples(const char **text) {
	struct topology_hash topology;
	size_t count;
	int length = 0;
	const int fields = sscanf(*text, "shape %64[0-9a-f]\ntriangles %64[0-9a-f]\nexamples %zu%n",
		topology.joints, topology.triangles, &count, &length);
	if (fields != 3 || !is_hash(topology.joints) || !is_hash(topology.triangles)) {
		return NULL;
	}
	struct item_list *list = read_items(text, length, count);
	if (list) {
		list->topology = topology;
	}
	return list;
}

static struct item_list *read_clips(const char **text) {
	size_t count;
	int length = 0;
	return sscanf(*text, "stored clips %zu%n", &count, &length) == 1
		? read_items(text, length, count)
		: NULL;
}

/* Reads the sections of a record of this version, up to its end or its checksum. */
static bool read_sections(const char **text, int version, struct record_items *items) {
	const bool has_examples = strncmp(*text, "shape ", 6) == 0;
	if ((has_examples ? version == 1 : version == 2) ||
		(has_examples && !(items->lists[ITEM_EXAMPLES] = read_examples(text)))) {
		return false;
	}
	const bool wants_clips =
		version == 3 || (version == VERSION && strncmp(*text, "stored clips ", 13) == 0);
	return !wants_clips || (items->lists[ITEM_CLIPS] = read_clips(text));
}

static bool read_lines(
	const char **text, int *version, struct store_record *record, struct record_items *items) {
	int length = 0;
	const int fields = sscanf(*text, "posed rig %d\n" RECORD_FIELDS, version, record->hash,
		&record->bytes, &record->vertices, &record->joints, &record->clips, &length);
	if (fields != 6 || *version < 1 || *version > VERSION || !is_hash(record->hash) ||
		(*text)[length] != '\n') {
		return false;
	}
	*text += length + 1;
	return read_sections(text, *version, items);
}

/* True if the lines up to `end` are followed by their checksum and nothing else. */
static bool is_sealed(const char *name, const char *text, const char *end, size_t size) {
	char last[SECTION_BYTES], hash[HASH_TEXT_BYTES];
	const size_t lines = (size_t)(end - text);
	seal(name, text, lines, hash);
	const size_t length = (size_t)snprintf(last, sizeof last, CHECKSUM_WORD "%s\n", hash);
	return size - lines == length && memcmp(end, last, length) == 0;
}

enum record_state record_read(const char *name, const char *text, size_t size,
	struct store_record *record, struct record_items *items) {
	int version;
	const char *end = text;
	*items = (struct record_items){0};
	const bool read = read_lines(&end, &version, record, items);
	if (read && version == VERSION && is_sealed(name, text, end, size)) {
		return RECORD_SOUND;
	}
	if (read && version < VERSION && end == text + size) {
		return RECORD_OLDER;
	}
	record_items_finish(items);
	return RECORD_DAMAGED;
}

bool record_is_usable(enum record_state state) {
	return state == RECORD_OLDER || state == RECORD_SOUND;
}

/* Reads a file's text. False with errno. */
static bool read_text(int file, struct buffer *text) {
	ssize_t length;
	do {
		length = read(file, buffer_reserve(text, BLOCK_BYTES), BLOCK_BYTES);
		text->size += length > 0 ? (size_t)length : 0;
	} while ((length > 0 && text->size <= RECORD_FILE_BYTES) || (length < 0 && errno == EINTR));
	return length >= 0;
}

enum record_state record_load(
	int directory, const char *name, struct store_record *record, struct record_items *items) {
	*items = (struct record_items){0};
	const int file = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (file < 0) {
		return errno == ENOENT ? RECORD_ABSENT : RECORD_UNREADABLE;
	}
	struct buffer text = {0};
	enum record_state state = RECORD_UNREADABLE;
	const bool was_read = read_text(file, &text);
	const int reason = errno;
	close(file);
	if (was_read) {
		*buffer_reserve(&text, 1) = '\0';
		state = record_read(name, (const char *)text.data, text.size, record, items);
	}
	buffer_finish(&text);
	errno = reason;
	return state;
}
