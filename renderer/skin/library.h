/* The data of skinning methods, by rig: made when it is first wanted, by one thread while others
 * wait for it, kept in memory under a budget of bytes, and on a shelf where the recipe finds it
 * dear. All functions but create and destroy: any thread. */
#pragma once

#include "skin/method.h"

struct skin_library;

/* Storage in which expensive data outlives the process. Functions are called without any lock held,
 * from any thread. NULL for load or save = nothing is kept. */
struct skin_shelf {
	void *context;
	/* The bytes that save was given for this rig and key, in malloc memory; NULL = none. */
	unsigned char *(*load)(void *context, const struct rig *rig, const char *key, size_t *size);
	void (*save)(void *context, const struct rig *rig, const char *key, const void *bytes,
		size_t size);
};

/* shelf may be NULL, and is copied. budget_bytes: 0 = 256 MiB. */
struct skin_library *skin_library_create(const struct skin_shelf *shelf, size_t budget_bytes);

/* Nobody may wait for anything any more. Takes NULL. */
void skin_library_destroy(struct skin_library *library);

/* The data that is wanted. */
struct skin_params {
	const struct skin_recipe *recipe;
	const struct skin_option *const *list; // of the options; NULL = none
	const struct skin_options *options;
	const struct rig *rig;
	const struct examples *examples; // NULL = none
	int clip;                        // -1 = none
};

/* The data, with a reference for the caller (skin_data_release). Makes it where it is not there,
 * which may take seconds, or waits for whoever is making it. NULL with what derive fails with. */
const struct skin_data *skin_library_get(struct skin_library *library,
	const struct skin_params *params, const struct stop *stop, struct error *err);

/* The same without making any: NULL where it is not in memory and, with from_shelf (which may wait
 * for a disk), not on the shelf either; *share, [0, 1], is how far its making has come, 1 = it is
 * there. */
const struct skin_data *skin_library_peek(struct skin_library *library,
	const struct skin_params *params, bool from_shelf, float *share);

enum skin_library_state {
	SKIN_LIBRARY_ABSENT, // in memory
	SKIN_LIBRARY_MAKING,
	SKIN_LIBRARY_READY,
};

/* The state of the data, without making any; *share, [0, 1], is how far it has come. */
enum skin_library_state skin_library_look(
	struct skin_library *library, const struct skin_params *params, float *share);

/* Bytes that it keeps in memory. */
size_t skin_library_bytes(struct skin_library *library);
