// Threads of a pool that have nothing to do help one that works.
#include "helpers.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/memory.h"

struct helper {
	struct job job;
	struct helpers *helpers;
	bool out;  // under the mutex: the job waits for a thread, or has one
	bool lost; // the thread's context was, and is made anew now
};

struct helpers {
	struct jobs *pool;
	struct reel_help help;
	bool (*work)(void *task, struct renderer *renderer);
	void *task;
	pthread_mutex_t mutex;
	pthread_cond_t back;
	struct helper all[HELPERS_MOST];
};

static void come_back(struct helper *helper) {
	struct helpers *helpers = helper->helpers;
	pthread_mutex_lock(&helpers->mutex);
	helper->out = false;
	pthread_cond_signal(&helpers->back);
	pthread_mutex_unlock(&helpers->mutex);
}

static bool help_out(struct helpers *helpers, struct renderer *renderer) {
	pthread_mutex_lock(&helpers->mutex);
	bool (*const work)(void *task, struct renderer *renderer) = helpers->work;
	void *const task = helpers->task;
	pthread_mutex_unlock(&helpers->mutex);
	return work(task, renderer);
}

static bool run(struct job *job, struct renderer *renderer) {
	struct helper *helper = (struct helper *)((char *)job - offsetof(struct helper, job));
	// The second time, with another context, there is nothing left to do.
	helper->lost = !helper->lost && !help_out(helper->helpers, renderer);
	if (helper->lost) {
		return false;
	}
	come_back(helper);
	return true;
}

static void ask(void *context, bool (*work)(void *task, struct renderer *renderer), void *task) {
	struct helpers *helpers = context;
	pthread_mutex_lock(&helpers->mutex);
	helpers->work = work;
	helpers->task = task;
	for (int i = 0; i < HELPERS_MOST; i++) {
		struct helper *helper = &helpers->all[i];
		helper->out = helper->out || jobs_offer(helpers->pool, &helper->job);
	}
	pthread_mutex_unlock(&helpers->mutex);
}

static bool is_wanted(void *context) {
	const struct helpers *helpers = context;
	return jobs_wait(helpers->pool);
}

static void end(void *context) {
	struct helpers *helpers = context;
	pthread_mutex_lock(&helpers->mutex);
	for (int i = 0; i < HELPERS_MOST; i++) {
		struct helper *helper = &helpers->all[i];
		helper->out = helper->out && !jobs_cancel(helpers->pool, &helper->job);
		while (helper->out) {
			pthread_cond_wait(&helpers->back, &helpers->mutex);
		}
	}
	pthread_mutex_unlock(&helpers->mutex);
}

struct helpers *helpers_create(struct jobs *pool) {
	struct helpers *helpers = xcalloc(1, sizeof *helpers);
	helpers->pool = pool;
	helpers->help = (struct reel_help){helpers, ask, is_wanted, end};
	pthread_mutex_init(&helpers->mutex, NULL);
	pthread_cond_init(&helpers->back, NULL);
	for (int i = 0; i < HELPERS_MOST; i++) {
		helpers->all[i] = (struct helper){.job.run = run, .helpers = helpers};
	}
	return helpers;
}

void helpers_destroy(struct helpers *helpers) {
	if (helpers) {
		pthread_cond_destroy(&helpers->back);
		pthread_mutex_destroy(&helpers->mutex);
		free(helpers);
	}
}

const struct reel_help *helpers_help(const struct helpers *helpers) {
	return &helpers->help;
}
