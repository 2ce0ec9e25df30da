// POST /v1/crowd: the request, and its vertices as JSON.
#include "crowd.h"

#include <stdint.h>
#include <string.h>

#include "base/placement_members.h"
#include "picture.h"
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

/* An instance's "attach". */
struct attachment {
	const struct value *joint, *source;
	int to;
};

static const struct member attachment_rows[] = {
	{"to", MEMBER_INTEGER, .offset = offsetof(struct attachment, to), .required = true,
		.most = LIMIT_CROWD_FIGURES - 1,
		.source_offset = offsetof(struct attachment, source)},
	{"joint", MEMBER_ANY, .offset = offsetof(struct attachment, joint), .required = true},
};

static const struct member_table attachment_members = MEMBER_TABLE(NULL, attachment_rows);

struct instance {
	const char *rig;
	const struct value *rig_source, *pose, *attachment;
	struct placement_members placement;
};

static const struct member instance_rows[] = {
	{"rig", MEMBER_STRING, .offset = offsetof(struct instance, rig), .required = true,
		.source_offset = offsetof(struct instance, rig_source)},
	{"pose", MEMBER_ANY, .offset = offsetof(struct instance, pose)},
	{"attach", MEMBER_ANY, .offset = offsetof(struct instance, attachment),
		.members = &attachment_members},
	PLACEMENT_MEMBERS(offsetof(struct instance, placement)),
};

static const struct member_table instance_members = MEMBER_TABLE(NULL, instance_rows);

/* The joint of another figure, of count, that one is attached to; value NULL = none. */
static bool read_attachment(
	const struct value *value, size_t count, struct crowd_figure *figure, struct error *err) {
	struct attachment said = {0};
	figure->to = SIZE_MAX;
	if (!value) {
		return true;
	}
	if (!value_read_table(value, &attachment_members, &said, err)) {
		return false;
	}
	figure->joint = said.joint;
	figure->to = (size_t)said.to;
	return figure->to < count ||
		value_error(said.source, err, ERROR_INVALID_VALUE,
			"\"to\" is %d, must be the position of an instance, from 0 to %zu", said.to,
			count - 1);
}

static bool read_figure(const struct value *value, struct crowd_request *request,
	struct crowd_figure *figure, struct error *err) {
	struct instance said = {0};
	if (!value_read_table(value, &instance_members, &said, err)) {
		return false;
	}
	figure->source = value;
	figure->rig = said.rig_source;
	figure->pose = said.pose;
	return placement_read(&said.placement, figure->placement, err) &&
		read_attachment(said.attachment, value->parent->count, figure, err) &&
		find_rig(request, figure, err);
}

/* Lists a figure behind the one that it is attached to, and that behind its own, as far as they are
 * not listed yet. chain [count] is scratch. */
static bool list_chain(const struct crowd_figure *figures, size_t i, bool *listed, size_t *chain,
	size_t *order, size_t *ordered, size_t count, struct error *err) {
	size_t length = 0;
	for (; i != SIZE_MAX && !listed[i]; i = figures[i].to) {
		if (length == count) {
			return value_error(figures[i].joint->parent, err, ERROR_INVALID_VALUE,
				"instance %zu is attached to itself, or to others that are "
				"attached to it",
				i);
		}
		chain[length++] = i;
	}
	while (length > 0) {
		order[*ordered] = chain[--length];
		listed[order[(*ordered)++]] = true;
	}
	return true;
}

static bool find_order(struct crowd_request *request, struct arena *arena, struct error *err) {
	const size_t count = request->count;
	size_t *order = arena_alloc(arena, count, sizeof *order);
	size_t *chain = arena_alloc(arena, count, sizeof *chain);
	bool *listed = arena_alloc(arena, count, sizeof *listed);
	size_t ordered = 0;
	for (size_t i = 0; i < count; i++) {
		if (!list_chain(request->figures, i, listed, chain, order, &ordered, count, err)) {
			return false;
		}
	}
	request->order = order;
	return true;
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
	return find_order(out, arena, err);
}

/* The clips of thousands of poses are not looked at as a whole. */
static bool check_fit(const struct value *body, enum fit fit, struct error *err) {
	return fit != FIT_CLIP ||
		value_error(value_member(body, "fit"), err, ERROR_INVALID_VALUE,
			"\"fit\" is \"clip\", must be pose or rest for a crowd");
}

/* Members of a camera that concern one rig have no meaning among many. */
static bool check_camera(const struct camera_settings *camera, struct error *err) {
	if (camera->kind == CAMERA_NODE) {
		return value_error(camera->source, err, ERROR_INVALID_VALUE,
			"a crowd has no file whose cameras it could use");
	}
	return camera->part == PART_WHOLE ||
		value_error(camera->source, err, ERROR_INVALID_VALUE,
			"preset \"%s\" is for a picture of one rig", camera->source->string);
}

static const struct member members[] = {
	{"instances", MEMBER_UNREAD, .required = true, .members = &instance_members},
};

const struct member_table crowd_members = MEMBER_TABLE(NULL, members);

bool request_read_crowd(const struct value *body, struct arena *arena, struct crowd_request *out,
	struct error *err) {
	*out = (struct crowd_request){0};
	const struct member_reading readings[] = {
		{&crowd_members, NULL},
		{&skinning_member, NULL},
		{&plain_attributes_member, NULL},
		{&picture_members, &out->picture},
		{&view_member, &out->picture},
		{&overlays_member, NULL},
	};
	return value_read_tables(body, readings, COUNT_OF(readings), err) &&
		read_figures(value_member(body, "instances"), arena, out, err) &&
		request_read_attributes(value_member(body, "attributes"), 0, out->attributes,
			&out->attribute_count, err) &&
		request_read_picture(body, &out->picture, err) &&
		check_fit(body, out->picture.fit, err) && check_camera(&out->picture.camera, err) &&
		overlays_refuse(&out->picture.overlays, "a crowd", err) &&
		request_read_skinning(value_member(body, "skinning"), &out->skinning, err);
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
