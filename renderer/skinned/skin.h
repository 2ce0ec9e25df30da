/* Prepared poses skinned, on the CPU or the GPU. */
#pragma once

#include "draw/back_end.h"
#include "draw/skin_steps.h"
#include "skinned/prepare.h"
#include "skinned/streams.h"
#include "state/state.h"

struct renderer;

/* Room for rest vertices on their way. */
struct skin_room {
	struct scratch *morphed, *displaced;
};

/* The vertices after morphing, in streams as skin_steps.h has them; NULL where no target is active.
 */
const float *skin_morphed(const struct prepared *prepared, struct scratch *scratch);

/* The options as declarations that stand before the shaders: choices and
 * switches as constants. list may be NULL. */
void skin_constants(const struct skin_option *const *list, const struct skin_options *options,
	enum normals normals, bool stretched, char out[static GPU_SKIN_CONSTANTS_BYTES]);

/* Room for the stages of a plan. */
#define SKIN_STEPS_MAX 64

/* The steps by which the GPU skins a pose, in order. Their arrays are those of what was prepared.
 * Returns how many. */
size_t skin_steps(
	const struct prepared *prepared, struct gpu_skin_step steps[static SKIN_STEPS_MAX]);

/* Skins on the CPU. */
void skin_on_cpu(
	const struct prepared *prepared, const struct skin_room *room, const struct streams *out);

/* Skins into the rig's copy on the GPU: as many poses as drawn->copies, all of one plan and with
 * the rest vertices of the first. */
bool skin_on_gpu(struct renderer *renderer, const struct prepared *prepared, bool tangents,
	struct drawn_rig *drawn, struct error *err);

/* Skins on the device that was prepared for. Streams that are NULL are not wanted. */
bool skin_streams(struct renderer *renderer, const struct prepared *prepared,
	const struct streams *streams, struct error *err);
