// Files that are not whole yet.
#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A thread waits for the signals, which all others have blocked: unlike a handler it needs nothing
 * that is global, and may wait for a file that is being made or renamed. */
struct temporary {
	char *path, *name;    // its final name, and its name until then
	pthread_mutex_t lock; // of exists
	bool exists;          // under its name
	pthread_t thread;
	bool waits;       // the thread is there
	sigset_t ends;    // the signals that it waits for
	sigset_t blocked; // by the caller, before
};

/* Ends the program as the signal would have, and holds the lock until then. */
static void *await_end(void *context) {
	struct temporary *temporary = context;
	int number;
	if (sigwait(&temporary->ends, &number) != 0) {
		return NULL;
	}
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	pthread_mutex_lock(&temporary->lock);
	if (temporary->exists) {
		unlink(temporary->name);
	}
	pthread_sigmask(SIG_UNBLOCK, &temporary->ends, NULL);
	raise(number);
	return NULL;
}

/* Signals that would end the program now. */
static void find_ends(sigset_t *ends) {
	static const int all[] = {SIGINT, SIGTERM, SIGHUP};
	sigset_t blocked;
	pthread_sigmask(SIG_SETMASK, NULL, &blocked);
	sigemptyset(ends);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		struct sigaction action;
		sigaction(all[i], NULL, &action);
		if (action.sa_handler == SIG_DFL && !sigismember(&blocked, all[i])) {
			sigaddset(ends, all[i]);
		}
	}
}

static char *name_part(const char *path) {
	const size_t room = strlen(path) + 32;
	char *name = malloc(room);
	if (name) {
		snprintf(name, room, "%s.%ld.part", path, (long)getpid());
	}
	return name;
}

struct temporary *temporary_create(const char *path) {
	struct temporary *temporary = calloc(1, sizeof *temporary);
	if (!temporary) {
		return NULL;
	}
	pthread_mutex_init(&temporary->lock, NULL);
	find_ends(&temporary->ends);
	pthread_sigmask(SIG_BLOCK, &temporary->ends, &temporary->blocked);
	temporary->path = strdup(path);
	temporary->name = name_part(path);
	errno = temporary->path && temporary->name
		? pthread_create(&temporary->thread, NULL, await_end, temporary)
		: ENOMEM;
	temporary->waits = errno == 0;
	if (!temporary->waits) {
		temporary_destroy(temporary);
		return NULL;
	}
	return temporary;
}

int temporary_open(struct temporary *temporary, mode_t mode) {
	pthread_mutex_lock(&temporary->lock);
	const int file = open(temporary->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	temporary->exists = file >= 0;
	pthread_mutex_unlock(&temporary->lock);
	return file;
}

bool temporary_rename(struct temporary *temporary) {
	pthread_mutex_lock(&temporary->lock);
	const bool renamed = rename(temporary->name, temporary->path) == 0;
	temporary->exists &= !renamed;
	pthread_mutex_unlock(&temporary->lock);
	return renamed;
}

void temporary_destroy(struct temporary *temporary) {
	if (!temporary) {
		return;
	}
	const int reason = errno;
	if (temporary->exists) {
		unlink(temporary->name);
	}
	if (temporary->waits) {
		// Of a thread that has a signal this is not the end, but that of the program.
		pthread_cancel(temporary->thread);
		pthread_join(temporary->thread, NULL);
	}
	pthread_sigmask(SIG_SETMASK, &temporary->blocked, NULL);
	pthread_mutex_destroy(&temporary->lock);
	free(temporary->path);
	free(temporary->name);
	free(temporary);
	errno = reason;
}
