// Answers that carry results, poses and vertices, as JSON.
#include <stdio.h>
#include <string.h>

#include "packing.h"
#include "reply.h"

static void write_joint(
	struct json_writer *json, const struct joint_pose *joint, enum space space) {
	json_write_begin_object(json);
	json_write_member_string(json, "name", joint->name);
	json_write_member_integer(json, "index", joint->index);
	if (space != SPACE_WORLD) {
		json_write_member_floats(json, "translation", joint->translation, 3);
		json_write_member_floats(json, "rotation", joint->rotation, 4);
		json_write_member_floats(json, "scale", joint->scale, 3);
	}
	if (space != SPACE_LOCAL) {
		json_write_member_floats(json, "world", joint->world, 16);
	}
	json_write_end_object(json);
}

void reply_begin_poses(struct json_writer *json, bool many) {
	if (many) {
		json_write_begin_object(json);
		json_write_key(json, "frames");
		json_write_begin_list(json);
	}
}

static void write_root(struct json_writer *json, const struct root_pose *root) {
	json_write_key(json, "root_motion");
	json_write_begin_object(json);
	json_write_key(json, "translation");
	json_write_floats(json, root->translation, 3);
	json_write_key(json, "rotation");
	json_write_floats(json, root->rotation, 4);
	json_write_end_object(json);
}

void reply_pose(struct json_writer *json, const struct pose_frame *frame, enum space space) {
	json_write_begin_object(json);
	json_write_key(json, "joints");
	json_write_begin_list(json);
	for (int i = 0; i < frame->count; i++) {
		write_joint(json, &frame->joints[i], space);
	}
	json_write_end_list(json);
	if (frame->root) {
		write_root(json, frame->root);
	}
	json_write_end_object(json);
}

void reply_end_poses(struct json_writer *json, bool many) {
	if (many) {
		json_write_end_list(json);
		json_write_end_object(json);
	}
}

void reply_begin_vertices(struct json_writer *json, size_t vertices) {
	json_write_begin_object(json);
	json_write_member_integer(json, "vertices", (int64_t)vertices);
	json_write_key(json, "frames");
	json_write_begin_list(json);
}

void reply_attributes(struct json_writer *json, const struct vertices_frame *frame) {
	const float *numbers = frame->numbers;
	for (size_t a = 0; a < frame->attribute_count; a++) {
		const size_t width = attribute_width(frame->attributes[a]);
		json_write_key(json, attribute_name(frame->attributes[a]));
		json_write_begin_list(json);
		for (size_t v = 0; v < frame->vertices; v++) {
			json_write_floats(json, numbers, width);
			numbers += width;
		}
		json_write_end_list(json);
	}
}

void reply_vertices(struct json_writer *json, const struct vertices_frame *frame) {
	json_write_begin_object(json);
	reply_attributes(json, frame);
	json_write_end_object(json);
}

static void write_residual(struct json_writer *json, const struct skinning_description *skinning) {
	json_write_key(json, "residual");
	if (!skinning->fitted) {
		json_write_null(json);
		return;
	}
	json_write_begin_object(json);
	json_write_key(json, "max");
	json_write_double(json, skinning->residual_max);
	json_write_key(json, "rms");
	json_write_double(json, skinning->residual_rms);
	json_write_end_object(json);
}

void reply_batches(struct json_writer *json, const struct batches_description *batches) {
	if (batches->count == 0) {
		return;
	}
	json_write_key(json, "batches");
	json_write_begin_object(json);
	json_write_member_integer(json, "count", batches->count);
	json_write_member_integer(json, "vertices", batches->vertices);
	json_write_member_integer(json, "gained", batches->gained);
	json_write_member_integer(json, "fewest_joints", batches->fewest_joints);
	json_write_member_integer(json, "most_joints", batches->max_joints);
	json_write_end_object(json);
}

static void write_skinning(struct json_writer *json, const struct skinning_description *skinning) {
	json_write_key(json, "skinning");
	json_write_begin_object(json);
	json_write_member_string(json, "method", skinning->method);
	json_write_member_string(json, "device", skinning->device);
	json_write_member_integer(json, "fallback_vertices", skinning->fallback_vertices);
	reply_batches(json, &skinning->batches);
	json_write_key(json, "flags");
	json_write_begin_list(json);
	for (const char *const *flag = skinning->flags; *flag; flag++) {
		json_write_string(json, *flag);
	}
	json_write_end_list(json);
	write_residual(json, skinning);
	json_write_key(json, "dropped_weight");
	json_write_double(json, skinning->dropped_weight);
	json_write_end_object(json);
}

void reply_end_vertices(struct json_writer *json, const struct skinning_description *skinning) {
	json_write_end_list(json);
	write_skinning(json, skinning);
	json_write_end_object(json);
}

void reply_layout(
	const enum attribute_bits *attributes, size_t attribute_count, char *text, size_t size) {
	text[0] = '\0';
	for (size_t a = 0; a < attribute_count; a++) {
		const size_t used = strlen(text);
		snprintf(text + used, size - used, "%s%s:f32x%zu", a ? "," : "",
			attribute_name(attributes[a]), attribute_width(attributes[a]));
	}
}
