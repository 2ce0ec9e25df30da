// Materials, textures, samplers and images.
#include "export/surface.h"

#include <math.h>

static void begin_object(struct json_writer *json, const char *name) {
	json_write_key(json, name);
	json_write_begin_object(json);
}

static void write_base(struct json_writer *json, const struct material *material) {
	begin_object(json, "pbrMetallicRoughness");
	json_write_member_floats(json, "baseColorFactor", material->base_color, 4);
	if (material->texture >= 0) {
		begin_object(json, "baseColorTexture");
		json_write_member_integer(json, "index", material->texture);
		json_write_end_object(json);
	}
	json_write_member_float(json, "metallicFactor", material->metallic);
	json_write_member_float(json, "roughnessFactor", material->roughness);
	json_write_end_object(json);
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

static void add_material(struct glb *glb, const struct material *material) {
	struct json_writer *json = glb_begin(glb, GLB_MATERIALS);
	const float *light = material->emissive;
	if (material->name && material->name[0]) {
		json_write_member_string(json, "name", material->name);
	}
	write_base(json, material);
	if (light[0] > 0 || light[1] > 0 || light[2] > 0) {
		json_write_member_floats(json, "emissiveFactor", light, 3);
	}
	write_alpha(json, material);
	if (material->double_sided) {
		json_write_member_bool(json, "doubleSided", true);
	}
	if (material->unlit) {
		glb_use_extension(glb, "KHR_materials_unlit");
		begin_object(json, "extensions");
		begin_object(json, "KHR_materials_unlit");
		json_write_end_object(json);
		json_write_end_object(json);
	}
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
