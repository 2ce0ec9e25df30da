// Fits: their owners, their waiters, and the cancellation of fits that nobody wants any more.
// The work is a stand-in here that takes as long as the test wants.
#include "work/fits.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "json_value.h"
#include "request_internal.h"
#include "store_fixture.h"

#include "check.h"

static const char *const assets[] = {
	"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"a\"}]}",
	"{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"name\":\"b\"}]}"};

/* Seconds that something may take that takes no time, on a busy machine. */
#define PATIENCE_S 20.0

/* The stand-in. */
static struct {
	atomic_int begun, ended; // calls
	atomic_bool open;        // calls come back; else they wait for that, or for the stop
	atomic_bool fails;
	atomic_bool ready; // what look says
	_Atomic float share;
} maker;

static void sleep_a_little(void) {
	const struct timespec moment = {.tv_nsec = 1000000};
	nanosleep(&moment, NULL);
}

static bool make(const struct data_job *job, struct data_report *out, struct error *err) {
	assert_non_null(job->subject.rig);
	maker.begun++;
	bool ok = true;
	while (ok && !maker.open) {
		sleep_a_little();
		ok = stop_check(job->subject.stop, err);
	}
	ok = ok && (!maker.fails || error_set(err, ERROR_MISSING_DATA, "no triangles"));
	*out = (struct data_report){.ready = ok, .share = 1, .flags = 3, .fallback_vertices = 7};
	maker.ended++;
	return ok;
}

static bool look(
	const struct data_job *job, bool from_shelf, struct data_report *out, struct error *err) {
	(void)from_shelf;
	(void)err;
	assert_non_null(job->subject.rig);
	*out = (struct data_report){.ready = maker.ready, .share = maker.share};
	return true;
}

/* --- Fixture --- */

struct bench {
	struct fixture *fixture;
	struct thread_pool *pool;
	struct fits *fits;
	struct store_hold hold;
};

static void put(struct bench *bench, int which) {
	const struct store_asset asset = {.name = "rig",
		.bytes = assets[which],
		.size = strlen(assets[which]),
		.file = -1,
		.mode = PUT_REPLACE};
	struct rig_summary rig;
	bool created;
	struct fixture *fixture = bench->fixture;
	assert_true(store_put(fixture->store, &asset, fixture->arena, &rig, &created, NULL));
	store_release(&bench->hold);
	assert_true(
		store_hold(fixture->store, "rig", HOLD_RIG, fixture->arena, &bench->hold, NULL));
	assert_non_null(store_load(fixture->store, &bench->hold, NULL));
}

static int set_up(void **state) {
	struct bench *bench = calloc(1, sizeof *bench);
	bench->hold.source = -1;
	store_set_up((void **)&bench->fixture);
	const struct thread_pool_options pool = {.name = "fit", .threads = 1};
	bench->pool = thread_pool_create(&pool, NULL);
	const struct fits_options options = {.pool = bench->pool, .make = make, .look = look};
	bench->fits = fits_create(&options);
	memset(&maker, 0, sizeof maker);
	put(bench, 0);
	*state = bench;
	return 0;
}

static int tear_down(void **state) {
	struct bench *bench = *state;
	fits_stop(bench->fits);
	assert_true(thread_pool_destroy(bench->pool));
	fits_destroy(bench->fits);
	store_release(&bench->hold);
	store_tear_down((void **)&bench->fixture);
	free(bench);
	return 0;
}

/* "{'normals':'exact'}" and the like: lbs with such normals takes data. */
static struct fit_params params(struct bench *bench, const char *skinning) {
	struct fit_params out = {
		.hold = &bench->hold, .skinning = json_value(bench->fixture->arena, skinning)};
	assert_true(request_read_skinning(out.skinning, &out.settings, NULL));
	assert_true(renderer_read_needs(&out.settings, &out.needs, NULL));
	assert_true(out.needs.data);
	return out;
}

static struct fit_description begin(struct bench *bench, const char *skinning) {
	const struct fit_params requested = params(bench, skinning);
	struct fit_description fit;
	struct error err = {0};
	if (!fits_begin(bench->fits, &requested, bench->fixture->arena, &fit, &err)) {
		fail_msg("%s", err.text);
	}
	return fit;
}

