/* Stores from before records had checksums. */
#pragma once

#include "store/store_state.h"

/* Writes the records that have no checksum anew, all at once, before the store is used. A crash
 * leaves each as it was or as it is to be. When it fails, which is logged, they stay as they are
 * until the next start. */
void upgrade_records(struct store *store);
