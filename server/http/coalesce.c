// Work under way that equal requests wait for, found by the tag of its answer.
#include "http/coalesce.h"

#include "cache/cache_key.h"
#include "http/http_loop.h"

static struct transaction **slot_of(struct http *http, const struct cache_key *key) {
	return &http->flights[key->words[0] % FLIGHT_SLOTS];
}

static struct transaction *find(struct http *http, const char *tag) {
	const struct cache_key key = cache_key_of(tag);
	struct transaction *leader = *slot_of(http, &key);
	while (leader) {
		if (cache_key_equal(&key, &leader->flight_key)) {
			return leader;
		}
		leader = leader->next_flight;
	}
	return NULL;
}

bool coalesce_join(struct transaction *transaction) {
	struct transaction *leader = find(transaction->http, transaction->context.etag);
	if (!leader) {
		return false;
	}
	transaction->leader = leader;
	transaction->next_follower = leader->followers;
	leader->followers = transaction;
	stop_extend(&leader->context.stop, transaction->deadline_s);
	return true;
}

void coalesce_begin(struct transaction *transaction) {
	const struct cache_key key = cache_key_of(transaction->context.etag);
	struct transaction **slot = slot_of(transaction->http, &key);
	transaction->in_flight = true;
	transaction->flight_key = key;
	transaction->next_flight = *slot;
	*slot = transaction;
}

void coalesce_end(struct transaction *transaction) {
	if (!transaction->in_flight) {
		return;
	}
	struct transaction **place = slot_of(transaction->http, &transaction->flight_key);
	while (*place != transaction) {
		place = &(*place)->next_flight;
	}
	*place = transaction->next_flight;
	transaction->in_flight = false;
}

void coalesce_leave(struct transaction *transaction) {
	struct transaction *leader = transaction->leader;
	struct transaction **place = &leader->followers;
	while (*place != transaction) {
		place = &(*place)->next_follower;
	}
	*place = transaction->next_follower;
	transaction->leader = NULL;
	if (!leader->followers && (leader->late || !leader->connection)) {
		atomic_store(&leader->context.stop.left, true);
	}
}
