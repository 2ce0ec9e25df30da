/* Clips -> the bytes of a GLB that has nothing but them and the nodes that they need. */
#pragma once

#include "base/buffer.h"
#include "base/error.h"
#include "export/glb.h"
#include "model/clip.h"
#include "model/rig.h"

/* Appends a GLB with all of the rig's nodes, by name, place and rest transform, a joint's position
 * being its node's index, and clips [count] as animations, key by key as they are; a clip's
 * channels that share their times share an accessor. Where a clip drives morph weights, the node
 * has a mesh of one point with as many targets, as glTF wants it.
 *
 * Fails with ERROR_TOO_LARGE where the file would have more than max_bytes, and then out is as it
 * was. Any thread. */
bool export_clips(const struct rig *rig, const struct clip *clips, int count, const char *generator,
	size_t max_bytes, struct buffer *out, struct error *err);

/* Adds a clip, key by key as it is, whose joints' positions are the nodes' indices. Channels that
 * share their times share an accessor. A clip without channels is none in glTF, where lists are not
 * empty.
 *
 * numbers  takes the keys' memory: to be kept until glb_write, then freed, also after a failure
 * Fails with ERROR_TOO_LARGE. */
bool keys_add(struct glb *glb, const struct clip *clip, float **numbers, struct error *err);
