// Checks of many assets by many threads.
#include "check_work.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check_copy.h"
#include "base/clock.h"
#include "base/log.h"
#include "check_approved.h"
#include "check_outputs.h"
#include "check_pictures.h"
#include "check_version.h"
#include "interface/against.h"
#include "interface/evidence.h"
#include "progress.h"

/* The thread that reports progress looks so often. */
#define LOOK_S 0.2

/* An asset in memory. */
struct slot {
	bool taken;
	size_t index;                     // of the input
	struct arena *arena;              // of the checks
	struct check_version now, before; // before: of a run against an earlier version
	size_t steps, next, done;         // of now, then of before
	struct check_file file;           // when all steps are done
	bool waits;                       // for pictures, which the main thread draws
};

struct work {
	const struct check_options *options;
	const struct check_inputs *inputs;
	struct check_results *out;
	struct reader *reader; // of all threads
	const char ***missing; // [inputs->count] sentences, ended by NULL; NULL = none
	pthread_mutex_t lock;  // of what follows
	pthread_cond_t changed;
	struct arena *arena; // of the results
	struct slot *slots;  // [slot_count]
	size_t slot_count;
	size_t next;                     // input
	size_t done;                     // inputs
	const char *current;             // path of the last one begun
	bool cameras;                    // of findings are in some report
	struct check_pictures *pictures; // of the main thread; NULL = none are wanted
	struct check_approved *approved; // likewise; NULL = none are compared
};

/* --- One asset --- */

/* An earlier version that cannot be read leaves nothing to hold the asset against. */
static void begin_before(const struct work *work, struct slot *slot) {
	const struct check_input *input = work->inputs->against;
	check_version_begin(&slot->before, input, &slot->now.job, work->reader, slot->arena);
	const struct error *why = &slot->before.asset.err;
	if (why->code != ERROR_NONE) {
		error_set(&slot->now.asset.err, why->code, "--against %s: %s", input->path,
			why->text);
	}
}

/* Reads the asset and begins its check. */
static void begin(const struct work *work, struct slot *slot) {
	const struct check_input *input = &work->inputs->items[slot->index];
	const struct check_job job = {
		.profile = &work->options->profile,
		.path = input->path,
		.today = work->options->today,
	};
	slot->arena = arena_create();
	check_version_begin(&slot->now, input, &job, work->reader, slot->arena);
	if (slot->now.run && work->inputs->against) {
		begin_before(work, slot);
	}
	if (slot->now.asset.err.code == ERROR_NONE) {
		slot->steps = check_version_steps(&slot->now) + check_version_steps(&slot->before);
	}
}

/* Compares what the steps have left. pictures as in finish(). */
static void compare(const struct work *work, const struct slot *slot,
	struct check_pictures *pictures, struct check_approved_asset *asset) {
	const struct check_against_job against = {
		.before = slot->before.run, .after = slot->now.run};
	if (against.before) {
		renderer_check_against(&against, NULL);
	}
	if (pictures && work->approved) {
		check_pictures_approved(pictures, work->approved, asset);
	} else if (pictures && against.before) {
		check_pictures_against(pictures, &against);
	}
}

/* The results, with cameras where a report has them, in the slot's memory. Nothing stops what is
 * called here. pictures may be NULL; else this is the main thread. */
static struct check_file finish(
	const struct work *work, const struct slot *slot, struct check_pictures *pictures) {
	const bool read = slot->now.asset.err.code == ERROR_NONE;
	const struct check_evidence_job cameras = {
		.run = slot->now.run, .pictures = EVIDENCE_CAMERAS};
	struct check_approved_asset asset = {.input = &work->inputs->items[slot->index],
		.run = slot->now.run,
		.arena = slot->arena};
	if (read) {
		compare(work, slot, pictures, &asset);
	}
	struct check_file file = check_version_finish(&slot->now, slot->arena);
	check_approved_note(&asset, &file);
	if (read && slot->before.run) {
		const struct check_file before = check_version_finish(&slot->before, slot->arena);
		renderer_check_compare(&before, slot->arena, &file);
	}
	if (read && work->cameras) {
		renderer_check_evidence(NULL, &cameras, slot->arena, &file, NULL);
	}
	return file;
}

