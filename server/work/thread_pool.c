// A pool of threads behind a queue, each with a renderer of its own.
#include "work/thread_pool_internal.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"

/* Threads that hang at once: beyond these the driver is past help, and each holds its context. */
#define HUNG_MAX 4

/* Seconds for threads to end: what they are at has been called off by then. */
#define END_LIMIT_S 1

void thread_pool_unlink_job(struct thread_pool *pool, struct job *job) {
	TAILQ_REMOVE(&pool->queue, job, of_queue);
	pool->waiting--;
	pool->waiting_s = !TAILQ_EMPTY(&pool->queue) ? pool->waiting_s - job->expected_s : 0;
	pool->offered -= job->offered;
	job->waiting = job->offered = false;
}

/* True when a client has all the threads that it may have. */
static bool has_share(const struct thread_pool *pool, uint64_t client) {
	const int share = pool->options.share;
	int threads = 0;
	for (int i = 0; share > 0 && client && i < pool->options.threads; i++) {
		threads += pool->workers[i] && pool->workers[i]->client == client;
	}
	return share > 0 && threads >= share && !pool->stopping;
}

struct job *thread_pool_find_job(const struct thread_pool *pool) {
	struct job *job;
	TAILQ_FOREACH(job, &pool->queue, of_queue) {
		if (!has_share(pool, job->client)) {
			return job;
		}
	}
	return NULL;
}

bool thread_pool_wakes_worker(struct thread_pool *pool) {
	const bool wake = !TAILQ_EMPTY(&pool->queue) && pool->idle > 0 && !pool->waking;
	pool->waking = pool->waking || wake;
	return wake;
}

/* Drivers are not at their best when two threads start them at once: hence one after another. The
 * second finds the shaders of the first in the driver's cache. */
static bool start_and_wait(struct thread_pool *pool, int number, struct error *err) {
	if (!worker_start(pool, number, err)) {
		return false;
	}
	struct worker *worker = pool->workers[number];
	pthread_mutex_lock(&pool->mutex);
	while (worker->state == WORKER_STARTING) {
		pthread_cond_wait(&pool->state, &pool->mutex);
	}
	pthread_mutex_unlock(&pool->mutex);
	if (worker->state == WORKER_FAILED) {
		return error_set(err, worker->err.code, "%s", worker->err.text);
	}
	return true;
}

static void copy_info(struct renderer_info *out, const struct renderer_info *info) {
	*out = *info;
	out->vendor = xstrndup(info->vendor, strlen(info->vendor));
	out->renderer = xstrndup(info->renderer, strlen(info->renderer));
	out->version = xstrndup(info->version, strlen(info->version));
	out->why_none = xstrndup(info->why_none, strlen(info->why_none));
}

struct thread_pool *thread_pool_create(
	const struct thread_pool_options *options, struct error *err) {
	struct thread_pool *pool = xcalloc(1, sizeof *pool);
	pool->options = *options;
	pool->workers = xcalloc((size_t)options->threads, sizeof *pool->workers);
	TAILQ_INIT(&pool->queue);
	pthread_mutex_init(&pool->mutex, NULL);
	pthread_cond_init(&pool->work, NULL);
	pthread_cond_init(&pool->state, NULL);
	for (int i = 0; i < options->threads; i++) {
		if (!start_and_wait(pool, i, err)) {
			thread_pool_destroy(pool);
			return NULL;
		}
	}
	copy_info(&pool->info, renderer_info(pool->workers[0]->renderer));
	return pool;
}

/* Waits until the worker's thread ends, or until the limit. True when it ends. Under the mutex. */
static bool wait_for_end(
	struct thread_pool *pool, const struct worker *worker, const struct timespec *limit) {
	int failure = 0;
	while (worker->state != WORKER_ENDED && worker->state != WORKER_FAILED && failure == 0) {
		failure =
			pthread_cond_clockwait(&pool->state, &pool->mutex, CLOCK_MONOTONIC, limit);
	}
	return worker->state == WORKER_ENDED || worker->state == WORKER_FAILED;
}

