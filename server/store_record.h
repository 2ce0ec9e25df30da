/* What the store's index knows about a rig, as a small text file: enough for the list of rigs and
 * of their examples without reading an asset.
 *
 * The file is what makes a rig and its examples there at all: it gets its name in one step, so that
 * after a crash there are the rig and the examples of before, or of after. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "hash.h"
#include "limits.h"

struct store_record {
	char hash[HASH_TEXT_BYTES]; // of the asset, which is also its object's file name
	size_t bytes;               // of the asset
	int vertices, joints, clips;
};

/* One example of a rig, which has an object of its own. */
struct example_record {
	char name[LIMIT_NAME_BYTES + 1]; // keeps name_check()
	char hash[HASH_TEXT_BYTES];      // of the object, and its file name
	size_t bytes;                    // of the object
	bool normals;                    // besides the positions
};

/* All examples of a rig. */
struct example_list {
	/* Hashes of what the rig was like that they were put for: when one of another content takes
	 * its place, they tell whether the examples still fit. */
	char shape[HASH_TEXT_BYTES];     // joints, numbers of vertices
	char triangles[HASH_TEXT_BYTES]; // indices
	size_t count;                    // 1 to LIMIT_EXAMPLES
	struct example_record items[];   // [count] sorted by name
};

/* A zeroed list with room for so many. Free with free(). */
struct example_list *example_list_create(size_t count);

/* The position of a name, or of where it belongs when *found is false. list may be NULL: empty. */
size_t example_list_find(const struct example_list *list, const char *name, bool *found);

/* Longest text of a record without examples, with its NUL. */
#define RECORD_TEXT_BYTES 256

/* Writes the text and returns its length. */
size_t record_write(const struct store_record *record, char text[static RECORD_TEXT_BYTES]);

/* Appends the text of a record with examples; with NULL in their place that of record_write(),
 * which also daemons understand that know no examples. */
void record_write_all(
	const struct store_record *record, const struct example_list *examples, struct buffer *out);

/* False when the text is not a record. *examples is the caller's afterwards; NULL = there are none.
 */
bool record_read(const char *text, struct store_record *record, struct example_list **examples);

/* Reads the record in a file. False when it is none, or there is no such file. */
bool record_load(int directory, const char *name, struct store_record *record,
	struct example_list **examples);
