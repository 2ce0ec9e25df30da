/* The rigs and examples in memory. All but memory_trim() under store->mutex. */
#pragma once

#include "store/store_state.h"

/* Keeps a rig or a set's examples, taking the reference over, unless the content has them already.
 */
void memory_add(struct store *store, struct content *content, struct rig *take_rig);
void memory_add_examples(
	struct store *store, struct content *content, struct examples *take_examples);

/* Makes what a content has in memory the most recently used. */
void memory_touch(struct store *store, struct content *content);

/* Lets go of what a content has in memory; whoever holds it keeps it. */
void memory_drop(struct store *store, struct content *content);

/* Lets go of what was used least recently and nobody holds until the budget is kept, and the count
 * in bounds. */
void memory_trim(struct store *store);
