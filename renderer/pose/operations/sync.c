// {"sync": [{"clip", "weight", ...}, ...], "time": t | "phase": p}: clips in step with one another.
#include "pose/blend/sync.h"
#include "pose/find.h"

/* Most clips at once. */
#define SYNC_ITEMS_MAX 256

static bool read_item(struct pose_context *context, const struct value *place,
	enum sync_markers way, struct sync_item *item, struct error *err) {
	const struct value *clip = NULL, *weight_place = NULL, *markers = NULL;
	*item = (struct sync_item){.place = place, .weight = 1};
	const struct member members[] = {
		{"clip", MEMBER_ANY, &clip, .required = true},
		{"weight", MEMBER_NUMBER, &item->weight, .place = &weight_place},
		{"mask", MEMBER_ANY, &item->mask, .required = false},
		{"markers", MEMBER_ANY, &markers, .required = false},
	};
	if (!value_read_members(place, members, sizeof members / sizeof *members, err)) {
		return false;
	}
	if (!(item->weight >= 0)) {
		return value_error(weight_place, err, ERROR_INVALID_VALUE,
			"\"weight\" is %.15g, must be 0 or more", item->weight);
	}
	item->clip = pose_find_clip(context->rig, clip, err);
	return item->clip && sync_find_markers(context, item, markers, way, err);
}

bool operation_sync(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err) {
	const struct value *list = NULL;
	struct sync_moment moment = {0};
	int way = SYNC_MARKERS_NONE, rotation = AVERAGE_NLERP;
	const struct member members[] = {
		{"sync", MEMBER_ANY, &list, .required = true},
		{"time", MEMBER_NUMBER, &moment.time_s, .place = &moment.time_place},
		{"phase", MEMBER_NUMBER, &moment.phase, .least = 0, .most = 1,
			.place = &moment.phase_place},
		{"markers", MEMBER_CHOICE, &way, .choices = sync_markers_names},
		{"rotation", MEMBER_CHOICE, &rotation, .choices = average_names},
	};
	if (!value_read_members(value, members, sizeof members / sizeof *members, err)) {
		return false;
	}
	if (list->kind != VALUE_LIST || list->count == 0 || list->count > SYNC_ITEMS_MAX) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"\"sync\" must be a list of 1 to %d {\"clip\", \"weight\", \"mask\", "
			"\"markers\"}",
			SYNC_ITEMS_MAX);
	}
	struct sync_item items[SYNC_ITEMS_MAX];
	for (size_t i = 0; i < list->count; i++) {
		if (!read_item(context, &list->items[i], (enum sync_markers)way, &items[i], err)) {
			return false;
		}
	}
	return sync_check(items, list->count, &moment, err) &&
		sync_evaluate(context, value, items, list->count, &moment,
			(enum average_rotation)rotation, out, err);
}
