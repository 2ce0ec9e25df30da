// Streams of vertices: requests -> plain structs, state -> JSON, headers of frames.
#include "stream.h"

#include <stddef.h>
#include <string.h>

#include "base/json_write.h"
#include "limits.h"
#include "packing.h"
#include "request_internal.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* One way to skin, or a list of them. */
static bool read_skinnings(
	const struct value *value, struct stream_request *out, struct error *err) {
	const bool many = value && value->kind == VALUE_LIST;
	const size_t count = many ? value->count : 1;
	if (count == 0 || count > LIMIT_STREAM_SKINNINGS) {
		return value_error(value, err, count ? ERROR_TOO_LARGE : ERROR_INVALID_VALUE,
			"\"skinning\" has %zu ways to skin, must have 1 to %d", count,
			LIMIT_STREAM_SKINNINGS);
	}
	out->skinning_count = count;
	for (size_t i = 0; i < count; i++) {
		out->skinning_places[i] = many ? &value->items[i] : value;
		if (!request_read_skinning(out->skinning_places[i], &out->skinnings[i], err)) {
			return false;
		}
	}
	out->vertices.skinning = out->skinnings[0];
	return true;
}

/* value: NULL = none is given, and JSON's null = none is wanted. */
static bool read_range(const struct value *value, struct stream_range *out, struct error *err) {
	*out = (struct stream_range){0};
	if (!value || value->kind == VALUE_NULL) {
		return true;
	}
	int loop = LOOP_REPEAT;
	const struct member members[] = {
		{"from", MEMBER_NUMBER, .out = &out->from_s, .most = LIMIT_STREAM_TIME_S},
		{"to", MEMBER_NUMBER, .out = &out->to_s, .required = true,
			.most = LIMIT_STREAM_TIME_S},
		{"loop", MEMBER_CHOICE, .out = &loop, .choices = loop_names},
	};
	if (!value_read_members(value, members, COUNT_OF(members), err)) {
		return false;
	}
	out->loop = (enum loop)loop;
	return out->to_s - out->from_s >= LIMIT_STREAM_RANGE_MIN_S ||
		value_error(value, err, ERROR_INVALID_VALUE,
			"\"range\" goes from %.15g to %.15g, must take %g s or more", out->from_s,
			out->to_s, LIMIT_STREAM_RANGE_MIN_S);
}

#define AT(field) offsetof(struct stream_request, field)

static const struct member members[] = {
	{"fps", MEMBER_NUMBER, .offset = AT(fps), .least = LIMIT_STREAM_FPS_MIN,
		.most = LIMIT_STREAM_FPS_MAX, .standard = 30},
	{"speed", MEMBER_NUMBER, .offset = AT(speed), .least = -LIMIT_STREAM_SPEED,
		.most = LIMIT_STREAM_SPEED, .standard = 1},
	{"time", MEMBER_NUMBER, .offset = AT(time_s), .least = -LIMIT_STREAM_TIME_S,
		.most = LIMIT_STREAM_TIME_S},
	{.name = "range", .type = MEMBER_UNREAD},
	{"duration", MEMBER_NUMBER, .offset = AT(duration_s), .least = LIMIT_STREAM_DURATION_MIN_S,
		.most = LIMIT_STREAM_TIME_S},
	{"paused", MEMBER_BOOL, .offset = AT(paused)},
};

const struct member_table stream_members = MEMBER_TABLE(NULL, members);

bool stream_read(const struct value *body, struct stream_request *out, struct error *err) {
	*out = (struct stream_request){0};
	struct vertices_request *vertices = &out->vertices;
	const struct member_reading readings[] = {
		{&subject_members, &vertices->subject},
		{&attributes_member, NULL},
		{&skinning_member, NULL},
		{&stream_members, out},
		{&packing_members, &vertices->packing},
	};
	if (!value_read_tables(body, readings, COUNT_OF(readings), err)) {
		return false;
	}
	const struct value *attributes = value_member(body, "attributes");
	return request_read_subject(body, &vertices->subject, err) &&
		packing_read(body, true, &vertices->packing, err) &&
		(packing_is_wanted(attributes) ||
			request_read_attributes(attributes, 1, vertices->attributes,
				&vertices->attribute_count, err)) &&
		read_range(value_member(body, "range"), &out->range, err) &&
		read_skinnings(value_member(body, "skinning"), out, err);
}

bool stream_read_patch(const struct value *body, struct stream_patch *out, struct error *err) {
	*out = (struct stream_patch){0};
	const struct member patched[] = {
		{"pose", MEMBER_ANY, .out = &out->pose},
		{"fps", MEMBER_NUMBER, .out = &out->fps, .least = LIMIT_STREAM_FPS_MIN,
			.most = LIMIT_STREAM_FPS_MAX, .source = &out->fps_source},
		{"speed", MEMBER_NUMBER, .out = &out->speed, .least = -LIMIT_STREAM_SPEED,
			.most = LIMIT_STREAM_SPEED, .source = &out->speed_source},
		{"range", MEMBER_ANY, .out = &out->range_source},
		{"time", MEMBER_NUMBER, .out = &out->time_s, .least = -LIMIT_STREAM_TIME_S,
			.most = LIMIT_STREAM_TIME_S, .source = &out->time_source},
		{"paused", MEMBER_BOOL, .out = &out->paused, .source = &out->paused_source},
	};
	return value_read_members(body, patched, COUNT_OF(patched), err) &&
		read_range(out->range_source, &out->range, err);
}

static void write_range(struct json_writer *json, const struct stream_range *range) {
	json_write_key(json, "range");
	if (!(range->to_s > range->from_s)) {
		json_write_null(json);
		return;
	}
	json_write_begin_object(json);
	json_write_member_double(json, "from", range->from_s);
	json_write_member_double(json, "to", range->to_s);
	json_write_member_string(json, "loop", loop_names[range->loop]);
	json_write_end_object(json);
}

void stream_write(const struct stream_state *state, struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	json_write_member_string(&json, "id", state->id);
	json_write_member_string(&json, "rig", state->rig);
	json_write_member_double(&json, "fps", state->fps);
	json_write_member_double(&json, "speed", state->speed);
	json_write_member_double(&json, "time", state->time_s);
	write_range(&json, &state->range);
	json_write_member_bool(&json, "paused", state->paused);
	json_write_member_integer(&json, "vertices", state->vertices);
	json_write_member_integer(&json, "frames", (int64_t)state->frames);
	json_write_member_integer(&json, "dropped", (int64_t)state->dropped);
	json_write_end_object(&json);
}

void stream_append_header(const struct stream_header *header, struct buffer *out) {
	unsigned char bytes[STREAM_HEADER_BYTES];
	memcpy(bytes, "PSTR", 4);
	memcpy(bytes + 4, &header->payload_bytes, 4);
	memcpy(bytes + 8, &header->number, 4);
	memcpy(bytes + 12, &header->flags, 4);
	memcpy(bytes + 16, &header->time_s, 8);
	memcpy(bytes + 24, &header->since_s, 8);
	memcpy(bytes + 32, header->box, sizeof header->box);
	buffer_append(out, bytes, sizeof bytes);
}
