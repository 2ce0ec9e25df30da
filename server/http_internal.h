/* Shared by http.c (the loop) and exchange.c (one request). Everything here is touched only by the
 * loop's thread, but for what the mutex guards. */
#pragma once

#include <microhttpd.h>
#include <pthread.h>
#include <stdint.h>

#include "access_log.h"
#include "body.h"
#include "call.h"
#include "http.h"
#include "jobs.h"

struct route;

enum exchange_stage {
	STAGE_RECEIVING, // the body is coming
	STAGE_WORKING,   // on a render thread, the connection is suspended
	STAGE_ANSWERED,  // call.answer is filled
};

/* One request and its answer. */
struct exchange {
	struct http *http;                 // borrowed
	struct MHD_Connection *connection; // borrowed from the library
	const struct route *route;         // NULL = err says why not
	struct error err;                  // set: refused, or failed
	struct call call;
	struct body body;
	size_t body_limit; // bytes
	size_t discarded;  // bytes of a refused body that came all the same
	bool closing;      // the connection ends with this answer
	enum exchange_stage stage;
	struct access access;           // its line in the log, with its id
	struct job job;                 // STAGE_WORKING
	struct exchange *next;          // in http->finished
	struct exchange *older, *newer; // in http->alive
};

struct http {
	struct http_options options;
	struct MHD_Daemon *daemon;
	int events;     // epoll descriptor over the three below
	int wake;       // eventfd: http->finished is not empty
	bool listening; // the socket is still open

	uint64_t requests;      // so far
	uint32_t instance;      // random: ids differ between daemons
	size_t in_flight;       // exchanges alive
	struct exchange *alive; // the newest of them
	size_t working;         // of them in STAGE_WORKING
	size_t body_bytes;      // held by all exchanges

	pthread_mutex_t mutex;     // guards what follows
	struct exchange *finished; // back from the render threads
};

/* The library's callbacks for a request and for its end. */
enum MHD_Result exchange_handle(void *http, struct MHD_Connection *connection, const char *path,
	const char *method, const char *version, const char *data, size_t *data_bytes, void **slot);
void exchange_completed(void *http, struct MHD_Connection *connection, void **slot,
	enum MHD_RequestTerminationCode code);

/* Hands a finished exchange to the loop. Any thread. */
void http_finish_work(struct exchange *exchange);

/* Adds an exchange to http->alive, and takes it out. */
void http_enter(struct exchange *exchange);
void http_leave(struct exchange *exchange);

/* Ends the connections of clients that left in the middle of a body. The library goes by the edges
 * of epoll's events and takes a short read for the end of what there is: a FIN that comes with the
 * last bytes is seen only when the connection times out. */
void http_end_abandoned(struct http *http);

/* Makes the library's response out of call.answer and queues it. */
enum MHD_Result exchange_send(struct exchange *exchange);
