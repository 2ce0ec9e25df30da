// Answers about rigs and the service as JSON.
#include "reply.h"

#include <string.h>

#include "base/check_profile.h"
#include "limits.h"
#include "version.h"

static void write_summary(struct json_writer *json, const struct rig_summary *rig) {
	json_write_begin_object(json);
	json_write_member_string(json, "name", rig->name);
	if (rig->content) {
		json_write_member_string(json, "content", rig->content);
	} else {
		json_write_key(json, "content");
		json_write_null(json);
	}
	json_write_member_integer(json, "vertices", rig->vertices);
	json_write_member_integer(json, "joints", rig->joints);
	json_write_member_integer(json, "clips", rig->clips);
	if (rig->damaged) {
		json_write_member_bool(json, "damaged", true);
	}
	const char *warnings[3];
	size_t count = 0;
	if (rig->empty_warning) {
		warnings[count++] = rig->empty_warning;
	}
	for (size_t i = 0; i < 2; i++) {
		if (rig->warnings[i]) {
			warnings[count++] = rig->warnings[i];
		}
	}
	if (count > 0) {
		json_write_member_strings(json, "warnings", warnings, count);
	}
	json_write_end_object(json);
}

void reply_write_summary(const struct rig_summary *rig, struct buffer *out) {
	struct json_writer json = {.out = out};
	write_summary(&json, rig);
}

void reply_write_list(const struct rig_summary *rigs, size_t count, struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	json_write_key(&json, "rigs");
	json_write_begin_list(&json);
	for (size_t i = 0; i < count; i++) {
		write_summary(&json, &rigs[i]);
	}
	json_write_end_list(&json);
	json_write_end_object(&json);
}

static void write_bounds(struct json_writer *json, const struct box *box) {
	json_write_key(json, "bounds");
	if (!box->exists) {
		json_write_null(json);
		return;
	}
	json_write_begin_object(json);
	json_write_member_doubles(json, "min", box->min, 3);
	json_write_member_doubles(json, "max", box->max, 3);
	json_write_end_object(json);
}

static void write_joint(struct json_writer *json, const struct joint_description *joint) {
	json_write_begin_object(json);
	json_write_member_string(json, "name", joint->name);
	json_write_member_integer(json, "index", joint->index);
	json_write_member_integer(json, "parent", joint->parent);
	json_write_member_floats(json, "translation", joint->translation, 3);
	json_write_member_floats(json, "rotation", joint->rotation, 4);
	json_write_member_floats(json, "scale", joint->scale, 3);
	json_write_member_bool(json, "needless", joint->needless);
	if (joint->weight_count > 0) {
		json_write_member_floats(
			json, "weights", joint->weights, (size_t)joint->weight_count);
	}
	json_write_end_object(json);
}

static void write_primitive(
	struct json_writer *json, const struct primitive_description *primitive) {
	json_write_begin_object(json);
	json_write_member_integer(json, "node", primitive->node);
	json_write_member_integer(json, "mesh", primitive->mesh);
	json_write_member_integer(json, "primitive", primitive->primitive);
	json_write_member_integer(json, "first_vertex", primitive->first_vertex);
	json_write_member_integer(json, "vertex_count", primitive->vertex_count);
	json_write_member_integer(json, "index_count", primitive->index_count);
	json_write_member_bool(json, "skinned", primitive->skinned);
	json_write_member_integer(json, "material", primitive->material);
	json_write_end_object(json);
}

void reply_write_compression(struct json_writer *json, const struct clip_compression *compression) {
	if (compression) {
		json_write_key(json, "compressed");
		json_write_begin_object(json);
		json_write_member_integer(json, "bytes", (int64_t)compression->bytes);
		json_write_member_double(json, "tolerance", compression->tolerance_m);
		json_write_member_double(json, "error", compression->error_m);
		json_write_member_double(json, "shell", compression->shell_m);
		json_write_end_object(json);
	}
}

static void write_clip(struct json_writer *json, const struct clip_description *clip) {
	json_write_begin_object(json);
	json_write_member_string(json, "name", clip->name);
	json_write_member_integer(json, "index", clip->index);
	json_write_key(json, "duration");
	json_write_double(json, clip->duration_s);
	json_write_member_integer(json, "channels", clip->channels);
	json_write_member_integer(json, "bytes", (int64_t)clip->bytes);
	if (clip->stored) {
		json_write_member_bool(json, "stored", true);
	}
	reply_write_compression(json, clip->compression);
	if (clip->bounds) {
		write_bounds(json, clip->bounds);
	}
	json_write_end_object(json);
}

static void write_clips(
	struct json_writer *json, const struct clip_description *clips, size_t count) {
	json_write_key(json, "clips");
	json_write_begin_list(json);
	for (size_t i = 0; i < count; i++) {
		write_clip(json, &clips[i]);
	}
	json_write_end_list(json);
}

