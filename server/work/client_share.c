// The shares of clients in one bounded queue.
#include "work/client_share.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/queue.h>

#include "base/memory.h"

/* Seconds for which a client counts after it was last seen. */
#define SEEN_S 10.0

/* The patience when none is given: the interval that "Fail at Scale" found to fit most services. */
#define PATIENCE_S 0.1

/* Clients remembered at least, a power of two; beyond, the one that was seen longest ago goes. */
#define MIN_CLIENTS 4096

struct client {
	uint64_t number;
	size_t slots;                 // in the queue
	double seen_s;                // last
	LIST_ENTRY(client) of_bucket; // or of the unused
	TAILQ_ENTRY(client) by_age;   // the one seen longest ago first
};

LIST_HEAD(clients, client);

struct client_share {
	struct client_share_options options;
	size_t most;    // slots that burst may ever have
	size_t taken;   // slots
	double empty_s; // when the queue was empty last

	struct client *clients; // [most burst + 1, MIN_CLIENTS]
	struct clients unused;
	struct clients *buckets; // [bucket_count], a power of two
	size_t bucket_count;
	TAILQ_HEAD(, client) by_age;
	size_t count; // of clients seen
};

struct client_share *client_share_create(const struct client_share_options *options) {
	struct client_share *share = xcalloc(1, sizeof *share);
	share->options = *options;
	share->options.standing = options->standing ? options->standing : options->burst;
	share->options.patience_s = options->patience_s > 0 ? options->patience_s : PATIENCE_S;
	share->most = options->burst;
	assert(options->burst >= 1 && options->standing <= options->burst);
	share->bucket_count = MIN_CLIENTS;
	// One more than can hold slots, so that there always is one that may be forgotten.
	while (share->bucket_count < options->burst + 1) {
		share->bucket_count *= 2;
	}
	share->clients = xcalloc(share->bucket_count, sizeof *share->clients);
	share->buckets = xcalloc(share->bucket_count, sizeof *share->buckets);
	TAILQ_INIT(&share->by_age);
	for (size_t i = 0; i < share->bucket_count; i++) {
		LIST_INSERT_HEAD(&share->unused, &share->clients[i], of_bucket);
	}
	return share;
}

void client_share_destroy(struct client_share *share) {
	if (share) {
		free(share->buckets);
		free(share->clients);
		free(share);
	}
}

static struct clients *bucket_of(const struct client_share *share, uint64_t number) {
	// Fibonacci hashing: numbers that differ only in their upper bits are apart, too.
	const uint64_t mixed = number * 0x9e3779b97f4a7c15u;
	return &share->buckets[(mixed >> 32) & (share->bucket_count - 1)];
}

static struct client *find(const struct client_share *share, uint64_t number) {
	struct client *client;
	LIST_FOREACH(client, bucket_of(share, number), of_bucket) {
		if (client->number == number) {
			return client;
		}
	}
	return NULL;
}

static void insert_newest(struct client_share *share, struct client *client, double now_s) {
	client->seen_s = now_s;
	TAILQ_INSERT_TAIL(&share->by_age, client, by_age);
}

static void forget(struct client_share *share, struct client *client) {
	TAILQ_REMOVE(&share->by_age, client, by_age);
	LIST_REMOVE(client, of_bucket);
	LIST_INSERT_HEAD(&share->unused, client, of_bucket);
	share->count--;
}

/* Forgets the oldest client, unless it holds slots: then it is here, and counts as just seen. */
static void forget_oldest(struct client_share *share, double now_s) {
	struct client *oldest = TAILQ_FIRST(&share->by_age);
	if (oldest->slots == 0) {
		forget(share, oldest);
		return;
	}
	TAILQ_REMOVE(&share->by_age, oldest, by_age);
	insert_newest(share, oldest, now_s);
}

static struct client *remember(struct client_share *share, uint64_t number, double now_s) {
	// Ends: fewer clients hold slots than are remembered.
	while (LIST_EMPTY(&share->unused)) {
		forget_oldest(share, now_s);
	}
	struct client *client = LIST_FIRST(&share->unused);
	LIST_REMOVE(client, of_bucket);
	*client = (struct client){.number = number};
	LIST_INSERT_HEAD(bucket_of(share, number), client, of_bucket);
	insert_newest(share, client, now_s);
	share->count++;
	return client;
}

static struct client *see(struct client_share *share, uint64_t number, double now_s) {
	const struct client *oldest;
	while ((oldest = TAILQ_FIRST(&share->by_age)) && now_s - oldest->seen_s > SEEN_S) {
		forget_oldest(share, now_s);
	}
	struct client *client = find(share, number);
	if (!client) {
		return remember(share, number, now_s);
	}
	TAILQ_REMOVE(&share->by_age, client, by_age);
	insert_newest(share, client, now_s);
	return client;
}

static size_t within(size_t least, size_t number, size_t most) {
	return number < least ? least : number > most ? most : number;
}

void client_share_set_limits(struct client_share *share, size_t burst, size_t standing) {
	share->options.burst = within(1, burst, share->most);
	share->options.standing = within(1, standing, share->options.burst);
}

static size_t limit_at(const struct client_share *share, double now_s) {
	const struct client_share_options *options = &share->options;
	const bool stands = now_s - share->empty_s > options->patience_s;
	return stands ? options->standing : options->burst;
}

bool client_share_enter(
	struct client_share *share, uint64_t number, double now_s, enum refusal *why) {
	struct client *client = see(share, number, now_s);
	if (share->taken == 0) {
		share->empty_s = now_s;
	}
	const size_t limit = limit_at(share, now_s);
	const size_t full = client->slots > 0 ? limit : within(1, 2 * limit, share->most);
	if (share->taken >= full) {
		*why = REFUSAL_FULL;
		return false;
	}
	const size_t share_of_each = limit / share->count;
	if (share->count > 1 && client->slots >= (share_of_each ? share_of_each : 1)) {
		*why = REFUSAL_OVER_SHARE;
		return false;
	}
	client->slots++;
	share->taken++;
	return true;
}

void client_share_leave(struct client_share *share, uint64_t number) {
	struct client *client = find(share, number);
	assert(client && client->slots > 0 && share->taken > 0);
	client->slots--;
	share->taken--;
}

size_t client_share_taken(const struct client_share *share) {
	return share->taken;
}
