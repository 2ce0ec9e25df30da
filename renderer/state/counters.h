/* Numbers that the render thread counts and others read. */
#pragma once

#include <stdatomic.h>

#include "interface/context.h"

struct renderer;

/* Counted by the render thread, read by any; relaxed, for none says anything about another. */
struct counters {
	atomic_ullong context_resets, frames_drawn;
	atomic_ullong gpu_rig_count, gpu_rig_bytes, gpu_rig_evictions;
	atomic_ullong vertices_skinned[RENDERER_METHODS_MAX];
};

void counters_add(atomic_ullong *counter, unsigned long long more);

/* Counts a frame of vertices that a method (its id) has skinned. */
void counters_add_skinned(struct renderer *renderer, const char *method, int vertex_count);
