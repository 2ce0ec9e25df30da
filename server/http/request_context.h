/* A request as its handler sees it: its parts, its steps, its response. Independent of the HTTP
 * library. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "access/scope.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/stop.h"
#include "base/value.h"
#include "http/precondition.h"
#include "http/response.h"
#include "http/service.h"
#include "model/licence.h"
#include "model/pose_sources.h"
#include "query.h"
#include "store/store.h"

struct hash_part;
struct renderer;

enum http_method { HTTP_GET, HTTP_PUT, HTTP_POST, HTTP_PATCH, HTTP_DELETE, HTTP_METHOD_COUNT };

/* The parts of the time that a response takes, as Server-Timing names them. */
enum span {
	SPAN_QUEUE, // waiting for a thread
	SPAN_LOAD,  // reading a rig: for its first use; of a PUT with storing it
	SPAN_POSE,
	SPAN_SKIN,
	SPAN_DRAW,
	SPAN_READ,
	SPAN_CHECK,
	SPAN_ENCODE,
	SPAN_COUNT,
};

struct request_context {
	struct service *service;   // borrowed
	struct renderer *renderer; // the thread's; NULL on the loop's
	struct arena *arena;       // freed with the request
	const char *path;          // the route's pattern
	const char *rig;           // the path's {rig}, as name_check() allows it; NULL = none
	const char *item;          // its {name}, {id}, {method} or {format}, likewise
	enum licence_part part;    // of avatars, which the response has
	const char *tail;          // its {...}, as it was sent; NULL = none
	struct grant grant;        // of the client
	uint64_t client;           // a number for the client: of its token, else its address
	const struct query_parameter *parameters; // [parameter_count]
	size_t parameter_count;
	const char *accept, *accept_encoding, *content_type, *if_match,
		*if_none_match;        // headers; NULL = absent
	bool prefers_async;            // Prefer: respond-async
	struct precondition condition; // of a change, once the handler has read it
	const char *allowed; // methods that the path has instead of the one asked for; or NULL
	const void *body;    // [body_bytes]
	size_t body_bytes;
	int body_file;     // descriptor of a sealed file with the body; -1 = none
	bool body_is_json; // errors point into it, also where the path names the rig

	request_step step;      // the next one; NULL = the response is complete
	enum executor executor; // that takes the step
	void *state;            // of the steps, in the arena
	void (*finish)(struct request_context *context); // frees the rest of the state; or NULL
	struct stop stop;                                // checked between steps, and within
	struct store_hold hold;                          // of the rig; released with the request
	struct store_hold *others;                       // [sources.count] of other rigs; likewise
	size_t also_skinned;         // the first of them, which are skinned as the rig is
	struct pose_sources sources; // those rigs, which poses may name; after context_load()
	const char *etag;            // the response's; NULL = none so far
	const char *cache_control;   // the response's, also of one from the cache; NULL = none
	double spans_s[SPAN_COUNT];
	struct response response;
};

/* Sets the next step and its state. */
void context_continue(
	struct request_context *context, enum executor executor, request_step step, void *state);

/* False with ERROR_FORBIDDEN where the client came by a link that shows another rig. */
bool context_check_rig(const struct request_context *context, const char *name, struct error *err);

/* store_hold() into context->hold, for the rig of a name, after context_check_rig(). */
bool context_hold(
	struct request_context *context, const char *name, enum hold_kind kind, struct error *err);

/* The rigs that a request uses besides its own. */
struct other_rigs {
	const struct value *const *skinned; // [skinned_count] strings: that are skinned, too; each
					    // once, at most LIMIT_CROWD_RIGS
	size_t skinned_count;
	const struct value *poses; // [count] expressions that may name rigs; NULL = none
	size_t count;
};

/* Holds them. False with the position in the request: ERROR_UNKNOWN_RIG, ERROR_TOO_LARGE where
 * poses name more than POSE_SOURCES_MAX, and store_hold()'s errors. */
bool context_hold_others(
	struct request_context *context, const struct other_rigs *rigs, struct error *err);

/* The i-th of the rigs that are skinned: 0 is context->hold, then others. NULL past the end. */
struct store_hold *context_skinned(struct request_context *context, size_t i);

/* Holds other rigs by their names, [count]. False with the position in the request and
 * store_hold()'s error. */
bool context_hold_named(struct request_context *context, const struct value *const *names,
	size_t count, struct error *err);

/* True while the other rigs are still those that the request holds. */
bool context_others_are_current(const struct request_context *context);

/* The held rig itself, read now if need be, with the others: not on the loop's thread. Borrowed
 * from the request. NULL with store_load()'s errors, or with ERROR_LICENCE where the daemon's
 * --uses are not allowed of context->part. */
const struct rig *context_load(struct request_context *context, struct error *err);

/* The others alone. */
bool context_load_others(struct request_context *context, struct error *err);

/* Sets a header of the response, whose value is borrowed until the request's end. */
void context_header_text(struct request_context *context, const char *name, const char *value);

/* Sets a header of the response; the value is made in the arena. */
__attribute__((format(printf, 3, 4))) void context_header(
	struct request_context *context, const char *name, const char *format, ...);

/* Chooses the response's content type among those offered (ended by NULL, preferred first), and
 * says that it depends on Accept. NULL with ERROR_NOT_ACCEPTABLE. */
const char *context_choose_type(
	struct request_context *context, const char *const *offered, struct error *err);

/* The body as JSON. NULL with ERROR_UNSUPPORTED_MEDIA_TYPE, ERROR_INVALID_JSON or
 * ERROR_TOO_LARGE. */
const struct value *context_json(struct request_context *context, struct error *err);

/* The same into an arena that may outlive the request. */
const struct value *context_json_into(
	struct request_context *context, struct arena *arena, struct error *err);

/* Sets the response's ETag from everything it depends on: the content of the rig, the route, the
 * query and the body, the content type chosen, the build and what renders. Returns true when the
 * client has that response already: the response is then 304, and the handler is done. */
bool context_is_known(struct request_context *context, const char *content);

/* The ETag that a GET of the same path without a query has for such a content and type. */
const char *context_tag(
	struct request_context *context, const char *content_type, const char *content);

/* The same as context_is_known() for a response whose tag depends only on these parts. */
bool context_is_known_by(
	struct request_context *context, const struct hash_part *parts, size_t count);

/* An error as the client may read it: suggestions are for clients that may list rigs. */
struct error context_tell(const struct request_context *context, const struct error *err);

/* Makes the response the problem document of an error. */
void context_fail(struct request_context *context, const struct error *err);

/* Takes the response back, so that another can be made in its place. */
void context_reset(struct request_context *context);

/* Frees all that the request holds but its arena. */
void context_finish(struct request_context *context);
