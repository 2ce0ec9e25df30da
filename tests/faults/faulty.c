/* Faults that no driver makes on demand, for a daemon under test. The Makefile links this file and
 * the daemon's own objects into build/CONFIG/tests/faults/posed, where the linker's --wrap puts
 * __wrap_egl_is_lost() before egl_is_lost(): the look at the context that ends every piece of work
 * on the GPU, pictures and vertices alike. Nothing of it is in the product.
 *
 * The environment variable POSED_FAULTS names a file. When it appears, the next such look takes it
 * up and removes it, so that a test knows when its fault is on its way; write it under another name
 * and rename it. Its lines:
 *
 *   lose-context N   the next N looks find the context lost
 *   hang MS          the next look takes MS milliseconds, as a hung driver would, or until a file
 *                    is there whose name has .end behind that of POSED_FAULTS
 *
 * A rebuilt context is warmed up with several pieces of work, each of which looks: with N = 1 the
 * rebuild works, with N = 2 it fails once, with N = 3 twice. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gl/egl.h"

static struct {
	pthread_mutex_t mutex; // render threads look side by side
	int losses;
	int hang_ms;
} faults = {.mutex = PTHREAD_MUTEX_INITIALIZER};

bool __real_egl_is_lost(struct egl *egl);
bool __wrap_egl_is_lost(struct egl *egl);

/* A line that says something else is a mistake of the test. */
static void take_line(const char *line) {
	int number;
	if (sscanf(line, "lose-context %d", &number) == 1) {
		faults.losses = number;
	} else if (sscanf(line, "hang %d", &number) == 1) {
		faults.hang_ms = number;
	} else {
		fprintf(stderr, "POSED_FAULTS: no fault is called %s", line);
		abort();
	}
}

static void take_file(void) {
	const char *path = getenv("POSED_FAULTS");
	FILE *file = path ? fopen(path, "re") : NULL;
	if (!file) {
		return;
	}
	char line[80];
	while (fgets(line, sizeof line, file)) {
		take_line(line);
	}
	fclose(file);
	unlink(path);
}

static bool is_ended(void) {
	char path[4096];
	snprintf(path, sizeof path, "%s.end", getenv("POSED_FAULTS"));
	return access(path, F_OK) == 0;
}

static void hang(int milliseconds) {
	const struct timespec slice = {.tv_nsec = 10 * 1000000L};
	for (int passed = 0; passed < milliseconds && !is_ended(); passed += 10) {
		nanosleep(&slice, NULL);
	}
}

bool __wrap_egl_is_lost(struct egl *egl) {
	pthread_mutex_lock(&faults.mutex);
	take_file();
	const bool lost = faults.losses > 0;
	faults.losses -= lost;
	const int hang_ms = faults.hang_ms;
	faults.hang_ms = 0;
	pthread_mutex_unlock(&faults.mutex);
	hang(hang_ms);
	return lost || __real_egl_is_lost(egl);
}
