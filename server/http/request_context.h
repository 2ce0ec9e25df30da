/* One call of the API as its handler sees it: the request's parts in, the answer out. No HTTP
 * library in sight. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "access/scope.h"
#include "api/precondition.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/stop.h"
#include "base/value.h"
#include "model/pose_sources.h"
#include "query.h"
#include "service.h"
#include "store/store.h"

struct hash_part;
struct renderer;

enum http_method { HTTP_GET, HTTP_PUT, HTTP_POST, HTTP_PATCH, HTTP_DELETE, HTTP_METHOD_COUNT };

struct header {
	const char *name, *value;
};

#define MAX_HEADERS 12

/* The parts of the time that an answer takes, as Server-Timing names them. */
enum span {
	SPAN_QUEUE, // waiting for a thread
	SPAN_LOAD,  // reading a rig: for its first use; of a PUT with storing it
	SPAN_POSE,
	SPAN_SKIN,
	SPAN_DRAW,
	SPAN_READ,
	SPAN_ENCODE,
	SPAN_COUNT,
};

struct request_context;

/* One step of answering a request. False with *err. */
typedef bool (*request_step)(struct request_context *context, struct error *err);

/* What other calls tell of a stream while it is made. Any thread; zero is nothing. */
struct stream_control {
	atomic_bool wake;     // fill is to be called at once; cleared by fill
	_Atomic double cut_s; // when the connection is cut off, also in the middle of a piece, on
			      // clock_now_s(); 0 = never
};

/* Bytes of an answer that are unknown before it is made. */
#define RESPONSE_UNKNOWN_BYTES UINT64_MAX

/* An answer too large to be held, made piece by piece while it is sent; or one that is made at the
 * pace of the clock. It begins to be sent with its first bytes, and before those the call waits as
 * others do; one that is done with them is sent and kept like others. */
struct response_stream {
	request_step fill;    // appends the next piece to answer.body; NULL = there is no stream
	bool done;            // set by fill: that was the last
	uint64_t total_bytes; // of all pieces, or RESPONSE_UNKNOWN_BYTES
	/* Set by fill: the next piece is not begun before this, on clock_now_s(), nor before the
	 * socket has taken all of this piece, so that nothing piles up before a client that reads
	 * slowly: when fill is called later than it wished, it may leave pieces out. No thread is
	 * held meanwhile, and a piece may be empty. While service->stopping is set nothing waits:
	 * fill is to make its last piece. 0 = the next piece is made while this one is sent. */
	double not_before_s;
	const struct stream_control
		*control; // borrowed until context_finish(); NULL = there never are any
};

/* Zero is 200 with an empty body. */
struct response {
	int status;               // 0 = 200
	const char *content_type; // NULL = no body
	struct buffer body;
	bool has_file; // the body is this file instead
	int file;      // descriptor; the answer's
	size_t file_bytes;
	struct response_stream stream;
	struct header headers[MAX_HEADERS]; // strings constant or in the arena
	size_t header_count;
};

struct request_context {
	struct service *service;   // borrowed
	struct renderer *renderer; // the thread's; NULL on the loop's
	struct arena *arena;       // dies with the call
	const char *path;          // the route's pattern
	const char *rig;           // the path's {rig}, keeps name_check(); NULL = no such part
	const char *item;          // what its {name}, {id}, {method} or {format} is, likewise
	const char *tail;          // the path's {...}, as it was sent; NULL = no such part
	struct grant grant;        // what whoever calls may do
	uint64_t client;           // a number for whoever calls: of the token, else the address
	const struct query_parameter *parameters; // [parameter_count]
	size_t parameter_count;
	const char *accept, *content_type, *if_match, *if_none_match; // headers; NULL = absent
	struct precondition condition; // of a change, once the handler has read it
	const char *allowed; // methods that the path has instead of the one asked for; NULL = fine
	const void *body;    // [body_bytes]
	size_t body_bytes;
	int body_file;     // descriptor of a sealed file with the body; -1 = none
	bool body_is_json; // errors name places in it, also where the path names the rig

