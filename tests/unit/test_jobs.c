// The queue in front of the render threads.
#include "jobs.h"

#include <semaphore.h>
#include <stdlib.h>

#include "check.h"

/* A job that waits until it is let go, and counts itself. */
struct counted {
	struct job job;
	sem_t *started, *go;
	_Atomic int *done;
	struct renderer *renderer;
};

static void run(struct job *job, struct renderer *renderer) {
	struct counted *counted = (struct counted *)job;
	counted->renderer = renderer;
	sem_post(counted->started);
	sem_wait(counted->go);
	++*counted->done;
}

static void refuses_gpu_where_there_is_none(void **state) {
	(void)state;
	const struct jobs_options options = {1, 1, RENDERER_GPU};
	struct error err = {0};
	struct jobs *jobs = jobs_create(&options, &err);
	if (jobs) {
		jobs_destroy(jobs);
		skip();
	}
	assert_int_equal(err.code, ERROR_NO_RENDERER);
}

static void is_full_at_its_length_and_finishes_all_at_the_end(void **state) {
	(void)state;
	const struct jobs_options options = {2, 3, RENDERER_NONE};
	struct jobs *jobs = jobs_create(&options, NULL);
	assert_non_null(jobs);
	sem_t started, go;
	sem_init(&started, 0, 0);
	sem_init(&go, 0, 0);
	_Atomic int done = 0;
	struct counted work[5];
	for (int i = 0; i < 5; i++) {
		work[i] = (struct counted){{.run = run}, &started, &go, &done, NULL};
		assert_false(jobs_full(jobs));
		jobs_submit(jobs, &work[i].job);
		if (i < 2) {
			sem_wait(&started);
		}
	}
	assert_true(jobs_full(jobs));
	assert_ptr_not_equal(work[0].renderer, work[1].renderer);
	for (int i = 0; i < 5; i++) {
		sem_post(&go);
	}
	jobs_destroy(jobs);
	assert_int_equal(done, 5);
}

static void is_ready_only_with_a_renderer(void **state) {
	(void)state;
	const struct jobs_options options = {1, 1, RENDERER_NONE};
	struct jobs *jobs = jobs_create(&options, NULL);
	struct error err = {0};
	assert_false(jobs_ready(jobs, &err));
	assert_int_equal(err.code, ERROR_NO_RENDERER);
	assert_string_equal(jobs_renderer(jobs)->device, "none");
	jobs_destroy(jobs);
	jobs_destroy(NULL);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_gpu_where_there_is_none),
		cmocka_unit_test(is_full_at_its_length_and_finishes_all_at_the_end),
		cmocka_unit_test(is_ready_only_with_a_renderer),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
