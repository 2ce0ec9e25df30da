/* Shared by thread_pool.c (the queue and its jobs) and worker.c (the threads). */
#pragma once

#include <pthread.h>
#include <sys/queue.h>

#include "work/thread_pool.h"

enum worker_state { WORKER_STARTING, WORKER_SERVING, WORKER_FAILED, WORKER_HUNG, WORKER_ENDED };

/* Lives as long as its thread may: one that hangs keeps it when the pool is gone. */
struct worker {
	struct thread_pool *pool; // borrowed
	int number;               // its place in the pool, and its display
	pthread_t thread;
	struct renderer *renderer; // the thread's own
	enum worker_state state;   // under pool->mutex, like all below
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
	pthread_cond_t state;    // a worker has another state
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

/* The first job that may be begun now; NULL = none. A job that its client's share holds back is
 * begun when that client's next job ends, by the same thread. Under the mutex. */
struct job *thread_pool_find_job(const struct thread_pool *pool);

/* Takes a job out of the queue. Under the mutex. */
void thread_pool_unlink_job(struct thread_pool *pool, struct job *job);

/* True when a worker is to be woken, which the caller does when it has released the mutex: one at a
 * time, and each that comes and leaves work behind wakes the next. Waking costs more than a small
 * job, and a worker that is under way anyway takes the job that others were woken for. Under the
 * mutex. */
bool thread_pool_wakes_worker(struct thread_pool *pool);

/* Starts the thread of a number. False with ERROR_INTERNAL. */
bool worker_start(struct thread_pool *pool, int number, struct error *err);
