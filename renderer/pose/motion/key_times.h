/* The moments at which a clip is to be looked at, so that lines between them restore it. */
#pragma once

#include "base/arena.h"
#include "model/clip.h"

/* Moments a second where keys are few. */
#define KEY_TIMES_RATE 30.0

/* Times of the keys of all channels, with 0 and the duration: ascending, no two nearer than a
 * millisecond; and between those that are farther apart as many as make
 * KEY_TIMES_RATE. A channel in steps has a moment more just before each key. *count >= 1; in the
 * arena, as are as many times as the clip has keys and its duration asks for. Never fails. */
const float *key_times(const struct clip *clip, struct arena *arena, size_t *count);