/* Ends all threads, and returns how many of them hang or do not end in time. */
static int end_workers(struct thread_pool *pool) {
	pthread_mutex_lock(&pool->mutex);
	pool->stopping = true;
	pthread_cond_broadcast(&pool->work);
	int left = pool->hung;
	pthread_mutex_unlock(&pool->mutex);
	struct timespec limit;
	clock_gettime(CLOCK_MONOTONIC, &limit);
	limit.tv_sec += END_LIMIT_S;
	for (int i = 0; i < pool->options.threads; i++) {
		struct worker *worker = pool->workers[i];
		if (!worker) {
			continue;
		}
		pthread_mutex_lock(&pool->mutex);
		const bool ends = wait_for_end(pool, worker, &limit);
		pthread_mutex_unlock(&pool->mutex);
		if (ends) {
			pthread_join(worker->thread, NULL);
			free(worker);
			pool->workers[i] = NULL;
		} else {
			left++;
		}
	}
	return left;
}

bool thread_pool_destroy(struct thread_pool *pool) {
	if (!pool) {
		return true;
	}
	if (end_workers(pool) > 0) {
		return false;
	}
	pthread_cond_destroy(&pool->state);
	pthread_cond_destroy(&pool->work);
	pthread_mutex_destroy(&pool->mutex);
	free((char *)pool->info.vendor);
	free((char *)pool->info.renderer);
	free((char *)pool->info.version);
	free((char *)pool->info.why_none);
	free(pool->workers);
	free(pool);
	return true;
}

/* Queues a job at the end, and says whether a worker is to be woken. Under the mutex. */
static bool enqueue(struct thread_pool *pool, struct job *job) {
	assert(!pool->stopping && !job->waiting);
	TAILQ_INSERT_TAIL(&pool->queue, job, of_queue);
	job->waiting = true;
	job->since_s = clock_now_s();
	pool->waiting++;
	pool->waiting_s += job->expected_s;
	return thread_pool_wakes_worker(pool);
}

void thread_pool_submit(struct thread_pool *pool, struct job *job) {
	pthread_mutex_lock(&pool->mutex);
	const bool wake = enqueue(pool, job);
	pthread_mutex_unlock(&pool->mutex);
	if (wake) {
		pthread_cond_signal(&pool->work);
	}
}

bool thread_pool_offer(struct thread_pool *pool, struct job *job) {
	pthread_mutex_lock(&pool->mutex);
	const bool taken = pool->idle > 0 && TAILQ_EMPTY(&pool->queue) && !pool->stopping;
	job->offered = taken;
	pool->offered += taken;
	const bool wake = taken && enqueue(pool, job);
	pthread_mutex_unlock(&pool->mutex);
	if (wake) {
		pthread_cond_signal(&pool->work);
	}
	return taken;
}

bool thread_pool_are_waiting(struct thread_pool *pool) {
	pthread_mutex_lock(&pool->mutex);
	const bool wait = pool->waiting > pool->offered;
	pthread_mutex_unlock(&pool->mutex);
	return wait;
}

bool thread_pool_cancel(struct thread_pool *pool, struct job *job) {
	pthread_mutex_lock(&pool->mutex);
	const bool waiting = job->waiting;
	if (waiting) {
		thread_pool_unlink_job(pool, job);
	}
	pthread_mutex_unlock(&pool->mutex);
	return waiting;
}

static void add_stats(struct renderer_stats *total, const struct renderer *renderer) {
	struct renderer_stats one;
	renderer_stats(renderer, &one);
	total->context_resets += one.context_resets;
	total->frames_drawn += one.frames_drawn;
	total->gpu_rig_count += one.gpu_rig_count;
	total->gpu_rig_bytes += one.gpu_rig_bytes;
	total->gpu_rig_evictions += one.gpu_rig_evictions;
	for (size_t i = 0; i < RENDERER_METHODS_MAX; i++) {
		total->vertices_skinned[i] += one.vertices_skinned[i];
	}
}

