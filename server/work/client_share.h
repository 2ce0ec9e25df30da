/* The shares of clients in one bounded queue, so that one cannot keep all others out, and so that
 * under lasting overload those who are admitted wait briefly instead of all waiting long.
 *
 * A client is a number, such as a hash of its address or token. Whoever makes it takes care that
 * strangers cannot choose it (a hash with a secret) nor have many of it (the /64 of an IPv6
 * address). Rules, in this order:
 *
 *   full    The queue takes `burst` requests, but only `standing` once it has not been empty for
 *           `patience_s`. A queue that empties now and then evens out bursts, which is what it is
 *           for; one that never does only adds delay. (Only an empty queue ends this: one shorter
 *           than `standing` would, with the first request that leaves, open the door to the next
 *           burst.)
 *           A client that has no slot in a full queue gets one all the same, up to twice as many:
 *           who asks for one thing at a time does not pay for who asks for thousands.
 *   share   With n > 1 clients seen in the last 10 s, one that holds limit / n slots, at least
 *           one, gets no further slot, where the limit is burst or standing, whichever holds.
 *           A lone client may fill it all.
 *
 * Source of the first: B. Maurer. Fail at Scale. ACM Queue 13(8), 2015 (controlled delay, there
 * with time limits instead of lengths), after Nichols, Jacobson. Controlling Queue Delay, 2012.
 *
 * Memory is fixed at creation however many clients there are. One thread only; takes no locks. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "metrics/metrics.h"

struct client_share_options {
	size_t burst;      // slots at most, whatever is set later; at least 1
	size_t standing;   // slots while the queue does not empty; [1, burst]; 0 = burst
	double patience_s; // that the queue may stay without being empty; 0 = 0.1
};

struct client_share;

struct client_share *client_share_create(const struct client_share_options *options);
void client_share_destroy(struct client_share *share); // takes NULL

/* Changes how many slots there are, and how many of them while the queue does not empty: at least
 * one, and as many as the options' burst at most. */
void client_share_set_limits(struct client_share *share, size_t burst, size_t standing);

/* Gives the client a slot; now_s is seconds on a clock that does not jump. False with *why =
 * REFUSAL_FULL or REFUSAL_OVER_SHARE. A client that was refused has been seen all the same. O(1),
 * but for clients whose 10 s are over. */
bool client_share_enter(
	struct client_share *share, uint64_t client, double now_s, enum refusal *why);

/* Takes back a slot that the client was given: its request left the queue, for whatever reason. */
void client_share_leave(struct client_share *share, uint64_t client);

/* Places taken, by all clients together. */
size_t client_share_taken(const struct client_share *share);
