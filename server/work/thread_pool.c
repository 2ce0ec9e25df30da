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
	struct thread_pool *jobs; // borrowed
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
	struct job *first, *last;
	size_t waiting, offered; // offered ones are among those that wait
	double waiting_s;        // that those which wait are thought to take
	int idle;                // workers that wait for a job
	bool waking;             // one of them has been called, and has not come
	size_t replaced;
	int hung; // threads that have not come back
	bool stopping;
};

static void unlink_job(struct thread_pool *jobs, struct job *job) {
	*(job->previous ? &job->previous->next : &jobs->first) = job->next;
	*(job->next ? &job->next->previous : &jobs->last) = job->previous;
	jobs->waiting--;
	jobs->waiting_s = jobs->first ? jobs->waiting_s - job->expected_s : 0;
	jobs->offered -= job->offered;
	job->waiting = job->offered = false;
}

/* Notes that a worker's job is done. Under the mutex. */
static void end_job(struct worker *worker) {
	worker->busy_since_s = 0;
	worker->client = 0;
}

/* True when a client has all the threads that it may have. */
static bool has_share(const struct thread_pool *jobs, uint64_t client) {
	const int share = jobs->options.share;
	int threads = 0;
	for (int i = 0; share > 0 && client && i < jobs->options.threads; i++) {
		threads += jobs->workers[i] && jobs->workers[i]->client == client;
	}
	return share > 0 && threads >= share && !jobs->stopping;
}

/* The first job that may be begun now; NULL = none. What a client's share holds back is begun when
 * that client's next job ends, by the same thread. */
static struct job *find_job(const struct thread_pool *jobs) {
	struct job *job = jobs->first;
	while (job && has_share(jobs, job->client)) {
		job = job->next;
	}
	return job;
}

/* True when a worker is to be woken, which the caller does when it has released the mutex: one at a
 * time, and each that comes and leaves work behind wakes the next. Waking costs more than a small
 * job, and a worker that is under way anyway takes the job that others were woken for. */
static bool context_worker(struct thread_pool *jobs) {
	const bool wake = jobs->first && jobs->idle > 0 && !jobs->waking;
	jobs->waking = jobs->waking || wake;
	return wake;
}

/* Frees what the worker's last jobs have left for the next. Under the mutex, which it lets go of.
 */
static void release_buffers(struct worker *worker) {
	worker->holds_buffers = false;
	pthread_mutex_unlock(&worker->jobs->mutex);
	renderer_release_buffers(worker->renderer);
	malloc_trim(0);
	pthread_mutex_lock(&worker->jobs->mutex);
}

/* Waits until there may be a job. Under the mutex. */
static void wait_for_job(struct worker *worker) {
	struct thread_pool *jobs = worker->jobs;
	const double release_s = worker->holds_buffers ? jobs->options.release_s : 0;
	int failure = 0;
	jobs->idle++;
	if (release_s > 0) {
		const double until_s = clock_now_s() + release_s;
		const struct timespec until = {
			.tv_sec = (time_t)until_s,
			.tv_nsec = (long)((until_s - floor(until_s)) * 1e9),
		};
		failure =
			pthread_cond_clockwait(&jobs->work, &jobs->mutex, CLOCK_MONOTONIC, &until);
	} else {
		pthread_cond_wait(&jobs->work, &jobs->mutex);
	}
	jobs->idle--;
	jobs->waking = false;
	if (failure == ETIMEDOUT && !find_job(jobs)) {
		release_buffers(worker);
	}
}

/* Waits for a worker's next job; NULL when there will be no more for it. */
static struct job *take_job(struct worker *worker) {
	struct thread_pool *jobs = worker->jobs;
	pthread_mutex_lock(&jobs->mutex);
	end_job(worker);
	while (!find_job(jobs) && !(jobs->stopping && !jobs->first) &&
		worker->state == WORKER_SERVING) {
		wait_for_job(worker);
	}
	struct job *job = worker->state == WORKER_SERVING ? find_job(jobs) : NULL;
	if (job) {
		unlink_job(jobs, job);
		worker->busy_since_s = clock_now_s();
		worker->client = job->client;
		worker->expected_s = job->expected_s;
		worker->holds_buffers = true;
	}
	const bool wake = context_worker(jobs);
	pthread_mutex_unlock(&jobs->mutex);
	if (wake) {
		pthread_cond_signal(&jobs->work);
	}
	return job;
}

