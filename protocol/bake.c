// Motions baked to run without posed.
#include "bake.h"

#include <stddef.h>
#include <string.h>

#include "base/json_write.h"
#include "limits.h"
#include "request_internal.h"

#define STANDARD_NAME "baked"

#define FORM_NAME(id, name, title) name,
static const char *const form_names[] = {BAKED_FORMS(FORM_NAME) NULL};
#undef FORM_NAME

/* --- The request --- */

static const char *const precisions[] = {[BAKE_HALF] = "half", [BAKE_FLOAT] = "float", NULL};

#define AT(field) offsetof(struct bake_request, field)

static const struct member members[] = {
	{"as", MEMBER_CHOICE, .offset = AT(baked.form), .choices = form_names, .required = true,
		.parameter = "as",
		.help = "morph and joints are GLBs, textures are tars; others are motion alone"},
	{"precision", MEMBER_CHOICE, .offset = AT(precision), .choices = precisions,
		.parameter = "precision", .help = "of a vertex texture"},
	{"prune", MEMBER_BOOL, .offset = AT(baked.prune), .parameter = "prune", .text = TEXT_BOOL,
		.help = "whether joints that nothing needs are left out"},
	{"mesh", MEMBER_BOOL, .offset = AT(baked.without_mesh), .negated = true, .standard = true,
		.parameter = "mesh", .text = TEXT_BOOL,
		.help = "whether a playback has what all clips of the rig share"},
};

const struct member_table bake_members = MEMBER_TABLE(NULL, members);

static const struct member motion_rows[] = {
	{"duration", MEMBER_NUMBER, .offset = AT(baked.duration_s), .least = 0,
		.most = LIMIT_CLIP_DURATION_S, .standard = -1, .parameter = "duration",
		.unit = "seconds", .help = "that are baked; default the longest clip"},
	{"rate", MEMBER_NUMBER, .offset = AT(baked.rate), .least = 0, .most = LIMIT_CLIP_RATE,
		.standard = 30, .parameter = "rate", .unit = "frames a second",
		.help = "of what is baked"},
	{"name", MEMBER_STRING, .offset = AT(baked.name), .parameter = "name",
		.help = "of the animation; default \"" STANDARD_NAME "\""},
};

const struct member_table motion_members = MEMBER_TABLE(NULL, motion_rows);

#define MOTION_NAME(id, name, title) name,
const char *const bake_motion_names[] = {BAKED_MOTIONS(MOTION_NAME) NULL};
#undef MOTION_NAME

static bool check(const struct value *body, const struct bake_request *request, struct error *err) {
	const struct value *precision = value_member(body, "precision");
	if (!(request->baked.rate > 0)) {
		return value_error(value_member(body, "rate"), err, ERROR_INVALID_VALUE,
			"\"rate\" is 0, must be more than 0 and up to %g frames a second",
			LIMIT_CLIP_RATE);
	}
	if (precision && request->baked.form != BAKED_VERTEX_TEXTURE) {
		return value_error(precision, err, ERROR_INVALID_VALUE,
			"\"precision\" is for \"vertex_texture\": all else is float32");
	}
	if (request->baked.prune && request->baked.form != BAKED_JOINTS) {
		return value_error(value_member(body, "prune"), err, ERROR_INVALID_VALUE,
			"\"prune\" is for \"joints\": nothing else has joints");
	}
	if (request->baked.without_mesh && request->baked.form != BAKED_PLAYBACK) {
		return value_error(value_member(body, "mesh"), err, ERROR_INVALID_VALUE,
			"\"mesh\" is for \"playback\": nothing else is shared by clips");
	}
	if (value_member(body, "skinning") && baked_is_motion(request->baked.form)) {
		return value_error(value_member(body, "skinning"), err, ERROR_INVALID_VALUE,
			"\"skinning\" is not for \"%s\", which has no vertices",
			form_names[request->baked.form]);
	}
	const size_t length = strlen(request->baked.name);
	return (length > 0 && length <= LIMIT_NAME_BYTES) ||
		value_error(value_member(body, "name"), err, ERROR_INVALID_VALUE,
			"\"name\" has %zu bytes, must have 1 to %d", length, LIMIT_NAME_BYTES);
}

