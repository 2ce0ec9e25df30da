// Where an avatar's eyes are, and how they follow an angle.
#include <string.h>

#include "import/vrm.h"

/* Of both versions: three-vrm, where the files leave them out. */
#define HEAD_OFFSET_Y 0.06
#define INPUT_MAX_DEG 90
#define OUTPUT_DEG 10
#define INPUT_LEAST_DEG 0.01

static void set_defaults(struct avatar_look_at *look) {
	const struct avatar_range range = {INPUT_MAX_DEG, look->by_expressions ? 1 : OUTPUT_DEG};
	look->inner = look->outer = look->down = look->up = range;
}

/* A range of a name, whose numbers have names that differ between the versions. */
static bool read_range(const struct gltf_item *object, const char *name, const char *input,
	const char *output, struct avatar_range *range, struct error *err) {
	struct gltf_item member;
	if (!vrm_object(object, name, &member, err) ||
		!vrm_number(&member, input, &range->input_max_deg, err) ||
		!vrm_number(&member, output, &range->output, err)) {
		return false;
	}
	if (range->input_max_deg < INPUT_LEAST_DEG) {
		range->input_max_deg = INPUT_LEAST_DEG;
	}
	return true;
}

bool vrm_read_look_at(struct vrm *vrm, struct error *err) {
	struct avatar_look_at *look = &vrm->avatar->look_at;
	struct gltf_item object;
	const char *type = "bone";
	if (!vrm_object(&vrm->extension, "lookAt", &object, err) || !object.json) {
		return !object.json;
	}
	look->head_offset[1] = HEAD_OFFSET_Y;
	if (!vrm_string(&object, "type", &type, err)) {
		return false;
	}
	look->by_expressions = strcmp(type, "expression") == 0;
	if (!look->by_expressions && strcmp(type, "bone") != 0) {
		return gltf_broken(&object, err, "type must be bone or expression");
	}
	set_defaults(look);
	const struct {
		const char *name;
		struct avatar_range *range;
	} ranges[] = {
		{"rangeMapHorizontalInner", &look->inner},
		{"rangeMapHorizontalOuter", &look->outer},
		{"rangeMapVerticalDown", &look->down},
		{"rangeMapVerticalUp", &look->up},
	};
	for (int i = 0; i < 4; i++) {
		if (!read_range(&object, ranges[i].name, "inputMaxValue", "outputScale",
			    ranges[i].range, err)) {
			return false;
		}
	}
	vrm->avatar->has_look_at = true;
	return vrm_vector(&object, "offsetFromHeadBone", look->head_offset, err);
}

/* True for the curve that is no bend: readers know no other. */
static bool is_straight(const struct gltf_item *range) {
	static const double straight[8] = {0, 0, 0, 1, 1, 1, 1, 0};
	const struct gltf_item curve = gltf_member(range, "curve");
	const size_t count = gltf_list_size(&curve);
	for (size_t i = 0; i < count; i++) {
		const struct gltf_item number = gltf_element(&curve, i);
		if (count != 8 || number.json->kind != JSON_KIND_NUMBER ||
			number.json->of.number != straight[i]) {
			return false;
		}
	}
	return true;
}

bool vrm0_read_look_at(struct vrm *vrm, struct error *err) {
	struct avatar_look_at *look = &vrm->avatar->look_at;
	struct gltf_item object;
	const char *type = "Bone";
	if (!vrm_object(&vrm->extension, "firstPerson", &object, err) || !object.json) {
		return !object.json;
	}
	look->head_offset[1] = HEAD_OFFSET_Y;
	if (!vrm_string(&object, "lookAtTypeName", &type, err)) {
		return false;
	}
	look->by_expressions = strcmp(type, "BlendShape") == 0;
	set_defaults(look);
	const struct {
		const char *name;
		struct avatar_range *range;
	} ranges[] = {
		{"lookAtHorizontalInner", &look->inner},
		{"lookAtHorizontalOuter", &look->outer},
		{"lookAtVerticalDown", &look->down},
		{"lookAtVerticalUp", &look->up},
	};
	for (int i = 0; i < 4; i++) {
		const struct gltf_item range = gltf_member(&object, ranges[i].name);
		if (!read_range(
			    &object, ranges[i].name, "xRange", "yRange", ranges[i].range, err)) {
			return false;
		}
		if (!is_straight(&range)) {
			gltf_warn(vrm->gltf->rig, &range, "its curve is read as a straight line");
		}
	}
	if (!vrm_xyz(&object, "firstPersonBoneOffset", look->head_offset, err)) {
		return false;
	}
	if (gltf_member(&object, "firstPersonBoneOffset").json) {
		look->head_offset[2] = -look->head_offset[2]; // Unity's axes
	}
	vrm->avatar->has_look_at = true;
	return true;
}
