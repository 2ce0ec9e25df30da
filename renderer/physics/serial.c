// Runs the tasks that ODE gives to other threads on the thread that steps a world.
#include "physics/physics.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"

/* A call to be made when nothing is left that it depends on. */
struct job {
	dThreadedCallFunction *call;
	void *context;
	dcallindex_t index;
	ddependencycount_t awaited; // calls that have to end first; of its own, once it has begun
	bool begun, failed;
	struct job *dependent; // waits for this one; NULL = none
	int *failure;          // where to tell; NULL = nowhere
	bool *done;            // where to tell; NULL = nowhere
	struct job *next;      // in the list that it is in
	struct job *made;      // the one made before it
};

struct serial {
	struct job *first, **end; // that can be called
	struct job *free;
	struct job *made; // all
};

static struct serial *serial_of(dThreadingImplementationID threading) {
	return (struct serial *)threading;
}

static struct job *take(struct serial *serial) {
	struct job *job = serial->free;
	if (job) {
		serial->free = job->next;
		struct job *made = job->made;
		*job = (struct job){.made = made};
		return job;
	}
	job = xcalloc(1, sizeof *job);
	job->made = serial->made;
	serial->made = job;
	return job;
}

/* Nothing is left that a job waits for: it can begin, or it has come to its end, which others may
 * wait for. */
static void settle(struct serial *serial, struct job *job) {
	while (job && job->begun) {
		struct job *dependent = job->dependent;
		if (job->failure) {
			*job->failure = job->failed;
		}
		if (job->done) {
			*job->done = true;
		}
		if (dependent) {
			dependent->failed = dependent->failed || job->failed;
			dependent->awaited--;
		}
		job->next = serial->free;
		serial->free = job;
		job = dependent && dependent->awaited == 0 ? dependent : NULL;
	}
	if (job) {
		job->next = NULL;
		*serial->end = job;
		serial->end = &job->next;
	}
}

static void begin(struct serial *serial) {
	struct job *job = serial->first;
	serial->first = job->next;
	if (!serial->first) {
		serial->end = &serial->first;
	}
	job->begun = true;
	job->awaited = 1; // itself
	if (!job->call(job->context, job->index, (dCallReleaseeID)job)) {
		job->failed = true;
	}
	job->awaited--;
	if (job->awaited == 0) {
		settle(serial, job);
	}
}

static void post(dThreadingImplementationID threading, int *failure, dCallReleaseeID *posted,
	ddependencycount_t awaited, dCallReleaseeID dependent, dCallWaitID wait,
	dThreadedCallFunction *call, void *context, dcallindex_t index, const char *name) {
	(void)name;
	struct serial *serial = serial_of(threading);
	struct job *job = take(serial);
	job->call = call;
	job->context = context;
	job->index = index;
	job->awaited = awaited;
	job->dependent = (struct job *)dependent;
	job->failure = failure;
	job->done = (bool *)wait;
	if (posted) {
		*posted = (dCallReleaseeID)job;
	}
	if (awaited == 0) {
		settle(serial, job);
	}
}

static void alter(
	dThreadingImplementationID threading, dCallReleaseeID target, ddependencychange_t change) {
	struct job *job = (struct job *)target;
	job->awaited += (ddependencycount_t)change;
	if (job->awaited == 0) {
		settle(serial_of(threading), job);
	}
}

static void wait_for(dThreadingImplementationID threading, int *status, dCallWaitID wait,
	const dThreadedWaitTime *timeout, const char *name) {
	(void)timeout;
	(void)name;
	struct serial *serial = serial_of(threading);
	while (!*(bool *)wait) {
		assert(serial->first);
		begin(serial);
	}
	if (status) {
		*status = 1;
	}
}

static dCallWaitID create_wait(dThreadingImplementationID threading) {
	(void)threading;
	return xcalloc(1, sizeof(bool));
}

static void reset_wait(dThreadingImplementationID threading, dCallWaitID wait) {
	(void)threading;
	*(bool *)wait = false;
}

static void destroy_wait(dThreadingImplementationID threading, dCallWaitID wait) {
	(void)threading;
	free(wait);
}

/* There is one thread, which nobody needs to be locked out by: a group of locks is nothing but an
 * address. */
static dMutexGroupID create_locks(
	dThreadingImplementationID threading, dmutexindex_t count, const char *const *names) {
	(void)count;
	(void)names;
	return (dMutexGroupID)threading;
}

static void destroy_locks(dThreadingImplementationID threading, dMutexGroupID group) {
	(void)threading;
	(void)group;
}

static void lock(dThreadingImplementationID threading, dMutexGroupID group, dmutexindex_t index) {
	(void)threading;
	(void)group;
	(void)index;
}

static unsigned count_threads(dThreadingImplementationID threading) {
	(void)threading;
	return 1;
}

static int prepare(dThreadingImplementationID threading, ddependencycount_t calls) {
	(void)threading;
	(void)calls;
	return 1;
}

struct serial *serial_create(void) {
	struct serial *serial = xcalloc(1, sizeof *serial);
	serial->end = &serial->first;
	return serial;
}

void serial_destroy(struct serial *serial) {
	while (serial && serial->made) {
		struct job *job = serial->made;
		serial->made = job->made;
		free(job);
	}
	free(serial);
}

void serial_serve(struct serial *serial, dWorldID world) {
	static const dThreadingFunctionsInfo functions = {
		.struct_size = sizeof functions,
		.alloc_mutex_group = create_locks,
		.free_mutex_group = destroy_locks,
		.lock_group_mutex = lock,
		.unlock_group_mutex = lock,
		.alloc_call_wait = create_wait,
		.reset_call_wait = reset_wait,
		.free_call_wait = destroy_wait,
		.post_call = post,
		.alter_call_dependencies_count = alter,
		.wait_call = wait_for,
		.retrieve_thread_count = count_threads,
		.preallocate_resources_for_calls = prepare,
	};
	dWorldSetStepThreadingImplementation(world, &functions, (dThreadingImplementationID)serial);
}