void reply_write_clips(const struct clip_description *clips, size_t count, struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	write_clips(&json, clips, count);
	json_write_end_object(&json);
}

static void write_skinning(
	struct json_writer *json, const char *const *methods, const char *standard) {
	json_write_key(json, "skinning");
	json_write_begin_object(json);
	json_write_key(json, "methods");
	json_write_begin_list(json);
	for (size_t i = 0; methods[i]; i++) {
		json_write_string(json, methods[i]);
	}
	json_write_end_list(json);
	json_write_member_string(json, "default", standard);
	json_write_end_object(json);
}

void reply_write_description(const struct rig_description *rig, struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	json_write_member_string(&json, "name", rig->summary.name);
	json_write_member_string(&json, "content", rig->summary.content);
	json_write_member_integer(&json, "bytes", (int64_t)rig->summary.bytes);
	write_bounds(&json, &rig->bounds);
	json_write_key(&json, "joints");
	json_write_begin_list(&json);
	for (int i = 0; i < rig->summary.joints; i++) {
		write_joint(&json, &rig->joints[i]);
	}
	json_write_end_list(&json);
	json_write_key(&json, "primitives");
	json_write_begin_list(&json);
	for (size_t i = 0; i < rig->primitive_count; i++) {
		write_primitive(&json, &rig->primitives[i]);
	}
	json_write_end_list(&json);
	json_write_member_integer(&json, "vertices", rig->summary.vertices);
	json_write_member_integer(&json, "triangles", rig->triangles);
	write_clips(&json, rig->clips, (size_t)rig->summary.clips);
	reply_write_materials(&json, rig->materials, rig->material_count);
	reply_write_lights(&json, rig->lights, rig->light_count);
	reply_write_cameras(&json, rig->cameras, rig->camera_count);
	json_write_member_strings(&json, "warnings", rig->warnings, rig->warning_count);
	json_write_member_strings(&json, "variants", rig->variants, rig->variant_count);
	json_write_member_strings(&json, "examples", rig->examples, rig->example_count);
	write_skinning(&json, rig->methods, rig->default_method);
	if (rig->avatar) {
		reply_write_avatar(&json, rig->avatar);
	}
	json_write_end_object(&json);
}

static void write_renderer(struct json_writer *json, const struct renderer_description *renderer) {
	json_write_begin_object(json);
	json_write_member_string(json, "vendor", renderer->vendor);
	json_write_member_string(json, "renderer", renderer->renderer);
	json_write_member_string(json, "version", renderer->version);
	json_write_member_string(json, "device", renderer->device);
	json_write_end_object(json);
}

static void write_names(struct json_writer *json, const char *key, const char *const *names) {
	json_write_key(json, key);
	json_write_begin_list(json);
	for (; *names; names++) {
		json_write_string(json, *names);
	}
	json_write_end_list(json);
}

static void write_option(struct json_writer *json, const struct option_description *option) {
	json_write_begin_object(json);
	json_write_member_string(json, "name", option->name);
	json_write_member_string(json, "title", option->title);
	json_write_member_string(json, "type", option->type);
	if (option->choices) {
		write_names(json, "choices", option->choices);
		json_write_member_string(
			json, "default", option->choices[(size_t)option->standard]);
	} else if (strcmp(option->type, "boolean") == 0) {
		json_write_member_bool(json, "default", option->standard != 0);
	} else {
		json_write_key(json, "least");
		json_write_double(json, option->least);
		json_write_key(json, "most");
		json_write_double(json, option->most);
		json_write_key(json, "default");
		json_write_double(json, option->standard);
	}
	json_write_end_object(json);
}

static void write_method(struct json_writer *json, const struct method_description *method) {
	json_write_begin_object(json);
	json_write_member_string(json, "id", method->id);
	json_write_member_string(json, "title", method->title);
	json_write_key(json, "device");
	json_write_begin_list(json);
	if (method->on_gpu) {
		json_write_string(json, "gpu");
	}
	if (method->on_cpu) {
		json_write_string(json, "cpu");
	}
	json_write_end_list(json);
	json_write_member_bool(json, "cuts_mesh", method->cuts_mesh);
	write_names(json, "needs", method->needs);
	write_names(json, "normals", method->normals);
	json_write_key(json, "options");
	json_write_begin_list(json);
	for (size_t i = 0; i < method->option_count; i++) {
		write_option(json, &method->options[i]);
	}
	json_write_end_list(json);
	json_write_end_object(json);
}

