// {"blend_space": [{"at": x | [x, y], "pose": P}, ...], "at": x | [x, y]}: samples by their
// distance.
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "pose/blend/average.h"
#include "pose/blend/space.h"
#include "pose/blend/sync.h"
#include "pose/find.h"

/* Farther coordinates are of no use, and their squares leave no room. */
#define FARTHEST 1e9

struct space {
	const struct value *list, *at_source;
	int dimensions; // 1 or 2
	double at[2];
	int mode, rotation;
	bool synchronised;
	struct sync_moment moment;
	int way; // enum sync_markers
	const struct value *markers_source;
	int count;
	double points[SPACE_SAMPLES_MAX][2]; // y = 0 on a line
	const struct value *poses[SPACE_SAMPLES_MAX];
	double weights[SPACE_SAMPLES_MAX];
	struct sync_item items[SPACE_SAMPLES_MAX]; // of a synchronised space
};

/* Cached: the triangulation of a space with three samples or more in a plane, and of any space the
 * check of its poses. */
struct note {
	bool checked;
	struct space_mesh *mesh; // NULL before it is made
};

static bool read_coordinate(const struct value *value, double *out, struct error *err) {
	if (value->kind != VALUE_NUMBER) {
		return value_error(value, err, ERROR_INVALID_VALUE,
			"a coordinate is %s, must be a number", value_kind_name(value->kind));
	}
	*out = value->number;
	return fabs(value->number) <= FARTHEST ||
		value_error(value, err, ERROR_INVALID_VALUE,
			"a coordinate is %.15g, must be from -1e9 to 1e9", value->number);
}

static bool read_point(
	const struct value *value, int dimensions, double out[static 2], struct error *err) {
	out[1] = 0;
	if (dimensions == 1) {
		return read_coordinate(value, &out[0], err);
	}
	if (value->kind != VALUE_LIST || value->count != 2) {
		return value_error(value, err, ERROR_INVALID_VALUE,
			"\"at\" must be a list of two numbers, as that of the whole space is");
	}
	return read_coordinate(&value->items[0], &out[0], err) &&
		read_coordinate(&value->items[1], &out[1], err);
}

/* An item of the list. */
struct sample {
	const struct value *at, *pose;
};

static const struct member sample_rows[] = {
	{"at", MEMBER_ANY, .offset = offsetof(struct sample, at), .required = true},
	{"pose", MEMBER_ANY, .offset = offsetof(struct sample, pose), .required = true},
};

static const struct member_table sample_members = MEMBER_TABLE(NULL, sample_rows);

static bool read_sample(
	struct space *space, const struct value *item, int index, struct error *err) {
	struct sample sample = {0};
	if (!value_read_table(item, &sample_members, &sample, err)) {
		return false;
	}
	space->poses[index] = sample.pose;
	return read_point(sample.at, space->dimensions, space->points[index], err);
}

static bool read_samples(struct space *space, struct error *err) {
	const struct value *list = space->list;
	if (list->kind != VALUE_LIST || list->count == 0 || list->count > SPACE_SAMPLES_MAX) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"\"blend_space\" must be a list of 1 to %d {\"at\", \"pose\"}",
			SPACE_SAMPLES_MAX);
	}
	space->count = (int)list->count;
	for (int i = 0; i < space->count; i++) {
		if (!read_sample(space, &list->items[i], i, err)) {
			return false;
		}
	}
	int other = 0;
	const int twin = space_find_twin((const double(*)[2])space->points, space->count, &other);
	return twin < 0 ||
		value_error(&list->items[twin], err, ERROR_INVALID_VALUE,
			"the sample is in the place of sample %d", other);
}

static bool check_time(const struct space *space, struct error *err) {
	const struct value *const places[] = {
		space->moment.time_source, space->moment.phase_source, space->markers_source};
	for (int i = 0; i < 3; i++) {
		if (places[i] && !space->synchronised) {
			return value_error(places[i], err, ERROR_INVALID_VALUE,
				"\"%s\" is for a space with \"synchronised\": true",
				places[i]->key);
		}
	}
	return true;
}

#define AT(field) offsetof(struct space, field)

