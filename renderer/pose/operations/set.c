// {"set": P, "joints": {...}, "weights": {...}}: P with some transforms and morph weights replaced.
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "base/utf8.h"
#include "pose/find.h"
#include "pose/operations.h"

static bool write_floats(const struct value *source, const double *numbers, size_t count,
	float *out, struct error *err) {
	for (size_t i = 0; i < count; i++) {
		out[i] = (float)numbers[i];
		if (!isfinite(out[i])) {
			return value_error(&source->items[i], err, ERROR_INVALID_VALUE,
				"%g is farther than float32 reaches", numbers[i]);
		}
	}
	return true;
}

/* Takes any quaternion that is not zero as the rotation that it stands for. One that is unit as far
 * as float32 goes is kept to the bit, so that what /v1/pose answers can be set again. */
static bool write_rotation(
	const struct value *source, double q[static 4], float *out, struct error *err) {
	return (quat_is_unit(q) || quat_normalize_any(source, q, err)) &&
		write_floats(source, q, 4, out, err);
}

/* One joint's transform. */
struct replacement {
	double translation[3], rotation[4], scale[3];
	const struct value *translation_source, *rotation_source, *scale_source;
};

#define AT(field) offsetof(struct replacement, field)

static const struct member joint_rows[] = {
	{"translation", MEMBER_VECTOR, .offset = AT(translation), .count = 3,
		.source_offset = AT(translation_source)},
	{"rotation", MEMBER_VECTOR, .offset = AT(rotation), .count = 4,
		.source_offset = AT(rotation_source)},
	{"scale", MEMBER_VECTOR, .offset = AT(scale), .count = 3,
		.source_offset = AT(scale_source)},
};

static const struct member_table joint_members = MEMBER_TABLE(NULL, joint_rows);

static bool set_joint(
	const struct rig *rig, const struct value *member, struct pose *out, struct error *err) {
	const int joint = pose_find_joint(rig, member, err);
	if (joint < 0) {
		return false;
	}
	struct replacement said = {0};
	if (!value_read_table(member, &joint_members, &said, err)) {
		return false;
	}
	struct transform *local = &out->local[joint];
	unsigned driven = 0;
	if (said.translation_source) {
		driven |= 1 << CHANNEL_TRANSLATION;
		if (!write_floats(said.translation_source, said.translation, 3, local->translation,
			    err)) {
			return false;
		}
	}
	if (said.rotation_source) {
		driven |= 1 << CHANNEL_ROTATION;
		if (!write_rotation(said.rotation_source, said.rotation, local->rotation, err)) {
			return false;
		}
	}
	if (said.scale_source) {
		driven |= 1 << CHANNEL_SCALE;
		if (!write_floats(said.scale_source, said.scale, 3, local->scale, err)) {
			return false;
		}
	}
	out->driven[joint] |= (unsigned char)driven;
	return true;
}

/* "head, tongue" */
static void write_morphed(const struct rig *rig, char *text, size_t size) {
	size_t used = 0;
	strcpy(text, "no joint");
	for (int i = 0; i < rig->joint_count && used < size; i++) {
		if (rig->joints[i].weight_count > 0) {
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
				rig->joints[i].name);
		}
	}
	if (used >= size) {
		utf8_trim(text);
	}
}

static bool refuse_weights(
	const struct rig *rig, const struct value *member, int count, struct error *err) {
	if (count == 0) {
		char name[160], morphed[256];
		utf8_quote(member->key, name, sizeof name);
		write_morphed(rig, morphed, sizeof morphed);
		return value_error(member, err, ERROR_INVALID_VALUE,
			"joint %s has no morph weights; of this rig %s has", name, morphed);
	}
	return value_error(member, err, ERROR_INVALID_VALUE,
		"morph weights are %s of %zu, must be a list of %d numbers here",
		value_kind_name(member->kind), member->count, count);
}

static bool set_weights(
	const struct rig *rig, const struct value *member, struct pose *out, struct error *err) {
	const int joint = pose_find_joint(rig, member, err);
	if (joint < 0) {
		return false;
	}
	int count;
	float *weights = pose_channel(rig, out, joint, CHANNEL_WEIGHTS, &count);
	if (count == 0 || member->kind != VALUE_LIST || member->count != (size_t)count) {
		return refuse_weights(rig, member, count, err);
	}
	for (int i = 0; i < count; i++) {
		const struct value *item = &member->items[i];
		if (item->kind != VALUE_NUMBER) {
			return value_error(item, err, ERROR_INVALID_VALUE,
				"a morph weight is %s, must be a number",
				value_kind_name(item->kind));
		}
		weights[i] = (float)item->number;
		if (!isfinite(weights[i])) {
			return value_error(item, err, ERROR_INVALID_VALUE,
				"%g is farther than float32 reaches", item->number);
		}
	}
	out->driven[joint] |= 1 << CHANNEL_WEIGHTS;
	return true;
}

typedef bool (*member_setter)(
	const struct rig *rig, const struct value *member, struct pose *out, struct error *err);

/* object may be NULL: nothing to set. */
static bool set_each(const struct rig *rig, const struct value *object, member_setter set,
	struct pose *out, struct error *err) {
	if (object && object->kind != VALUE_OBJECT) {
		return value_error(object, err, ERROR_INVALID_VALUE,
			"\"%s\" is %s, must be an object whose members are joints", object->key,
			value_kind_name(object->kind));
	}
	for (size_t i = 0; object && i < object->count; i++) {
		if (!set(rig, &object->items[i], out, err)) {
			return false;
		}
	}
	return true;
}

struct request {
	const struct value *pose, *joints, *weights;
};

static const struct member rows[] = {
	{"set", MEMBER_ANY, .offset = offsetof(struct request, pose), .required = true},
	{"joints", MEMBER_ANY, .offset = offsetof(struct request, joints),
		.members = &joint_members},
	{"weights", MEMBER_ANY, .offset = offsetof(struct request, weights)},
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

static bool evaluate_set(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err) {
	struct request request = {0};
	return value_read_table(value, &members, &request, err) &&
		pose_evaluate_into(context, request.pose, out, err) &&
		set_each(context->rig, request.joints, set_joint, out, err) &&
		set_each(context->rig, request.weights, set_weights, out, err);
}

const struct operation operation_set = {"set",
	"a pose with some transforms and morph weights replaced", evaluate_set, &members,
	.is_quick = true};
