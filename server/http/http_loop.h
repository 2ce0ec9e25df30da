/* The loop and what it looks after: connections, exchanges, their work. All of it is touched by
 * the loop's thread only, but for what the mutex guards. */
#pragma once

#include <pthread.h>

#include "http/acceptor.h"
#include "http/http.h"
#include "http/refusals.h"
#include "http/transaction.h"
#include "http/watchdog.h"

struct addresses;
struct doorkeeper;
struct client_share;
struct service_times;
struct wires;

/* Arenas that are kept for the next exchanges. */
#define SPARE_ARENAS 64

/* Slots of the table of work under way. */
#define FLIGHT_SLOTS 256

struct http {
	struct http_options options;
	struct MHD_Daemon *daemon;
	int events;     // epoll descriptor over the library's, wake, signals and the listening one
	int wake;       // eventfd: http->finished is not empty
	bool unflushed; // there may be lines for the log that wait

	uint64_t requests;         // so far
	uint32_t instance;         // random: ids differ between daemons
	uint64_t secret;           // random: of the clients' keys
	struct transaction *alive; // the newest of them
	struct transaction *paced; // streams that wait for their time
	struct acceptor acceptor;  // of connections
	struct watchdog watchdog;
	struct client *clients;                    // the newest connection
	struct client *idlest, *last_idle;         // of those without a request under way
	struct addresses *addresses;               // of all of them
	struct wires *wires;                       // below their connections
	size_t working;                            // exchanges that a pool has
	size_t body_bytes;                         // held by all exchanges
	double next_deadline_s;                    // of all that wait; INFINITY = none
	struct transaction *flights[FLIGHT_SLOTS]; // work that others may wait for, by tag
	struct arena *spare_arenas[SPARE_ARENAS];  // empty, for the next exchanges
	size_t spare_arena_count;
	struct doorkeeper *asked;                    // for lately
	struct client_share *shares[EXECUTOR_COUNT]; // who may wait for which pool
	struct service_times *service_times;         // of all routes
	struct refusals refusals;                    // that are yet to be sent

	pthread_mutex_t mutex;        // guards what follows
	struct transaction *finished; // back from the pools
};

/* Hands an exchange whose job is done to the loop. Any thread. */
void http_finish_work(struct transaction *transaction);