static bool find(struct bench *bench, const char *id, struct fit_description *out) {
	struct error err = {0};
	const bool found =
		fits_find(bench->fits, &bench->hold, id, bench->fixture->arena, out, &err);
	assert_int_equal(found ? ERROR_NONE : ERROR_UNKNOWN_FIT, err.code);
	return found;
}

static enum task_state state_of(struct bench *bench, const char *id) {
	struct fit_description fit;
	assert_true(find(bench, id, &fit));
	return fit.state;
}

/* Waits until a fit is in this state; fails the test when it never is. Returns seconds. */
static double await(struct bench *bench, const char *id, enum task_state state) {
	const double start_s = clock_now_s();
	while (state_of(bench, id) != state) {
		assert_true(clock_now_s() - start_s < PATIENCE_S);
		sleep_a_little();
	}
	return clock_now_s() - start_s;
}

static size_t count(struct bench *bench) {
	size_t fits;
	fits_list(bench->fits, &bench->hold, bench->fixture->arena, &fits);
	return fits;
}

#define EXACT "{'normals':'exact'}"
#define RECOMPUTE "{'normals':'recompute'}"

/* --- Cases --- */

static void goes_from_waiting_to_done(void **state) {
	struct bench *bench = *state;
	const struct fit_description first = begin(bench, EXACT), second = begin(bench, RECOMPUTE);
	assert_string_not_equal(first.id, second.id);
	assert_string_equal(first.method, "lbs");
	await(bench, first.id, TASK_RUNNING);
	assert_int_equal(state_of(bench, second.id), TASK_WAITING);
	maker.share = 0.25f;
	struct fit_description fit;
	find(bench, first.id, &fit);
	assert_near(fit.progress, 0.25, 0);
	find(bench, second.id, &fit);
	assert_near(fit.progress, 0, 0);
	maker.open = true;
	await(bench, second.id, TASK_DONE);
	find(bench, first.id, &fit);
	assert_int_equal(fit.state, TASK_DONE);
	assert_near(fit.progress, 1, 0);
	assert_int_equal(fit.fallback_vertices, 7);
	assert_string_equal(fit.flags[0], skin_flag_name(0));
	assert_string_equal(fit.flags[1], skin_flag_name(1));
	assert_null(fit.flags[2]);
	assert_int_equal(count(bench), 2);
}

static void the_same_is_made_once(void **state) {
	struct bench *bench = *state;
	const struct fit_description fit = begin(bench, EXACT);
	assert_string_equal(begin(bench, "{'normals':'exact','device':'cpu'}").id, fit.id);
	assert_string_equal(begin(bench, "{'method':'lbs','normals':'exact'}").id, fit.id);
	maker.open = true;
	await(bench, fit.id, TASK_DONE);
	assert_int_equal(begin(bench, EXACT).state, TASK_DONE);
	assert_int_equal(maker.begun, 1);
	assert_int_equal(count(bench), 1);
}

static void what_is_there_is_done_at_once(void **state) {
	struct bench *bench = *state;
	maker.ready = true;
	const struct fit_description fit = begin(bench, EXACT);
	assert_int_equal(fit.state, TASK_DONE);
	assert_near(fit.progress, 1, 0);
	assert_int_equal(maker.begun, 0);
}

static void one_that_failed_says_why_and_begins_again(void **state) {
	struct bench *bench = *state;
	maker.open = maker.fails = true;
	const struct fit_description fit = begin(bench, EXACT);
	await(bench, fit.id, TASK_FAILED);
	struct fit_description after;
	find(bench, fit.id, &after);
	assert_int_equal(after.error.code, ERROR_MISSING_DATA);
	assert_string_equal(after.error.text, "no triangles");
	maker.fails = false;
	begin(bench, EXACT);
	await(bench, fit.id, TASK_DONE);
	assert_int_equal(maker.begun, 2);
}

