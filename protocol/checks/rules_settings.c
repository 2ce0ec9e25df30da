// Settings of rules files.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "checks/rules_reader.h"
#include "limits.h"

#define AT(field) offsetof(struct settings_form, field)

/* NAN, 0 and NULL: nothing said. */
struct settings_form {
	const struct value *ground, *loops, *airborne, *still, *required_joints, *influences,
		*joint_limits;
	const char *skinning;
	double height[2], unused_share, self_intersection_ms;
	int surface_samples;
};

static const struct member settings_members[] = {
	{.name = "ground", .type = MEMBER_ANY, .offset = AT(ground)},
	{.name = "skinning", .type = MEMBER_STRING, .offset = AT(skinning)},
	{.name = "loops", .type = MEMBER_ANY, .offset = AT(loops)},
	{.name = "airborne", .type = MEMBER_ANY, .offset = AT(airborne)},
	{.name = "still", .type = MEMBER_ANY, .offset = AT(still)},
	{.name = "height", .type = MEMBER_VECTOR, .offset = AT(height), .count = 2},
	{.name = "required_joints", .type = MEMBER_ANY, .offset = AT(required_joints)},
	{.name = "joint_limits", .type = MEMBER_ANY, .offset = AT(joint_limits)},
	{.name = "influences", .type = MEMBER_ANY, .offset = AT(influences)},
	{.name = "unused_share",
		.type = MEMBER_NUMBER,
		.offset = AT(unused_share),
		.most = 1,
		.standard = NAN},
	{.name = "self_intersection_ms",
		.type = MEMBER_NUMBER,
		.offset = AT(self_intersection_ms),
		.most = 3600000,
		.standard = NAN},
	{.name = "surface_samples",
		.type = MEMBER_INTEGER,
		.offset = AT(surface_samples),
		.least = 1,
		.most = LIMIT_POSES},
};

#undef AT
#define AT(field) offsetof(struct check_joint_limit, field)

static const struct member joint_limit_members[] = {
	{.name = "swing", .type = MEMBER_VECTOR, .offset = AT(swing_deg), .count = 2},
	{.name = "twist", .type = MEMBER_VECTOR, .offset = AT(twist_deg), .count = 2},
};

#undef AT

const struct member_table rules_settings_table = MEMBER_TABLE("settings", settings_members);
const struct member_table rules_joint_limit_table =
	MEMBER_TABLE("joint_limits", joint_limit_members);

static bool is_whole_within(const struct value *value, double least, double most) {
	return value->kind == VALUE_NUMBER && value->number == floor(value->number) &&
		value->number >= least && value->number <= most;
}

static bool read_ground(
	struct rules_reader *reader, const struct value *value, struct check_settings *out) {
	if (!value || rules_is_text(value, "auto")) {
		return true;
	}
	if (value->kind != VALUE_NUMBER) {
		return value_error(value, reader->err, ERROR_INVALID_VALUE,
			"\"ground\" must be a height or \"auto\"");
	}
	out->has_ground = true;
	out->ground = value->number;
	return true;
}

static bool read_required(
	struct rules_reader *reader, const struct value *value, struct check_settings *out) {
	if (value) {
		out->required_vrm = rules_is_text(value, "vrm");
		out->required_joints = NULL;
	}
	return !value || out->required_vrm ||
		rules_read_names(reader, value, &out->required_joints);
}

static bool read_influences(
	struct rules_reader *reader, const struct value *value, struct check_settings *out) {
	if (!value || rules_is_text(value, "any")) {
		out->influences = value ? CHECK_ANY_INFLUENCES : out->influences;
		return true;
	}
	if (!is_whole_within(value, 1, CHECK_ANY_INFLUENCES)) {
		return value_error(value, reader->err, ERROR_INVALID_VALUE,
			"\"influences\" must be a whole number from 1 on, or \"any\"");
	}
	out->influences = (int)value->number;
	return true;
}

static bool check_range(struct rules_reader *reader, const struct value *object, const char *name,
	const double range[static 2], double least) {
	return !value_member(object, name) ||
		(range[0] >= least && range[0] <= range[1] && range[1] <= 180) ||
		value_error(value_member(object, name), reader->err, ERROR_INVALID_VALUE,
			"\"%s\" must be two angles in degrees from %g to 180, the smaller one "
			"first",
			name, least);
}

static bool read_joint_limit(
	struct rules_reader *reader, const struct value *value, struct check_joint_limit *out) {
	*out = (struct check_joint_limit){value->key, {-INFINITY, INFINITY}, {-INFINITY, INFINITY}};
	return rules_read_object(reader, value, &rules_joint_limit_table, out) &&
		check_range(reader, value, "swing", out->swing_deg, 0) &&
		check_range(reader, value, "twist", out->twist_deg, -180);
}

static bool read_joint_limits(
	struct rules_reader *reader, const struct value *value, struct check_settings *out) {
	if (!value) {
		return true;
	}
	if (value->kind != VALUE_OBJECT || value->count > LIMIT_CHECK_OVERRIDES) {
		return value_error(value, reader->err, ERROR_INVALID_VALUE,
			"\"joint_limits\" must be an object of at most %d joints",
			LIMIT_CHECK_OVERRIDES);
	}
	struct check_joint_limit *list = arena_alloc(reader->arena, value->count, sizeof *list);
	for (size_t i = 0; i < value->count; i++) {
		if (!read_joint_limit(reader, &value->items[i], &list[i])) {
			return false;
		}
	}
	out->joint_limits = list;
	out->joint_limit_count = value->count;
	return true;
}

bool rules_read_settings(
	struct rules_reader *reader, const struct value *value, struct check_settings *out) {
	struct settings_form form = {.height = {out->height[0], out->height[1]}};
	if (!value) {
		return true;
	}
	if (!rules_read_object(reader, value, &rules_settings_table, &form) ||
		!read_ground(reader, form.ground, out) ||
		!rules_read_names(reader, form.loops, &out->loops) ||
		!rules_read_names(reader, form.airborne, &out->airborne) ||
		!rules_read_names(reader, form.still, &out->still) ||
		!read_required(reader, form.required_joints, out) ||
		!read_joint_limits(reader, form.joint_limits, out) ||
		!read_influences(reader, form.influences, out)) {
		return false;
	}
	if (!(form.height[0] >= 0 && form.height[0] < form.height[1])) {
		return value_error(value_member(value, "height"), reader->err, ERROR_INVALID_VALUE,
			"\"height\" must be two heights from 0 on, the smaller one first");
	}
	memcpy(out->height, form.height, sizeof out->height);
	out->skinning = form.skinning ? form.skinning : out->skinning;
	out->unused_share = isnan(form.unused_share) ? out->unused_share : form.unused_share;
	out->self_intersection_ms = isnan(form.self_intersection_ms) ? out->self_intersection_ms
								     : form.self_intersection_ms;
	out->surface_samples = form.surface_samples ? form.surface_samples : out->surface_samples;
	return true;
}
