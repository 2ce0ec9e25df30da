// The threads of a pool, each with a renderer of its own.
#include <errno.h>
#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "work/thread_pool_internal.h"

/* Seconds between attempts to get another context, after the one when the old was lost. */
#define REBUILD_S 1.0

/* Notes that a worker's job is done. Under the mutex. */
static void end_job(struct worker *worker) {
	worker->busy_since_s = 0;
	worker->client = 0;
}

/* Frees what the worker's last jobs have left for the next. Under the mutex, which it releases.
 */
static void release_buffers(struct worker *worker) {
	worker->holds_buffers = false;
	pthread_mutex_unlock(&worker->pool->mutex);
	renderer_release_buffers(worker->renderer);
	malloc_trim(0);
	pthread_mutex_lock(&worker->pool->mutex);
}

/* Waits until there may be a job. Under the mutex. */
static void wait_for_job(struct worker *worker) {
	struct thread_pool *pool = worker->pool;
	const double release_s = worker->holds_buffers ? pool->options.release_s : 0;
	int failure = 0;
	pool->idle++;
	if (release_s > 0) {
		const double until_s = clock_now_s() + release_s;
		const struct timespec until = {
			.tv_sec = (time_t)until_s,
			.tv_nsec = (long)((until_s - floor(until_s)) * 1e9),
		};
		failure =
			pthread_cond_clockwait(&pool->work, &pool->mutex, CLOCK_MONOTONIC, &until);
	} else {
		pthread_cond_wait(&pool->work, &pool->mutex);
	}
	pool->idle--;
	pool->waking = false;
	if (failure == ETIMEDOUT && !thread_pool_find_job(pool)) {
		release_buffers(worker);
	}
}

/* Waits for a worker's next job; NULL when there will be no more for it. */
static struct job *take_job(struct worker *worker) {
	struct thread_pool *pool = worker->pool;
	pthread_mutex_lock(&pool->mutex);
	end_job(worker);
	while (!thread_pool_find_job(pool) && !(pool->stopping && TAILQ_EMPTY(&pool->queue)) &&
		worker->state == WORKER_SERVING) {
		wait_for_job(worker);
	}
	struct job *job = worker->state == WORKER_SERVING ? thread_pool_find_job(pool) : NULL;
	if (job) {
		thread_pool_unlink_job(pool, job);
		worker->busy_since_s = clock_now_s();
		worker->client = job->client;
		worker->expected_s = job->expected_s;
		worker->holds_buffers = true;
	}
	const bool wake = thread_pool_wakes_worker(pool);
	pthread_mutex_unlock(&pool->mutex);
	if (wake) {
		pthread_cond_signal(&pool->work);
	}
	return job;
}

static void enter_state(struct worker *worker, enum worker_state state) {
	pthread_mutex_lock(&worker->pool->mutex);
	worker->state = state;
	pthread_cond_broadcast(&worker->pool->state);
	pthread_mutex_unlock(&worker->pool->mutex);
}

static bool start_renderer(struct worker *worker) {
	const struct thread_pool_options *options = &worker->pool->options;
	const struct renderer_options params = {
		.choice = options->draws ? options->renderer : RENDERER_NONE,
		.display = worker->number,
		.library = options->library,
	};
	struct error err = {0};
	worker->renderer = renderer_create(&params, &err);
	if (worker->renderer && options->draws && !renderer_warm_up(worker->renderer, &err)) {
		log_line(LOG_WARNING, "%s thread %d cannot draw: %s", options->name, worker->number,
			err.text);
	}
	pthread_mutex_lock(&worker->pool->mutex);
	worker->err = err;
	pthread_mutex_unlock(&worker->pool->mutex);
	return worker->renderer;
}

/* Notes that the thread ends; false when it hung and another took its place. */
static bool end(struct worker *worker) {
	struct thread_pool *pool = worker->pool;
	pthread_mutex_lock(&pool->mutex);
	const bool hung = worker->state == WORKER_HUNG;
	if (!hung) {
		worker->state = WORKER_ENDED;
		pthread_cond_broadcast(&pool->state);
	}
	pthread_mutex_unlock(&pool->mutex);
	return !hung;
}

/* The end of a thread that hung and came back, and was replaced meanwhile. */
static void end_hung(struct worker *worker) {
	struct thread_pool *pool = worker->pool;
	log_line(LOG_WARNING, "%s thread %d came back after it was replaced", pool->options.name,
		worker->number);
	pthread_mutex_lock(&pool->mutex);
	pool->hung--;
	pthread_cond_broadcast(&pool->state);
	pthread_mutex_unlock(&pool->mutex);
	free(worker);
}

static void rebuild(struct worker *worker) {
	struct error err = {0};
	const char *name = worker->pool->options.name;
	if (renderer_rebuild(worker->renderer, &err)) {
		log_line(LOG_WARNING, "%s thread %d has another context", name, worker->number);
	} else {
		log_line(LOG_ERROR, "%s thread %d gets no context: %s", name, worker->number,
			err.text);
	}
	pthread_mutex_lock(&worker->pool->mutex);
	worker->err = err;
	pthread_mutex_unlock(&worker->pool->mutex);
	worker->rebuilt_s = clock_now_s();
}

static void run_job(struct worker *worker, struct job *job) {
	// A driver that was not back at once may be now. Only this thread writes worker->err.
	if (worker->rebuilt_s > 0 && worker->err.code != ERROR_NONE &&
		clock_now_s() - worker->rebuilt_s > REBUILD_S) {
		rebuild(worker);
	}
	if (!job->run(job, worker->renderer)) {
		rebuild(worker);
		job->run(job, worker->renderer);
	}
}

static void *work(void *argument) {
	struct worker *worker = argument;
	char name[16];
	snprintf(name, sizeof name, "%.8s %d", worker->pool->options.name, worker->number);
	pthread_setname_np(pthread_self(), name);
	// Linux has a niceness for each thread. The loop answers what needs no work, and refuses
	// what there is no room for, also while all cores draw.
	const id_t thread = (id_t)syscall(SYS_gettid);
	setpriority(PRIO_PROCESS, thread,
		getpriority(PRIO_PROCESS, thread) + worker->pool->options.niceness);
	if (!start_renderer(worker)) {
		enter_state(worker, WORKER_FAILED);
		return NULL;
	}
	worker->holds_buffers = true; // warming up was work
	enter_state(worker, WORKER_SERVING);
	struct job *job;
	while ((job = take_job(worker))) {
		run_job(worker, job);
	}
	renderer_destroy(worker->renderer);
	if (!end(worker)) {
		end_hung(worker);
	}
	return NULL;
}

bool worker_start(struct thread_pool *pool, int number, struct error *err) {
	struct worker *worker = xcalloc(1, sizeof *worker);
	worker->pool = pool;
	worker->number = number;
	const int failure = pthread_create(&worker->thread, NULL, work, worker);
	if (failure) {
		free(worker);
		return error_set(err, ERROR_INTERNAL, "%s thread %d: %s", pool->options.name,
			number, strerror(failure));
	}
	pool->workers[number] = worker;
	return true;
}
