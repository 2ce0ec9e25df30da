// One call of the API as its handler sees it.
#include "http/call.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "cache/etag.h"
#include "json_read.h"
#include "limits.h"
#include "media.h"
#include "problem.h"
#include "work/jobs.h"

/* Seconds after which a client may try again: a full queue is worked off in less. */
#define RETRY_AFTER_S 1

void call_continue(struct call *call, enum place place, call_step step, void *state) {
	call->place = place;
	call->step = step;
	call->state = state;
}

bool call_hold(struct call *call, const char *name, enum hold_kind kind, struct error *err) {
	store_release(&call->hold);
	return store_hold(call->service->store, name, kind, call->arena, &call->hold, err);
}

bool call_hold_named(
	struct call *call, const struct value *const *names, size_t count, struct error *err) {
	struct pose_source *sources = arena_alloc(call->arena, count, sizeof *sources);
	call->others = arena_alloc(call->arena, count, sizeof *call->others);
	call->sources.items = sources;
	for (size_t i = 0; i < count; i++) {
		struct error why = {0};
		sources[i].name = names[i]->string;
		if (!store_hold(call->service->store, names[i]->string, HOLD_RIG, call->arena,
			    &call->others[i], &why)) {
			return value_pass(names[i], err, &why);
		}
		call->sources.count++;
	}
	return true;
}

bool call_hold_others(struct call *call, const struct other_rigs *rigs, struct error *err) {
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
	call->also_skinned = rigs->skinned_count;
	return named == 0 || call_hold_named(call, names, named, err);
}

struct store_hold *call_skinned(struct call *call, size_t i) {
	return i == 0 ? &call->hold : i <= call->also_skinned ? &call->others[i - 1] : NULL;
}

bool call_others_are_current(const struct call *call) {
	size_t i = 0;
	while (i < call->sources.count && store_is_current(&call->others[i])) {
		i++;
	}
	return i == call->sources.count;
}

static bool load(struct call *call, struct store_hold *hold, struct error *err) {
	if (hold->rig) {
		return true;
	}
	double mark = clock_now_s();
	const bool loaded = store_load(call->service->store, hold, err);
	call->spans_s[SPAN_LOAD] += clock_lap_s(&mark);
	return loaded;
}

bool call_load_others(struct call *call, struct error *err) {
	struct pose_source *sources = (struct pose_source *)call->sources.items;
	for (size_t i = 0; i < call->sources.count; i++) {
		if (!load(call, &call->others[i], err)) {
			return false;
		}
		sources[i].rig = call->others[i].rig;
	}
	return true;
}

const struct rig *call_load(struct call *call, struct error *err) {
	return call_load_others(call, err) && load(call, &call->hold, err) ? call->hold.rig : NULL;
}

void call_header_text(struct call *call, const char *name, const char *value) {
	assert(call->answer.header_count < MOST_HEADERS);
	call->answer.headers[call->answer.header_count++] = (struct header){name, value};
}

void call_header(struct call *call, const char *name, const char *format, ...) {
	char value[512];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(value, sizeof value, format, arguments);
	va_end(arguments);
	call_header_text(call, name, arena_strndup(call->arena, value, strlen(value)));
}

const char *call_choose_type(struct call *call, const char *const *offered, struct error *err) {
	call->answer.content_type = media_choose(call->accept, offered, err);
	if (call->answer.content_type && offered[1]) {
		call_header_text(call, "Vary", "Accept");
	}
	return call->answer.content_type;
}

/* curl sends forms unless told otherwise; that much is forgiven. */
static bool is_json_type(const char *type) {
	return !type || media_is(type, "application/json") ||
		media_is(type, "application/x-www-form-urlencoded");
}

const struct value *call_json(struct call *call, struct error *err) {
	if (!is_json_type(call->content_type)) {
		error_set(err, ERROR_UNSUPPORTED_MEDIA_TYPE,
			"Content-Type is \"%s\", must be application/json", call->content_type);
		return NULL;
	}
	call->body_is_json = true;
	if (call->body_bytes == 0) {
		error_set(err, ERROR_INVALID_JSON, "the request has no body; JSON is expected");
		return NULL;
	}
	return json_read(call->arena, call->body, call->body_bytes, err);
}

