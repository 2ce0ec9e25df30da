// The fits that are known, and how they end.
#include "work/fits_entries.h"

#include <stdlib.h>
#include <string.h>

#include "model/examples.h"

/* Lets go of what is needed only until the end. */
static void finish_entry(struct entry *entry) {
	rig_release(entry->model);
	examples_release(entry->examples);
	entry->model = NULL;
	entry->examples = NULL;
}

static void destroy_entry(struct entry *entry) {
	finish_entry(entry);
	arena_destroy(entry->arena);
	free(entry->rig);
	free(entry->basis);
	free(entry);
}

bool fit_has_ended(const struct entry *entry) {
	return entry->state != FIT_WAITING && entry->state != FIT_RUNNING;
}

void fit_end(struct entry *entry, enum fit_state state) {
	entry->state = state;
	finish_entry(entry);
	pthread_cond_broadcast(&entry->fits->ended);
}

void fit_leave(struct entry *entry) {
	if (--entry->users == 0 && entry->forgotten) {
		destroy_entry(entry);
	}
}

bool fit_unqueue(struct entry *entry) {
	if (!entry->queued || !thread_pool_cancel(entry->fits->options.pool, &entry->job)) {
		return false;
	}
	entry->queued = false;
	entry->users--;
	return true;
}

void fit_call_off(struct entry *entry) {
	atomic_store(&entry->stop.left, true);
	if (entry->state == FIT_WAITING) {
		fit_unqueue(entry);
		fit_end(entry, FIT_CANCELLED);
	}
}

void fit_forget(struct entry *entry) {
	struct fits *fits = entry->fits;
	struct entry **link = &fits->oldest;
	while (*link != entry) {
		link = &(*link)->next;
	}
	*link = entry->next;
	fits->count--;
	fit_call_off(entry);
	entry->forgotten = true;
	if (entry->users == 0) {
		destroy_entry(entry);
	}
}

const char *fit_basis(const struct store_hold *hold, bool uses_examples) {
	return uses_examples ? hold->basis : hold->summary.content;
}

static bool is_for(const struct entry *entry, const struct store_hold *hold) {
	return strcmp(entry->basis, fit_basis(hold, entry->uses_examples)) == 0;
}

void fits_outdate(struct fits *fits, const char *rig, const struct store_hold *hold) {
	struct entry *entry = fits->oldest;
	while (entry) {
		struct entry *next = entry->next;
		if (strcmp(entry->rig, rig) == 0 && (!hold || !is_for(entry, hold))) {
			fit_forget(entry);
		}
		entry = next;
	}
}

struct entry *fits_entry(struct fits *fits, const char *rig, const char *id) {
	struct entry *entry = fits->oldest;
	while (entry && (strcmp(entry->rig, rig) != 0 || strcmp(entry->id, id) != 0)) {
		entry = entry->next;
	}
	return entry;
}
