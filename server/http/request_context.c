// A request as its handler sees it.
#include "http/request_context.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "cache/etag.h"
#include "json_text.h"
#include "limits.h"
#include "media.h"
#include "problem.h"
#include "work/thread_pool.h"

/* Seconds after which a client may try again: a full queue is worked off in less. */
#define RETRY_AFTER_S 1

void context_continue(
	struct request_context *context, enum executor source, request_step step, void *state) {
	context->executor = source;
	context->step = step;
	context->state = state;
}

bool context_check_rig(const struct request_context *context, const char *name, struct error *err) {
	return !context->grant.rig || strcmp(context->grant.rig, name) == 0 ||
		error_set(err, ERROR_FORBIDDEN, "the link shows another rig, and only that");
}

bool context_hold(
	struct request_context *context, const char *name, enum hold_kind kind, struct error *err) {
	store_release(&context->hold);
	return context_check_rig(context, name, err) &&
		store_hold(
			context->service->store, name, kind, context->arena, &context->hold, err);
}

bool context_hold_named(struct request_context *context, const struct value *const *names,
	size_t count, struct error *err) {
	struct pose_source *sources = arena_alloc(context->arena, count, sizeof *sources);
	context->others = arena_alloc(context->arena, count, sizeof *context->others);
	context->sources.items = sources;
	for (size_t i = 0; i < count; i++) {
		struct error why = {0};
		sources[i].name = names[i]->string;
		if (!context_check_rig(context, names[i]->string, &why) ||
			!store_hold(context->service->store, names[i]->string, HOLD_RIG,
				context->arena, &context->others[i], &why)) {
			return value_pass(names[i], err, &why);
		}
		context->sources.count++;
	}
	return true;
}

bool context_hold_others(
	struct request_context *context, const struct other_rigs *rigs, struct error *err) {
	const struct value *names[LIMIT_CROWD_RIGS + POSE_SOURCES_MAX];
	const size_t most = rigs->skinned_count + POSE_SOURCES_MAX;
	size_t named = rigs->skinned_count;
	assert(named <= LIMIT_CROWD_RIGS);
	for (size_t i = 0; i < named; i++) {
		names[i] = rigs->skinned[i];
	}
	for (size_t i = 0; rigs->poses && i < rigs->count && named <= most; i++) {
		named = pose_sources_list(&rigs->poses[i], names, named, most);
	}
	if (named > most) {
		return value_error(rigs->poses, err, ERROR_TOO_LARGE,
			"poses name more than %d other rigs", POSE_SOURCES_MAX);
	}
	context->also_skinned = rigs->skinned_count;
	return named == 0 || context_hold_named(context, names, named, err);
}

struct store_hold *context_skinned(struct request_context *context, size_t i) {
	return i == 0                        ? &context->hold
		: i <= context->also_skinned ? &context->others[i - 1]
					     : NULL;
}

bool context_others_are_current(const struct request_context *context) {
	size_t i = 0;
	while (i < context->sources.count && store_is_current(&context->others[i])) {
		i++;
	}
	return i == context->sources.count;
}

static bool check_licence(
	const struct request_context *context, const struct store_hold *hold, struct error *err) {
	struct error why = {0};
	if (licence_check(hold->rig, context->service->uses, context->part, &why)) {
		return true;
	}
	char name[UTF8_QUOTED_BYTES];
	utf8_quote(hold->summary.name, name, sizeof name);
	error_prefix(&why, "rig %s: ", name);
	return error_pass(err, &why);
}

static bool load(struct request_context *context, struct store_hold *hold, struct error *err) {
	if (hold->rig) {
		return true;
	}
	double mark = clock_now_s();
	const bool loaded = store_load(context->service->store, hold, err);
	context->spans_s[SPAN_LOAD] += clock_lap_s(&mark);
	return loaded;
}

bool context_load_others(struct request_context *context, struct error *err) {
	struct pose_source *sources = (struct pose_source *)context->sources.items;
	for (size_t i = 0; i < context->sources.count; i++) {
		if (!load(context, &context->others[i], err) ||
			(i < context->also_skinned &&
				!check_licence(context, &context->others[i], err))) {
			return false;
		}
		sources[i].rig = context->others[i].rig;
	}
	return true;
}

const struct rig *context_load(struct request_context *context, struct error *err) {
	return context_load_others(context, err) && load(context, &context->hold, err) &&
			check_licence(context, &context->hold, err)
		? context->hold.rig
		: NULL;
}

void context_header_text(struct request_context *context, const char *name, const char *value) {
	assert(context->response.header_count < MAX_HEADERS);
	context->response.headers[context->response.header_count++] = (struct header){name, value};
}

void context_header(struct request_context *context, const char *name, const char *format, ...) {
	char value[512];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(value, sizeof value, format, arguments);
	va_end(arguments);
	context_header_text(context, name, arena_strndup(context->arena, value, strlen(value)));
}

const char *context_choose_type(
	struct request_context *context, const char *const *offered, struct error *err) {
	context->response.content_type = media_choose(context->accept, offered, err);
	if (context->response.content_type && offered[1]) {
		context_header_text(context, "Vary", "Accept");
	}
	return context->response.content_type;
}

/* curl sends forms unless told otherwise; that much is forgiven. */
static bool is_json_type(const char *type) {
	return !type || media_is(type, "application/json") ||
		media_is(type, "application/x-www-form-urlencoded");
}

const struct value *context_json(struct request_context *context, struct error *err) {
	return context_json_into(context, context->arena, err);
}

