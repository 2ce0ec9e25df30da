// Checks of rigs and of assets that are not stored: reports, events, and tasks in the background.
#include <string.h>

#include "api/api.h"
#include "api/asset_body.h"
#include "api/check_tasks.h"
#include "base/clock.h"
#include "cache/cache.h"
#include "cache/cached.h"
#include "cache/etag.h"
#include "media.h"

/* Media type of the events; they are lines, which are sent as they happen. */
#define EVENTS_TYPE "application/x-ndjson"

/* Seconds of work for one client before the next has its turn, and before what is new is sent. */
#define TURN_S 0.1

/* Media types that reports are offered in at most. */
#define MAX_TYPES 16

static const char *const json_types[] = {"application/json", NULL};

/* The first format of a media type. */
static const struct check_report_format *format_of(const char *type) {
	const struct check_report_format *format = check_report_formats;
	while (format->name && strcmp(format->media_type, type) != 0) {
		format++;
	}
	return format->name ? format : NULL;
}

/* The formats, each media type once, then the events. */
static void list_types(const char *types[static MAX_TYPES + 2]) {
	size_t count = 0;
	const struct check_report_format *format = check_report_formats;
	for (; format->name && count < MAX_TYPES; format++) {
		if (format_of(format->media_type) == format) {
			types[count++] = format->media_type;
		}
	}
	types[count] = EVENTS_TYPE;
	types[count + 1] = NULL;
}

/* --- Work --- */

static void finish(struct request_context *context) {
	asset_check_destroy(context->state);
	context->state = NULL;
}

/* Takes a turn in the pool at work, and goes on in the pool of the next one. */
static bool take_turn(
	struct request_context *context, double seconds, struct buffer *events, struct error *err) {
	struct asset_check *work = context->state;
	const struct check_turn turn = {
		.stop = &context->stop,
		.renderer = context->executor == EXECUTOR_RENDER ? context->renderer : NULL,
		.seconds = seconds,
		.events = events,
	};
	const bool taken = asset_check_turn(work, &turn, &context->response.stream.done, err);
	const struct check_times times = asset_check_times(work);
	context->spans_s[SPAN_LOAD] = times.load_s;
	context->spans_s[SPAN_CHECK] = times.check_s;
	context->spans_s[SPAN_DRAW] = times.draw_s;
	// One that is taken again stays where it is.
	context->executor = taken ? asset_check_executor(work) : context->executor;
	return taken;
}

static void write_report(struct request_context *context) {
	double mark = clock_now_s();
	asset_check_write(
		context->state, format_of(context->response.content_type), &context->response.body);
	context->spans_s[SPAN_ENCODE] += clock_lap_s(&mark);
}

/* Threads that render are for others between turns. */
static bool fill_with_report(struct request_context *context, struct error *err) {
	const double seconds = context->executor == EXECUTOR_RENDER ? TURN_S : 0;
	if (!take_turn(context, seconds, NULL, err)) {
		return false;
	}
	if (context->response.stream.done) {
		write_report(context);
	}
	return true;
}

static bool fill_with_events(struct request_context *context, struct error *err) {
	return take_turn(context, TURN_S, &context->response.body, err);
}

/* A stream goes on from pool to pool; a report has no bytes before its end, so that it is sent and
 * cached as any other response. */
static bool respond(struct request_context *context, struct error *err) {
	context->response.stream.fill = fill_with_report;
	context->response.stream.total_bytes = RESPONSE_UNKNOWN_BYTES;
	return fill_with_report(context, err);
}

static bool respond_with_events(struct request_context *context, struct error *err) {
	context->response.stream.fill = fill_with_events;
	context->response.stream.total_bytes = RESPONSE_UNKNOWN_BYTES;
	return fill_with_events(context, err);
}

/* --- Tasks --- */

static void describe_task(
	struct request_context *context, const struct check_task_description *task) {
	context->cache_control = "no-store";
	context->response.content_type = json_types[0];
	check_task_write(task, &context->response.body);
}

/* Copies a result into the response. */
static void take_result(struct request_context *context, const struct cached *result) {
	context->response.content_type =
		arena_strndup(context->arena, result->content_type, strlen(result->content_type));
	context->response.header_count = 0;
	for (size_t i = 0; i < result->header_count; i++) {
		const struct header *header = &result->headers[i];
		context_header(context,
			arena_strndup(context->arena, header->name, strlen(header->name)), "%s",
			header->value);
	}
	buffer_append(&context->response.body, result->body, result->body_bytes);
}

/* Takes a result that is cached, for which nothing has to be begun. */
static bool take_cached(struct request_context *context) {
	struct cached *result =
		context->etag ? cache_get(context->service->cache, context->etag) : NULL;
	if (result) {
		take_result(context, result);
		cached_release(result);
	}
	return result;
}

