/* Changing the directory and the index, in steps that others share. All under store->writing. */
#pragma once

#include "store/store_state.h"

/* Removes the objects that lost their last use. */
void change_drop_orphans(struct store *store);

/* Makes what a change that failed half-way has left of a name's record what the index has, or
 * removes it where that has none. */
bool change_settle(struct store *store, const char *name, struct error *err);

/* After a change to a name that failed: the disk may be as it was, or half-way, and is settled if
 * it can be. Gives the room back that the object took that was written for it, unless the disk
 * names that. */
void change_failed(struct store *store, const char *name, const char *hash);
