// Checks in the background.
#include "api/check_tasks.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/random.h>

#include "base/memory.h"
#include "cache/cache.h"
#include "cache/cached.h"
#include "limits.h"
#include "work/thread_pool.h"

/* An id is so many random bytes: who does not know it does not find the task. */
#define ID_BYTES 16

/* Tasks that are remembered; beyond, the oldest that have ended are forgotten. */
#define MAX_KNOWN 256

/* Tasks that are at work at the same time: more would take threads from requests, and memory. */
#define MAX_AT_WORK 2

/* Seconds of a turn, after which other jobs of the pool have theirs. */
#define TURN_S 0.1

struct check_task {
	struct check_tasks *tasks;
	char id[2 * ID_BYTES + 1];
	struct arena *arena;      // owned; its texts lie in it
	struct asset_check *work; // owned, until it has ended
	const struct check_report_format *format;
	const char *etag, *owner; // NULL = none
	const struct header *headers;
	size_t header_count;
	uint64_t client;
	struct stop stop;
	struct job job;
	bool restarted; // the graphics context was lost once

	/* Under tasks->mutex. */
	enum task_state state;
	struct check_progress progress; // once it has ended
	struct error err;
	struct cached *result; // a reference; NULL = none
	bool with_pool;        // a pool has the job: this executor's
	enum executor executor;
	TAILQ_ENTRY(check_task) of_all;
};

struct check_tasks {
	struct thread_pool *const *pools; // [EXECUTOR_COUNT]
	struct cache *cache;
	pthread_mutex_t mutex;
	TAILQ_HEAD(, check_task) all; // the oldest first
	size_t count;
	bool stopping;
};

struct check_tasks *check_tasks_create(struct thread_pool *const *pools, struct cache *cache) {
	struct check_tasks *tasks = xcalloc(1, sizeof *tasks);
	tasks->pools = pools;
	tasks->cache = cache;
	TAILQ_INIT(&tasks->all);
	pthread_mutex_init(&tasks->mutex, NULL);
	return tasks;
}

static void destroy(struct check_task *task) {
	asset_check_destroy(task->work);
	cached_release(task->result);
	arena_destroy(task->arena);
	free(task);
}

void check_tasks_destroy(struct check_tasks *tasks) {
	if (!tasks) {
		return;
	}
	struct check_task *task;
	while ((task = TAILQ_FIRST(&tasks->all))) {
		TAILQ_REMOVE(&tasks->all, task, of_all);
		destroy(task);
	}
	pthread_mutex_destroy(&tasks->mutex);
	free(tasks);
}

static bool has_ended(const struct check_task *task) {
	return task->state != TASK_WAITING && task->state != TASK_RUNNING;
}

/* Ends it, with a result or without. Under the mutex; the job is not the pool's any more. */
static void end(struct check_task *task, enum task_state state) {
	task->progress = asset_check_progress(task->work);
	task->state = state;
	asset_check_destroy(task->work);
	task->work = NULL;
}

/* Forgets one that has ended. Under the mutex. */
static void forget(struct check_task *task) {
	TAILQ_REMOVE(&task->tasks->all, task, of_all);
	task->tasks->count--;
	destroy(task);
}

/* Gives the job to the pool of its next turn. Under the mutex. */
static void submit(struct check_task *task) {
	task->with_pool = true;
	task->executor = asset_check_executor(task->work);
	thread_pool_submit(task->tasks->pools[task->executor], &task->job);
}

/* Gives the pools what waits, the oldest first, as far as it may be at work. Under the mutex. */
static void start_waiting(struct check_tasks *tasks) {
	size_t at_work = 0;
	struct check_task *task;
	TAILQ_FOREACH(task, &tasks->all, of_all) {
		at_work += task->with_pool;
	}
	TAILQ_FOREACH(task, &tasks->all, of_all) {
		if (at_work < MAX_AT_WORK && !task->with_pool && task->state == TASK_WAITING) {
			submit(task);
			at_work++;
		}
	}
}

/* Cancels one that has not ended: at once, or as soon as its thread sees it. Under the mutex. */
static void cancel(struct check_task *task) {
	atomic_store(&task->stop.left, true);
	if (!task->with_pool ||
		thread_pool_cancel(task->tasks->pools[task->executor], &task->job)) {
		task->with_pool = false;
		end(task, TASK_CANCELLED);
	}
}

/* --- Turns --- */

static struct cached *make_result(struct check_task *task) {
	struct buffer body = {0};
	asset_check_write(task->work, task->format, &body);
	const struct cached_parts parts = {
		.content_type = task->format->media_type,
		.headers = task->headers,
		.header_count = task->header_count,
		.take_body = &body,
	};
	struct cached *result = cached_create(&parts);
	if (task->etag) {
		cache_put(task->tasks->cache, task->etag, result);
	}
	return result;
}

