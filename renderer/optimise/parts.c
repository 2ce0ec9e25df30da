// The parts of a GLB that animations are made of.
#include "optimise/parts.h"

#include <string.h>

#include "optimise/container.h"
#include "optimise/elements.h"

#define DEPTH_MAX 200

/* True when a name anywhere has an escape, which is not looked through here. */
static bool has_escaped_name(struct json_span json) {
	const char *at = json.text, *end = json.text + json.size;
	while (at < end) {
		if (*at != '"') {
			at++;
			continue;
		}
		const struct json_span string = json_span_of(at, (size_t)(end - at));
		at += string.size;
		while (at < end && strchr(" \t\r\n", *at)) {
			at++;
		}
		if (at < end && *at == ':' && memchr(string.text, '\\', string.size)) {
			return true;
		}
	}
	return false;
}

/* A member that is a position below count; -1 = it is not. */
static int position(struct json_span object, const char *name, int count) {
	uint64_t value;
	const struct json_span span = json_span_member(object, name);
	return span.text && json_span_whole(span, &value) && value < (uint64_t)count ? (int)value
										     : -1;
}

static uint64_t whole(struct json_span object, const char *name) {
	uint64_t value;
	return json_span_whole(json_span_member(object, name), &value) ? value : 0;
}

struct json_span parts_view_source(const struct part *view) {
	static const char *const packed[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
	struct json_span from = view->text;
	const struct json_span extensions = json_span_member(view->text, "extensions");
	for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
		const struct json_span extension = json_span_member(extensions, packed[i]);
		from = extension.text ? extension : from;
	}
	return from;
}

static void read_view(const struct parts *parts, struct part *view) {
	const struct json_span from = parts_view_source(view);
	const uint64_t at = whole(from, "byteOffset"), size = whole(from, "byteLength");
	const struct json_span buffer = json_span_member(from, "buffer");
	if (json_span_is(buffer, "0") && parts->bin && at <= parts->bin_size &&
		size <= parts->bin_size - at) {
		view->at = at;
		view->size = size;
	}
}

static struct part *list(struct json_span json, struct arena *arena, int *count) {
	struct json_items items = json_items_of(json);
	struct json_span name, value;
	*count = (int)json_span_count(json);
	struct part *parts = arena_alloc(arena, (size_t)*count + 1, sizeof *parts);
	for (int i = 0; json_items_next(&items, &name, &value); i++) {
		parts[i].text = value;
		parts[i].view = -1;
	}
	return parts;
}

static bool is_plain(struct json_span object) {
	return !json_span_member(object, "extensions").text &&
		!json_span_member(object, "extras").text;
}

static int path_of(struct json_span path) {
	static const char *const names[] = {
		"\"translation\"", "\"rotation\"", "\"scale\"", "\"weights\""};
	for (int i = 0; i < 4; i++) {
		if (json_span_is(path, names[i])) {
			return i;
		}
	}
	return -1;
}

static void read_channel(
	struct json_span text, const struct animation_part *animation, struct channel_part *out) {
	out->text = text;
	out->sampler = json_span_member(text, "sampler");
	out->target = json_span_member(text, "target");
	out->node = position(out->target, "node", INT32_MAX);
	out->path = path_of(json_span_member(out->target, "path"));
	const int sampler = position(text, "sampler", animation->sampler_count);
	out->sampler_index = sampler < 0 ? 0 : (uint64_t)sampler;
	out->is_replaced = sampler >= 0 && out->node >= 0 && out->path >= 0 && is_plain(text) &&
		is_plain(out->target) && is_plain(animation->sampler_texts[out->sampler_index]);
}

static void read_animation(struct json_span text, struct arena *arena, struct animation_part *out) {
	const struct json_span channels = json_span_member(text, "channels");
	struct json_span name, value;
	*out = (struct animation_part){
		.text = text, .samplers = json_span_member(text, "samplers")};
	out->sampler_count = (int)json_span_count(out->samplers);
	out->sampler_texts =
		arena_alloc(arena, (size_t)out->sampler_count + 1, sizeof *out->sampler_texts);
	out->channel_count = (int)json_span_count(channels);
	out->channels = arena_alloc(arena, (size_t)out->channel_count + 1, sizeof *out->channels);
	struct json_items items = json_items_of(out->samplers);
	for (int i = 0; json_items_next(&items, &name, &value); i++) {
		out->sampler_texts[i] = value;
	}
	items = json_items_of(channels);
	for (int i = 0; json_items_next(&items, &name, &value); i++) {
		read_channel(value, out, &out->channels[i]);
		out->is_left |= json_span_is(
			json_span_member(out->channels[i].target, "path"), "\"pointer\"");
	}
}

