/* Records of rigs: small text files from which the store's index is read, without reading assets.
 *
 * A rig with its examples and clips exists through its record, which is replaced atomically, so
 * that a crash leaves either the old state or the new one. */
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

/* Named items that a rig may have besides its asset, each with an object of its own. */
enum item_kind { ITEM_EXAMPLES, ITEM_CLIPS, ITEM_KIND_COUNT };

/* "example", "clip" */
const char *item_noun(enum item_kind kind);

struct item_record {
	char name[LIMIT_NAME_BYTES + 1]; // keeps name_check()
	char hash[HASH_TEXT_BYTES];      // of the object, and its file name
	size_t bytes;                    // of the object
	bool normals;                    // of an example: it has normals, too
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

/* Maximum number of items of a kind. */
#define LIMIT_ITEMS (LIMIT_EXAMPLES > LIMIT_CLIPS ? LIMIT_EXAMPLES : LIMIT_CLIPS)

/* A zeroed list with room for count items. Free with free(). */
struct item_list *item_list_create(size_t count);

/* Copies a list; NULL for NULL. */
struct item_list *item_list_copy(const struct item_list *list);

/* The position of a name, or the position to insert it if *found is false. list may be NULL: empty.
 */
size_t item_list_find(const struct item_list *list, const char *name, bool *found);

/* The items of a rig by kind; NULL = none. */
struct record_items {
	struct item_list *lists[ITEM_KIND_COUNT];
};

/* Frees the lists. */
void record_items_finish(struct record_items *items);

/* Appends the text of a name's record. Its last line is the SHA-256 of the name and of all lines
 * before it, which detects changed bytes, and records under a wrong name. */
void record_write(const char *name, const struct store_record *record,
	const struct record_items *items, struct buffer *out);

/* The states of a name's record on the disk. */
enum record_state {
	RECORD_ABSENT,
	RECORD_UNREADABLE, // with errno
	RECORD_DAMAGED,    // changed, or written for another name
	RECORD_OLDER,      // of a version without checksums, so that damage is not detected
	RECORD_SOUND,
};

/* True for RECORD_OLDER and RECORD_SOUND. */
bool record_is_usable(enum record_state state);

/* Reads a text of size bytes and a NUL. The caller owns *items afterwards, which is empty unless
 * the record is usable. */
enum record_state record_read(const char *name, const char *text, size_t size,
	struct store_record *record, struct record_items *items);

/* Reads the record in a file. */
enum record_state record_load(
	int directory, const char *name, struct store_record *record, struct record_items *items);