static void release(struct slot *slot) {
	arena_destroy(slot->arena);
	check_version_release(&slot->now);
	check_version_release(&slot->before);
}

static bool take(struct slot *slot, size_t turn, struct error *err) {
	const size_t own = check_version_steps(&slot->now);
	struct check_run *run = turn < own ? slot->now.run : slot->before.run;
	return renderer_check_step(
		run, renderer_check_turn(run, turn < own ? turn : turn - own), err);
}

/* --- Threads --- */

static const char **copy_missing(const struct asset *asset, const char *path, struct arena *arena) {
	if (asset->missing_count == 0) {
		return NULL;
	}
	const char **list = arena_alloc(arena, asset->missing_count + 1, sizeof *list);
	for (size_t i = 0; i < asset->missing_count; i++) {
		list[i] = arena_printf(arena, "%s: %s", path, asset->missing[i]);
	}
	return list;
}

/* Takes the results out of a slot, which is free then; with the lock, which is let go meanwhile. */
static void empty(struct work *work, struct slot *slot) {
	struct slot old = *slot;
	work->out->files[old.index] =
		check_copy_file(&old.file, work->options->profile.suppression_count, work->arena);
	work->missing[old.index] = copy_missing(&old.now.asset, old.now.job.path, work->arena);
	work->done++;
	*slot = (struct slot){.taken = false};
	pthread_cond_broadcast(&work->changed);
	pthread_mutex_unlock(&work->lock);
	release(&old);
	pthread_mutex_lock(&work->lock);
}

/* True when pictures come before the results. */
static bool compares_pictures(const struct work *work, const struct slot *slot) {
	return slot->before.run || work->approved;
}

/* All steps are done; with the lock, which is let go meanwhile. */
static void end_asset(struct work *work, struct slot *slot) {
	const bool waits = work->pictures && slot->now.asset.err.code == ERROR_NONE;
	if (!waits || !compares_pictures(work, slot)) {
		pthread_mutex_unlock(&work->lock);
		const struct check_file file = finish(work, slot, NULL);
		pthread_mutex_lock(&work->lock);
		slot->file = file;
	}
	slot->waits = waits;
	if (slot->waits) {
		pthread_cond_broadcast(&work->changed);
	} else {
		empty(work, slot);
	}
}

/* The next input into a free slot; with the lock, which is let go meanwhile. */
static void begin_asset(struct work *work, struct slot *slot) {
	struct slot begun = {.taken = true, .index = work->next++};
	*slot = begun;
	work->current = work->inputs->items[begun.index].path;
	pthread_mutex_unlock(&work->lock);
	begin(work, &begun);
	pthread_mutex_lock(&work->lock);
	*slot = begun;
	pthread_cond_broadcast(&work->changed);
	if (slot->steps == 0) {
		end_asset(work, slot);
	}
}

static void take_step(struct work *work, struct slot *slot) {
	const size_t turn = slot->next++;
	struct error err = {0};
	pthread_mutex_unlock(&work->lock);
	const bool ok = take(slot, turn, &err);
	pthread_mutex_lock(&work->lock);
	if (!ok) {
		error_pass(&slot->now.asset.err, &err);
	}
	if (++slot->done == slot->steps) {
		end_asset(work, slot);
	}
}

/* The earliest asset that has a step for another thread; NULL = none has. */
static struct slot *find_step(struct work *work) {
	struct slot *found = NULL;
	for (size_t i = 0; i < work->slot_count; i++) {
		struct slot *slot = &work->slots[i];
		if (slot->taken && slot->next < slot->steps &&
			(!found || slot->index < found->index)) {
			found = slot;
		}
	}
	return found;
}

static struct slot *find_free(struct work *work) {
	size_t i = 0;
	while (i < work->slot_count && work->slots[i].taken) {
		i++;
	}
	return i < work->slot_count && work->next < work->inputs->count ? &work->slots[i] : NULL;
}

static void *check(void *context) {
	struct work *work = context;
	pthread_mutex_lock(&work->lock);
	while (work->done < work->inputs->count) {
		struct slot *slot = find_step(work);
		struct slot *free_slot = slot ? NULL : find_free(work);
		if (slot) {
			take_step(work, slot);
		} else if (free_slot) {
			begin_asset(work, free_slot);
		} else {
			pthread_cond_wait(&work->changed, &work->lock);
		}
	}
	pthread_mutex_unlock(&work->lock);
	return NULL;
}

