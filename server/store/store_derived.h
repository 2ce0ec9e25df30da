/* Derived data: expensive results computed from rigs, such as fits to their examples. They are
 * cached on the disk by the rig's content and a key, until the content is deleted or the space is
 * needed. They can be computed again, and are therefore not synced, may be lost at any time, and
 * are not used without checking their checksum. Any thread. */
#pragma once

#include "renderer.h"
#include "store/store.h"

/* The cache for the skinning library, for rigs that the store has read. It lives as long as the
 * store. */
struct skin_shelf store_shelf(struct store *store);

/* Maximum size in bytes. This and the functions below are the store's own, not under store->mutex.
 */
uint64_t derived_budget(const struct store_options *options);

/* The states of a file in derived/. */
enum derived_state {
	DERIVED_ABSENT,
	DERIVED_DAMAGED, // changed, or written under another name
	DERIVED_OLDER,   // of a version whose checksum omits the rig; replaced when used
	DERIVED_SOUND,
};

/* Checks a file of the directory; needs no open store. */
enum derived_state derived_check(int directory, const char *name);

/* Removes all files; false if there were none. */
bool derived_clear(struct store *store);

/* Removes the files of contents that are no longer in use. */
void derived_sweep(struct store *store);
