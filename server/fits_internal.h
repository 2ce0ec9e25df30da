/* Shared by fits.c (who gets which, making) and fits_describe.c (how they stand). */
#pragma once

#include <pthread.h>

#include "fits.h"

/* Hexadecimal digits of an id: 64 bits, for which nobody has to trust that they differ. */
#define ID_DIGITS 16

/* What there is to know of a fit. */
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
	enum fit_state state;
	struct stop stop;
	float share; // as far as anybody knows
	struct data_report report;
	struct error err;
	struct job job;
	bool queued;        // the pool has the job
	bool forgotten;     // in no list: goes with its last user
	int users;          // threads that are at it or wait for it
	struct entry *next; // the next younger
};

struct fits {
	struct fits_options options;
	pthread_mutex_t mutex; // guards what follows, and what entries have but their settings
	pthread_cond_t ended;  // an entry has
	struct entry *oldest;
	size_t count;
	bool stopping;
};

/* What the renderer is asked for; the entry has not ended. Under the mutex. */
struct data_job fit_job(const struct entry *entry);

/* How an entry stands, in the arena. Under the mutex. */
struct fit_description fit_describe(struct entry *entry, struct arena *arena);
