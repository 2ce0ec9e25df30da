/* One request and its answer, from its head to its last byte. All of it is touched by the loop's
 * thread only, but for what a mutex guards and what a thread of a pool has while it is working. */
#pragma once

#include <microhttpd.h>
#include <stdint.h>

#include "access/origins.h"
#include "cache/cache_key.h"
#include "http/access_log.h"
#include "http/body.h"
#include "http/request_context.h"
#include "work/thread_pool.h"

struct cached;
struct client;
struct http;
struct route;

enum transaction_stage {
	STAGE_RECEIVING, // the body is coming
	STAGE_WAITING,   // for work, its own or another's; the connection is suspended
	STAGE_ANSWERED,  // the answer is there; the connection sends it
};

/* A long answer between the thread that makes it and the connection that sends it. */
struct stream {
	struct buffer piece; // being sent
	size_t sent;         // bytes of the piece
	bool starved;        // the connection is suspended until there is more
	bool failed;         // it ends here
	double piece_s;      // when the piece began to be sent

	/* Between two pieces, in http->paced. */
	bool waiting;                        // it is there
	struct transaction *earlier, *later; // neighbours there, in no order
};

/* One request and its answer. It lives until its connection is done with it and no thread has it.
 */
struct transaction {
	struct http *http;                 // borrowed
	struct MHD_Connection *connection; // borrowed from the library; NULL = gone
	struct client *client;             // borrowed; NULL = gone
	uint64_t number;                   // of the client's requests, from 1
	const struct route *route;         // NULL = err says why not
	struct error err;                  // set: refused, or failed
	struct request_context context;
	struct body body;
	uint64_t key;       // whose share of the places it has: its token's, else its client's
	size_t body_limit;  // bytes
	struct page page;   // where it comes from
	const char *reader; // Access-Control-Allow-Origin of its answer; NULL = none
	size_t discarded;   // bytes of a refused body that came all the same
	bool closing;       // the connection ends with this answer
	enum transaction_stage stage;
	struct access access; // its line in the log, with its id
	double answer_s;      // when its answer was there

	/* Work. */
	struct job job;
	enum executor place;        // the pool that has the job
	bool working;               // a pool has it, waiting or under way
	bool holds_place;           // of its client's in that pool
	bool suspended;             // the connection is
	double submitted_s;         // when it came into the pool
	double run_s;               // that a thread was at its job
	double deadline_s;          // for the answer, or its first byte; on clock_now_s()
	struct error *late;         // the answer instead, when the work took too long; owned
	struct stream *stream;      // owned; NULL = the answer is whole
	struct cached *shared;      // the answer, with others: a reference; NULL = request.response
	struct transaction *leader; // whose work this one waits for
	struct transaction *followers; // who wait for this one's
	struct transaction *next_follower;
	bool alone;       // its work is not for sharing
	bool asked;       // the same was asked for before
	bool begun_anew;  // its work was, after a context was lost
	bool first_again; // its first step is yet to be taken once more

	bool in_flight;                      // in http->flights
	struct cache_key flight_key;         // of its tag there
	struct transaction *next_flight;     // there
	struct transaction *next;            // in http->finished
	struct transaction *older, *newer;   // in http->alive
	bool held;                           // its refusal is in http->refusals
	struct transaction *earlier, *later; // there
};

enum MHD_Result transaction_handle(void *http, struct MHD_Connection *connection, const char *path,
	const char *method, const char *version, const char *data, size_t *data_bytes, void **slot);
void transaction_completed(void *http, struct MHD_Connection *connection, void **slot,
	enum MHD_RequestTerminationCode code);

/* Frees an exchange that nobody has any more. */
void transaction_destroy(struct transaction *transaction);

bool transaction_refused(const struct transaction *transaction);
