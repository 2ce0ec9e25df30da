// POST /v1/frames: the request.
#include "sequence.h"

#include <math.h>

#include "limits.h"
#include "picture.h"
#include "request_internal.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* A list of seconds. */
static bool read_list(const struct value *list, struct arena *arena, struct moments_settings *out,
	struct error *err) {
	if (list->count == 0) {
		return value_error(list, err, ERROR_INVALID_VALUE,
			"\"times\" is empty, must have 1 to %d times", LIMIT_POSES);
	}
	if (list->count > LIMIT_POSES) {
		return value_error(list, err, ERROR_TOO_LARGE,
			"\"times\" has %zu times, may have %d", list->count, LIMIT_POSES);
	}
	double *times = arena_alloc(arena, list->count, sizeof *times);
	for (size_t i = 0; i < list->count; i++) {
		const struct value *item = &list->items[i];
		if (item->kind != VALUE_NUMBER || fabs(item->number) > LIMIT_CLOCK_S) {
			return value_error(item, err, ERROR_INVALID_VALUE,
				"a time must be a number of seconds from %g to %g", -LIMIT_CLOCK_S,
				LIMIT_CLOCK_S);
		}
		times[i] = item->number;
	}
	out->list = times;
	out->list_count = list->count;
	return true;
}

/* Refuses one of two members that say the same in two ways. Always false. */
static bool refuse_both(const struct value *place, const char *other, struct error *err) {
	return value_error(place, err, ERROR_INVALID_VALUE,
		"both \"%s\" and \"%s\" are given, must be one of them", place->key, other);
}

static bool read_span(const struct value *value, struct moments_settings *out, struct error *err) {
	const struct value *end = NULL, *rate = NULL;
	const struct member members[] = {
		{.name = "start",
			.type = MEMBER_NUMBER,
			.out = &out->start_s,
			.least = -LIMIT_CLOCK_S,
			.most = LIMIT_CLOCK_S},
		{.name = "end",
			.type = MEMBER_NUMBER,
			.out = &out->end_s,
			.least = -LIMIT_CLOCK_S,
			.most = LIMIT_CLOCK_S,
			.place = &end},
		{.name = "count",
			.type = MEMBER_INTEGER,
			.out = &out->count,
			.least = 1,
			.most = LIMIT_POSES},
		{.name = "fps",
			.type = MEMBER_NUMBER,
			.out = &out->rate,
			.least = LIMIT_FRAME_RATE_LEAST,
			.most = LIMIT_FRAME_RATE_MOST,
			.place = &rate},
		{.name = "clip", .type = MEMBER_ANY, .out = &out->clip},
	};
	if (!value_read_members(value, members, COUNT_OF(members), err)) {
		return false;
	}
	if (rate && out->count > 0) {
		return refuse_both(rate, "count", err);
	}
	if (end && out->clip) {
		return refuse_both(end, "clip", err);
	}
	out->has_end = end != NULL;
	return !end || out->end_s > out->start_s ||
		value_error(end, err, ERROR_INVALID_VALUE,
			"\"end\" is %.15g, must be later than \"start\", %.15g", out->end_s,
			out->start_s);
}

static bool read_moments(const struct value *value, struct arena *arena,
	struct moments_settings *out, struct error *err) {
	out->place = value;
	if (!value) {
		return true;
	}
	if (value->kind == VALUE_LIST) {
		return read_list(value, arena, out, err);
	}
	return value->kind == VALUE_OBJECT
		? read_span(value, out, err)
		: value_error(value, err, ERROR_INVALID_VALUE,
			  "\"times\" is %s, must be a list of seconds or an object of start, end, "
			  "count, fps, clip",
			  value_kind_name(value->kind));
}

/* The number of places alone. */
static bool read_count(
	const struct value *value, struct turntable_settings *out, struct error *err) {
	const double count = value->number;
	if (count < 1 || count > LIMIT_POSES || count != floor(count)) {
		return value_error(value, err, ERROR_INVALID_VALUE,
			"\"turntable\" is %.15g, must be a whole number from 1 to %d", count,
			LIMIT_POSES);
	}
	out->count = (int)count;
	return true;
}

