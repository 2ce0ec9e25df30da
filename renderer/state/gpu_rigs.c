// The rigs that are kept on the GPU under a budget of bytes: the least recently used goes first.
#include "state/gpu_rigs.h"

#include "state/counters.h"
#include "state/state.h"

/* For those who read the counters. */
static void tell(struct renderer *renderer) {
	struct counters *counters = &renderer->counters;
	atomic_store_explicit(&counters->gpu_rig_count, renderer->rig_count, memory_order_relaxed);
	atomic_store_explicit(&counters->gpu_rig_bytes, renderer->gpu_bytes, memory_order_relaxed);
}

static void drop(struct renderer *renderer, size_t i) {
	renderer->gpu_bytes -= renderer->rigs[i].bytes;
	gpu_rig_destroy(renderer->rigs[i].gpu);
	renderer->rigs[i] = renderer->rigs[--renderer->rig_count];
	tell(renderer);
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

static void evict(struct renderer *renderer) {
	drop(renderer, least_recent(renderer));
	counters_add(&renderer->counters.gpu_rig_evictions, 1);
}

static struct gpu_rig *find(struct renderer *renderer, uint64_t id) {
	for (size_t i = 0; i < renderer->rig_count; i++) {
		if (renderer->rigs[i].gpu->id == id) {
			renderer->rigs[i].last_use = ++renderer->uses;
			return renderer->rigs[i].gpu;
		}
	}
	return NULL;
}

/* A copy grows with the data that methods bring. */
static void recount(struct renderer *renderer, size_t i) {
	renderer->gpu_bytes += renderer->rigs[i].gpu->bytes - renderer->rigs[i].bytes;
	renderer->rigs[i].bytes = renderer->rigs[i].gpu->bytes;
}

/* Says of a rig that does not fit though it is alone whether it ever will. */
static void refuse(const struct renderer *renderer, size_t bytes, struct error *err) {
	const size_t mib = (bytes >> 20) + 1;
	if (bytes > renderer->gpu_budget_bytes) {
		error_set(err, ERROR_TOO_LARGE,
			"the rig takes %zu MiB on the GPU, which has no room for it", mib);
	} else {
		error_set(err, ERROR_OVERLOADED, "the GPU has no room now for the rig's %zu MiB",
			mib);
	}
}

/* Uploads a rig, once more without all others if the driver is out of memory: how much is missing
 * it does not say. */
static struct gpu_rig *upload(struct renderer *renderer, const struct rig *rig, struct error *err) {
	struct error failure = {0};
	size_t bytes = 0;
	struct gpu_rig *gpu = gpu_rig_create(rig, &bytes, &failure);
	if (!gpu && failure.code == ERROR_TOO_LARGE && renderer->rig_count > 0) {
		while (renderer->rig_count > 0) {
			evict(renderer);
		}
		failure = (struct error){0};
		gpu = gpu_rig_create(rig, &bytes, &failure);
	}
	if (!gpu && failure.code == ERROR_TOO_LARGE) {
		refuse(renderer, bytes, err);
	} else if (!gpu) {
		error_set(err, failure.code, "%s", failure.text);
	}
	return gpu;
}

static void add(struct renderer *renderer, struct gpu_rig *gpu) {
	const size_t i = renderer->rig_count++;
	renderer->rigs[i].gpu = gpu;
	renderer->rigs[i].bytes = gpu->bytes;
	renderer->rigs[i].last_use = ++renderer->uses;
	renderer->gpu_bytes += gpu->bytes;
}

struct gpu_rig *gpu_rigs_get(struct renderer *renderer, const struct rig *rig, struct error *err) {
	for (size_t i = 0; i < renderer->rig_count; i++) {
		recount(renderer, i);
	}
	struct gpu_rig *gpu = find(renderer, rig->id);
	if (!gpu) {
		gpu = upload(renderer, rig, err);
		if (!gpu) {
			return NULL;
		}
		if (renderer->rig_count == GPU_RIGS_MAX) {
			evict(renderer);
		}
		add(renderer, gpu);
	}
	// The one that is wanted was used last, and is left over at the worst.
	while (renderer->rig_count > 1 && renderer->gpu_bytes > renderer->gpu_budget_bytes) {
		evict(renderer);
	}
	tell(renderer);
	return gpu;
}

void gpu_rigs_finish(struct renderer *renderer) {
	while (renderer->rig_count > 0) {
		drop(renderer, 0);
	}
}
