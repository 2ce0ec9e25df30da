// The overlays of a picture: names and options.
#include "picture.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "limits.h"

#define AT(field) offsetof(struct overlay_settings, field)

/* The name of the overlay, which every object has beside its options; its reader knows it already.
 */
#define NAME_MEMBER \
	{ "overlay", MEMBER_UNREAD, .required = true }

static const struct member plain_members[] = {NAME_MEMBER};

static const struct member skeleton_members[] = {
	NAME_MEMBER,
	{"joints", MEMBER_ANY, .offset = AT(skeleton.joints),
		.help = "names or indices; default those that move vertices"},
	{"names", MEMBER_UNREAD, .help = "true, or the joints that are named"},
	{"axes", MEMBER_BOOL, .offset = AT(skeleton.axes),
		.help = "whether joints show their own axes"},
};

static const struct member wireframe_members[] = {
	NAME_MEMBER,
	{"color", MEMBER_UNREAD, .help = "#rrggbb or #rrggbbaa"},
};

static const struct member normals_members[] = {
	NAME_MEMBER,
	{"length", MEMBER_NUMBER, .offset = AT(normals.length), .least = LIMIT_DISTANCE_MIN,
		.most = LIMIT_DISTANCE_MAX, .help = "in the rig's unit"},
};

static const struct member bounds_members[] = {
	NAME_MEMBER,
	{"of", MEMBER_CHOICE, .offset = AT(bounds.of), .choices = fit_names,
		.help = "the vertices in the box"},
};

static const struct member trails_members[] = {
	NAME_MEMBER,
	{"joints", MEMBER_ANY, .offset = AT(trails.joints),
		.help = "names or indices; default where limbs end"},
	{"times", MEMBER_UNREAD,
		.help = "seconds, or an object of start, end and count; default the whole clip"},
};

static const struct member span_members[] = {
	{"start", MEMBER_NUMBER, .offset = AT(trails.start_s), .required = true,
		.least = -LIMIT_CLOCK_S, .most = LIMIT_CLOCK_S},
	{"end", MEMBER_NUMBER, .offset = AT(trails.end_s), .required = true,
		.least = -LIMIT_CLOCK_S, .most = LIMIT_CLOCK_S},
	{"count", MEMBER_INTEGER, .offset = AT(trails.count), .least = 2, .most = LIMIT_TRAIL_DOTS,
		.standard = 13},
};

static const struct member_table span_table = MEMBER_TABLE("times", span_members);

static const struct member onion_members[] = {
	NAME_MEMBER,
	{"times", MEMBER_ANY, .offset = AT(onion.times), .help = "seconds; default count, evenly"},
	{"count", MEMBER_INTEGER, .offset = AT(onion.count), .least = 1, .most = LIMIT_ONION,
		.standard = 4, .help = "of figures before and after"},
	{"spread", MEMBER_NUMBER, .offset = AT(onion.spread_s), .least = 1e-6,
		.most = LIMIT_CLOCK_S, .unit = "seconds",
		.help = "from the first to the last figure; default half of the clip"},
};

static bool check_joints(const struct value *list, struct error *err) {
	if (list && (list->kind != VALUE_LIST || list->count == 0)) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"\"%s\" must be a list of at least one joint's name or index", list->key);
	}
	return true;
}

static bool check_time(const struct value *value, struct error *err) {
	if (value->kind != VALUE_NUMBER || !(fabs(value->number) <= LIMIT_CLOCK_S)) {
		return value_error(value, err, ERROR_INVALID_VALUE,
			"a time must be a number of seconds from %g to %g", -LIMIT_CLOCK_S,
			LIMIT_CLOCK_S);
	}
	return true;
}

static bool check_times(const struct value *list, size_t least, size_t most, struct error *err) {
	if (list->kind != VALUE_LIST || list->count < least) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"\"times\" must be a list of %zu to %zu numbers of seconds", least, most);
	}
	if (list->count > most) {
		return value_error(list, err, ERROR_TOO_LARGE,
			"\"times\" has %zu times, may have %zu", list->count, most);
	}
	for (size_t i = 0; i < list->count; i++) {
		if (!check_time(&list->items[i], err)) {
			return false;
		}
	}
	return true;
}

static bool read_names(
	const struct value *names, struct skeleton_settings *out, struct error *err) {
	if (!names) {
		return true;
	}
	if (names->kind == VALUE_BOOL) {
		out->all_names = names->boolean;
		return true;
	}
	out->names = names;
	return (names->kind == VALUE_LIST && names->count > 0) ||
		value_error(names, err, ERROR_INVALID_VALUE,
			"\"names\" must be true, false or a list of at least one joint's name or "
			"index");
}

#define OVERLAY_NAME(id, name, title) [OVERLAY_##id] = #name,
const char *const overlay_names[OVERLAY_COUNT + 1] = {OVERLAYS(OVERLAY_NAME)};
#undef OVERLAY_NAME

static bool check_skeleton(
	const struct value *object, struct overlay_settings *out, struct error *err) {
	return check_joints(out->skeleton.joints, err) &&
		read_names(value_member(object, "names"), &out->skeleton, err);
}

static bool check_wireframe(
	const struct value *object, struct overlay_settings *out, struct error *err) {
	const struct value *color = value_member(object, "color");
	out->wireframe.has_color = color;
	return color_read(color, out->wireframe.color, err);
}

