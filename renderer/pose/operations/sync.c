// {"sync": [{"clip", "weight", ...}, ...], "time": t | "phase": p}: clips in step with one another.
#include <math.h>

#include "pose/blend/over.h"
#include "pose/blend/sync.h"
#include "pose/find.h"

struct request {
	const struct value *list;
	struct sync_moment moment;
	int way, rotation; // enum sync_markers, enum average_rotation
};

/* An item of the list. */
struct item {
	const struct value *clip, *mask, *markers;
	double weight;
};

static const struct member item_rows[] = {
	{"clip", MEMBER_ANY, .offset = offsetof(struct item, clip), .required = true},
	{"weight", MEMBER_NUMBER, .offset = offsetof(struct item, weight), .most = INFINITY,
		.standard = 1},
	{"mask", MEMBER_ANY, .offset = offsetof(struct item, mask), .members = &mask_members},
	{"markers", MEMBER_ANY, .offset = offsetof(struct item, markers)},
};

static const struct member_table item_members = MEMBER_TABLE(NULL, item_rows);

/* Most clips at once. */
#define SYNC_ITEMS_MAX 256

static bool read_item(struct pose_context *context, const struct value *source,
	enum sync_markers way, struct sync_item *item, struct error *err) {
	struct item said = {0};
	if (!value_read_table(source, &item_members, &said, err)) {
		return false;
	}
	*item = (struct sync_item){.source = source, .weight = said.weight, .mask = said.mask};
	item->clip = pose_find_clip(context->rig, said.clip, err);
	return item->clip && sync_find_markers(context, item, said.markers, way, err);
}

#define AT(field) offsetof(struct request, field)

static const struct member rows[] = {
	{"sync", MEMBER_ANY, .offset = AT(list), .required = true, .members = &item_members},
	{"time", MEMBER_NUMBER, .offset = AT(moment.time_s),
		.source_offset = AT(moment.time_source)},
	{"phase", MEMBER_NUMBER, .offset = AT(moment.phase), .least = 0, .most = 1,
		.source_offset = AT(moment.phase_source)},
	{"markers", MEMBER_CHOICE, .offset = AT(way), .choices = sync_markers_names},
	{"rotation", MEMBER_CHOICE, .offset = AT(rotation), .choices = average_names},
};

static const struct member_table members = MEMBER_TABLE(NULL, rows);

static bool evaluate_sync(struct pose_context *context, const struct value *value, struct pose *out,
	struct error *err) {
	struct request request = {0};
	if (!value_read_table(value, &members, &request, err)) {
		return false;
	}
	const struct value *list = request.list;
	if (list->kind != VALUE_LIST || list->count == 0 || list->count > SYNC_ITEMS_MAX) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"\"sync\" must be a list of 1 to %d {\"clip\", \"weight\", \"mask\", "
			"\"markers\"}",
			SYNC_ITEMS_MAX);
	}
	struct sync_item items[SYNC_ITEMS_MAX];
	for (size_t i = 0; i < list->count; i++) {
		if (!read_item(context, &list->items[i], (enum sync_markers)request.way, &items[i],
			    err)) {
			return false;
		}
	}
	return sync_check(items, list->count, &request.moment, err) &&
		sync_evaluate(context, value, items, list->count, &request.moment,
			(enum average_rotation)request.rotation, out, err);
}

const struct operation operation_sync = {
	"sync", "clips in step with one another", evaluate_sync, &members, .is_quick = false};
