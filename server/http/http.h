/* The HTTP side of the daemon: sockets, one loop for all of them, and the way of a request from its
 * bytes to a handler and back. */
#pragma once

#include <stdbool.h>

#include "access/origins.h"
#include "http/service.h"

#include "base/error.h"

struct http;
struct route_table;

struct http_options {
	struct service *service;          // borrowed
	const struct route_table *routes; // borrowed
	struct origin_rules origins;
	double deadline_s;           // of a request that asks for none
	size_t queue_length;         // requests that may wait for a pool, or be at work there
	double queue_wait_s;         // that they may wait while the queue does not empty
	int threads[EXECUTOR_COUNT]; // of each pool
	int idle_s;                  // that a connection may be silent; at least 1
	bool access_log;             // a log line for each request
	int listening; // the socket; taken over, also when http_create fails; does not block
	int signals;   // signalfd; every signal but SIGHUP ends the daemon; borrowed
	// Handles a signal, besides; NULL = nothing. Called by the thread of http_serve().
	void (*on_signal)(void *context, int signal);
	void *context;
};

/* NULL with ERROR_INTERNAL. */
struct http *http_create(const struct http_options *options, struct error *err);

/* Changes what pages may, and whether requests are logged. From on_signal. */
void http_configure(struct http *http, const struct origin_rules *origins, bool access_log);

/* Serves until the first signal that ends the daemon, then finishes what is under way: the
 * listening socket is closed, new work is refused, and the function returns when the last response
 * has been sent. Work that is not done after some seconds, or at a second signal, is called off:
 * its clients get 503, and a response that has begun is cut off. False when threads are
 * still at work a second later: nothing that they may use can be taken down. */
bool http_serve(struct http *http);

/* Closes all connections. Takes NULL. */
void http_destroy(struct http *http);
