// Gives memory back that malloc keeps in pieces.
#include "work/trim.h"

#include <malloc.h>
#include <stddef.h>

/* Seconds between two times: each holds up threads that allocate meanwhile. */
#define APART_S 15.0

static bool run(struct job *job, struct renderer *renderer) {
	(void)renderer;
	struct trim *trim = (struct trim *)((char *)job - offsetof(struct trim, job));
	malloc_trim(0);
	atomic_store(&trim->under_way, false);
	return true;
}

void trim_now_and_then(struct trim *trim, struct jobs *pool, double now_s) {
	if (now_s < trim->next_s || atomic_load(&trim->under_way)) {
		return;
	}
	trim->next_s = now_s + APART_S;
	trim->job.run = run;
	atomic_store(&trim->under_way, true);
	jobs_submit(pool, &trim->job);
}