/* Under the mutex. */
static void end_turn(struct check_task *task, bool ok, bool done, struct cached *result) {
	task->with_pool = false;
	task->result = result;
	if (ok && !done && !atomic_load(&task->stop.left)) {
		submit(task);
		return;
	}
	end(task,
		done && ok                              ? TASK_DONE
			: atomic_load(&task->stop.left) ? TASK_CANCELLED
							: TASK_FAILED);
	start_waiting(task->tasks);
}

/* True once for a task whose graphics context was lost: it goes on with another. */
static bool restart(struct check_task *task, const struct error *err) {
	const bool again = err->code == ERROR_CONTEXT_LOST && !task->restarted;
	task->restarted |= again;
	return again;
}

static bool run(struct job *job, struct renderer *renderer) {
	struct check_task *task =
		(struct check_task *)((char *)job - offsetof(struct check_task, job));
	struct check_tasks *tasks = task->tasks;
	struct check_turn turn = {.stop = &task->stop, .seconds = TURN_S};
	struct error err = {0};
	bool done = false;
	pthread_mutex_lock(&tasks->mutex);
	task->state = TASK_RUNNING;
	turn.renderer = task->executor == EXECUTOR_RENDER ? renderer : NULL;
	pthread_mutex_unlock(&tasks->mutex);
	const bool ok = asset_check_turn(task->work, &turn, &done, &err);
	if (restart(task, &err)) {
		return false;
	}
	struct cached *result = ok && done ? make_result(task) : NULL;
	pthread_mutex_lock(&tasks->mutex);
	task->err = err;
	end_turn(task, ok, done, result);
	pthread_mutex_unlock(&tasks->mutex);
	return true;
}

/* --- Beginning --- */

static bool make_id(char id[static 2 * ID_BYTES + 1], struct error *err) {
	unsigned char bytes[ID_BYTES];
	if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) {
		return error_set(err, ERROR_INTERNAL, "getrandom fails");
	}
	for (size_t i = 0; i < sizeof bytes; i++) {
		snprintf(id + 2 * i, 3, "%02x", bytes[i]);
	}
	return true;
}

static bool is_owner(const struct check_task *task, const char *owner) {
	return task->owner && owner ? strcmp(task->owner, owner) == 0 : task->owner == owner;
}

/* Under the mutex. NULL = there is none. */
static struct check_task *find_same(
	struct check_tasks *tasks, const struct check_task_params *params) {
	struct check_task *task;
	TAILQ_FOREACH(task, &tasks->all, of_all) {
		if (task->etag && params->etag && strcmp(task->etag, params->etag) == 0 &&
			is_owner(task, params->owner) && task->state != TASK_FAILED &&
			task->state != TASK_CANCELLED && !atomic_load(&task->stop.left)) {
			return task;
		}
	}
	return NULL;
}

/* Under the mutex. */
static bool check_room(const struct check_tasks *tasks, const struct check_task_params *params,
	struct error *err) {
	size_t at_work = 0, own = 0;
	const struct check_task *task;
	TAILQ_FOREACH(task, &tasks->all, of_all) {
		at_work += !has_ended(task);
		own += !has_ended(task) && task->client == params->client;
	}
	if (tasks->stopping) {
		return error_set(
			err, ERROR_SHUTTING_DOWN, "the daemon is finishing its last requests");
	}
	if (own >= LIMIT_CLIENT_CHECKS) {
		return error_set(err, ERROR_CLIENT_SHARE,
			"this client has %zu checks in the background, may have %d", own,
			LIMIT_CLIENT_CHECKS);
	}
	return at_work < LIMIT_CHECKS ||
		error_set(err, ERROR_OVERLOADED, "%zu checks are under way already", at_work);
}

/* Under the mutex. */
static void forget_oldest(struct check_tasks *tasks) {
	struct check_task *task = TAILQ_FIRST(&tasks->all);
	while (task && !has_ended(task)) {
		task = TAILQ_NEXT(task, of_all);
	}
	if (task && tasks->count >= MAX_KNOWN) {
		forget(task);
	}
}

static const char *copy_text(struct arena *arena, const char *text) {
	return text ? arena_strndup(arena, text, strlen(text)) : NULL;
}

static const struct header *copy_headers(
	struct arena *arena, const struct header *headers, size_t count) {
	struct header *copy = arena_alloc(arena, count, sizeof *copy);
	for (size_t i = 0; i < count; i++) {
		copy[i].name = copy_text(arena, headers[i].name);
		copy[i].value = copy_text(arena, headers[i].value);
	}
	return copy;
}

