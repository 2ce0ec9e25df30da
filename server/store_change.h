/* Changing the directory and the index, in steps that others share. All under store->writing. */
#pragma once

#include "store_state.h"

/* Removes the objects that lost their last use. */
void change_drop_orphans(struct store *store);

/* After a change to a name that failed: the disk may be as it was, or half-way. Gives the room back
 * that the object took that was written for it, unless the disk names that by now. */
void change_failed(struct store *store, const char *name, const char *hash);
