// The mode that colours surfaces: its name, or an object with its options.
#include "picture.h"

#include <math.h>
#include <stddef.h>

#include "limits.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#define NAME_OF(id, name, title) [SHADING_##id] = #name,
static const char *const modes[] = {SHADINGS(NAME_OF) NULL};
#undef NAME_OF

static const char *const impls[] = {
	[BATCHED_FFP1] = "ffp1", [BATCHED_FFP2] = "ffp2", [BATCHED_CG4M] = "cg4m", NULL};

/* A bit for each mode. */
#define MODE(id) (1u << SHADING_##id)

#define AT(field) offsetof(struct shading_settings, field)

/* The mode, and options that only some modes have. A command line has --shading-options for
 * these. */
static const struct member members[] = {
	{"mode", MEMBER_CHOICE, .offset = AT(mode), .choices = modes, .required = true,
		.parameter = "shading", .help = "the mode that colours surfaces", .variants = ~0u},
	{"joint", MEMBER_ANY, .offset = AT(joint), .parameter = "joint",
		.not_on_command_line = true,
		.help = "name or index of the one joint; default all joints",
		.variants = MODE(WEIGHTS)},
	{"legend", MEMBER_BOOL, .offset = AT(legend), .parameter = "legend",
		.not_on_command_line = true, .help = "whether a strip below explains the colours",
		.variants = MODE(WEIGHTS) | MODE(INFLUENCES) | MODE(BATCHES)},
	{"color", MEMBER_UNREAD, .parameter = "color", .not_on_command_line = true,
		.help = "#rrggbb; default #000000", .variants = MODE(SILHOUETTE)},
	{"squares", MEMBER_INTEGER, .offset = AT(squares), .least = 1, .most = LIMIT_SQUARES,
		.standard = 32, .parameter = "squares", .not_on_command_line = true,
		.help = "along a side of the texture, or along the longest side of the box",
		.variants = MODE(CHECKER)},
	{"impl", MEMBER_CHOICE, .offset = AT(batched), .choices = impls, .parameter = "impl",
		.not_on_command_line = true, .help = "the impl of lbs that cuts the batches",
		.variants = MODE(BATCHES)},
	{"light", MEMBER_VECTOR, .offset = AT(vertex_light.place), .count = 3, .parameter = "light",
		.not_on_command_line = true, .help = "position in the world; default far away",
		.variants = MODE(CG4M)},
	{"light_color", MEMBER_UNREAD, .parameter = "light_color", .not_on_command_line = true,
		.help = "#rrggbb; default #ffffff", .variants = MODE(CG4M)},
	{"ambient", MEMBER_UNREAD, .parameter = "ambient", .not_on_command_line = true,
		.help = "#rrggbb; default #595959", .variants = MODE(CG4M)},
	{"specular", MEMBER_UNREAD, .parameter = "specular", .not_on_command_line = true,
		.help = "#rrggbb; default #7c7c7c", .variants = MODE(CG4M)},
	{"shininess", MEMBER_NUMBER, .offset = AT(vertex_light.shininess), .least = 0,
		.most = LIMIT_SHININESS, .standard = 32, .parameter = "shininess",
		.not_on_command_line = true, .help = "exponent of the highlight",
		.variants = MODE(CG4M)},
	{"near", MEMBER_NUMBER, .offset = AT(near), .parameter = "near",
		.not_on_command_line = true, .help = "distance along the view that is white",
		.variants = MODE(DEPTH)},
	{"far", MEMBER_NUMBER, .offset = AT(far), .parameter = "far", .not_on_command_line = true,
		.help = "distance along the view that is black", .variants = MODE(DEPTH)},
};

const struct member_table shading_members = MEMBER_TABLE("shading", members);

/* Reads a mode's name wherever it stands. */
static bool read_mode(const struct value *value, struct shading_settings *out, struct error *err) {
	int mode;
	const struct member member = {value->key, MEMBER_CHOICE, .out = &mode, .choices = modes};
	if (!value_read_known_members(value->parent, &member, 1, err)) {
		return false;
	}
	out->mode = (enum shading)mode;
	return true;
}

static bool check_range(
	const struct shading_settings *settings, const struct value *far, struct error *err) {
	return !settings->has_near || !settings->has_far || settings->near < settings->far ||
		value_error(far, err, ERROR_INVALID_VALUE,
			"\"far\" is %g, must be above %g, \"near\"", settings->far, settings->near);
}

static bool read_opaque(const struct value *value, double color[static 4], struct error *err) {
	return color_read(value, color, err) &&
		(color[3] == 1 ||
			value_error(value, err, ERROR_INVALID_VALUE,
				"\"%s\" is \"%s\", must be opaque, \"#rrggbb\"", value->key,
				value->string));
}

static bool check_light(
	const struct vertex_light *light, const struct value *place, struct error *err) {
	for (int i = 0; i < 3; i++) {
		if (!(fabs(light->place[i]) <= LIMIT_DISTANCE_MAX)) {
			return value_error(place, err, ERROR_INVALID_VALUE,
				"\"light\" has the coordinate %g, must be within -%g and %g",
				light->place[i], LIMIT_DISTANCE_MAX, LIMIT_DISTANCE_MAX);
		}
	}
	return true;
}

/* Reads the options that the mode has, and refuses others. */
static bool read_options(
	const struct value *object, struct shading_settings *out, struct error *err) {
	struct member own[COUNT_OF(members)];
	size_t count = 0;
	for (size_t i = 0; i < COUNT_OF(members); i++) {
		if ((members[i].variants & 1u << out->mode) != 0) {
			own[count++] = members[i];
		}
	}
	const struct member_table table = {"shading", own, count};
	const struct member_reading reading = {&table, out};
	struct vertex_light *vertex = &out->vertex_light;
	const struct value *light = value_member(object, "light");
	const struct value *far = value_member(object, "far");
	out->has_near = value_member(object, "near") != NULL;
	out->has_far = far != NULL;
	vertex->has_place = light != NULL;
	return value_read_tables(object, &reading, 1, err) &&
		read_opaque(value_member(object, "color"), out->color, err) &&
		read_opaque(value_member(object, "light_color"), vertex->color, err) &&
		read_opaque(value_member(object, "ambient"), vertex->ambient, err) &&
		read_opaque(value_member(object, "specular"), vertex->specular, err) &&
		check_light(vertex, light, err) && check_range(out, far, err);
}

bool shading_read(const struct value *value, struct shading_settings *out, struct error *err) {
	*out = (struct shading_settings){
		.color = {0, 0, 0, 1},
		// Ambient light is a tenth of the light's, the specular colour a fifth of white.
		.vertex_light = {.color = {1, 1, 1, 1},
			.ambient = {89 / 255.0, 89 / 255.0, 89 / 255.0, 1},
			.specular = {124 / 255.0, 124 / 255.0, 124 / 255.0, 1}},
	};
	member_set_standards(&shading_members, out);
	if (!value) {
		return true;
	}
	if (value->kind != VALUE_OBJECT) {
		return read_mode(value, out, err);
	}
	const struct value *mode = NULL;
	const struct member member = {"mode", MEMBER_ANY, .out = &mode, .required = true};
	return value_read_known_members(value, &member, 1, err) && read_mode(mode, out, err) &&
		read_options(value, out, err);
}
