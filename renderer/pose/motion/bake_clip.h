/* An expression over a length of time -> a clip. */
#pragma once

#include "model/posed_subject.h"
#include "pose/operations.h"

/* Bytes of the poses that are being baked into one clip: ten minutes of a usual rig at 60 frames a
 * second. */
#define BAKE_CLIP_BYTES ((size_t)256 << 20)

/* Evaluates the expression at 0, 1 / rate, 2 / rate, ... and at the duration, or at the job's
 * times, strictly forward and in one run, so that what goes on from frame to frame does. The frames
 * are the keys of linear channels, at times rounded to float32, which are also the moments that are
 * looked at: sampled there, the clip is the expression to the bit but for the signs of rotations,
 * which go the shorter way from key to key (METHODS C.2).
 *
 * There are channels for what any frame drives. Where a channel never changes it has one key at 0;
 * where none changes, the first has a second one at the end, so that the clip lasts as long.
 *
 * out  its channels and keys are in the arena; no name, index 0
 * Fails with the expression's errors, with ERROR_INVALID_VALUE at the expression where it drives
 * nothing, and at the place with ERROR_TOO_LARGE (frames, bytes) or ERROR_INVALID_VALUE: no
 * duration and no clip to take it from, times that float32 cannot tell apart. */
bool bake_clip(
	const struct bake_job *job, struct arena *arena, struct clip *out, struct error *err);
