// POST /v1/crowd: the request, and its vertices as JSON.
#include "crowd.h"

#include <string.h>

#include "overlays.h"
#include "picture.h"
#include "placement.h"
#include "request_internal.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* Finds the rig among those that were named before it, or adds it. */
static bool find_rig(
	struct crowd_request *request, struct crowd_figure *figure, struct error *err) {
	size_t i = 0;
	while (i < request->rig_count &&
		strcmp(request->rigs[i]->string, figure->rig->string) != 0) {
		i++;
	}
	if (i == LIMIT_CROWD_RIGS) {
		return value_error(figure->rig, err, ERROR_TOO_LARGE,
			"the instances are of more than %d rigs", LIMIT_CROWD_RIGS);
	}
	if (i == request->rig_count) {
		request->rigs[request->rig_count++] = figure->rig;
	}
	figure->which = i;
	return true;
}

static bool read_figure(const struct value *value, struct crowd_request *request,
	struct crowd_figure *figure, struct error *err) {
	enum { OWN_MEMBERS = 2 };
	const char *rig;
	struct placement_members placement;
	struct member members[OWN_MEMBERS + PLACEMENT_MEMBERS] = {
		request_rig_member(&rig, &figure->rig),
		{.name = "pose", .type = MEMBER_ANY, .out = &figure->pose},
	};
	placement_begin(&placement, members + OWN_MEMBERS);
	figure->place = value;
	return value_read_members(value, members, COUNT_OF(members), err) &&
		placement_end(&placement, figure->placement, err) && find_rig(request, figure, err);
}

static bool read_figures(const struct value *list, struct arena *arena, struct crowd_request *out,
	struct error *err) {
	if (list->kind != VALUE_LIST || list->count == 0) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"\"instances\" must be a list of 1 to %d instances", LIMIT_CROWD_FIGURES);
	}
	if (list->count > LIMIT_CROWD_FIGURES) {
		return value_error(list, err, ERROR_TOO_LARGE,
			"\"instances\" has %zu instances, may have %d", list->count,
			LIMIT_CROWD_FIGURES);
	}
	struct crowd_figure *figures = arena_alloc(arena, list->count, sizeof *figures);
	for (size_t i = 0; i < list->count; i++) {
		if (!read_figure(&list->items[i], out, &figures[i], err)) {
			return false;
		}
	}
	out->list = list;
	out->figures = figures;
	out->count = list->count;
	return true;
}

/* The clips of thousands of poses are not looked at as a whole. */
static bool check_fit(const struct value *body, enum fit fit, struct error *err) {
	return fit != FIT_CLIP ||
		value_error(value_member(body, "fit"), err, ERROR_INVALID_VALUE,
			"\"fit\" is \"clip\", must be pose or rest for a crowd");
}

/* What cameras show of one rig has no meaning among many. */
static bool check_camera(const struct camera_settings *camera, struct error *err) {
	if (camera->kind == CAMERA_NODE) {
		return value_error(camera->place, err, ERROR_INVALID_VALUE,
			"a crowd has no file whose cameras it could use");
	}
	return camera->part == PART_WHOLE ||
		value_error(camera->place, err, ERROR_INVALID_VALUE,
			"preset \"%s\" is for a picture of one rig", camera->place->string);
}

bool request_read_crowd(const struct value *body, struct arena *arena, struct crowd_request *out,
	struct error *err) {
	enum { OWN_MEMBERS = 3 };
	*out = (struct crowd_request){0};
	const struct value *list = NULL, *skinning = NULL, *attributes = NULL;
	struct picture_members picture;
	struct member members[OWN_MEMBERS + PICTURE_MEMBERS] = {
		{.name = "instances", .type = MEMBER_ANY, .out = &list, .required = true},
		{.name = "skinning", .type = MEMBER_ANY, .out = &skinning},
		{.name = "attributes", .type = MEMBER_ANY, .out = &attributes},
	};
	picture_begin(&picture, &out->picture, members + OWN_MEMBERS);
	return value_read_members(body, members, COUNT_OF(members), err) &&
		read_figures(list, arena, out, err) &&
		request_read_attributes(
			attributes, 0, out->attributes, &out->attribute_count, err) &&
		picture_end(&picture, &out->picture, err) &&
		check_fit(body, out->picture.fit, err) && check_camera(&out->picture.camera, err) &&
		overlays_refuse(&out->picture.overlays, "a crowd", err) &&
		request_read_skinning(skinning, &out->skinning, err);
}

void reply_begin_crowd(struct json_writer *json, uint64_t vertices) {
	json_write_begin_object(json);
	json_write_member_integer(json, "vertices", (int64_t)vertices);
	json_write_key(json, "instances");
	json_write_begin_list(json);
}

void reply_figure(struct json_writer *json, const char *rig, uint64_t first_vertex,
	const struct vertices_frame *frame) {
	json_write_begin_object(json);
	json_write_member_string(json, "rig", rig);
	json_write_member_integer(json, "first_vertex", (int64_t)first_vertex);
	json_write_member_integer(json, "vertices", (int64_t)frame->vertices);
	reply_attributes(json, frame);
	json_write_end_object(json);
}
