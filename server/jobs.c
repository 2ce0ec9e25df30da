// Render threads, each with a renderer of its own, behind one bounded queue.
#include "jobs.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"

enum worker_state { WORKER_STARTING, WORKER_SERVING, WORKER_FAILED };

struct worker {
	struct jobs *jobs; // borrowed: its owner
	int number;
	pthread_t thread;
	struct renderer *renderer; // the thread's own
	enum worker_state state;   // under jobs->mutex until it has left WORKER_STARTING
	struct error err;          // why it failed, or why it cannot draw
};

struct jobs {
	struct jobs_options options;
	struct worker *workers; // [options.threads]
	int started;            // threads to join

	pthread_mutex_t mutex;
	pthread_cond_t work;  // a job came, or stopping was set
	pthread_cond_t state; // a worker left WORKER_STARTING
	struct job *first, *last;
	size_t waiting;
	bool stopping;
};

/* Waits for the next job; NULL when there will be no more. */
static struct job *take_job(struct jobs *jobs) {
	pthread_mutex_lock(&jobs->mutex);
	while (!jobs->first && !jobs->stopping) {
		pthread_cond_wait(&jobs->work, &jobs->mutex);
	}
	struct job *job = jobs->first;
	if (job) {
		jobs->first = job->next;
		jobs->waiting--;
	}
	pthread_mutex_unlock(&jobs->mutex);
	return job;
}

static void enter_state(struct worker *worker, enum worker_state state) {
	pthread_mutex_lock(&worker->jobs->mutex);
	worker->state = state;
	pthread_cond_signal(&worker->jobs->state);
	pthread_mutex_unlock(&worker->jobs->mutex);
}

static void *work(void *argument) {
	struct worker *worker = argument;
	const struct renderer_options options = {
		.choice = worker->jobs->options.renderer, .display = worker->number};
	worker->renderer = renderer_create(&options, &worker->err);
	if (!worker->renderer) {
		enter_state(worker, WORKER_FAILED);
		return NULL;
	}
	if (!renderer_warm_up(worker->renderer, &worker->err)) {
		log_line(LOG_WARNING, "render thread %d cannot draw: %s", worker->number,
			worker->err.text);
	}
	enter_state(worker, WORKER_SERVING);
	struct job *job;
	while ((job = take_job(worker->jobs))) {
		job->run(job, worker->renderer);
	}
	renderer_destroy(worker->renderer);
	return NULL;
}

/* Drivers are not at their best when two threads start them at once: hence one after another. The
 * second finds the shaders of the first in the driver's cache. */
static bool start_worker(struct jobs *jobs, int number, struct error *err) {
	struct worker *worker = &jobs->workers[number];
	worker->jobs = jobs;
	worker->number = number;
	const int failure = pthread_create(&worker->thread, NULL, work, worker);
	if (failure) {
		return error_set(
			err, ERROR_INTERNAL, "render thread %d: %s", number, strerror(failure));
	}
	jobs->started++;
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

struct jobs *jobs_create(const struct jobs_options *options, struct error *err) {
	struct jobs *jobs = xcalloc(1, sizeof *jobs);
	jobs->options = *options;
	jobs->workers = xcalloc((size_t)options->threads, sizeof *jobs->workers);
	pthread_mutex_init(&jobs->mutex, NULL);
	pthread_cond_init(&jobs->work, NULL);
	pthread_cond_init(&jobs->state, NULL);
	for (int i = 0; i < options->threads; i++) {
		if (!start_worker(jobs, i, err)) {
			jobs_destroy(jobs);
			return NULL;
		}
	}
	return jobs;
}

void jobs_destroy(struct jobs *jobs) {
	if (!jobs) {
		return;
	}
	pthread_mutex_lock(&jobs->mutex);
	jobs->stopping = true;
	pthread_cond_broadcast(&jobs->work);
	pthread_mutex_unlock(&jobs->mutex);
	for (int i = 0; i < jobs->started; i++) {
		pthread_join(jobs->workers[i].thread, NULL);
	}
	pthread_cond_destroy(&jobs->state);
	pthread_cond_destroy(&jobs->work);
	pthread_mutex_destroy(&jobs->mutex);
	free(jobs->workers);
	free(jobs);
}

bool jobs_full(struct jobs *jobs) {
	pthread_mutex_lock(&jobs->mutex);
	const bool full = jobs->waiting >= jobs->options.queue_length;
	pthread_mutex_unlock(&jobs->mutex);
	return full;
}

void jobs_submit(struct jobs *jobs, struct job *job) {
	job->next = NULL;
	pthread_mutex_lock(&jobs->mutex);
	assert(jobs->waiting < jobs->options.queue_length && !jobs->stopping);
	if (jobs->first) {
		jobs->last->next = job;
	} else {
		jobs->first = job;
	}
	jobs->last = job;
	jobs->waiting++;
	pthread_cond_signal(&jobs->work);
	pthread_mutex_unlock(&jobs->mutex);
}

bool jobs_ready(const struct jobs *jobs, struct error *err) {
	for (int i = 0; i < jobs->options.threads; i++) {
		const struct error *reason = &jobs->workers[i].err;
		if (reason->code != ERROR_NONE) {
			return error_set(err, ERROR_NO_RENDERER, "%s", reason->text);
		}
	}
	return true;
}

const struct renderer_info *jobs_renderer(const struct jobs *jobs) {
	return renderer_info(jobs->workers[0].renderer);
}
