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

/* A compressed clip: a .pclip file of it alone, with the skeleton, in which a second is a frame,
 * and the error that its encoder measured at the shell, in metres. Frames are exact where the
 * seconds of a long clip are not, in float32. */
struct clip_compressed {
	const void *bytes; // [size]
	size_t size;
	double rate, duration_s; // frames a second, and where the last one is
	double tolerance_m, error_m, shell_m;
};

/* The time of a frame, of so many. */
float clip_frame_s(double rate, double duration_s, int frame, int count);

/* Channels with more keys are compressed. */
#define CLIP_PLAIN_KEYS_MAX 2

/* True when a clip's keys are at the samples of the file, which clip_pack_compressed() takes for
 * granted: channels with more keys are linear and have one at each. */
bool clip_has_samples_of(const struct clip *clip, const struct clip_compressed *compressed);

/* Appends the packed form of a clip whose moving channels are compressed: others keep their keys.
 * False with ERROR_TOO_LARGE when memory is out. */
bool clip_pack_compressed(const struct rig *rig, const struct clip *clip,
	const struct clip_compressed *compressed, struct buffer *out, struct error *err);

/* Takes a packed form of either kind apart for a rig that it may not have been made for: whatever
 * the bytes are, what comes out is fit to be sampled on that rig.
 *
 * bytes  [size] aligned as floats; the keys are borrowed from them
 * out    its channels and its motion are in the arena; no name, index 0
 * Fails with ERROR_BROKEN_ASSET where the bytes are no clip, or not one of this rig. */
bool clip_unpack(const struct rig *rig, const void *bytes, size_t size, struct arena *arena,
	struct clip *out, struct error *err);

/* Fills in what follows from a clip's channels: its duration, and the bytes of its keys. */
void clip_sum_up(struct clip *clip);
