/* Shared by the loop (http.c) and what it looks after: connections, exchanges, their work. All of
 * it is touched by the loop's thread only, but for what the mutex guards and what a thread of a
 * pool has while exchange->working. */
#pragma once

#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>

#include "access_log.h"
#include "body.h"
#include "cache_key.h"
#include "call.h"
#include "http.h"
#include "jobs.h"

struct asked;
struct cached;
struct client_share;
struct route;

enum exchange_stage {
	STAGE_RECEIVING, // the body is coming
	STAGE_WAITING,   // for work, its own or another's; the connection is suspended
	STAGE_ANSWERED,  // the answer is there; the connection sends it
};

/* A connection of a client, from its beginning to its end. */
struct client {
	struct MHD_Connection *connection; // borrowed from the library
	int file;                          // its socket
	char address[INET6_ADDRSTRLEN];    // as text; "unix" = of a Unix socket
	uint64_t key;                      // for the share of its requests without a token
	double idle_since_s;               // its last request's end; 0 = one is under way
	struct client *older, *newer;      // in http->clients
};

/* A long answer between the thread that makes it and the connection that sends it. */
struct stream {
	struct buffer piece; // being sent
	size_t sent;         // bytes of the piece
	bool starved;        // the connection is suspended until there is more
	bool failed;         // it ends here
	double piece_s;      // when the piece began to be sent

	/* Between two pieces, in http->paced. */
	bool waiting;                     // it is there
	struct exchange *earlier, *later; // neighbours there, in no order
};

/* One request and its answer. It lives until its connection is done with it and no thread has it.
 */
struct exchange {
	struct http *http;                 // borrowed
	struct MHD_Connection *connection; // borrowed from the library; NULL = gone
	struct client *client;             // borrowed; NULL = gone
	const struct route *route;         // NULL = err says why not
	struct error err;                  // set: refused, or failed
	struct call call;
	struct body body;
	uint64_t key;      // whose share of the places it has: its token's, else its client's
	size_t body_limit; // bytes
	size_t discarded;  // bytes of a refused body that came all the same
	bool closing;      // the connection ends with this answer
	enum exchange_stage stage;
	struct access access; // its line in the log, with its id
	double answer_s;      // when its answer was there

	/* Work. */
	struct job job;
	enum place place;           // the pool that has the job
	bool working;               // a pool has it, waiting or under way
	bool holds_place;           // of its client's in that pool
	bool suspended;             // the connection is
	double submitted_s;         // when it came into the pool
	double deadline_s;          // for the answer, or its first byte; on clock_now_s()
	struct error *late;         // the answer instead, when the work took too long; owned
	struct stream *stream;      // owned; NULL = the answer is whole
	struct cached *shared;      // the answer, with others: a reference; NULL = call.answer
	struct exchange *leader;    // whose work this one waits for
	struct exchange *followers; // who wait for this one's
	struct exchange *next_follower;
	bool alone;       // its work is not for sharing
	bool asked;       // the same was asked for before
	bool begun_anew;  // its work was, after a context was lost
	bool first_again; // its first step is yet to be taken once more

	bool in_flight;                 // in http->flights
	struct cache_key flight_key;    // of its tag there
	struct exchange *next_flight;   // there
	struct exchange *next;          // in http->finished
	struct exchange *older, *newer; // in http->alive
};

/* Arenas that are kept for the next exchanges. */
#define SPARE_ARENAS 64

/* Slots of the table of work under way. */
#define FLIGHT_SLOTS 256

struct http {
	struct http_options options;
	struct MHD_Daemon *daemon;
	int events;     // epoll descriptor over the three below
	int wake;       // eventfd: http->finished is not empty
	bool listening; // the socket is still open
	bool unflushed; // there may be lines for the log that wait

	uint64_t requests;                        // so far
	uint32_t instance;                        // random: ids differ between daemons
	uint64_t secret;                          // random: of the clients' keys
	struct exchange *alive;                   // the newest of them
	struct exchange *paced;                   // streams that wait for their time
	struct client *clients;                   // the newest connection
	size_t working;                           // exchanges that a pool has
	size_t body_bytes;                        // held by all exchanges
	double next_deadline_s;                   // of all that wait; INFINITY = none
	struct exchange *flights[FLIGHT_SLOTS];   // work that others may wait for, by tag
	struct arena *spare_arenas[SPARE_ARENAS]; // empty, for the next exchanges
	size_t spare_arena_count;
	struct asked *asked;                      // for lately
	struct client_share *shares[PLACE_COUNT]; // who may wait for which pool

