/* Checks in the background: each goes on behind the request that began it, turn by turn in the
 * pools beside the requests there, and its result waits for its client. A client that begins the
 * same check again gets the same task.
 *
 * Any thread, but for creating and destroying. */
#pragma once

#include "api/asset_check.h"

struct cached;
struct check_tasks;

/* The pools whose threads take the turns, by executor, and the cache that gets the results; all
 * borrowed. */
struct check_tasks *check_tasks_create(struct thread_pool *const *pools, struct cache *cache);

/* After the pools have ended. Takes NULL. */
void check_tasks_destroy(struct check_tasks *tasks);

/* Cancels all, and takes no more: the daemon is stopping. */
void check_tasks_stop(struct check_tasks *tasks);

struct check_task_params {
	struct asset_check *take_work;
	const struct check_report_format *format; // of the result
	const char *etag;                         // of the result; NULL = it is not cached
	const struct header *headers;             // [header_count] of the result
	size_t header_count;
	const char *owner; // token's name; NULL = none
	uint64_t client;   // whose share
};

/* Begins a task, or finds the owner's that is the same and has not failed; *out is its state, with
 * its strings in the arena. False with ERROR_CLIENT_SHARE, ERROR_OVERLOADED or
 * ERROR_SHUTTING_DOWN. The work is taken in any case. */
bool check_tasks_begin(struct check_tasks *tasks, const struct check_task_params *params,
	struct arena *arena, struct check_task_description *out, struct error *err);

/* The task of an id, if it is the owner's. False with ERROR_UNKNOWN_CHECK. */
bool check_tasks_find(struct check_tasks *tasks, const char *id, const char *owner,
	struct arena *arena, struct check_task_description *out, struct error *err);

/* A reference to the result of a task that is done. NULL with ERROR_UNKNOWN_CHECK, ERROR_CONFLICT
 * where it is not done or was cancelled, and with the task's own error. */
struct cached *check_tasks_result(
	struct check_tasks *tasks, const char *id, const char *owner, struct error *err);

/* Cancels a task that waits or runs, and forgets one that has ended. False with
 * ERROR_UNKNOWN_CHECK. */
bool check_tasks_cancel(
	struct check_tasks *tasks, const char *id, const char *owner, struct error *err);
