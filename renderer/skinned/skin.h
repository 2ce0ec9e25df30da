/* Prepared poses skinned, on the CPU or the GPU. */
#pragma once

#include "gl/gpu_rig.h"
#include "skinned/prepare.h"
#include "skinned/streams.h"
#include "state/scratch.h"

struct renderer;

/* Room for rest vertices on their way. */
struct skin_room {
	struct scratch *morphed, *displaced;
};

/* Skins on the CPU. */
void skin_on_cpu(
	const struct prepared *prepared, const struct skin_room *room, const struct streams *out);

/* Skins into the rig's copy on the GPU: as many poses as gpu->copies, all of one plan and with the
 * rest vertices of the first. */
bool skin_on_gpu(struct renderer *renderer, const struct prepared *prepared, bool tangents,
	struct gpu_rig *gpu, struct error *err);

/* Skins on the device that was prepared for. Streams that are NULL are not wanted. */
bool skin_streams(struct renderer *renderer, const struct prepared *prepared,
	const struct streams *streams, struct error *err);
