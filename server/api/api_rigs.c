// The requests that store, list, describe and delete rigs.
#include <string.h>
#include <unistd.h>

#include "api/api.h"
#include "api/asset_body.h"
#include "asset_query.h"
#include "base/clock.h"
#include "describe/describe.h"
#include "media.h"
#include "renderer.h"
#include "store/hash.h"
#include "store/store_clips.h"
#include "store/store_examples.h"
#include "store/store_record.h"
#include "url_text.h"
#include "work/fits.h"

static const char *const json_types[] = {"application/json", NULL};

/* Those that the client may see: [*count], all, or the one of its link. */
static const struct rig_summary *list_visible(struct request_context *context, size_t *count) {
	const struct rig_summary *rigs = store_list(context->service->store, context->arena, count);
	const struct rig_summary *end = rigs + *count;
	for (const struct rig_summary *rig = rigs; context->grant.rig && rig < end; rig++) {
		if (strcmp(rig->name, context->grant.rig) == 0) {
			*count = 1;
			return rig;
		}
	}
	*count = context->grant.rig ? 0 : *count;
	return rigs;
}

bool api_list_rigs(struct request_context *context, struct error *err) {
	if (!context_choose_type(context, json_types, err)) {
		return false;
	}
	size_t count;
	const struct rig_summary *rigs = list_visible(context, &count);
	struct buffer *body = &context->response.body;
	reply_write_list(rigs, count, body);
	const struct hash_part part = {body->data, body->size};
	if (context_is_known_by(context, &part, 1)) {
		buffer_finish(body);
	}
	return true;
}

static bool check_asset_type(const struct request_context *context, struct error *err) {
	const char *type = context->content_type;
	// curl sends forms unless told otherwise; what counts is the content.
	return !type || asset_body_is_type(type) ||
		media_is(type, "application/x-www-form-urlencoded") ||
		error_set(err, ERROR_UNSUPPORTED_MEDIA_TYPE,
			"Content-Type is \"%s\", must be one of: %s", type,
			asset_body_types(context->arena));
}

/* Reads what the request asks of the rig that has the name now. */
static bool read_condition(struct request_context *context, bool made, struct error *err) {
	if (!precondition_is_there(context)) {
		return true;
	}
	struct store_hold hold;
	struct error why = {0};
	const char *tags[1];
	struct selected now = {.made = made, .tags = tags};
	if (store_hold(
		    context->service->store, context->rig, HOLD_RIG, context->arena, &hold, &why)) {
		now.there = true;
		now.as = hold.state;
		tags[now.count++] = context_tag(context, json_types[0], hold.state);
	}
	store_release(&hold);
	// A damaged rig is there, and has no tag.
	now.there |= why.code != ERROR_NONE && why.code != ERROR_UNKNOWN_RIG;
	return precondition_read(context, &now, &context->condition, err);
}

static bool store_body(struct request_context *context, const struct asset_space *space,
	struct rig_summary *rig, bool *created, struct error *err) {
	struct asset_body body;
	double mark = clock_now_s();
	bool stored =
		asset_body_take(context, &body, err) && asset_body_set_space(&body, space, err);
	if (stored) {
		const struct store_asset asset = {
			.name = context->rig,
			.bytes = body.bytes,
			.size = body.size,
			.file = body.file,
			.mode = context->condition.only_new ? PUT_ONLY_NEW : PUT_REPLACE,
			.as = context->condition.as,
			.stop = &context->stop,
		};
		stored = store_put(
			context->service->store, &asset, context->arena, rig, created, err);
	}
	asset_body_finish(&body);
	context->spans_s[SPAN_LOAD] += clock_lap_s(&mark);
	return stored;
}

bool api_put_rig(struct request_context *context, struct error *err) {
	struct asset_space space;
	if (!check_asset_type(context, err) || !context_choose_type(context, json_types, err) ||
		!asset_query_read(context->arena, context->parameters, context->parameter_count,
			&space, err) ||
		!read_condition(context, true, err)) {
		return false;
	}
	struct rig_summary rig;
	bool created;
	if (!store_body(context, &space, &rig, &created, err)) {
		return false;
	}
	fits_follow(context->service->fits, context->service->store, context->rig);
	context->response.status = created ? 201 : 200;
	if (created) {
		context_header(
			context, "Location", "/v1/rigs/%s", url_encode(context->arena, rig.name));
	}
	if (rig.empty_warning) {
		context_header_text(context, "Posed-Warning", rig.empty_warning);
	}
	reply_write_summary(&rig, &context->response.body);
	return true;
}

