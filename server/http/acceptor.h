/* New connections. They are taken from the listening socket here and handed to the HTTP library,
 * whose own way stops for good when its limit is reached, or the process is out of descriptors, and
 * all connections end in one turn.
 *
 * When all connections are taken, or an address has its share of them, the one that has been idle
 * for longest ends for each new one. Where none is idle, a few more are taken from a reserve, on
 * which /healthz is answered and all else refused. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct http;

struct acceptor {
	int listening;    // the socket; -1 = closed
	bool watched;     // it is in http->events
	unsigned most;    // connections
	double again_s;   // when to try again after a failure; 0 = now
	bool told;        // the log says that no connections are accepted
	double told_s;    // when it said so last
	double crowded_s; // when it said last that all are taken
	size_t ending;    // connections that were told to end, and have not yet
	size_t spare;     // connections of the reserve
};

/* Connections beyond http->acceptor.most that the library has to take. */
#define ACCEPTOR_RESERVE 64

/* Takes over the listening socket. Raises the limit of descriptors and divides them up: *most is
 * how many connections there can be. False with ERROR_CONFLICT when there are too few. */
bool acceptor_begin(struct acceptor *acceptor, int listening, struct error *err);

/* Accepts what waits; ready: whether something does. Before the loop, and once in each turn of it.
 */
void acceptor_run(struct http *http, bool ready);

/* When acceptor_run() is to be called next, on clock_now_s(); INFINITY = when something waits. */
double acceptor_next_s(const struct acceptor *acceptor);

/* Closes the socket: no more connections are taken. */
void acceptor_end(struct acceptor *acceptor);
