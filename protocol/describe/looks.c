// Materials, lights and cameras of a rig for its description.
#include "describe/describe.h"

#include <math.h>
#include <string.h>

#define DEGREES (180 / M_PI)

static const char *text_of(const char *text) {
	return text ? text : "";
}

/* Factors that a reader may expect of every material: core glTF's own. The others are told where
 * they are not the default. */
static bool is_told(const struct material *material, const struct material_factor *factor) {
	const bool core = factor->texture < 0 &&
		(factor->group == MATERIAL_CORE || factor->group == MATERIAL_SURFACE);
	return core || !material_factor_is_default(material, factor);
}

static void describe_factors(
	const struct material *material, struct arena *arena, struct material_description *out) {
	struct factor_description *factors =
		arena_alloc(arena, (size_t)material_factor_count, sizeof *factors);
	for (int i = 0; i < material_factor_count; i++) {
		const struct material_factor *factor = &material_factors[i];
		if (factor->at != offsetof(struct material, base_color) &&
			is_told(material, factor)) {
			factors[out->factor_count++] = (struct factor_description){
				.name = factor->name,
				.values = material_factor_of(material, factor),
				.count = (size_t)factor->count,
			};
		}
	}
	out->factors = factors;
}

static void describe_textures(const struct rig *rig, const struct material *material,
	struct arena *arena, struct material_description *out) {
	struct texture_description *textures =
		arena_alloc(arena, TEXTURE_USE_COUNT, sizeof *textures);
	for (int use = 0; use < TEXTURE_USE_COUNT; use++) {
		const struct texture_slot *slot = &material->textures[use];
		if (slot->texture < 0) {
			continue;
		}
		const struct image *image = &rig->images[rig->textures[slot->texture].image];
		textures[out->texture_count++] = (struct texture_description){
			.use = material_textures[use].name,
			.width = image->width,
			.height = image->height,
			.texcoords = slot->texcoords,
			.transformed = texture_slot_transforms(slot),
			.offset = {slot->offset[0], slot->offset[1]},
			.rotation_rad = slot->rotation_rad,
			.scale = {slot->scale[0], slot->scale[1]},
		};
	}
	out->textures = textures;
}

static const struct material_description *describe_materials(
	const struct rig *rig, struct arena *arena) {
	static const char *const modes[] = {
		[ALPHA_OPAQUE] = "opaque", [ALPHA_MASK] = "mask", [ALPHA_BLEND] = "blend"};
	struct material_description *out =
		arena_alloc(arena, (size_t)rig->material_count, sizeof *out);
	for (int i = 0; i < rig->material_count; i++) {
		const struct material *material = &rig->materials[i];
		out[i] = (struct material_description){
			.name = text_of(material->name),
			.alpha_mode = modes[material->alpha_mode],
			.alpha_cutoff = material->alpha_cutoff,
			.double_sided = material->double_sided,
			.unlit = material->unlit,
			.mtoon = material->mtoon,
			.transparent_with_z_write = material->transparent_with_z_write,
			.outline_width_mode = material->outline_mode != OUTLINE_NONE
				? outline_mode_names[material->outline_mode]
				: NULL,
			.render_queue_offset = material->render_queue_offset,
			.texture = material->textures[TEXTURE_BASE_COLOR].texture >= 0,
		};
		memcpy(out[i].base_color, material->base_color, sizeof out[i].base_color);
		describe_factors(material, arena, &out[i]);
		describe_textures(rig, material, arena, &out[i]);
	}
	return out;
}

static struct place_description describe_place(
	const struct rig *rig, const char *name, int index, int joint) {
	return (struct place_description){
		.name = text_of(name),
		.index = index,
		.node = rig->joints[joint].index,
		.joint = rig->joints[joint].name,
	};
}

static const struct light_description *describe_lights(const struct rig *rig, struct arena *arena) {
	static const char *const kinds[] = {[LIGHT_DIRECTIONAL] = "directional",
		[LIGHT_POINT] = "point",
		[LIGHT_SPOT] = "spot"};
	struct light_description *out = arena_alloc(arena, (size_t)rig->light_count, sizeof *out);
	for (int i = 0; i < rig->light_count; i++) {
		const struct light *light = &rig->lights[i];
		out[i] = (struct light_description){
			.place = describe_place(rig, light->name, light->index, light->joint),
			.kind = kinds[light->kind],
			.color = {light->color[0], light->color[1], light->color[2]},
			.intensity = light->intensity,
			.range = light->range,
			.cone = light->kind == LIGHT_SPOT,
			.inner_deg = (double)light->inner_rad * DEGREES,
			.outer_deg = (double)light->outer_rad * DEGREES,
		};
	}
	return out;
}

static const struct camera_description *describe_cameras(
	const struct rig *rig, struct arena *arena) {
	struct camera_description *out = arena_alloc(arena, (size_t)rig->camera_count, sizeof *out);
	for (int i = 0; i < rig->camera_count; i++) {
		const struct file_camera *camera = &rig->cameras[i];
		out[i] = (struct camera_description){
			.place = describe_place(rig, camera->name, camera->index, camera->joint),
			.orthographic = camera->orthographic,
			.fov_deg = (double)camera->yfov_rad * DEGREES,
			.aspect = camera->aspect,
			.width = 2 * (double)camera->xmag,
			.height = 2 * (double)camera->ymag,
			.near = camera->near,
			.far = camera->far,
		};
	}
	return out;
}

void describe_looks(const struct rig *rig, struct arena *arena, struct rig_description *out) {
	out->materials = describe_materials(rig, arena);
	out->material_count = (size_t)rig->material_count;
	out->lights = describe_lights(rig, arena);
	out->light_count = (size_t)rig->light_count;
	out->cameras = describe_cameras(rig, arena);
	out->camera_count = (size_t)rig->camera_count;
}