void thread_pool_state(struct thread_pool *pool, struct thread_pool_state *out) {
	pthread_mutex_lock(&pool->mutex);
	*out = (struct thread_pool_state){.waiting = pool->waiting, .replaced = pool->replaced};
	for (int i = 0; i < pool->options.threads; i++) {
		const struct worker *worker = pool->workers[i];
		if (worker->state == WORKER_SERVING) {
			out->threads++;
			out->busy += worker->busy_since_s > 0;
			add_stats(&out->stats, worker->renderer);
		}
	}
	pthread_mutex_unlock(&pool->mutex);
}

/* Seconds that a worker's job is thought to take from now on. */
static double left_s(const struct worker *worker, double now_s) {
	return worker->busy_since_s > 0 ? fmax(worker->busy_since_s + worker->expected_s - now_s, 0)
					: 0;
}

double thread_pool_wait_s(struct thread_pool *pool) {
	pthread_mutex_lock(&pool->mutex);
	double wait_s = 0;
	const struct job *first = TAILQ_FIRST(&pool->queue);
	if (first || pool->idle == 0) {
		const double now_s = clock_now_s();
		for (int i = 0; i < pool->options.threads; i++) {
			wait_s += left_s(pool->workers[i], now_s);
		}
		wait_s = (wait_s + pool->waiting_s) / pool->options.threads;
		// Jobs that take longer than was expected show here.
		wait_s = first ? fmax(wait_s, now_s - first->since_s) : wait_s;
	}
	pthread_mutex_unlock(&pool->mutex);
	return wait_s;
}

/* Puts another thread in the place of one that hangs. Under the mutex. */
static void replace(struct thread_pool *pool, int number) {
	struct worker *hung = pool->workers[number];
	struct error err = {0};
	if (!worker_start(pool, number, &err)) {
		log_line(LOG_ERROR, "%s", err.text);
		return;
	}
	log_line(LOG_ERROR,
		"%s thread %d has not come back from a request for %.0f s; another takes its place",
		pool->options.name, number, pool->options.hang_s);
	hung->state = WORKER_HUNG;
	pthread_detach(hung->thread);
	pool->hung++;
	pool->replaced++;
}

void thread_pool_watch(struct thread_pool *pool) {
	const double since_s = clock_now_s() - pool->options.hang_s;
	pthread_mutex_lock(&pool->mutex);
	for (int i = 0; pool->options.hang_s > 0 && i < pool->options.threads; i++) {
		const double busy_since_s = pool->workers[i]->busy_since_s;
		if (busy_since_s > 0 && busy_since_s < since_s && pool->hung < HUNG_MAX) {
			replace(pool, i);
		}
	}
	pthread_mutex_unlock(&pool->mutex);
}

/* Under the mutex. */
static bool worker_ready(const struct thread_pool *pool, const struct worker *worker, double now_s,
	struct error *err) {
	const char *name = pool->options.name;
	if (worker->err.code != ERROR_NONE) {
		return error_set(err, ERROR_NO_RENDERER, "%s", worker->err.text);
	}
	if (worker->state != WORKER_SERVING) {
		return error_set(err, ERROR_NO_RENDERER,
			"%s thread %d hung, and the one in its place is starting", name,
			worker->number);
	}
	const bool hangs = pool->options.hang_s > 0 && worker->busy_since_s > 0 &&
		now_s - worker->busy_since_s > pool->options.hang_s;
	return !hangs ||
		error_set(err, ERROR_NO_RENDERER,
			"%s thread %d has not come back from a request for %.0f s", name,
			worker->number, now_s - worker->busy_since_s);
}

bool thread_pool_ready(struct thread_pool *pool, struct error *err) {
	bool ready = true;
	pthread_mutex_lock(&pool->mutex);
	for (int i = 0; ready && i < pool->options.threads; i++) {
		ready = worker_ready(pool, pool->workers[i], clock_now_s(), err);
	}
	pthread_mutex_unlock(&pool->mutex);
	return ready;
}

const struct renderer_info *thread_pool_renderer(const struct thread_pool *pool) {
	return &pool->info;
}
