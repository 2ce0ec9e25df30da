// POST /v1/compare: the request and the answer.
#include "compare.h"

#include <stddef.h>
#include <string.h>

#include "base/json_write.h"
#include "base/number.h"
#include "picture.h"
#include "request_internal.h"

static bool read_methods(const struct value *list, struct compare_request *out, struct error *err) {
	if (list->kind != VALUE_LIST || list->count < 2) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"\"methods\" must be a list of 2 to %d methods", LIMIT_METHODS);
	}
	if (list->count > LIMIT_METHODS) {
		return value_error(list, err, ERROR_TOO_LARGE,
			"\"methods\" has %zu methods, may have %d", list->count, LIMIT_METHODS);
	}
	for (size_t i = 0; i < list->count; i++) {
		out->places[i] = &list->items[i];
		if (!request_read_skinning(out->places[i], &out->methods[i], err)) {
			return false;
		}
	}
	out->method_count = list->count;
	return true;
}

/* Depth has ends of its own in each cell; and heat is a shading itself. */
static bool check_shading(
	const struct value *body, const struct compare_request *request, struct error *err) {
	const struct shading_settings *shading = &request->picture.shading;
	const char *problem = request->view == VIEW_HEAT && shading->mode != SHADING_MATERIAL
		? "does not go with view \"heat\", which colours surfaces itself"
		: shading->mode == SHADING_DEPTH
		? "cannot be \"depth\" where methods are compared; ask for a frame of each"
		: NULL;
	return !problem ||
		value_error(value_member(body, "shading"), err, ERROR_INVALID_VALUE,
			"\"shading\" %s", problem);
}

static const char *const views[] = {
	[VIEW_SIDE_BY_SIDE] = "side_by_side", [VIEW_HEAT] = "heat", NULL};

#define AT(field) offsetof(struct compare_request, field)

static const struct member members[] = {
	{"methods", MEMBER_UNREAD, .required = true},
	{"worst", MEMBER_INTEGER, .offset = AT(worst), .most = LIMIT_WORST, .standard = 10,
		.parameter = "worst", .help = "vertices to list of each pair of methods"},
	{"view", MEMBER_CHOICE, .offset = AT(view), .choices = views, .parameter = "view",
		.help = "a picture instead of numbers"},
	{"scale", MEMBER_NUMBER, .offset = AT(scale), .least = LIMIT_DISTANCE_MIN,
		.most = LIMIT_DISTANCE_MAX, .parameter = "scale",
		.help = "distance at which the colours of a heat map end"},
};

const struct member_table compare_members = MEMBER_TABLE(NULL, members);

bool request_read_compare(
	const struct value *body, struct compare_request *out, struct error *err) {
	*out = (struct compare_request){0};
	const struct member_reading readings[] = {
		{&subject_members, &out->subject},
		{&compare_members, out},
		{&poses_member, NULL},
		{&picture_members, &out->picture},
		{&overlays_member, NULL},
	};
	if (!value_read_tables(body, readings, sizeof readings / sizeof *readings, err)) {
		return false;
	}
	const struct value *poses = value_member(body, "poses");
	if (poses) {
		return value_error(poses, err, ERROR_INVALID_VALUE,
			"methods are compared in one pose: give one \"pose\" and ask once for "
			"each");
	}
	return request_read_subject(body, &out->subject, err) &&
		request_read_picture(body, &out->picture, err) && check_shading(body, out, err) &&
		overlays_refuse(&out->picture.overlays, "a comparison", err) &&
		read_methods(value_member(body, "methods"), out, err);
}

bool compare_check_view(const struct compare_request *request, struct error *err) {
	return request->view != VIEW_HEAT || request->method_count == 2 ||
		value_error(request->places[2], err, ERROR_INVALID_VALUE,
			"\"methods\" has %zu methods, a heat map is of two; draw each pair, or "
			"view \"side_by_side\"",
			request->method_count);
}

/* A member's value as people would say it, in the arena. */
static const char *value_text(struct arena *arena, const struct value *value) {
	char number[NUMBER_TEXT_BYTES];
	switch (value->kind) {
	case VALUE_STRING:
		return value->string;
	case VALUE_NUMBER:
		return arena_strndup(arena, number, number_write_double(value->number, number));
	case VALUE_BOOL:
		return value->boolean ? "true" : "false";
	case VALUE_NULL:
	case VALUE_LIST:
	case VALUE_OBJECT:
		break;
	}
	return "...";
}

