/* Animations whose channels have as few keys as a bound allows. */
#pragma once

#include "base/buffer.h"
#include "interface/optimise.h"
#include "optimise/fresh.h"

/* Decides which channels of the file are replaced: those of nodes that the rig has, in clips that
 * are not left and have no pointers. */
void animation_choose(struct parts *parts, const struct optimise_job *job, struct arena *arena);

/* Appends an animation as JSON, with its accessors in fresh; counts its channels and the bytes of
 * its text. ERROR_INVALID_VALUE where the
 * tolerance cannot be kept, ERROR_TOO_LARGE. */
bool animation_write(const struct optimise_job *job, const struct parts *parts, int clip,
	struct fresh *fresh, struct optimise_clip *report, struct buffer *out, struct error *err);
