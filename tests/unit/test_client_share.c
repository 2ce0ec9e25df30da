// Fair admission to the queue: the rules one by one, then simulated clients, queue and threads.
#include "work/client_share.h"

#include <float.h>
#include <stdbool.h>
#include <stdlib.h>

#include "check.h"

static struct client_share *make(size_t burst, size_t standing) {
	const struct client_share_options options = {.burst = burst, .standing = standing};
	return client_share_create(&options);
}

/* Enters as often as the rules allow; the count, and why it ended. */
static size_t fill(struct client_share *share, uint64_t client, double now_s, enum refusal *why) {
	size_t count = 0;
	while (client_share_enter(share, client, now_s, why)) {
		count++;
	}
	return count;
}

static void leave(struct client_share *share, uint64_t client, size_t count) {
	for (size_t i = 0; i < count; i++) {
		client_share_leave(share, client);
	}
}

static void refuses_a_lone_client_only_when_full(void **state) {
	(void)state;
	struct client_share *share = make(64, 8);
	enum refusal why = REFUSAL_COUNT;
	assert_int_equal(fill(share, 7, 0, &why), 64);
	assert_int_equal(why, REFUSAL_FULL);
	client_share_leave(share, 7);
	assert_int_equal(fill(share, 7, 0, &why), 1);
	leave(share, 7, 64);
	assert_int_equal(client_share_taken(share), 0);
	// Long after, the queue having been empty: a burst again.
	assert_int_equal(fill(share, 7, 50, &why), 64);
	client_share_destroy(share);
	client_share_destroy(NULL);
}

static void refuses_more_than_a_share_while_others_are_there(void **state) {
	(void)state;
	struct client_share *share = make(12, 0);
	enum refusal why = REFUSAL_COUNT;
	assert_true(client_share_enter(share, 1, 0, &why));
	assert_true(client_share_enter(share, 2, 0, &why));
	assert_int_equal(fill(share, 1, 0, &why), 12 / 2 - 1);
	assert_int_equal(why, REFUSAL_OVER_SHARE);
	assert_int_equal(fill(share, 3, 0, &why), 12 / 3);
	assert_int_equal(why, REFUSAL_OVER_SHARE);
	assert_int_equal(fill(share, 2, 0, &why), 1);
	assert_int_equal(why, REFUSAL_FULL);
	client_share_destroy(share);
}

static void who_has_no_place_gets_one_in_a_full_queue(void **state) {
	(void)state;
	struct client_share *share = make(64, 0);
	enum refusal why = REFUSAL_COUNT;
	client_share_set_limits(share, 8, 8);
	assert_int_equal(fill(share, 1, 0, &why), 8);
	assert_int_equal(why, REFUSAL_FULL);
	// One each, and no more than as many again.
	for (uint64_t client = 2; client < 12; client++) {
		const bool in = client < 10;
		assert_int_equal(client_share_enter(share, client, 0, &why), in);
		assert_false(client_share_enter(share, client, 0, &why));
		assert_int_equal(why, REFUSAL_FULL);
	}
	assert_int_equal(client_share_taken(share), 16);
	// The limits are clamped to the queue's size.
	client_share_set_limits(share, 1000, 2000);
	assert_int_equal(fill(share, 20, 0, &why), 64 / 12);
	client_share_set_limits(share, 0, 0);
	assert_false(client_share_enter(share, 21, 0, &why));
	client_share_destroy(share);
}

static void a_share_is_at_least_one_place(void **state) {
	(void)state;
	struct client_share *share = make(4, 0);
	enum refusal why = REFUSAL_COUNT;
	for (uint64_t client = 0; client < 10; client++) {
		assert_int_equal(client_share_enter(share, client, 0, &why), client < 4);
	}
	assert_int_equal(why, REFUSAL_FULL);
	leave(share, 2, 1);
	assert_false(client_share_enter(share, 3, 0, &why));
	assert_int_equal(why, REFUSAL_OVER_SHARE);
	assert_true(client_share_enter(share, 9, 0, &why));
	client_share_destroy(share);
}