bool parts_read(
	const void *bytes, size_t size, struct arena *arena, struct parts *out, struct error *err) {
	*out = (struct parts){0};
	struct container container;
	if (!container_read(bytes, size, &container)) {
		return error_set(err, ERROR_UNSUPPORTED_ASSET,
			"only a GLB (binary glTF 2.0) can be optimised");
	}
	out->bytes = bytes;
	out->json = container.json;
	out->bin = container.bin;
	out->bin_size = container.bin_size;
	out->rest = container.rest;
	out->rest_size = container.rest_size;
	if (has_escaped_name(out->json)) {
		return error_set(err, ERROR_UNSUPPORTED_ASSET,
			"a GLB whose JSON has escapes in names of members cannot be optimised");
	}
	out->accessors =
		list(json_span_member(out->json, "accessors"), arena, &out->accessor_count);
	out->views = list(json_span_member(out->json, "bufferViews"), arena, &out->view_count);
	for (int i = 0; i < out->view_count; i++) {
		read_view(out, &out->views[i]);
	}
	for (int i = 0; i < out->accessor_count; i++) {
		struct part *accessor = &out->accessors[i];
		accessor->view = position(accessor->text, "bufferView", out->view_count);
		accessor->bytes = whole(accessor->text, "count") * elements_bytes(accessor->text);
	}
	const struct json_span animations = json_span_member(out->json, "animations");
	struct json_items items = json_items_of(animations);
	struct json_span name, value;
	out->animation_count = (int)json_span_count(animations);
	out->animations =
		arena_alloc(arena, (size_t)out->animation_count + 1, sizeof *out->animations);
	for (int i = 0; json_items_next(&items, &name, &value); i++) {
		read_animation(value, arena, &out->animations[i]);
	}
	return true;
}

/* Accessors are used wherever numbers stand under one of these names. */
static bool names_accessors(struct json_span name) {
	return json_span_is(name, "attributes") || json_span_is(name, "indices") ||
		json_span_is(name, "targets") || json_span_is(name, "inverseBindMatrices");
}

static void keep(struct part *parts, int count, struct json_span number) {
	uint64_t value;
	if (json_span_whole(number, &value) && value < (uint64_t)count) {
		parts[value].is_kept = true;
	}
}

/* Goes through everything below a value. */
static void note_below(struct parts *parts, struct json_span span, bool are_accessors, int depth) {
	struct json_items items = json_items_of(span);
	struct json_span name, value;
	if (are_accessors) {
		keep(parts->accessors, parts->accessor_count, span);
	}
	while (depth < DEPTH_MAX && json_items_next(&items, &name, &value)) {
		if (json_span_is(name, "bufferView")) {
			keep(parts->views, parts->view_count, value);
		}
		note_below(parts, value, are_accessors || names_accessors(name), depth + 1);
	}
}

static void note_samplers(struct parts *parts, const struct animation_part *animation) {
	for (int i = 0; i < animation->channel_count; i++) {
		const struct channel_part *channel = &animation->channels[i];
		const struct json_span sampler = animation->sampler_count
			? animation->sampler_texts[channel->sampler_index]
			: (struct json_span){0};
		const int ends[2] = {position(sampler, "input", parts->accessor_count),
			position(sampler, "output", parts->accessor_count)};
		for (int k = 0; k < 2; k++) {
			struct part *accessor = ends[k] < 0 ? NULL : &parts->accessors[ends[k]];
			if (accessor && channel->is_replaced && !animation->is_left) {
				accessor->is_of_animation = true;
			} else if (accessor) {
				accessor->is_kept = true;
			}
		}
	}
}

bool parts_is_free(const struct part *part) {
	return part->is_of_animation && !part->is_kept;
}

void parts_note_users(struct parts *parts) {
	static const char *const apart[] = {"animations", "accessors", "bufferViews", "buffers"};
	struct json_items items = json_items_of(parts->json);
	struct json_span name, value;
	while (json_items_next(&items, &name, &value)) {
		bool is_apart = false;
		for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
			is_apart |= json_span_is(name, apart[i]);
		}
		if (!is_apart) {
			note_below(parts, value, false, 0);
		}
	}
	for (int i = 0; i < parts->animation_count; i++) {
		note_samplers(parts, &parts->animations[i]);
	}
	for (int i = 0; i < parts->accessor_count; i++) {
		struct part *accessor = &parts->accessors[i];
		// Sparse ones name more views than one: these stay.
		accessor->is_kept |= json_span_member(accessor->text, "sparse").text != NULL;
		if (!parts_is_free(accessor)) {
			note_below(parts, accessor->text, false, 0);
			keep(parts->views, accessor->view >= 0 ? parts->view_count : 0,
				json_span_member(accessor->text, "bufferView"));
		} else if (accessor->view >= 0) {
			parts->views[accessor->view].is_of_animation = true;
		}
	}
}

static void note_view_names(
	const struct parts *parts, struct json_span span, int depth, bool *others) {
	struct json_items items = json_items_of(span);
	struct json_span name, value;
	while (depth < DEPTH_MAX && json_items_next(&items, &name, &value)) {
		uint64_t at;
		if (json_span_is(name, "bufferView") && json_span_whole(value, &at) &&
			at < (uint64_t)parts->view_count) {
			others[at] = true;
		}
		note_view_names(parts, value, depth + 1, others);
	}
}

void parts_note_other_views(const struct parts *parts, bool *others) {
	struct json_items items = json_items_of(parts->json);
	struct json_span name, value;
	while (json_items_next(&items, &name, &value)) {
		if (!json_span_is(name, "accessors") && !json_span_is(name, "bufferViews")) {
			note_view_names(parts, value, 0, others);
		}
	}
	for (int i = 0; i < parts->accessor_count; i++) {
		const struct json_span text = parts->accessors[i].text;
		note_view_names(parts, json_span_member(text, "sparse"), 0, others);
		note_view_names(parts, json_span_member(text, "extensions"), 0, others);
	}
}
