/* Fits: the making of data that skinning methods need of a rig, for those who want to begin it
 * ahead, watch it or call it off, and for requests that have to wait for it.
 *
 * A fit is known by the rig and the examples that it is for, the method and its options: whoever
 * asks for the same gets the same. When the rig gets another content, or other examples that the
 * fit is made from, it is called off and forgotten. What it has made stays in the library.
 *
 * Any thread, but for creating and destroying. */
#pragma once

#include "base/arena.h"
#include "fit.h"
#include "renderer.h"
#include "store/store.h"
#include "work/thread_pool.h"

struct fits;

struct fits_options {
	struct thread_pool *pool;     // whose threads make it; borrowed
	struct skin_library *library; // of the results; borrowed

	/* As renderer_make_data() and renderer_look_at_data(), which NULL stands for. */
	bool (*make)(const struct data_job *job, struct data_report *out, struct error *err);
	bool (*look)(const struct data_job *job, bool from_shelf, struct data_report *out,
		struct error *err);
};

struct fits *fits_create(const struct fits_options *options);

/* Nobody is at a fit any more: the pool has ended. Takes NULL. */
void fits_destroy(struct fits *fits);

/* Calls all off, and takes no more: the daemon is stopping. */
void fits_stop(struct fits *fits);

/* The data to be made. */
struct fit_params {
	struct store_hold *hold;      // of the rig; it is loaded, and so are the examples it takes
	const struct value *skinning; // a method's id or an object; NULL = the default method
	struct skinning_settings settings; // read from it
	struct renderer_needs needs;       // of the settings
};

/* Begins a fit unless there is one that waits, runs or is done; one that failed or was cancelled
 * begins again. *out is how it stands then, its strings in the arena. False with what
 * renderer_look_at_data() fails with, ERROR_OVERLOADED when too many wait, ERROR_SHUTTING_DOWN. */
bool fits_begin(struct fits *fits, const struct fit_params *params, struct arena *arena,
	struct fit_description *out, struct error *err);

/* The same, here and now: returns when the data is made, by this thread or by the one that is at
 * it. The fit goes on when the stop says so (ERROR_DEADLINE, ERROR_CLIENT_LEFT) to whoever waits
 * for another thread. ERROR_CONFLICT when it is cancelled. */
bool fits_make(struct fits *fits, const struct fit_params *params, const struct stop *stop,
	struct error *err);

/* A rig's fits as they stand, the oldest first; in the arena. The hold need not be loaded. */
const struct fit_description *fits_list(
	struct fits *fits, const struct store_hold *hold, struct arena *arena, size_t *count);

/* One of them. False with ERROR_UNKNOWN_FIT. */
bool fits_find(struct fits *fits, const struct store_hold *hold, const char *id,
	struct arena *arena, struct fit_description *out, struct error *err);

/* Calls a fit off that waits or runs, and forgets one that has ended. False with
 * ERROR_UNKNOWN_FIT. */
bool fits_cancel(
	struct fits *fits, const struct store_hold *hold, const char *id, struct error *err);

/* To be called when a rig or its examples have changed, or are gone: calls off and forgets what is
 * for another state of the rig than the one it has in the store. */
void fits_follow(struct fits *fits, struct store *store, const char *rig);
