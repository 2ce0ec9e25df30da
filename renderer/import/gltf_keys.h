/* The keys of animation samplers: times and values, each accessor checked and stored once however
 * many channels share it. */
#pragma once

#include "import/gltf_document.h"

struct gltf_keys;

/* An empty collection for one import; lives in the import's arena. */
struct gltf_keys *gltf_keys_create(struct gltf *gltf);

/* Fills times, values and key_count of a channel from its sampler. The channel's path, width and
 * interpolation must be set. Rotations come out unit and, where they are interpolated linearly,
 * each in the hemisphere of the one before (METHODS C.2); cubic ones as they are, for their
 * tangents belong to their lengths and signs. */
bool gltf_keys_read(struct gltf_keys *keys, const struct gltf_item *sampler,
	struct channel *channel, struct error *err);
