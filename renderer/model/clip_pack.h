/* Clips in bytes, as they are kept beside a rig's file. Joints are called by their names, so that a
 * clip fits every rig that has them. Little-endian, as everything. */
#pragma once

#include "base/arena.h"
#include "base/buffer.h"
#include "model/rig.h"

/* Appends the packed form of a clip of a rig; its name is not part of it. False with
 * ERROR_TOO_LARGE when memory is out. */
bool clip_pack(
	const struct rig *rig, const struct clip *clip, struct buffer *out, struct error *err);

/* Takes a packed form apart for a rig that it may not have been made for: whatever the bytes are,
 * what comes out is fit to be sampled on that rig.
 *
 * bytes  [size] aligned as floats; the keys are borrowed from them
 * out    its channels are in the arena; no name, index 0
 * Fails with ERROR_BROKEN_ASSET where the bytes are no clip, or not one of this rig. */
bool clip_unpack(const struct rig *rig, const void *bytes, size_t size, struct arena *arena,
	struct clip *out, struct error *err);

/* Fills in what follows from a clip's channels: its duration, and the bytes of its keys. */
void clip_sum_up(struct clip *clip);