static const char *const *example_names(const struct request_context *context, size_t count) {
	const char **names = arena_alloc(context->arena, count, sizeof *names);
	for (size_t i = 0; i < count; i++) {
		names[i] = store_example_at(&context->hold, i)->name;
	}
	return names;
}

static bool write_description(struct request_context *context, struct error *err) {
	const struct description_query *query = context->state;
	const struct rig *rig = context_load(context, err);
	if (!rig) {
		return false;
	}
	struct rig_description description;
	const size_t examples = store_example_count(&context->hold);
	const struct beside_rig beside = {
		example_names(context, examples), examples, store_clip_count(&context->hold)};
	describe_rig(rig, &context->hold.summary, &beside, context->arena, &description);
	if (query->bounds >= 0 &&
		!describe_clip_bounds(context->renderer, rig, &context->stop, context->arena,
			&description, err)) {
		return false;
	}
	reply_write_description(&description, &context->response.body);
	return true;
}

bool api_describe_rig(struct request_context *context, struct error *err) {
	struct description_query *query = arena_alloc(context->arena, 1, sizeof *query);
	if (!context_choose_type(context, json_types, err) ||
		!query_read(context->arena, &description_query_members, context->parameters,
			context->parameter_count, query, err) ||
		!context_hold(context, context->rig, HOLD_RIG, err)) {
		return false;
	}
	context_continue(context, EXECUTOR_CPU, write_description, query);
	context_is_known(context, context->hold.state);
	return true;
}

/* Stored assets have been read: one that begins like JSON is glTF. Other formats are octets. */
static const char *source_type(int source) {
	char start[64] = "";
	const ssize_t size = pread(source, start, sizeof start - 1, 0);
	const char *text = strncmp(start, "\xef\xbb\xbf", 3) == 0 ? start + 3 : start;
	text += strspn(text, " \t\r\n");
	return size < 4                         ? "model/gltf+json"
		: memcmp(start, "glTF", 4) == 0 ? "model/gltf-binary"
		: memcmp(start, "PK", 2) == 0   ? "application/zip"
		: *text == '{' || !*text        ? "model/gltf+json"
						: "application/octet-stream";
}

bool api_get_source(struct request_context *context, struct error *err) {
	if (!context_hold(context, context->rig, HOLD_SOURCE, err)) {
		return false;
	}
	const char *const types[] = {
		source_type(context->hold.source), "application/octet-stream", NULL};
	if (!context_choose_type(context, types, err)) {
		return false;
	}
	// Nothing in a stranger's file is to run in a browser that is shown it.
	context_header(context, "Content-Security-Policy", "default-src 'none'; sandbox");
	if (context_is_known(context, context->hold.summary.content)) {
		return true;
	}
	if (!store_check_source(&context->hold, err) ||
		(context->service->uses && !context_load(context, err))) {
		return false;
	}
	context->response.has_file = true;
	context->response.file = context->hold.source;
	context->response.file_bytes = context->hold.summary.bytes;
	context->hold.source = -1; // the response's now
	return true;
}

static bool send_thumbnail(struct request_context *context, struct error *err) {
	struct buffer *body = &context->response.body;
	const char *types[] = {NULL, NULL};
	const struct rig *rig = context_load(context, err);
	if (!rig || !renderer_thumbnail(rig, body, &types[0], err) ||
		!context_choose_type(context, types, err)) {
		return false;
	}
	context_header(context, "Content-Security-Policy", "default-src 'none'; sandbox");
	if (context_is_known(context, context->hold.summary.content)) {
		buffer_finish(body);
	}
	return true;
}

bool api_get_thumbnail(struct request_context *context, struct error *err) {
	if (!context_hold(context, context->rig, HOLD_RIG, err)) {
		return false;
	}
	context_continue(context, EXECUTOR_CPU, send_thumbnail, NULL);
	return true;
}

bool api_delete_rig(struct request_context *context, struct error *err) {
	context->response.status = 204;
	const bool deleted = read_condition(context, false, err) &&
		store_delete_as(context->service->store, context->rig, context->condition.as, err);
	fits_follow(context->service->fits, context->service->store, context->rig);
	return deleted;
}
