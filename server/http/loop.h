/* The loop and what it looks after: connections and transactions. All of it is touched by the
 * loop's thread only, but for what the mutex guards. */
#pragma once

#include <pthread.h>

#include "config/notify.h"
#include "http/acceptor.h"
#include "http/connections.h"
#include "http/http.h"
#include "http/refusals.h"
#include "http/transaction.h"

struct addresses;
struct client_share;
struct doorkeeper;
struct service_times;
struct wires;

/* Unused arenas cached for later transactions. */
#define SPARE_ARENAS 64

/* Slots of the table of leaders. */
#define LEADER_SLOTS 256

LIST_HEAD(transaction_list, transaction);

struct http {
	struct http_options options;
	struct MHD_Daemon *daemon;
	int events;     // epoll descriptor over the library's, wake, signals and the listening one
	int wake;       // eventfd: http->done is not empty
	bool unflushed; // lines of the log wait

	uint64_t requests; // so far
	uint32_t instance; // random: ids differ between daemons
	uint64_t secret;   // random: of the clients' numbers
	struct acceptor acceptor;
	struct watchdog watchdog;
	struct connection_list connections;
	struct connection_queue idle; // without a request under way, the longest idle first
	struct addresses *addresses;  // of all connections
	struct wires *wires;          // below them

	struct transaction_list transactions;          // all
	struct transaction_list leaders[LEADER_SLOTS]; // whose work others may wait for, by key
	struct transaction_queue timed;                // in that state
	struct refusals refusals;                      // those HELD
	size_t jobs;                                   // transactions of which a pool has the job
	size_t body_bytes;                             // held by all transactions
	double next_deadline_s;                        // of those pending; INFINITY = none
	struct arena *spare_arenas[SPARE_ARENAS];      // empty, for the next transactions
	size_t spare_arena_count;
	struct doorkeeper *doorkeeper;               // of the cache
	struct client_share *shares[EXECUTOR_COUNT]; // of the pools' queues among clients
	struct service_times *service_times;         // by route

	pthread_mutex_t mutex;          // guards what follows
	SLIST_HEAD(, transaction) done; // back from the pools
};

/* Hands a transaction whose job is done to the loop. Any thread. */
void http_finish_job(struct transaction *transaction);