static void a_client_is_forgotten_after_ten_seconds(void **state) {
	(void)state;
	struct client_share *share = make(8, 0);
	enum refusal why = REFUSAL_COUNT;
	assert_true(client_share_enter(share, 1, 100, &why));
	client_share_leave(share, 1);
	assert_int_equal(fill(share, 2, 109.9, &why), 4);
	assert_int_equal(why, REFUSAL_OVER_SHARE);
	assert_int_equal(fill(share, 2, 110.1, &why), 4);
	assert_int_equal(why, REFUSAL_FULL);
	// Those whose requests still wait stay, however long that takes.
	leave(share, 2, 7);
	assert_int_equal(fill(share, 3, 200, &why), 4);
	assert_int_equal(why, REFUSAL_OVER_SHARE);
	client_share_destroy(share);
}

static void a_queue_that_never_empties_gets_short(void **state) {
	(void)state;
	struct client_share *share = make(10, 3);
	enum refusal why = REFUSAL_COUNT;
	assert_true(client_share_enter(share, 1, 5, &why));
	assert_true(client_share_enter(share, 1, 5.09, &why));
	assert_true(client_share_enter(share, 1, 5.11, &why));
	assert_false(client_share_enter(share, 1, 5.11, &why));
	assert_int_equal(why, REFUSAL_FULL);
	// Shorter is not empty.
	leave(share, 1, 2);
	assert_int_equal(fill(share, 1, 5.12, &why), 2);
	// The shares are of the short queue then.
	leave(share, 1, 2);
	assert_false(client_share_enter(share, 2, 5.13, &why) &&
		client_share_enter(share, 2, 5.13, &why));
	assert_int_equal(why, REFUSAL_OVER_SHARE);
	leave(share, 1, 1);
	leave(share, 2, 1);
	assert_int_equal(fill(share, 1, 5.14, &why), 5);
	client_share_destroy(share);
}

/* A clock that does not move: nobody is forgotten and no queue gets short, the rest holds. */
static void holds_while_the_clock_stands_still(void **state) {
	(void)state;
	struct client_share *share = make(20, 2);
	enum refusal why = REFUSAL_COUNT;
	for (int round = 0; round < 1000; round++) {
		assert_int_equal(fill(share, 1, 3, &why), round == 0 ? 20 : 10);
		assert_int_equal(why, round == 0 ? REFUSAL_FULL : REFUSAL_OVER_SHARE);
		leave(share, 1, round == 0 ? 20 : 10);
		assert_int_equal(fill(share, 2, 3, &why), 10);
		leave(share, 2, 10);
	}
	// Nor does one that jumps back do harm.
	assert_int_equal(fill(share, 1, -1e9, &why), 10);
	client_share_destroy(share);
}

static void a_million_addresses_do_not_push_out_who_waits(void **state) {
	(void)state;
	struct client_share *share = make(64, 0);
	enum refusal why = REFUSAL_COUNT;
	assert_int_equal(fill(share, 12345, 0, &why), 64);
	leave(share, 12345, 4);
	for (uint64_t i = 0; i < 1000000; i++) {
		const uint64_t client = i << 32 | 1;
		assert_true(client_share_enter(share, client, 1e-6 * (double)i, &why));
		client_share_leave(share, client);
	}
	assert_int_equal(client_share_taken(share), 60);
	leave(share, 12345, 60);
	assert_int_equal(client_share_taken(share), 0);
	client_share_destroy(share);
}

/* More places than clients are remembered by default. */
static void a_long_queue_remembers_all_who_wait(void **state) {
	(void)state;
	struct client_share *share = make(10000, 0);
	enum refusal why = REFUSAL_COUNT;
	for (uint64_t client = 0; client < 10000; client++) {
		assert_true(client_share_enter(share, client, 0, &why));
	}
	assert_false(client_share_enter(share, 10000, 0, &why));
	assert_int_equal(why, REFUSAL_FULL);
	for (uint64_t client = 0; client < 10000; client++) {
		client_share_leave(share, client);
	}
	client_share_destroy(share);
}

#define CLIENTS_MOST 100
#define THREADS 2
#define SERVICE_S 0.010
#define BURST 64
#define STANDING 16

