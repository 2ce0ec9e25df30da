/* What the store's index knows about a rig, as a small text file: enough for the list of rigs and
 * of their examples without reading an asset.
 *
 * The file is what makes a rig with its examples and clips exist: it gets its name in one step, so
 * that after a crash there is all of before, or all of after. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "limits.h"
#include "store/hash.h"

struct store_record {
	char hash[HASH_TEXT_BYTES];  // of the asset, which is also its object's file name
	size_t bytes;                // of the asset
	int vertices, joints, clips; // in the asset
};

/* What a rig may have beside its asset: things with names, each of which has an object of its own.
 */
enum item_kind { ITEM_EXAMPLES, ITEM_CLIPS, ITEM_KIND_COUNT };

/* "example", "clip" */
const char *item_noun(enum item_kind kind);

struct item_record {
	char name[LIMIT_NAME_BYTES + 1]; // keeps name_check()
	char hash[HASH_TEXT_BYTES];      // of the object, and its file name
	size_t bytes;                    // of the object
	bool normals;                    // of an example: besides the positions
};

/* Hashes of a rig's topology. */
struct topology_hash {
	char joints[HASH_TEXT_BYTES];    // names, parents, and the vertex counts of primitives
	char triangles[HASH_TEXT_BYTES]; // indices
};

/* All items of one kind that a rig has. */
struct item_list {
	struct topology_hash topology; // of examples: of the rig that they were put for
	size_t count;                  // 1 to LIMIT_ITEMS
	struct item_record items[];    // [count] sorted by name
};

/* Most things of any kind. */
#define LIMIT_ITEMS (LIMIT_EXAMPLES > LIMIT_CLIPS ? LIMIT_EXAMPLES : LIMIT_CLIPS)

/* A zeroed list with room for so many. Free with free(). */
struct item_list *item_list_create(size_t count);

/* A copy; NULL of NULL. */
struct item_list *item_list_copy(const struct item_list *list);

/* The position of a name, or of where it belongs when *found is false. list may be NULL: empty. */
size_t item_list_find(const struct item_list *list, const char *name, bool *found);

/* All that a rig has beside its asset, by kind; NULL = none of that kind. */
struct record_items {
	struct item_list *lists[ITEM_KIND_COUNT];
};

/* Frees the lists. */
void record_items_finish(struct record_items *items);

/* Appends the text of a name's record. Its last line is the SHA-256 of the name and of all lines
 * before it, so that no byte of it changes unnoticed, nor does it pass for another name's. */
void record_write(const char *name, const struct store_record *record,
	const struct record_items *items, struct buffer *out);

/* The states of a name's record on the disk. */
enum record_state {
	RECORD_ABSENT,
	RECORD_UNREADABLE, // errno says why
	RECORD_DAMAGED,    // not as it was written, or not for this name
	RECORD_OLDER,      // from before records had checksums: nothing tells whether it is sound
	RECORD_SOUND,
};

/* Whether there is something to go on with. */
bool record_is_usable(enum record_state state);

/* Reads a text of size bytes behind which there is a NUL. *items is the caller's afterwards, and
 * empty unless the record is usable. */
enum record_state record_read(const char *name, const char *text, size_t size,
	struct store_record *record, struct record_items *items);

/* Reads the record in a file. */
enum record_state record_load(
	int directory, const char *name, struct store_record *record, struct record_items *items);