const struct value *context_json_into(
	struct request_context *context, struct arena *arena, struct error *err) {
	if (!is_json_type(context->content_type)) {
		error_set(err, ERROR_UNSUPPORTED_MEDIA_TYPE,
			"Content-Type is \"%s\", must be application/json", context->content_type);
		return NULL;
	}
	context->body_is_json = true;
	if (context->body_bytes == 0) {
		error_set(err, ERROR_INVALID_JSON, "the request has no body; JSON is expected");
		return NULL;
	}
	return json_read(arena, context->body, context->body_bytes, err);
}

static bool is_known_as(struct request_context *context, const char *etag) {
	context->etag = etag;
	context_header_text(context, "ETag", etag);
	// A name can get other content at any time: caches are to ask, and asking is cheap.
	context->cache_control = "no-cache";
	if (!etag_matches(context->if_none_match, etag)) {
		return false;
	}
	context->response.status = 304;
	context->response.content_type = NULL;
	context->step = NULL;
	return true;
}

bool context_is_known_by(
	struct request_context *context, const struct hash_part *parts, size_t count) {
	return is_known_as(context, etag_make(context->arena, parts, count));
}

static struct hash_part text_part(const char *text) {
	return (struct hash_part){text, strlen(text)};
}

/* All parameters in the order given, each name and value ended by a NUL. */
static struct hash_part query_part(const struct request_context *context) {
	struct buffer text = {0};
	for (size_t i = 0; i < context->parameter_count; i++) {
		const struct query_parameter *parameter = &context->parameters[i];
		buffer_append(&text, parameter->name, strlen(parameter->name) + 1);
		buffer_append(&text, parameter->value, strlen(parameter->value) + 1);
	}
	char *bytes = arena_strndup(context->arena, (const char *)text.data, text.size);
	const struct hash_part part = {bytes, text.size};
	buffer_finish(&text);
	return part;
}

/* The states of the other rigs that poses name. */
static struct hash_part others_part(const struct request_context *context) {
	const char *text = "";
	for (size_t i = 0; i < context->sources.count; i++) {
		text = arena_printf(context->arena, "%s%s ", text, context->others[i].state);
	}
	return text_part(text);
}

/* Everything that a response depends on besides the path and the content of the rig. */
struct tag_inputs {
	struct hash_part query, others, body;
};

/* The program as far as a response depends on it. Pictures of posed's own rasteriser are the same
 * from build to build until its version, which is that of the renderer, is raised. */
static const char *build_of(const struct request_context *context, const char *content_type,
	const struct renderer_info *renderer) {
	const bool drawn = strncmp(content_type, "image/", strlen("image/")) == 0;
	return drawn && strcmp(renderer->device, "cpu") == 0 ? "" : context->service->build;
}

static const char *make_tag(struct request_context *context, const char *content_type,
	const char *content, const struct tag_inputs *inputs) {
	const struct renderer_info *renderer =
		thread_pool_renderer(context->service->pools[EXECUTOR_RENDER]);
	const struct hash_part parts[] = {
		text_part(build_of(context, content_type, renderer)),
		text_part(content),
		text_part(context->path),
		text_part(context->rig ? context->rig : ""),
		text_part(context->item ? context->item : ""),
		text_part(content_type),
		text_part(renderer->vendor),
		text_part(renderer->renderer),
		text_part(renderer->version),
		inputs->query,
		inputs->others,
		inputs->body,
		text_part(arena_printf(context->arena, "%u", context->service->uses)),
	};
	// Without uses the tags are those of daemons that know none.
	const size_t count = sizeof parts / sizeof *parts;
	return etag_make(context->arena, parts, context->service->uses ? count : count - 1);
}

bool context_is_known(struct request_context *context, const char *content) {
	const struct tag_inputs inputs = {
		query_part(context), others_part(context), {context->body, context->body_bytes}};
	return is_known_as(
		context, make_tag(context, context->response.content_type, content, &inputs));
}

const char *context_tag(
	struct request_context *context, const char *content_type, const char *content) {
	const struct tag_inputs nothing = {text_part(""), text_part(""), text_part("")};
	return make_tag(context, content_type, content, &nothing);
}

struct error context_tell(const struct request_context *context, const struct error *err) {
	struct error told = *err;
	if (!(context->grant.scopes & SCOPE_READ) || context->grant.is_signed ||
		context->grant.rig) {
		error_drop_suggestion(&told);
	}
	return told;
}

void context_fail(struct request_context *context, const struct error *err) {
	struct response *response = &context->response;
	context_reset(context);
	response->status = problem_status(err->code);
	response->content_type = "application/problem+json";
	if (response->status == 503 || response->status == 429) {
		context_header(context, "Retry-After", "%d", RETRY_AFTER_S);
	}
	if (context->allowed) {
		context_header(context, "Allow", "%s", context->allowed);
	}
	if (context->grant.challenge) {
		context_header(context, "WWW-Authenticate", "%s", context->grant.challenge);
	}
	context->cache_control = "no-store";
	const struct error told = context_tell(context, err);
	// If the path names the rig, the rest of the request is a query, or a body of its own.
	const bool by_query = context->rig || context->parameter_count > 0;
	problem_write(&told, by_query && !context->body_is_json, &response->body);
}

void context_reset(struct request_context *context) {
	if (context->finish) {
		context->finish(context);
		context->finish = NULL;
	}
	buffer_finish(&context->response.body);
	if (context->response.has_file) {
		close(context->response.file);
	}
	context->response = (struct response){0};
	context->step = NULL;
	context->etag = NULL;
	context->cache_control = NULL;
}

void context_finish(struct request_context *context) {
	context_reset(context);
	store_release(&context->hold);
	for (size_t i = 0; i < context->sources.count; i++) {
		store_release(&context->others[i]);
	}
}
