// Fits: the making of data that skinning methods need of a rig.
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "model/examples.h"
#include "request.h"
#include "store/hash.h"
#include "work/fits_entries.h"

/* Fits that may wait: each holds its rig and examples in memory. */
#define MAX_WAITING 64

/* Fits that are remembered; beyond, the oldest that have ended are forgotten. */
#define MAX_KNOWN 1024

/* Whoever waits for another thread looks this often at whether it still should. */
#define WAIT_S 0.02

struct fits *fits_create(const struct fits_options *options) {
	struct fits *fits = xcalloc(1, sizeof *fits);
	fits->options = *options;
	fits->options.make = options->make ? options->make : renderer_make_data;
	fits->options.look = options->look ? options->look : renderer_look_at_data;
	TAILQ_INIT(&fits->entries);
	pthread_mutex_init(&fits->mutex, NULL);
	pthread_cond_init(&fits->ended, NULL);
	return fits;
}

/* A method's settings take the same data if they have the same id here. */
static bool write_id(
	const struct fit_params *params, char id[static ID_DIGITS + 1], struct error *err) {
	struct renderer_method method;
	struct renderer_option options[SKIN_OPTIONS_MAX + 1];
	if (!renderer_read_options(&params->settings, &method, options, err)) {
		return false;
	}
	double values[SKIN_OPTIONS_MAX + 1] = {params->settings.normals};
	size_t count = 1;
	for (; options[count - 1].option; count++) {
		values[count] = options[count - 1].value;
	}
	const char *basis = fit_basis(params->hold, params->needs.examples);
	const struct hash_part parts[] = {{basis, strlen(basis)}, {method.id, strlen(method.id)},
		{values, count * sizeof *values}};
	char hash[HASH_TEXT_BYTES];
	hash_parts(parts, sizeof parts / sizeof *parts, hash);
	snprintf(id, ID_DIGITS + 1, "%.*s", ID_DIGITS, hash);
	return true;
}

/* The settings in memory of the entry's own: the request's goes with the request. */
static void copy_settings(const struct fit_params *params, struct entry *entry) {
	entry->arena = arena_create();
	request_copy_skinning(params->skinning, entry->arena, &entry->settings);
}

static void hold_model(const struct fit_params *params, struct entry *entry) {
	entry->model = rig_retain(params->hold->rig);
	entry->examples = params->needs.examples ? examples_retain(params->hold->examples) : NULL;
}

/* Adds an entry behind all others. Under the mutex. */
static struct entry *add(struct fits *fits, const struct fit_params *params, const char *id) {
	const char *rig = params->hold->summary.name;
	const char *basis = fit_basis(params->hold, params->needs.examples);
	struct entry *entry = xcalloc(1, sizeof *entry);
	entry->fits = fits;
	strcpy(entry->id, id);
	entry->rig = xstrndup(rig, strlen(rig));
	entry->basis = xstrndup(basis, strlen(basis));
	entry->uses_examples = params->needs.examples;
	copy_settings(params, entry);
	hold_model(params, entry);
	TAILQ_INSERT_TAIL(&fits->entries, entry, of_all);
	fits->count++;
	return entry;
}

/* Makes room for one more. Under the mutex. */
static void forget_oldest(struct fits *fits) {
	struct entry *entry = TAILQ_FIRST(&fits->entries);
	while (entry && !fit_has_ended(entry)) {
		entry = TAILQ_NEXT(entry, of_all);
	}
	if (entry && fits->count > MAX_KNOWN) {
		fit_forget(entry);
	}
}

static bool check_room(const struct fits *fits, struct error *err) {
	size_t waiting = 0;
	const struct entry *entry;
	TAILQ_FOREACH(entry, &fits->entries, of_all) {
		waiting += entry->state == TASK_WAITING;
	}
	if (fits->stopping) {
		return error_set(
			err, ERROR_SHUTTING_DOWN, "the daemon is finishing its last requests");
	}
	return waiting < MAX_WAITING ||
		error_set(err, ERROR_OVERLOADED, "%zu fits are waiting already", waiting);
}

