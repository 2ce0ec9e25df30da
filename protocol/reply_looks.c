// Materials, lights and cameras of a rig as JSON.
#include "reply_looks.h"

#include <string.h>

static void write_factor(struct json_writer *json, const struct factor_description *factor) {
	if (factor->count == 1) {
		json_write_member_float(json, factor->name, factor->values[0]);
	} else {
		json_write_member_floats(json, factor->name, factor->values, factor->count);
	}
}

static void write_texture(struct json_writer *json, const struct texture_description *texture) {
	json_write_key(json, texture->use);
	json_write_begin_object(json);
	json_write_member_integer(json, "width", texture->width);
	json_write_member_integer(json, "height", texture->height);
	json_write_member_integer(json, "texcoords", texture->texcoords);
	if (texture->transformed) {
		json_write_member_floats(json, "offset", texture->offset, 2);
		json_write_member_float(json, "rotation", texture->rotation_rad);
		json_write_member_floats(json, "scale", texture->scale, 2);
	}
	json_write_end_object(json);
}

static void write_toon(struct json_writer *json, const struct material_description *material) {
	if (material->mtoon) {
		json_write_member_bool(json, "mtoon", true);
	}
	if (material->transparent_with_z_write) {
		json_write_member_bool(json, "transparent_with_z_write", true);
	}
	if (material->outline_width_mode) {
		json_write_member_string(json, "outline_width_mode", material->outline_width_mode);
	}
	if (material->render_queue_offset != 0) {
		json_write_member_integer(
			json, "render_queue_offset", material->render_queue_offset);
	}
}

static void write_material(struct json_writer *json, const struct material_description *material) {
	json_write_begin_object(json);
	json_write_member_string(json, "name", material->name);
	json_write_member_floats(json, "base_color", material->base_color, 4);
	json_write_member_string(json, "alpha_mode", material->alpha_mode);
	if (strcmp(material->alpha_mode, "mask") == 0) {
		json_write_member_float(json, "alpha_cutoff", material->alpha_cutoff);
	}
	json_write_member_bool(json, "double_sided", material->double_sided);
	json_write_member_bool(json, "unlit", material->unlit);
	json_write_member_bool(json, "texture", material->texture);
	write_toon(json, material);
	for (size_t i = 0; i < material->factor_count; i++) {
		write_factor(json, &material->factors[i]);
	}
	json_write_key(json, "textures");
	json_write_begin_object(json);
	for (size_t i = 0; i < material->texture_count; i++) {
		write_texture(json, &material->textures[i]);
	}
	json_write_end_object(json);
	json_write_end_object(json);
}

void reply_write_materials(
	struct json_writer *json, const struct material_description *materials, size_t count) {
	json_write_key(json, "materials");
	json_write_begin_list(json);
	for (size_t i = 0; i < count; i++) {
		write_material(json, &materials[i]);
	}
	json_write_end_list(json);
}

static void write_place(struct json_writer *json, const struct place_description *place) {
	json_write_member_string(json, "name", place->name);
	json_write_member_integer(json, "index", place->index);
	json_write_member_integer(json, "node", place->node);
	json_write_member_string(json, "joint", place->joint);
}

static void write_light(struct json_writer *json, const struct light_description *light) {
	json_write_begin_object(json);
	write_place(json, &light->place);
	json_write_member_string(json, "type", light->kind);
	json_write_member_floats(json, "color", light->color, 3);
	json_write_member_float(json, "intensity", light->intensity);
	if (light->range > 0) {
		json_write_member_float(json, "range", light->range);
	}
	if (light->cone) {
		json_write_member_double(json, "inner_angle", light->inner_deg);
		json_write_member_double(json, "outer_angle", light->outer_deg);
	}
	json_write_end_object(json);
}

void reply_write_lights(
	struct json_writer *json, const struct light_description *lights, size_t count) {
	json_write_key(json, "lights");
	json_write_begin_list(json);
	for (size_t i = 0; i < count; i++) {
		write_light(json, &lights[i]);
	}
	json_write_end_list(json);
}

static void write_lens(struct json_writer *json, const struct camera_description *camera) {
	if (camera->orthographic) {
		json_write_member_string(json, "type", "orthographic");
		json_write_member_double(json, "width", camera->width);
		json_write_member_double(json, "height", camera->height);
		return;
	}
	json_write_member_string(json, "type", "perspective");
	json_write_member_double(json, "fov", camera->fov_deg);
	if (camera->aspect > 0) {
		json_write_member_float(json, "aspect", camera->aspect);
	}
}

static void write_camera(struct json_writer *json, const struct camera_description *camera) {
	json_write_begin_object(json);
	write_place(json, &camera->place);
	write_lens(json, camera);
	json_write_member_float(json, "near", camera->near);
	if (camera->far > 0) {
		json_write_member_float(json, "far", camera->far);
	}
	json_write_end_object(json);
}

void reply_write_cameras(
	struct json_writer *json, const struct camera_description *cameras, size_t count) {
	json_write_key(json, "cameras");
	json_write_begin_list(json);
	for (size_t i = 0; i < count; i++) {
		write_camera(json, &cameras[i]);
	}
	json_write_end_list(json);
}