static struct slot *find_waiting(struct work *work) {
	size_t i = 0;
	while (i < work->slot_count && !work->slots[i].waits) {
		i++;
	}
	return i < work->slot_count ? &work->slots[i] : NULL;
}

/* Draws the pictures of an asset; with the lock, which is let go meanwhile. */
static void draw(struct work *work, struct slot *slot) {
	const bool unfinished = compares_pictures(work, slot);
	struct check_file file = slot->file;
	slot->waits = false;
	pthread_mutex_unlock(&work->lock);
	if (unfinished) {
		file = finish(work, slot, work->pictures);
	}
	const struct check_against_job versions = {
		.before = slot->before.run, .after = slot->now.run};
	check_pictures_draw(work->pictures, &versions, slot->arena, &file);
	pthread_mutex_lock(&work->lock);
	slot->file = file;
	empty(work, slot);
}

/* The main thread's part: progress and pictures, until all is done. */
static void attend(struct work *work) {
	pthread_mutex_lock(&work->lock);
	while (work->done < work->inputs->count) {
		struct slot *slot = find_waiting(work);
		progress_show("%zu of %zu files checked, %s", work->done, work->inputs->count,
			work->current ? work->current : "");
		if (slot) {
			draw(work, slot);
		} else {
			wait_a_while(&work->changed, &work->lock, LOOK_S);
		}
	}
	pthread_mutex_unlock(&work->lock);
	progress_end();
}

/* --- The run --- */

static bool run_threads(struct work *work, size_t count) {
	pthread_t *threads = arena_alloc(work->arena, count, sizeof *threads);
	size_t started = 0;
	while (started < count && pthread_create(&threads[started], NULL, check, work) == 0) {
		started++;
	}
	if (started == 0) {
		fprintf(stderr, "pose: no thread can be started\n");
		return false;
	}
	attend(work);
	for (size_t i = 0; i < started; i++) {
		pthread_join(threads[i], NULL);
	}
	return true;
}

static void list_remarks(const struct work *work) {
	struct check_results *out = work->out;
	const char *const others[] = {check_pictures_lack(work->pictures, work->arena),
		check_approved_remark(work->approved, work->arena)};
	size_t count = 2;
	for (size_t i = 0; i < work->inputs->count; i++) {
		for (size_t k = 0; work->missing[i] && work->missing[i][k]; k++) {
			count++;
		}
	}
	out->remarks = arena_alloc(work->arena, count, sizeof *out->remarks);
	for (size_t i = 0; i < work->inputs->count; i++) {
		for (size_t k = 0; work->missing[i] && work->missing[i][k]; k++) {
			out->remarks[out->remark_count++] = work->missing[i][k];
		}
	}
	for (size_t i = 0; i < 2; i++) {
		if (others[i]) {
			out->remarks[out->remark_count++] = others[i];
		}
	}
}

bool check_work_run(const struct check_options *options, const struct check_inputs *inputs,
	struct arena *arena, struct check_results *out) {
	const size_t threads = options->jobs;
	struct reader reader;
	struct work work = {
		.options = options,
		.inputs = inputs,
		.out = out,
		.reader = &reader,
		.missing = arena_alloc(arena, inputs->count, sizeof *work.missing),
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER,
		.arena = arena,
		.slots = arena_alloc(arena, threads + 1, sizeof *work.slots),
		.slot_count = threads + 1,
		.cameras = check_outputs_have_cameras(options),
	};
	*out = (struct check_results){
		.files = arena_alloc(arena, inputs->count, sizeof *out->files)};
	// The report says what is wrong with an asset.
	log_configure(LOG_ERROR, LOG_TEXT);
	reader_init(&reader, threads);
	work.approved = check_approved_create(options, arena);
	work.pictures =
		check_pictures_create(options, inputs->count, inputs->against || work.approved);
	const bool ok = run_threads(&work, threads) && check_approved_end(work.approved);
	list_remarks(&work);
	check_pictures_destroy(work.pictures);
	reader_finish(&reader);
	return ok;
}
