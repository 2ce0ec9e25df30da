/* Copies of rigs on the GPU, as many as the budget holds. */
#pragma once

#include "gl/gpu_rig.h"

struct renderer;

/* The rig's copy on the GPU, uploaded if need be; others make room for it. Borrowed until the next
 * call. NULL with *err: ERROR_TOO_LARGE when it is larger than the budget and the driver has no
 * room, ERROR_OVERLOADED when there is no room though it is not. */
struct gpu_rig *gpu_rigs_get(struct renderer *renderer, const struct rig *rig, struct error *err);
void gpu_rigs_finish(struct renderer *renderer);