static bool begin_task(struct request_context *context, struct error *err) {
	struct asset_check *work = context->state;
	struct check_task_description task;
	if (take_cached(context)) {
		return true;
	}
	if (!asset_check_keep_body(work, context, err)) {
		return false;
	}
	context->state = NULL;
	const struct check_task_params params = {
		.take_work = work,
		.format = format_of(context->response.content_type),
		.etag = context->etag,
		.headers = context->response.headers,
		.header_count = context->response.header_count,
		.owner = context->grant.name,
		.client = context->client,
	};
	if (!check_tasks_begin(context->service->checks, &params, context->arena, &task, err)) {
		return false;
	}
	context->response.status = 202;
	context->response.header_count = 0; // those were the result's
	context->etag = NULL;
	context_header(context, "Location", "/v1/checks/%s", task.id);
	context_header_text(context, "Preference-Applied", "respond-async");
	describe_task(context, &task);
	return true;
}

bool api_show_check(struct request_context *context, struct error *err) {
	struct check_task_description task;
	if (!context_choose_type(context, json_types, err) ||
		!check_tasks_find(context->service->checks, context->item, context->grant.name,
			context->arena, &task, err)) {
		return false;
	}
	describe_task(context, &task);
	return true;
}

bool api_cancel_check(struct request_context *context, struct error *err) {
	context->response.status = 204;
	return precondition_check_untagged(context, err) &&
		check_tasks_cancel(
			context->service->checks, context->item, context->grant.name, err);
}

static const char *tag_of(const struct cached *result) {
	const char *tag = "";
	for (size_t i = 0; i < result->header_count; i++) {
		if (strcmp(result->headers[i].name, "ETag") == 0) {
			tag = result->headers[i].value;
		}
	}
	return tag;
}

bool api_get_check_report(struct request_context *context, struct error *err) {
	struct cached *result = check_tasks_result(
		context->service->checks, context->item, context->grant.name, err);
	if (!result) {
		return false;
	}
	const char *types[] = {result->content_type, NULL};
	const bool acceptable = media_choose(context->accept, types, err);
	if (acceptable) {
		take_result(context, result);
		context->cache_control = "no-cache";
		if (etag_matches(context->if_none_match, tag_of(result))) {
			buffer_finish(&context->response.body);
			context->response.status = 304;
			context->response.content_type = NULL;
		}
	}
	cached_release(result);
	return acceptable;
}

/* --- Requests --- */

/* work NULL with *err. */
static bool begin(struct request_context *context, struct asset_check *work, struct error *err) {
	const char *types[MAX_TYPES + 2];
	context->state = work;
	context->finish = finish;
	list_types(types);
	if (!work || !context_choose_type(context, types, err)) {
		return false;
	}
	const bool events = strcmp(context->response.content_type, EVENTS_TYPE) == 0;
	const bool in_background = !events && context->prefers_async;
	if (!events && !format_of(context->response.content_type)->has_cameras) {
		asset_check_leave_out_cameras(work);
	}
	if (in_background) {
		// Threads of the pool may be at checks for long; a body must be copied, though.
		context_continue(context,
			context->body_is_json || context->rig ? EXECUTOR_LOOP : EXECUTOR_CPU,
			begin_task, work);
	} else {
		context_continue(
			context, EXECUTOR_CPU, events ? respond_with_events : respond, work);
	}
	const char *contents = asset_check_contents(work);
	if (events || !contents) {
		// Times are never the same again.
		context->cache_control = "no-store";
	} else {
		context_is_known(context, contents);
	}
	return true;
}

static bool check_no_query(const struct request_context *context, struct error *err) {
	return context->parameter_count == 0 ||
		error_set(err, ERROR_UNKNOWN_MEMBER,
			"no parameter \"%.80s\" here: beside JSON there is no query; it goes with "
			"an asset, whose Content-Type is one of: %s",
			context->parameters[0].name, asset_body_types(context->arena));
}

bool api_check(struct request_context *context, struct error *err) {
	if (context->content_type && asset_body_is_type(context->content_type)) {
		return begin(context, asset_check_of_body(context, err), err);
	}
	if (context->body_bytes > LIMIT_JSON_BYTES) {
		return error_set(err, ERROR_TOO_LARGE, "the body has %zu bytes; JSON may have %zu",
			context->body_bytes, LIMIT_JSON_BYTES);
	}
	return check_no_query(context, err) &&
		begin(context, asset_check_of_json(context, err), err);
}

bool api_check_rig(struct request_context *context, struct error *err) {
	return begin(context, asset_check_of_rig(context, err), err);
}
