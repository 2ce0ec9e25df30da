// Clips of a rig beside those in its file.
#include "clip.h"

#include <stddef.h>
#include <string.h>

#include "asset_query.h"
#include "base/number.h"
#include "compression.h"
#include "json_text.h"
#include "limits.h"

#define STANDARD_RATE 30

static const struct member members[] = {
	{"pose", MEMBER_ANY, .offset = offsetof(struct clip_request, pose), .required = true},
	{"duration", MEMBER_NUMBER, .offset = offsetof(struct clip_request, duration_s), .least = 0,
		.most = LIMIT_CLIP_DURATION_S, .standard = -1, .parameter = "duration",
		.unit = "seconds", .help = "that are baked; default the longest clip"},
	{"rate", MEMBER_NUMBER, .offset = offsetof(struct clip_request, rate), .least = 0,
		.most = LIMIT_CLIP_RATE, .standard = STANDARD_RATE, .parameter = "rate",
		.unit = "frames a second", .help = "of what is baked"},
	{"tolerance", MEMBER_ANY, .offset = offsetof(struct clip_request, tolerance_value),
		.members = &tolerance_members},
};

const struct member_table clip_members = MEMBER_TABLE(NULL, members);

static bool read_tolerance(struct clip_request *request, struct error *err) {
	const struct value *value = request->tolerance_value;
	request->is_raw = value->kind == VALUE_STRING && strcmp(value->string, "raw") == 0;
	if (value->kind == VALUE_STRING && !request->is_raw) {
		return value_error(value, err, ERROR_INVALID_VALUE,
			"\"tolerance\" is \"%.80s\", must be a number of metres, {\"share\": "
			"number} or raw",
			value->string);
	}
	return request->is_raw ||
		compression_read_tolerance(value, &request->tolerance, &request->is_share, err);
}

bool clip_read(const struct value *body, struct clip_request *out, struct error *err) {
	*out = (struct clip_request){0};
	const struct member_reading reading = {&clip_members, out};
	if (!value_read_tables(body, &reading, 1, err)) {
		return false;
	}
	const struct value *duration = value_member(body, "duration");
	out->source = duration ? duration : body;
	if (out->tolerance_value && !read_tolerance(out, err)) {
		return false;
	}
	return out->rate > 0 ||
		value_error(value_member(body, "rate"), err, ERROR_INVALID_VALUE,
			"\"rate\" is 0, must be more than 0 and up to %g frames a second",
			LIMIT_CLIP_RATE);
}

static const struct member query_members[] = {
	{"clip", MEMBER_STRING, .offset = offsetof(struct clip_query, clip), .parameter = "clip"},
	{"map", MEMBER_STRING, .offset = offsetof(struct clip_query, map_text), .parameter = "map",
		.source_offset = offsetof(struct clip_query, map_source)},
	{"scale", MEMBER_STRING, .offset = offsetof(struct clip_query, scale_text),
		.parameter = "scale", .source_offset = offsetof(struct clip_query, scale_source)},
	{"rate", MEMBER_NUMBER, .offset = offsetof(struct clip_query, rate), .above_min = true,
		.most = LIMIT_CLIP_RATE, .parameter = "rate",
		.source_offset = offsetof(struct clip_query, rate_source)},
	{"units", MEMBER_STRING, .offset = offsetof(struct clip_query, units),
		.parameter = "units"},
	{"up", MEMBER_CHOICE, .offset = offsetof(struct clip_query, up), .choices = asset_up_names,
		.standard = -1, .parameter = "up"},
};

const struct member_table clip_query_members = MEMBER_TABLE(NULL, query_members);

static bool read_map(struct arena *arena, struct clip_query *query, struct error *err) {
	const char *text = query->map_text;
	struct error why = {0};
	query->by_names = strcmp(text, "names") == 0;
	if (query->by_names || strcmp(text, "auto") == 0) {
		return true;
	}
	// Nobody else has the tree so far.
	struct value *map =
		*text == '{' ? (struct value *)json_read(arena, text, strlen(text), &why) : NULL;
	if (why.code != ERROR_NONE) {
		return value_error(query->map_source, err, why.code,
			"parameter \"map\" is no JSON: %s", why.text);
	}
	if (map) {
		map->parent = query->map_source->parent;
		map->key = query->map_source->key;
	}
	query->map = map;
	return map ||
		value_error(query->map_source, err, ERROR_INVALID_VALUE,
			"\"map\" is \"%.80s\", must be auto, names or JSON {\"their joint\": "
			"\"our joint\", ...}",
			text);
}

