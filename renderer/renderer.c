// Functions that need no context: assets, poses, the list of methods.
#include <math.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/mat.h"
#include "base/memory.h"
#include "import/image.h"
#include "import/import.h"
#include "import/space.h"
#include "interface/assets.h"
#include "interface/methods.h"
#include "interface/pictures.h"
#include "interface/poses.h"
#include "pose/motion/root.h"
#include "pose/operations.h"
#include "skinned/bounds.h"

/* Products of finite numbers need not be. */
static bool bounds_are_finite(const struct rig *rig) {
	for (int k = 0; rig->vertex_count > 0 && k < 3; k++) {
		if (!isfinite(rig->bounds.min[k]) || !isfinite(rig->bounds.max[k])) {
			return false;
		}
	}
	return true;
}

static bool fill_bounds(struct rig *rig, struct error *err) {
	struct arena *arena = arena_create();
	const struct pose pose = pose_rest(rig, arena);
	rig->bounds = rest_bounds(rig, &pose);
	arena_destroy(arena);
	return bounds_are_finite(rig) ||
		error_set(err, ERROR_BROKEN_ASSET,
			"the rest pose takes vertices farther than float32 reaches");
}

const struct asset_format *renderer_asset_format(size_t i) {
	return import_format(i);
}

size_t renderer_write_space(const struct asset_space *space, char line[static ASSET_SPACE_BYTES]) {
	return space_write(space, line);
}

bool renderer_is_asset_name(const char *name) {
	return import_is_named(name);
}

bool renderer_is_foreign(const void *bytes, size_t size) {
	return import_is_foreign(bytes, size);
}

void renderer_import_prepare(const void *bytes, size_t size) {
	import_prepare(bytes, size);
}

struct rig *renderer_import(const void *bytes, size_t size, struct error *err) {
	struct rig *rig = import_rig(bytes, size, err);
	if (rig && !fill_bounds(rig, err)) {
		rig_release(rig);
		return NULL;
	}
	return rig;
}

struct rig *renderer_import_lenient(
	const void *bytes, size_t size, struct asset_facts **facts, struct error *err) {
	struct rig *rig = import_rig_lenient(bytes, size, facts, err);
	if (rig && !fill_bounds(rig, err)) {
		rig_release(rig);
		asset_facts_destroy(*facts);
		*facts = NULL;
		return NULL;
	}
	return rig;
}

bool renderer_picture_read(const void *bytes, size_t size, int width, int height,
	struct buffer *rgba, struct error *err) {
	struct image image;
	const size_t pixel_bytes = (size_t)width * (size_t)height * 4;
	if (!image_decode(bytes, size, pixel_bytes, &image, err)) {
		return false;
	}
	const bool fits = image.width == width && image.height == height;
	if (fits) {
		buffer_append(rgba, image.rgba, pixel_bytes);
	}
	free(image.rgba);
	return fits ||
		error_set(err, ERROR_INVALID_VALUE, "the picture has %d by %d pixels, not %d by %d",
			image.width, image.height, width, height);
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

bool renderer_pose(const struct posed_subject *subject, struct arena *arena,
	struct posed_joints *out, struct error *err) {
	const struct rig *rig = subject->rig;
	struct pose_run run = {.arena = arena, .sources = subject->sources, .stop = subject->stop};
	struct pose_context context = pose_context_make(rig, arena, &run);
	struct pose posed;
	if (!pose_evaluate(&context, subject->pose, &posed, err)) {
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
	out->has_root_motion = root_of_pose(rig, &posed, out->root_translation, out->root_rotation);
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
		.on_gpu = true,
		.on_cpu = true,
		.needs_examples = method->recipe && method->recipe->needs_examples,
		.needs_clip = method->recipe && method->recipe->needs_clip,
		.is_expensive = method->recipe && method->recipe->keep,
		.is_base = skin_method_is_base(method),
		.cuts_mesh = method->recipe && method->recipe->makes_rig,
		.options = method->options,
	};
	skin_plan_normals(method, out->normals);
	return true;
}

bool renderer_operation(size_t i, struct renderer_operation *out) {
	const struct operation *operation = operation_at(i);
	if (!operation) {
		return false;
	}
	*out = (struct renderer_operation){operation->name, operation->title};
	return true;
}

bool renderer_pose_is_quick(const struct value *expression) {
	return pose_is_quick(expression);
}

const char *renderer_default_method(const struct rig *rig) {
	return skin_plan_default_method(rig)->id;
}

bool renderer_check_skinning(const struct skinning_settings *settings, struct error *err) {
	return skin_plan_check(NULL, settings, err);
}
