// What surfaces are coloured by: a mode's name, or an object with its options.
#include "shading.h"

#include <math.h>

#include "color.h"
#include "limits.h"

#define NAME_OF(id, name, title) [SHADING_##id] = #name,
static const char *const modes[] = {SHADINGS(NAME_OF) NULL};
#undef NAME_OF

/* Members of the object, the mode first. */
enum {
	MODE,
	JOINT,
	LEGEND,
	COLOR,
	SQUARES,
	IMPL,
	LIGHT,
	LIGHT_COLOR,
	AMBIENT,
	SPECULAR,
	SHININESS,
	NEAR,
	FAR,
	MEMBER_COUNT,
};

#define OPTION(member) (1u << (member))

/* The options that modes have. */
static const unsigned options_of[SHADING_COUNT] = {
	[SHADING_CG4M] = OPTION(LIGHT) | OPTION(LIGHT_COLOR) | OPTION(AMBIENT) | OPTION(SPECULAR) |
		OPTION(SHININESS),
	[SHADING_CHECKER] = OPTION(SQUARES),
	[SHADING_SILHOUETTE] = OPTION(COLOR),
	[SHADING_WEIGHTS] = OPTION(JOINT) | OPTION(LEGEND),
	[SHADING_INFLUENCES] = OPTION(LEGEND),
	[SHADING_BATCHES] = OPTION(IMPL) | OPTION(LEGEND),
	[SHADING_DEPTH] = OPTION(NEAR) | OPTION(FAR),
};

void shading_begin(struct shading_members *found, struct shading_settings *out,
	struct member members[static SHADING_MEMBERS]) {
	*out = (struct shading_settings){
		.color = {0, 0, 0, 1},
		.squares = 32,
		// Ambient light is a tenth of the light's, the specular colour a fifth of white.
		.vertex_light = {.color = {1, 1, 1, 1},
			.ambient = {89 / 255.0, 89 / 255.0, 89 / 255.0, 1},
			.specular = {124 / 255.0, 124 / 255.0, 124 / 255.0, 1},
			.shininess = 32},
	};
	*found = (struct shading_members){0};
	members[0] = (struct member){.name = "shading", .type = MEMBER_ANY, .out = &found->shading};
}

/* Reads a mode's name wherever it stands. */
static bool read_mode(const struct value *value, struct shading_settings *out, struct error *err) {
	int mode;
	const struct member member = {
		.name = value->key, .type = MEMBER_CHOICE, .out = &mode, .choices = modes};
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
		if (!(fabs(light->place[i]) <= LIMIT_DISTANCE_MOST)) {
			return value_error(place, err, ERROR_INVALID_VALUE,
				"\"light\" has the coordinate %g, must be within -%g and %g",
				light->place[i], LIMIT_DISTANCE_MOST, LIMIT_DISTANCE_MOST);
		}
	}
	return true;
}

/* Reads the options that the mode has, and refuses others. */
static bool read_options(
	const struct value *object, struct shading_settings *out, struct error *err) {
	const struct value *ignored, *color = NULL, *near = NULL, *far = NULL;
	static const char *const impls[] = {
		[BATCHED_FFP1] = "ffp1", [BATCHED_FFP2] = "ffp2", [BATCHED_CG4M] = "cg4m", NULL};
	int batched = out->batched;
	const struct value *light = NULL, *light_color = NULL, *ambient = NULL, *specular = NULL;
	struct vertex_light *vertex = &out->vertex_light;
	const struct member table[MEMBER_COUNT] = {
		[MODE] = {.name = "mode", .type = MEMBER_ANY, .out = &ignored},
		[JOINT] = {.name = "joint", .type = MEMBER_ANY, .out = &out->joint},
		[LEGEND] = {.name = "legend", .type = MEMBER_BOOL, .out = &out->legend},
		[COLOR] = {.name = "color", .type = MEMBER_ANY, .out = &color},
		[SQUARES] = {.name = "squares",
			.type = MEMBER_INTEGER,
			.out = &out->squares,
			.least = 1,
			.most = LIMIT_SQUARES},
		[IMPL] = {.name = "impl", .type = MEMBER_CHOICE, .out = &batched, .choices = impls},
		[LIGHT] = {.name = "light",
			.type = MEMBER_VECTOR,
			.out = vertex->place,
			.count = 3,
			.place = &light},
		[LIGHT_COLOR] = {.name = "light_color", .type = MEMBER_ANY, .out = &light_color},
		[AMBIENT] = {.name = "ambient", .type = MEMBER_ANY, .out = &ambient},
		[SPECULAR] = {.name = "specular", .type = MEMBER_ANY, .out = &specular},
		[SHININESS] = {.name = "shininess",
			.type = MEMBER_NUMBER,
			.out = &vertex->shininess,
			.least = 0,
			.most = LIMIT_SHININESS},
		[NEAR] = {.name = "near", .type = MEMBER_NUMBER, .out = &out->near, .place = &near},
		[FAR] = {.name = "far", .type = MEMBER_NUMBER, .out = &out->far, .place = &far},
	};
	struct member members[MEMBER_COUNT];
	size_t count = 0;
	for (int i = 0; i < MEMBER_COUNT; i++) {
		if (i == MODE || (options_of[out->mode] & OPTION(i)) != 0) {
			members[count++] = table[i];
		}
	}
	if (!value_read_members(object, members, count, err) ||
		!read_opaque(color, out->color, err) ||
		!read_opaque(light_color, vertex->color, err) ||
		!read_opaque(ambient, vertex->ambient, err) ||
		!read_opaque(specular, vertex->specular, err) || !check_light(vertex, light, err)) {
		return false;
	}
	out->batched = (enum batched)batched;
	vertex->has_place = light != NULL;
	out->has_near = near != NULL;
	out->has_far = far != NULL;
	return check_range(out, far, err);
}

bool shading_end(
	const struct shading_members *found, struct shading_settings *out, struct error *err) {
	const struct value *value = found->shading, *mode = NULL;
	if (!value) {
		return true;
	}
	if (value->kind != VALUE_OBJECT) {
		return read_mode(value, out, err);
	}
	const struct member member = {
		.name = "mode", .type = MEMBER_ANY, .out = &mode, .required = true};
	return value_read_known_members(value, &member, 1, err) && read_mode(mode, out, err) &&
		read_options(value, out, err);
}
