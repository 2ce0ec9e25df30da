// The "camera" of a frame: one of three forms.
#include "camera.h"

#include "limits.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* Each member with a bit for each form that it belongs to. */
#define FORM(kind) (1u << (kind))

static const char *const form_names[] = {
	[CAMERA_ORBIT] = "yaw, pitch, distance, fov, target",
	[CAMERA_LOOK] = "eye, target, up, fov",
	[CAMERA_MATRICES] = "view, projection or fov",
};

enum {
	YAW,
	PITCH,
	DISTANCE,
	FOV,
	TARGET,
	EYE,
	UP,
	VIEW,
	PROJECTION,
	MEMBER_COUNT,
};

static const unsigned forms_of[MEMBER_COUNT] = {
	[YAW] = FORM(CAMERA_ORBIT),
	[PITCH] = FORM(CAMERA_ORBIT),
	[DISTANCE] = FORM(CAMERA_ORBIT),
	[FOV] = FORM(CAMERA_ORBIT) | FORM(CAMERA_LOOK) | FORM(CAMERA_MATRICES),
	[TARGET] = FORM(CAMERA_ORBIT) | FORM(CAMERA_LOOK),
	[EYE] = FORM(CAMERA_LOOK),
	[UP] = FORM(CAMERA_LOOK),
	[VIEW] = FORM(CAMERA_MATRICES),
	[PROJECTION] = FORM(CAMERA_MATRICES),
};

/* Finds the form that all given members belong to; the orbit where they leave it open. */
static bool choose_form(
	const struct value *const *places, enum camera_kind *kind, struct error *err) {
	unsigned forms = FORM(CAMERA_ORBIT) | FORM(CAMERA_LOOK) | FORM(CAMERA_MATRICES);
	for (int i = 0; i < MEMBER_COUNT; i++) {
		if (!places[i]) {
			continue;
		}
		forms &= forms_of[i];
		if (!forms) {
			return value_error(places[i], err, ERROR_INVALID_VALUE,
				"\"%s\" does not go with the camera's other members; a camera is "
				"one "
				"of: {%s}, {%s}, {%s}",
				places[i]->key, form_names[0], form_names[1], form_names[2]);
		}
	}
	*kind = forms & FORM(CAMERA_ORBIT)  ? CAMERA_ORBIT
		: forms & FORM(CAMERA_LOOK) ? CAMERA_LOOK
					    : CAMERA_MATRICES;
	return true;
}

static bool check_complete(const struct value *camera, const struct value *const *places,
	enum camera_kind kind, struct error *err) {
	const bool look = kind == CAMERA_LOOK, matrices = kind == CAMERA_MATRICES;
	const char *missing = look && !places[EYE] ? "eye"
		: matrices && !places[VIEW]        ? "view"
						   : NULL;
	if (places[PROJECTION] && places[FOV]) {
		return value_error(places[FOV], err, ERROR_INVALID_VALUE,
			"\"fov\" does not go with \"projection\", which says it already");
	}
	return !missing ||
		value_error(camera, err, ERROR_INVALID_VALUE,
			"member \"%s\" is missing; a camera of this form is {%s}", missing,
			form_names[kind]);
}

bool camera_read(const struct value *value, struct camera_settings *out, struct error *err) {
	*out = (struct camera_settings){
		.yaw_deg = 30, .pitch_deg = 15, .fov_deg = 30, .up = {0, 1, 0}};
	if (!value) {
		return true;
	}
	const struct value *places[MEMBER_COUNT] = {0};
	const struct member members[MEMBER_COUNT] = {
		[YAW] = {.name = "yaw", .type = MEMBER_NUMBER, .out = &out->yaw_deg},
		[PITCH] = {.name = "pitch",
			.type = MEMBER_NUMBER,
			.out = &out->pitch_deg,
			.least = -90,
			.most = 90},
		[DISTANCE] = {.name = "distance",
			.type = MEMBER_NUMBER,
			.out = &out->distance,
			.least = LIMIT_DISTANCE_LEAST,
			.most = LIMIT_DISTANCE_MOST},
		[FOV] = {.name = "fov",
			.type = MEMBER_NUMBER,
			.out = &out->fov_deg,
			.least = LIMIT_FOV_LEAST_DEG,
			.most = LIMIT_FOV_MOST_DEG},
		[TARGET] = {.name = "target",
			.type = MEMBER_VECTOR,
			.out = out->target,
			.count = 3},
		[EYE] = {.name = "eye", .type = MEMBER_VECTOR, .out = out->eye, .count = 3},
		[UP] = {.name = "up", .type = MEMBER_VECTOR, .out = out->up, .count = 3},
		[VIEW] = {.name = "view", .type = MEMBER_VECTOR, .out = out->view, .count = 16},
		[PROJECTION] = {.name = "projection",
			.type = MEMBER_VECTOR,
			.out = out->projection,
			.count = 16},
	};
	struct member placed[MEMBER_COUNT];
	for (int i = 0; i < MEMBER_COUNT; i++) {
		placed[i] = members[i];
		placed[i].place = &places[i];
	}
	if (!value_read_members(value, placed, COUNT_OF(placed), err) ||
		!choose_form(places, &out->kind, err)) {
		return false;
	}
	out->has_target = places[TARGET] != NULL;
	out->no_projection = !places[PROJECTION];
	return check_complete(value, places, out->kind, err);
}
