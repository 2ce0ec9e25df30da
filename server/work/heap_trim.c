// Gives memory back that malloc keeps in pieces.
#include "work/heap_trim.h"

#include <malloc.h>
#include <stddef.h>

/* Seconds between two times: each holds up threads that allocate meanwhile. */
#define APART_S 15.0

static bool run(struct job *job, struct renderer *renderer) {
	(void)renderer;
	struct heap_trim *trim =
		(struct heap_trim *)((char *)job - offsetof(struct heap_trim, job));
	malloc_trim(0);
	atomic_store(&trim->under_way, false);
	return true;
}

void heap_trim_now_and_then(struct heap_trim *trim, struct thread_pool *pool, double now_s) {
	if (now_s < trim->next_s || atomic_load(&trim->under_way)) {
		return;
	}
	trim->next_s = now_s + APART_S;
	trim->job.run = run;
	atomic_store(&trim->under_way, true);
	thread_pool_submit(pool, &trim->job);
}
