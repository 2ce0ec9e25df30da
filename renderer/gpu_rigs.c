// The rigs that are kept on the GPU under a budget of bytes: the least recently used goes first.
#include "renderer_internal.h"

static void drop(struct renderer *renderer, size_t i) {
	renderer->gpu_bytes -= renderer->rigs[i].gpu->bytes;
	gpu_rig_destroy(renderer->rigs[i].gpu);
	renderer->rigs[i] = renderer->rigs[--renderer->rig_count];
}

static size_t least_recent(const struct renderer *renderer) {
	size_t found = 0;
	for (size_t i = 1; i < renderer->rig_count; i++) {
		if (renderer->rigs[i].last_use < renderer->rigs[found].last_use) {
			found = i;
		}
	}
	return found;
}

struct gpu_rig *gpu_rigs_get(struct renderer *renderer, const struct rig *rig, struct error *err) {
	for (size_t i = 0; i < renderer->rig_count; i++) {
		if (renderer->rigs[i].gpu->id == rig->id) {
			renderer->rigs[i].last_use = ++renderer->uses;
			return renderer->rigs[i].gpu;
		}
	}
	struct gpu_rig *gpu = gpu_rig_create(rig, err);
	if (!gpu) {
		return NULL;
	}
	while (renderer->rig_count == GPU_RIGS_MAX ||
		(renderer->rig_count > 0 &&
			renderer->gpu_bytes + gpu->bytes > renderer->gpu_budget_bytes)) {
		drop(renderer, least_recent(renderer));
	}
	renderer->rigs[renderer->rig_count].gpu = gpu;
	renderer->rigs[renderer->rig_count++].last_use = ++renderer->uses;
	renderer->gpu_bytes += gpu->bytes;
	return gpu;
}

void gpu_rigs_finish(struct renderer *renderer) {
	while (renderer->rig_count > 0) {
		drop(renderer, 0);
	}
}
