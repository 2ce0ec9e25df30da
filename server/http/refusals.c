// The pace at which requests are refused for want of room.
#include "http/refusals.h"

#include <math.h>

#include "base/clock.h"
#include "http/http_loop.h"
#include "http/transaction.h"

/* Refusals in a second, and those sent at once after none. At 2,000 a second to clients on the same
 * two cores, a sixth of the pictures went unmade. */
#define RATE 1000.0
#define AT_ONCE 250.0

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

bool refusal_hold(struct transaction *transaction) {
	struct refusals *refusals = &transaction->http->refusals;
	if (!refusals->first && may_send(transaction->http)) {
		refusals->sent++;
		return false;
	}
	transaction->held = true;
	transaction->earlier = refusals->last;
	transaction->later = NULL;
	*(refusals->last ? &refusals->last->later : &refusals->first) = transaction;
	refusals->last = transaction;
	return true;
}

void refusal_leave(struct transaction *transaction) {
	struct refusals *refusals = &transaction->http->refusals;
	if (!transaction->held) {
		return;
	}
	transaction->held = false;
	*(transaction->earlier ? &transaction->earlier->later : &refusals->first) =
		transaction->later;
	*(transaction->later ? &transaction->later->earlier : &refusals->last) =
		transaction->earlier;
	refusals->sent++;
}

struct transaction *refusal_next(struct http *http) {
	return http->refusals.first && may_send(http) ? http->refusals.first : NULL;
}

double refusal_next_s(const struct http *http) {
	const struct refusals *refusals = &http->refusals;
	return refusals->first ? refusals->since_s + fmax(refusals->sent + 1 - AT_ONCE, 0) / RATE
			       : INFINITY;
}