/* One queue, THREADS that each take SERVICE_S for a request, and a clock. */
struct simulation {
	struct client_share *share;
	struct {
		uint64_t client;
		double came_s;
	} queue[BURST];
	size_t first, waiting;
	double free_s[THREADS];         // when each thread is free again
	double worst_s, busy_s, last_s; // greatest wait, thread time used, when the last one began
	int accepted[CLIENTS_MOST], refused[CLIENTS_MOST];
	unsigned seed;
};

static double uniform(unsigned *seed) {
	*seed = *seed * 1664525u + 1013904223u;
	return (double)(*seed >> 8) / (1 << 24);
}

/* Lets the threads begin all that they can until now. */
static void work(struct simulation *sim, double now_s) {
	while (sim->waiting > 0) {
		double *free_s = &sim->free_s[sim->free_s[1] < sim->free_s[0]];
		const double came_s = sim->queue[sim->first].came_s;
		const double begin_s = *free_s > came_s ? *free_s : came_s;
		if (begin_s > now_s) {
			return;
		}
		client_share_leave(sim->share, sim->queue[sim->first].client);
		sim->first = (sim->first + 1) % BURST;
		sim->waiting--;
		sim->worst_s = fmax(sim->worst_s, begin_s - came_s);
		sim->busy_s += SERVICE_S;
		sim->last_s = begin_s;
		*free_s = begin_s + SERVICE_S;
	}
}

static void arrive(struct simulation *sim, uint64_t client, double now_s) {
	enum refusal why;
	work(sim, now_s);
	if (!client_share_enter(sim->share, client, now_s, &why)) {
		sim->refused[client]++;
		return;
	}
	const size_t last = (sim->first + sim->waiting++) % BURST;
	sim->queue[last].client = client;
	sim->queue[last].came_s = now_s;
	sim->accepted[client]++;
	work(sim, now_s);
}

/* Counts from here on. */
static void count_anew(struct simulation *sim) {
	sim->worst_s = sim->busy_s = 0;
	for (int i = 0; i < CLIENTS_MOST; i++) {
		sim->accepted[i] = sim->refused[i] = 0;
	}
}

/* Clients that send at random moments (a Poisson process), each with its own rate per second. */
static void run(
	struct simulation *sim, const double *rates, int clients, double from_s, double to_s) {
	double next_s[CLIENTS_MOST];
	for (int i = 0; i < clients; i++) {
		next_s[i] = from_s - log(1 - uniform(&sim->seed)) / rates[i];
	}
	for (;;) {
		int first = 0;
		for (int i = 1; i < clients; i++) {
			first = next_s[i] < next_s[first] ? i : first;
		}
		if (next_s[first] > to_s) {
			return;
		}
		arrive(sim, (uint64_t)first, next_s[first]);
		next_s[first] -= log(1 - uniform(&sim->seed)) / rates[first];
	}
}

static const double capacity = THREADS / SERVICE_S; // requests a second

static struct simulation simulate(size_t standing) {
	return (struct simulation){.share = make(BURST, standing), .seed = 1};
}

/* Overload by one client alone: once the first burst is worked off, what is let in waits no longer
 * than a standing queue takes, and the threads have as much to do as with the long queue. */
static void lasting_overload_waits_briefly_and_keeps_the_threads_busy(void **state) {
	(void)state;
	static const double load[] = {1.1, 1.5, 3, 20};
	for (size_t i = 0; i < sizeof load / sizeof *load; i++) {
		const double rate = load[i] * capacity;
		struct simulation sim = simulate(STANDING);
		run(&sim, &rate, 1, 0, 5);
		assert_true(sim.worst_s <= BURST / capacity + DBL_EPSILON);
		count_anew(&sim);
		run(&sim, &rate, 1, 5, 25);
		assert_true(sim.worst_s <= STANDING / capacity + 1e-9);
		assert_true(sim.busy_s > 0.98 * THREADS * 20);
		assert_true(sim.refused[0] > 0);
		// The same with a long queue only: the threads do no more, and all wait four times.
		struct simulation other = simulate(0);
		run(&other, &rate, 1, 0, 5);
		count_anew(&other);
		run(&other, &rate, 1, 5, 25);
		assert_true(other.busy_s < 1.02 * sim.busy_s);
		assert_true(other.worst_s > 2 * sim.worst_s);
		client_share_destroy(other.share);
		client_share_destroy(sim.share);
	}
}

