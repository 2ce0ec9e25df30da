// What is drawn over a picture: names and options.
#include "overlays.h"

#include <math.h>
#include <string.h>

#include "color.h"
#include "limits.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* The name of the overlay, which every object has beside its options; the reader knows it already.
 */
#define NAME_MEMBER(text) \
	{ .name = "overlay", .type = MEMBER_STRING, .out = &(text), .required = true }

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

static bool read_skeleton(
	const struct value *value, struct overlay_settings *out, struct error *err) {
	const char *overlay;
	const struct value *names = NULL;
	struct skeleton_settings *skeleton = &out->skeleton;
	const struct member members[] = {
		NAME_MEMBER(overlay),
		{.name = "joints", .type = MEMBER_ANY, .out = &skeleton->joints},
		{.name = "names", .type = MEMBER_ANY, .out = &names},
		{.name = "axes", .type = MEMBER_BOOL, .out = &skeleton->axes},
	};
	return value_read_members(value, members, COUNT_OF(members), err) &&
		check_joints(skeleton->joints, err) && read_names(names, skeleton, err);
}

static bool read_wireframe(
	const struct value *value, struct overlay_settings *out, struct error *err) {
	const char *overlay;
	const struct value *color = NULL;
	const struct member members[] = {
		NAME_MEMBER(overlay),
		{.name = "color", .type = MEMBER_ANY, .out = &color},
	};
	const bool read = value_read_members(value, members, COUNT_OF(members), err);
	out->wireframe.has_color = read && color;
	return read && color_read(color, out->wireframe.color, err);
}

static bool read_normals(
	const struct value *value, struct overlay_settings *out, struct error *err) {
	const char *overlay;
	const struct member members[] = {
		NAME_MEMBER(overlay),
		{.name = "length",
			.type = MEMBER_NUMBER,
			.out = &out->normals.length,
			.least = LIMIT_DISTANCE_LEAST,
			.most = LIMIT_DISTANCE_MOST},
	};
	return value_read_members(value, members, COUNT_OF(members), err);
}

static bool read_bounds(
	const struct value *value, struct overlay_settings *out, struct error *err) {
	static const char *const fits[] = {
		[FIT_POSE] = "pose", [FIT_CLIP] = "clip", [FIT_REST] = "rest", NULL};
	const char *overlay;
	int of = FIT_POSE;
	const struct member members[] = {
		NAME_MEMBER(overlay),
		{.name = "of", .type = MEMBER_CHOICE, .out = &of, .choices = fits},
	};
	const bool read = value_read_members(value, members, COUNT_OF(members), err);
	out->bounds.of = (enum fit)of;
	return read;
}

static bool read_span(const struct value *span, struct trails_settings *out, struct error *err) {
	const struct member members[] = {
		{.name = "start",
			.type = MEMBER_NUMBER,
			.out = &out->start_s,
			.required = true,
			.least = -LIMIT_CLOCK_S,
			.most = LIMIT_CLOCK_S},
		{.name = "end",
			.type = MEMBER_NUMBER,
			.out = &out->end_s,
			.required = true,
			.least = -LIMIT_CLOCK_S,
			.most = LIMIT_CLOCK_S},
		{.name = "count",
			.type = MEMBER_INTEGER,
			.out = &out->count,
			.least = 2,
			.most = LIMIT_TRAIL_DOTS},
	};
	if (!value_read_members(span, members, COUNT_OF(members), err)) {
		return false;
	}
	out->has_span = true;
	return out->start_s < out->end_s ||
		value_error(value_member(span, "end"), err, ERROR_INVALID_VALUE,
			"\"end\" is %.15g, must be after \"start\", which is %.15g", out->end_s,
			out->start_s);
}

static bool read_trails(
	const struct value *value, struct overlay_settings *out, struct error *err) {
	const char *overlay;
	const struct value *times = NULL;
	struct trails_settings *trails = &out->trails;
	const struct member members[] = {
		NAME_MEMBER(overlay),
		{.name = "joints", .type = MEMBER_ANY, .out = &trails->joints},
		{.name = "times", .type = MEMBER_ANY, .out = &times},
	};
	if (!value_read_members(value, members, COUNT_OF(members), err) ||
		!check_joints(trails->joints, err)) {
		return false;
	}
	if (times && times->kind == VALUE_OBJECT) {
		return read_span(times, trails, err);
	}
	trails->times = times;
	return !times || check_times(times, 2, LIMIT_TRAIL_DOTS, err);
}

static bool read_onion(const struct value *value, struct overlay_settings *out, struct error *err) {
	const char *overlay;
	const struct value *count = NULL, *spread = NULL;
	struct onion_settings *onion = &out->onion;
	const struct member members[] = {
		NAME_MEMBER(overlay),
		{.name = "times", .type = MEMBER_ANY, .out = &onion->times},
		{.name = "count",
			.type = MEMBER_INTEGER,
			.out = &onion->count,
			.least = 1,
			.most = LIMIT_ONION,
			.place = &count},
		{.name = "spread",
			.type = MEMBER_NUMBER,
			.out = &onion->spread_s,
			.least = 1e-6,
			.most = LIMIT_CLOCK_S,
			.place = &spread},
	};
	if (!value_read_members(value, members, COUNT_OF(members), err)) {
		return false;
	}
	const struct value *other = count ? count : spread;
	if (onion->times && other) {
		return value_error(other, err, ERROR_INVALID_VALUE,
			"both \"times\" and \"%s\" are given: times stand on their own",
			other->key);
	}
	return !onion->times || check_times(onion->times, 1, LIMIT_ONION, err);
}

/* Reads the options of one overlay. */
static bool (*const readers[OVERLAY_COUNT])(
	const struct value *value, struct overlay_settings *out, struct error *err) = {
	[OVERLAY_WIREFRAME] = read_wireframe,
	[OVERLAY_NORMALS] = read_normals,
	[OVERLAY_BOUNDS] = read_bounds,
	[OVERLAY_ONION] = read_onion,
	[OVERLAY_TRAILS] = read_trails,
	[OVERLAY_SKELETON] = read_skeleton,
};

static const char *const names[OVERLAY_COUNT + 1] = {
	[OVERLAY_WIREFRAME] = "wireframe",
	[OVERLAY_NORMALS] = "normals",
	[OVERLAY_BOUNDS] = "bounds",
	[OVERLAY_ONION] = "onion",
	[OVERLAY_TRAILS] = "trails",
	[OVERLAY_SKELETON] = "skeleton",
};

static bool refuse_unknown(const struct value *name, struct error *err) {
	char known[128];
	value_list_names(names, known, sizeof known);
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
		(name->kind != VALUE_STRING || strcmp(names[i], name->string) != 0)) {
		i++;
	}
	if (i == OVERLAY_COUNT) {
		return refuse_unknown(name, err);
	}
	if ((out->shown & 1u << i) != 0) {
		return value_error(value, err, ERROR_INVALID_VALUE,
			"overlay \"%s\" is asked for twice", names[i]);
	}
	out->shown |= 1u << i;
	return !is_object || readers[i](value, out, err);
}

bool overlays_read(const struct value *list, struct overlay_settings *out, struct error *err) {
	*out = (struct overlay_settings){.list = list, .trails.count = 13, .onion.count = 4};
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