static bool read_scale(struct arena *arena, struct clip_query *query, struct error *err) {
	const char *text = query->scale_text;
	struct value *scale = arena_alloc(arena, 1, sizeof *scale);
	const char *end = text + strlen(text);
	*scale = (struct value){.kind = VALUE_STRING, .string = text};
	query->scale = scale;
	if (strcmp(text, "hips") == 0 || strcmp(text, "none") == 0) {
		return true;
	}
	scale->kind = VALUE_NUMBER;
	return (*text && number_read_decimal(text, end, &scale->number) == end) ||
		value_error(query->scale_source, err, ERROR_INVALID_VALUE,
			"\"scale\" is \"%.80s\", must be hips, none or a number", text);
}

bool clip_read_query(struct arena *arena, const struct query_parameter *parameters, size_t count,
	struct clip_query *out, struct error *err) {
	*out = (struct clip_query){.clip = "", .up = -1};
	if (!query_read(arena, &clip_query_members, parameters, count, out, err) ||
		!asset_space_read(out->units, out->up, &out->space, err) ||
		(out->map_source && !read_map(arena, out, err)) ||
		(out->scale_source && !read_scale(arena, out, err))) {
		return false;
	}
	const struct value *idle = out->scale_source ? out->scale_source : out->rate_source;
	return !out->by_names || !idle ||
		value_error(idle, err, ERROR_INVALID_VALUE,
			"\"%s\" is not for map=names: the clip's keys stay as they are", idle->key);
}

static void write_mapping(struct json_writer *json, const struct clip_mapping *mapping) {
	json_write_member_string(json, "animation", mapping->animation);
	json_write_member_bool(json, "retargeted", mapping->is_retargeted);
	json_write_member_double(json, "confidence", mapping->confidence);
	json_write_member_double(json, "scale", mapping->scale);
	json_write_key(json, "pairs");
	json_write_begin_list(json);
	for (size_t i = 0; i < mapping->pair_count; i++) {
		const struct clip_pair *pair = &mapping->pairs[i];
		json_write_begin_object(json);
		json_write_member_string(json, "ours", pair->ours);
		json_write_member_string(json, "theirs", pair->theirs);
		json_write_member_string(json, "how", pair->how);
		json_write_member_double(json, "confidence", pair->confidence);
		json_write_end_object(json);
	}
	json_write_end_list(json);
	json_write_member_strings(json, "resting", mapping->resting, mapping->resting_count);
	json_write_member_strings(json, "warnings", mapping->warnings, mapping->warning_count);
}

void clip_write_summary(const struct clip_summary *clip, struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	json_write_member_string(&json, "name", clip->name);
	json_write_member_string(&json, "content", clip->content);
	json_write_key(&json, "duration");
	json_write_double(&json, clip->duration_s);
	json_write_member_integer(&json, "channels", clip->channels);
	json_write_member_integer(&json, "bytes", (int64_t)clip->bytes);
	reply_write_compression(&json, clip->compression);
	if (clip->why_raw) {
		json_write_member_string(&json, "raw", clip->why_raw);
	}
	json_write_member_strings(&json, "dropped", clip->dropped, clip->dropped_count);
	if (clip->mapping) {
		write_mapping(&json, clip->mapping);
	}
	json_write_end_object(&json);
}

static void write_channel(struct json_writer *json, const struct clip_channel *channel) {
	json_write_begin_object(json);
	json_write_member_string(json, "joint", channel->joint);
	json_write_member_integer(json, "index", channel->index);
	json_write_member_string(json, "path", channel->path);
	json_write_member_string(json, "interpolation", channel->interpolation);
	json_write_member_floats(json, "times", channel->times, channel->key_count);
	json_write_key(json, "values");
	json_write_begin_list(json);
	for (size_t i = 0; i < channel->value_count; i++) {
		json_write_floats(json, channel->values + i * channel->width, channel->width);
	}
	json_write_end_list(json);
	json_write_end_object(json);
}

void clip_write(const struct clip_description *description, const struct clip_channel *channels,
	struct buffer *out) {
	struct json_writer json = {.out = out};
	json_write_begin_object(&json);
	json_write_member_string(&json, "name", description->name);
	json_write_member_integer(&json, "index", description->index);
	json_write_key(&json, "duration");
	json_write_double(&json, description->duration_s);
	if (description->stored) {
		json_write_member_bool(&json, "stored", true);
	}
	json_write_key(&json, "channels");
	json_write_begin_list(&json);
	for (int i = 0; i < description->channels; i++) {
		write_channel(&json, &channels[i]);
	}
	json_write_end_list(&json);
	json_write_end_object(&json);
}