static void cancelled_ones_stop_soon_or_never_begin(void **state) {
	struct bench *bench = *state;
	const struct fit_description first = begin(bench, EXACT), second = begin(bench, RECOMPUTE);
	await(bench, first.id, TASK_RUNNING);
	assert_true(fits_cancel(bench->fits, &bench->hold, second.id, NULL));
	assert_int_equal(state_of(bench, second.id), TASK_CANCELLED);
	assert_true(fits_cancel(bench->fits, &bench->hold, first.id, NULL));
	await(bench, first.id, TASK_CANCELLED);
	assert_int_equal(maker.begun, 1);
	// Ended, they are forgotten; and then unknown.
	assert_true(fits_cancel(bench->fits, &bench->hold, first.id, NULL));
	struct error err = {0};
	assert_false(fits_cancel(bench->fits, &bench->hold, first.id, &err));
	assert_int_equal(err.code, ERROR_UNKNOWN_FIT);
	assert_int_equal(count(bench), 1);
	maker.open = true;
	begin(bench, RECOMPUTE);
	await(bench, second.id, TASK_DONE);
}

static void wait_for(atomic_int *counter, int value) {
	const double start_s = clock_now_s();
	while (*counter < value) {
		assert_true(clock_now_s() - start_s < PATIENCE_S);
		sleep_a_little();
	}
}

static void fits_of_another_content_are_called_off(void **state) {
	struct bench *bench = *state;
	const struct fit_description fit = begin(bench, EXACT);
	await(bench, fit.id, TASK_RUNNING);
	put(bench, 1);
	fits_follow(bench->fits, bench->fixture->store, "rig");
	wait_for(&maker.ended, 1);
	assert_int_equal(count(bench), 0);
	struct fit_description other;
	assert_false(find(bench, fit.id, &other));
	const struct fit_description fresh = begin(bench, EXACT);
	assert_string_not_equal(fresh.id, fit.id);
	await(bench, fresh.id, TASK_RUNNING);
	assert_true(store_delete(bench->fixture->store, "rig", NULL));
	fits_follow(bench->fits, bench->fixture->store, "rig");
	wait_for(&maker.ended, 2);
	assert_int_equal(count(bench), 0);
}

static void no_more_are_taken_than_may_wait(void **state) {
	struct bench *bench = *state;
	struct error err = {0};
	char skinning[80];
	bool begun = true;
	int taken = 0;
	while (begun && taken < 1000) {
		struct fixture *fixture = bench->fixture;
		snprintf(skinning, sizeof skinning, "rig%d", taken);
		const struct store_asset asset = {.name = skinning,
			.bytes = assets[0],
			.size = strlen(assets[0]),
			.file = -1,
			.mode = PUT_REPLACE};
		struct rig_summary rig;
		bool created;
		store_put(fixture->store, &asset, fixture->arena, &rig, &created, NULL);
		store_release(&bench->hold);
		store_hold(fixture->store, skinning, HOLD_RIG, fixture->arena, &bench->hold, NULL);
		const struct fit_params requested = params(bench, EXACT);
		struct fit_description fit;
		begun = fits_begin(bench->fits, &requested, fixture->arena, &fit, &err);
		taken += begun;
		if (taken == 1 && begun) {
			await(bench, fit.id, TASK_RUNNING);
		}
	}
	assert_int_equal(err.code, ERROR_OVERLOADED);
	assert_int_equal(taken, 65); // one that runs, and 64 that wait
}

/* --- Those who wait --- */

struct waiter {
	struct bench *bench;
	struct fit_params params;
	pthread_t thread;
	struct stop stop;
	bool made;
	struct error err;
	atomic_bool back;
};

static void *wait_in_thread(void *argument) {
	struct waiter *waiter = argument;
	waiter->made = fits_make(waiter->bench->fits, &waiter->params, &waiter->stop, &waiter->err);
	waiter->back = true;
	return NULL;
}

static void start(struct waiter *waiter, struct bench *bench) {
	*waiter = (struct waiter){.bench = bench, .params = params(bench, EXACT)};
	assert_int_equal(pthread_create(&waiter->thread, NULL, wait_in_thread, waiter), 0);
}

