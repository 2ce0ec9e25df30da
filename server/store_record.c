// What the store's index knows about a rig, as a small text file.
#include "store_record.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "name.h"

/* Longest line of an example: hash, bytes, normals, name. */
#define EXAMPLE_LINE_BYTES (HASH_TEXT_BYTES + 32 + LIMIT_NAME_BYTES)

/* Longest file: a record of as many examples as there may be. */
#define RECORD_FILE_BYTES (2 * RECORD_TEXT_BYTES + LIMIT_EXAMPLES * EXAMPLE_LINE_BYTES)

/* The lines of a record behind its first. */
#define RECORD_LINES "sha256 %s\nbytes %zu\nvertices %d\njoints %d\nclips %d\n"
#define RECORD_FIELDS "sha256 %64[0-9a-f]\nbytes %zu\nvertices %d\njoints %d\nclips %d%n"

struct example_list *example_list_create(size_t count) {
	return xcalloc(1, sizeof(struct example_list) + count * sizeof(struct example_record));
}

size_t example_list_find(const struct example_list *list, const char *name, bool *found) {
	size_t i = 0;
	const size_t count = list ? list->count : 0;
	while (i < count && strcmp(list->items[i].name, name) < 0) {
		i++;
	}
	*found = i < count && strcmp(list->items[i].name, name) == 0;
	return i;
}

static size_t write_head(
	const struct store_record *record, int version, char text[static RECORD_TEXT_BYTES]) {
	return (size_t)snprintf(text, RECORD_TEXT_BYTES, "posed rig %d\n" RECORD_LINES, version,
		record->hash, record->bytes, record->vertices, record->joints, record->clips);
}

size_t record_write(const struct store_record *record, char text[static RECORD_TEXT_BYTES]) {
	return write_head(record, 1, text);
}

void record_write_all(const struct store_record *record, const struct example_list *examples,
	struct buffer *out) {
	char text[EXAMPLE_LINE_BYTES > RECORD_TEXT_BYTES ? EXAMPLE_LINE_BYTES : RECORD_TEXT_BYTES];
	buffer_append(out, text, write_head(record, examples ? 2 : 1, text));
	if (!examples) {
		return;
	}
	const int length = snprintf(text, sizeof text, "shape %s\ntriangles %s\nexamples %zu\n",
		examples->shape, examples->triangles, examples->count);
	buffer_append(out, text, (size_t)length);
	for (size_t i = 0; i < examples->count; i++) {
		const struct example_record *item = &examples->items[i];
		const int line = snprintf(text, sizeof text, "%s %zu %d %s\n", item->hash,
			item->bytes, item->normals, item->name);
		buffer_append(out, text, (size_t)line);
	}
}

static bool is_hash(const char *text) {
	return strlen(text) == HASH_TEXT_BYTES - 1;
}

/* Reads one line and moves past it. Names are in order, so that none is there twice. */
static bool read_example(
	const char **text, const struct example_record *before, struct example_record *out) {
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

static struct example_list *read_examples(const char *text) {
	char shape[HASH_TEXT_BYTES], triangles[HASH_TEXT_BYTES];
	size_t count;
	int length = 0;
	const int fields = sscanf(text, "shape %64[0-9a-f]\ntriangles %64[0-9a-f]\nexamples %zu%n",
		shape, triangles, &count, &length);
	if (fields != 3 || !is_hash(shape) || !is_hash(triangles) || text[length] != '\n' ||
		count < 1 || count > LIMIT_EXAMPLES) {
		return NULL;
	}
	struct example_list *list = example_list_create(count);
	memcpy(list->shape, shape, sizeof shape);
	memcpy(list->triangles, triangles, sizeof triangles);
	text += length + 1;
	bool fine = true;
	while (fine && list->count < count) {
		const struct example_record *before =
			list->count > 0 ? &list->items[list->count - 1] : NULL;
		fine = read_example(&text, before, &list->items[list->count]);
		list->count += fine;
	}
	if (!fine || *text) {
		free(list);
		return NULL;
	}
	return list;
}

bool record_read(const char *text, struct store_record *record, struct example_list **examples) {
	int version, length = 0;
	*examples = NULL;
	const int fields = sscanf(text, "posed rig %d\n" RECORD_FIELDS, &version, record->hash,
		&record->bytes, &record->vertices, &record->joints, &record->clips, &length);
	if (fields != 6 || !is_hash(record->hash) || text[length] != '\n') {
		return false;
	}
	const char *rest = text + length + 1;
	if (version == 2) {
		*examples = read_examples(rest);
		return *examples;
	}
	return version == 1 && !*rest;
}

bool record_load(int directory, const char *name, struct store_record *record,
	struct example_list **examples) {
	*examples = NULL;
	const int file = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (file < 0) {
		return false;
	}
	struct buffer text = {0};
	ssize_t length;
	do {
		length = read(file, buffer_reserve(&text, RECORD_TEXT_BYTES), RECORD_TEXT_BYTES);
		text.size += length > 0 ? (size_t)length : 0;
	} while (length > 0 && text.size < RECORD_FILE_BYTES);
	close(file);
	*buffer_reserve(&text, 1) = '\0';
	const bool fine = length == 0 && text.size > 0 &&
		record_read((const char *)text.data, record, examples);
	buffer_finish(&text);
	return fine;
}