static bool is_known_as(struct call *call, const char *etag) {
	call->etag = etag;
	call_header_text(call, "ETag", etag);
	// A name can get other content at any time: caches are to ask, and asking is cheap.
	call->cache_control = "no-cache";
	if (!etag_matches(call->if_none_match, etag)) {
		return false;
	}
	call->answer.status = 304;
	call->answer.content_type = NULL;
	call->step = NULL;
	return true;
}

bool call_is_known_by(struct call *call, const struct hash_part *parts, size_t count) {
	return is_known_as(call, etag_make(call->arena, parts, count));
}

static struct hash_part text_part(const char *text) {
	return (struct hash_part){text, strlen(text)};
}

/* All parameters in the order given, each name and value ended by a NUL. */
static struct hash_part query_part(const struct call *call) {
	struct buffer text = {0};
	for (size_t i = 0; i < call->parameter_count; i++) {
		const struct query_parameter *parameter = &call->parameters[i];
		buffer_append(&text, parameter->name, strlen(parameter->name) + 1);
		buffer_append(&text, parameter->value, strlen(parameter->value) + 1);
	}
	char *bytes = arena_strndup(call->arena, text.size ? (char *)text.data : "", text.size);
	const struct hash_part part = {bytes, text.size};
	buffer_finish(&text);
	return part;
}

/* What the other rigs are that poses name. */
static struct hash_part others_part(const struct call *call) {
	const char *text = "";
	for (size_t i = 0; i < call->sources.count; i++) {
		text = arena_printf(call->arena, "%s%s ", text, call->others[i].state);
	}
	return text_part(text);
}

/* What an answer depends on besides the content, and what a path alone does not say. */
struct asked_for {
	struct hash_part query, others, body;
};

static const char *make_tag(struct call *call, const char *content_type, const char *content,
	const struct asked_for *asked) {
	const struct renderer_info *renderer = jobs_renderer(call->service->pools[PLACE_RENDER]);
	const struct hash_part parts[] = {
		text_part(call->service->build),
		text_part(content),
		text_part(call->path),
		text_part(call->rig ? call->rig : ""),
		text_part(call->item ? call->item : ""),
		text_part(content_type),
		text_part(renderer->vendor),
		text_part(renderer->renderer),
		text_part(renderer->version),
		asked->query,
		asked->others,
		asked->body,
	};
	return etag_make(call->arena, parts, sizeof parts / sizeof *parts);
}

bool call_is_known(struct call *call, const char *content) {
	const struct asked_for asked = {
		query_part(call), others_part(call), {call->body, call->body_bytes}};
	return is_known_as(call, make_tag(call, call->answer.content_type, content, &asked));
}

const char *call_tag(struct call *call, const char *content_type, const char *content) {
	const struct asked_for nothing = {text_part(""), text_part(""), text_part("")};
	return make_tag(call, content_type, content, &nothing);
}

struct error call_tell(const struct call *call, const struct error *err) {
	struct error told = *err;
	if (!(call->grant.scopes & SCOPE_READ) || call->is_signed) {
		error_drop_suggestion(&told);
	}
	return told;
}

void call_fail(struct call *call, const struct error *err) {
	struct answer *answer = &call->answer;
	call_reset(call);
	answer->status = problem_status(err->code);
	answer->content_type = "application/problem+json";
	if (answer->status == 503 || answer->status == 429) {
		call_header(call, "Retry-After", "%d", RETRY_AFTER_S);
	}
	if (call->allowed) {
		call_header(call, "Allow", "%s", call->allowed);
	}
	if (call->challenge) {
		call_header(call, "WWW-Authenticate", "%s", call->challenge);
	}
	call->cache_control = "no-store";
	const struct error told = call_tell(call, err);
	// Where the path names the rig, the rest of the request is a query, or a body of its own.
	problem_write(&told, call->rig && !call->body_is_json, &answer->body);
}

void call_reset(struct call *call) {
	if (call->finish) {
		call->finish(call);
		call->finish = NULL;
	}
	buffer_finish(&call->answer.body);
	if (call->answer.has_file) {
		close(call->answer.file);
	}
	call->answer = (struct answer){0};
	call->step = NULL;
	call->etag = NULL;
	call->cache_control = NULL;
}

void call_finish(struct call *call) {
	call_reset(call);
	store_release(&call->hold);
	for (size_t i = 0; i < call->sources.count; i++) {
		store_release(&call->others[i]);
	}
}
