/* Stored clips: those that rigs have besides the clips in their files (format: model/clip_pack.h).
 * When a rig is replaced, it keeps the clips that fit the new file: the file has all joints that
 * they drive, by name and with as many morph targets, and no clip of the same name.
 *
 * Any thread. */
#pragma once

#include "store/store.h"
#include "store/store_items.h"

struct clip;
struct rig;

struct store_clip {
	struct store_hold *hold; // the rig, loaded; store_put_clip() releases its clips
	const char *name;        // keeps name_check(); not of a clip in the file
	const struct buffer
		*object;         // the clip's packed form (model/clip_pack.h); NULL = made of it
	const struct clip *clip; // of the held rig; if there is no object
	enum put_mode mode;
	const char *as; // as item_put.as
};

struct stored_clip {
	const char *content; // "sha256:...", in the arena
	bool created;        // the name is new
};

/* Stores a clip of a held rig. Fails as items_put() does, with ERROR_CONFLICT if the file has a
 * clip of this name, and with ERROR_TOO_LARGE (too many clips, or too many bytes). */
bool store_put_clip(struct store *store, const struct store_clip *put, struct arena *arena,
	struct stored_clip *out, struct error *err);

/* Number of a hold's stored clips, which are the last clips of its rig. */
size_t store_clip_count(const struct store_hold *hold);

/* A rig like one of the hold's file, which was read anew, with the hold's stored clips behind its
 * own. NULL with ERROR_STORE_DAMAGED or ERROR_TOO_LARGE. */
struct rig *store_add_clips(
	const struct store_hold *hold, const struct rig *file_rig, struct error *err);

/* A reference to the rig of a hold's file with the hold's clips, made unless it is in memory. NULL
 * with ERROR_STORE_DAMAGED or ERROR_TOO_LARGE. */
struct rig *clips_add_all(struct store *store, const struct store_hold *hold, struct rig *file_rig,
	struct error *err);

/* Lists the clips that a rig keeps when it is replaced, for the caller to own; NULL = none.
 * *warning names the lost ones, in the arena. Under store->writing. False when a clip cannot be
 * read at present. */
bool clips_carry(struct store *store, const char *name, const struct item_list *old,
	const struct rig *rig, struct arena *arena, struct item_list **out, const char **warning,
	struct error *err);
