/* Render threads, each with a renderer of its own, behind one bounded queue. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "renderer.h"

/* Work for a render thread. Lives in the caller's struct, which run() may end the life of. */
struct job {
	void (*run)(struct job *job, struct renderer *renderer); // on a render thread
	struct job *next;                                        // the queue's
};

struct jobs_options {
	int threads;         // at least 1
	size_t queue_length; // jobs that may wait
	enum renderer_choice renderer;
};

struct jobs;

/* Starts the threads one after another and waits until each has its renderer and has warmed it up.
 * A failed warm-up is no failure here (jobs_ready() tells): what needs no driver is still served.
 * NULL with ERROR_NO_RENDERER when a renderer cannot be made as the options want it. */
struct jobs *jobs_create(const struct jobs_options *options, struct error *err);

/* Runs what is still queued, then ends the threads. Takes NULL. */
void jobs_destroy(struct jobs *jobs);

/* Whether no further job may wait. Only threads that submit jobs make it so. Any thread. */
bool jobs_full(struct jobs *jobs);

/* Queues a job. Only while the queue is not full: with one thread that submits, jobs_full() tells.
 * Any thread. */
void jobs_submit(struct jobs *jobs, struct job *job);

/* Whether pictures can be made; else false with ERROR_NO_RENDERER and why. Any thread. */
bool jobs_ready(const struct jobs *jobs, struct error *err);

/* What renders: the first thread's renderer, the others are of the same kind. Any thread. */
const struct renderer_info *jobs_renderer(const struct jobs *jobs);
