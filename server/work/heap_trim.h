/* Gives memory back that malloc keeps in pieces: responses and rigs of all sizes come and go on
 * many threads, and what is free between those that stay would otherwise only grow. */
#pragma once

#include <stdatomic.h>

#include "work/thread_pool.h"

/* Zero it before use; it lives as long as the pool. */
struct heap_trim {
	struct job job;
	atomic_bool under_way;
	double next_s; // on clock_now_s()
};

/* Has a thread of the pool do so if it is time, a few times a minute. The loop's thread. */
void heap_trim_now_and_then(struct heap_trim *trim, struct thread_pool *pool, double now_s);
