/* The rate at which requests are refused for want of room. A client that comes again at once gets
 * nothing but the next refusal, and thousands of them would take the loop's time from those who are
 * served: so only so many are sent in a second, and the others wait for their turn, which takes
 * nothing. The loop's thread only. */
#pragma once

#include <stdbool.h>

#include "http/transaction.h"

struct refusals {
	struct transaction_queue held; // in that state, the oldest first
	double sent;                   // of those that may be sent at once
	double since_s;                // when that was
};

void refusals_begin(struct refusals *refusals);

/* Counts a refusal as sent, or returns true when it has to wait for its turn. */
bool refusals_must_wait(struct http *http);

/* A transaction enters and leaves the state HELD. */
void refusal_enter(struct transaction *transaction);
void refusal_leave(struct transaction *transaction);

/* Sends the refusals whose turn it is. */
void refusals_release(struct http *http);

/* When the next may be sent, on clock_now_s(); INFINITY = none waits. */
double refusals_next_s(const struct http *http);
