/* Packed clips with compressed keys: private to clip_pack.c and clip_compressed.c. */
#pragma once

#include "model/clip_pack.h"

/* True for bytes that begin as those of clip_pack_compressed() do. */
bool clip_is_compressed(const void *bytes, size_t size);

/* clip_unpack() for these. */
bool clip_unpack_compressed(const struct rig *rig, const void *bytes, size_t size,
	struct arena *arena, struct clip *out, struct error *err);