static void enter_state(struct worker *worker, enum worker_state state) {
	pthread_mutex_lock(&worker->jobs->mutex);
	worker->state = state;
	pthread_cond_broadcast(&worker->jobs->state);
	pthread_mutex_unlock(&worker->jobs->mutex);
}

static bool start_renderer(struct worker *worker) {
	const struct thread_pool_options *options = &worker->jobs->options;
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
	pthread_mutex_lock(&worker->jobs->mutex);
	worker->err = err;
	pthread_mutex_unlock(&worker->jobs->mutex);
	return worker->renderer;
}

/* The end of a thread that hung and came back: its place has another by now. */
static void end_hung(struct worker *worker) {
	struct thread_pool *jobs = worker->jobs;
	log_line(LOG_WARNING, "%s thread %d came back after it was replaced", jobs->options.name,
		worker->number);
	pthread_mutex_lock(&jobs->mutex);
	jobs->hung--;
	pthread_cond_broadcast(&jobs->state);
	pthread_mutex_unlock(&jobs->mutex);
	free(worker);
}

static void rebuild(struct worker *worker) {
	struct error err = {0};
	const char *name = worker->jobs->options.name;
	if (renderer_rebuild(worker->renderer, &err)) {
		log_line(LOG_WARNING, "%s thread %d has another context", name, worker->number);
	} else {
		log_line(LOG_ERROR, "%s thread %d gets no context: %s", name, worker->number,
			err.text);
	}
	pthread_mutex_lock(&worker->jobs->mutex);
	worker->err = err;
	pthread_mutex_unlock(&worker->jobs->mutex);
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
	snprintf(name, sizeof name, "%.8s %d", worker->jobs->options.name, worker->number);
	pthread_setname_np(pthread_self(), name);
	// Linux has a niceness for each thread. The loop answers what needs no work, and refuses
	// what there is no room for, also while all cores draw.
	const id_t thread = (id_t)syscall(SYS_gettid);
	setpriority(PRIO_PROCESS, thread,
		getpriority(PRIO_PROCESS, thread) + worker->jobs->options.niceness);
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
	pthread_mutex_lock(&worker->jobs->mutex);
	const bool hung = worker->state == WORKER_HUNG;
	pthread_mutex_unlock(&worker->jobs->mutex);
	if (hung) {
		end_hung(worker);
	}
	return NULL;
}

static bool start_worker(struct thread_pool *jobs, int number, struct error *err) {
	struct worker *worker = xcalloc(1, sizeof *worker);
	worker->jobs = jobs;
	worker->number = number;
	const int failure = pthread_create(&worker->thread, NULL, work, worker);
	if (failure) {
		free(worker);
		return error_set(err, ERROR_INTERNAL, "%s thread %d: %s", jobs->options.name,
			number, strerror(failure));
	}
	jobs->workers[number] = worker;
	return true;
}

/* Drivers are not at their best when two threads start them at once: hence one after another. The
 * second finds the shaders of the first in the driver's cache. */
static bool start_and_wait(struct thread_pool *jobs, int number, struct error *err) {
	if (!start_worker(jobs, number, err)) {
		return false;
	}
	struct worker *worker = jobs->workers[number];
	pthread_mutex_lock(&jobs->mutex);
	while (worker->state == WORKER_STARTING) {
		pthread_cond_wait(&jobs->state, &jobs->mutex);
	}
	pthread_mutex_unlock(&jobs->mutex);
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
	struct thread_pool *jobs = xcalloc(1, sizeof *jobs);
	jobs->options = *options;
	jobs->workers = xcalloc((size_t)options->threads, sizeof *jobs->workers);
	pthread_mutex_init(&jobs->mutex, NULL);
	pthread_cond_init(&jobs->work, NULL);
	pthread_cond_init(&jobs->state, NULL);
	for (int i = 0; i < options->threads; i++) {
		if (!start_and_wait(jobs, i, err)) {
			thread_pool_destroy(jobs);
			return NULL;
		}
	}
	copy_info(&jobs->info, renderer_info(jobs->workers[0]->renderer));
	return jobs;
}

