/* A clip baked into vertices: what vertex_keyframe plays, and the recipe that bakes it. */
#pragma once

#include "skin/method.h"

/* Where in the options of vertex_keyframe. */
enum { KEYFRAMES_BASE, KEYFRAMES_RATE, KEYFRAMES_INTERPOLATION };

enum {
	KEYFRAMES_TIMES,   // doubles [key_count], ascending, on the clip's own key axis
	KEYFRAMES_STREAMS, // [key_count] of all positions, all normals and, where the rig has
			   // tangents, all tangents: 6 or 10 floats a vertex
	KEYFRAMES_SECTIONS,
};

/* Bytes of a baked clip at most: what every driver takes as one storage buffer (GLES 3.1). */
#define KEYFRAMES_BYTES_MAX ((size_t)1 << 27)

/* Bakes with the kernel of option `base` and `rate` keys a second, the clip's end included; with
 * rate 0 at the times of the clip's own keys. ERROR_INVALID_VALUE for a base that needs examples or
 * a clip itself, ERROR_TOO_LARGE beyond KEYFRAMES_BYTES_MAX. */
extern const struct skin_recipe keyframes_recipe;
