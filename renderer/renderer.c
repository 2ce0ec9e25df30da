// The renderer's life, and what needs no context: assets, poses, the list of methods.
#include "renderer.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/mat.h"
#include "base/memory.h"
#include "import/import.h"
#include "renderer_internal.h"

#define GPU_BUDGET_BYTES ((size_t)512 << 20)

/* Products of finite numbers need not be. */
static bool bounds_are_finite(const struct rig *rig) {
	for (int k = 0; rig->vertex_count > 0 && k < 3; k++) {
		if (!isfinite(rig->bounds.min[k]) || !isfinite(rig->bounds.max[k])) {
			return false;
		}
	}
	return true;
}

struct rig *renderer_import(const void *bytes, size_t size, struct error *err) {
	struct rig *rig = import_rig(bytes, size, err);
	if (rig) {
		struct arena *arena = arena_create();
		const struct pose pose = pose_rest(rig, arena);
		rig->bounds = pose_bounds(rig, &pose, skin_method(0));
		arena_destroy(arena);
		if (!bounds_are_finite(rig)) {
			rig_release(rig);
			error_set(err, ERROR_BROKEN_ASSET,
				"the rest pose takes vertices farther than float32 reaches");
			return NULL;
		}
	}
	return rig;
}

int renderer_triangle_count(const struct rig *rig) {
	int count = 0;
	for (int i = 0; i < rig->primitive_count; i++) {
		const struct primitive *primitive = &rig->primitives[i];
		if (primitive->topology == TOPOLOGY_TRIANGLES) {
			count += (primitive->index_count > 0 ? primitive->index_count
							     : primitive->vertex_count) /
				3;
		}
	}
	return count;
}

bool renderer_pose(const struct rig *rig, const struct value *pose, struct arena *arena,
	struct posed_joints *out, struct error *err) {
	struct pose_context context = {.rig = rig, .arena = arena};
	struct pose posed;
	if (!pose_evaluate(&context, pose, &posed, err)) {
		return false;
	}
	double(*world)[12] = arena_alloc(arena, (size_t)rig->joint_count, sizeof *world);
	pose_to_world(rig, &posed, world);
	if (!pose_check_world(rig, (const double(*)[12])world, err)) {
		return false;
	}
	out->count = rig->joint_count;
	out->local = posed.local;
	out->world = world;
	return true;
}

void renderer_world_columns(const double world[static 12], float columns[static 16]) {
	mat_to_columns(world, columns);
}

bool renderer_method(size_t i, struct renderer_method *out) {
	const struct skinning_method *method = skin_method(i);
	if (!method) {
		return false;
	}
	*out = (struct renderer_method){
		.id = method->id,
		.title = method->title,
		.on_gpu = method->shader != NULL,
		.on_cpu = method->skin != NULL,
	};
	return true;
}

bool renderer_check_skinning(const struct skinning_settings *settings, struct error *err) {
	return skin_method_find(settings->method, err) != NULL;
}

static bool start_context(
	struct renderer *renderer, const struct renderer_options *options, struct error *err) {
	const struct egl_wish wish = {
		.allow_gpu = options->choice != RENDERER_SOFTWARE,
		.allow_software = options->choice != RENDERER_GPU,
		.display = options->display,
	};
	renderer->egl = egl_create(&wish, err);
	if (!renderer->egl) {
		return false;
	}
	renderer->skin = gpu_skin_create(err);
	renderer->draw = renderer->skin ? draw_create(egl_is_software(renderer->egl), err) : NULL;
	renderer->resolver = renderer->draw ? resolver_create(err) : NULL;
	if (!renderer->resolver) {
		return false;
	}
	renderer->max_size = target_max_size();
	renderer->info = (struct renderer_info){
		.vendor = (const char *)glGetString(GL_VENDOR),
		.renderer = (const char *)glGetString(GL_RENDERER),
		.version = (const char *)glGetString(GL_VERSION),
		.device = egl_is_software(renderer->egl) ? "software" : "gpu",
		.max_samples = target_max_samples(),
	};
	return true;
}

static void stop_context(struct renderer *renderer) {
	if (!renderer->egl) {
		return;
	}
	assert(egl_is_current(renderer->egl));
	gpu_rigs_finish(renderer);
	target_destroy(renderer->target);
	resolver_destroy(renderer->resolver);
	draw_destroy(renderer->draw);
	gpu_skin_destroy(renderer->skin);
	egl_destroy(renderer->egl);
	renderer->target = NULL;
	renderer->resolver = NULL;
	renderer->draw = NULL;
	renderer->skin = NULL;
	renderer->egl = NULL;
}

struct renderer *renderer_create(const struct renderer_options *options, struct error *err) {
	struct renderer *renderer = xcalloc(1, sizeof *renderer);
	renderer->gpu_budget_bytes =
		options->gpu_budget_bytes ? options->gpu_budget_bytes : GPU_BUDGET_BYTES;
	srgb_tables_init(&renderer->srgb);
	struct error why = {0};
	if (options->choice == RENDERER_NONE || !start_context(renderer, options, &why)) {
		stop_context(renderer);
		renderer->info = (struct renderer_info){
			.vendor = "", .renderer = "", .version = "", .device = "none"};
	}
	if (why.code != ERROR_NONE && options->choice != RENDERER_AUTO) {
		renderer_destroy(renderer);
		error_set(err, ERROR_NO_RENDERER, "%s", why.text);
		return NULL;
	}
	if (why.code != ERROR_NONE) {
		log_line(LOG_WARNING, "no pictures, skinning on the CPU only: %s", why.text);
	}
	return renderer;
}

void renderer_destroy(struct renderer *renderer) {
	if (!renderer) {
		return;
	}
	stop_context(renderer);
	scratch_finish(&renderer->vertices);
	scratch_finish(&renderer->morphed);
	free(renderer);
}

const struct renderer_info *renderer_info(const struct renderer *renderer) {
	return &renderer->info;
}