/* The entry for these params, new or known; one that failed or was cancelled waits again. NULL with
 * ERROR_OVERLOADED or ERROR_SHUTTING_DOWN. Under the mutex. */
static struct entry *take(
	struct fits *fits, const struct fit_params *params, const char *id, struct error *err) {
	fits_outdate(fits, params->hold->summary.name, params->hold);
	struct entry *entry = fits_entry(fits, params->hold->summary.name, id);
	const bool begins = !entry || entry->state == TASK_FAILED || entry->state == TASK_CANCELLED;
	if (!begins) {
		return entry;
	}
	if (!check_room(fits, err)) {
		return NULL;
	}
	if (entry) {
		entry->state = TASK_WAITING;
		entry->err = (struct error){0};
		entry->share = 0;
		atomic_store(&entry->stop.left, false);
		hold_model(params, entry);
		return entry;
	}
	forget_oldest(fits);
	return add(fits, params, id);
}

/* Makes the data of an entry that no other thread is at. Under the mutex, which it releases
 * meanwhile; the caller is a user. */
static void make(struct entry *entry) {
	struct fits *fits = entry->fits;
	const struct data_job job = fit_job(entry);
	struct data_report report = {0};
	struct error err = {0};
	entry->state = TASK_RUNNING;
	pthread_mutex_unlock(&fits->mutex);
	const bool made = fits->options.make(&job, &report, &err);
	pthread_mutex_lock(&fits->mutex);
	entry->report = report;
	entry->err = err;
	entry->share = made ? 1 : entry->share;
	fit_end(entry,
		made                                     ? TASK_DONE
			: atomic_load(&entry->stop.left) ? TASK_CANCELLED
							 : TASK_FAILED);
}

static bool run(struct job *job, struct renderer *renderer) {
	(void)renderer;
	struct entry *entry = (struct entry *)((char *)job - offsetof(struct entry, job));
	struct fits *fits = entry->fits;
	pthread_mutex_lock(&fits->mutex);
	entry->queued = false;
	if (entry->state == TASK_WAITING) {
		make(entry);
	}
	fit_leave(entry);
	pthread_mutex_unlock(&fits->mutex);
	return true;
}

/* Gives the job to the pool. Under the mutex. */
static void submit(struct entry *entry) {
	entry->queued = true;
	entry->users++;
	entry->job.run = run;
	thread_pool_submit(entry->fits->options.pool, &entry->job);
}

bool fits_begin(struct fits *fits, const struct fit_params *params, struct arena *arena,
	struct fit_description *out, struct error *err) {
	const struct data_job job = {
		.subject = {.rig = params->hold->rig,
			.examples = params->needs.examples ? params->hold->examples : NULL,
			.skinning = params->settings},
		.library = fits->options.library,
	};
	char id[ID_DIGITS + 1];
	struct data_report report;
	if (!write_id(params, id, err) || !fits->options.look(&job, true, &report, err)) {
		return false;
	}
	pthread_mutex_lock(&fits->mutex);
	struct entry *entry = take(fits, params, id, err);
	if (entry && entry->state == TASK_WAITING && !entry->queued) {
		if (report.ready) {
			entry->report = report;
			entry->share = 1;
			fit_end(entry, TASK_DONE);
		} else {
			submit(entry);
		}
	}
	if (entry) {
		*out = fit_describe(entry, arena);
	}
	pthread_mutex_unlock(&fits->mutex);
	return entry;
}

/* The result of an entry that has ended, for those who waited for it. */
static bool tell(const struct entry *entry, struct error *err) {
	switch (entry->state) {
	case TASK_DONE:
		return true;
	case TASK_FAILED:
		return entry->err.has_pointer
			? error_at(err, entry->err.code, entry->err.pointer, "%s", entry->err.text)
			: error_set(err, entry->err.code, "%s", entry->err.text);
	case TASK_WAITING:
	case TASK_RUNNING:
	case TASK_CANCELLED:
		break;
	}
	return error_set(err, ERROR_CONFLICT,
		"the fit that this waited for was cancelled, or its rig or examples are others "
		"now; ask again");
}

