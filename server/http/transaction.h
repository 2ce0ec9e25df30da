/* One request and its response, from its head to its last byte. All of it is touched by the loop's
 * thread only, but for what a thread of a pool has while it takes a step.
 *
 * A transaction is always in one state. In those in parentheses its connection is suspended; in
 * those with a star a pool has its job.
 *
 *                 +--------- refused, cached, or done on the loop's thread ---------+
 *                 |                                                                 v
 *   RECEIVING ----+--> (WORKING*) --- done -----------------------------------> RESPONDING
 *                 |      |  ^  |                                                 ^  ^  ^
 *                 |      |  |  +----- too late ----> OVERDUE* ---- done ---------+  |  |
 *                 |      v  |                                                       |  |
 *                 +--> (WAITING) ---- its leader's response ------------------------+  |
 *                 |                                                                    |
 *                 +--> (HELD) ------- its turn to be refused --------------------------+
 *
 * Each step of a request that needs another pool starts from WORKING as the first does from
 * RECEIVING. A stream goes from WORKING to SENDING with its first piece:
 *
 *             the next piece is begun
 *   SENDING ---------------------------> FILLING*
 *     | ^ ^                                |  |
 *     | | +-------- it is made ------------+  | all before it is sent
 *     | |                                     v
 *     | +---------- it is made ----------- (STARVED*)
 *     |                                     ^  |
 *     | all is sent                its time |  | there is nothing to send yet
 *     |                                     |  v
 *     +----------------------------------> (TIMED)
 *
 * BROKEN follows when the stream cannot go on, ABANDONED* when the connection is gone before the
 * job is done, and ENDED when neither a connection nor a pool has the transaction any more. */
#pragma once

#include <microhttpd.h>
#include <stdint.h>
#include <sys/queue.h>

#include "access/origins.h"
#include "cache/etag.h"
#include "http/access_log.h"
#include "http/body.h"
#include "http/request_context.h"
#include "work/thread_pool.h"

struct cached;
struct connection;
struct http;
struct route;

enum transaction_state {
	TRANSACTION_RECEIVING,  // the body is coming
	TRANSACTION_WAITING,    // for the leader's response (coalesce.h)
	TRANSACTION_WORKING,    // a pool has its job: queued, or a thread takes its step
	TRANSACTION_HELD,       // its refusal waits for its turn (refusals.h)
	TRANSACTION_RESPONDING, // the connection sends a whole response
	TRANSACTION_OVERDUE,    // the connection sends an error while a pool still has the job
	TRANSACTION_SENDING,   // a piece of a stream; the next is made, not begun, or there is none
	TRANSACTION_FILLING,   // a piece of a stream while a pool makes the next
	TRANSACTION_STARVED,   // all that was made is sent; a pool makes the next piece
	TRANSACTION_TIMED,     // all that was made is sent; the next piece is for later
	TRANSACTION_BROKEN,    // the stream ends in the middle
	TRANSACTION_ABANDONED, // the connection is gone; a pool still has the job
	TRANSACTION_ENDED,     // about to be freed
	TRANSACTION_STATE_COUNT,
};

TAILQ_HEAD(transaction_queue, transaction);

/* Its steps in the pools. */
struct transaction_work {
	struct job job;
	enum executor pool; // that has the job
	bool has_slot;      // in that pool's queue, on the account of its client
	double submitted_s; // when the pool got it
	double run_s;       // that a thread was at it
	enum {
		RESTART_NONE,
		RESTART_DUE, // the graphics context was lost: the first step is the loop's to take
		RESTART_TAKEN, // it has been; a second loss is an error
	} restart;
};

/* Equal requests whose work is done once. */
struct coalescing {
	bool declined;                      // its work cannot be shared
	bool leads;                         // it is in http->leaders
	struct cache_key key;               // of its entity tag, there
	LIST_ENTRY(transaction) of_slot;    // likewise
	struct transaction *leader;         // for which it is WAITING
	struct transaction_queue followers; // WAITING for this one
};

/* A response made piece by piece, between the thread that makes it and the connection that sends
 * it. */