static void write_limits(struct json_writer *json) {
	json_write_begin_object(json);
	json_write_member_integer(json, "asset_bytes", (int64_t)LIMIT_ASSET_BYTES);
	json_write_member_integer(json, "json_bytes", (int64_t)LIMIT_JSON_BYTES);
	json_write_member_integer(json, "json_values", LIMIT_JSON_VALUES);
	json_write_member_integer(json, "json_depth", LIMIT_JSON_DEPTH);
	json_write_member_integer(json, "name_bytes", LIMIT_NAME_BYTES);
	json_write_member_integer(json, "poses", LIMIT_POSES);
	json_write_member_integer(json, "crowd_instances", LIMIT_CROWD_FIGURES);
	json_write_member_integer(json, "crowd_rigs", LIMIT_CROWD_RIGS);
	json_write_member_integer(json, "crowd_vertices", (int64_t)LIMIT_CROWD_VERTICES);
	json_write_member_integer(json, "streams", LIMIT_STREAMS);
	json_write_member_integer(json, "client_streams", LIMIT_CLIENT_STREAMS);
	json_write_member_integer(json, "checks", LIMIT_CHECKS);
	json_write_member_integer(json, "client_checks", LIMIT_CLIENT_CHECKS);
	json_write_member_integer(json, "check_rigs", LIMIT_CHECK_RIGS);
	json_write_member_integer(json, "check_clips", LIMIT_CHECK_CLIPS);
	json_write_member_integer(json, "methods", LIMIT_METHODS);
	json_write_member_integer(json, "worst", LIMIT_WORST);
	json_write_member_integer(json, "examples", LIMIT_EXAMPLES);
	json_write_member_integer(json, "example_bytes", (int64_t)LIMIT_EXAMPLES_BYTES);
	json_write_member_integer(json, "clips", LIMIT_CLIPS);
	json_write_member_integer(json, "clip_bytes", (int64_t)LIMIT_CLIPS_BYTES);
	json_write_member_integer(json, "clip_frames", LIMIT_CLIP_FRAMES);
	json_write_member_integer(json, "clip_rate", (int64_t)LIMIT_CLIP_RATE);
	json_write_member_integer(json, "width", LIMIT_SIDE_PIXELS);
	json_write_member_integer(json, "height", LIMIT_SIDE_PIXELS);
	json_write_member_integer(json, "samples", LIMIT_SAMPLES);
	json_write_member_integer(json, "sequence_pixels", (int64_t)LIMIT_SEQUENCE_PIXELS);
	json_write_member_integer(json, "reply_bytes", (int64_t)LIMIT_REPLY_BYTES);
	json_write_end_object(json);
}

static void write_operation(
	struct json_writer *json, const struct operation_description *operation) {
	json_write_begin_object(json);
	json_write_member_string(json, "name", operation->name);
	json_write_member_string(json, "title", operation->title);
	json_write_end_object(json);
}

static void write_format(struct json_writer *json, const struct format_description *format) {
	json_write_begin_object(json);
	json_write_member_string(json, "name", format->name);
	json_write_member_string(json, "title", format->title);
	write_names(json, "endings", format->endings);
	json_write_member_string(json, "media_type", format->media_type);
	write_names(json, "carries", format->carries);
	json_write_end_object(json);
}

void reply_write_service(const struct service_description *service, struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	json_write_member_string(&json, "name", "posed");
	json_write_member_string(&json, "version", POSED_VERSION);
	json_write_key(&json, "renderer");
	write_renderer(&json, service->renderer);
	json_write_key(&json, "skinning_methods");
	json_write_begin_list(&json);
	for (size_t i = 0; i < service->method_count; i++) {
		write_method(&json, &service->methods[i]);
	}
	json_write_end_list(&json);
	json_write_key(&json, "pose_operations");
	json_write_begin_list(&json);
	for (size_t i = 0; i < service->operation_count; i++) {
		write_operation(&json, &service->operations[i]);
	}
	json_write_end_list(&json);
	json_write_key(&json, "formats");
	json_write_begin_list(&json);
	for (size_t i = 0; i < service->format_count; i++) {
		write_format(&json, &service->formats[i]);
	}
	json_write_end_list(&json);
	json_write_key(&json, "check_profiles");
	json_write_begin_list(&json);
	for (size_t i = 0; i < CHECK_PROFILE_COUNT; i++) {
		json_write_string(&json, check_profile_names[i]);
	}
	json_write_end_list(&json);
	json_write_key(&json, "limits");
	write_limits(&json);
	json_write_end_object(&json);
}

void reply_write_alive(bool read_only, struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	json_write_member_string(&json, "status", "alive");
	json_write_member_bool(&json, "read_only", read_only);
	json_write_end_object(&json);
}

void reply_write_ready(const struct renderer_description *renderer, struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	json_write_member_string(&json, "status", "ready");
	json_write_key(&json, "renderer");
	write_renderer(&json, renderer);
	json_write_end_object(&json);
}