bool bake_read(const struct value *body, struct bake_request *out, struct error *err) {
	*out = (struct bake_request){.baked = {.name = STANDARD_NAME}};
	const struct member_reading readings[] = {
		{&subject_members, &out->subject},
		{&skinning_member, NULL},
		{&bake_members, out},
		{&motion_members, out},
	};
	if (!value_read_tables(body, readings, sizeof readings / sizeof *readings, err)) {
		return false;
	}
	const struct value *duration = value_member(body, "duration");
	out->baked.full = out->precision == BAKE_FLOAT;
	out->baked.source = duration ? duration : body;
	out->baked.form_source = value_member(body, "as");
	return check(body, out, err) && request_read_subject(body, &out->subject, err) &&
		request_read_skinning(value_member(body, "skinning"), &out->skinning, err);
}

/* --- The description --- */

static void write_vector(struct json_writer *json, const char *name, const float vector[static 3]) {
	json_write_member_floats(json, name, vector, 3);
}

static void write_texture(struct json_writer *json, const struct baked_texture *texture) {
	const float none[3] = {0};
	json_write_key(json, texture->name);
	json_write_begin_object(json);
	json_write_member_string(json, "file", texture->file);
	json_write_member_string(json, "format", texture->format);
	json_write_member_integer(json, "width", (int64_t)texture->width);
	json_write_member_integer(json, "height", (int64_t)texture->height);
	json_write_member_integer(json, "items", (int64_t)texture->items);
	json_write_member_integer(json, "per_row", (int64_t)texture->items_per_row);
	json_write_member_integer(json, "texels", (int64_t)texture->texels);
	if (memcmp(texture->scale, none, sizeof none) != 0) {
		write_vector(json, "offset", texture->offset);
		write_vector(json, "scale", texture->scale);
	}
	json_write_end_object(json);
}

/* To the last digit: a shorter decimal may be a little less or more than the float32. */
static void write_bound(struct json_writer *json, const char *name, const float bound[static 3]) {
	json_write_key(json, name);
	json_write_begin_list(json);
	for (int k = 0; k < 3; k++) {
		json_write_double(json, (double)bound[k]);
	}
	json_write_end_list(json);
}

static void write_bounds(struct json_writer *json, const struct baked_facts *facts) {
	json_write_key(json, "bounds");
	json_write_begin_object(json);
	write_bound(json, "min", facts->min);
	write_bound(json, "max", facts->max);
	json_write_end_object(json);
}

static void write_slots(struct json_writer *json, const struct baked_facts *facts) {
	json_write_key(json, "slots");
	json_write_begin_list(json);
	for (size_t i = 0; i < facts->slot_count; i++) {
		json_write_string(json, facts->slots[i]);
	}
	json_write_end_list(json);
}

const char *bake_form_name(enum baked_form form) {
	return form_names[form];
}

void bake_write_description(const struct baked_facts *facts, struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	json_write_member_string(&json, "as", form_names[facts->form]);
	json_write_member_string(&json, "name", facts->name);
	json_write_member_string(&json, "mesh", "mesh.glb");
	json_write_member_integer(&json, "frames", (int64_t)facts->frames);
	json_write_key(&json, "rate");
	json_write_double(&json, facts->rate);
	json_write_key(&json, "duration");
	json_write_double(&json, facts->duration_s);
	json_write_member_integer(&json, "vertices", (int64_t)facts->vertices);
	if (facts->has_bounds) {
		write_bounds(&json, facts);
	}
	if (facts->slots) {
		write_slots(&json, facts);
	}
	json_write_key(&json, "textures");
	json_write_begin_object(&json);
	for (size_t i = 0; i < facts->texture_count; i++) {
		write_texture(&json, &facts->textures[i]);
	}
	json_write_end_object(&json);
	json_write_end_object(&json);
}
