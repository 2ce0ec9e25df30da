// The queue in front of the render threads.
#include "work/thread_pool.h"

#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

/* A job that waits until it is released, and counts itself. */
struct counted {
	struct job job;
	sem_t *started, *go;
	_Atomic int *done;
	struct renderer *renderer;
};

static bool run(struct job *job, struct renderer *renderer) {
	struct counted *counted = (struct counted *)job;
	counted->renderer = renderer;
	sem_post(counted->started);
	sem_wait(counted->go);
	++*counted->done;
	return true;
}

static void refuses_gpu_where_there_is_none(void **state) {
	(void)state;
	const struct thread_pool_options options = {
		.name = "render", .threads = 1, .draws = true, .renderer = RENDERER_GPU};
	struct error err = {0};
	struct thread_pool *jobs = thread_pool_create(&options, &err);
	if (jobs) {
		thread_pool_destroy(jobs);
		skip();
	}
	assert_int_equal(err.code, ERROR_NO_RENDERER);
}

static void gives_back_what_waits_and_finishes_the_rest_at_the_end(void **state) {
	(void)state;
	const struct thread_pool_options options = {.name = "cpu", .threads = 2};
	struct thread_pool *jobs = thread_pool_create(&options, NULL);
	assert_non_null(jobs);
	sem_t started, go;
	sem_init(&started, 0, 0);
	sem_init(&go, 0, 0);
	_Atomic int done = 0;
	struct counted work[5];
	for (int i = 0; i < 5; i++) {
		work[i] = (struct counted){{.run = run}, &started, &go, &done, NULL};
		thread_pool_submit(jobs, &work[i].job);
		if (i < 2) {
			sem_wait(&started);
		}
	}
	struct thread_pool_state now;
	thread_pool_state(jobs, &now);
	assert_int_equal(now.threads, 2);
	assert_int_equal(now.busy, 2);
	assert_int_equal(now.waiting, 3);
	assert_false(thread_pool_cancel(jobs, &work[0].job));
	assert_true(thread_pool_cancel(jobs, &work[3].job));
	assert_false(thread_pool_cancel(jobs, &work[3].job));
	assert_ptr_not_equal(work[0].renderer, work[1].renderer);
	for (int i = 0; i < 5; i++) {
		sem_post(&go);
	}
	assert_true(thread_pool_destroy(jobs));
	assert_int_equal(done, 4);
}

static void offers_only_what_nobody_has_to_wait_for(void **state) {
	(void)state;
	const struct thread_pool_options options = {.name = "cpu", .threads = 2};
	struct thread_pool *jobs = thread_pool_create(&options, NULL);
	sem_t started, go;
	sem_init(&started, 0, 0);
	sem_init(&go, 0, 0);
	_Atomic int done = 0;
	struct counted work[4];
	for (int i = 0; i < 4; i++) {
		work[i] = (struct counted){{.run = run}, &started, &go, &done, NULL};
	}
	thread_pool_submit(jobs, &work[0].job);
	sem_wait(&started);
	while (!thread_pool_offer(jobs, &work[1].job)) {
		usleep(1000); // the other thread has yet to come to its queue
	}
	assert_false(thread_pool_are_waiting(jobs));
	sem_wait(&started);
	assert_false(thread_pool_offer(jobs, &work[2].job));
	assert_false(thread_pool_are_waiting(jobs));
	thread_pool_submit(jobs, &work[3].job);
	assert_true(thread_pool_are_waiting(jobs));
	assert_false(thread_pool_offer(jobs, &work[2].job));
	assert_true(thread_pool_cancel(jobs, &work[3].job));
	assert_false(thread_pool_are_waiting(jobs));
	sem_post(&go);
	sem_post(&go);
	thread_pool_destroy(jobs);
	assert_int_equal(done, 2);
}

