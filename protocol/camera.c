// The "camera" of a frame: a preset, or one of four forms.
#include "camera.h"

#include <stdio.h>
#include <string.h>

#include "limits.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* Where a camera begins; what else it says goes beyond that. */
static const struct preset {
	double yaw_deg, pitch_deg;
	enum body_part part;
} presets[] = {
	{30, 15, PART_WHOLE}, // as without a preset
	{0, 0, PART_WHOLE},
	{180, 0, PART_WHOLE},
	{90, 0, PART_WHOLE},
	{90, 0, PART_WHOLE},
	{-90, 0, PART_WHOLE},
	{0, 90, PART_WHOLE},
	{0, 0, PART_HEAD},
	{0, 0, PART_BUST},
};

static const char *const preset_names[] = {
	"three_quarter", "front", "back", "side", "left", "right", "top", "head", "bust", NULL};

_Static_assert(COUNT_OF(preset_names) == COUNT_OF(presets) + 1, "a name for each");

/* Each member with a bit for each form that it belongs to. */
#define FORM(kind) (1u << (kind))

enum {
	PRESET,
	YAW,
	PITCH,
	DISTANCE,
	FOV,
	TARGET,
	EYE,
	UP,
	VIEW,
	PROJECTION,
	ORTHOGRAPHIC,
	HEIGHT,
	NODE,
	MEMBER_COUNT,
};

static const char *const names[MEMBER_COUNT] = {
	[PRESET] = "preset",
	[YAW] = "yaw",
	[PITCH] = "pitch",
	[DISTANCE] = "distance",
	[FOV] = "fov",
	[TARGET] = "target",
	[EYE] = "eye",
	[UP] = "up",
	[VIEW] = "view",
	[PROJECTION] = "projection",
	[ORTHOGRAPHIC] = "orthographic",
	[HEIGHT] = "height",
	[NODE] = "node",
};

static const unsigned forms_of[MEMBER_COUNT] = {
	[PRESET] = FORM(CAMERA_ORBIT),
	[YAW] = FORM(CAMERA_ORBIT),
	[PITCH] = FORM(CAMERA_ORBIT),
	[DISTANCE] = FORM(CAMERA_ORBIT),
	[FOV] = FORM(CAMERA_ORBIT) | FORM(CAMERA_LOOK) | FORM(CAMERA_MATRICES),
	[TARGET] = FORM(CAMERA_ORBIT) | FORM(CAMERA_LOOK),
	[EYE] = FORM(CAMERA_LOOK),
	[UP] = FORM(CAMERA_LOOK),
	[VIEW] = FORM(CAMERA_MATRICES),
	[PROJECTION] = FORM(CAMERA_MATRICES),
	[ORTHOGRAPHIC] = FORM(CAMERA_ORBIT) | FORM(CAMERA_LOOK),
	[HEIGHT] = FORM(CAMERA_ORBIT) | FORM(CAMERA_LOOK),
	[NODE] = FORM(CAMERA_NODE),
};

/* What a camera of each form has; but for the orbit it must have the first. */
#define FORM_MEMBERS 8
static const struct form {
	int members[FORM_MEMBERS];
	size_t count;
} form_members[] = {
	[CAMERA_ORBIT] = {{PRESET, YAW, PITCH, DISTANCE, FOV, TARGET, ORTHOGRAPHIC, HEIGHT}, 8},
	[CAMERA_LOOK] = {{EYE, TARGET, UP, FOV, ORTHOGRAPHIC, HEIGHT}, 6},
	[CAMERA_MATRICES] = {{VIEW, PROJECTION, FOV}, 3},
	[CAMERA_NODE] = {{NODE}, 1},
};

/* Writes "eye, target, up" with the client's words for them; nothing where it has none for the
 * first. */
static void list_members(
	const struct value *camera, enum camera_kind kind, char *text, size_t size) {
	const struct form *form = &form_members[kind];
	const char *words[FORM_MEMBERS + 1] = {NULL};
	size_t count = 0;
	for (size_t i = 0; i < form->count; i++) {
		const char *word = value_member_word(camera, names[form->members[i]]);
		if (word || i == 0) {
			words[count++] = word;
		}
	}
	value_list_names(words, text, size);
}

/* Writes "{yaw, pitch}, {node}": the forms that the client has words for. */
static void list_forms(const struct value *camera, char *text, size_t size) {
	size_t used = 0;
	text[0] = '\0';
	for (size_t i = 0; i < COUNT_OF(form_members); i++) {
		char members[128];
		list_members(camera, (enum camera_kind)i, members, sizeof members);
		if (*members && used < size) {
			used += (size_t)snprintf(
				text + used, size - used, "%s{%s}", used > 0 ? ", " : "", members);
		}
	}
}

/* Finds the form that all given members belong to; the orbit where they leave it open. */
static bool choose_form(
	const struct value *const *places, enum camera_kind *kind, struct error *err) {
	unsigned forms = ~0u;
	for (int i = 0; i < MEMBER_COUNT; i++) {
		if (!places[i]) {
			continue;
		}
		forms &= forms_of[i];
		if (!forms) {
			const struct value *camera = places[i]->parent;
			char known[384];
			list_forms(camera, known, sizeof known);
			return value_error(places[i], err, ERROR_INVALID_VALUE,
				"\"%s\" does not go with the camera's other members; a camera is "
				"one of: %s",
				value_member_word(camera, names[i]), known);
		}
	}
	*kind = CAMERA_ORBIT;
	while (!(forms & FORM(*kind))) {
		++*kind;
	}
	return true;
}

