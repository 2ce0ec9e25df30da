// Materials, textures, samplers and images.
#include "export/surface.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

static void begin_object(struct json_writer *json, const char *name) {
	json_write_key(json, name);
	json_write_begin_object(json);
}

static struct json_writer *materials_json(struct glb *glb) {
	return &glb->lists[GLB_MATERIALS].json;
}

static void write_factor(struct json_writer *json, const struct material *material,
	const struct material_factor *factor) {
	const float *values = material_factor_of(material, factor);
	if (factor->count == 1) {
		json_write_member_float(json, factor->gltf, *values);
	} else {
		json_write_member_floats(json, factor->gltf, values, (size_t)factor->count);
	}
}

/* The factors that lie in a texture's object, or with texture -1 in a group's: those that are not
 * the default, and in core glTF's most common object all. */
static void write_factors(struct json_writer *json, const struct material *material,
	enum material_group group, int texture) {
	for (int i = 0; i < material_factor_count; i++) {
		const struct material_factor *factor = &material_factors[i];
		if (factor->group == group && factor->texture == texture &&
			(group == MATERIAL_SURFACE ||
				!material_factor_is_default(material, factor))) {
			write_factor(json, material, factor);
		}
	}
}

static void write_transform(struct glb *glb, const struct texture_slot *slot) {
	struct json_writer *json = materials_json(glb);
	glb_use_extension(glb, "KHR_texture_transform");
	begin_object(json, "extensions");
	begin_object(json, "KHR_texture_transform");
	json_write_member_floats(json, "offset", slot->offset, 2);
	json_write_member_float(json, "rotation", slot->rotation_rad);
	json_write_member_floats(json, "scale", slot->scale, 2);
	json_write_end_object(json);
	json_write_end_object(json);
}

static void write_texture(struct glb *glb, const struct material *material, enum texture_use use) {
	const struct material_texture *row = &material_textures[use];
	const struct texture_slot *slot = &material->textures[use];
	struct json_writer *json = materials_json(glb);
	begin_object(json, row->gltf);
	json_write_member_integer(json, "index", slot->texture);
	if (slot->texcoords > 0) {
		json_write_member_integer(json, "texCoord", slot->texcoords);
	}
	write_factors(json, material, row->group, (int)use);
	if (texture_slot_transforms(slot)) {
		write_transform(glb, slot);
	}
	json_write_end_object(json);
}

/* The members of a group's object. */
static void write_group(
	struct glb *glb, const struct material *material, enum material_group group) {
	write_factors(materials_json(glb), material, group, -1);
	for (enum texture_use use = 0; use < TEXTURE_USE_COUNT; use++) {
		if (material_textures[use].group == group && material->textures[use].texture >= 0) {
			write_texture(glb, material, use);
		}
	}
}

static bool has_group(const struct material *material, enum material_group group) {
	if (group == MATERIAL_MTOON) {
		return material->mtoon;
	}
	for (int i = 0; i < material_factor_count; i++) {
		const struct material_factor *factor = &material_factors[i];
		if (factor->group == group && factor->texture < 0 &&
			!material_factor_is_default(material, factor)) {
			return true;
		}
	}
	for (int use = 0; use < TEXTURE_USE_COUNT; use++) {
		if (material_textures[use].group == group && material->textures[use].texture >= 0) {
			return true;
		}
	}
	return false;
}

static void write_alpha(struct json_writer *json, const struct material *material) {
	static const char *const modes[] = {
		[ALPHA_OPAQUE] = "OPAQUE",
		[ALPHA_MASK] = "MASK",
		[ALPHA_BLEND] = "BLEND",
	};
	if (material->alpha_mode != ALPHA_OPAQUE) {
		json_write_member_string(json, "alphaMode", modes[material->alpha_mode]);
	}
	if (material->alpha_mode == ALPHA_MASK) {
		// Nothing is below a negative cutoff, as nothing is below 0; glTF wants the latter.
		json_write_member_float(json, "alphaCutoff", fmaxf(material->alpha_cutoff, 0));
	}
}

static bool has_extensions(const struct material *material) {
	for (int group = MATERIAL_EMISSIVE_STRENGTH; group < MATERIAL_GROUP_COUNT; group++) {
		if (has_group(material, (enum material_group)group)) {
			return true;
		}
	}
	return material->unlit;
}

static void begin_extension(struct glb *glb, const char *name) {
	glb_use_extension(glb, name);
	begin_object(materials_json(glb), name);
}

