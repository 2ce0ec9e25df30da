// The "camera" of a frame: a preset, or one of four forms.
#include "picture.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "limits.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* The start of a camera; its other members modify that. */
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

/* A bit for each form of a camera. */
#define FORM(kind) (1u << (kind))
#define ORBIT FORM(CAMERA_ORBIT)
#define LOOK FORM(CAMERA_LOOK)
#define MATRICES FORM(CAMERA_MATRICES)

/* A camera while its members are read. */
struct reading {
	struct camera_settings settings;
	int preset; // -1 = none
};

#define AT(field) offsetof(struct reading, settings.field)

static const double upwards[] = {0, 1, 0};

/* The first member of each form but the orbit is one that it must have. */
static const struct member members[] = {
	{"preset", MEMBER_CHOICE, .offset = offsetof(struct reading, preset),
		.choices = preset_names, .standard = -1, .parameter = "camera",
		.help = "the side that it looks from, or the part of a body that it shows",
		.variants = ORBIT},
	{"yaw", MEMBER_NUMBER, .offset = AT(yaw_deg), .standard = 30, .parameter = "yaw",
		.unit = "degrees", .help = "around the figure, from the front", .variants = ORBIT},
	{"pitch", MEMBER_NUMBER, .offset = AT(pitch_deg), .least = -90, .most = 90, .standard = 15,
		.parameter = "pitch", .unit = "degrees", .help = "above the horizon",
		.variants = ORBIT},
	{"distance", MEMBER_NUMBER, .offset = AT(distance), .least = LIMIT_DISTANCE_MIN,
		.most = LIMIT_DISTANCE_MAX, .parameter = "distance",
		.help = "from the eye to the target; default as far as fills the frame",
		.variants = ORBIT},
	{"eye", MEMBER_VECTOR, .offset = AT(eye), .count = 3, .parameter = "eye",
		.not_in_query = true, .help = "x,y,z", .variants = LOOK},
	{"view", MEMBER_VECTOR, .offset = AT(view), .count = 16, .variants = MATRICES},
	{"target", MEMBER_VECTOR, .offset = AT(target), .count = 3, .parameter = "target",
		.not_in_query = true, .help = "x,y,z", .variants = ORBIT | LOOK},
	{"up", MEMBER_VECTOR, .offset = AT(up), .count = 3, .standards = upwards, .parameter = "up",
		.not_in_query = true, .help = "x,y,z", .variants = LOOK},
	{"projection", MEMBER_VECTOR, .offset = AT(projection), .count = 16, .variants = MATRICES},
	{"fov", MEMBER_NUMBER, .offset = AT(fov_deg), .least = LIMIT_FOV_MIN_DEG,
		.most = LIMIT_FOV_MAX_DEG, .standard = 30, .parameter = "fov", .unit = "degrees",
		.help = "vertical field of view", .variants = ORBIT | LOOK | MATRICES},
	{"orthographic", MEMBER_BOOL, .offset = AT(orthographic), .parameter = "orthographic",
		.help = "parallel lines of sight", .variants = ORBIT | LOOK},
	{"height", MEMBER_NUMBER, .offset = AT(view_height), .least = LIMIT_DISTANCE_MIN,
		.most = LIMIT_DISTANCE_MAX, .parameter = "view_height",
		.help = "height that an orthographic picture shows, in the rig's unit",
		.variants = ORBIT | LOOK},
	{"node", MEMBER_UNREAD, .parameter = "node",
		.help = "name or index of a node with a camera in the file",
		.variants = FORM(CAMERA_NODE)},
};

const struct member_table camera_members = MEMBER_TABLE("camera", members);

/* Each form, and the member that only cameras of this form have and must have. */
static const char *const form_needs[] = {[CAMERA_ORBIT] = NULL,
	[CAMERA_LOOK] = "eye",
	[CAMERA_MATRICES] = "view",
	[CAMERA_NODE] = "node"};

/* Writes "eye, target, up" with the client's words for them; nothing where it has none for the
 * first. */
static void list_members(
	const struct value *camera, enum camera_kind kind, char *text, size_t size) {
	const char *words[COUNT_OF(members) + 1] = {NULL};
	const char *needed = form_needs[kind];
	size_t count = 0;
	for (size_t i = 0; i < COUNT_OF(members); i++) {
		const char *word = value_member_word(camera, members[i].name);
		if (word && (members[i].variants & FORM(kind)) != 0) {
			words[count++] = word;
		}
	}
	text[0] = '\0';
	if (!needed || value_member_word(camera, needed)) {
		value_list_names(words, text, size);
	}
}

/* Writes "{yaw, pitch}, {node}": the forms that the client has words for. */
static void list_forms(const struct value *camera, char *text, size_t size) {
	size_t used = 0;
	text[0] = '\0';
	for (size_t i = 0; i < COUNT_OF(form_needs); i++) {
		char listed[128];
		list_members(camera, (enum camera_kind)i, listed, sizeof listed);
		if (*listed && used < size) {
			used += (size_t)snprintf(
				text + used, size - used, "%s{%s}", used > 0 ? ", " : "", listed);
		}
	}
}