static void whoever_needs_it_makes_it_or_waits(void **state) {
	struct bench *bench = *state;
	struct waiter first, second;
	start(&first, bench); // whose thread makes it
	wait_for(&maker.begun, 1);
	start(&second, bench);
	const struct fit_description fit = begin(bench, EXACT); // watches it
	assert_int_equal(fit.state, TASK_RUNNING);
	assert_false(first.back || second.back);
	maker.open = true;
	pthread_join(first.thread, NULL);
	pthread_join(second.thread, NULL);
	assert_true(first.made && second.made);
	assert_int_equal(maker.begun, 1);
	assert_int_equal(state_of(bench, fit.id), TASK_DONE);
}

/* The pool has one thread, which is at something long. */
static void whoever_needs_it_does_not_wait_in_the_queue(void **state) {
	struct bench *bench = *state;
	const struct fit_description other = begin(bench, RECOMPUTE);
	await(bench, other.id, TASK_RUNNING);
	const struct fit_description fit = begin(bench, EXACT);
	assert_int_equal(fit.state, TASK_WAITING);
	struct waiter waiter;
	start(&waiter, bench);
	wait_for(&maker.begun, 2);
	assert_int_equal(state_of(bench, fit.id), TASK_RUNNING);
	maker.open = true;
	pthread_join(waiter.thread, NULL);
	assert_true(waiter.made);
	await(bench, other.id, TASK_DONE);
	assert_int_equal(maker.begun, 2);
}

static void whoever_gives_up_leaves_the_fit_to_go_on(void **state) {
	struct bench *bench = *state;
	const struct fit_description fit = begin(bench, EXACT);
	await(bench, fit.id, TASK_RUNNING);
	struct waiter waiter;
	start(&waiter, bench);
	atomic_store(&waiter.stop.left, true);
	pthread_join(waiter.thread, NULL);
	assert_int_equal(waiter.err.code, ERROR_CLIENT_LEFT);
	assert_int_equal(state_of(bench, fit.id), TASK_RUNNING);
	maker.open = true;
	await(bench, fit.id, TASK_DONE);
}

static void whoever_waits_is_told_of_failure_and_of_the_end(void **state) {
	struct bench *bench = *state;
	struct waiter waiter;
	start(&waiter, bench);
	wait_for(&maker.begun, 1);
	const struct fit_description fit = begin(bench, EXACT);
	assert_true(fits_cancel(bench->fits, &bench->hold, fit.id, NULL));
	pthread_join(waiter.thread, NULL);
	assert_false(waiter.made);
	assert_int_equal(waiter.err.code, ERROR_CONFLICT);
	maker.open = maker.fails = true;
	start(&waiter, bench);
	pthread_join(waiter.thread, NULL);
	assert_int_equal(waiter.err.code, ERROR_MISSING_DATA);
}

static void stopping_ends_all(void **state) {
	struct bench *bench = *state;
	const struct fit_description first = begin(bench, EXACT), second = begin(bench, RECOMPUTE);
	await(bench, first.id, TASK_RUNNING);
	fits_stop(bench->fits);
	await(bench, first.id, TASK_CANCELLED);
	assert_int_equal(state_of(bench, second.id), TASK_CANCELLED);
	const struct fit_params requested = params(bench, EXACT);
	struct fit_description fit;
	struct error err = {0};
	assert_false(fits_begin(bench->fits, &requested, bench->fixture->arena, &fit, &err));
	assert_int_equal(err.code, ERROR_SHUTTING_DOWN);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		CASE(goes_from_waiting_to_done),
		CASE(the_same_is_made_once),
		CASE(what_is_there_is_done_at_once),
		CASE(one_that_failed_says_why_and_begins_again),
		CASE(cancelled_ones_stop_soon_or_never_begin),
		CASE(fits_of_another_content_are_called_off),
		CASE(no_more_are_taken_than_may_wait),
		CASE(whoever_needs_it_makes_it_or_waits),
		CASE(whoever_needs_it_does_not_wait_in_the_queue),
		CASE(whoever_gives_up_leaves_the_fit_to_go_on),
		CASE(whoever_waits_is_told_of_failure_and_of_the_end),
		CASE(stopping_ends_all),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