/* The members of MToon's object that are no factors and no textures. */
static void write_toon(struct json_writer *json, const struct material *material) {
	json_write_member_string(json, "specVersion", "1.0");
	if (material->transparent_with_z_write) {
		json_write_member_bool(json, "transparentWithZWrite", true);
	}
	if (material->render_queue_offset != 0) {
		json_write_member_integer(
			json, "renderQueueOffsetNumber", material->render_queue_offset);
	}
	if (material->outline_mode != OUTLINE_NONE) {
		json_write_member_string(
			json, "outlineWidthMode", outline_mode_names[material->outline_mode]);
	}
}

static void write_extensions(struct glb *glb, const struct material *material) {
	struct json_writer *json = materials_json(glb);
	if (!has_extensions(material)) {
		return;
	}
	begin_object(json, "extensions");
	for (int group = MATERIAL_EMISSIVE_STRENGTH; group < MATERIAL_GROUP_COUNT; group++) {
		if (has_group(material, (enum material_group)group)) {
			begin_extension(glb, material_groups[group]);
			if (group == MATERIAL_MTOON) {
				write_toon(json, material);
			}
			write_group(glb, material, (enum material_group)group);
			json_write_end_object(json);
		}
	}
	if (material->unlit) {
		begin_extension(glb, "KHR_materials_unlit");
		json_write_end_object(json);
	}
	json_write_end_object(json);
}

static void add_material(struct glb *glb, const struct material *material) {
	struct json_writer *json = glb_begin(glb, GLB_MATERIALS);
	if (material->name && material->name[0]) {
		json_write_member_string(json, "name", material->name);
	}
	begin_object(json, material_groups[MATERIAL_SURFACE]);
	write_group(glb, material, MATERIAL_SURFACE);
	json_write_end_object(json);
	write_group(glb, material, MATERIAL_CORE);
	write_alpha(json, material);
	if (material->double_sided) {
		json_write_member_bool(json, "doubleSided", true);
	}
	write_extensions(glb, material);
	json_write_end_object(json);
}

/* GL's numbers, which are glTF's. */
#define NEAREST 9728
#define LINEAR 9729
#define LINEAR_MIPMAP_LINEAR 9987

static void add_sampler(struct glb *glb, const struct texture *texture) {
	static const int wraps[] = {
		[WRAP_REPEAT] = 10497, [WRAP_CLAMP] = 33071, [WRAP_MIRROR] = 33648};
	const int plain = texture->nearest ? NEAREST : LINEAR;
	struct json_writer *json = glb_begin(glb, GLB_SAMPLERS);
	json_write_member_integer(json, "magFilter", plain);
	json_write_member_integer(
		json, "minFilter", texture->no_mipmaps ? plain : LINEAR_MIPMAP_LINEAR);
	json_write_member_integer(json, "wrapS", wraps[texture->wrap_u]);
	json_write_member_integer(json, "wrapT", wraps[texture->wrap_v]);
	json_write_end_object(json);
}

/* Each texture has a sampler of its own. */
static void add_texture(struct glb *glb, const struct texture *texture) {
	add_sampler(glb, texture);
	struct json_writer *json = glb_begin(glb, GLB_TEXTURES);
	json_write_member_integer(json, "source", texture->image);
	json_write_member_integer(json, "sampler", glb->lists[GLB_SAMPLERS].count - 1);
	json_write_end_object(json);
}

static bool add_image(struct glb *glb, const struct export_job *job, const struct image *image,
	struct buffer *picture, struct error *err) {
	const bool encoded_here = image->kind == IMAGE_PIXELS;
	if (encoded_here && !job->encode(image, picture, err)) {
		return false;
	}
	const int view = encoded_here
		? glb_add_view(glb, picture->data, picture->size, 0, GLB_NO_TARGET)
		: glb_add_view(glb, image->encoded, image->encoded_bytes, 0, GLB_NO_TARGET);
	struct json_writer *json = glb_begin(glb, GLB_IMAGES);
	json_write_member_integer(json, "bufferView", view);
	json_write_member_string(
		json, "mimeType", image->kind == IMAGE_JPEG ? "image/jpeg" : "image/png");
	json_write_end_object(json);
	return true;
}

bool surface_add_all(
	struct glb *glb, const struct export_job *job, struct buffer *pictures, struct error *err) {
	const struct rig *rig = job->rig;
	for (int i = 0; i < rig->material_count; i++) {
		add_material(glb, &rig->materials[i]);
	}
	for (int i = 0; i < rig->texture_count; i++) {
		add_texture(glb, &rig->textures[i]);
	}
	for (int i = 0; i < rig->image_count; i++) {
		if (!add_image(glb, job, &rig->images[i], &pictures[i], err)) {
			return false;
		}
	}
	return true;
}