	request_step step;   // what is to be done next; NULL = the answer is there
	enum executor place; // where
	void *state;         // of the steps, in the arena
	void (*finish)(struct request_context
			*context);   // frees what the state has elsewhere; NULL = nothing
	struct stop stop;            // asked between steps, and within
	struct store_hold hold;      // of the rig; released with the call
	struct store_hold *others;   // [sources.count] of other rigs; likewise
	size_t also_skinned;         // so many of them, the first ones, are skinned as the rig is
	struct pose_sources sources; // those rigs, which poses may name; there once context_load()
				     // was called
	const char *etag;          // the answer's; NULL = none so far
	const char *cache_control; // the answer's, whoever made the rest of it; NULL = none
	double spans_s[SPAN_COUNT];
	struct response response;
};

/* Sets what is to be done next; the state is the step's to know. */
void context_continue(
	struct request_context *context, enum executor place, request_step step, void *state);

/* store_hold() into context->hold, for the rig of a name. */
bool context_hold(
	struct request_context *context, const char *name, enum hold_kind kind, struct error *err);

/* Which rigs a call takes besides its own. */
struct other_rigs {
	const struct value *const *skinned; // [skinned_count] strings: that are skinned, too; each
					    // once, at most LIMIT_CROWD_RIGS
	size_t skinned_count;
	const struct value *poses; // [count] expressions that may name rigs; NULL = none
	size_t count;
};

/* Holds them. False with the place: ERROR_UNKNOWN_RIG, ERROR_TOO_LARGE where poses name more than
 * POSE_SOURCES_MAX, and store_hold()'s errors. */
bool context_hold_others(
	struct request_context *context, const struct other_rigs *rigs, struct error *err);

/* The i-th of the rigs that are skinned: 0 is context->hold, then others. NULL past the end. */
struct store_hold *context_skinned(struct request_context *context, size_t i);

/* Holds other rigs by their names, [count]. False with the place and store_hold()'s error. */
bool context_hold_named(struct request_context *context, const struct value *const *names,
	size_t count, struct error *err);

/* Whether the others that a call holds are what those rigs are now. */
bool context_others_are_current(const struct request_context *context);

/* The held rig itself, read now if need be, with the others: not on the loop's thread. Borrowed
 * from the request. */
const struct rig *context_load(struct request_context *context, struct error *err);

/* The others alone. */
bool context_load_others(struct request_context *context, struct error *err);

/* Sets a header of the answer, whose value is borrowed until the call's end. */
void context_header_text(struct request_context *context, const char *name, const char *value);

/* Sets a header of the answer; the value is made in the arena. */
__attribute__((format(printf, 3, 4))) void context_header(
	struct request_context *context, const char *name, const char *format, ...);

/* Chooses the answer's content type among those offered (ended by NULL, preferred first), and says
 * that it depends on Accept. NULL with ERROR_NOT_ACCEPTABLE. */
const char *context_choose_type(
	struct request_context *context, const char *const *offered, struct error *err);

/* The body as JSON. NULL with ERROR_UNSUPPORTED_MEDIA_TYPE, ERROR_INVALID_JSON or
 * ERROR_TOO_LARGE. */
const struct value *context_json(struct request_context *context, struct error *err);

/* Sets the answer's ETag from everything it depends on: the content of the rig, the route, the
 * query and the body, the content type chosen, the build and what renders. Returns true when the
 * client has that answer already: the answer is then 304, and the handler is done. */
bool context_is_known(struct request_context *context, const char *content);

/* The ETag that a GET of the same path without a query has for such a content and type. */
const char *context_tag(
	struct request_context *context, const char *content_type, const char *content);

/* The same as context_is_known() for an answer whose tag depends only on these parts. */
bool context_is_known_by(
	struct request_context *context, const struct hash_part *parts, size_t count);

/* An error as whoever calls may read it: suggestions are for those who may list what there is. */
struct error context_tell(const struct request_context *context, const struct error *err);

/* Makes the answer the problem document of an error. */
void context_fail(struct request_context *context, const struct error *err);

/* Takes an answer back, so that another can be made in its place. */
void context_reset(struct request_context *context);

/* Frees what the call holds but its arena. */
void context_finish(struct request_context *context);
