/* Rigs with more clips than their files have. */
#pragma once

#include "model/rig.h"

/* A clip to be added, as clip_pack() wrote it. */
struct rig_clip {
	const char *name; // no other clip of the rig has it
	void *take_bytes; // [size] malloc memory; the keys stay in it
	size_t size;
};

/* A rig with one reference that is just like base, which it keeps a reference to, with clips behind
 * those that base has; [count]. All that depends on nothing but the mesh and the skeleton is shared
 * with base, and so is what caches have of it: id and content are base's, clips_id is not.
 *
 * NULL with ERROR_TOO_LARGE, or with ERROR_BROKEN_ASSET, *failed being the clip that is none of
 * this rig; the bytes are taken in any case. */
struct rig *rig_create_with_clips(const struct rig *base, const struct rig_clip *clips, int count,
	int *failed, struct error *err);
