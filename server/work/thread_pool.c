// A pool of threads behind a queue, each with a renderer of its own.
#include "work/thread_pool.h"

#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"

/* Seconds between attempts to get another context, after the one when the old was lost. */
#define REBUILD_S 1.0

/* Threads that hang at once: beyond these the driver is past help, and each holds its context. */
#define HUNG_MOST 4

/* Seconds for threads to end: what they are at has been called off by then. */
#define END_LIMIT_S 1

enum worker_state { WORKER_STARTING, WORKER_SERVING, WORKER_FAILED, WORKER_HUNG };

/* Lives as long as its thread may: one that hangs keeps it when the pool is gone. */
struct worker {
	struct thread_pool *pool; // borrowed
	int number;               // its place in the pool, and its display
	pthread_t thread;
	struct renderer *renderer; // the thread's own
	enum worker_state state;   // under jobs->mutex, like all below
	struct error err;          // why it failed, or why it cannot draw
	double busy_since_s;       // 0 = it waits for a job
	uint64_t client;           // of that job
	double expected_s;         // that it is thought to take
	double rebuilt_s;          // the thread's: when its renderer was rebuilt; 0 = never
	bool holds_buffers;        // the thread's: it had a job since they were released
};

struct thread_pool {
	struct thread_pool_options options;
	struct renderer_info info; // of the first renderer; strings owned

	pthread_mutex_t mutex;   // guards what follows
	pthread_cond_t work;     // a job came, or stopping was set
	pthread_cond_t state;    // a worker left WORKER_STARTING
	struct worker **workers; // [options.threads]; NULL = not started
	TAILQ_HEAD(, job) queue;
	size_t waiting, offered; // offered ones are among those that wait
	double waiting_s;        // that those which wait are thought to take
	int idle;                // workers that wait for a job
	bool waking;             // one of them has been called, and has not come
	size_t replaced;
	int hung; // threads that have not come back
	bool stopping;
};

static void unlink_job(struct thread_pool *pool, struct job *job) {
	TAILQ_REMOVE(&pool->queue, job, of_queue);
	pool->waiting--;
	pool->waiting_s = !TAILQ_EMPTY(&pool->queue) ? pool->waiting_s - job->expected_s : 0;
	pool->offered -= job->offered;
	job->waiting = job->offered = false;
}

/* Notes that a worker's job is done. Under the mutex. */
static void end_job(struct worker *worker) {
	worker->busy_since_s = 0;
	worker->client = 0;
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

/* The first job that may be begun now; NULL = none. What a client's share holds back is begun when
 * that client's next job ends, by the same thread. */
static struct job *find_job(const struct thread_pool *pool) {
	struct job *job;
	TAILQ_FOREACH(job, &pool->queue, of_queue) {
		if (!has_share(pool, job->client)) {
			return job;
		}
	}
	return NULL;
}

/* True when a worker is to be woken, which the caller does when it has released the mutex: one at a
 * time, and each that comes and leaves work behind wakes the next. Waking costs more than a small
 * job, and a worker that is under way anyway takes the job that others were woken for. */
static bool wake_worker(struct thread_pool *pool) {
	const bool wake = !TAILQ_EMPTY(&pool->queue) && pool->idle > 0 && !pool->waking;
	pool->waking = pool->waking || wake;
	return wake;
}

/* Frees what the worker's last jobs have left for the next. Under the mutex, which it lets go of.
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
	if (failure == ETIMEDOUT && !find_job(pool)) {
		release_buffers(worker);
	}
}

/* Waits for a worker's next job; NULL when there will be no more for it. */
static struct job *take_job(struct worker *worker) {
	struct thread_pool *pool = worker->pool;
	pthread_mutex_lock(&pool->mutex);
	end_job(worker);
	while (!find_job(pool) && !(pool->stopping && TAILQ_EMPTY(&pool->queue)) &&
		worker->state == WORKER_SERVING) {
		wait_for_job(worker);
	}
	struct job *job = worker->state == WORKER_SERVING ? find_job(pool) : NULL;
	if (job) {
		unlink_job(pool, job);
		worker->busy_since_s = clock_now_s();
		worker->client = job->client;
		worker->expected_s = job->expected_s;
		worker->holds_buffers = true;
	}
	const bool wake = wake_worker(pool);
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
	const struct renderer_options wish = {
		.choice = options->draws ? options->renderer : RENDERER_NONE,
		.display = worker->number,
		.library = options->library,
	};
	struct error err = {0};
	worker->renderer = renderer_create(&wish, &err);
	if (worker->renderer && options->draws && !renderer_warm_up(worker->renderer, &err)) {
		log_line(LOG_WARNING, "%s thread %d cannot draw: %s", options->name, worker->number,
			err.text);
	}
	pthread_mutex_lock(&worker->pool->mutex);
	worker->err = err;
	pthread_mutex_unlock(&worker->pool->mutex);
	return worker->renderer;
}

/* The end of a thread that hung and came back: its place has another by now. */
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
	pthread_mutex_lock(&worker->pool->mutex);
	const bool hung = worker->state == WORKER_HUNG;
	pthread_mutex_unlock(&worker->pool->mutex);
	if (hung) {
		end_hung(worker);
	}
	return NULL;
}

static bool start_worker(struct thread_pool *pool, int number, struct error *err) {
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

/* Drivers are not at their best when two threads start them at once: hence one after another. The
 * second finds the shaders of the first in the driver's cache. */
static bool start_and_wait(struct thread_pool *pool, int number, struct error *err) {
	if (!start_worker(pool, number, err)) {
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
		if (pthread_clockjoin_np(worker->thread, NULL, CLOCK_MONOTONIC, &limit) == 0) {
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
	return wake_worker(pool);
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
		unlink_job(pool, job);
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
	if (!start_worker(pool, number, &err)) {
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
		if (busy_since_s > 0 && busy_since_s < since_s && pool->hung < HUNG_MOST) {
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
