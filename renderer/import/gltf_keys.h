/* The keys of animation samplers: times and values, each accessor checked and stored once however
 * many channels share it. */
#pragma once

#include "import/gltf_document.h"
#include "model/asset_facts.h"

struct gltf_keys;

/* An empty collection for one import; lives in the import's arena. */
struct gltf_keys *gltf_keys_create(struct gltf *gltf);

/* Fills times, values and key_count of a channel from its sampler. The channel's path, width and
 * interpolation must be set. Rotations come out unit and, where they are interpolated linearly,
 * each in the hemisphere of the one before (METHODS C.2); cubic ones as they are, for their
 * tangents belong to their lengths and signs.
 *
 * flaws  of a lenient import, to be filled: the channel gets its sound keys, perhaps none; NULL in
 * a strict one */
bool gltf_keys_read(struct gltf_keys *keys, const struct gltf_item *sampler,
	struct channel *channel, struct key_flaws *flaws, struct error *err);

/* A channel that drives one weight of a joint. */
struct weight_channel {
	int weight;             // below the joint's weight_count
	int order;              // in the file
	struct channel channel; // of width 1
};

/* Makes one channel of those that drive single weights of a joint; the other weights stay at rest.
 * It has a key wherever one of them has, and goes through the same values in between: steps beside
 * other interpolations become two keys as near to each other as float32 has it.
 *
 * parts  [count] of one joint, each of another weight; not altered
 * Fails with ERROR_TOO_LARGE. */
bool gltf_join_weights(struct gltf *gltf, int joint, const struct weight_channel *parts, int count,
	struct channel *out, struct error *err);
