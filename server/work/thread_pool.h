/* A pool of threads behind a queue. Threads that render have a renderer with a graphics context
 * each; others have one without, for what the CPU does alone. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "renderer.h"

/* Work for a thread of a pool. Lives in the caller's struct, which run() may end the life of. */
struct job {
	/* On a thread of the pool. False asks to be run once more, with the renderer rebuilt: its
	 * context was lost. What that returns has no effect. */
	bool (*run)(struct job *job, struct renderer *renderer);
	uint64_t client;           // limited to thread_pool_options.share; 0 = not limited
	double expected_s;         // that it is expected to take; 0 = unknown
	double since_s;            // the queue's: when it was submitted
	TAILQ_ENTRY(job) of_queue; // the queue's
	bool waiting, offered;     // the queue's
};

struct thread_pool_options {
	const char *name;              // of the pool, for the log: "render"
	int threads;                   // at least 1
	bool draws;                    // its threads are to draw; else they have no context
	enum renderer_choice renderer; // of those that draw
	int niceness;                  // added to the threads' own: the loop goes before them
	int share;                     // threads that one client may have at once; 0 = all of them
	double hang_s;                 // that a thread may be at one job; 0 = for ever
	double release_s; // without a job after which a thread frees its buffers; 0 = never
	struct skin_library *library; // of methods' data, for all threads; NULL = each its own
};

struct thread_pool;

/* Starts the threads one after another and waits until each has its renderer and has warmed it up.
 * A failed warm-up is no failure here (thread_pool_ready() tells): what needs no driver is still
 * served. NULL with ERROR_NO_RENDERER when a renderer cannot be made as the options want it. */
struct thread_pool *thread_pool_create(
	const struct thread_pool_options *options, struct error *err);

/* Runs what is still queued, then ends the threads; takes NULL. False when some hang, or need more
 * than a second for that: they are left behind, with all that their jobs use. */
bool thread_pool_destroy(struct thread_pool *pool);

/* Queues a job at the end. Any thread. */
void thread_pool_submit(struct thread_pool *pool, struct job *job);

/* The same if a thread has nothing to do and no other job waits; else false. Any thread. */
bool thread_pool_offer(struct thread_pool *pool, struct job *job);

/* True while jobs that were submitted wait for a thread. Any thread. */
bool thread_pool_are_waiting(struct thread_pool *pool);

/* Takes a job out of the queue; false when a thread has it already. Any thread. */
bool thread_pool_cancel(struct thread_pool *pool, struct job *job);

/* The state of a pool. */
struct thread_pool_state {
	int threads;                 // that serve
	int busy;                    // of them at a job
	size_t waiting;              // jobs
	size_t replaced;             // threads that hung so far
	struct renderer_stats stats; // of the threads' renderers together; of those that serve
};

/* Any thread. */
void thread_pool_state(struct thread_pool *pool, struct thread_pool_state *out);

/* Seconds that a job which is submitted now is thought to wait: what those before it are thought to
 * take, shared by the threads, or as long as the first of them has waited already. Any thread. */
double thread_pool_wait_s(struct thread_pool *pool);

/* Replaces threads that are at one job for longer than options.hang_s; to be called now and then.
 * Whoever waits for that job is not told: requests have deadlines of their own. */
void thread_pool_watch(struct thread_pool *pool);

/* Checks that every thread can do what the pool is for; else false with ERROR_NO_RENDERER. Any
 * thread. */
bool thread_pool_ready(struct thread_pool *pool, struct error *err);

/* The renderer as it was at the start: the threads' renderers are all of the same kind. Any
 * thread. */
const struct renderer_info *thread_pool_renderer(const struct thread_pool *pool);

enum executor {
	EXECUTOR_LOOP,   // on the loop's thread, at once: what takes microseconds and waits for
			 // nothing
	EXECUTOR_CPU,    // in the pool for work without a graphics context
	EXECUTOR_RENDER, // in the pool of the render threads
	EXECUTOR_DISK,   // in the pool for what waits for the disk
	EXECUTOR_IMPORT, // in the pool for what waits for a process that reads an asset
	EXECUTOR_FIT,    // in the pool for what takes seconds and minutes
	EXECUTOR_COUNT,
};
