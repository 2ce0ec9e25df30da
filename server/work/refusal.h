/* Why a request was not let in: each its own answer to the client, and its own count in /metrics.
 */
#pragma once

enum refusal {
	REFUSAL_FULL,          // no place in the queue: 503
	REFUSAL_OVER_SHARE,    // this client holds its share of the places: 429
	REFUSAL_DEADLINE,      // its turn came too late: 504
	REFUSAL_SHUTTING_DOWN, // the daemon takes no new work: 503
	REFUSAL_COUNT
};