bool fits_make(struct fits *fits, const struct fit_params *params, const struct stop *stop,
	struct error *err) {
	char id[ID_DIGITS + 1];
	if (!write_id(params, id, err)) {
		return false;
	}
	pthread_mutex_lock(&fits->mutex);
	struct entry *entry = take(fits, params, id, err);
	bool made = false;
	if (entry) {
		entry->users++;
		if (entry->state == TASK_WAITING && (!entry->queued || fit_unqueue(entry))) {
			make(entry);
		}
		bool waits = true;
		while (waits && !fit_has_ended(entry)) {
			wait_a_while(&fits->ended, &fits->mutex, WAIT_S);
			waits = stop_check(stop, err);
		}
		made = waits && tell(entry, err);
		fit_leave(entry);
	}
	pthread_mutex_unlock(&fits->mutex);
	return made;
}

const struct fit_description *fits_list(
	struct fits *fits, const struct store_hold *hold, struct arena *arena, size_t *count) {
	const char *rig = hold->summary.name;
	*count = 0;
	pthread_mutex_lock(&fits->mutex);
	fits_outdate(fits, rig, hold);
	struct fit_description *list = arena_alloc(arena, fits->count, sizeof *list);
	struct entry *entry;
	TAILQ_FOREACH(entry, &fits->entries, of_all) {
		if (strcmp(entry->rig, rig) == 0) {
			list[(*count)++] = fit_describe(entry, arena);
		}
	}
	pthread_mutex_unlock(&fits->mutex);
	return list;
}

/* Under the mutex; NULL with ERROR_UNKNOWN_FIT. */
static struct entry *find_known(
	struct fits *fits, const struct store_hold *hold, const char *id, struct error *err) {
	fits_outdate(fits, hold->summary.name, hold);
	struct entry *entry = fits_entry(fits, hold->summary.name, id);
	if (!entry) {
		error_set(err, ERROR_UNKNOWN_FIT,
			"no fit \"%.40s\" of rig \"%s\": it was forgotten, or its rig or examples "
			"are others now",
			id, hold->summary.name);
	}
	return entry;
}

bool fits_find(struct fits *fits, const struct store_hold *hold, const char *id,
	struct arena *arena, struct fit_description *out, struct error *err) {
	pthread_mutex_lock(&fits->mutex);
	struct entry *entry = find_known(fits, hold, id, err);
	if (entry) {
		*out = fit_describe(entry, arena);
	}
	pthread_mutex_unlock(&fits->mutex);
	return entry;
}

bool fits_cancel(
	struct fits *fits, const struct store_hold *hold, const char *id, struct error *err) {
	pthread_mutex_lock(&fits->mutex);
	struct entry *entry = find_known(fits, hold, id, err);
	if (entry && fit_has_ended(entry)) {
		fit_forget(entry);
	} else if (entry) {
		fit_call_off(entry);
	}
	pthread_mutex_unlock(&fits->mutex);
	return entry;
}

void fits_follow(struct fits *fits, struct store *store, const char *rig) {
	struct arena *arena = arena_create();
	struct store_hold hold;
	const bool there = store_hold(store, rig, HOLD_RIG, arena, &hold, NULL);
	pthread_mutex_lock(&fits->mutex);
	fits_outdate(fits, rig, there ? &hold : NULL);
	pthread_mutex_unlock(&fits->mutex);
	store_release(&hold);
	arena_destroy(arena);
}

void fits_stop(struct fits *fits) {
	pthread_mutex_lock(&fits->mutex);
	fits->stopping = true;
	struct entry *entry;
	TAILQ_FOREACH(entry, &fits->entries, of_all) {
		fit_call_off(entry);
	}
	pthread_mutex_unlock(&fits->mutex);
}

void fits_destroy(struct fits *fits) {
	if (!fits) {
		return;
	}
	while (!TAILQ_EMPTY(&fits->entries)) {
		fit_forget(TAILQ_FIRST(&fits->entries));
	}
	pthread_cond_destroy(&fits->ended);
	pthread_mutex_destroy(&fits->mutex);
	free(fits);
}
