/* What was made for the store's rigs and is dear, such as what is fitted to their examples: kept
 * beside them, by the rig's content and a key, until that content goes or the room is needed. All
 * of it can be made again: it is not synced, may be lost at any time, and is never trusted without
 * its checksum. Any thread. */
#pragma once

#include "renderer.h"
#include "store/store.h"

/* For the library of methods' data; of rigs that the store has read. It lives as long as the
 * store. */
struct skin_shelf store_shelf(struct store *store);

/* Bytes that it may take. This and what follows is for the store itself, not under store->mutex. */
uint64_t derived_budget(const struct store_options *options);

/* The states of a file that was made for a rig. */
enum derived_state {
	DERIVED_ABSENT,
	DERIVED_DAMAGED, // not as it was written, or another's under this name
	DERIVED_OLDER,   // its checksum does not tell for which rig it was made; replaced when used
	DERIVED_SOUND,
};

/* Looks at a file of the directory, which needs no store. */
enum derived_state derived_check(int directory, const char *name);

/* Removes all of it; whether there was any. */
bool derived_clear(struct store *store);

/* Removes what was made for contents that nobody uses any more. */
void derived_sweep(struct store *store);