static void leaves_threads_for_other_clients(void **state) {
	(void)state;
	const struct thread_pool_options options = {.name = "import", .threads = 2, .share = 1};
	struct thread_pool *jobs = thread_pool_create(&options, NULL);
	sem_t started, go[4];
	sem_init(&started, 0, 0);
	_Atomic int done = 0;
	struct counted work[4];
	for (int i = 0; i < 4; i++) {
		sem_init(&go[i], 0, 0);
		work[i] = (struct counted){
			{.run = run, .client = i < 3 ? 1 : 2}, &started, &go[i], &done, NULL};
		thread_pool_submit(jobs, &work[i].job);
	}
	// The first client's first, and the other client's past those behind it.
	sem_wait(&started);
	sem_wait(&started);
	assert_false(thread_pool_cancel(jobs, &work[0].job));
	assert_false(thread_pool_cancel(jobs, &work[3].job));
	struct thread_pool_state now;
	thread_pool_state(jobs, &now);
	assert_int_equal(now.waiting, 2);
	// A free thread is none for who has a share.
	sem_post(&go[3]);
	while (now.busy == 2) {
		thread_pool_state(jobs, &now);
	}
	assert_int_equal(now.waiting, 2);
	for (int i = 0; i < 2; i++) {
		sem_post(&go[i]);
		sem_wait(&started);
		thread_pool_state(jobs, &now);
		assert_int_equal(now.waiting, 1 - i);
		assert_int_equal(now.busy, 1);
	}
	sem_post(&go[2]);
	assert_true(thread_pool_destroy(jobs));
	assert_int_equal(done, 4);
}

/* Waits until a pool is as it should be; a test that waits in vain ends by the suite's patience. */
static void wait_ready(struct thread_pool *jobs, bool ready) {
	struct error err = {0};
	while (thread_pool_ready(jobs, &err) != ready) {
		usleep(1000);
		err = (struct error){0};
	}
}

static void replaces_a_thread_that_hangs(void **state) {
	(void)state;
	const struct thread_pool_options options = {.name = "cpu", .threads = 1, .hang_s = 0.05};
	struct thread_pool *jobs = thread_pool_create(&options, NULL);
	sem_t started, go;
	sem_init(&started, 0, 0);
	sem_init(&go, 0, 0);
	_Atomic int done = 0;
	struct counted hanging = {{.run = run}, &started, &go, &done, NULL};
	struct counted next = hanging;
	thread_pool_submit(jobs, &hanging.job);
	sem_wait(&started);
	thread_pool_watch(jobs);
	struct thread_pool_state now;
	thread_pool_state(jobs, &now);
	assert_int_equal(now.replaced, 0);
	wait_ready(jobs, false);
	thread_pool_watch(jobs);
	thread_pool_state(jobs, &now);
	assert_int_equal(now.replaced, 1);
	wait_ready(jobs, true);
	thread_pool_submit(jobs, &next.job);
	sem_wait(&started);
	assert_ptr_not_equal(hanging.renderer, next.renderer);
	sem_post(&go);
	sem_post(&go);
	while (!thread_pool_destroy(jobs)) {
		usleep(1000);
	}
	assert_int_equal(done, 2);
}

static void is_ready_only_with_a_renderer(void **state) {
	(void)state;
	const struct thread_pool_options options = {
		.name = "render", .threads = 1, .draws = true, .renderer = RENDERER_NONE};
	struct thread_pool *jobs = thread_pool_create(&options, NULL);
	struct error err = {0};
	assert_false(thread_pool_ready(jobs, &err));
	assert_int_equal(err.code, ERROR_NO_RENDERER);
	assert_string_equal(thread_pool_renderer(jobs)->device, "none");
	thread_pool_destroy(jobs);
	thread_pool_destroy(NULL);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_gpu_where_there_is_none),
		cmocka_unit_test(gives_back_what_waits_and_finishes_the_rest_at_the_end),
		cmocka_unit_test(offers_only_what_nobody_has_to_wait_for),
		cmocka_unit_test(leaves_threads_for_other_clients),
		cmocka_unit_test(replaces_a_thread_that_hangs),
		cmocka_unit_test(is_ready_only_with_a_renderer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
