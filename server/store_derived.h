/* What was made for the store's rigs and is dear, such as what is fitted to their examples: kept
 * beside them, by the rig's content and a key, until that content goes or the room is needed. All
 * of it can be made again: it is not synced, may be lost at any time, and is never trusted without
 * its checksum. Any thread. */
#pragma once

#include "renderer.h"
#include "store.h"

/* For the library of methods' data; of rigs that the store has read. It lives as long as the
 * store. */
struct skin_shelf store_shelf(struct store *store);