	pthread_mutex_t mutex;     // guards what follows
	struct exchange *finished; // back from the pools
};

/* --- exchange.c: the library's callbacks for a request and for its end. --- */

enum MHD_Result exchange_handle(void *http, struct MHD_Connection *connection, const char *path,
	const char *method, const char *version, const char *data, size_t *data_bytes, void **slot);
void exchange_completed(void *http, struct MHD_Connection *connection, void **slot,
	enum MHD_RequestTerminationCode code);

/* Frees an exchange that nobody has any more. */
void exchange_destroy(struct exchange *exchange);

bool exchange_refused(const struct exchange *exchange);

/* --- exchange_head.c --- */

/* Reads the request line and headers: route, query, limits, framing, deadline. */
void exchange_read_head(struct exchange *exchange, const char *method, const char *path);

/* Sets the call's first step, the route's handler. */
void exchange_take_first_step(struct exchange *exchange);

/* --- exchange_keep.c: answers that others get, too. On the thread that has the exchange. --- */

/* Looks whether the answer lies on the disk; then exchange->shared is it, and there is no step
 * left. */
bool exchange_find_on_disk(struct exchange *exchange);

/* Makes an answer that is done one that can be given to others, if it is of that kind, and keeps
 * it, if it is worth it. */
void exchange_share(struct exchange *exchange);

/* --- exchange_work.c: steps here and on other threads. --- */

/* Goes on with the call's steps as far as they go at once. Afterwards the answer is there, or the
 * exchange waits and its connection is suspended. */
void exchange_advance(struct exchange *exchange);

/* Takes an exchange back whose job is done. */
void exchange_finish_work(struct exchange *exchange);

/* Answers an exchange that waits with an error instead: its work stops, or goes on for others. */
void exchange_give_up(struct exchange *exchange, const struct error *err);

/* Has the next piece of a stream made. */
void exchange_refill(struct exchange *exchange);

/* --- flights.c: work under way that equal requests wait for. --- */

/* Makes the exchange wait for another's equal work; false when there is none. */
bool flight_join(struct exchange *exchange);

/* Lets others wait for the exchange's work, and no longer. */
void flight_begin(struct exchange *exchange);
void flight_end(struct exchange *exchange);

/* Takes one that waits from its leader. */
void flight_leave(struct exchange *exchange);

/* --- exchange_send.c --- */

/* Makes the library's response out of the answer and queues it. */
enum MHD_Result exchange_send(struct exchange *exchange);

/* --- clients.c: connections, and their patience with them. --- */

/* The library's callback for a connection's beginning and end. */
void client_notify(void *http, struct MHD_Connection *connection, void **slot,
	enum MHD_ConnectionNotificationCode code);

/* A number for a token's name that strangers cannot foresee. */
uint64_t client_key_of(const struct http *http, const char *token);

/* Ends connections that take too long for what they do, or whose client left. */
void clients_sweep(struct http *http);

/* Whether a client has ended its side, and nothing it sent before is still unread. Any thread. */
bool client_has_left(int file);

/* --- http.c --- */

/* Hands an exchange whose job is done to the loop. Any thread. */
void http_finish_work(struct exchange *exchange);

/* --- pace.c: streams that wait for the time of their next piece, their connection suspended. ---
 */

/* Has the next piece made when its time has come. */
void pace_wait(struct exchange *exchange);

/* Takes back one that goes, if it waits. */
void pace_leave(struct exchange *exchange);

/* Begins what is due; when stopping, all. */
void pace_run(struct http *http);

/* When the next is due; INFINITY = none waits. */
double pace_next_s(const struct http *http);

/* Ends those whose client left. */
void pace_end_abandoned(struct http *http);

/* --- http_alive.c --- */

/* Adds an exchange to http->alive, and takes it out. */
void http_enter(struct exchange *exchange);
void http_leave(struct exchange *exchange);

/* Answers those that wait for longer than they may. */
void http_end_late(struct http *http);

/* Gives up those that wait, for an answer or for more of it, and whose client left. */
void http_end_abandoned(struct http *http);
