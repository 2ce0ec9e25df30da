// Looking into the records of an FBX file.
#include "import/fbx_tree.h"

#include <string.h>

#include "base/number.h"
#include "import/fbx.h"

#define MAGIC "Kaydara FBX Binary  "

static bool is_binary(const unsigned char *bytes, size_t size) {
	return size >= 27 && memcmp(bytes, MAGIC, sizeof MAGIC - 1) == 0;
}

/* The version that a file says it has; 0 where it is none, or says none near its beginning. */
static unsigned find_version(const unsigned char *bytes, size_t size) {
	static const char word[] = "FBXVersion:";
	if (is_binary(bytes, size)) {
		const unsigned char *v = bytes + 23;
		const bool is_big = bytes[22] == 1;
		return is_big ? (unsigned)v[2] << 8 | v[3] : (unsigned)v[1] << 8 | v[0];
	}
	const size_t looked_at = size < 4096 ? size : 4096;
	const char *end = (const char *)bytes + looked_at;
	const char *found = memmem(bytes, looked_at, word, sizeof word - 1);
	double version = 0;
	for (found = found ? found + sizeof word - 1 : end; found < end && *found == ' ';) {
		found++;
	}
	number_read_decimal(found, end, &version);
	return version > 0 && version < 1e6 ? (unsigned)version : 0;
}

bool fbx_probe(const unsigned char *bytes, size_t size) {
	return find_version(bytes, size) >= FBX_VERSION_MIN;
}

bool fbx_tree_read(
	struct fbx_tree *tree, const unsigned char *bytes, size_t size, struct error *err) {
	tree->version = find_version(bytes, size);
	return is_binary(bytes, size) ? fbx_binary_read(tree, bytes, size, err)
				      : fbx_ascii_read(tree, bytes, size, err);
}

const struct fbx_record *fbx_find(const struct fbx_record *first, const char *name) {
	while (first && strcmp(first->name, name) != 0) {
		first = first->next;
	}
	return first;
}

const struct fbx_record *fbx_child(const struct fbx_record *record, const char *name) {
	return record ? fbx_find(record->children, name) : NULL;
}

static const struct fbx_value *value_at(const struct fbx_record *record, int index) {
	return record && index < record->value_count ? &record->values[index] : NULL;
}

int64_t fbx_integer_at(const struct fbx_record *record, int index, int64_t fallback) {
	const struct fbx_value *value = value_at(record, index);
	if (!value) {
		return fallback;
	}
	switch (value->kind) {
	case FBX_INTEGER:
		return value->integer;
	case FBX_REAL:
		return value->real > -9e18 && value->real < 9e18 ? (int64_t)value->real : fallback;
	case FBX_TEXT:
		return value->size == 1 ? (unsigned char)value->bytes[0] : fallback;
	case FBX_BYTES:
	case FBX_ARRAY:
		break;
	}
	return fallback;
}

double fbx_real_at(const struct fbx_record *record, int index, double fallback) {
	const struct fbx_value *value = value_at(record, index);
	return !value                        ? fallback
		: value->kind == FBX_REAL    ? value->real
		: value->kind == FBX_INTEGER ? (double)value->integer
					     : fallback;
}

const char *fbx_text_at(const struct fbx_record *record, int index, const char *fallback) {
	const struct fbx_value *value = value_at(record, index);
	return value && value->kind == FBX_TEXT ? value->bytes : fallback;
}

int64_t fbx_child_integer(const struct fbx_record *record, const char *name, int64_t fallback) {
	return fbx_integer_at(fbx_child(record, name), 0, fallback);
}

const char *fbx_child_text(
	const struct fbx_record *record, const char *name, const char *fallback) {
	return fbx_text_at(fbx_child(record, name), 0, fallback);
}

/* --- Arrays --- */

/* Decodes a child's numbers as one kind of element. */
static void *numbers(struct fbx_tree *tree, const struct fbx_record *record, const char *name,
	enum fbx_element as, size_t *count, struct error *err) {
	const struct fbx_record *child = fbx_child(record, name);
	const struct fbx_value *first = value_at(child, 0);
	const bool is_array = first && first->kind == FBX_ARRAY;
	*count = !child ? 0 : is_array ? first->array.count : (size_t)child->value_count;
	const size_t width = fbx_element_bytes(as);
	if (*count > tree->bytes_left / width) {
		error_set(err, ERROR_TOO_LARGE,
			"%s: %zu numbers, but a file of this size may only fill %zu more bytes",
			name, *count, tree->bytes_left);
		return NULL;
	}
	tree->bytes_left -= *count * width;
	unsigned char *out = arena_alloc(tree->arena, *count + 1, width);
	if (is_array) {
		return fbx_array_decode(tree, name, first, as, out, err) ? out : NULL;
	}
	for (size_t i = 0; i < *count; i++) {
		fbx_element_store(&child->values[i], as, out + i * width);
	}
	return out;
}

const double *fbx_reals(struct fbx_tree *tree, const struct fbx_record *record, const char *name,
	size_t *count, struct error *err) {
	return numbers(tree, record, name, FBX_FLOAT64, count, err);
}

const int64_t *fbx_integers(struct fbx_tree *tree, const struct fbx_record *record,
	const char *name, size_t *count, struct error *err) {
	return numbers(tree, record, name, FBX_INT64, count, err);
}

const uint32_t *fbx_float_bits(struct fbx_tree *tree, const struct fbx_record *record,
	const char *name, size_t *count, struct error *err) {
	// Since 7.2 ASCII files have the bits themselves.
	const enum fbx_element as = tree->ascii && tree->version >= 7200 ? FBX_INT32 : FBX_FLOAT32;
	return numbers(tree, record, name, as, count, err);
}
