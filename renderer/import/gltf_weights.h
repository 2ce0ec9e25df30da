/* Animated morph weights that a file has apart, put together: a rig's channel drives all weights of
 * a joint. Source: KHR_animation_pointer, "/nodes/0/weights/1". */
#pragma once

#include "import/gltf_document.h"

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