struct stream {
	struct buffer piece; // being sent
	size_t sent;         // bytes of the piece
	double piece_s;      // when the piece began to be sent
};

/* It lives until its connection is done with it and no pool has it. */
struct transaction {
	struct http *http; // borrowed
	enum transaction_state state;
	struct MHD_Connection *library;    // the library's connection; NULL = gone
	struct connection *connection;     // ours, borrowed; NULL = gone
	LIST_ENTRY(transaction) of_all;    // in http->transactions
	TAILQ_ENTRY(transaction) of_queue; // of its state: WAITING, HELD, TIMED
	SLIST_ENTRY(transaction) of_done;  // in http->done

	/* The request. */
	uint64_t number;           // of the connection's requests, from 1
	const struct route *route; // NULL = err says why not
	struct error err;          // set: refused, or failed
	struct request_context context;
	struct body body;
	size_t body_limit;    // bytes
	size_t discarded;     // bytes of a refused body that came all the same
	uint64_t client;      // a number for the client: of its token, else of its address
	struct page page;     // that sent it
	struct access access; // its line in the log, with its id
	double deadline_s;    // for the response, or its first byte; on clock_now_s()

	struct transaction_work work;
	struct coalescing coalescing;

	/* The response: the first of these that is there, else context.response. */
	struct error *overdue; // the work took too long; owned
	struct cached *shared; // of the cache or for it; a reference
	struct stream *stream; // owned
	const char *reader;    // Access-Control-Allow-Origin; NULL = none
	bool closes;           // the connection ends with it
	bool was_requested;    // lately: worth caching
	double response_s;     // when it was there
};

/* The library's callbacks for a request and its end. */
enum MHD_Result transaction_handle(void *http, struct MHD_Connection *connection, const char *path,
	const char *method, const char *version, const char *data, size_t *data_bytes, void **slot);
void transaction_completed(void *http, struct MHD_Connection *connection, void **slot,
	enum MHD_RequestTerminationCode code);

/* Goes to the next state, which the table in transaction.c allows: suspends or resumes the
 * connection, and leaves and enters the queues of the states. */
void transaction_enter(struct transaction *transaction, enum transaction_state next);

/* True while the response is not decided: WAITING, WORKING or HELD. */
bool transaction_is_pending(const struct transaction *transaction);

/* True while a pool has its job. */
bool transaction_has_job(const struct transaction *transaction);

/* True when it is refused, or has failed: err says why. */
bool transaction_refused(const struct transaction *transaction);

/* Frees a transaction whose connection is gone, and that no pool has. */
void transaction_destroy(struct transaction *transaction);

/* transaction_head.c: reads the request line and the headers: route, query, limits, deadline. */
void transaction_read_head(struct transaction *transaction, const char *method, const char *path);

/* True for a request that can be understood in one way only, as far as it was read. False with
 * transaction->err; the connection ends with the response then. */
bool transaction_check_framing(struct transaction *transaction);

/* transaction_work.c: takes the steps of the request as far as they go at once, from its first.
 * Afterwards the response is there, or the transaction is pending. */
void transaction_begin_work(struct transaction *transaction);

/* Takes a transaction back whose job is done. */
void transaction_finish_work(struct transaction *transaction);

/* Has the next piece of a stream made. */
void transaction_fill(struct transaction *transaction);

/* Responds to a pending transaction with an error: its work stops, or goes on for others. */
void transaction_give_up(struct transaction *transaction, const struct error *err);

/* transaction_send.c: hands the response to the library. */
enum MHD_Result transaction_send(struct transaction *transaction);

/* transaction_limits.c: responds to transactions whose deadline has passed. */
void transactions_end_late(struct http *http);

/* Ends the work of clients that disconnected. */
void transactions_end_abandoned(struct http *http);

/* Ends all work: the daemon is shutting down. */
void transactions_call_off(struct http *http);

/* Ends the connections on which a request or a response takes longer than even a slow line needs,
 * or whose client disconnected. */
void transactions_end_slow(struct http *http);
