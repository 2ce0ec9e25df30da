// POST /v1/frames: the request.
#include "sequence.h"

#include <math.h>
#include <stddef.h>

#include "limits.h"
#include "picture.h"
#include "request_internal.h"

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
static bool refuse_both(const struct value *source, const char *other, struct error *err) {
	return value_error(source, err, ERROR_INVALID_VALUE,
		"both \"%s\" and \"%s\" are given, must be one of them", source->key, other);
}

static const struct member times_rows[] = {
	{"start", MEMBER_NUMBER, .offset = offsetof(struct moments_settings, start_s),
		.least = -LIMIT_CLOCK_S, .most = LIMIT_CLOCK_S, .parameter = "start",
		.unit = "seconds", .help = "of the first frame, after the pose's own time"},
	{"end", MEMBER_NUMBER, .offset = offsetof(struct moments_settings, end_s),
		.least = -LIMIT_CLOCK_S, .most = LIMIT_CLOCK_S, .parameter = "end",
		.unit = "seconds",
		.help = "before which the last frame is; default the end of the clip"},
	{"count", MEMBER_INTEGER, .offset = offsetof(struct moments_settings, count), .least = 1,
		.most = LIMIT_POSES, .parameter = "count", .not_on_command_line = true,
		.help = "of frames"},
	{"fps", MEMBER_NUMBER, .offset = offsetof(struct moments_settings, rate),
		.least = LIMIT_FRAME_RATE_MIN, .most = LIMIT_FRAME_RATE_MAX},
	{"clip", MEMBER_ANY, .offset = offsetof(struct moments_settings, clip)},
};

const struct member_table times_members = MEMBER_TABLE("times", times_rows);

static bool read_span(const struct value *value, struct moments_settings *out, struct error *err) {
	const struct member_reading reading = {&times_members, out};
	if (!value_read_tables(value, &reading, 1, err)) {
		return false;
	}
	const struct value *end = value_member(value, "end"), *rate = value_member(value, "fps");
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
	out->source = value;
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

static const struct member turntable_rows[] = {
	{"count", MEMBER_INTEGER, .offset = offsetof(struct turntable_settings, count),
		.required = true, .least = 1, .most = LIMIT_POSES},
	{"start_yaw", MEMBER_NUMBER, .offset = offsetof(struct turntable_settings, start_yaw_deg),
		.least = -LIMIT_TURN_DEG, .most = LIMIT_TURN_DEG, .parameter = "start_yaw",
		.not_in_query = true, .unit = "degrees", .help = "where a turntable begins"},
	{"degrees", MEMBER_NUMBER, .offset = offsetof(struct turntable_settings, degrees),
		.least = -LIMIT_TURN_DEG, .most = LIMIT_TURN_DEG, .standard = 360,
		.parameter = "degrees", .not_in_query = true, .help = "how far a turntable goes"},
};

const struct member_table turntable_members = MEMBER_TABLE("turntable", turntable_rows);

static bool read_turntable(
	const struct value *value, struct turntable_settings *out, struct error *err) {
	*out = (struct turntable_settings){.source = value};
	member_set_standards(&turntable_members, out);
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
	const struct member_reading reading = {&turntable_members, out};
	const bool read = value_read_tables(value, &reading, 1, err);
	out->has_start = value_member(value, "start_yaw") != NULL;
	return read;
}

static bool check_poses(const struct value *times, const struct value *poses, struct error *err) {
	return !times || !poses || refuse_both(times, poses->key, err);
}

#define AT(field) offsetof(struct frames_request, field)

static const struct member members[] = {
	{.name = "times", .type = MEMBER_UNREAD},
	{"turntable", MEMBER_UNREAD, .parameter = "turntable", .not_on_command_line = true,
		.text = TEXT_WHOLE, .help = "frames of a camera that goes round"},
	{.name = "format", .type = MEMBER_UNREAD},
	{"fps", MEMBER_NUMBER, .offset = AT(frames.rate), .least = LIMIT_FRAME_RATE_MIN,
		.most = LIMIT_FRAME_RATE_MAX, .parameter = "fps", .help = "frames a second"},
	{"loops", MEMBER_INTEGER, .offset = AT(frames.loops), .least = 0, .most = LIMIT_LOOPS,
		.parameter = "loops", .help = "times that the sequence is shown; 0 is for ever"},
	{"columns", MEMBER_INTEGER, .offset = AT(frames.columns), .least = 1, .most = LIMIT_POSES,
		.parameter = "columns",
		.help = "frames side by side in a sheet; default so that it is about square"},
	{"dither", MEMBER_BOOL, .offset = AT(frames.plain_colors), .negated = true,
		.standard = true, .parameter = "dither",
		.help = "whether the colours of a GIF are dithered"},
};

const struct member_table frames_members = MEMBER_TABLE(NULL, members);

bool request_read_frames(const struct value *body, struct arena *arena, struct frames_request *out,
	struct error *err) {
	*out = (struct frames_request){0};
	const struct member_reading readings[] = {
		{&subject_members, &out->subject},
		{&poses_member, NULL},
		{&skinning_member, NULL},
		{&frames_members, out},
		{&picture_members, &out->picture},
		{&view_member, &out->picture},
		{&variant_member, &out->picture},
		{&overlays_member, NULL},
	};
	if (!value_read_tables(body, readings, sizeof readings / sizeof *readings, err)) {
		return false;
	}
	const struct value *times = value_member(body, "times");
	out->frames.rate_source = value_member(body, "fps");
	out->format = value_member(body, "format");
	if (out->format && out->format->kind != VALUE_STRING) {
		return value_error(out->format, err, ERROR_INVALID_VALUE,
			"\"format\" is %s, must be a string", value_kind_name(out->format->kind));
	}
	return request_read_subject(body, &out->subject, err) &&
		check_poses(times, value_member(body, "poses"), err) &&
		read_moments(times, arena, &out->frames.moments, err) &&
		read_turntable(value_member(body, "turntable"), &out->frames.turntable, err) &&
		request_read_picture(body, &out->picture, err) &&
		request_read_skinning(value_member(body, "skinning"), &out->skinning, err);
}
