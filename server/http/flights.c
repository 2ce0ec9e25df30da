// Work under way that equal requests wait for, found by the tag of its answer.
#include "http/flights.h"

#include "cache/cache_key.h"
#include "http/http_loop.h"

static struct exchange **slot_of(struct http *http, const struct cache_key *key) {
	return &http->flights[key->words[0] % FLIGHT_SLOTS];
}

static struct exchange *find(struct http *http, const char *tag) {
	const struct cache_key key = cache_key_of(tag);
	struct exchange *leader = *slot_of(http, &key);
	while (leader) {
		if (cache_key_equal(&key, &leader->flight_key)) {
			return leader;
		}
		leader = leader->next_flight;
	}
	return NULL;
}

bool flight_join(struct exchange *exchange) {
	struct exchange *leader = find(exchange->http, exchange->call.etag);
	if (!leader) {
		return false;
	}
	exchange->leader = leader;
	exchange->next_follower = leader->followers;
	leader->followers = exchange;
	stop_extend(&leader->call.stop, exchange->deadline_s);
	return true;
}

void flight_begin(struct exchange *exchange) {
	const struct cache_key key = cache_key_of(exchange->call.etag);
	struct exchange **slot = slot_of(exchange->http, &key);
	exchange->in_flight = true;
	exchange->flight_key = key;
	exchange->next_flight = *slot;
	*slot = exchange;
}

void flight_end(struct exchange *exchange) {
	if (!exchange->in_flight) {
		return;
	}
	struct exchange **place = slot_of(exchange->http, &exchange->flight_key);
	while (*place != exchange) {
		place = &(*place)->next_flight;
	}
	*place = exchange->next_flight;
	exchange->in_flight = false;
}

void flight_leave(struct exchange *exchange) {
	struct exchange *leader = exchange->leader;
	struct exchange **place = &leader->followers;
	while (*place != exchange) {
		place = &(*place)->next_follower;
	}
	*place = exchange->next_follower;
	exchange->leader = NULL;
	if (!leader->followers && (leader->late || !leader->connection)) {
		atomic_store(&leader->call.stop.left, true);
	}
}