/* Ends all threads, and returns how many of them hang or do not end in time. */
static int end_workers(struct thread_pool *jobs) {
	pthread_mutex_lock(&jobs->mutex);
	jobs->stopping = true;
	pthread_cond_broadcast(&jobs->work);
	int left = jobs->hung;
	pthread_mutex_unlock(&jobs->mutex);
	struct timespec limit;
	clock_gettime(CLOCK_MONOTONIC, &limit);
	limit.tv_sec += END_LIMIT_S;
	for (int i = 0; i < jobs->options.threads; i++) {
		struct worker *worker = jobs->workers[i];
		if (!worker) {
			continue;
		}
		if (pthread_clockjoin_np(worker->thread, NULL, CLOCK_MONOTONIC, &limit) == 0) {
			free(worker);
			jobs->workers[i] = NULL;
		} else {
			left++;
		}
	}
	return left;
}

bool thread_pool_destroy(struct thread_pool *jobs) {
	if (!jobs) {
		return true;
	}
	if (end_workers(jobs) > 0) {
		return false;
	}
	pthread_cond_destroy(&jobs->state);
	pthread_cond_destroy(&jobs->work);
	pthread_mutex_destroy(&jobs->mutex);
	free((char *)jobs->info.vendor);
	free((char *)jobs->info.renderer);
	free((char *)jobs->info.version);
	free((char *)jobs->info.why_none);
	free(jobs->workers);
	free(jobs);
	return true;
}

/* Queues a job at the end, and says whether a worker is to be woken. Under the mutex. */
static bool enqueue(struct thread_pool *jobs, struct job *job) {
	assert(!jobs->stopping && !job->waiting);
	job->next = NULL;
	job->previous = jobs->last;
	*(jobs->last ? &jobs->last->next : &jobs->first) = job;
	jobs->last = job;
	job->waiting = true;
	job->since_s = clock_now_s();
	jobs->waiting++;
	jobs->waiting_s += job->expected_s;
	return context_worker(jobs);
}

void thread_pool_submit(struct thread_pool *jobs, struct job *job) {
	pthread_mutex_lock(&jobs->mutex);
	const bool wake = enqueue(jobs, job);
	pthread_mutex_unlock(&jobs->mutex);
	if (wake) {
		pthread_cond_signal(&jobs->work);
	}
}

bool thread_pool_offer(struct thread_pool *jobs, struct job *job) {
	pthread_mutex_lock(&jobs->mutex);
	const bool taken = jobs->idle > 0 && !jobs->first && !jobs->stopping;
	job->offered = taken;
	jobs->offered += taken;
	const bool wake = taken && enqueue(jobs, job);
	pthread_mutex_unlock(&jobs->mutex);
	if (wake) {
		pthread_cond_signal(&jobs->work);
	}
	return taken;
}

bool thread_pool_are_waiting(struct thread_pool *jobs) {
	pthread_mutex_lock(&jobs->mutex);
	const bool wait = jobs->waiting > jobs->offered;
	pthread_mutex_unlock(&jobs->mutex);
	return wait;
}

