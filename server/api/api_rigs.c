// The calls that store, list, describe and delete rigs.
#include <string.h>
#include <unistd.h>

#include "api/api.h"
#include "api/asset_body.h"
#include "base/clock.h"
#include "describe/describe.h"
#include "media.h"
#include "store/hash.h"
#include "store/store_clips.h"
#include "store/store_examples.h"
#include "store/store_record.h"
#include "url_text.h"
#include "work/fits.h"

static const char *const json_types[] = {"application/json", NULL};

bool api_list_rigs(struct call *call, struct error *err) {
	if (!call_choose_type(call, json_types, err)) {
		return false;
	}
	size_t count;
	const struct rig_summary *rigs = store_list(call->service->store, call->arena, &count);
	struct buffer *body = &call->answer.body;
	reply_write_list(rigs, count, body);
	const struct hash_part part = {body->data, body->size};
	if (call_is_known_by(call, &part, 1)) {
		buffer_finish(body);
	}
	return true;
}

static bool check_asset_type(const char *type, struct error *err) {
	static const char *const known[] = {"model/gltf-binary", "model/gltf+json",
		"application/zip", "application/octet-stream", "multipart/form-data", NULL};
	for (size_t i = 0; type && known[i]; i++) {
		if (media_is(type, known[i])) {
			return true;
		}
	}
	// curl sends forms unless told otherwise; what counts is the content.
	return !type || media_is(type, "application/x-www-form-urlencoded") ||
		error_set(err, ERROR_UNSUPPORTED_MEDIA_TYPE,
			"Content-Type is \"%s\", must be one of: %s, %s, %s, %s, %s", type,
			known[0], known[1], known[2], known[3], known[4]);
}

/* Reads what the request asks of the rig that has the name now. */
static bool read_condition(struct call *call, bool made, struct error *err) {
	if (!precondition_is_there(call)) {
		return true;
	}
	struct store_hold hold;
	struct error why = {0};
	const char *tags[1];
	struct selected now = {.made = made, .tags = tags};
	if (store_hold(call->service->store, call->rig, HOLD_RIG, call->arena, &hold, &why)) {
		now.there = true;
		now.as = hold.state;
		tags[now.count++] = call_tag(call, json_types[0], hold.state);
	}
	store_release(&hold);
	// What is damaged is there, and has no tag.
	now.there |= why.code != ERROR_NONE && why.code != ERROR_UNKNOWN_RIG;
	return precondition_read(call, &now, &call->condition, err);
}

static bool store_body(
	struct call *call, struct rig_summary *rig, bool *created, struct error *err) {
	struct asset_body body;
	double mark = clock_now_s();
	bool stored = asset_body_take(call, &body, err);
	if (stored) {
		const struct store_asset asset = {
			.name = call->rig,
			.bytes = body.bytes,
			.size = body.size,
			.file = body.file,
			.mode = call->condition.only_new ? PUT_ONLY_NEW : PUT_REPLACE,
			.as = call->condition.as,
			.stop = &call->stop,
		};
		stored = store_put(call->service->store, &asset, call->arena, rig, created, err);
	}
	asset_body_finish(&body);
	call->spans_s[SPAN_LOAD] += clock_lap_s(&mark);
	return stored;
}

bool api_put_rig(struct call *call, struct error *err) {
	if (!check_asset_type(call->content_type, err) ||
		!call_choose_type(call, json_types, err) || !read_condition(call, true, err)) {
		return false;
	}
	struct rig_summary rig;
	bool created;
	if (!store_body(call, &rig, &created, err)) {
		return false;
	}
	fits_follow(call->service->fits, call->service->store, call->rig);
	call->answer.status = created ? 201 : 200;
	if (created) {
		call_header(call, "Location", "/v1/rigs/%s", url_encode(call->arena, rig.name));
	}
	if (rig.empty_warning) {
		call_header_text(call, "Posed-Warning", rig.empty_warning);
	}
	reply_write_summary(&rig, &call->answer.body);
	return true;
}

static const char *const *example_names(const struct call *call, size_t count) {
	const char **names = arena_alloc(call->arena, count, sizeof *names);
	for (size_t i = 0; i < count; i++) {
		names[i] = store_example_at(&call->hold, i)->name;
	}
	return names;
}

static bool write_description(struct call *call, struct error *err) {
	const struct description_query *query = call->state;
	const struct rig *rig = call_load(call, err);
	if (!rig) {
		return false;
	}
	struct rig_description description;
	const size_t examples = store_example_count(&call->hold);
	const struct beside_rig beside = {
		example_names(call, examples), examples, store_clip_count(&call->hold)};
	describe_rig(rig, &call->hold.summary, &beside, call->arena, &description);
	if (query->clip_bounds &&
		!describe_clip_bounds(
			call->renderer, rig, &call->stop, call->arena, &description, err)) {
		return false;
	}
	reply_write_description(&description, &call->answer.body);
	return true;
}

bool api_describe_rig(struct call *call, struct error *err) {
	struct description_query *query = arena_alloc(call->arena, 1, sizeof *query);
	if (!call_choose_type(call, json_types, err) ||
		!query_read_description(
			call->arena, call->parameters, call->parameter_count, query, err) ||
		!call_hold(call, call->rig, HOLD_RIG, err)) {
		return false;
	}
	call_continue(call, PLACE_CPU, write_description, query);
	call_is_known(call, call->hold.state);
	return true;
}

/* What is stored has been read as one of these; the binary ones start with a magic number. */
static const char *source_type(int source) {
	char start[4] = "";
	if (pread(source, start, sizeof start, 0) != sizeof start) {
		return "model/gltf+json";
	}
	return memcmp(start, "glTF", 4) == 0  ? "model/gltf-binary"
		: memcmp(start, "PK", 2) == 0 ? "application/zip"
					      : "model/gltf+json";
}

bool api_get_source(struct call *call, struct error *err) {
	if (!call_hold(call, call->rig, HOLD_SOURCE, err)) {
		return false;
	}
	const char *const types[] = {
		source_type(call->hold.source), "application/octet-stream", NULL};
	if (!call_choose_type(call, types, err)) {
		return false;
	}
	// Nothing in a stranger's file is to run in a browser that is shown it.
	call_header(call, "Content-Security-Policy", "default-src 'none'; sandbox");
	if (call_is_known(call, call->hold.summary.content)) {
		return true;
	}
	if (!store_check_source(&call->hold, err)) {
		return false;
	}
	call->answer.has_file = true;
	call->answer.file = call->hold.source;
	call->answer.file_bytes = call->hold.summary.bytes;
	call->hold.source = -1; // the answer's now
	return true;
}

bool api_delete_rig(struct call *call, struct error *err) {
	call->answer.status = 204;
	const bool deleted = read_condition(call, false, err) &&
		store_delete_as(call->service->store, call->rig, call->condition.as, err);
	fits_follow(call->service->fits, call->service->store, call->rig);
	return deleted;
}
