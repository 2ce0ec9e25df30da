// Threads of a pool that have nothing to do help one that works.
#include "work/assistants.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/memory.h"

struct assistant {
	struct job job;
	struct assistants *assistants;
	bool out;  // under the mutex: the job waits for a thread, or has one
	bool lost; // the thread's graphics context was, and is made again now
};

struct assistants {
	struct thread_pool *pool;
	struct sequence_help help;
	bool (*work)(void *task, struct renderer *renderer);
	void *task;
	pthread_mutex_t mutex;
	pthread_cond_t back;
	struct assistant all[ASSISTANTS_MAX];
};

static void come_back(struct assistant *assistant) {
	struct assistants *assistants = assistant->assistants;
	pthread_mutex_lock(&assistants->mutex);
	assistant->out = false;
	pthread_cond_signal(&assistants->back);
	pthread_mutex_unlock(&assistants->mutex);
}

static bool help_out(struct assistants *assistants, struct renderer *renderer) {
	pthread_mutex_lock(&assistants->mutex);
	bool (*const work)(void *task, struct renderer *renderer) = assistants->work;
	void *const task = assistants->task;
	pthread_mutex_unlock(&assistants->mutex);
	return work(task, renderer);
}

static bool run(struct job *job, struct renderer *renderer) {
	struct assistant *assistant =
		(struct assistant *)((char *)job - offsetof(struct assistant, job));
	// The second time, with another context, there is nothing left to do.
	assistant->lost = !assistant->lost && !help_out(assistant->assistants, renderer);
	if (assistant->lost) {
		return false;
	}
	come_back(assistant);
	return true;
}

static void ask(void *context, bool (*work)(void *task, struct renderer *renderer), void *task) {
	struct assistants *assistants = context;
	pthread_mutex_lock(&assistants->mutex);
	assistants->work = work;
	assistants->task = task;
	for (int i = 0; i < ASSISTANTS_MAX; i++) {
		struct assistant *assistant = &assistants->all[i];
		assistant->out =
			assistant->out || thread_pool_offer(assistants->pool, &assistant->job);
	}
	pthread_mutex_unlock(&assistants->mutex);
}

static bool is_wanted(void *context) {
	const struct assistants *assistants = context;
	return thread_pool_are_waiting(assistants->pool);
}

static void end(void *context) {
	struct assistants *assistants = context;
	pthread_mutex_lock(&assistants->mutex);
	for (int i = 0; i < ASSISTANTS_MAX; i++) {
		struct assistant *assistant = &assistants->all[i];
		assistant->out =
			assistant->out && !thread_pool_cancel(assistants->pool, &assistant->job);
		while (assistant->out) {
			pthread_cond_wait(&assistants->back, &assistants->mutex);
		}
	}
	pthread_mutex_unlock(&assistants->mutex);
}

struct assistants *assistants_create(struct thread_pool *pool) {
	struct assistants *assistants = xcalloc(1, sizeof *assistants);
	assistants->pool = pool;
	assistants->help = (struct sequence_help){assistants, ask, is_wanted, end};
	pthread_mutex_init(&assistants->mutex, NULL);
	pthread_cond_init(&assistants->back, NULL);
	for (int i = 0; i < ASSISTANTS_MAX; i++) {
		assistants->all[i] = (struct assistant){.job.run = run, .assistants = assistants};
	}
	return assistants;
}

void assistants_destroy(struct assistants *assistants) {
	if (assistants) {
		pthread_cond_destroy(&assistants->back);
		pthread_mutex_destroy(&assistants->mutex);
		free(assistants);
	}
}

const struct sequence_help *assistants_help(const struct assistants *assistants) {
	return &assistants->help;
}
