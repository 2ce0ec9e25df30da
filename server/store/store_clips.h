/* The clips that the store's rigs have beside those in their files (model/clip_pack.h says how each
 * is stored). When another content takes a rig's name, those of its clips stay that fit it: all
 * joints that they drive are there, by name and with as many morph targets, and the file has no
 * clip of that name itself.
 *
 * Any thread. */
#pragma once

#include "store/store.h"
#include "store/store_items.h"

struct clip;
struct rig;

/* What is put. */
struct store_clip {
	struct store_hold
		*hold;    // the rig that it is for, loaded; lets go of the clips that it held
	const char *name; // keeps name_check(), and no clip of the file has it
	const struct clip *clip; // of the held rig
	enum put_mode mode;
	const char *as; // as item_put.as
};

/* What has become of it. */
struct stored_clip {
	const char *content; // "sha256:...", in the arena
	bool created;        // the name is new
};

/* Puts a clip of a rig that is held. Fails as items_put() does, with ERROR_CONFLICT where the file
 * has a clip of this name, and with ERROR_TOO_LARGE (too many, or too much). */
bool store_put_clip(struct store *store, const struct store_clip *put, struct arena *arena,
	struct stored_clip *out, struct error *err);

/* How many of the clips of a hold's rig, the last ones, are beside its file. */
size_t store_clip_count(const struct store_hold *hold);

/* The rig of a hold's file with the hold's clips, made or found in memory: one reference. NULL with
 * ERROR_STORE_DAMAGED or ERROR_TOO_LARGE. */
struct rig *clips_add_all(struct store *store, const struct store_hold *hold, struct rig *file_rig,
	struct error *err);

/* Finds which clips a rig keeps when this one takes its place: a list that is the caller's; NULL =
 * none. A sentence about those that it loses is made in the arena. Under store->writing. False when
 * one cannot be read now. */
bool clips_carry(struct store *store, const char *name, const struct item_list *old,
	const struct rig *rig, struct arena *arena, struct item_list **out, const char **warning,
	struct error *err);
