// The binary spelling of FBX: records with the offset of their end.
#include <stdio.h>
#include <string.h>

#include "import/fbx_tree.h"

#define HEADER_BYTES 27
#define ENDIAN_AT 22 // 1 = the numbers are big-endian

/* From this version on offsets and counts are wider. */
#define WIDE_VERSION 7500

/* Records within one another: those in use stop at seven. */
#define DEPTH_MAX 64

struct reader {
	struct fbx_tree *tree;
	const unsigned char *bytes;
	size_t size, at;
	struct error *err;
};

static bool broken(struct reader *reader, const char *words) {
	return error_set(reader->err, ERROR_BROKEN_ASSET, "FBX, byte %zu: %s", reader->at, words);
}

static uint64_t number(const struct reader *reader, const unsigned char *bytes, int width) {
	uint64_t value = 0;
	for (int i = 0; i < width; i++) {
		value = value << 8 | bytes[reader->tree->big_endian ? i : width - 1 - i];
	}
	return value;
}

/* Moves past so many bytes before limit and returns them; NULL where there are fewer. */
static const unsigned char *take(struct reader *reader, size_t count, size_t limit) {
	if (count > limit - reader->at) {
		broken(reader, "is cut short");
		return NULL;
	}
	reader->at += count;
	return reader->bytes + reader->at - count;
}

static bool read_bytes(
	struct reader *reader, struct fbx_value *value, enum fbx_kind kind, size_t limit) {
	const unsigned char *length = take(reader, 4, limit);
	const size_t size = length ? (size_t)number(reader, length, 4) : 0;
	const char *bytes = length ? (const char *)take(reader, size, limit) : NULL;
	if (!bytes) {
		return false;
	}
	value->kind = kind;
	value->size = size;
	value->bytes = kind == FBX_TEXT ? arena_strndup(reader->tree->arena, bytes, size) : bytes;
	return true;
}

static bool read_array(
	struct reader *reader, struct fbx_value *value, enum fbx_element element, size_t limit) {
	const unsigned char *head = take(reader, 12, limit);
	const size_t size = head ? (size_t)number(reader, head + 8, 4) : 0;
	const unsigned char *bytes = head ? take(reader, size, limit) : NULL;
	if (!bytes) {
		return false;
	}
	const uint32_t count = (uint32_t)number(reader, head, 4);
	const uint64_t encoding = number(reader, head + 4, 4);
	if (encoding > 1) {
		return broken(reader, "an array of an unknown encoding ends here");
	}
	if (encoding == 0 && size / fbx_element_bytes(element) < count) {
		return broken(reader, "an array ends here that has more numbers than bytes");
	}
	value->kind = FBX_ARRAY;
	value->array.element = element;
	value->array.count = count;
	value->array.deflated = encoding == 1;
	value->bytes = (const char *)bytes;
	value->size = size;
	return true;
}

static bool read_scalar(struct reader *reader, struct fbx_value *value, char code, size_t limit) {
	const int width = strchr("CZ", code) ? 1 : code == 'Y' ? 2 : strchr("IF", code) ? 4 : 8;
	const unsigned char *bytes = take(reader, (size_t)width, limit);
	if (!bytes) {
		return false;
	}
	const uint64_t bits = number(reader, bytes, width);
	value->kind = code == 'F' || code == 'D' ? FBX_REAL : FBX_INTEGER;
	if (code == 'F') {
		const uint32_t low = (uint32_t)bits;
		float single;
		memcpy(&single, &low, sizeof single);
		value->real = (double)single;
	} else if (code == 'D') {
		memcpy(&value->real, &bits, sizeof value->real);
	} else {
		const int unused = 64 - 8 * width;
		value->integer = width == 1 ? (int64_t)bits : (int64_t)(bits << unused) >> unused;
	}
	return true;
}