static void a_burst_is_taken_whole_again_after_overload(void **state) {
	(void)state;
	const double rate = 3 * capacity;
	struct simulation sim = simulate(STANDING);
	run(&sim, &rate, 1, 0, 5);
	work(&sim, 6);
	count_anew(&sim);
	for (int i = 0; i < BURST; i++) {
		arrive(&sim, 0, 6);
	}
	assert_int_equal(sim.accepted[0], BURST);
	work(&sim, 7);
	assert_near(sim.last_s, 6 + BURST / capacity - SERVICE_S, 1e-9);
	client_share_destroy(sim.share);
}

/* Requests that do not fill the threads are never refused, not even at random times. */
static void modest_load_is_never_refused(void **state) {
	(void)state;
	const double rate = 0.7 * capacity;
	struct simulation sim = simulate(STANDING);
	run(&sim, &rate, 1, 0, 200);
	assert_int_equal(sim.refused[0], 0);
	client_share_destroy(sim.share);
}

static void a_polite_client_does_not_feel_a_greedy_one(void **state) {
	(void)state;
	const double rates[] = {10 * capacity, 0.1 * capacity};
	struct simulation sim = simulate(STANDING);
	run(&sim, rates, 2, 0, 1);
	count_anew(&sim);
	run(&sim, rates, 2, 1, 61);
	assert_true(sim.accepted[1] > 0.9 * 0.1 * capacity * 60);
	assert_int_equal(sim.refused[1], 0);
	assert_true(sim.refused[0] > 8 * capacity * 60);
	assert_true(sim.busy_s > 0.98 * THREADS * 60);
	client_share_destroy(sim.share);
}

static void a_hundred_equal_clients_get_about_the_same(void **state) {
	(void)state;
	double rates[CLIENTS_MOST];
	for (int i = 0; i < CLIENTS_MOST; i++) {
		rates[i] = 2 * capacity / CLIENTS_MOST;
	}
	// One of them wants fifty times as much.
	rates[0] *= 50;
	struct simulation sim = simulate(STANDING);
	run(&sim, rates, CLIENTS_MOST, 0, 300);
	int least = sim.accepted[1], most = sim.accepted[1];
	for (int i = 2; i < CLIENTS_MOST; i++) {
		least = sim.accepted[i] < least ? sim.accepted[i] : least;
		most = sim.accepted[i] > most ? sim.accepted[i] : most;
	}
	assert_true(least > most / 2);
	assert_true(sim.busy_s > 0.98 * THREADS * 300);
	// It never holds more than one of the places: so it is served at most once per wait.
	assert_true(sim.accepted[0] <= 300 / ((STANDING - 1) / capacity - SERVICE_S));
	client_share_destroy(sim.share);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_a_lone_client_only_when_full),
		cmocka_unit_test(refuses_more_than_a_share_while_others_are_there),
		cmocka_unit_test(who_has_no_place_gets_one_in_a_full_queue),
		cmocka_unit_test(a_share_is_at_least_one_place),
		cmocka_unit_test(a_client_is_forgotten_after_ten_seconds),
		cmocka_unit_test(a_queue_that_never_empties_gets_short),
		cmocka_unit_test(holds_while_the_clock_stands_still),
		cmocka_unit_test(a_million_addresses_do_not_push_out_who_waits),
		cmocka_unit_test(a_long_queue_remembers_all_who_wait),
		cmocka_unit_test(lasting_overload_waits_briefly_and_keeps_the_threads_busy),
		cmocka_unit_test(a_burst_is_taken_whole_again_after_overload),
		cmocka_unit_test(modest_load_is_never_refused),
		cmocka_unit_test(a_polite_client_does_not_feel_a_greedy_one),
		cmocka_unit_test(a_hundred_equal_clients_get_about_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