static const struct member rows[] = {
	{"blend_space", MEMBER_ANY, .offset = AT(list), .required = true,
		.members = &sample_members},
	{"at", MEMBER_ANY, .offset = AT(at_source), .required = true},
	{"mode", MEMBER_CHOICE, .offset = AT(mode), .choices = space_mode_names},
	{"synchronised", MEMBER_BOOL, .offset = AT(synchronised)},
	{"time", MEMBER_NUMBER, .offset = AT(moment.time_s),
		.source_offset = AT(moment.time_source)},
	{"phase", MEMBER_NUMBER, .offset = AT(moment.phase), .least = 0, .most = 1,
		.source_offset = AT(moment.phase_source)},
	{"markers", MEMBER_CHOICE, .offset = AT(way), .choices = sync_markers_names,
		.source_offset = AT(markers_source)},
	{"rotation", MEMBER_CHOICE, .offset = AT(rotation), .choices = average_names},
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

static bool read(const struct value *value, struct space *space, struct error *err) {
	if (!value_read_table(value, &members, space, err)) {
		return false;
	}
	space->dimensions = space->at_source->kind == VALUE_LIST ? 2 : 1;
	return check_time(space, err) &&
		read_point(space->at_source, space->dimensions, space->at, err) &&
		read_samples(space, err);
}

static void weigh(struct pose_context *context, struct space *space, struct note *note) {
	static const struct space_mesh none = {0};
	const double(*points)[2] = (const double(*)[2])space->points;
	if (!note->mesh && space->dimensions == 2 && space->count > 2) {
		note->mesh = arena_alloc(context->run->arena, 1, sizeof *note->mesh);
		space_triangulate(points, space->count, note->mesh);
	}
	space_weights(points, space->count, note->mesh ? note->mesh : &none,
		(enum space_mode)space->mode, space->at, space->weights);
}

/* Evaluates all samples the first time, so that what is wrong in one is refused wherever the space
 * is looked at; later those alone that have a say. */
static bool evaluate(struct pose_context *context, const struct space *space, bool all,
	struct pose_slot **slots, struct average_input *inputs, struct error *err) {
	for (int i = 0; i < space->count; i++) {
		const bool counts = space->weights[i] > 0;
		if (!counts && !all) {
			continue;
		}
		slots[i] = pose_pool_take(&context->spare, context->rig, context->arena, err);
		if (!slots[i] ||
			!pose_evaluate_into(context, space->poses[i], &slots[i]->pose, err)) {
			return false;
		}
		if (counts) {
			inputs[i] = (struct average_input){.weight = space->weights[i],
				.pose = &slots[i]->pose,
				.whole = true};
		} else {
			pose_pool_give(&context->spare, slots[i]);
			slots[i] = NULL;
		}
	}
	return true;
}

static bool blend(struct pose_context *context, const struct space *space, struct note *note,
	struct pose *out, struct error *err) {
	struct pose_slot *slots[SPACE_SAMPLES_MAX] = {NULL};
	struct average_input *inputs = xcalloc((size_t)space->count, sizeof *inputs);
	const bool ok = evaluate(context, space, !note->checked, slots, inputs, err);
	if (ok) {
		average_poses(context->rig, inputs, (size_t)space->count,
			(enum average_rotation)space->rotation, out);
		note->checked = true;
	}
	for (int i = 0; i < space->count; i++) {
		pose_pool_give(&context->spare, slots[i]);
	}
	free(inputs);
	return ok;
}

static bool read_clip(struct pose_context *context, const struct value *pose, double weight,
	enum sync_markers way, struct sync_item *item, struct error *err) {
	const struct value *clip = value_member(pose, "clip");
	if (!clip || pose->count != 1) {
		return value_error(pose, err, ERROR_INVALID_VALUE,
			"in a synchronised space every pose must be {\"clip\": name} and no more");
	}
	*item = (struct sync_item){.source = pose, .weight = weight, .whole = true};
	item->clip = pose_find_clip(context->rig, clip, err);
	return item->clip && sync_find_markers(context, item, NULL, way, err);
}

static bool blend_clips(struct pose_context *context, const struct value *value,
	struct space *space, struct pose *out, struct error *err) {
	struct sync_item *items = space->items;
	for (int i = 0; i < space->count; i++) {
		if (!read_clip(context, space->poses[i], space->weights[i],
			    (enum sync_markers)space->way, &items[i], err)) {
			return false;
		}
	}
	if (!sync_check(items, (size_t)space->count, &space->moment, err)) {
		return false;
	}
	size_t used = 0;
	for (int i = 0; i < space->count; i++) {
		if (items[i].weight > 0) {
			items[used++] = items[i];
		}
	}
	return sync_evaluate(context, value, items, used, &space->moment,
		(enum average_rotation)space->rotation, out, err);
}

static bool evaluate_blend_space(struct pose_context *context, const struct value *value,
	struct pose *out, struct error *err) {
	struct space *space = xcalloc(1, sizeof *space);
	bool ok = read(value, space, err);
	if (ok) {
		struct note *note = pose_run_recall(context->run, value, sizeof *note);
		weigh(context, space, note);
		ok = space->synchronised ? blend_clips(context, value, space, out, err)
					 : blend(context, space, note, out, err);
	}
	free(space);
	return ok;
}

const struct operation operation_blend_space = {"blend_space",
	"samples on a line or in a plane, by distance", evaluate_blend_space, &members,
	.is_quick = false};