static bool read_turntable(
	const struct value *value, struct turntable_settings *out, struct error *err) {
	*out = (struct turntable_settings){.place = value, .degrees = 360};
	if (!value) {
		return true;
	}
	if (value->kind == VALUE_NUMBER) {
		return read_count(value, out, err);
	}
	if (value->kind != VALUE_OBJECT) {
		return value_error(value, err, ERROR_INVALID_VALUE,
			"\"turntable\" is %s, must be a number of frames or an object of count, "
			"start_yaw, degrees",
			value_kind_name(value->kind));
	}
	const struct value *start = NULL;
	const struct member members[] = {
		{.name = "count",
			.type = MEMBER_INTEGER,
			.out = &out->count,
			.required = true,
			.least = 1,
			.most = LIMIT_POSES},
		{.name = "start_yaw",
			.type = MEMBER_NUMBER,
			.out = &out->start_yaw_deg,
			.least = -LIMIT_TURN_DEG,
			.most = LIMIT_TURN_DEG,
			.place = &start},
		{.name = "degrees",
			.type = MEMBER_NUMBER,
			.out = &out->degrees,
			.least = -LIMIT_TURN_DEG,
			.most = LIMIT_TURN_DEG},
	};
	const bool read = value_read_members(value, members, COUNT_OF(members), err);
	out->has_start = start != NULL;
	return read;
}

static bool check_poses(const struct value *times, const struct value *poses, struct error *err) {
	return !times || !poses || refuse_both(times, poses->key, err);
}

bool request_read_frames(const struct value *body, struct arena *arena, struct frames_request *out,
	struct error *err) {
	enum { OWN_MEMBERS = 11 };
	*out = (struct frames_request){0};
	const struct value *pose = NULL, *poses = NULL, *skinning = NULL;
	const struct value *times = NULL, *turntable = NULL;
	const char *format;
	bool dither = true;
	struct frames_settings *frames = &out->frames;
	struct picture_members picture;
	struct member members[OWN_MEMBERS + PICTURE_MEMBERS] = {
		request_rig_member(&out->subject.rig, &out->subject.place),
		{.name = "pose", .type = MEMBER_ANY, .out = &pose},
		{.name = "poses", .type = MEMBER_ANY, .out = &poses},
		{.name = "skinning", .type = MEMBER_ANY, .out = &skinning},
		{.name = "times", .type = MEMBER_ANY, .out = &times},
		{.name = "turntable", .type = MEMBER_ANY, .out = &turntable},
		{.name = "format", .type = MEMBER_STRING, .out = &format, .place = &out->format},
		{.name = "fps",
			.type = MEMBER_NUMBER,
			.out = &frames->rate,
			.least = LIMIT_FRAME_RATE_LEAST,
			.most = LIMIT_FRAME_RATE_MOST,
			.place = &frames->rate_place},
		{.name = "loops",
			.type = MEMBER_INTEGER,
			.out = &frames->loops,
			.least = 0,
			.most = LIMIT_LOOPS},
		{.name = "columns",
			.type = MEMBER_INTEGER,
			.out = &frames->columns,
			.least = 1,
			.most = LIMIT_POSES},
		{.name = "dither", .type = MEMBER_BOOL, .out = &dither},
	};
	picture_begin(&picture, &out->picture, members + OWN_MEMBERS);
	if (!value_read_members(body, members, COUNT_OF(members), err)) {
		return false;
	}
	frames->plain_colors = !dither;
	return request_read_poses(pose, poses, &out->subject, err) &&
		check_poses(times, poses, err) &&
		read_moments(times, arena, &frames->moments, err) &&
		read_turntable(turntable, &frames->turntable, err) &&
		picture_end(&picture, &out->picture, err) &&
		request_read_skinning(skinning, &out->skinning, err);
}
