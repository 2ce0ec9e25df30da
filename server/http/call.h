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

enum call_method { CALL_GET, CALL_PUT, CALL_POST, CALL_PATCH, CALL_DELETE, CALL_METHOD_COUNT };

struct header {
	const char *name, *value;
};

#define MOST_HEADERS 12

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

struct call;

/* One step of answering a call. False with *err. */
typedef bool (*call_step)(struct call *call, struct error *err);

/* What other calls tell of a stream while it is made. Any thread; zero is nothing. */
struct answer_news {
	atomic_bool hurry;    // fill is to be called at once; cleared by fill
	_Atomic double cut_s; // when the connection is cut off, also in the middle of a piece, on
			      // clock_now_s(); 0 = never
};

/* Bytes of an answer that are unknown before it is made. */
#define ANSWER_UNKNOWN_BYTES UINT64_MAX

/* An answer too large to be held, made piece by piece while it is sent; or one that is made at the
 * pace of the clock. It begins to be sent with its first bytes, and before those the call waits as
 * others do; one that is done with them is sent and kept like others. */
struct answer_stream {
	call_step fill;       // appends the next piece to answer.body; NULL = there is no stream
	bool done;            // set by fill: that was the last
	uint64_t total_bytes; // of all pieces, or ANSWER_UNKNOWN_BYTES
	/* Set by fill: the next piece is not begun before this, on clock_now_s(), nor before the
	 * socket has taken all of this piece, so that nothing piles up before a client that reads
	 * slowly: when fill is called later than it wished, it may leave pieces out. No thread is
	 * held meanwhile, and a piece may be empty. While service->stopping is set nothing waits:
	 * fill is to make its last piece. 0 = the next piece is made while this one is sent. */
	double not_before_s;
	const struct answer_news *news; // borrowed until call_finish(); NULL = there never are any
};

/* Zero is 200 with an empty body. */
struct answer {
	int status;               // 0 = 200
	const char *content_type; // NULL = no body
	struct buffer body;
	bool has_file; // the body is this file instead
	int file;      // descriptor; the answer's
	size_t file_bytes;
	struct answer_stream stream;
	struct header headers[MOST_HEADERS]; // strings constant or in the arena
	size_t header_count;
};

struct call {
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
	bool is_signed;      // a signed link, which lets its holder see that picture and no more
	const char *challenge; // WWW-Authenticate of the answer; NULL = none
	const void *body;      // [body_bytes]
	size_t body_bytes;
	int body_file;     // descriptor of a sealed file with the body; -1 = none
	bool body_is_json; // errors name places in it, also where the path names the rig

	call_step step;                    // what is to be done next; NULL = the answer is there
	enum place place;                  // where
	void *state;                       // of the steps, in the arena
	void (*finish)(struct call *call); // frees what the state has elsewhere; NULL = nothing
	struct stop stop;                  // asked between steps, and within
	struct store_hold hold;            // of the rig; released with the call
	struct store_hold *others;         // [sources.count] of other rigs; likewise
	size_t also_skinned;         // so many of them, the first ones, are skinned as the rig is
	struct pose_sources sources; // those rigs, which poses may name; there once call_load() was
				     // called
	const char *etag;          // the answer's; NULL = none so far
	const char *cache_control; // the answer's, whoever made the rest of it; NULL = none
	double spans_s[SPAN_COUNT];
	struct answer answer;
};

/* Sets what is to be done next; the state is the step's to know. */
void call_continue(struct call *call, enum place place, call_step step, void *state);

/* store_hold() into call->hold, for the rig of a name. */
bool call_hold(struct call *call, const char *name, enum hold_kind kind, struct error *err);

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
bool call_hold_others(struct call *call, const struct other_rigs *rigs, struct error *err);

/* The i-th of the rigs that are skinned: 0 is call->hold, then others. NULL past the end. */
struct store_hold *call_skinned(struct call *call, size_t i);

/* Holds other rigs by their names, [count]. False with the place and store_hold()'s error. */
bool call_hold_named(
	struct call *call, const struct value *const *names, size_t count, struct error *err);

/* Whether the others that a call holds are what those rigs are now. */
bool call_others_are_current(const struct call *call);

/* The held rig itself, read now if need be, with the others: not on the loop's thread. Borrowed
 * from the call. */
const struct rig *call_load(struct call *call, struct error *err);

/* The others alone. */
bool call_load_others(struct call *call, struct error *err);

/* Sets a header of the answer, whose value is borrowed until the call's end. */
void call_header_text(struct call *call, const char *name, const char *value);

/* Sets a header of the answer; the value is made in the arena. */
__attribute__((format(printf, 3, 4))) void call_header(
	struct call *call, const char *name, const char *format, ...);

/* Chooses the answer's content type among those offered (ended by NULL, preferred first), and says
 * that it depends on Accept. NULL with ERROR_NOT_ACCEPTABLE. */
const char *call_choose_type(struct call *call, const char *const *offered, struct error *err);

/* The body as JSON. NULL with ERROR_UNSUPPORTED_MEDIA_TYPE, ERROR_INVALID_JSON or
 * ERROR_TOO_LARGE. */
const struct value *call_json(struct call *call, struct error *err);

/* Sets the answer's ETag from everything it depends on: the content of the rig, the route, the
 * query and the body, the content type chosen, the build and what renders. Returns true when the
 * client has that answer already: the answer is then 304, and the handler is done. */
bool call_is_known(struct call *call, const char *content);

/* The ETag that a GET of the same path without a query has for such a content and type. */
const char *call_tag(struct call *call, const char *content_type, const char *content);

/* The same as call_is_known() for an answer whose tag depends only on these parts. */
bool call_is_known_by(struct call *call, const struct hash_part *parts, size_t count);

/* An error as whoever calls may read it: suggestions are for those who may list what there is. */
struct error call_tell(const struct call *call, const struct error *err);

/* Makes the answer the problem document of an error. */
void call_fail(struct call *call, const struct error *err);

/* Takes an answer back, so that another can be made in its place. */
void call_reset(struct call *call);

/* Frees what the call holds but its arena. */
void call_finish(struct call *call);
