// Motions baked to run without posed.
#include "bake.h"

#include <string.h>

#include "base/json_write.h"
#include "limits.h"
#include "request_internal.h"

#define STANDARD_RATE 30
#define STANDARD_NAME "baked"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#define FORM_NAME(id, name, title) name,
static const char *const form_names[] = {BAKED_FORMS(FORM_NAME) NULL};
#undef FORM_NAME

/* --- The request --- */

/* Where the request says what is checked; NULL = it does not. */
struct places {
	const struct value *rate, *precision, *name, *prune;
};

static bool check(
	const struct bake_request *request, const struct places *places, struct error *err) {
	if (!(request->baked.rate > 0)) {
		return value_error(places->rate, err, ERROR_INVALID_VALUE,
			"\"rate\" is 0, must be more than 0 and up to %g frames a second",
			LIMIT_CLIP_RATE);
	}
	if (places->precision && request->baked.form != BAKED_VERTEX_TEXTURE) {
		return value_error(places->precision, err, ERROR_INVALID_VALUE,
			"\"precision\" is for \"vertex_texture\": all else is float32");
	}
	if (request->baked.prune && request->baked.form != BAKED_JOINTS) {
		return value_error(places->prune, err, ERROR_INVALID_VALUE,
			"\"prune\" is for \"joints\": nothing else has joints");
	}
	const size_t length = strlen(request->baked.name);
	return (length > 0 && length <= LIMIT_NAME_BYTES) ||
		value_error(places->name, err, ERROR_INVALID_VALUE,
			"\"name\" has %zu bytes, must have 1 to %d", length, LIMIT_NAME_BYTES);
}

bool bake_read(const struct value *body, struct bake_request *out, struct error *err) {
	static const char *const precisions[] = {"half", "float", NULL};
	*out = (struct bake_request){.baked = {.name = STANDARD_NAME,
					     .duration_s = -1,
					     .rate = STANDARD_RATE,
					     .place = body}};
	const struct value *pose = NULL, *skinning = NULL;
	struct places places = {0};
	int form = 0, precision = 0;
	const struct member members[] = {
		request_rig_member(&out->subject.rig, &out->subject.place),
		{.name = "pose", .type = MEMBER_ANY, .out = &pose},
		{.name = "skinning", .type = MEMBER_ANY, .out = &skinning},
		{.name = "as",
			.type = MEMBER_CHOICE,
			.out = &form,
			.choices = form_names,
			.required = true,
			.place = &out->baked.form_place},
		{.name = "duration",
			.type = MEMBER_NUMBER,
			.out = &out->baked.duration_s,
			.least = 0,
			.most = LIMIT_CLIP_DURATION_S,
			.place = &out->baked.place},
		{.name = "rate",
			.type = MEMBER_NUMBER,
			.out = &out->baked.rate,
			.least = 0,
			.most = LIMIT_CLIP_RATE,
			.place = &places.rate},
		{.name = "name",
			.type = MEMBER_STRING,
			.out = &out->baked.name,
			.place = &places.name},
		{.name = "precision",
			.type = MEMBER_CHOICE,
			.out = &precision,
			.choices = precisions,
			.place = &places.precision},
		{.name = "prune",
			.type = MEMBER_BOOL,
			.out = &out->baked.prune,
			.place = &places.prune},
	};
	if (!value_read_members(body, members, COUNT_OF(members), err)) {
		return false;
	}
	out->baked.form = (enum baked_form)form;
	out->baked.full = precision == 1;
	return check(out, &places, err) && request_read_poses(pose, NULL, &out->subject, err) &&
		request_read_skinning(skinning, &out->skinning, err);
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