/* A task that is in no list so far. NULL with *err. */
static struct check_task *create(
	struct check_tasks *tasks, const struct check_task_params *params, struct error *err) {
	struct check_task *task = xcalloc(1, sizeof *task);
	task->tasks = tasks;
	task->arena = arena_create();
	task->work = params->take_work;
	task->format = params->format;
	task->etag = copy_text(task->arena, params->etag);
	task->owner = copy_text(task->arena, params->owner);
	task->headers = copy_headers(task->arena, params->headers, params->header_count);
	task->header_count = params->header_count;
	task->client = params->client;
	task->job.run = run;
	task->job.client = params->client;
	if (!make_id(task->id, err)) {
		destroy(task);
		return NULL;
	}
	return task;
}

static struct check_task_description describe(const struct check_task *task, struct arena *arena) {
	const struct check_progress progress =
		task->work ? asset_check_progress(task->work) : task->progress;
	return (struct check_task_description){
		.id = copy_text(arena, task->id),
		.state = task->state,
		.clips_done = progress.done,
		.clips = progress.of,
		.error = task->err,
	};
}

/* Adds it to the list, unless there is the same already, which is returned then. Under the mutex.
 * NULL with *err. */
static struct check_task *enter(struct check_tasks *tasks, struct check_task *task,
	const struct check_task_params *params, struct error *err) {
	struct check_task *same = find_same(tasks, params);
	if (same || !check_room(tasks, params, err)) {
		destroy(task);
		return same;
	}
	forget_oldest(tasks);
	TAILQ_INSERT_TAIL(&tasks->all, task, of_all);
	tasks->count++;
	start_waiting(tasks);
	return task;
}

bool check_tasks_begin(struct check_tasks *tasks, const struct check_task_params *params,
	struct arena *arena, struct check_task_description *out, struct error *err) {
	struct check_task *task = create(tasks, params, err);
	if (!task) {
		return false;
	}
	pthread_mutex_lock(&tasks->mutex);
	task = enter(tasks, task, params, err);
	if (task) {
		*out = describe(task, arena);
	}
	pthread_mutex_unlock(&tasks->mutex);
	return task;
}

/* --- Known tasks --- */

/* Under the mutex. NULL with ERROR_UNKNOWN_CHECK. */
static struct check_task *find(
	struct check_tasks *tasks, const char *id, const char *owner, struct error *err) {
	struct check_task *task;
	TAILQ_FOREACH(task, &tasks->all, of_all) {
		if (strcmp(task->id, id) == 0 && is_owner(task, owner)) {
			return task;
		}
	}
	error_set(err, ERROR_UNKNOWN_CHECK,
		"no check \"%.40s\" in the background: it was forgotten, or never begun", id);
	return NULL;
}

bool check_tasks_find(struct check_tasks *tasks, const char *id, const char *owner,
	struct arena *arena, struct check_task_description *out, struct error *err) {
	pthread_mutex_lock(&tasks->mutex);
	const struct check_task *task = find(tasks, id, owner, err);
	if (task) {
		*out = describe(task, arena);
	}
	pthread_mutex_unlock(&tasks->mutex);
	return task;
}

static bool tell(const struct check_task *task, struct error *err) {
	switch (task->state) {
	case TASK_DONE:
		return true;
	case TASK_FAILED:
		return error_pass(err, &task->err);
	case TASK_CANCELLED:
		return error_set(err, ERROR_CONFLICT, "the check was cancelled");
	case TASK_WAITING:
	case TASK_RUNNING:
		break;
	}
	return error_set(err, ERROR_CONFLICT,
		"the check is not done yet; GET /v1/checks/%s tells how far it is", task->id);
}

struct cached *check_tasks_result(
	struct check_tasks *tasks, const char *id, const char *owner, struct error *err) {
	pthread_mutex_lock(&tasks->mutex);
	const struct check_task *task = find(tasks, id, owner, err);
	struct cached *result = task && tell(task, err) ? cached_retain(task->result) : NULL;
	pthread_mutex_unlock(&tasks->mutex);
	return result;
}

bool check_tasks_cancel(
	struct check_tasks *tasks, const char *id, const char *owner, struct error *err) {
	pthread_mutex_lock(&tasks->mutex);
	struct check_task *task = find(tasks, id, owner, err);
	if (task && has_ended(task)) {
		forget(task);
	} else if (task) {
		cancel(task);
		start_waiting(tasks);
	}
	pthread_mutex_unlock(&tasks->mutex);
	return task;
}

void check_tasks_stop(struct check_tasks *tasks) {
	pthread_mutex_lock(&tasks->mutex);
	tasks->stopping = true;
	struct check_task *task;
	TAILQ_FOREACH(task, &tasks->all, of_all) {
		if (!has_ended(task)) {
			cancel(task);
		}
	}
	pthread_mutex_unlock(&tasks->mutex);
}