const char *compare_label(struct arena *arena, const struct value *method, const char *default_id) {
	if (method->kind == VALUE_STRING) {
		return method->string;
	}
	const struct value *id = value_member(method, "method");
	const char *label = id ? value_text(arena, id) : default_id;
	for (size_t i = 0; i < method->count; i++) {
		const struct value *item = &method->items[i];
		const char *text = value_text(arena, item);
		// That the device is left open tells nobody anything.
		const bool open = strcmp(item->key, "device") == 0 && strcmp(text, "auto") == 0;
		if (item != id && !open) {
			label = arena_printf(arena, "%s %s=%s", label, item->key, text);
		}
	}
	return label;
}

static void write_ratio(struct json_writer *json, const char *name, double value, double unit) {
	json_write_key(json, name);
	if (unit != 0) {
		json_write_double(json, value / unit);
	} else {
		json_write_null(json);
	}
}

static void write_method(struct json_writer *json, const struct method_comparison *method) {
	json_write_begin_object(json);
	json_write_member_string(json, "method", method->method);
	json_write_member_string(json, "device", method->device);
	json_write_member_string(json, "label", method->label);
	json_write_member_integer(json, "fallback_vertices", method->fallback_vertices);
	reply_batches(json, &method->batches);
	json_write_key(json, "flags");
	json_write_begin_list(json);
	for (size_t i = 0; method->flags[i]; i++) {
		json_write_string(json, method->flags[i]);
	}
	json_write_end_list(json);
	json_write_member_double(json, "volume", method->volume);
	json_write_member_double(json, "rest_volume", method->rest_volume);
	write_ratio(json, "volume_ratio", method->volume, method->rest_volume);
	json_write_member_bool(json, "closed", method->closed);
	json_write_end_object(json);
}

static void write_joints(struct json_writer *json, const struct vertex_comparison *vertex) {
	json_write_key(json, "joints");
	json_write_begin_list(json);
	for (size_t i = 0; i < vertex->joint_count; i++) {
		json_write_begin_object(json);
		json_write_member_string(json, "name", vertex->joints[i].name);
		json_write_member_integer(json, "index", vertex->joints[i].index);
		json_write_member_float(json, "weight", vertex->joints[i].weight);
		json_write_end_object(json);
	}
	json_write_end_list(json);
}

static void write_vertex(struct json_writer *json, const struct vertex_comparison *vertex) {
	json_write_begin_object(json);
	json_write_member_integer(json, "vertex", vertex->vertex);
	json_write_member_double(json, "distance", vertex->distance);
	json_write_member_floats(json, "a", vertex->a, 3);
	json_write_member_floats(json, "b", vertex->b, 3);
	write_joints(json, vertex);
	json_write_end_object(json);
}

static void write_pair(
	struct json_writer *json, const struct pair_comparison *pair, double diagonal) {
	json_write_begin_object(json);
	json_write_member_integer(json, "a", (int64_t)pair->a);
	json_write_member_integer(json, "b", (int64_t)pair->b);
	json_write_member_double(json, "max", pair->max);
	json_write_member_double(json, "mean", pair->mean);
	json_write_member_double(json, "rms", pair->rms);
	write_ratio(json, "max_relative", pair->max, diagonal);
	json_write_key(json, "worst");
	json_write_begin_list(json);
	for (size_t i = 0; i < pair->worst_count; i++) {
		write_vertex(json, &pair->worst[i]);
	}
	json_write_end_list(json);
	json_write_end_object(json);
}

void reply_write_comparison(const struct comparison_description *comparison, struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	json_write_member_integer(&json, "vertices", comparison->vertices);
	json_write_member_double(&json, "diagonal", comparison->diagonal);
	json_write_key(&json, "methods");
	json_write_begin_list(&json);
	for (size_t i = 0; i < comparison->method_count; i++) {
		write_method(&json, &comparison->methods[i]);
	}
	json_write_end_list(&json);
	json_write_key(&json, "pairs");
	json_write_begin_list(&json);
	for (size_t i = 0; i < comparison->pair_count; i++) {
		write_pair(&json, &comparison->pairs[i], comparison->diagonal);
	}
	json_write_end_list(&json);
	json_write_end_object(&json);
}