static bool read_value(struct reader *reader, struct fbx_value *value, size_t limit) {
	static const struct {
		char code;
		enum fbx_element element;
	} arrays[] = {
		{'d', FBX_FLOAT64},
		{'f', FBX_FLOAT32},
		{'i', FBX_INT32},
		{'l', FBX_INT64},
		{'b', FBX_INT8},
		{'c', FBX_INT8},
	};
	const unsigned char *type = take(reader, 1, limit);
	const char code = type ? (char)*type : '\0';
	if (!type) {
		return false;
	}
	if (code == 'S' || code == 'R') {
		return read_bytes(reader, value, code == 'S' ? FBX_TEXT : FBX_BYTES, limit);
	}
	if (code != '\0' && strchr("CZYIFDL", code)) {
		return read_scalar(reader, value, code, limit);
	}
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
		if (arrays[i].code == code) {
			return read_array(reader, value, arrays[i].element, limit);
		}
	}
	return broken(reader, "a value of an unknown type starts before it");
}

static bool read_values(struct reader *reader, struct fbx_record *record, uint64_t count,
	uint64_t size, size_t end) {
	// Each takes two bytes or more.
	if (size > end - reader->at || count > size) {
		return broken(reader, "values reach beyond their record");
	}
	const size_t limit = reader->at + (size_t)size;
	struct fbx_value *values = arena_alloc(reader->tree->arena, (size_t)count, sizeof *values);
	for (uint64_t i = 0; i < count; i++) {
		if (!read_value(reader, &values[i], limit)) {
			return false;
		}
	}
	record->values = values;
	record->value_count = (int)count;
	reader->at = limit;
	return true;
}

static bool read_list(
	struct reader *reader, struct fbx_record **first, size_t end, int depth, bool *ended);

/* Reads the record at the front. *record is NULL at the null record that ends a list. */
static bool read_record(
	struct reader *reader, struct fbx_record **record, size_t limit, int depth) {
	const int width = reader->tree->version >= WIDE_VERSION ? 8 : 4;
	const unsigned char *head = take(reader, 3 * (size_t)width + 1, limit);
	*record = NULL;
	if (!head) {
		return false;
	}
	const uint64_t end = number(reader, head, width);
	const uint64_t count = number(reader, head + width, width);
	const uint64_t size = number(reader, head + 2 * width, width);
	if (end == 0) {
		return true;
	}
	const size_t name_size = head[3 * width];
	const char *name = (const char *)take(reader, name_size, limit);
	if (!name) {
		return false;
	}
	if (end < reader->at || end > limit) {
		return broken(reader, "a record ends before it starts, or after what it is in");
	}
	struct fbx_record *made = arena_alloc(reader->tree->arena, 1, sizeof *made);
	made->name = arena_strndup(reader->tree->arena, name, name_size);
	bool ended = false;
	if (!read_values(reader, made, count, size, (size_t)end) ||
		!read_list(reader, &made->children, (size_t)end, depth + 1, &ended)) {
		return false;
	}
	reader->at = (size_t)end;
	*record = made;
	return true;
}

/* Reads records up to a null record, or to the end of what they are in. */
static bool read_list(
	struct reader *reader, struct fbx_record **first, size_t end, int depth, bool *ended) {
	if (depth > DEPTH_MAX) {
		return broken(reader, "records lie too deep in one another");
	}
	while (reader->at < end && !*ended) {
		if (!read_record(reader, first, end, depth)) {
			return false;
		}
		*ended = !*first;
		first = *first ? &(*first)->next : first;
	}
	return true;
}

bool fbx_binary_read(
	struct fbx_tree *tree, const unsigned char *bytes, size_t size, struct error *err) {
	struct reader reader = {tree, bytes, size, HEADER_BYTES, err};
	tree->big_endian = bytes[ENDIAN_AT] == 1;
	bool ended = false;
	if (!read_list(&reader, &tree->first, size, 0, &ended)) {
		return false;
	}
	return ended || broken(&reader, "is cut short");
}
