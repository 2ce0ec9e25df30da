/* The records of an FBX file, binary or ASCII: a tree of names, values and children. Records and
 * what they name live in the arena; arrays stay in the file, and are decoded when they are read.
 * Source: Blender Foundation, FBX binary file format specification, 2013; and files. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

enum fbx_kind { FBX_INTEGER, FBX_REAL, FBX_TEXT, FBX_BYTES, FBX_ARRAY };

/* The numbers of an array as the file has them. */
enum fbx_element {
	FBX_INT8,
	FBX_INT32,
	FBX_INT64,
	FBX_FLOAT32,
	FBX_FLOAT64,
	FBX_DECIMAL, // ASCII: separated by commas
};

struct fbx_value {
	enum fbx_kind kind;
	union {
		int64_t integer;
		double real;
		struct {
			enum fbx_element element;
			uint32_t count;
			bool deflated;
		} array;
	};
	const char *bytes; // [size] of texts (ended by NUL besides), bytes and arrays
	size_t size;
};

struct fbx_record {
	const char *name;
	int value_count;
	const struct fbx_value *values; // [value_count]
	struct fbx_record *children;    // the first one; NULL = none
	struct fbx_record *next;        // of the same parent
};

struct fbx_tree {
	struct arena *arena; // borrowed
	unsigned version;    // 7400
	bool ascii, big_endian;
	size_t bytes_left;        // that decoded arrays may take
	struct fbx_record *first; // at the top
};

/* The oldest version that is read; older files connect objects by name. */
#define FBX_VERSION_MIN 7000

/* Reads all records of a file that fbx_probe() takes. The bytes must outlive the tree; arena and
 * bytes_left are set, the rest is filled. Fails with ERROR_BROKEN_ASSET with the place. */
bool fbx_tree_read(
	struct fbx_tree *tree, const unsigned char *bytes, size_t size, struct error *err);

/* The two spellings, for fbx_tree_read(). */
bool fbx_binary_read(
	struct fbx_tree *tree, const unsigned char *bytes, size_t size, struct error *err);
bool fbx_ascii_read(
	struct fbx_tree *tree, const unsigned char *bytes, size_t size, struct error *err);

/* The first child, or sibling from this one on, of a name; NULL = there is none. */
const struct fbx_record *fbx_child(const struct fbx_record *record, const char *name);
const struct fbx_record *fbx_find(const struct fbx_record *first, const char *name);

/* A value of a record, or the fallback where it has none of that kind. An ASCII letter counts as
 * the integer that binary files have for it. */
int64_t fbx_integer_at(const struct fbx_record *record, int index, int64_t fallback);
double fbx_real_at(const struct fbx_record *record, int index, double fallback);
const char *fbx_text_at(const struct fbx_record *record, int index, const char *fallback);

/* The same for the first value of a child. */
int64_t fbx_child_integer(const struct fbx_record *record, const char *name, int64_t fallback);
const char *fbx_child_text(const struct fbx_record *record, const char *name, const char *fallback);

/* The numbers of a child's array, or of its values, in the arena; *count = 0 where there is no such
 * child. Numbers that are not finite come as they are. NULL with ERROR_BROKEN_ASSET or
 * ERROR_TOO_LARGE; of none at all they are not NULL. */
const double *fbx_reals(struct fbx_tree *tree, const struct fbx_record *record, const char *name,
	size_t *count, struct error *err);
const int64_t *fbx_integers(struct fbx_tree *tree, const struct fbx_record *record,
	const char *name, size_t *count, struct error *err);

/* The same as the bits of float32, which some arrays use for other things; ASCII files spell such
 * elements as integers. */
const uint32_t *fbx_float_bits(struct fbx_tree *tree, const struct fbx_record *record,
	const char *name, size_t *count, struct error *err);

/* --- Arrays, inflated and converted to the kind of number that is wanted --- */

/* Bytes of a number; of a decimal the fewest, with its comma. */
size_t fbx_element_bytes(enum fbx_element element);

/* Stores one value of a record as FBX_INT32, FBX_INT64, FBX_FLOAT32 or FBX_FLOAT64; a value that is
 * no number as 0. */
void fbx_element_store(const struct fbx_value *value, enum fbx_element as, void *out);

/* Decodes an array into out, [value->array.count] of such elements. name is for messages. Fails
 * with ERROR_BROKEN_ASSET. */
bool fbx_array_decode(const struct fbx_tree *tree, const char *name, const struct fbx_value *value,
	enum fbx_element as, void *out, struct error *err);
