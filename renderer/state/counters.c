// Numbers that the render thread counts and others read.
#include "state/counters.h"

#include <assert.h>
#include <string.h>

#include "skin/methods.h"
#include "state/state.h"

void counters_add(atomic_ullong *counter, unsigned long long more) {
	atomic_fetch_add_explicit(counter, more, memory_order_relaxed);
}

void counters_add_skinned(struct renderer *renderer, const char *method, int vertex_count) {
	for (size_t i = 0; skin_method(i); i++) {
		assert(i < RENDERER_METHODS_MAX);
		if (strcmp(skin_method(i)->id, method) == 0) {
			counters_add(&renderer->counters.vertices_skinned[i],
				(unsigned long long)vertex_count);
		}
	}
}

static unsigned long long read_counter(const atomic_ullong *counter) {
	return atomic_load_explicit(counter, memory_order_relaxed);
}

void renderer_stats(const struct renderer *renderer, struct renderer_stats *out) {
	const struct counters *counters = &renderer->counters;
	*out = (struct renderer_stats){
		.context_resets = read_counter(&counters->context_resets),
		.frames_drawn = read_counter(&counters->frames_drawn),
		.gpu_rig_count = read_counter(&counters->gpu_rig_count),
		.gpu_rig_bytes = read_counter(&counters->gpu_rig_bytes),
		.gpu_rig_evictions = read_counter(&counters->gpu_rig_evictions),
	};
	for (size_t i = 0; skin_method(i); i++) {
		out->vertices_skinned[i] = read_counter(&counters->vertices_skinned[i]);
	}
}
