/* What the frames of one answer leave for the next: which of its two quaternions each rotation had,
 * so that a joint may turn on beyond half a turn (METHODS 0.6, "temporal"). */
#pragma once

#include "base/arena.h"

/* Set the arena, which must outlive the frames; the rest is zero before the first. */
struct skin_memory {
	struct arena *arena;
	double (*relative)[4]; // [rig->slot_count] each joint's against its parent's; NULL = no
			       // frame
};