bool thread_pool_cancel(struct thread_pool *jobs, struct job *job) {
	pthread_mutex_lock(&jobs->mutex);
	const bool waiting = job->waiting;
	if (waiting) {
		unlink_job(jobs, job);
	}
	pthread_mutex_unlock(&jobs->mutex);
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

void thread_pool_state(struct thread_pool *jobs, struct thread_pool_state *out) {
	pthread_mutex_lock(&jobs->mutex);
	*out = (struct thread_pool_state){.waiting = jobs->waiting, .replaced = jobs->replaced};
	for (int i = 0; i < jobs->options.threads; i++) {
		const struct worker *worker = jobs->workers[i];
		if (worker->state == WORKER_SERVING) {
			out->threads++;
			out->busy += worker->busy_since_s > 0;
			add_stats(&out->stats, worker->renderer);
		}
	}
	pthread_mutex_unlock(&jobs->mutex);
}

/* Seconds that a worker's job is thought to take from now on. */
static double left_s(const struct worker *worker, double now_s) {
	return worker->busy_since_s > 0 ? fmax(worker->busy_since_s + worker->expected_s - now_s, 0)
					: 0;
}

double thread_pool_wait_s(struct thread_pool *jobs) {
	pthread_mutex_lock(&jobs->mutex);
	double wait_s = 0;
	if (jobs->first || jobs->idle == 0) {
		const double now_s = clock_now_s();
		for (int i = 0; i < jobs->options.threads; i++) {
			wait_s += left_s(jobs->workers[i], now_s);
		}
		wait_s = (wait_s + jobs->waiting_s) / jobs->options.threads;
		// Jobs that take longer than was expected show here.
		wait_s = jobs->first ? fmax(wait_s, now_s - jobs->first->since_s) : wait_s;
	}
	pthread_mutex_unlock(&jobs->mutex);
	return wait_s;
}

/* Puts another thread in the place of one that hangs. Under the mutex. */
static void replace(struct thread_pool *jobs, int number) {
	struct worker *hung = jobs->workers[number];
	struct error err = {0};
	if (!start_worker(jobs, number, &err)) {
		log_line(LOG_ERROR, "%s", err.text);
		return;
	}
	log_line(LOG_ERROR,
		"%s thread %d has not come back from a request for %.0f s; another takes its place",
		jobs->options.name, number, jobs->options.hang_s);
	hung->state = WORKER_HUNG;
	pthread_detach(hung->thread);
	jobs->hung++;
	jobs->replaced++;
}

void thread_pool_watch(struct thread_pool *jobs) {
	const double since_s = clock_now_s() - jobs->options.hang_s;
	pthread_mutex_lock(&jobs->mutex);
	for (int i = 0; jobs->options.hang_s > 0 && i < jobs->options.threads; i++) {
		const double busy_since_s = jobs->workers[i]->busy_since_s;
		if (busy_since_s > 0 && busy_since_s < since_s && jobs->hung < HUNG_MOST) {
			replace(jobs, i);
		}
	}
	pthread_mutex_unlock(&jobs->mutex);
}

/* Under the mutex. */
static bool worker_ready(const struct thread_pool *jobs, const struct worker *worker, double now_s,
	struct error *err) {
	const char *name = jobs->options.name;
	if (worker->err.code != ERROR_NONE) {
		return error_set(err, ERROR_NO_RENDERER, "%s", worker->err.text);
	}
	if (worker->state != WORKER_SERVING) {
		return error_set(err, ERROR_NO_RENDERER,
			"%s thread %d hung, and the one in its place is starting", name,
			worker->number);
	}
	const bool hangs = jobs->options.hang_s > 0 && worker->busy_since_s > 0 &&
		now_s - worker->busy_since_s > jobs->options.hang_s;
	return !hangs ||
		error_set(err, ERROR_NO_RENDERER,
			"%s thread %d has not come back from a request for %.0f s", name,
			worker->number, now_s - worker->busy_since_s);
}

bool thread_pool_ready(struct thread_pool *jobs, struct error *err) {
	bool ready = true;
	pthread_mutex_lock(&jobs->mutex);
	for (int i = 0; ready && i < jobs->options.threads; i++) {
		ready = worker_ready(jobs, jobs->workers[i], clock_now_s(), err);
	}
	pthread_mutex_unlock(&jobs->mutex);
	return ready;
}

const struct renderer_info *thread_pool_renderer(const struct thread_pool *jobs) {
	return &jobs->info;
}