/* Finds the form that all given members belong to; the orbit where they leave it open. */
static bool choose_form(const struct value *camera, enum camera_kind *kind, struct error *err) {
	unsigned forms = ~0u;
	for (size_t i = 0; i < COUNT_OF(members); i++) {
		const struct value *given = value_member(camera, members[i].name);
		if (!given) {
			continue;
		}
		forms &= members[i].variants;
		if (!forms) {
			char known[384];
			list_forms(camera, known, sizeof known);
			return value_error(given, err, ERROR_INVALID_VALUE,
				"\"%s\" does not go with the camera's other members; a camera is "
				"one of: %s",
				value_member_word(camera, members[i].name), known);
		}
	}
	*kind = CAMERA_ORBIT;
	while (!(forms & FORM(*kind))) {
		++*kind;
	}
	return true;
}

/* Refuses members without effect on parallel lines of sight, and one that only has an effect there.
 */
static bool check_sight(const struct value *camera, bool orthographic, struct error *err) {
	const struct value *fov = value_member(camera, "fov");
	const struct value *idle = fov ? fov : value_member(camera, "distance");
	const struct value *height = value_member(camera, "height");
	if (orthographic && idle) {
		return value_error(idle, err, ERROR_INVALID_VALUE,
			"\"%s\" does not go with \"orthographic\", where \"%s\" says how much is "
			"seen",
			value_member_word(camera, idle->key), value_member_word(camera, "height"));
	}
	return orthographic || !height ||
		value_error(height, err, ERROR_INVALID_VALUE,
			"\"%s\" needs \"orthographic\": true beside it; a perspective has \"fov\" "
			"and \"distance\"",
			value_member_word(camera, "height"));
}

static bool check_complete(const struct value *camera, enum camera_kind kind, struct error *err) {
	const struct value *fov = value_member(camera, "fov");
	if (fov && value_member(camera, "projection")) {
		return value_error(fov, err, ERROR_INVALID_VALUE,
			"\"fov\" does not go with \"projection\", which says it already");
	}
	const char *needed = form_needs[kind];
	char known[128];
	list_members(camera, kind, known, sizeof known);
	return !needed || value_member(camera, needed) ||
		value_error(camera, err, ERROR_INVALID_VALUE,
			"member \"%s\" is missing; a camera of this form is {%s}", needed, known);
}

static bool check_node(const struct value *node, struct error *err) {
	return !node || node->kind == VALUE_STRING || node->kind == VALUE_NUMBER ||
		value_error(node, err, ERROR_INVALID_VALUE,
			"\"node\" is %s, must be the name or the index of a node with a camera",
			value_kind_name(node->kind));
}

/* Takes from a preset what the camera's own members (NULL = it has none) leave open. */
static void use_preset(const struct value *source, const struct value *camera, int preset,
	struct camera_settings *out) {
	const bool has_yaw = camera && value_member(camera, "yaw");
	const bool has_pitch = camera && value_member(camera, "pitch");
	out->yaw_deg = has_yaw ? out->yaw_deg : presets[preset].yaw_deg;
	out->from_front = !has_yaw;
	out->pitch_deg = has_pitch ? out->pitch_deg : presets[preset].pitch_deg;
	out->part = presets[preset].part;
	out->source = source;
}

static bool read_object(const struct value *value, struct camera_settings *out, struct error *err) {
	struct reading reading = {.settings = *out};
	const struct member_reading table = {&camera_members, &reading};
	const struct value *node = value_member(value, "node");
	const bool read = value_read_tables(value, &table, 1, err);
	*out = reading.settings;
	if (!read || !choose_form(value, &out->kind, err) || !check_node(node, err)) {
		return false;
	}
	out->from_front = !value_member(value, "yaw");
	if (reading.preset >= 0) {
		use_preset(value_member(value, "preset"), value, reading.preset, out);
	}
	out->has_target = value_member(value, "target") != NULL;
	out->no_projection = !value_member(value, "projection");
	out->source = node ? node : out->source;
	return check_complete(value, out->kind, err) && check_sight(value, out->orthographic, err);
}

static int find_preset(const struct value *value) {
	int i = 0;
	while (preset_names[i] &&
		(value->kind != VALUE_STRING || strcmp(value->string, preset_names[i]) != 0)) {
		i++;
	}
	return preset_names[i] ? i : -1;
}

bool camera_read(const struct value *value, struct camera_settings *out, struct error *err) {
	struct reading standards = {0};
	member_set_standards(&camera_members, &standards);
	*out = standards.settings;
	out->from_front = true;
	if (!value) {
		return true;
	}
	if (value->kind == VALUE_OBJECT) {
		return read_object(value, out, err);
	}
	const int preset = find_preset(value);
	if (preset >= 0) {
		use_preset(value, NULL, preset, out);
		return true;
	}
	char known[128];
	value_list_names(preset_names, known, sizeof known);
	const bool named = value->kind == VALUE_STRING;
	return value_error(value, err, ERROR_INVALID_VALUE,
		"\"camera\" is %s%s%s, must be an object or one of: %s", named ? "\"" : "",
		named ? value->string : value_kind_name(value->kind), named ? "\"" : "", known);
}
