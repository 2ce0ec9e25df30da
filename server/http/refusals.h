/* The pace at which requests are refused for want of room. A client that comes again at once gets
 * nothing but the next refusal, and thousands of them would take the loop's time from those who are
 * answered: so only so many are sent in a second, and the others wait for their turn, which takes
 * nothing. The loop's thread only. */
#pragma once

#include <stdbool.h>

struct transaction;
struct http;

/* Zero it before use. */
struct refusals {
	struct transaction *first, *last; // held back, by when they came
	double sent;                      // of those that may be sent at once
	double since_s;                   // when that was
};

/* Whether a refusal has to wait; it is held back then. */
bool refusal_hold(struct transaction *transaction);

/* Takes an exchange out of those held back; harmless where it is not there. */
void refusal_leave(struct transaction *transaction);

/* The next one that may be sent now; NULL = none. It is still to leave. */
struct transaction *refusal_next(struct http *http);

/* When there may be another, on clock_now_s(); INFINITY = none waits. */
double refusal_next_s(const struct http *http);
