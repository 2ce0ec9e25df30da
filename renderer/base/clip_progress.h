/* Tells whoever waits for work on clips how far it is. */
#pragma once

#include <stddef.h>

struct clip_progress {
	/* On the thread that works, before clip `done` of `count`, from 0. It may be called again
	 * from the first clip on, where a file is made anew. */
	void (*tell)(void *context, int done, int count);
	void *context;
};

/* progress may be NULL. */
static inline void clip_progress_tell(const struct clip_progress *progress, int done, int count) {
	if (progress) {
		progress->tell(progress->context, done, count);
	}
}
