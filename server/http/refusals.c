// The rate at which requests are refused for want of room.
#include "http/refusals.h"

#include <math.h>

#include "base/clock.h"
#include "http/loop.h"

/* Refusals in a second, and those sent at once after none. At 2,000 a second to clients on the same
 * two cores, a sixth of the pictures went unmade. */
#define RATE 1000.0
#define AT_ONCE 250.0

void refusals_begin(struct refusals *refusals) {
	*refusals = (struct refusals){0};
	TAILQ_INIT(&refusals->held);
}

/* Takes account of the time that went by. */
static void settle(struct refusals *refusals, double now_s) {
	refusals->sent = fmax(refusals->sent - (now_s - refusals->since_s) * RATE, 0);
	refusals->since_s = now_s;
}

static bool may_send(struct http *http) {
	struct refusals *refusals = &http->refusals;
	settle(refusals, clock_now_s());
	// Nobody waits while the daemon stops.
	return refusals->sent < AT_ONCE || http->options.service->stopping;
}

bool refusals_must_wait(struct http *http) {
	if (!TAILQ_EMPTY(&http->refusals.held) || !may_send(http)) {
		return true;
	}
	http->refusals.sent++;
	return false;
}

void refusal_enter(struct transaction *transaction) {
	TAILQ_INSERT_TAIL(&transaction->http->refusals.held, transaction, of_queue);
}

void refusal_leave(struct transaction *transaction) {
	struct refusals *refusals = &transaction->http->refusals;
	TAILQ_REMOVE(&refusals->held, transaction, of_queue);
	refusals->sent++;
}

void refusals_release(struct http *http) {
	struct transaction_queue *held = &http->refusals.held;
	while (!TAILQ_EMPTY(held) && may_send(http)) {
		transaction_enter(TAILQ_FIRST(held), TRANSACTION_RESPONDING);
	}
}

double refusals_next_s(const struct http *http) {
	const struct refusals *refusals = &http->refusals;
	return TAILQ_EMPTY(&refusals->held)
		? INFINITY
		: refusals->since_s + fmax(refusals->sent + 1 - AT_ONCE, 0) / RATE;
}