static bool read_span(const struct value *span, struct overlay_settings *out, struct error *err) {
	const struct member_reading reading = {&span_table, out};
	if (!value_read_tables(span, &reading, 1, err)) {
		return false;
	}
	out->trails.has_span = true;
	return out->trails.start_s < out->trails.end_s ||
		value_error(value_member(span, "end"), err, ERROR_INVALID_VALUE,
			"\"end\" is %.15g, must be after \"start\", which is %.15g",
			out->trails.end_s, out->trails.start_s);
}

static bool check_trails(
	const struct value *object, struct overlay_settings *out, struct error *err) {
	const struct value *times = value_member(object, "times");
	if (!check_joints(out->trails.joints, err)) {
		return false;
	}
	if (times && times->kind == VALUE_OBJECT) {
		return read_span(times, out, err);
	}
	out->trails.times = times;
	return !times || check_times(times, 2, LIMIT_TRAIL_DOTS, err);
}

static bool check_onion(
	const struct value *object, struct overlay_settings *out, struct error *err) {
	const struct value *count = value_member(object, "count");
	const struct value *other = count ? count : value_member(object, "spread");
	const struct value *times = out->onion.times;
	if (times && other) {
		return value_error(other, err, ERROR_INVALID_VALUE,
			"both \"times\" and \"%s\" are given: times stand on their own",
			other->key);
	}
	return !times || check_times(times, 1, LIMIT_ONION, err);
}

#define TABLE(members) MEMBER_TABLE("overlays", members)

/* The overlays that have options, and what checks those beyond their table. */
static const struct {
	struct member_table options;
	bool (*check)(const struct value *object, struct overlay_settings *out, struct error *err);
} rows[OVERLAY_COUNT] = {
	[OVERLAY_WIREFRAME] = {MEMBER_TABLE("overlays", wireframe_members), check_wireframe},
	[OVERLAY_NORMALS] = {MEMBER_TABLE("overlays", normals_members), NULL},
	[OVERLAY_BOUNDS] = {MEMBER_TABLE("overlays", bounds_members), NULL},
	[OVERLAY_ONION] = {MEMBER_TABLE("overlays", onion_members), check_onion},
	[OVERLAY_TRAILS] = {MEMBER_TABLE("overlays", trails_members), check_trails},
	[OVERLAY_SKELETON] = {MEMBER_TABLE("overlays", skeleton_members), check_skeleton},
};

const struct member_table *overlay_options(enum overlay overlay) {
	static const struct member_table none = MEMBER_TABLE("overlays", plain_members);
	return rows[overlay].options.members ? &rows[overlay].options : &none;
}

static bool read_options(const struct value *object, enum overlay overlay,
	struct overlay_settings *out, struct error *err) {
	const struct member_reading reading = {overlay_options(overlay), out};
	return value_read_tables(object, &reading, 1, err) &&
		(!rows[overlay].check || rows[overlay].check(object, out, err));
}

static bool refuse_unknown(const struct value *name, struct error *err) {
	char known[128];
	value_list_names(overlay_names, known, sizeof known);
	const bool is_text = name->kind == VALUE_STRING;
	return value_error(name, err, ERROR_INVALID_VALUE,
		"an overlay is %s%s%s, must be one of: %s", is_text ? "\"" : "",
		is_text ? name->string : value_kind_name(name->kind), is_text ? "\"" : "", known);
}

static bool read_overlay(
	const struct value *value, struct overlay_settings *out, struct error *err) {
	const bool is_object = value->kind == VALUE_OBJECT;
	const struct value *name = is_object ? value_member(value, "overlay") : value;
	if (!name) {
		return value_error(value, err, ERROR_INVALID_VALUE,
			"\"overlay\" is missing: the overlay's name");
	}
	int i = 0;
	while (i < OVERLAY_COUNT &&
		(name->kind != VALUE_STRING || strcmp(overlay_names[i], name->string) != 0)) {
		i++;
	}
	if (i == OVERLAY_COUNT) {
		return refuse_unknown(name, err);
	}
	if ((out->shown & 1u << i) != 0) {
		return value_error(value, err, ERROR_INVALID_VALUE,
			"overlay \"%s\" is asked for twice", overlay_names[i]);
	}
	out->shown |= 1u << i;
	return !is_object || read_options(value, (enum overlay)i, out, err);
}

bool overlays_read(const struct value *list, struct overlay_settings *out, struct error *err) {
	*out = (struct overlay_settings){.list = list};
	member_set_standards(&span_table, out);
	for (int i = 0; i < OVERLAY_COUNT; i++) {
		member_set_standards(overlay_options((enum overlay)i), out);
	}
	if (!list) {
		return true;
	}
	if (list->kind != VALUE_LIST) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"\"overlays\" is %s, must be a list of names or of objects with options",
			value_kind_name(list->kind));
	}
	for (size_t i = 0; i < list->count; i++) {
		if (!read_overlay(&list->items[i], out, err)) {
			return false;
		}
	}
	return true;
}

bool overlays_refuse(const struct overlay_settings *overlays, const char *what, struct error *err) {
	return overlays->shown == 0 ||
		value_error(overlays->list, err, ERROR_INVALID_VALUE,
			"\"overlays\" are drawn over one figure, and not over %s", what);
}
