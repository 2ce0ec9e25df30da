// The renderer's life.
#include "state/state.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "interface/report.h"
#include "state/context.h"

#define GPU_BUDGET_BYTES ((size_t)512 << 20)

struct renderer *renderer_begin(const struct renderer_options *options) {
	struct renderer *renderer = xcalloc(1, sizeof *renderer);
	renderer->choice = options->choice;
	renderer->display = options->display;
	renderer->gpu_budget_bytes =
		options->gpu_budget_bytes ? options->gpu_budget_bytes : GPU_BUDGET_BYTES;
	renderer->owns_library = !options->library;
	renderer->library = options->library ? options->library : skin_library_create(NULL, 0);
	renderer->known_memory = arena_create();
	srgb_tables_init(&renderer->srgb);
	return renderer;
}

struct renderer *renderer_create(const struct renderer_options *options, struct error *err) {
	struct renderer *renderer = renderer_begin(options);
	struct error why = {0};
	if (!context_start(renderer, &why)) {
		if (options->choice != RENDERER_AUTO) {
			renderer_destroy(renderer);
			error_set(err, why.code, "%s", why.text);
			return NULL;
		}
		log_line(LOG_WARNING, "no pictures, skinning on the CPU only: %s", why.text);
	}
	return renderer;
}

static void finish_scratches(struct renderer *renderer) {
	scratch_finish(&renderer->vertices);
	scratch_finish(&renderer->morphed);
	scratch_finish(&renderer->displaced);
	scratch_finish(&renderer->joined[0]);
	scratch_finish(&renderer->joined[1]);
	scratch_finish(&renderer->joined[2]);
}

void renderer_release_buffers(struct renderer *renderer) {
	finish_scratches(renderer);
	if (renderer->back_end) {
		renderer->back_end->kind->release_buffers(renderer->back_end);
	}
}

void renderer_destroy(struct renderer *renderer) {
	if (!renderer) {
		return;
	}
	context_stop(renderer);
	finish_scratches(renderer);
	if (renderer->owns_library) {
		skin_library_destroy(renderer->library);
	}
	arena_destroy(renderer->known_memory);
	free(renderer);
}

bool renderer_has_shaders(const struct renderer_info *info) {
	return strcmp(info->device, "gpu") == 0 || strcmp(info->device, "software") == 0;
}

bool renderer_uses_gpu(const struct renderer_info *info, const struct skinning_settings *settings) {
	// A software driver runs compute shaders at a quarter of the CPU kernels' speed.
	return settings->device == DEVICE_GPU ||
		(settings->device == DEVICE_AUTO && strcmp(info->device, "gpu") == 0);
}

const struct renderer_info *renderer_info(const struct renderer *renderer) {
	return atomic_load(&renderer->info);
}

float *scratch_get(struct scratch *scratch, size_t count) {
	// Never NULL, not even for a rig without vertices: callers add offsets to what they get.
	if (count > scratch->count || !scratch->data) {
		scratch_finish(scratch);
		struct error err = {0};
		scratch->data = try_calloc(count + 1, sizeof(float), "vertices", &err);
		if (!scratch->data) {
			abort();
		}
		scratch->count = count;
	}
	return scratch->data;
}

void scratch_finish(struct scratch *scratch) {
	free(scratch->data);
	*scratch = (struct scratch){0};
}