/* Refuses what says nothing where lines of sight are parallel, and what only says something there.
 */
static bool check_sight(const struct value *camera, const struct value *const *places,
	bool orthographic, struct error *err) {
	const struct value *idle = orthographic && places[FOV] ? places[FOV]
		: orthographic && places[DISTANCE]             ? places[DISTANCE]
							       : NULL;
	if (idle) {
		return value_error(idle, err, ERROR_INVALID_VALUE,
			"\"%s\" does not go with \"orthographic\", where \"%s\" says how much is "
			"seen",
			value_member_word(camera, idle->key),
			value_member_word(camera, names[HEIGHT]));
	}
	return orthographic || !places[HEIGHT] ||
		value_error(places[HEIGHT], err, ERROR_INVALID_VALUE,
			"\"%s\" needs \"orthographic\": true beside it; a perspective has \"fov\" "
			"and \"distance\"",
			value_member_word(camera, names[HEIGHT]));
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
	char members[128];
	list_members(camera, kind, members, sizeof members);
	return !missing ||
		value_error(camera, err, ERROR_INVALID_VALUE,
			"member \"%s\" is missing; a camera of this form is {%s}", missing,
			members);
}

static bool check_node(const struct value *node, struct error *err) {
	return !node || node->kind == VALUE_STRING || node->kind == VALUE_NUMBER ||
		value_error(node, err, ERROR_INVALID_VALUE,
			"\"node\" is %s, must be the name or the index of a node with a camera",
			value_kind_name(node->kind));
}

/* Begins with what a preset says, if that is the value's: a string. */
static bool begin_with(const struct value *preset, struct camera_settings *out) {
	for (size_t i = 0; preset && preset->kind == VALUE_STRING && preset_names[i]; i++) {
		if (strcmp(preset->string, preset_names[i]) == 0) {
			out->yaw_deg = presets[i].yaw_deg;
			out->pitch_deg = presets[i].pitch_deg;
			out->part = presets[i].part;
			out->place = preset;
			return true;
		}
	}
	return false;
}

static bool read_object(const struct value *value, struct camera_settings *out, struct error *err) {
	const struct value *places[MEMBER_COUNT] = {0}, *node = NULL;
	int preset;
	const struct member members[MEMBER_COUNT] = {
		[PRESET] = {.type = MEMBER_CHOICE, .out = &preset, .choices = preset_names},
		[YAW] = {.type = MEMBER_NUMBER, .out = &out->yaw_deg},
		[PITCH] = {.type = MEMBER_NUMBER, .out = &out->pitch_deg, .least = -90, .most = 90},
		[DISTANCE] = {.type = MEMBER_NUMBER,
			.out = &out->distance,
			.least = LIMIT_DISTANCE_LEAST,
			.most = LIMIT_DISTANCE_MOST},
		[FOV] = {.type = MEMBER_NUMBER,
			.out = &out->fov_deg,
			.least = LIMIT_FOV_LEAST_DEG,
			.most = LIMIT_FOV_MOST_DEG},
		[TARGET] = {.type = MEMBER_VECTOR, .out = out->target, .count = 3},
		[EYE] = {.type = MEMBER_VECTOR, .out = out->eye, .count = 3},
		[UP] = {.type = MEMBER_VECTOR, .out = out->up, .count = 3},
		[VIEW] = {.type = MEMBER_VECTOR, .out = out->view, .count = 16},
		[PROJECTION] = {.type = MEMBER_VECTOR, .out = out->projection, .count = 16},
		[ORTHOGRAPHIC] = {.type = MEMBER_BOOL, .out = &out->orthographic},
		[HEIGHT] = {.type = MEMBER_NUMBER,
			.out = &out->view_height,
			.least = LIMIT_DISTANCE_LEAST,
			.most = LIMIT_DISTANCE_MOST},
		[NODE] = {.type = MEMBER_ANY, .out = &node},
	};
	struct member placed[MEMBER_COUNT];
	for (int i = 0; i < MEMBER_COUNT; i++) {
		placed[i] = members[i];
		placed[i].name = names[i];
		placed[i].place = &places[i];
	}
	if (!value_read_members(value, placed, COUNT_OF(placed), err) ||
		!choose_form(places, &out->kind, err) || !check_node(node, err)) {
		return false;
	}
	out->has_target = places[TARGET] != NULL;
	out->no_projection = !places[PROJECTION];
	out->place = node ? node : out->place;
	return check_complete(value, places, out->kind, err) &&
		check_sight(value, places, out->orthographic, err);
}

bool camera_read(const struct value *value, struct camera_settings *out, struct error *err) {
	*out = (struct camera_settings){
		.yaw_deg = 30, .pitch_deg = 15, .fov_deg = 30, .up = {0, 1, 0}};
	if (!value || begin_with(value, out)) {
		return true;
	}
	if (value->kind == VALUE_OBJECT) {
		begin_with(value_member(value, "preset"), out);
		return read_object(value, out, err);
	}
	char known[128];
	value_list_names(preset_names, known, sizeof known);
	const bool named = value->kind == VALUE_STRING;
	return value_error(value, err, ERROR_INVALID_VALUE,
		"\"camera\" is %s%s%s, must be an object or one of: %s", named ? "\"" : "",
		named ? value->string : value_kind_name(value->kind), named ? "\"" : "", known);
}
