/* The fits that are known, and how they end. All under the mutex. */
#pragma once

#include <pthread.h>
#include <sys/queue.h>

#include "work/fits.h"

/* Hexadecimal digits of an id: 64 bits, whose uniqueness is checked. */
#define ID_DIGITS 16

/* One fit. */
struct entry {
	struct fits *fits;
	char id[ID_DIGITS + 1];
	char *rig;   // its name; owned
	char *basis; // state of the rig that it is made from; owned
	bool uses_examples;
	struct arena *arena; // of the settings; owned
	struct skinning_settings settings;
	struct rig *model;         // a reference until it has ended
	struct examples *examples; // likewise; NULL = it uses none
	enum task_state state;
	struct stop stop;
	float share; // as far as anybody knows
	struct data_report report;
	struct error err;
	struct job job;
	bool queued;               // the pool has the job
	bool forgotten;            // in no list: goes with its last user
	int users;                 // threads that are at it or wait for it
	TAILQ_ENTRY(entry) of_all; // in fits->entries
};

struct fits {
	struct fits_options options;
	pthread_mutex_t mutex; // guards what follows, and what entries have but their settings
	pthread_cond_t ended;  // an entry has
	TAILQ_HEAD(, entry) entries; // the oldest first
	size_t count;
	bool stopping;
};

bool fit_has_ended(const struct entry *entry);

/* Ends it so, and tells all who wait. */
void fit_end(struct entry *entry, enum task_state state);

/* One user less. */
void fit_leave(struct entry *entry);

/* Takes a waiting fit's job out of the pool; false when a thread has it already. */
bool fit_unqueue(struct entry *entry);

/* Calls it off. One that runs ends when its thread sees that. */
void fit_call_off(struct entry *entry);

/* Calls it off and takes it out of the list. */
void fit_forget(struct entry *entry);

/* The state of a rig that a fit is made from, borrowed from the hold. */
const char *fit_basis(const struct store_hold *hold, bool uses_examples);

/* Forgets the fits of a rig that are for another state of it than is held; NULL = for any. */
void fits_outdate(struct fits *fits, const char *rig, const struct store_hold *hold);

/* The fit of a rig with this id; NULL = none. */
struct entry *fits_entry(struct fits *fits, const char *rig, const char *id);

/* The renderer's job for an entry that has not ended. Under the mutex. */
struct data_job fit_job(const struct entry *entry);

/* The state of an entry, in the arena. Under the mutex. */
struct fit_description fit_describe(struct entry *entry, struct arena *arena);
